// Encodes a raster at the edge, on the current thread. The encoders of JPEG and WebP are loaded when they are first asked
// for.

import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import { runToEnd } from '#core/steps.ts';
import { CHROMA_SUBSAMPLINGS, type ChromaSubsampling, chromaOf } from '#draw/encoders/chroma.ts';
import { assemblePng } from '#draw/encoders/png/assemble.ts';
import { type Band, BandEncoder } from '#draw/encoders/png/band-encoder.ts';
import { indexRaster } from '#draw/encoders/png/palette.ts';
import { returnPixels } from '#draw/images/pixel-pool.ts';
import type { Raster } from '#draw/images/raster.ts';
import { CONTENT_TYPE, type FileOptions } from '#draw/output/formats.ts';
import { prepareWasm } from '#draw/platform/load-wasm.ts';
import { wasmFile } from './wasm-files.ts';

/** The formats that are written at the edge. */
const EDGE_OUTPUTS = ['png', 'jpeg', 'webp', 'pdf'] as const;
export type EdgeOutput = (typeof EDGE_OUTPUTS)[number];
export type PictureOutput = Exclude<EdgeOutput, 'pdf'>;

type Optional<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };
/** All options of a file but those of scaling, and those that only a server has. */
type EncoderOptions = Omit<FileOptions, 'scale' | 'compression' | 'page' | 'paged' | 'pdf'>;

export interface EdgeEncodeOptions extends Optional<EncoderOptions> {
  /** Default: `png`. */
  readonly output?: EdgeOutput | undefined;
  /** JPEG and WebP, 1 to 100. Default: 80. */
  readonly quality?: number | undefined;
}

/** What is asked for, and its media type. */
export interface Encoding extends Required<EncoderOptions> {
  readonly output: EdgeOutput;
  readonly chromaSubsampling: ChromaSubsampling;
  readonly type: string;
}

/** Fills in defaults. @param name of the option in messages @throws AppError `invalid_request` */
export function checkedOptions(options: EdgeEncodeOptions, name = 'output'): Encoding {
  const { output = 'png', quality = 80, chromaSubsampling: asked } = options;
  if (!EDGE_OUTPUTS.includes(output)) {
    const choices = EDGE_OUTPUTS.map((one) => JSON.stringify(one)).join(', ');
    throw new AppError('invalid_request', `${name}: must be one of ${choices}; a server writes AVIF too.`);
  }
  if (!(quality >= 1 && quality <= 100)) throw new AppError('invalid_request', 'quality: must be from 1 to 100.');
  if (asked !== undefined && !CHROMA_SUBSAMPLINGS.includes(asked)) {
    throw new AppError('invalid_request', 'chromaSubsampling: must be "4:4:4" or "4:2:0".');
  }
  return { output, quality, chromaSubsampling: chromaOf(quality, asked), type: CONTENT_TYPE[output] };
}

/** @throws AppError `invalid_request` when the picture has too much detail for a WebP */
export async function encodePicture(
  raster: Raster,
  output: PictureOutput,
  { quality, chromaSubsampling }: Pick<Encoding, 'quality' | 'chromaSubsampling'>,
): Promise<Uint8Array> {
  if (output === 'png') return encodePng(raster);
  return output === 'jpeg'
    ? encodeJpegPixels(onWhite(raster), raster, quality, chromaSubsampling)
    : encodeWebp(raster, quality);
}

let jpeg: Promise<typeof import('@jsquash/jpeg/encode.js')['default']> | null = null;

async function startJpeg() {
  const [{ default: encode, init }, module] = await Promise.all([
    import('@jsquash/jpeg/encode.js'),
    wasmFile('encode-jpeg'),
  ]);
  await init(module);
  return encode;
}

/** @param rgba opaque pixels */
export async function encodeJpegPixels(
  rgba: Uint8ClampedArray,
  { width, height }: Size,
  quality: number,
  chroma: ChromaSubsampling,
): Promise<Uint8Array> {
  jpeg ??= startJpeg();
  const encode = await jpeg.catch((error: unknown) => {
    jpeg = null;
    throw error;
  });
  const picture = { data: rgba, width, height, colorSpace: 'srgb' } as ImageData;
  // With the tables of the server's encoder (ISO/IEC 10918-1, Annex K), and not progressive, whose search takes five times
  // as long.
  const options = {
    ...{ quality: Math.round(quality), progressive: false, quant_table: 0 },
    ...{ auto_subsample: false, chroma_subsample: chroma === '4:4:4' ? 1 : 2 },
  };
  return new Uint8Array(await encode(picture, options));
}

/** JPEG has no alpha: the picture over white, RGBA. */
function onWhite({ pixels }: Raster): Uint8ClampedArray {
  const opaque = new Uint8ClampedArray(pixels);
  for (let at = 3; at < opaque.length; at += 4) {
    const rest = 255 - (opaque[at] ?? 0);
    if (rest === 0) continue;
    for (let channel = at - 3; channel < at; channel++) opaque[channel] = (opaque[channel] ?? 0) + rest;
    opaque[at] = 255;
  }
  return opaque;
}

/** With the server's encoder, and so the same bytes. */
async function encodeWebp(raster: Raster, quality: number): Promise<Uint8Array> {
  await prepareWasm('draw/encoders/webp/kernels.wasm');
  const { encodeOpaque, encodeWithAlpha } = await import('#draw/encoders/webp/encode-alone.ts');
  const level = Math.max(1, Math.round(quality));
  const file = runToEnd(encodeOpaque(raster, level)) ?? runToEnd(encodeWithAlpha(raster, level));
  if (file) return file;
  throw new AppError('invalid_request', 'A webp image cannot hold so much detail; choose png or jpeg.');
}

// Encodes a raster as PNG on the current thread, with the same bands, and so the same bytes, as the server's threads.

function encodePng(raster: Raster): Uint8Array {
  const indexed = runToEnd(indexRaster(raster));
  if (indexed) {
    const file = assemblePng(indexed, 'indices', bandsOf(new BandEncoder(indexed, 'indices')) ?? []);
    returnPixels(indexed.indices);
    return file;
  }
  const bands = bandsOf(new BandEncoder(raster, 'rgb'));
  if (bands) return assemblePng(raster, 'rgb', bands);
  return assemblePng(raster, 'rgba', bandsOf(new BandEncoder(raster, 'rgba')) ?? []);
}

function bandsOf(encoder: BandEncoder): readonly Band[] | null {
  const bands: Band[] = [];
  for (let i = 0; i < encoder.count; i++) {
    const band = encoder.encode(i);
    if (!band) return null;
    bands.push(band);
  }
  return bands;
}
