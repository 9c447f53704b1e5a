// The part that we use of wawoff2, which ships no types: Google's WOFF2 codec, compiled to WebAssembly.

declare module 'wawoff2' {
  /** Returns a whole sfnt. It has no size limit: check the sizes in the header first. */
  export function decompress(woff2: Uint8Array): Promise<Uint8Array>;
  export function compress(sfnt: Uint8Array): Promise<Uint8Array>;
}
