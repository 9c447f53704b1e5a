// Gives elements the default positions and margins that they have in @vercel/og, where browsers and satori have others.
//
// There, an element refers to its parent where it is `absolute`, and whatever comes later is drawn above it; in browsers,
// a background so placed covers all elements without a position. And the margins of paragraphs and headings do not grow
// with their own letters.

import { childrenOf, elementsIn, type PlainNode } from './plain-tree.ts';

type Style = Readonly<Record<string, unknown>>;

/** The margins above and below, in parts of the inherited font size, and the font size in the same. */
const BLOCKS: Readonly<Record<string, { readonly margin: number; readonly fontSize: number }>> = {
  p: { margin: 1, fontSize: 1 },
  blockquote: { margin: 1, fontSize: 1 },
  h1: { margin: 1.34, fontSize: 2 },
  h2: { margin: 1.245, fontSize: 1.5 },
  h3: { margin: 1.17, fontSize: 1.17 },
  h4: { margin: 1.33, fontSize: 1 },
  h5: { margin: 1.386, fontSize: 0.83 },
  h6: { margin: 1.561, fontSize: 0.67 },
};
const ROOT_FONT_SIZE = 16;
const TEXT_SIZE = /(^|[\s:])text-(xs|sm|base|lg|\d?xl|\[[\d.]+)/;

/** The same tree with these defaults in its styles, where an element says nothing else. */
export function likeVercels(nodes: readonly PlainNode[]): readonly PlainNode[] {
  const isPlaced = [...elementsIn(nodes)].some(({ props }) =>
    has(props, 'position', /(^|[\s:])absolute(\s|$)/, 'absolute'),
  );
  return nodes.map((node) => defaulted(node, isPlaced, ROOT_FONT_SIZE));
}

/** @param inherited the font size around, px; null if it is not known */
function defaulted(node: PlainNode, isPlaced: boolean, inherited: number | null): PlainNode {
  if (typeof node !== 'object' || node.type === 'svg') return node;
  const { type, props } = node;
  const style = (props.style ?? {}) as Style;
  const block = BLOCKS[type];
  const hasSize = has(props, 'fontSize', TEXT_SIZE);
  const defaults: Record<string, unknown> = {};
  if (isPlaced && !has(props, 'position', /(^|[\s:])(static|fixed|absolute|relative|sticky)(\s|$)/)) {
    defaults.position = 'relative';
  }
  if (block && hasSize && inherited !== null && style.margin === undefined && style.marginBlock === undefined) {
    if (!has(props, 'marginTop', /(^|[\s:])-?m[ty]?-/)) defaults.marginTop = block.margin * inherited;
    if (!has(props, 'marginBottom', /(^|[\s:])-?m[by]?-/)) defaults.marginBottom = block.margin * inherited;
  }
  const own = hasSize
    ? pxOf(style.fontSize, inherited)
    : inherited === null
      ? null
      : inherited * (block?.fontSize ?? 1);
  const children = childrenOf(node).map((child) => defaulted(child, isPlaced, own));
  return {
    ...node,
    props: { ...props, style: { ...defaults, ...style }, children: children.length === 1 ? children[0] : children },
  };
}

/** Whether the style, or a class of Tailwind, has the property, with that value if one is given. */
function has({ style, tw }: Style, property: string, classes: RegExp, value?: unknown): boolean {
  const given = (style as Style | undefined)?.[property];
  return (value === undefined ? given !== undefined : given === value) || classes.test(String(tw ?? ''));
}

/** @returns null if the size is not known before layout, as of a class */
function pxOf(fontSize: unknown, inherited: number | null): number | null {
  if (typeof fontSize === 'number') return fontSize;
  const [, size, unit] = /^([\d.]+)(px|rem|em)?$/.exec(String(fontSize ?? '').trim()) ?? [];
  if (size === undefined) return null;
  if (unit === 'em') return inherited === null ? null : Number(size) * inherited;
  return Number(size) * (unit === 'rem' ? ROOT_FONT_SIZE : 1);
}
