// Finds the pictures that elements of a page show. Satori lays out a placeholder for each: the header of a PNG
// with the picture's size.

import { base64Of } from '#base/runtime.ts';
import { type CssElement, isElement } from '#core/css/selectors.ts';
import type { Size } from '#core/geometry.ts';
import { chunk } from '#draw/encoders/png/chunk.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A PNG without pixels: layout reads only its header. `index` makes its bytes unique. */
export function imagePlaceholder({ width, height }: Size, index: number): string {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  // Satori reads sixteen bits of each; no larger picture is allowed.
  view.setUint32(0, Math.max(1, Math.round(width)));
  view.setUint32(4, Math.max(1, Math.round(height)));
  header.set([8, 6, 0, 0, 0], 8);
  const name = new TextEncoder().encode(`platen\0image-${index}`);
  const parts = [chunk('IHDR', header), chunk('tEXt', name), chunk('IEND', new Uint8Array(0))];
  const png = Uint8Array.from([...SIGNATURE, ...parts.flatMap((part) => [...part])]);
  return `data:image/png;base64,${base64Of(png)}`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function written({ name, attributes, children }: CssElement): string {
  const all = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
  const inside = children.map((child) => (isElement(child) ? written(child) : escaped(child))).join('');
  return `<${name}${all}>${inside}</${name}>`;
}

/** @returns the address, a `data:` URI for a drawing in the page, or null where nothing is drawn */
export function pictureOf(element: CssElement): string | null {
  const { name, attributes } = element;
  const source = attributes.get('src')?.trim() ?? '';
  if (name === 'img') return source === '' ? null : source;
  if (name === 'video') return attributes.get('poster') ?? null;
  if (name !== 'svg') return null;
  const own = new Map(attributes);
  own.set('xmlns', 'http://www.w3.org/2000/svg');
  if (!own.has('xmlns:xlink')) own.set('xmlns:xlink', 'http://www.w3.org/1999/xlink');
  return `data:image/svg+xml,${encodeURIComponent(written({ ...element, attributes: own }))}`;
}
