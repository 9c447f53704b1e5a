// Bundles `platen/edge` into `dist/edge`: one bundle, its WebAssembly files, and an entry a runtime.
//
// A runtime differs in how it is handed WebAssembly: Cloudflare's and Vercel's import compiled modules, browsers fetch,
// Node, Deno and Bun read. `exports` of package.json choose the entry. Libraries that would compile at run time, or fetch
// by themselves, are changed while they are bundled; a library that no longer reads as expected fails the build.

import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { WasmName } from '../src/edge/wasm-files.ts';

const ROOT = join(import.meta.dirname, '..');

/** Fetched as soon as the entry is, or when a picture of the kind is first drawn. */
const EAGER: readonly WasmName[] = ['harfbuzz', 'harfbuzz-callbacks', 'yoga', 'raster', 'png'];
const LAZY: readonly WasmName[] = ['decode-jpeg', 'decode-png', 'decode-webp'];

/** The names of the entries: what they export, and the files that they ask for. */
const ENTRIES = {
  main: { module: 'main.js', prefix: '', wasm: [...EAGER, ...LAZY] },
} as const;

/** @param folder where to */
export async function buildEdge(folder = join(ROOT, 'dist/edge')): Promise<void> {
  await mkdir(folder, { recursive: true });
  for await (const old of glob('*.{js,wasm}', { cwd: folder })) await rm(join(folder, old));
  const wasm = new Map<WasmName, Uint8Array>();
  await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'src/edge.ts', 'wasm-files': 'src/edge/wasm-files.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['platen-edge', 'import', 'browser'],
    target: 'es2023',
    chunkNames: 'chunk-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'eof',
    logLevel: 'error',
    plugins: [precompiled(wasm)],
  });
  for (const [name, path] of Object.entries(FILES)) wasm.set(name as WasmName, await readFile(path));
  for (const [name, bytes] of wasm) await writeFile(join(folder, `${name}.wasm`), bytes);
  for (const { module, prefix, wasm: names } of Object.values(ENTRIES)) {
    for (const [runtime, provide] of Object.entries(RUNTIMES)) {
      await writeFile(
        join(folder, `${prefix}wasm-${runtime}.js`),
        `import { provideWasm } from './wasm-files.js';\n${provide(names)}`,
      );
      const entry = `import './${prefix}wasm-${runtime}.js';\nexport * from './${module}';\n`;
      await writeFile(join(folder, `${prefix}${runtime}.js`), entry);
    }
  }
}

/** Where the files are that libraries bring, or `npm run kernel` made. */
const FILES: Readonly<Partial<Record<WasmName, string>>> = {
  harfbuzz: join(ROOT, 'node_modules/harfbuzzjs/dist/harfbuzz.wasm'),
  raster: join(ROOT, 'src/output/raster/kernels.wasm'),
  png: join(ROOT, 'src/encoders/png/kernels.wasm'),
  'decode-jpeg': join(ROOT, 'node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'),
  'decode-png': join(ROOT, 'node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm'),
  'decode-webp': join(ROOT, 'node_modules/@jsquash/webp/codec/dec/webp_dec.wasm'),
};

const variable = (name: string) => name.replaceAll('-', '_');
const listOf = (names: readonly string[]) => names.map((name) => `'${name}': ${variable(name)}`).join(', ');
const imported = (query: string) => (names: readonly string[]) =>
  `${names.map((name) => `import ${variable(name)} from './${name}.wasm${query}';`).join('\n')}
const files = { ${listOf(names)} };
provideWasm((name) => files[name]);
`;
const located = (names: readonly string[], compile: string) => `${compile}
const urls = {
${names.map((name) => `  '${name}': () => new URL('./${name}.wasm', import.meta.url),`).join('\n')}
};
const files = new Map();
const file = (name) => {
  if (!files.has(name)) files.set(name, compile(urls[name]()));
  return files.get(name);
};
// All at once, as the bundle waits for each in turn.
for (const name of ${JSON.stringify(EAGER)}) file(name).catch(() => {});
provideWasm(file);
`;

/** How each runtime brings the files in. Addresses are written out one by one, for bundlers to find them. */
const RUNTIMES: Readonly<Record<string, (names: readonly string[]) => string>> = {
  workerd: imported(''),
  'edge-light': imported('?module'),
  browser: (names) =>
    located(
      names,
      `const compile = async (url) => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(\`\${url} answered \${answer.status}\`);
  return WebAssembly.compile(await answer.arrayBuffer());
};`,
    ),
  node: (names) =>
    located(
      names,
      `import { readFile } from 'node:fs/promises';
const compile = async (url) => WebAssembly.compile(await readFile(url));`,
    ),
};

