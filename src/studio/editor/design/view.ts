// What the canvas shows of a design: one of its sizes, one of its languages.

import type { RawDocument, RawLayer } from '../document/document.ts';
import type { Fields } from './merge-patch.ts';

export interface View {
  /** A name of `sizes`; null = the template's own canvas. */
  readonly size: string | null;
  /** BCP 47; null = as the template is written. */
  readonly lang: string | null;
}

export const OWN_VIEW: View = { size: null, lang: null };

export const isOwn = ({ size, lang }: View): boolean => size === null && lang === null;

export interface RawSize {
  readonly width: number;
  readonly height: number;
  readonly changes?: Fields;
}
export type RawSizes = Readonly<Record<string, RawSize>>;
export type RawTexts = Readonly<Record<string, Fields>>;

export const sizesOf = (document: RawDocument): RawSizes => (document.sizes ?? {}) as RawSizes;
export const textsOf = (document: RawDocument): RawTexts => (document.texts ?? {}) as RawTexts;

/** The property that a plain value of a modification sets, by type of layer. */
const PRIMARY: Readonly<Record<string, string>> = {
  ...{ text: 'text', image: 'src', shape: 'fill', qr: 'value', barcode: 'value', table: 'rows' },
};

/** A modification as the properties that it sets. */
export function patchOf(layer: RawLayer, change: unknown): Fields {
  if (typeof change === 'boolean') return { visible: change };
  if (typeof change === 'string' || typeof change === 'number')
    return { [PRIMARY[layer.type] ?? 'text']: String(change) };
  const patch = typeof change === 'object' && change !== null ? (change as Fields) : {};
  // Plain text replaces styled words, as in a request.
  const isPlain = layer.type === 'text' && layer.spans !== undefined && 'text' in patch && !('spans' in patch);
  return isPlain ? { ...patch, spans: null } : patch;
}
