// How the page loads the WebAssembly files of what draws, decodes and unpacks: each when it is first needed. The
// addresses are written out one by one, so that bundlers find them.

import { provideWasm, type WasmName } from '#edge/wasm-files.ts';

const ADDRESSES: Readonly<Partial<Record<WasmName, () => URL>>> = {
  raster: () => new URL('../../draw/output/raster/kernels.wasm', import.meta.url),
  png: () => new URL('../../draw/encoders/png/kernels.wasm', import.meta.url),
  webp: () => new URL('../../draw/encoders/webp/kernels.wasm', import.meta.url),
  'encode-jpeg': () => new URL('../../../node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm', import.meta.url),
  'decode-jpeg': () => new URL('../../../node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm', import.meta.url),
  'decode-png': () => new URL('../../../node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm', import.meta.url),
  'decode-webp': () => new URL('../../../node_modules/@jsquash/webp/codec/dec/webp_dec.wasm', import.meta.url),
  // The build writes it out of the library.
  woff2: () => new URL('./woff2.wasm', import.meta.url),
};

const files = new Map<WasmName, Promise<WebAssembly.Module>>();

async function compile(url: URL): Promise<WebAssembly.Module> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

provideWasm(Object.keys(ADDRESSES) as WasmName[], (name) => {
  const address = ADDRESSES[name];
  if (!address) throw new Error(`There is no file ${name}.wasm.`);
  let file = files.get(name);
  if (!file) {
    file = compile(address());
    files.set(name, file);
    file.catch(() => files.delete(name));
  }
  return file;
});
