// Resolves what concerns the pages of a document: breaks, counters, and the place of what flows.

import { type Diagnostic, quoted, ValidationError } from '../diagnostics.ts';
import type { Edges } from '../geometry.ts';
import type { Layer } from '../template/layer.ts';
import { namedPage, type Page, pageMargins, sheetSize } from '../template/page.ts';
import type { TextLayer } from '../template/text-layer.ts';
import type { NeedsSink } from './needs.ts';
import type { Fragmentation, FrameNode, SceneNode, TextNode } from './scene.ts';

/** The fragmentation of a node without one of its own. */
export const WHOLE: Fragmentation = {
  pages: 'all',
  page: null,
  isFlow: false,
  before: 'auto',
  after: 'auto',
  avoidsInside: false,
  repeatAt: null,
  orphans: 2,
  widows: 2,
  clones: false,
  heading: null,
};

/** null = `WHOLE`. */
export function resolveFragmentation(layer: Layer): Fragmentation | null {
  const isText = layer.type === 'text';
  const isFrame = layer.type === 'frame';
  const own: Fragmentation = {
    pages: layer.pages,
    page: layer.page,
    isFlow: isFrame && layer.flow,
    before: layer.breakBefore,
    after: layer.breakAfter,
    avoidsInside: layer.breakInside === 'avoid',
    repeatAt: layer.repeatOnPages,
    orphans: isText ? layer.orphans : WHOLE.orphans,
    widows: isText ? layer.widows : WHOLE.widows,
    clones: (isFrame || layer.type === 'table') && layer.boxDecorationBreak === 'clone',
    heading: isText ? layer.heading : null,
  };
  return (Object.keys(own) as (keyof Fragmentation)[]).every((key) => own[key] === WHOLE[key]) ? null : own;
}

/** A frame that flows: a part for each run of children that stand on the same sheets. */
export function flowing(node: FrameNode, page: Page): readonly FrameNode[] {
  const nameOf = ({ fragmentation }: SceneNode) => fragmentation?.page ?? null;
  const runs: SceneNode[][] = [];
  for (const child of node.children) {
    const last = runs.at(-1);
    if (last?.[0] && nameOf(last[0]) === nameOf(child)) last.push(child);
    else runs.push([child]);
  }
  if (runs.length < 2 && runs.flat().every((child) => nameOf(child) === null)) return [inMargins(node, page)];
  return runs.map((children) => {
    const name = children[0] ? nameOf(children[0]) : null;
    const fragmentation = { ...(node.fragmentation ?? WHOLE), page: name };
    return inMargins({ ...node, children, fragmentation }, namedPage(page, name));
  });
}

/**
 * As wide as the pages within their margins and as high as its content. Heights of its children in percent are those of a
 * page within its margins, as of CSS's initial containing block on paper: of the lowest page, so that 100% fits on each.
 */
function inMargins(node: FrameNode, page: Page): FrameNode {
  const { top, right, left } = pageMargins(page, 1);
  const { x, y } = node.placement;
  const width = Math.max(0, sheetSize(page).width - left - right - x);
  const placement = {
    ...node.placement,
    x: left + x,
    y: top + y,
    absolute: true,
    inset: null,
    width: { kind: 'px', value: width },
    height: { kind: 'hug' },
    minHeight: null,
    maxHeight: null,
  } as const;
  const room = Math.min(
    ...[1, 2].flatMap((number) => [true, false].map((isLast) => heightWithin(page, pageMargins(page, number, isLast)))),
  );
  const children = node.children.map((child): SceneNode => {
    const { height } = child.placement;
    if (height.kind !== 'percent') return child;
    const value = Math.max(0, (height.value / 100) * room + (height.plus ?? 0));
    return { ...child, placement: { ...child.placement, height: { kind: 'px', value } } };
  });
  return { ...node, placement, ...(children.some((child, i) => child !== node.children[i]) && { children }) };
}

const heightWithin = (page: Page, { top, bottom }: Edges): number => Math.max(1, sheetSize(page).height - top - bottom);

