// Wraps resvg-wasm: simplifies satori's drawing to plain paths, and draws SVG files to pixels. It loads no font and
// opens no file.

import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import type { DecodedPicture } from '../decode-picture.ts';
import { MAX_EDGE_PIXELS } from '../image-header.ts';
import { wasmFile } from '../wasm-files.ts';

let started: Promise<void> | null = null;

/** Loads the module; the functions below must wait for it. */
export function startResvg(): Promise<void> {
  started ??= wasmFile('resvg').then((module) => initWasm(module));
  return started;
}

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

/** usvg's simplified SVG: no CSS, no units, no inheritance, shapes as paths. @throws Error when it is not SVG */
export function simplifySvg(svg: string): string {
  const drawing = new Resvg(svg, { font: { loadSystemFonts: false } });
  const simplified = drawing.toString();
  drawing.free();
  // usvg omits the prefix declaration when images occur only in patterns.
  return simplified.includes('xmlns:xlink') ? simplified : simplified.replace('<svg ', `<svg ${XLINK} `);
}

/** The natural size of an SVG file. @throws AppError `invalid_request` when it is not SVG */
export function svgSize(svg: Uint8Array): Size {
  const drawing = opened(svg, {});
  const { width, height } = drawing;
  drawing.free();
  return { width, height };
}

/**
 * Draws an SVG file at the given width, in its own proportions; if that has too many pixels, as where a high drawing is
 * squashed, at the given height.
 *
 * @throws AppError `invalid_request` when both are too large, or it is not SVG
 */
export async function drawSvg(svg: Uint8Array, size: Size): Promise<DecodedPicture> {
  await startResvg();
  const natural = svgSize(svg);
  const byWidth = size.width * Math.ceil((size.width * natural.height) / natural.width);
  const byHeight = size.height * Math.ceil((size.height * natural.width) / natural.height);
  const isTooHigh = byWidth > MAX_EDGE_PIXELS;
  if (isTooHigh && !(byHeight <= MAX_EDGE_PIXELS)) {
    throw new AppError('invalid_request', 'An SVG image would be drawn too large.');
  }
  const fitTo = isTooHigh
    ? { mode: 'height' as const, value: size.height }
    : { mode: 'width' as const, value: size.width };
  const drawing = opened(svg, { fitTo });
  const drawn = drawing.render();
  const { width, height } = drawn;
  const data = straight(Uint8Array.from(drawn.pixels));
  drawn.free();
  drawing.free();
  return { width, height, data };
}

function opened(svg: Uint8Array, options: ConstructorParameters<typeof Resvg>[1]): InstanceType<typeof Resvg> {
  try {
    return new Resvg(svg, { ...options, font: { loadSystemFonts: false } });
  } catch (cause) {
    throw new AppError('invalid_request', 'The SVG file is damaged.', { cause });
  }
}

/** Unpremultiplies colours. */
function straight(pixels: Uint8Array): Uint8Array {
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = i; c < i + 3; c++) pixels[c] = Math.min(255, Math.round(((pixels[c] ?? 0) * 255) / alpha));
  }
  return pixels;
}
