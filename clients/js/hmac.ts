// HMAC-SHA256 by WebCrypto, which Node, Deno, Bun, edge runtimes and browsers share.

const UTF8 = new TextEncoder();

export type HmacKey = CryptoKey;

/** @param secret a string as UTF-8, or the bytes themselves */
export function hmacKey(secret: string | Uint8Array<ArrayBuffer>): Promise<HmacKey> {
  const bytes = typeof secret === 'string' ? UTF8.encode(secret) : secret;
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

export async function hmac(key: HmacKey, message: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, UTF8.encode(message)));
}

/** Compares in constant time. */
export function isHmac(key: HmacKey, signature: Uint8Array<ArrayBuffer>, message: string): Promise<boolean> {
  return crypto.subtle.verify('HMAC', key, signature, UTF8.encode(message));
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
