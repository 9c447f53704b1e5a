// Opens the SVGs and PDFs that a user inserts: an SVG at its natural size; a grey sheet stands for the page of a PDF.

import { hasOwnSize, naturalSizeOf } from '#core/svg/natural-size.ts';
import type { OpenedPicture } from './core/scene/images.ts';

/** Opens an SVG with the natural size that the server finds. */
export function openSvgFile(bytes: Uint8Array<ArrayBuffer>): OpenedPicture {
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
export function openPaper(bytes: Uint8Array<ArrayBuffer>): OpenedPicture {
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
