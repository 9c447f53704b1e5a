// Wraps sharp: opens encoded bytes as a pipeline with limits.
//
// Only the six formats of sniff.ts can be decoded: every other loader of libvips is disabled, including those that open
// files. Each pipeline reads only the first frame, rotates it upright, and has a time limit.

import { createRequire } from 'node:module';
import type sharpModule from 'sharp';
import type { Sharp } from 'sharp';
import { AppError } from '#base/errors.ts';
import { sniffFormat } from '#core/sniff.ts';
import { DECODE_SECONDS, MAX_IMAGE_PIXELS, SCALE_SECONDS } from './limits.ts';

let loaded: typeof sharpModule | null = null;

/** The library, loaded on first use, because templates without pictures do not need it. */
export function sharpLibrary(): typeof sharpModule {
  loaded ??= restricted(createRequire(import.meta.url)('sharp') as typeof sharpModule);
  return loaded;
}

function restricted(sharp: typeof sharpModule): typeof sharpModule {
  sharp.cache(false);
  // VIPS_BLOCK_UNTRUSTED is not enough: it refuses SVG and still loads TIFF and files.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Svg'].map((loader) => `VipsForeignLoad${loader}Buffer`),
  });
  return sharp;
}

/** Opens a raster file that `sniffFormat` recognised. */
export function openImage(bytes: Uint8Array, seconds = DECODE_SECONDS): Sharp {
  return sharpLibrary()(withoutTexts(bytes), {
    autoOrient: true,
    failOn: 'error',
    limitInputPixels: MAX_IMAGE_PIXELS,
    limitInputChannels: 5,
    sequentialRead: true,
    unlimited: false,
  }).timeout({ seconds });
}

/** Chunks of PNG with texts. */
const TEXTS = ['tEXt', 'zTXt', 'iTXt'];

/**
 * A PNG file without its texts: no picture needs them, and libpng unpacks each to megabytes. Any other file as it is.
 * W3C PNG, section 5.3: length, type, data and checksum of a chunk.
 */
function withoutTexts(bytes: Uint8Array): Uint8Array {
  if (sniffFormat(bytes) !== 'png') return bytes;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = 8; at + 8 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    if (TEXTS.includes(file.toString('latin1', at + 4, at + 8))) {
      kept.push(file.subarray(from, at));
      from = end;
    }
    at = end;
  }
  return from === 0 ? bytes : Buffer.concat([...kept, file.subarray(from)]);
}

/** Opens pixels that are already in memory. */
export function openPixels(
  data: Uint8Array,
  raw: { width: number; height: number; channels: 3 | 4; premultiplied?: boolean },
): Sharp {
  return sharpLibrary()(data, { raw, limitInputPixels: false }).timeout({ seconds: SCALE_SECONDS });
}

/** Opens an SVG document written by Platen or by `sanitizeSvg`, at 96 px per inch. Its process is ended in time. */
export function openSvg(document: string): Sharp {
  return sharpLibrary()(Buffer.from(document), {
    // libvips multiplies a drawing's size by density / 72; therefore `drawSvg` writes sizes in points.
    density: 96,
    limitInputPixels: false,
    unlimited: false,
  });
}

/** Whether libvips ended a pipeline at its time limit. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && /\btimeout\b/.test(error.message);

/**
 * Awaits a pipeline on a file called `what` ("PNG file").
 *
 * @throws AppError `invalid_request` with a public sentence; libvips's message is in `cause`
 */
export async function decoded<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const reason = cause instanceof Error ? cause.message : '';
    // The original error may come last in the message, after its consequences.
    const message = isTimeout(cause)
      ? `The ${what} takes too long to decode.`
      : /\bmemory\b/i.test(reason)
        ? `The ${what} takes more memory than it may to decode.`
        : reason.includes('exceeds pixel limit')
          ? `The ${what} has more than ${MAX_IMAGE_PIXELS / 1e6} million pixels.`
          : `The ${what} is damaged.`;
    throw new AppError('invalid_request', message, { cause });
  }
}
