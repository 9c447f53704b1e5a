// Decompresses WOFF2 with wawoff2, loaded on first use: an installation without WOFF2 files never compiles the codec.
/// <reference path="./wawoff2.d.ts" />

/** Returns the sfnt inside a WOFF2 file. It has no size limit: check the sizes in the header first. */
export async function decompressWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  const { decompress } = await import('wawoff2');
  // A copy, because the result is a view into the codec's own memory.
  return Uint8Array.from(await decompress(bytes));
}
