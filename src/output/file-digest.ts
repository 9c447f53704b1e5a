// A file's bytes in memory in, a name of them out: what tells two files apart, whoever sent them.

import { contentName } from '#platform/content-name.ts';

const digests = new WeakMap<Uint8Array, string>();

/** The bytes must never change; counted once as long as somebody holds them. */
export function fileDigest(bytes: Uint8Array): string {
  let digest = digests.get(bytes);
  if (digest === undefined) {
    digest = contentName(bytes);
    digests.set(bytes, digest);
  }
  return digest;
}
