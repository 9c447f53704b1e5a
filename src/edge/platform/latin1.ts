// Converts between bytes and text with one character per byte (Latin-1).

export function bytesOfLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  writeLatin1(text, bytes, 0);
  return bytes;
}

export function writeLatin1(text: string, into: Uint8Array, at: number): void {
  for (let i = 0; i < text.length; i++) into[at + i] = text.charCodeAt(i);
}

/** Characters that are made of bytes at once: an argument each. */
const AT_ONCE = 8_192;

export function latin1Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  }
  return text;
}
