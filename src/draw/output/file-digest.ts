// Names files in memory by a digest of their bytes, so that equal files count as one whatever their source.

import { contentName } from '#base/runtime.ts';

const digests = new WeakMap<Uint8Array, string>();

/** The bytes must never change: the digest is computed once and kept as long as they are. */
export function fileDigest(bytes: Uint8Array): string {
  let digest = digests.get(bytes);
  if (digest === undefined) {
    digest = contentName(bytes);
    digests.set(bytes, digest);
  }
  return digest;
}
