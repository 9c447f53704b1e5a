// Names a file by its bytes: equal files have equal names.

/** Loaded on first use: a picture without images needs none of it, and it takes 15 ms. */
let crypto: typeof import('node:crypto') | null = null;

/** SHA-256, in base64. */
export function contentName(bytes: Uint8Array): string {
  crypto ??= process.getBuiltinModule('node:crypto');
  return crypto.hash('sha256', bytes, 'base64');
}
