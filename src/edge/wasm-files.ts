// The WebAssembly files of `platen/edge`, which each runtime brings in by a way of its own.
//
// Cloudflare's runtime compiles nothing at run time: there the modules are imported. Elsewhere they are fetched or read.

/** The files that stand beside the bundle, without `.wasm`. */
export type WasmName =
  | 'harfbuzz'
  | 'harfbuzz-callbacks'
  | 'yoga'
  | 'raster'
  | 'png'
  | 'decode-jpeg'
  | 'decode-png'
  | 'decode-webp'
  | 'satori'
  | 'satori-harfbuzz'
  | 'resvg';

export type LoadWasm = (name: WasmName) => WebAssembly.Module | Promise<WebAssembly.Module>;

const provider = Promise.withResolvers<LoadWasm>();

/** Says how the files are had. The entry of a runtime does, before anything else. */
export function provideWasm(load: LoadWasm): void {
  provider.resolve(load);
}

/** A compiled file. */
export async function wasmFile(name: WasmName): Promise<WebAssembly.Module> {
  return (await provider.promise)(name);
}

type Receive = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;

/** What makes a module of Emscripten start from a compiled file, and fetch nothing. */
export async function emscriptenOptions(name: WasmName) {
  const module = await wasmFile(name);
  return {
    instantiateWasm(imports: WebAssembly.Imports, receive: Receive): WebAssembly.Exports {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance, module);
      return instance.exports;
    },
  };
}
