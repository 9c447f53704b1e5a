// Text in base64 to bytes, and back, by what every runtime has.

/** The text must hold base64's alphabet alone. */
export function bytesOfBase64(text: string): Uint8Array {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/** Characters made at a time: arguments of one call. */
const STEP = 8192;

export function base64Of(bytes: Uint8Array): string {
  let letters = '';
  for (let at = 0; at < bytes.length; at += STEP) letters += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(letters);
}
