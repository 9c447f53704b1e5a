// Decodes pictures in the browser: a `blob:` URL of each, and the facts that layout needs. What opens SVGs and PDFs is loaded
// with the first.

import { sniffFormat } from '#core/sniff.ts';
import type { PictureOpener } from './core/scene/images.ts';

export const browserPictures: PictureOpener = {
  async open(bytes) {
    const format = sniffFormat(bytes);
    if (format === null) throw new Error('It is not a PNG, JPEG, WebP, GIF, AVIF or SVG picture, nor a PDF.');
    if (format === 'svg') return (await import('./open-svg.ts')).openSvgFile(bytes);
    if (format === 'pdf') return (await import('./open-svg.ts')).openPaper(bytes);
    const blob = new Blob([bytes], { type: `image/${format}` });
    const bitmap = await createImageBitmap(blob).catch(() => {
      throw new Error('The file is damaged: this browser cannot decode it.');
    });
    const { width, height } = bitmap;
    const hasAlpha = format !== 'jpeg' && isTranslucent(bitmap);
    bitmap.close();
    return { format, bytes, width, height, hasAlpha, address: URL.createObjectURL(blob) };
  },
  release: (address) => URL.revokeObjectURL(address),
};

function isTranslucent(bitmap: ImageBitmap): boolean {
  const side = 256;
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return true;
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 255) < 255) return true;
  return false;
}

/** The bytes of a `data:` URL. @throws Error */
export function dataUriBytes(uri: string): Uint8Array<ArrayBuffer> {
  const comma = uri.indexOf(',');
  const [head, body] = [uri.slice(5, comma), uri.slice(comma + 1)];
  if (comma < 0) throw new Error('The data: address has no comma.');
  if (!/;\s*base64\s*$/i.test(head)) return new TextEncoder().encode(decodeURIComponent(body));
  const text = atob(decodeURIComponent(body).replace(/\s+/g, ''));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
