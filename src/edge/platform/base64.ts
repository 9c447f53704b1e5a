// Converts between base64 text and bytes with functions that every runtime has.

/** The text must contain only characters of base64. */
export function bytesOfBase64(text: string): Uint8Array {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** Bytes per call, because each is one argument. */
const STEP = 8192;

export function base64Of(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += STEP) letters += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(letters);
}