/** Changes libraries so that they start from compiled modules, and compile none themselves. */
function precompiled(wasm: Map<WasmName, Uint8Array>): Plugin {
  return {
    name: 'precompiled',
    setup({ onLoad, onResolve }) {
      // Emscripten's ways for Node: none is ever taken.
      onResolve({ filter: /^(module|fs|path|url|worker_threads)$/ }, ({ path }) => ({ path, namespace: 'absent' }));
      onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export const createRequire = null;' }));
      const change = (filter: RegExp, ...changes: readonly Change[]) =>
        onLoad({ filter }, async ({ path }) => ({
          contents: changed(path, await readFile(path, 'utf8'), changes),
          loader: 'js',
        }));
      change(/harfbuzzjs\/dist\/index\.mjs$/, [
        'init(await createHarfBuzz());',
        "init(await createHarfBuzz(await emscriptenOptions('harfbuzz')));",
        `import { emscriptenOptions } from ${JSON.stringify(join(ROOT, 'src/edge/wasm-files.ts'))};`,
      ]);
      onLoad({ filter: /harfbuzzjs\/dist\/harfbuzz\.js$/ }, async ({ path }) => {
        const index = await readFile(join(dirname(path), 'index.mjs'), 'utf8');
        wasm.set('harfbuzz-callbacks', callbackModule(signaturesIn(index)));
        const contents = changed(path, await readFile(path, 'utf8'), [
          NOT_NODE,
          [
            /var convertJsFunctionToWasm=\(func,sig\)=>\{.*?return wrappedFunc\};/,
            'var convertJsFunctionToWasm=callbackOf;',
            `import { callbackOf } from ${JSON.stringify(join(ROOT, 'src/edge/harfbuzz-callbacks.ts'))};`,
          ],
        ]);
        return { contents, loader: 'js' };
      });
      change(/yoga-layout\/dist\/src\/index\.js$/, [
        'await loadYoga()',
        "await loadYoga(await emscriptenOptions('yoga'))",
        `import { emscriptenOptions } from ${JSON.stringify(join(ROOT, 'src/edge/wasm-files.ts'))};`,
      ]);
      // Messages in fifty languages, of which ours are in one.
      onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
        contents: "export { default as en } from './en.js';",
        loader: 'js',
      }));
      // Node is given its CommonJS form, whose exports are those of one object.
      onLoad({ filter: /opentype\.js\/dist\/opentype\.mjs$/ }, async ({ path }) => ({
        contents: `${await readFile(path, 'utf8')}\nexport default { parse: parseBuffer };`,
        loader: 'js',
      }));
      onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        const [whole = '', base64 = ''] = /"data:application\/octet-stream;base64,([\w+/=]{1000,})"/.exec(code) ?? [];
        if (base64 === '') throw new Error(`${path} holds no WebAssembly.`);
        wasm.set('yoga', Buffer.from(base64, 'base64'));
        return { contents: code.replace(whole, '""'), loader: 'js' };
      });
    },
  };
}

/** What stands there, what is to stand there, and what must be imported for that. */
type Change = readonly [from: string | RegExp, to: string, head?: string];

const NOT_NODE: Change = [/var ENVIRONMENT_IS_NODE=[^;]*;/, 'var ENVIRONMENT_IS_NODE=false;'];

/** @throws Error when a library reads otherwise than it did */
function changed(path: string, code: string, changes: readonly Change[]): string {
  return changes.reduce((text, [from, to, head = '']) => {
    const next = text.replace(from, () => to);
    if (next === text) throw new Error(`${path}: there is no ${from} any more; look at scripts/build-edge.ts.`);
    return head + next;
  }, code);
}

/** The signatures of all functions that harfbuzzjs hands to HarfBuzz. */
function signaturesIn(code: string): readonly string[] {
  const found = [...code.matchAll(/[,}]\s*"([vipfjd]{2,})"\)/g)].map(([, signature = '']) => signature);
  const calls = code.match(/Module\.addFunction\(/g)?.length ?? 0;
  if (found.length < calls)
    throw new Error(`harfbuzzjs: ${calls} callbacks, of which ${found.length} say a signature.`);
  return [...new Set(found)].sort();
}

const TYPE_CODES: Readonly<Record<string, number>> = { i: 0x7f, p: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c };

/** A module that imports a function of each signature from `e` and exports it under the same name. */
function callbackModule(signatures: readonly string[]): Uint8Array {
  const count = leb(signatures.length);
  const text = (name: string) => [...leb(name.length), ...Buffer.from(name)];
  const section = (id: number, bytes: readonly number[]) => [id, ...leb(bytes.length), ...bytes];
  const codes = (letters: string) => [...leb(letters.length), ...[...letters].map((letter) => TYPE_CODES[letter] ?? 0)];
  const types = signatures.flatMap((each) => [
    0x60,
    ...codes(each.slice(1)),
    ...codes(each[0] === 'v' ? '' : each.slice(0, 1)),
  ]);
  const imports = signatures.flatMap((each, i) => [...text('e'), ...text(each), 0, ...leb(i)]);
  const exports = signatures.flatMap((each, i) => [...text(each), 0, ...leb(i)]);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [...count, ...types]),
    ...section(2, [...count, ...imports]),
    ...section(7, [...count, ...exports]),
  ]);
}

/** LEB128 of a number below 2 ** 28. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

if (import.meta.main) await buildEdge();
