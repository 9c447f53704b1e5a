// Base64, checksums, compression, yielding and processor time, by Node's own functions. src/edge/platform/runtime.ts has the same
// functions for runtimes without them.
/// <reference path="./wawoff2.d.ts" />

import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflateSync } from 'node:zlib';

/** The CRC-32 of PNG chunks. */
export { crc32 } from 'node:zlib';

/** Decodes base64. The text must have no characters but its alphabet. */
export function bytesOfBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

export const base64Of = (bytes: Uint8Array): string => bufferOf(bytes).toString('base64');

/** The bytes of a text with one character per byte (Latin-1). The text must have no character above 255. */
export function bytesOfLatin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Writes the text's bytes to `into`, from `at` on. */
export function writeLatin1(text: string, into: Uint8Array, at: number): void {
  bufferOf(into).write(text, at, 'latin1');
}

export const latin1Of = (bytes: Uint8Array): string => bufferOf(bytes).toString('latin1');

/**
 * Copies `from`, which may be shared memory, to the offset `place` of a memory: a Buffer does so several times as fast as
 * a typed array.
 */
export function copyBytes(from: Uint8Array, memory: { readonly buffer: ArrayBufferLike }, place: number): void {
  bufferOf(from).copy(Buffer.from(memory.buffer), place);
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);

/** Loaded on first use: a picture without images needs none of it, and it takes 15 ms. */
let crypto: typeof import('node:crypto') | null = null;
function loadCrypto(): typeof import('node:crypto') {
  crypto ??= process.getBuiltinModule('node:crypto');
  return crypto;
}

/** Names a file by its bytes: equal files have equal names. @returns SHA-256, in base64 */
export const contentName = (bytes: Uint8Array): string => loadCrypto().hash('sha256', bytes, 'base64');

/**
 * Digests the contents of a file for its identifier.
 *
 * @param parts bytes, or text with one character per byte
 * @returns 16 bytes
 */
export function fileIdentifier(parts: Iterable<Uint8Array | string>): Uint8Array {
  const digest = loadCrypto().createHash('sha1');
  for (const part of parts) {
    if (typeof part === 'string') digest.update(part, 'latin1');
    else digest.update(part);
  }
  return digest.digest().subarray(0, 16);
}

/** Decompresses a zlib stream (RFC 1950). @throws Error when it is damaged or decompresses to more than `length` bytes */
export async function inflate(packed: Uint8Array, length: number): Promise<Uint8Array> {
  return inflateSync(packed, { maxOutputLength: length });
}

/** zlib's output buffers for a stream, bytes: of a page they are some kilobytes, and are freed late. */
const chunkSize = (length: number) => Math.min(16_384, Math.max(1_024, length >> 2));

/**
 * Compresses a long stream (RFC 1950) at zlib's default level. null where there is no zlib: `draw/encoders/deflate.ts` then writes
 * long streams by itself. Copied, because what zlib returns is a part of a buffer of 64 KB, which a document would keep for
 * each page.
 */
export const deflateLong: ((bytes: Uint8Array) => Uint8Array) | null = (bytes) =>
  new Uint8Array(deflateSync(bytes, { chunkSize: chunkSize(bytes.length) }));

/** The same on a thread of its own. */
export const deflateApart: ((bytes: Uint8Array) => Promise<Uint8Array>) | null = promisify(deflate);

/** Settles with the call before: the codec returns a view into its own memory, which the next call overwrites. */
let lastWoff2: Promise<void> = Promise.resolve();

/**
 * Returns the sfnt inside a WOFF2 file, by wawoff2, which is loaded on first use: an installation without such files never
 * compiles the codec. It has no size limit: check the sizes in the header first.
 */
export async function decompressWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  const { decompress } = await import('wawoff2');
  const result = lastWoff2.then(async () => Uint8Array.from(await decompress(bytes)));
  // A damaged file does not concern the next, and the bytes are not kept.
  lastWoff2 = result.then(
    () => {},
    () => {},
  );
  return result;
}

/** Yields to other work of the thread, until the next turn of the event loop. */
export const nextTurn = (): Promise<void> => setImmediate();

/**
 * The processor time of the calling thread: what it did itself, without what it waited for.
 *
 * @returns ms; as much as time has passed where Node does not tell (before 23.9)
 */
export function timeWorked(): number {
  if (!process.threadCpuUsage) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}
