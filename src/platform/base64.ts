// Text in base64 to bytes, and back.

/** The text must hold base64's alphabet alone. */
export function bytesOfBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
