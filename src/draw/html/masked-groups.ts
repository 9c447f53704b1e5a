// Masks elements of a page with all that is in them (CSS Masking 1 §6). Satori masks each of their parts by itself, and
// not their letters.
//
// Each masked element is marked for satori: with a mask of satori's own that tells which it is, and with a child at its
// end. In the drawing, all from the one to the other becomes a group, with a mask that satori draws as the background of
// a box of the same size.

import type { Rect } from '#core/geometry.ts';
import type { XmlElement } from '#draw/images/xml.ts';
import { descendants } from './fix-satori-svg.ts';
import type { MaskLayers } from './mask-properties.ts';
import type { HtmlElement } from './parse-html.ts';
import { setDeclaration } from './style-attribute.ts';

/** Most masked elements of a page: satori draws the mask of each. */
export const MAX_MASKS = 50;
/** Elements without children of their own: their parts are told by satori's names. */
const REPLACED = /^(img|svg|input|textarea|hr|br)$/;
/** The red of the marks at the ends of elements; green and blue are the mask's index. */
const RED = 222;

/** Draws the layers of a mask in a box; `null` is satori's failure. */
export type DrawMask = (layers: MaskLayers, box: Rect) => Promise<XmlElement>;

/** Marks an element as the one that the mask with this index is of. */
export function markMasked(element: HtmlElement, index: number): void {
  const { attributes, name } = element;
  const stop = `${(index + 1) / 100}%`;
  setDeclaration(attributes, 'mask-image', `linear-gradient(90deg, #000 0%, #000 ${stop}) !important`);
  // A mask makes a stacking context (§6.1), so that all in it is painted together.
  setDeclaration(attributes, 'isolation', 'isolate !important');
  if (REPLACED.test(name)) return;
  const color = `rgb(${RED}, ${index >> 8}, ${index & 255})`;
  const style = `position:absolute;left:0;top:0;width:1px;height:1px;margin:0;border:0;padding:0;visibility:visible;opacity:1;z-index:2147483647;background:${color}`;
  element.children.push({ name: 'i', attributes: new Map([['style', style]]), children: [], line: element.line });
}

/**
 * The drawing with the masked elements as groups.
 *
 * @param masks by the index of the mark: those of one element
 */
export async function withMasks(
  root: XmlElement,
  masks: readonly (readonly MaskLayers[])[],
  draw: DrawMask,
): Promise<XmlElement | { readonly problem: string }> {
  if (masks.length === 0) return root;
  let parts: readonly Node[] = root.children;
  const names = new Set([...descendants(root)].map(({ attributes }) => attributes.get('id') ?? ''));
  // Inner elements begin later: they become groups first.
  for (const { id, index, box } of marksIn(root).toReversed()) {
    const layers = masks[index];
    const start = parts.findIndex((part) => isElement(part) && declares(part, `satori_mi-${id}`));
    if (!layers || start < 0) continue;
    const found = endOf(parts, start, id);
    const inside = parts.slice(start, found.end).map((part) => unmasked(part, id, names));
    if (found.transform === undefined && inside.some((part) => isElement(part) && part.name === 'g' && isEmpty(part))) {
      if (inside.some((part) => isElement(part) && hasTransform(part)))
        return { problem: 'a mask on this transformed element' };
    }
    let masked: readonly Node[] = inside;
    for (const [number, each] of layers.entries()) {
      const name = `platen-mask-${index}-${number}`;
      const drawn = await draw(each, box);
      const mask = maskElement(name, renamed(drawn.children, `${name}-`), box, found.transform);
      masked = [element('defs', {}, [mask]), element('g', { mask: `url(#${name})` }, masked)];
    }
    parts = [...parts.slice(0, start), ...masked, ...parts.slice(found.end)];
  }
  const masked = { ...root, children: [...parts] };
  // Of an inline element each line has parts of its own.
  return [...descendants(masked)].some(isEndMark) ? { problem: 'a mask on an inline element' } : masked;
}

type Node = XmlElement | string;
const isElement = (node: Node | undefined): node is XmlElement => node !== undefined && typeof node !== 'string';
const isEmpty = ({ children }: XmlElement) => children.length === 0;
const hasTransform = (part: XmlElement) =>
  [part, ...descendants(part)].some(({ attributes }) => attributes.has('transform'));

interface Mark {
  /** Satori's name of the element. */
  readonly id: string;
  readonly index: number;
  /** Its border box. */
  readonly box: Rect;
}

