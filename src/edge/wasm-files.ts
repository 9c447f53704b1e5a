// Registers how each runtime loads the WebAssembly files of `platen/edge`.
//
// Cloudflare's runtime compiles nothing at run time, so the modules are imported there. Elsewhere they are fetched or
// read.

/** The files next to the bundle, without `.wasm`. */
export type WasmName =
  | 'harfbuzz'
  | 'harfbuzz-callbacks'
  | 'yoga'
  | 'raster'
  | 'png'
  | 'webp'
  | 'encode-jpeg'
  | 'decode-jpeg'
  | 'decode-png'
  | 'decode-webp'
  | 'woff2'
  | 'satori'
  | 'satori-harfbuzz'
  | 'resvg';

export type LoadWasm = (name: WasmName) => WebAssembly.Module | Promise<WebAssembly.Module>;

const loaders = new Map<WasmName, PromiseWithResolvers<LoadWasm>>();

function loaderOf(name: WasmName): PromiseWithResolvers<LoadWasm> {
  const loader = loaders.get(name) ?? Promise.withResolvers<LoadWasm>();
  loaders.set(name, loader);
  return loader;
}

/**
 * Sets the loader of some files. A runtime's entry point calls it before anything else. A program that imports both
 * `platen/edge` and `platen/og` has two entry points, and one of them knows fewer files.
 */
export function provideWasm(names: readonly WasmName[], load: LoadWasm): void {
  for (const name of names) loaderOf(name).resolve(load);
}

/** Loads a compiled file. */
export async function wasmFile(name: WasmName): Promise<WebAssembly.Module> {
  return (await loaderOf(name).promise)(name);
}

type Receive = (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;

/** Options that make an Emscripten module start from a compiled file instead of fetching it. */
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
