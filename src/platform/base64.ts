// Decodes and encodes base64.

/** The text must have no characters but base64's alphabet. */
export function bytesOfBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
