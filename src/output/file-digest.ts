// A file's bytes in memory in, their SHA-256 out: what tells two files apart, whoever sent them.

import { hash } from 'node:crypto';

const digests = new WeakMap<Uint8Array, string>();

/** In base64. The bytes must never change; counted once as long as somebody holds them. */
export function fileDigest(bytes: Uint8Array): string {
  let digest = digests.get(bytes);
  if (digest === undefined) {
    digest = hash('sha256', bytes, 'base64');
    digests.set(bytes, digest);
  }
  return digest;
}
