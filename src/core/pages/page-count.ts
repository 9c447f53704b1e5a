// What the counters on each page show.

import type { LayoutBox } from '../layout/box.ts';
import { TableBox } from '../layout/table-box.ts';
import type { Heading } from '../paint/display-list.ts';
import type { PageCounter, SceneNode, TextNode } from '../resolve/scene.ts';
import { fragmentationOf } from './box-groups.ts';

/** What is counted on one page. */
export type PageCounts = Readonly<Record<PageCounter, string>>;

/** The headings in a box that lies `dy` px lower on its page; a table has none. */
export function headingsIn(box: LayoutBox, dy: number): readonly Heading[] {
  if (box.kind === 'frame') {
    return box instanceof TableBox ? [] : box.children.flatMap((child) => headingsIn(child, dy));
  }
  if (box.kind !== 'text' || box.node.opacity === 0) return [];
  const level = fragmentationOf(box).heading;
  if (level === null) return [];
  return [{ level, text: box.node.spans.map(({ text }) => text).join(''), top: box.rect.y + dy }];
}

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

/** A node with its counters filled in; the same where it has none. */
export function counted<Node extends SceneNode>(node: Node, counts: PageCounts): Node;
export function counted(node: SceneNode, counts: PageCounts): SceneNode {
  if (node.type === 'text') return node.spans.some(({ counter }) => counter) ? countedText(node, counts) : node;
  if (node.type !== 'frame') return node;
  const children = node.children.map((child) => counted(child, counts));
  return children.every((child, i) => child === node.children[i]) ? node : { ...node, children };
}

function countedText(node: TextNode, counts: PageCounts): TextNode {
  return {
    ...node,
    spans: node.spans.map((span) => (span.counter ? { ...span, text: counts[span.counter], counter: null } : span)),
  };
}
