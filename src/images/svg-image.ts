// An SVG file from outside in, a bounded SVG image out; and that image drawn at any size.
//
// The bytes that leave here are the sanitised document with its size in px, so whoever embeds them embeds nothing else.
// Drawing is librsvg's, by way of sharp, in a process that can be killed; resvg never sees a file from outside.

import PQueue from 'p-queue';
import type { Rect, Size } from '#core/geometry.ts';
import { AppError } from '#errors';
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE, MAX_SVG_BYTES } from './limits.ts';
import { decoded, openImage } from './open-image.ts';
import type { Pixels } from './raster.ts';
import { sanitizeSvg } from './sanitize-svg.ts';
import { drawApart } from './svg-process.ts';

function refuse(problem: string): never {
  throw new AppError('invalid_request', `The SVG file ${problem}.`);
}

/** CSS absolute lengths in px. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
};

/** px of a length attribute; null when absent or relative (`100%`, `2em`), which is CSS's `auto` for an image. */
function parseLength(text: string | undefined): number | null {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(text ?? '');
  const unit = UNITS[match?.[2]?.toLowerCase() ?? ''];
  return match === null || unit === undefined ? null : Number(match[1]) * unit;
}

function parseViewBox(text: string | undefined): Size | null {
  const numbers = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0 ? { width, height } : null;
}

/** The natural size of an SVG: its attributes, else its viewBox, else CSS's 300 × 150. */
export function naturalSize(root: ReadonlyMap<string, string>): Size {
  const width = parseLength(root.get('width'));
  const height = parseLength(root.get('height'));
  const box = parseViewBox(root.get('viewBox'));
  if (width !== null && height !== null) return { width, height };
  if (box === null) return { width: width ?? 300, height: height ?? 150 };
  if (width !== null) return { width, height: (width * box.height) / box.width };
  if (height !== null) return { width: (height * box.width) / box.height, height };
  return box;
}

function checkSize({ width, height }: Size): void {
  if (!(width > 0 && height > 0)) refuse('has no area');
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) refuse(`is more than ${MAX_IMAGE_SIDE} px wide or high`);
  if (width * height > MAX_IMAGE_PIXELS) refuse(`has more than ${MAX_IMAGE_PIXELS / 1e6} million pixels`);
}

/** The pictures inside count together, as one image of their own would. */
async function checkEmbedded(images: readonly Uint8Array[]): Promise<void> {
  let pixels = 0;
  for (const bytes of images) {
    const { width, height } = await decoded('SVG file', openImage(bytes).metadata());
    pixels += width * height;
    if (pixels > MAX_IMAGE_PIXELS) refuse(`embeds more than ${MAX_IMAGE_PIXELS / 1e6} million pixels`);
  }
}

/**
 * Checks and sanitises a file, and draws it once to see that it can be drawn.
 *
 * @throws AppError `invalid_request` saying what is wrong with the file
 */
export async function readSvg(file: Uint8Array): Promise<Size & { bytes: Uint8Array; hasNoSize?: true }> {
  if (file.length > MAX_SVG_BYTES) refuse(`is larger than ${MAX_SVG_BYTES / 2 ** 20} MiB`);
  const { root, attributes, body, images } = sanitizeSvg(file);
  const size = naturalSize(root);
  checkSize(size);
  await checkEmbedded(images);

  const kept = ['viewBox', 'preserveAspectRatio']
    .map((name) => ({ name, value: root.get(name) ?? '' }))
    .filter(({ name, value }) => (name === 'viewBox' ? parseViewBox(value) !== null : /^[\w\s]+$/.test(value)))
    .map(({ name, value }) => ` ${name}="${value.trim()}"`)
    .join('');
  const document = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"${kept}${attributes}>${body}</svg>`;
  const bytes = Buffer.from(document);
  const scale = Math.min(1, 64 / Math.max(size.width, size.height));
  const sample = { width: Math.ceil(size.width * scale), height: Math.ceil(size.height * scale) };
  await drawSvg(bytes, { x: 0, y: 0, ...size }, sample);
  const isSized = parseLength(root.get('width')) !== null && parseLength(root.get('height')) !== null;
  return { ...size, bytes, ...(isSized ? {} : { hasNoSize: true }) };
}

/** Drawings under way, each in a process of its own. */
const lane = new PQueue({ concurrency: 2 });
/** ms that a drawing may wait for its turn. */
const MAX_WAIT = 20_000;

function drawInTurn(document: string, size: Size): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const patience = AbortSignal.timeout(MAX_WAIT);
  const giveUp = () => reject(new AppError('overloaded', 'Too many SVG images are waiting to be drawn.'));
  patience.addEventListener('abort', giveUp, { once: true });
  const drawing = lane.add(async () => {
    patience.removeEventListener('abort', giveUp);
    if (patience.aborted) return;
    await drawApart(document, size).then(resolve, reject);
  });
  drawing.catch(reject);
  return promise;
}

/**
 * Draws the `source` part (px of its natural size) of a document from `readSvg` at exactly `size` device px: nothing
 * is resampled, so an SVG is sharp at every scale.
 *
 * @throws AppError `invalid_request` when it cannot be drawn in time, `overloaded` when too many others are drawn
 */
export async function drawSvg(bytes: Uint8Array, source: Rect, size: Size): Promise<Pixels> {
  const document =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width * 0.75}" height="${size.height * 0.75}" ` +
    `viewBox="${source.x} ${source.y} ${source.width} ${source.height}" preserveAspectRatio="none">` +
    `${Buffer.from(bytes).toString()}</svg>`;
  return { ...size, channels: 4, data: await decoded('SVG file', drawInTurn(document, size)) };
}
