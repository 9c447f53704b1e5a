// Puts the watermark of a test key over what Chromium has drawn, where no style of the page can take it away.

import type { Size } from '#core/geometry.ts';
import { type Watermark, watermarkOf } from '#core/paint/watermark.ts';
import { pathString } from '#core/svg/syntax.ts';

export interface Overlay {
  /** SVG as wide as the picture. */
  readonly input: Buffer;
  /** Device px from the top of the picture. */
  readonly top: number;
}

/**
 * The lines of the watermark over a picture.
 *
 * @param size CSS px
 * @param width device px
 */
export function watermarkOverlays(size: Size, width: number): readonly Overlay[] {
  const { path, tops, strokes } = watermarkOf(size);
  const scale = width / size.width;
  const edge = strokes[0]?.width ?? 0;
  // The letters are half as high again as the space around them.
  const high = Math.ceil(edge * 5 * scale);
  const paths = strokes.map(
    (stroke) =>
      `<path d="${pathString(path)}" fill="none" stroke="rgb(${stroke.grey},${stroke.grey},${stroke.grey})" stroke-opacity="${stroke.opacity}" stroke-width="${stroke.width}" stroke-linecap="round" stroke-linejoin="round"/>`,
  );
  const box = `0 ${-edge} ${size.width} ${high / scale}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${high}" viewBox="${box}">${paths.join('')}</svg>`;
  return tops.map((top) => ({ input: Buffer.from(svg), top: Math.max(0, Math.round((top - edge) * scale)) }));
}

/** The operators that draw it on a page of a PDF. @param box `/MediaBox`, points */
export function watermarkContent([left, bottom, right, top]: readonly [number, number, number, number]): string {
  const mark: Watermark = watermarkOf({ width: right - left, height: top - bottom });
  const n = (value: number) => String(Number(value.toFixed(3)));
  const path = mark.path
    .map((segment) =>
      segment[0] === 'M' || segment[0] === 'L' ? `${n(segment[1])} ${n(segment[2])} ${segment[0].toLowerCase()}` : '',
    )
    .join(' ');
  const strokes = mark.strokes.map(({ grey, width }) => `${n(grey / 255)} G ${n(width)} w ${path} S`).join('\n');
  return mark.tops.map((line) => `q 1 0 0 -1 ${n(left)} ${n(top - line)} cm 1 J 1 j\n${strokes}\nQ`).join('\n');
}
