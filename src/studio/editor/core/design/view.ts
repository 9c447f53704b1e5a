// What the canvas shows of a design: one of its sizes, one of its languages.

import { patchFor } from '#core/resolve/modify-layer.ts';
import type { LayerType } from '#core/template/layer.ts';
import type { Fields, RawLayer } from '../document/document.ts';

export interface View {
  /** A name of `sizes`; null = the template's own canvas. */
  readonly size: string | null;
  /** BCP 47; null = as the template is written. */
  readonly lang: string | null;
}

export const OWN_VIEW: View = { size: null, lang: null };

export const isOwn = ({ size, lang }: View): boolean => size === null && lang === null;

/** A modification as the properties that it sets. */
export const patchOf = (layer: RawLayer, change: unknown): Fields =>
  patchFor({ type: layer.type as LayerType, spans: layer.spans }, change) ?? {};
