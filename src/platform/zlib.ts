// zlib's compression, for long streams: as RFC 1950 streams, at zlib's default level.

import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';

/** zlib's output buffers for a stream, bytes: of a page they are some kilobytes, and are freed late. */
const chunkSize = (length: number) => Math.min(16_384, Math.max(1_024, length >> 2));

/**
 * null where there is no zlib: `encoders/deflate.ts` then writes long streams by itself. Copied, because what zlib returns
 * is a part of a buffer of 64 KB, which a document would keep for each page.
 */
export const deflateLong: ((bytes: Uint8Array) => Uint8Array) | null = (bytes) =>
  new Uint8Array(deflateSync(bytes, { chunkSize: chunkSize(bytes.length) }));

/** The same on a thread of its own. */
export const deflateApart: ((bytes: Uint8Array) => Promise<Uint8Array>) | null = promisify(deflate);
