// Decompresses WOFF2 with wawoff2, loaded on first use: an installation without WOFF2 files never compiles the codec.
/// <reference path="./wawoff2.d.ts" />

/** Settles with the call before: the codec returns a view into its own memory, which the next call overwrites. */
let last: Promise<void> = Promise.resolve();

/** Returns the sfnt inside a WOFF2 file. It has no size limit: check the sizes in the header first. */
export async function decompressWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  const { decompress } = await import('wawoff2');
  const result = last.then(async () => Uint8Array.from(await decompress(bytes)));
  // A damaged file does not concern the next, and the bytes are not kept.
  last = result.then(
    () => {},
    () => {},
  );
  return result;
}
