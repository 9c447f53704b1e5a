// Converts between bytes and text with one character per byte (Latin-1), by Buffer, which does it natively.

/** The text must have no character above 255. */
export function bytesOfLatin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** Writes the text's bytes to `into`, from `at` on. */
export function writeLatin1(text: string, into: Uint8Array, at: number): void {
  Buffer.from(into.buffer, into.byteOffset, into.byteLength).write(text, at, 'latin1');
}

export function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