/**
 * What the texts in a layer can count, and whether they have footnotes (`places`): `all` on the pages of a document; in what flows, the page on which a layer
 * begins (`places`), for which space is kept; elsewhere only the `rows` of a list.
 */
export type Countable = 'all' | 'places' | 'rows';

/** @throws ValidationError naming the span that counts what cannot be known there, or has a note where there is no foot */
export function checkCounters({ spans }: TextLayer, countable: Countable, pathOf: () => string): void {
  if (spans === null) return;
  const note = countable === 'places' ? -1 : spans.findIndex(({ footnote }) => footnote !== undefined);
  if (note !== -1) {
    throw new ValidationError(
      `${pathOf()}.spans[${note}].footnote`,
      'is for texts in the frame with `flow` of a template with `page`, at the foot of whose pages notes stand',
    );
  }
  if (countable === 'all') return;
  const index = spans.findIndex(
    ({ counter, of }) => counter !== undefined && counter !== 'row' && (countable === 'rows' || of === undefined),
  );
  if (index === -1) return;
  throw new ValidationError(
    `${pathOf()}.spans[${index}].counter`,
    'is for layers of a template with `page`, outside the frame with `flow`; "page" with `of` in it, too',
  );
}

/** The names by which a counter may be `of` a layer: its own, and in an entry of a list that of the template. */
export function placeNames(name: string): readonly string[] {
  const entry = name.lastIndexOf('].');
  return entry === -1 ? [name] : [name, name.slice(entry + 2)];
}

/** The names that counters are `of`, by the layers that have them. */
export function countedPlaces(nodes: readonly SceneNode[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const { name, spans } of textsIn(nodes)) {
    for (const { counter, linksTo } of spans) {
      const counted = counter !== null && typeof counter === 'object' && 'pageOf' in counter ? counter.pageOf : linksTo;
      if (counted !== undefined && !places.has(counted)) places.set(counted, name);
    }
  }
  return places;
}

/** Warns of counters that are `of` no layer. */
export function unknownPlaces(nodes: readonly SceneNode[]): readonly Diagnostic[] {
  const left = new Map(countedPlaces(nodes));
  const visit = (node: SceneNode) => {
    for (const name of placeNames(node.name)) left.delete(name);
    if (node.type === 'frame') node.children.forEach(visit);
  };
  if (left.size > 0) nodes.forEach(visit);
  return Array.from(left, ([of, layer]) => ({
    code: 'unknown-layer',
    layer,
    message: `Layer ${JSON.stringify(layer)}: a counter is \`of\` ${quoted(of)}, which is not shown.`,
  }));
}

/** The number of the entry of the innermost list that a layer is in, from its name; without a list, 1. */
export function rowOf({ name }: Layer): string {
  const [, index] = /\[(\d+)\][^[\]]*$/.exec(name) ?? [];
  return index === undefined ? '1' : String(Number(index) + 1);
}

/** Keeps the space of any number of a page. */
export const WIDEST_PAGE = '0000';
/** Instead of the page of a layer that is not there. */
export const UNKNOWN_PAGE = '?';

/** All that counters of numbers may show. */
const DIGITS = `0123456789${UNKNOWN_PAGE}`;

/** Adds the letters that counters may show. */
export function addCounted(nodes: readonly SceneNode[], needs: NeedsSink): void {
  let headings: string | null = null;
  for (const node of textsIn(nodes)) {
    for (const { counter, style } of node.spans) {
      if (counter === null) continue;
      const isNumber = counter !== 'section' && counter !== 'heading';
      headings ??= isNumber ? null : headingTexts(nodes);
      needs.addText(node.name, { text: isNumber ? DIGITS : (headings ?? ''), style });
    }
  }
}

function headingTexts(nodes: readonly SceneNode[]): string {
  const headings = [...textsIn(nodes)].filter(({ fragmentation }) => (fragmentation ?? WHOLE).heading !== null);
  return headings.map(({ spans }) => spans.map(({ text }) => text).join('')).join(' ');
}

function* textsIn(nodes: readonly SceneNode[]): Generator<TextNode> {
  for (const node of nodes) {
    if (node.type === 'text') yield node;
    else if (node.type === 'frame') yield* textsIn(node.children);
  }
}
