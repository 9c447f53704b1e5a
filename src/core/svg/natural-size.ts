// Finds the natural size of an SVG file from the attributes of its root element (CSS Images 3 §5.1), and how a viewBox
// fills a box.

import type { Matrix, Rect, Size } from '../geometry.ts';
import type { OwnFit } from '../resources.ts';

/** The attributes of the root element, by name. */
export interface RootAttributes {
  get(name: string): string | undefined;
}

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
export function parseLength(text: string | undefined): number | null {
  const match = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(text ?? '');
  const unit = UNITS.get(match?.[2]?.toLowerCase() ?? '');
  return match === null || unit === undefined ? null : Number(match[1]) * unit;
}

/** Null when it is absent or empty. */
export function parseViewBox(text: string | undefined): Size | null {
  const numbers = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = numbers;
  return numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0 ? { width, height } : null;
}

/** The size in px: that of the attributes, else of the viewBox, else CSS's 300 × 150. It may have no area. */
export function naturalSizeOf(root: RootAttributes): Size {
  const width = parseLength(root.get('width'));
  const height = parseLength(root.get('height'));
  const box = parseViewBox(root.get('viewBox'));
  if (width !== null && height !== null) return { width, height };
  if (box === null) return { width: width ?? 300, height: height ?? 150 };
  if (width !== null) return { width, height: (width * box.height) / box.width };
  if (height !== null) return { width: (height * box.width) / box.height, height };
  return box;
}

/** Whether a root element says more than its proportions. Without any of its own, a drawing is 300 × 150. */
export function hasOwnSize(root: RootAttributes): boolean {
  const sizes = [parseLength(root.get('width')), parseLength(root.get('height'))];
  return sizes.some((size) => size !== null) || parseViewBox(root.get('viewBox')) === null;
}

/** SVG 2, 8.6; null = it is stretched. */
export function ownFitOf(root: RootAttributes): OwnFit | null {
  if (parseViewBox(root.get('viewBox')) === null)
    return parseLength(root.get('width') ?? root.get('height')) === null ? 'none' : null;
  const align = root.get('preserveAspectRatio')?.trim() ?? '';
  return align.startsWith('none') ? null : align.endsWith('slice') ? 'cover' : 'contain';
}

/** From a viewBox to a box, by `preserveAspectRatio`. */
export function viewBoxMatrix({ attributes }: { readonly attributes: RootAttributes }, box: Rect): Matrix {
  const [x = 0, y = 0, width = 0, height = 0] = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0)) return [1, 0, 0, 1, box.x, box.y];
  let [sx, sy] = [box.width / width, box.height / height];
  const ratio = attributes.get('preserveAspectRatio') ?? '';
  if (!/none/.test(ratio)) sx = sy = /slice/.test(ratio) ? Math.max(sx, sy) : Math.min(sx, sy);
  const share = (word: string) => ({ Min: 0, Mid: 0.5, Max: 1 })[word] ?? 0.5;
  const [, horizontal = 'Mid', vertical = 'Mid'] = /x(Min|Mid|Max)Y(Min|Mid|Max)/.exec(ratio) ?? [];
  const left = box.x + (box.width - width * sx) * share(horizontal);
  const top = box.y + (box.height - height * sy) * share(vertical);
  return [sx, 0, 0, sy, left - x * sx, top - y * sy];
}
