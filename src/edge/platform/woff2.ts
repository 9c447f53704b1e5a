// Refuses WOFF2 at the edge: its codec compiles itself at run time, which Cloudflare's runtime refuses.

import { AppError } from '#errors';

export async function decompressWoff2(_bytes: Uint8Array): Promise<Uint8Array> {
  throw new AppError('invalid_request', 'WOFF2 fonts are not read at the edge; hand in a TTF, OTF or WOFF file.');
}
