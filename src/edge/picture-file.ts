// Makes of a picture file what the edge's decoders read: without a profile that they trip over, and of an animation the
// first frame; and reads what they ignore: profiles, other tags of colours, and EXIF of PNG and WebP.

import { inflate } from '#base/runtime.ts';
import type { Size } from '#core/geometry.ts';
import { type ColorTag, colorTagOf, MAX_PROFILE, pngChunks, profileTag } from '#draw/images/color-tags.ts';
import { isNamed, MARKER, segmentsOf, tiffOrientation } from '#draw/images/jpeg/segments.ts';

interface Chunk {
  readonly type: string;
  /** With its name and length. */
  readonly bytes: Uint8Array;
  readonly body: Uint8Array;
}

/** RFC 9649: those of a file, or of a frame. */
export function* webpChunks(file: Uint8Array, from = 12): Generator<Chunk> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = from; at + 8 <= file.length; ) {
    const length = view.getUint32(at + 4, true);
    const type = String.fromCharCode(...file.subarray(at, at + 4));
    if (at + 8 + length > file.length) return;
    const end = at + 8 + length + (length & 1);
    yield { type, bytes: file.subarray(at, end), body: file.subarray(at + 8, at + 8 + length) };
    at = end;
  }
}

const uint24 = (bytes: Uint8Array, at: number) =>
  (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0) + 65_536 * (bytes[at + 2] ?? 0);

/** The first frame of an animation on its canvas; null: it is a still picture. */
export function firstFrame(
  file: Uint8Array,
): (Size & { readonly x: number; readonly y: number; readonly data: Uint8Array }) | null {
  for (const { type, body } of webpChunks(file)) {
    if (type !== 'ANMF' || body.length < 16) continue;
    const [x, y, width, height] = [2 * uint24(body, 0), 2 * uint24(body, 3), 1 + uint24(body, 6), 1 + uint24(body, 9)];
    return { x, y, width, height, data: body.subarray(16) };
  }
  return null;
}

/** EXIF orientation of a PNG or a WebP, 1 to 8. */
export function orientationIn(format: 'png' | 'webp', file: Uint8Array): number {
  const chunks = format === 'png' ? pngChunks(file) : webpChunks(file);
  for (const { type, body } of chunks) {
    if (type !== 'eXIf' && type !== 'EXIF') continue;
    const isNamedToo = body[0] === 0x45 && body[1] === 0x78;
    const orientation = tiffOrientation(isNamedToo ? body.subarray(6) : body);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

/** A file that the decoder reads. */
export function decodableFile(format: string, file: Uint8Array): Uint8Array {
  if (format === 'png') {
    // A damaged profile is no reason not to show the picture, as libpng has it.
    const profile = [...pngChunks(file)].find(({ type }) => type === 'iCCP');
    return profile
      ? joined([file.subarray(0, profile.at), file.subarray(profile.at + 12 + profile.body.length)])
      : file;
  }
  const frame = format === 'webp' ? firstFrame(file) : null;
  if (!frame) return file;
  const chunks = [...webpChunks(frame.data, 0)].filter(({ type }) => ['ALPH', 'VP8 ', 'VP8L'].includes(type));
  const extended = new Uint8Array(18);
  extended.set([0x56, 0x50, 0x38, 0x58, 10, 0, 0, 0, chunks.some(({ type }) => type === 'ALPH') ? 0x10 : 0]);
  for (const [at, side] of [
    [12, frame.width - 1],
    [15, frame.height - 1],
  ] as const) {
    extended.set([side & 255, (side >> 8) & 255, side >> 16], at);
  }
  const isPlain = chunks.length === 1;
  const body = joined([...(isPlain ? [] : [extended]), ...chunks.map(({ bytes }) => bytes)]);
  const head = new Uint8Array([0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50]);
  new DataView(head.buffer).setUint32(4, 4 + body.length, true);
  return joined([head, body]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What is known of a file's colours. */
export interface FileColors {
  /** null: they are shown as they are. */
  readonly tag: ColorTag | null;
  /** Whether there is a profile that is not applied here. */
  readonly isIgnored: boolean;
}

const known = new WeakMap<Uint8Array, Promise<FileColors>>();

/** Never rejects: a picture with a damaged profile is shown as sRGB. */
export function colorsOf(format: string, file: Uint8Array): Promise<FileColors> {
  const reading = known.get(file) ?? readColors(format, file);
  known.set(file, reading);
  return reading;
}

async function readColors(format: string, file: Uint8Array): Promise<FileColors> {
  try {
    const profile = await profileIn(format, file);
    return { tag: profile ? profileTag(profile) : colorTagOf(format, file), isIgnored: false };
  } catch {
    return { tag: null, isIgnored: true };
  }
}

/** @throws Error when it is damaged or large */
async function profileIn(format: string, file: Uint8Array): Promise<Uint8Array | null> {
  if (format === 'png') {
    const chunk = [...pngChunks(file)].find(({ type }) => type === 'iCCP');
    // Its name, a zero, the method, and a zlib stream.
    return chunk ? inflate(chunk.body.subarray(chunk.body.indexOf(0) + 2), MAX_PROFILE) : null;
  }
  const name = 'ICC_PROFILE\0';
  const parts =
    format === 'webp'
      ? [...webpChunks(file)].filter(({ type }) => type === 'ICCP').map(({ body }) => body)
      : [...segmentsOf(file)]
          .filter((each) => each.marker === MARKER.app2 && isNamed(each, name))
          .map(({ body }) => body.subarray(14));
  const profile = joined(parts);
  if (profile.length > MAX_PROFILE) throw new Error('The profile is too large.');
  return profile.length > 0 ? profile : null;
}
