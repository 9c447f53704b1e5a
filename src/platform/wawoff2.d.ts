// What we call of wawoff2, which comes without types: Google's WOFF2 codec, compiled to WebAssembly.

declare module 'wawoff2' {
  /** A whole sfnt. Bounds nothing: check the header's sizes first. */
  export function decompress(woff2: Uint8Array): Promise<Uint8Array>;
  export function compress(sfnt: Uint8Array): Promise<Uint8Array>;
}
