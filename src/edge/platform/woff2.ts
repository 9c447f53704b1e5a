// Decompresses WOFF2 with wawoff2's codec, which is loaded with the first such file. The build makes it start from a
// compiled module and compile nothing at run time, which Cloudflare's runtime refuses.

import type { Woff2Codec } from 'wawoff2/build/decompress_binding.js';

let codec: Promise<Woff2Codec> | null = null;

async function start(): Promise<Woff2Codec> {
  const { default: module } = await import('wawoff2/build/decompress_binding.js');
  if (!module.calledRun) {
    await new Promise<void>((resolve) => {
      module.onRuntimeInitialized = resolve;
    });
  }
  return module;
}

/** Returns the sfnt inside a WOFF2 file. It has no size limit: check the sizes in the header first. */
export async function decompressWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  codec ??= start();
  const module = await codec.catch((error: unknown) => {
    codec = null;
    throw error;
  });
  const unpacked = module.decompress(bytes);
  if (unpacked === false) throw new Error('The codec refuses the file.');
  // A view into the codec's memory, which the next call overwrites.
  return Uint8Array.from(unpacked);
}
