// Encodes pixels as the streams of an image XObject (ISO 32000-1, 8.9.5): colour, and opacity as its soft mask.

import { deflateApart } from '#base/runtime.ts';
import { deflate } from '#draw/encoders/deflate.ts';
import type { Pixels } from '#draw/images/raster.ts';
import { fileDigest } from '../file-digest.ts';
import type { Resource } from './content-stream.ts';
import type { PdfDocument } from './document.ts';
import type { JpegStream } from './jpeg.ts';
import type { Dictionary, PdfReference } from './object.ts';

/** An image as it is written to a file; encoded once however often it is shown. */
export interface EncodedImage {
  readonly color: EncodedPlane;
  readonly opacity: EncodedPlane | null;
  /** EXIF orientation of its pixels, 1 to 8; upright when absent. */
  readonly orientation?: number;
}

interface EncodedPlane {
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'DeviceRGB' | 'DeviceGray';
  /** The filter entries that describe how `bytes` are compressed. */
  readonly filter: Dictionary;
  readonly bytes: Uint8Array;
}

const deflated = deflateApart ?? (async (bytes: Uint8Array) => deflate(bytes));

export function encodeJpegStream({ orientation, ...stream }: JpegStream): EncodedImage {
  return { color: { ...stream, filter: { Filter: 'DCTDecode' } }, opacity: null, orientation };
}

/** @param toJpeg encodes RGB pixels as JPEG, where the colours may lose detail; null keeps them exact */
export async function encodePixels(
  pixels: Pixels,
  toJpeg: ((rgb: Pixels) => Promise<Uint8Array>) | null,
): Promise<EncodedImage> {
  const { width, height } = pixels;
  const { rgb, opacity } = splitOpacity(pixels);
  const only = opacity && onlyColor(rgb, opacity);
  const mask = opacity && (await flate(opacity, width, height, 1));
  // A shadow has one colour, so only its shape needs pixels.
  if (only) return { color: await flate(only, 1, 1, 3), opacity: mask };
  if (toJpeg) {
    const bytes = await toJpeg({ width, height, channels: 3, data: rgb });
    return {
      color: { width, height, colorSpace: 'DeviceRGB', filter: { Filter: 'DCTDecode' }, bytes },
      opacity: mask,
    };
  }
  return { color: await flate(rgb, width, height, 3), opacity: mask };
}

/**
 * An image as a resource. Equal pixels, such as the shadows of equal cards, are written once.
 *
 * @param smooth asks readers to interpolate between pixels
 */
export function imageResource(document: PdfDocument, { color, opacity }: EncodedImage, smooth: boolean): Resource {
  const plane = ({ width, height, colorSpace, filter, bytes }: EncodedPlane, more: Dictionary): PdfReference =>
    document.object(
      {
        Type: 'XObject',
        Subtype: 'Image',
        Width: width,
        Height: height,
        ColorSpace: colorSpace,
        BitsPerComponent: 8,
        ...(smooth && document.maySmooth ? { Interpolate: true } : {}),
        ...filter,
        ...more,
      },
      bytes,
    );
  const key = [color, opacity].map((part) => part && `${part.width} ${part.height} ${fileDigest(part.bytes)}`);
  return document.resource('XObject', `${smooth} ${key}`, () =>
    plane(color, opacity ? { SMask: plane(opacity, {}) } : {}),
  );
}

/** `opacity` is null when every pixel is opaque. */
function splitOpacity({ width, height, channels, data }: Pixels): {
  readonly rgb: Uint8Array;
  readonly opacity: Uint8Array | null;
} {
  if (channels === 3) return { rgb: data, opacity: null };
  const count = width * height;
  const rgb = new Uint8Array(count * 3);
  const opacity = new Uint8Array(count);
  let isOpaque = true;
  let r = 0;
  let g = 0;
  let b = 0;
  for (let i = 0; i < count; i++) {
    const a = data[i * 4 + 3] as number;
    opacity[i] = a;
    isOpaque &&= a === 255;
    // Transparent pixels take their neighbour's colour: a reader that scales the image blends it in at the edges.
    if (a > 0) {
      r = data[i * 4] as number;
      g = data[i * 4 + 1] as number;
      b = data[i * 4 + 2] as number;
    }
    rgb[i * 3] = r;
    rgb[i * 3 + 1] = g;
    rgb[i * 3 + 2] = b;
  }
  return { rgb, opacity: isOpaque ? null : opacity };
}

/** The single colour of all pixels, as far as their opacity lets it be known; null when there are several. */
function onlyColor(rgb: Uint8Array, opacity: Uint8Array): Uint8Array | null {
  let color: Uint8Array | null = null;
  let most = 0;
  for (let i = 0; i < opacity.length; i++) {
    const a = opacity[i] as number;
    if (a <= most) continue;
    most = a;
    color = rgb.subarray(i * 3, i * 3 + 3);
    if (a === 255) break;
  }
  if (color === null) return rgb.slice(0, 3);
  for (let i = 0; i < opacity.length; i++) {
    const a = opacity[i] as number;
    if (a === 0) continue;
    // The more transparent a pixel, the less precise was its colour when it was premultiplied.
    const tolerance = a === 255 ? 0 : 255 / a + 1;
    for (let channel = 0; channel < 3; channel++) {
      if (Math.abs((rgb[i * 3 + channel] as number) - (color[channel] as number)) > tolerance) return null;
    }
  }
  return color.slice();
}

/** Deflated after PNG's Up filter, which suits photos and flat graphics alike. */
async function flate(samples: Uint8Array, width: number, height: number, colors: 1 | 3): Promise<EncodedPlane> {
  const row = width * colors;
  const filtered = new Uint8Array((row + 1) * height);
  for (let y = 0; y < height; y++) {
    const from = y * row;
    const to = y * (row + 1);
    filtered[to] = 2;
    for (let x = 0; x < row; x++) {
      const above = y === 0 ? 0 : (samples[from - row + x] as number);
      filtered[to + 1 + x] = (samples[from + x] as number) - above;
    }
  }
  return {
    width,
    height,
    colorSpace: colors === 1 ? 'DeviceGray' : 'DeviceRGB',
    filter: {
      Filter: 'FlateDecode',
      DecodeParms: { Predictor: 15, Colors: colors, BitsPerComponent: 8, Columns: width },
    },
    bytes: await deflated(filtered),
  };
}
