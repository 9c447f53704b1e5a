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

const loaders = new Map<WasmName, PromiseWithResolvers<LoadWasm>>();

function loaderOf(name: WasmName): PromiseWithResolvers<LoadWasm> {
  const loader = loaders.get(name) ?? Promise.withResolvers<LoadWasm>();
  loaders.set(name, loader);
  return loader;
}

/**
 * Says how files are had. The entry of a runtime does, before anything else; a program that imports both `platen/edge`
 * and `platen/og` has two, of which one knows fewer files.
 */
export function provideWasm(names: readonly WasmName[], load: LoadWasm): void {
  for (const name of names) loaderOf(name).resolve(load);
}

/** A compiled file. */
export async function wasmFile(name: WasmName): Promise<WebAssembly.Module> {
  return (await loaderOf(name).promise)(name);
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
