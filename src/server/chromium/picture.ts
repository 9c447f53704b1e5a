// Takes screenshots of an area. Larger areas are taken in strips, because of Chromium's limit on texture size, and so are
// those that Chromium does not encode: AVIF, and JPEG with a colour for each pixel.

import type { CDPSession } from 'puppeteer-core';
import { AppError } from '#base/errors.ts';
import type { Rect, Size } from '#core/geometry.ts';
import { type ChromaSubsampling, chromaOf } from '#draw/encoders/chroma.ts';
import { MAX_ENCODED_SIDE, type RasterFormat } from '#draw/encoders/encode.ts';
import { stitch } from '#draw/encoders/stitch.ts';
import { watermarkOverlays } from './mark-page.ts';

export interface PictureOptions {
  /** Device px per CSS px, as the page's viewport has it. */
  readonly scale: number;
  readonly format: RasterFormat;
  /** 0 to 100, for JPEG, WebP and AVIF. */
  readonly quality: number;
  /** Of JPEG; absent = as the quality asks for. */
  readonly chromaSubsampling?: ChromaSubsampling | undefined;
  /** Transparent where the page paints nothing; JPEG has no transparency. */
  readonly omitBackground: boolean;
  /** Whether it is marked as that of a test key. */
  readonly watermark: boolean;
}

/** Maximum device px of one picture. */
const MAX_PIXELS = 120_000_000;
/** Maximum device px of a strip, and its maximum height. */
const STRIP_PIXELS = 16_000_000;
const STRIP_HEIGHT = 8_000;

/**
 * @param remedy what makes the picture smaller
 * @throws AppError `invalid_request` when the picture of the area would be too large
 */
export function checkArea({ width, height }: Size, scale: number, format: RasterFormat, remedy: string): void {
  const [wide, high] = [width * scale, height * scale].map(Math.round) as [number, number];
  const side = MAX_ENCODED_SIDE[format];
  const most =
    wide * high > MAX_PIXELS
      ? `a capture may have at most ${MAX_PIXELS / 1e6} million px`
      : Math.max(wide, high) > side
        ? `a ${format} image can be at most ${side} px a side`
        : null;
  if (most === null) return;
  throw new AppError('invalid_request', `The picture would be ${wide} × ${high} px; ${most}. ${remedy}`);
}

export async function takePicture(cdp: CDPSession, area: Rect, options: PictureOptions): Promise<Uint8Array> {
  const { scale, format, quality, chromaSubsampling, omitBackground, watermark } = options;
  if (omitBackground && format !== 'jpeg') {
    await cdp.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
  }
  const isShown = await isInView(cdp, area);
  const height = stripHeight(area.width, scale);
  const isOurs = format === 'avif' || (format === 'jpeg' && chromaOf(quality, chromaSubsampling) === '4:4:4');
  if (area.height <= height && !isOurs && !watermark) {
    return shoot(cdp, area, isShown, { format, ...(format === 'png' ? {} : { quality: Math.round(quality) }) });
  }
  const strips: { png: Uint8Array; height: number }[] = [];
  for (let top = 0; top < area.height; top += height) {
    const strip = { ...area, y: area.y + top, height: Math.min(height, area.height - top) };
    const png = await shoot(cdp, strip, isShown, { format: 'png', optimizeForSpeed: true });
    strips.push({ png, height: heightOf(png) });
  }
  const width = widthOf(strips[0]?.png ?? new Uint8Array());
  const over = watermark ? watermarkOverlays(area, width) : [];
  return stitch(strips, width, format, { quality, chromaSubsampling }, over);
}

/**
 * Whether the area is in the viewport. Chromium can also draw what is beyond it without laying the page out anew, but
 * forgets the generic families meanwhile (156).
 */
async function isInView(cdp: CDPSession, area: Rect): Promise<boolean> {
  const { cssVisualViewport: view } = await cdp.send('Page.getLayoutMetrics');
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  const isScrolled = view.pageX !== 0 || view.pageY !== 0;
  return !isScrolled && right <= Math.round(view.clientWidth) && bottom <= Math.round(view.clientHeight);
}

async function shoot(
  cdp: CDPSession,
  clip: Rect,
  isShown: boolean,
  encoding: { format: Exclude<RasterFormat, 'avif'>; quality?: number; optimizeForSpeed?: boolean },
): Promise<Uint8Array> {
  const { data } = await cdp.send('Page.captureScreenshot', {
    ...encoding,
    clip: { ...clip, scale: 1 },
    captureBeyondViewport: !isShown,
  });
  return Buffer.from(data, 'base64');
}

/** Height of a strip in CSS px: as large as possible, while ending as near as possible to a whole device px. */
function stripHeight(width: number, scale: number): number {
  const most = Math.max(1, Math.floor(Math.min(STRIP_HEIGHT / scale, STRIP_PIXELS / (width * scale * scale))));
  let best = most;
  const excess = (height: number) => Math.abs(height * scale - Math.round(height * scale));
  for (let height = most; height > Math.max(1, most - 1_000); height -= 1) {
    if (excess(height) < excess(best) - 1e-9) best = height;
  }
  return best;
}

// A PNG begins with its header chunk: the size is at bytes 16 and 20.
const widthOf = (png: Uint8Array) => Buffer.from(png.buffer, png.byteOffset, png.length).readUInt32BE(16);
const heightOf = (png: Uint8Array) => Buffer.from(png.buffer, png.byteOffset, png.length).readUInt32BE(20);
