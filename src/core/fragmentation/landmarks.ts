// Finds the page and the height at which headings and named layers begin: for tables of contents and cross references.

import type { LayoutBox } from '../layout/box.ts';
import { TableBox } from '../layout/table-box.ts';
import type { PlaceOnPage } from '../page-link.ts';
import { placeNames } from '../resolve/resolve-pages.ts';
import type { SceneNode } from '../resolve/scene.ts';
import { fragmentationOf } from './box-groups.ts';

/** Something that begins on a page. */
export interface Landmark {
  /** px from the top of the page. */
  readonly top: number;
  /** null = it is no heading. */
  readonly heading: { readonly level: number; readonly text: string; readonly layer: string } | null;
  /** By which counters may be `of` it. */
  readonly names: readonly string[];
}

export class Landmarks {
  readonly #wanted: ReadonlySet<string>;

  /** @param wanted the names that counters are `of` */
  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  /** Those in a box that lies `dy` px lower on its page, and itself. */
  in(box: LayoutBox, dy: number): readonly Landmark[] {
    const own = this.of(box, dy);
    if (box.kind !== 'frame' || box instanceof TableBox) return own;
    return [...own, ...box.children.flatMap((child) => this.in(child, dy))];
  }

  /** A box itself, if it is one. */
  of(box: LayoutBox, dy: number): readonly Landmark[] {
    const heading = headingOf(box);
    const names = this.#wanted.size === 0 ? [] : placeNames(box.node.name).filter((name) => this.#wanted.has(name));
    return heading === null && names.length === 0 ? [] : [{ top: box.rect.y + dy, heading, names }];
  }
}

/**
 * The first page that each name is on.
 *
 * @param landmarks of each page
 * @param onPages layers that do not flow, with the first page that each is on
 */
export function placesOf(
  wanted: ReadonlySet<string>,
  landmarks: readonly (readonly Landmark[])[],
  onPages: readonly { readonly node: SceneNode; readonly page: number }[],
): ReadonlyMap<string, PlaceOnPage> {
  const places = new Map<string, PlaceOnPage>();
  const add = (name: string, place: PlaceOnPage) => {
    const known = places.get(name);
    if (wanted.has(name) && (!known || place.page < known.page)) places.set(name, place);
  };
  for (const [index, some] of landmarks.entries()) {
    for (const { names, top } of some) for (const name of names) add(name, { page: index + 1, top });
  }
  const visit = (node: SceneNode, page: number) => {
    for (const name of placeNames(node.name)) add(name, { page, top: 0 });
    if (node.type === 'frame') for (const child of node.children) visit(child, page);
  };
  if (wanted.size > 0) for (const { node, page } of onPages) visit(node, page);
  return places;
}

function headingOf(box: LayoutBox): Landmark['heading'] {
  if (box.kind !== 'text' || box.node.opacity === 0) return null;
  const { heading: level } = fragmentationOf(box);
  if (level === null) return null;
  const text = box.node.spans.map(({ text, counter }) => (counter === null ? text : '')).join('');
  return text.trim() === '' ? null : { level, text, layer: box.node.name };
}