/** The marked elements, in the order of the drawing. */
function marksIn(root: XmlElement): readonly Mark[] {
  return [...descendants(root)].flatMap((mask): Mark[] => {
    const id = mask.attributes.get('id') ?? '';
    if (mask.name !== 'mask' || !id.startsWith('satori_mi-')) return [];
    const stops = [...descendants(mask)].filter(({ name }) => name === 'stop');
    const area = mask.children.findLast((child): child is XmlElement => isElement(child) && child.name === 'rect');
    const at = (name: string) => Number(area?.attributes.get(name) ?? 0);
    const index = Math.round(Number.parseFloat(stops[1]?.attributes.get('offset') ?? '') * 100) - 1;
    const box = { x: at('x'), y: at('y'), width: at('width'), height: at('height') };
    return [{ id: id.slice('satori_mi-'.length), index, box }];
  });
}

const declares = (part: XmlElement, id: string) =>
  [...descendants(part)].some((each) => each.name === 'mask' && each.attributes.get('id') === id);

/** The index after the last part of an element, and its transform. */
function endOf(
  parts: readonly Node[],
  start: number,
  id: string,
): { readonly end: number; readonly transform: string | undefined } {
  for (let at = start; at < parts.length; at += 1) {
    const part = parts[at];
    if (!isElement(part) || part.name !== 'mask') continue;
    const own = part.attributes.get('id') ?? '';
    const next = parts[at + 1];
    const mark = isElement(next) ? [next, ...descendants(next)].find(isEndMark) : undefined;
    if (mark && parentOf(own.slice('satori_om-'.length)) === id) {
      return { end: at + 2, transform: mark.attributes.get('transform') };
    }
  }
  // An element without children: everything with its name.
  const named = new RegExp(`satori_[a-z]+-${id}(?:\\D|$)`);
  let end = start + 1;
  while (end < parts.length && mentions(parts[end], named)) end += 1;
  const shapes = parts
    .slice(start, end)
    .filter(isElement)
    .flatMap((part) => [part, ...descendants(part)]);
  const shape = shapes.find(({ name, attributes }) => /^(image|rect|path)$/.test(name) && attributes.has('transform'));
  return { end, transform: shape?.attributes.get('transform') };
}

const isEndMark = ({ name, attributes }: XmlElement) =>
  name === 'rect' &&
  attributes.get('width') === '1' &&
  new RegExp(`^rgb\\(${RED}, ?\\d+, ?\\d+\\)$`).test(attributes.get('fill') ?? '');

const parentOf = (id: string) => id.slice(0, id.lastIndexOf('-'));

const mentions = (part: Node | undefined, named: RegExp): boolean =>
  isElement(part) &&
  [part, ...descendants(part)].some(({ attributes }) => [...attributes.values()].some((value) => named.test(value)));

/** A part without satori's own mask, and without the mark at the end; clipped as other parts are. */
function unmasked(part: Node, id: string, names: ReadonlySet<string>): Node {
  if (!isElement(part)) return part;
  const attributes = new Map(part.attributes);
  if (attributes.get('mask') === `url(#satori_mi-${id})`) {
    attributes.delete('mask');
    const clip = /^url\(#satori_cp-(.+)\)$/.exec(attributes.get('clip-path') ?? '')?.[1];
    if (clip !== undefined && names.has(`satori_om-${clip}`)) attributes.set('mask', `url(#satori_om-${clip})`);
  }
  const children = part.children
    .filter((child) => !isElement(child) || (!isEndMark(child) && child.attributes.get('id') !== `satori_mi-${id}`))
    .map((child) => unmasked(child, id, names));
  return isEndMark(part) ? '' : { ...part, attributes, children };
}

function maskElement(id: string, children: readonly Node[], box: Rect, transform: string | undefined): XmlElement {
  // Wide enough for the box however it is turned; what the layers leave empty hides.
  const reach = Math.hypot(box.width, box.height) + 10_000;
  const area = { x: `${-reach}`, y: `${-reach}`, width: `${2 * reach + 10_000}`, height: `${2 * reach + 10_000}` };
  const placed = element('g', transform === undefined ? {} : { transform }, children);
  return element('mask', { id, 'mask-type': 'alpha', maskUnits: 'userSpaceOnUse', ...area }, [placed]);
}

function element(name: string, attributes: Readonly<Record<string, string>>, children: readonly Node[]): XmlElement {
  return { name, namespace: '', attributes: new Map(Object.entries(attributes)), children: [...children] };
}

/** Elements with other ids, and references to them. */
function renamed(nodes: readonly Node[], prefix: string): readonly Node[] {
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const attributes = [...node.attributes].map(
      ([name, value]) =>
        [name, name === 'id' ? prefix + value : value.replace(/^url\(#([^)]+)\)$/, `url(#${prefix}$1)`)] as const,
    );
    return { ...node, attributes: new Map(attributes), children: [...renamed(node.children, prefix)] };
  });
}
