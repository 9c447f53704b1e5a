// Reads the attributes of usvg's simplified SVG: numbers, matrices, colours and paths.
//
// usvg's output is regular: lengths are px, colours `#rrggbb`, references `url(#id)`, paths of M, L, C and Z. Anything
// else is a construct that is not supported and throws UnreadableSvg.

import { type Color, parseColor } from '../color.ts';
import { IDENTITY, type Matrix, type Rect } from '../geometry.ts';
import type { PathData } from '../path.ts';
import { parsePathData } from '../path-data.ts';

/** An element as an XML parser returns it. */
export interface SvgElement {
  readonly name: string;
  /** By name; one with a namespace is `{uri}name`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (SvgElement | string)[];
}

/** A drawing that display-list operations cannot express. `message` names the unsupported part, in CSS's terms. */
export class UnreadableSvg extends Error {
  override readonly name = 'UnreadableSvg';
}

/** Begins the id of an element whose stroke keeps its width when the drawing is scaled. */
export const FIXED_STROKE = 'platen-fixed-';

export const elementsIn = ({ children }: SvgElement): readonly SvgElement[] =>
  children.filter((child): child is SvgElement => typeof child !== 'string');

export function numberOf(element: SvgElement, name: string, absent: number): number {
  const text = element.attributes.get(name);
  if (text === undefined) return absent;
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!Number.isFinite(value)) throw new UnreadableSvg(`${name}="${text.slice(0, 40)}"`);
  return value;
}

export function rectOf(element: SvgElement): Rect {
  const [x, y] = [numberOf(element, 'x', 0), numberOf(element, 'y', 0)];
  return { x, y, width: numberOf(element, 'width', 0), height: numberOf(element, 'height', 0) };
}

export function numbersOf(text: string): number[] {
  return text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
}

export function attributeMatrix(element: SvgElement, name: string): Matrix {
  const text = element.attributes.get(name);
  if (text === undefined) return IDENTITY;
  const values = numbersOf(/^matrix\(([^)]*)\)$/.exec(text.trim())?.[1] ?? 'none');
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  if (values.length !== 6 || !values.every(Number.isFinite)) throw new UnreadableSvg(`${name}="${text.slice(0, 40)}"`);
  return [a, b, c, d, e, f];
}

/** The colour of an attribute, with the opacity of another. */
export function colorOf(element: SvgElement, name: string, opacity: string): Color {
  const color = parseColor(element.attributes.get(name) ?? '#000000');
  if (color === null) throw new UnreadableSvg(`the colour "${element.attributes.get(name)?.slice(0, 40)}"`);
  return { ...color, a: color.a * numberOf(element, opacity, 1) };
}

/** The id that `url(#id)` names; null when the attribute is absent or `none`. */
export function referenceOf(element: SvgElement, name: string): string | null {
  return /^url\(#(.+)\)$/.exec(element.attributes.get(name)?.trim() ?? '')?.[1] ?? null;
}

export function pathOf(element: SvgElement): PathData {
  const parsed = parsePathData(element.attributes.get('d') ?? '');
  if ('at' in parsed) throw new UnreadableSvg('a path beyond a million px');
  return parsed.path;
}

/** The elements that others refer to, by their ids. */
export class SvgDefs {
  readonly #byId = new Map<string, SvgElement>();

  constructor(root: SvgElement) {
    for (const defs of elementsIn(root).filter(({ name }) => name === 'defs')) {
      for (const element of elementsIn(defs)) {
        const id = element.attributes.get('id');
        if (id !== undefined) this.#byId.set(id, element);
      }
    }
  }

  get(id: string): SvgElement {
    const element = this.#byId.get(id);
    if (!element) throw new UnreadableSvg(`a reference to nothing (#${id.slice(0, 40)})`);
    return element;
  }
}
