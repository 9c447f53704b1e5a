// Finds the natural size of an SVG file, and writes its sanitised parts as a document of that size in px.

import type { Size } from '#core/geometry.ts';
import { AppError } from '#errors';
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from './limits.ts';

/** CSS absolute lengths in px. */
const UNITS = new Map(
  Object.entries({
    '': 1,
    px: 1,
    pt: 96 / 72,
    pc: 16,
    in: 96,
    cm: 96 / 2.54,
    mm: 96 / 25.4,
    q: 96 / 101.6,
  }),
);

/** px of a length attribute; null when absent or relative (`100%`, `2em`), which is CSS's `auto` for an image. */
function parseLength(text: string | undefined): number | null {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(text ?? '');
  const unit = UNITS.get(match?.[2]?.toLowerCase() ?? '');
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

/**
 * The natural size of an SVG: its attributes, else its viewBox, else CSS's 300 × 150.
 *
 * @throws AppError `invalid_request` when it has no area or more than an image may have
 */
export function naturalSize(root: ReadonlyMap<string, string>): Size {
  const size = sizeOf(root);
  checkSize(size);
  return size;
}

function sizeOf(root: ReadonlyMap<string, string>): Size {
  const width = parseLength(root.get('width'));
  const height = parseLength(root.get('height'));
  const box = parseViewBox(root.get('viewBox'));
  if (width !== null && height !== null) return { width, height };
  if (box === null) return { width: width ?? 300, height: height ?? 150 };
  if (width !== null) return { width, height: (width * box.height) / box.width };
  if (height !== null) return { width: (height * box.width) / box.height, height };
  return box;
}

function refuse(problem: string): never {
  throw new AppError('invalid_request', `The SVG file ${problem}.`);
}

function checkSize({ width, height }: Size): void {
  if (!(width > 0 && height > 0)) refuse('has no area');
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) refuse(`is more than ${MAX_IMAGE_SIDE} px wide or high`);
  if (width * height > MAX_IMAGE_PIXELS) refuse(`has more than ${MAX_IMAGE_PIXELS / 1e6} million pixels`);
}

/** Whether a root element has an absolute width and height. */
export function hasOwnSize(root: ReadonlyMap<string, string>): boolean {
  return parseLength(root.get('width')) !== null && parseLength(root.get('height')) !== null;
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
