// Loads the pictures of a render, which the caller passes or fetches: each is read once and checked against the limits.

import { AppError } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { ImageNeed } from '#core/resolve/scene.ts';
import type { ImageResource } from '#core/resources.ts';
import { isDataUri, readImageUri } from '#draw/images/data-uri.ts';
import { readHeader } from './image-header.ts';
import { colorsOf } from './picture-file.ts';

export type Bytes = ArrayBuffer | Uint8Array;

export interface EdgeImages {
  /** By source, as written in the template or a modification. */
  readonly images?: Readonly<Record<string, Bytes>> | undefined;
  /** Called for all other sources except `data:` addresses; its errors are reported with the layer's name. */
  readonly fetchImage?: ((source: string) => Promise<Bytes>) | undefined;
}

/** Bytes of all image files of one render. */
const MAX_TOTAL_BYTES = 48 * 1024 * 1024;

/** Views by buffer, so that a buffer that is passed again is recognised. */
const views = new WeakMap<ArrayBuffer, Uint8Array>();

function bytesOf(given: Bytes): Uint8Array {
  if (given instanceof Uint8Array) return given;
  const view = views.get(given) ?? new Uint8Array(given);
  views.set(given, view);
  return view;
}

/** @throws AppError `invalid_request` naming the layer whose picture cannot be loaded */
export async function loadImages(needs: readonly ImageNeed[], given: EdgeImages) {
  const images = new Map<string, ImageResource>();
  const diagnostics: Diagnostic[] = [];
  const reader = new Reader(given);
  for (const need of needs) {
    const { key, layer, optional, focus } = need;
    try {
      const { isIgnored, ...image } = await reader.first(need.sources);
      if (isIgnored) diagnostics.push(unconverted(layer));
      images.set(key, { key, ...image, focus: focus && { x: 0.5, y: 0.5 } });
      if (focus) diagnostics.push(centred(layer));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `Image of layer ${JSON.stringify(layer)} could not be loaded: ${reason}`;
      if (!optional) throw new AppError('invalid_request', message, { cause: error });
      diagnostics.push({ code: 'image-left-out', layer, message: `${message} It was left out.` });
    }
  }
  return { images, diagnostics };
}

function centred(layer: string): Diagnostic {
  const message = `Layer ${JSON.stringify(layer)}: points of interest are not looked for at the edge; the middle is kept.`;
  return { code: 'unknown-property', layer, message };
}

function unconverted(layer: string): Diagnostic {
  const message = `Layer ${JSON.stringify(layer)}: its picture has a colour profile that is not applied at the edge; it is shown as sRGB.`;
  return { code: 'unknown-property', layer, message };
}

type Inspected = Omit<ImageResource, 'key' | 'focus'> & { readonly isIgnored: boolean };

class Reader {
  readonly #given: EdgeImages;
  readonly #bySource = new Map<string, Promise<Inspected>>();
  #bytes = 0;

  constructor(given: EdgeImages) {
    this.#given = given;
  }

  /** The first source that can be loaded. If none can, throws the error of the first one. */
  async first(sources: readonly string[]): Promise<Inspected> {
    const failures: unknown[] = [];
    for (const source of sources) {
      const reading = this.#bySource.get(source) ?? this.#inspect(source);
      this.#bySource.set(source, reading);
      try {
        return await reading;
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0] ?? new AppError('invalid_request', 'There is no source.');
  }

  async #inspect(source: string): Promise<Inspected> {
    const bytes = await this.#read(source);
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_TOTAL_BYTES) {
      throw new AppError('invalid_request', `All images together are larger than ${MAX_TOTAL_BYTES / 2 ** 20} MiB.`);
    }
    const header = readHeader(bytes);
    if (header.format === 'svg') {
      throw new AppError('invalid_request', 'SVG images are not drawn by platen/edge; hand in a PNG.');
    }
    return { ...header, bytes, isIgnored: (await colorsOf(header.format, bytes)).isIgnored };
  }

  async #read(source: string): Promise<Uint8Array> {
    const { images, fetchImage } = this.#given;
    const handed = images && Object.hasOwn(images, source) ? images[source] : undefined;
    if (handed) return bytesOf(handed);
    if (isDataUri(source)) return readImageUri(source);
    if (fetchImage) return bytesOf(await fetchImage(source));
    const shown = JSON.stringify(source.slice(0, 200));
    throw new AppError('invalid_request', `${shown} is not in images, and there is no fetchImage.`);
  }
}
