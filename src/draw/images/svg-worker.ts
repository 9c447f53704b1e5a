// The process that reads untrusted SVG files, draws them to pixels, or simplifies them. Its parent kills it when it takes
// too long.
//
// It has one task at a time, and its environment names nothing but the fonts that it may use.

import { AppError } from '#base/errors.ts';
import { hasOwnSize, ownFitOf } from '#core/svg/natural-size.ts';
import { MAX_IMAGE_PIXELS, MAX_SVG_WRITTEN } from './limits.ts';
import { decoded, openImage, openSvg } from './open-image.ts';
import { type EmbeddedImage, sanitizeSvg } from './sanitize-svg.ts';
import type { ReadSvg, SvgAnswer, SvgTask } from './svg-process.ts';
import { framedSvg, naturalSize, writtenSvg } from './svg-size.ts';

async function work(task: SvgTask): Promise<SvgAnswer> {
  try {
    if (task.want === 'read') return { read: await read(task.file) };
    if (task.want === 'pixels') return { pixels: await draw(task.document) };
    const { simplifySvg } = await import('./simplify-svg.ts');
    return { simplified: simplifySvg(task.document) };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.message };
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const draw = (document: string): Promise<Uint8Array> =>
  openSvg(document).ensureAlpha().toColourspace('srgb').raw().toBuffer();

async function read(file: Uint8Array): Promise<ReadSvg> {
  const first = sanitizeSvg(file);
  const size = naturalSize(first.root);
  await checkEmbedded(first.images);
  const pngs = await asPngs(first.images);
  const { root, attributes, body, leftOut } = pngs.size > 0 ? sanitizeSvg(file, pngs) : first;
  const document = writtenSvg(root, attributes, body);
  if (document.length > MAX_SVG_WRITTEN) {
    throw new AppError('invalid_request', 'The SVG file is too large with its styles and pictures in place.');
  }
  const scale = Math.min(1, 64 / Math.max(size.width, size.height));
  const sample = { width: Math.ceil(size.width * scale), height: Math.ceil(size.height * scale) };
  await draw(framedSvg(document, { x: 0, y: 0, ...size }, sample));
  return { ...size, document, hasNoSize: !hasOwnSize(root), ownFit: ownFitOf(root), leftOut };
}

/** Limits the pixels of all embedded pictures together, as for a single image. */
async function checkEmbedded(images: readonly EmbeddedImage[]): Promise<void> {
  let pixels = 0;
  for (const { bytes } of images) {
    const { width, height } = await decoded('SVG file', openImage(bytes).metadata());
    pixels += width * height;
    if (pixels > MAX_IMAGE_PIXELS) {
      const message = `The SVG file embeds more than ${MAX_IMAGE_PIXELS / 1e6} million pixels.`;
      throw new AppError('invalid_request', message);
    }
  }
}

/** PNG files in place of those of formats that librsvg does not read; of a GIF, its first picture. */
async function asPngs(images: readonly EmbeddedImage[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const pngs = new Map<string, Uint8Array>();
  for (const { format, bytes } of images) {
    const key = Buffer.from(bytes).toString('base64');
    if (!/^(gif|avif)$/.test(format) || pngs.has(key)) continue;
    pngs.set(key, await decoded('SVG file', openImage(bytes).toColourspace('srgb').png().toBuffer()));
  }
  return pngs;
}

process.on('message', async (task: SvgTask) => process.send?.(await work(task)));
// The parent process has ended.
process.on('disconnect', () => process.exit());
