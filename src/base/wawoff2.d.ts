// The part that we use of wawoff2, which ships no types: Google's WOFF2 codec, compiled to WebAssembly.

declare module 'wawoff2' {
  /** Returns a whole sfnt. It has no size limit: check the sizes in the header first. */
  export function decompress(woff2: Uint8Array): Promise<Uint8Array>;
  export function compress(sfnt: Uint8Array): Promise<Uint8Array>;
}

/** Its decompressor alone, before it has started. */
declare module 'wawoff2/build/decompress_binding.js' {
  export interface Woff2Codec {
    /** Whether it has started. */
    readonly calledRun?: boolean;
    onRuntimeInitialized?: () => void;
    /** A view into its memory; false for a damaged file. */
    decompress(woff2: Uint8Array): Uint8Array | false;
  }
  const codec: Woff2Codec;
  export default codec;
}
