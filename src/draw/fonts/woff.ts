// Unwraps WOFF and WOFF2 files to sfnt. The WOFF2 codec has no limits, so sizes are checked before it is called.

import { AppError } from '#base/errors.ts';
import { decompressWoff2, inflate } from '#base/runtime.ts';
import { readTag, tagValue, viewOf, writeSfnt } from './sfnt.ts';

/** Most bytes of an unpacked font; no compressed font of 5 MiB is larger. */
const MAX_SFNT = 32 * 1024 * 1024;

const damaged = (what: string, cause?: unknown) =>
  new AppError('invalid_request', `The ${what} file is damaged.`, { cause });
const tooLarge = () => new AppError('invalid_request', `The font unpacks to more than ${MAX_SFNT / 1024 / 1024} MiB.`);

/** Whether a file that begins with these bytes is WOFF or WOFF2. */
export function isWoff(bytes: Uint8Array): boolean {
  const signature = bytes.length < 4 ? 0 : viewOf(bytes).getUint32(0);
  return signature === tagValue('wOFF') || signature === tagValue('wOF2');
}

/**
 * The sfnt in a WOFF or WOFF2 file; any other file is returned unchanged.
 *
 * @throws AppError `invalid_request` when the file is damaged or would unpack to more than 32 MiB
 */
export async function unwrapWoff(bytes: Uint8Array): Promise<Uint8Array> {
  const signature = bytes.length < 4 ? 0 : viewOf(bytes).getUint32(0);
  if (signature === tagValue('wOFF')) return unwrapWoff1(bytes);
  if (signature === tagValue('wOF2')) return unwrapWoff2(bytes);
  return bytes;
}

/** https://www.w3.org/TR/WOFF/: a 44-byte header, then 20 bytes per table; each table is zlib-compressed or stored. */
async function unwrapWoff1(bytes: Uint8Array): Promise<Uint8Array> {
  const view = viewOf(bytes);
  if (bytes.length < 44 || 44 + 20 * view.getUint16(12) > bytes.length) throw damaged('WOFF');
  const tables = new Map<string, Uint8Array>();
  let total = 0;
  for (let i = 0; i < view.getUint16(12); i++) {
    const record = 44 + 20 * i;
    const offset = view.getUint32(record + 4);
    const packedLength = view.getUint32(record + 8);
    const length = view.getUint32(record + 12);
    total += length;
    if (total > MAX_SFNT) throw tooLarge();
    if (offset + packedLength > bytes.length || packedLength > length) throw damaged('WOFF');
    const packed = bytes.subarray(offset, offset + packedLength);
    tables.set(readTag(view, record), packedLength === length ? packed : await unpack(packed, length));
  }
  return writeSfnt({ version: view.getUint32(4), tables });
}

async function unpack(packed: Uint8Array, length: number): Promise<Uint8Array> {
  try {
    const table = await inflate(packed, length);
    if (table.length === length) return table;
  } catch (error) {
    throw damaged('WOFF', error);
  }
  throw damaged('WOFF');
}

async function unwrapWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  if (woff2Size(bytes) > MAX_SFNT) throw tooLarge();
  try {
    return await decompressWoff2(bytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged('WOFF2', error);
  }
}

/**
 * The largest possible unpacked size: the larger of what the header declares for the sfnt and what the table directory
 * declares for the Brotli stream (https://www.w3.org/TR/WOFF2/#table_dir_format).
 */
function woff2Size(bytes: Uint8Array): number {
  try {
    const view = viewOf(bytes);
    const count = view.getUint16(12);
    let stream = 0;
    let offset = 48;
    const readBase128 = () => {
      let value = 0;
      for (let i = 0; i < 5; i++) {
        const byte = view.getUint8(offset++);
        value = value * 128 + (byte & 0x7f);
        if (byte < 0x80) return value;
      }
      throw damaged('WOFF2');
    };
    for (let i = 0; i < count; i++) {
      const flags = view.getUint8(offset++);
      const knownTag = flags & 0x3f;
      const transform = flags >> 6;
      const tag = knownTag === 0x3f ? readTag(view, offset) : knownTag;
      if (knownTag === 0x3f) offset += 4;
      const original = readBase128();
      // For glyf (10) and loca (11), version 0 is transformed and version 3 is not; for all others, version 0 is not.
      const transformed = tag === 10 || tag === 11 ? transform !== 3 : transform !== 0;
      stream += transformed ? readBase128() : original;
    }
    return Math.max(view.getUint32(16), stream);
  } catch (error) {
    throw damaged('WOFF2', error);
  }
}
