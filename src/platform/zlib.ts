// zlib's compression, for long streams: as RFC 1950 streams, at zlib's default level.

import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';

/** null where there is no zlib: `encoders/deflate.ts` then writes long streams by itself. */
export const deflateLong: ((bytes: Uint8Array) => Uint8Array) | null = deflateSync;

/** The same on a thread of its own. */
export const deflateApart: ((bytes: Uint8Array) => Promise<Uint8Array>) | null = promisify(deflate);
