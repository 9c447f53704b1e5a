// Finds the pages of the headings that tables of contents list, once the flow is divided into pages.

import type { LayoutBox } from '../layout/box.ts';
import { TableBox } from '../layout/table-box.ts';
import type { PlaceOnPage } from '../page-link.ts';
import type { Heading } from '../paint/display-list.ts';
import type { ListedHeading, TableNode } from '../resolve/scene.ts';

/** Tells the tables in `boxes` where the headings are. @param headings of each page */
export function placeHeadings(boxes: readonly LayoutBox[], headings: readonly (readonly Heading[])[]): void {
  for (const box of boxes) {
    if (box instanceof TableBox) box.rows.places = placesIn(box.rows.node, headings);
    else if (box.kind === 'frame') placeHeadings(box.children, headings);
  }
}

/** In order, so that of headings with one text each has its own page. */
function placesIn(
  { rows }: TableNode,
  headings: readonly (readonly Heading[])[],
): ReadonlyMap<ListedHeading, PlaceOnPage> | null {
  const listed = rows.looks.flatMap(({ lists }) => (lists ? [lists.heading] : []));
  if (listed.length === 0) return null;
  const found = new Map<string, PlaceOnPage[]>();
  for (const [index, some] of headings.entries()) {
    for (const { level, text, top } of some) {
      const key = `${level} ${text}`;
      const places = found.get(key) ?? [];
      found.set(key, places);
      places.push({ page: index + 1, top });
    }
  }
  return new Map(
    listed.flatMap((heading) => {
      const place = found.get(`${heading.level} ${heading.text}`)?.shift();
      return place ? [[heading, place] as const] : [];
    }),
  );
}
