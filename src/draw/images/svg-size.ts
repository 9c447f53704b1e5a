// Limits the natural size of an SVG file, and writes its sanitised parts as a document of that size in px.

import { AppError } from '#base/errors.ts';
import type { Rect, Size } from '#core/geometry.ts';
import { naturalSizeOf, parseViewBox } from '#core/svg/natural-size.ts';
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from './limits.ts';

/**
 * The natural size of an SVG: its attributes, else its viewBox, else CSS's 300 × 150.
 *
 * @throws AppError `invalid_request` when it has no area or more than an image may have
 */
export function naturalSize(root: ReadonlyMap<string, string>): Size {
  const size = naturalSizeOf(root);
  checkSize(size);
  return size;
}

function refuse(problem: string): never {
  throw new AppError('invalid_request', `The SVG file ${problem}.`);
}

function checkSize({ width, height }: Size): void {
  if (!(width > 0 && height > 0)) refuse('has no area');
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) refuse(`is more than ${MAX_IMAGE_SIDE} px wide or high`);
  if (width * height > MAX_IMAGE_PIXELS) refuse(`has more than ${MAX_IMAGE_PIXELS / 1e6} million pixels`);
}

/**
 * Writes a document with an explicit size.
 *
 * @param attributes further attributes of the root, each with a leading space
 * @throws AppError `invalid_request` when it has no area or more than an image may have
 */
export function writtenSvg(root: ReadonlyMap<string, string>, attributes: string, body: string): string {
  const { width, height } = naturalSize(root);
  const kept = ['viewBox', 'preserveAspectRatio']
    .map((name) => ({ name, value: root.get(name) ?? '' }))
    .filter(({ name, value }) => (name === 'viewBox' ? parseViewBox(value) !== null : /^[\w\s]+$/.test(value)))
    .map(({ name, value }) => ` ${name}="${value.trim()}"`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"${kept}${attributes}>${body}</svg>`;
}

/** A document that shows the `source` part (px) of another one at `size` device px, as librsvg counts them (open-image.ts). */
export function framedSvg(document: string, source: Rect, size: Size): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width * 0.75}" height="${size.height * 0.75}" ` +
    `viewBox="${source.x} ${source.y} ${source.width} ${source.height}" preserveAspectRatio="none">${document}</svg>`
  );
}
