// Decodes pictures in the browser: a `blob:` URL of each, and the facts that layout needs.

import { sniffFormat } from '#core/sniff.ts';
import { hasOwnSize, naturalSizeOf } from '#core/svg/natural-size.ts';
import type { OpenedPicture, PictureOpener } from './core/scene/images.ts';

export const browserPictures: PictureOpener = {
  async open(bytes) {
    const format = sniffFormat(bytes);
    if (format === null) throw new Error('It is not a PNG, JPEG, WebP, GIF, AVIF or SVG picture, nor a PDF.');
    if (format === 'svg') return openSvg(bytes);
    if (format === 'pdf') return openPaper(bytes);
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

/** Opens an SVG with the natural size that the server finds. */
function openSvg(bytes: Uint8Array<ArrayBuffer>): OpenedPicture {
  const text = new TextDecoder().decode(bytes);
  const root = /<(?:[\w.-]+:)?svg\b([^<>]*)>/.exec(text);
  const attributes = {
    get: (name: string) =>
      new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
        .exec(root?.[1] ?? '')
        ?.slice(1)
        .find((value) => value !== undefined),
  };
  const size = naturalSizeOf(attributes);
  // A browser gives an SVG without a size that of its box, so the size is written into the file.
  const opening = root?.[0] ?? '';
  const bare = opening.replace(/\s(width|height)\s*=\s*("[^"]*"|'[^']*')/g, '');
  const sized = text.replace(opening, bare.replace(/(\/?>)$/, ` width="${size.width}" height="${size.height}"$1`));
  const blob = new Blob([sized], { type: 'image/svg+xml' });
  const address = URL.createObjectURL(blob);
  return {
    ...size,
    format: 'svg',
    bytes,
    hasAlpha: true,
    address,
    ...(hasOwnSize(attributes) ? {} : { hasNoSize: true }),
  };
}

/** A4, px. */
const A4 = { width: (210 / 25.4) * 96, height: (297 / 25.4) * 96 };
const POINTS_PER_PIXEL = 0.75;

/** Browsers give pages no picture of a PDF: a sheet of its size stands for it. */
function openPaper(bytes: Uint8Array<ArrayBuffer>): OpenedPicture {
  // The server reads what is compressed, too.
  const box = /\/MediaBox ?\[ ?(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+)/.exec(
    new TextDecoder('latin1').decode(bytes),
  );
  const [left, bottom, right, top] = (box?.slice(1) ?? []).map((side) => Number(side) / POINTS_PER_PIXEL);
  const own = { width: Number(right) - Number(left), height: Number(top) - Number(bottom) };
  const { width, height } = own.width > 0 && own.height > 0 ? own : A4;
  const size = Math.min(width, height) / 8;
  const sheet = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#888" fill-opacity=".12"/><text x="50%" y="50%" font-family="sans-serif" font-size="${size}" fill="#888" fill-opacity=".5" text-anchor="middle" dominant-baseline="middle">PDF</text></svg>`;
  const address = URL.createObjectURL(new Blob([sheet], { type: 'image/svg+xml' }));
  return { format: 'pdf', bytes, width, height, hasAlpha: true, address };
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
