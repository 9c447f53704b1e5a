// What elements of a page show as a picture: its address, or a drawing of its own.

import { type CssElement, isElement } from '#core/css/selectors.ts';

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
