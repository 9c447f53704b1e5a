// Names a file by its bytes: equal files have equal names.

import { hash } from 'node:crypto';

/** SHA-256, in base64. */
export function contentName(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64');
}
