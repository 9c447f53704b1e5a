// What the counters on each page show.

import { linkToPlace, type PlaceOnPage } from '../page-link.ts';
import type { Heading } from '../paint/display-list.ts';
import { UNKNOWN_PAGE } from '../resolve/resolve-pages.ts';
import type { PageCounter, SceneNode, TextSpan } from '../resolve/scene.ts';

/** What is counted on one page. */
export type PageCounts = Readonly<Record<PageCounter, string>>;

/** @param headings of each page */
export function countPages(headings: readonly (readonly Heading[])[]): readonly PageCounts[] {
  const pages = String(headings.length);
  const starts = headings.map((some, index) => index === 0 || some.some(({ level }) => level === 1));
  let [section, heading, begin] = ['', '', 0];
  return headings.map((some, index) => {
    if (starts[index]) begin = index;
    section = some.findLast(({ level }) => level === 1)?.text ?? section;
    heading = some.at(-1)?.text ?? heading;
    const next = starts.indexOf(true, index + 1);
    return {
      page: String(index + 1),
      pages,
      'section-page': String(index - begin + 1),
      'section-pages': String((next === -1 ? headings.length : next) - begin),
      section,
      heading,
    };
  });
}

/** Where layers begin, by the names that counters are `of`. */
export type Places = ReadonlyMap<string, PlaceOnPage>;

/** A node with its counters filled in; the same where it has none. */
export function counted<Node extends SceneNode>(node: Node, counts: PageCounts, places: Places): Node;
export function counted(node: SceneNode, counts: PageCounts, places: Places): SceneNode {
  if (node.type === 'text') {
    if (!node.spans.some(({ counter }) => counter)) return node;
    return { ...node, spans: node.spans.map((span) => countedSpan(span, counts, places)) };
  }
  if (node.type !== 'frame') return node;
  const children = node.children.map((child) => counted(child, counts, places));
  return children.every((child, i) => child === node.children[i]) ? node : { ...node, children };
}

function countedSpan(span: TextSpan, counts: PageCounts, places: Places): TextSpan {
  const { counter, link } = span;
  if (counter === null) return span;
  if (typeof counter === 'string') return { ...span, text: counts[counter], counter: null };
  const place = places.get(counter.pageOf);
  const text = place ? String(place.page) : UNKNOWN_PAGE;
  return { ...span, text, counter: null, link: link ?? (place ? linkToPlace(place) : null) };
}
