// Base64, checksums, decompression and yielding, without Node: the same functions as in src/base/runtime.ts.

import type { Woff2Codec } from 'wawoff2/build/decompress_binding.js';

const SLICES = 8;
/** `[256 * k + b]`: the checksum of byte `b` followed by `k` more bytes. */
let checksums: Uint32Array | null = null;

function makeChecksums(): Uint32Array {
  const table = new Uint32Array(256 * SLICES);
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    table[byte] = sum;
  }
  for (let i = 256; i < table.length; i++) {
    const before = table[i - 256] ?? 0;
    table[i] = (before >>> 8) ^ (table[before & 255] ?? 0);
  }
  return table;
}

/** The CRC-32 of PNG's chunks (PNG 3, annex D), eight bytes at a time ("slicing-by-8", Kounavis and Berry, 2005). */
export function crc32(bytes: Uint8Array): number {
  checksums ??= makeChecksums();
  const table = checksums;
  const after = (slice: number, byte: number) => table[256 * slice + (byte & 255)] ?? 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = ~0;
  let at = 0;
  for (; at + SLICES <= bytes.length; at += SLICES) {
    const low = sum ^ view.getUint32(at, true);
    const high = view.getUint32(at + 4, true);
    sum =
      after(7, low) ^
      after(6, low >>> 8) ^
      after(5, low >>> 16) ^
      after(4, low >>> 24) ^
      after(3, high) ^
      after(2, high >>> 8) ^
      after(1, high >>> 16) ^
      after(0, high >>> 24);
  }
  for (; at < bytes.length; at++) sum = (sum >>> 8) ^ after(0, sum ^ (bytes[at] ?? 0));
  return ~sum >>> 0;
}

export const bytesOfBase64 = (text: string): Uint8Array => bytesOfLatin1(atob(text));
export const base64Of = (bytes: Uint8Array): string => btoa(latin1Of(bytes));

export function bytesOfLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  writeLatin1(text, bytes, 0);
  return bytes;
}

export function writeLatin1(text: string, into: Uint8Array, at: number): void {
  for (let i = 0; i < text.length; i++) into[at + i] = text.charCodeAt(i);
}

/** Characters that are made of bytes at once: an argument each. */
const AT_ONCE = 8_192;

export function latin1Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  }
  return text;
}

export function copyBytes(from: Uint8Array, memory: WebAssembly.Memory, place: number): void {
  new Uint8Array(memory.buffer).set(from, place);
}

let files = 0;

/**
 * A new name at each call, as there is no synchronous digest: `fileDigest` remembers it by object, so only an object that
 * is passed again is recognised.
 */
export function contentName(_bytes: Uint8Array): string {
  files += 1;
  return `file ${files}`;
}

const PRIME = 0x01000193;

/** Four FNV-1a hashes from different starts: the identifier only has to differ from those of other files. */
export function fileIdentifier(parts: Iterable<Uint8Array | string>): Uint8Array {
  const hashes = Uint32Array.of(0x811c9dc5, 0x5bd1e995, 0x9e3779b9, 0x85ebca6b);
  let place = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const byte = typeof part === 'string' ? part.charCodeAt(i) : (part[i] as number);
      const own = place & 3;
      place += 1;
      hashes[own] = Math.imul((hashes[own] as number) ^ byte, PRIME);
    }
  }
  // Each hash has a quarter of the bytes; mixed, each depends on all.
  for (let i = 0; i < 8; i++) {
    const before = hashes[(i + 3) & 3] as number;
    hashes[i & 3] = Math.imul((hashes[i & 3] as number) ^ before ^ (before >>> 15), PRIME);
  }
  return new Uint8Array(hashes.buffer);
}

export async function inflate(packed: Uint8Array, length: number): Promise<Uint8Array> {
  const unpacked = new Uint8Array(length);
  let at = 0;
  const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return unpacked.subarray(0, at);
    if (at + value.length > length) throw new Error('longer than it says');
    unpacked.set(value, at);
    at += value.length;
  }
}

/** There is no synchronous zlib: `draw/encoders/deflate.ts` writes long streams by itself. */
export const deflateLong: ((bytes: Uint8Array) => Uint8Array) | null = null;
export const deflateApart: ((bytes: Uint8Array) => Promise<Uint8Array>) | null = null;

let codec: Promise<Woff2Codec> | null = null;

/**
 * By wawoff2's codec, which is loaded with the first such file. The build makes it start from a compiled module and compile
 * nothing at run time, which Cloudflare's runtime refuses.
 */
export async function decompressWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  codec ??= startCodec();
  const module = await codec.catch((error: unknown) => {
    codec = null;
    throw error;
  });
  const unpacked = module.decompress(bytes);
  if (unpacked === false) throw new Error('The codec refuses the file.');
  // A view into the codec's memory, which the next call overwrites.
  return Uint8Array.from(unpacked);
}

async function startCodec(): Promise<Woff2Codec> {
  const { default: module } = await import('wawoff2/build/decompress_binding.js');
  if (!module.calledRun) {
    await new Promise<void>((resolve) => {
      module.onRuntimeInitialized = resolve;
    });
  }
  return module;
}

/** A page's input comes first, or another request of an isolate. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The time that passes, as no runtime tells a thread's own. */
export const timeWorked = (): number => performance.now();
