// Bundles `platen/edge` and `platen/og` into `dist/edge`: one bundle, its WebAssembly files, and an entry per runtime.
//
// Runtimes load WebAssembly in different ways: Cloudflare's and Vercel's import compiled modules, browsers fetch, Node,
// Deno and Bun read files. `exports` of package.json choose the entry. Libraries that would compile at run time, or
// fetch by themselves, are patched while they are bundled; the build fails if a library's code is not as expected.

import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { BARCODE_FORMATS } from '../src/core/template/layer-properties.ts';
import type { WasmName } from '../src/edge/wasm-files.ts';
import { licencesOf } from './licences.ts';

const ROOT = join(import.meta.dirname, '..');

/** Loaded together with the entry, or on first use. */
const EAGER: readonly WasmName[] = ['harfbuzz', 'harfbuzz-callbacks', 'yoga', 'raster', 'png'];
const LAZY: readonly WasmName[] = ['webp', 'encode-jpeg', 'decode-jpeg', 'decode-png', 'decode-webp', 'woff2'];

interface Entry {
  readonly module: string;
  /** Prefix of its files' names. */
  readonly prefix: string;
  readonly eager: readonly WasmName[];
  readonly lazy: readonly WasmName[];
}

const ENTRIES: readonly Entry[] = [
  { module: 'main.js', prefix: '', eager: EAGER, lazy: LAZY },
  { module: 'og.js', prefix: 'og-', eager: [...EAGER, 'satori-harfbuzz'], lazy: [...LAZY, 'satori', 'resvg'] },
];

/** @param folder the output folder */
export async function buildEdge(folder = join(ROOT, 'dist/edge')): Promise<void> {
  await mkdir(folder, { recursive: true });
  for await (const old of glob('*.{js,wasm}', { cwd: folder })) await rm(join(folder, old));
  const wasm = new Map<WasmName, Uint8Array>();
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'src/edge.ts', og: 'src/og.ts', 'wasm-files': 'src/edge/wasm-files.ts' },
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
    metafile: true,
    plugins: [precompiled(wasm)],
  });
  for (const file of Object.keys(metafile.outputs)) await forgetPlaces(join(ROOT, file));
  const licences = await licencesOf(Object.keys(metafile.inputs), ROOT);
  const ofInter = await readFile(join(dirname(INTER), '../LICENSE_FONT'), 'utf8');
  await writeFile(join(folder, 'LICENSES.txt'), `${licences}\n\n${'-'.repeat(80)}\n\nInter (OFL-1.1)\n\n${ofInter}`);
  for (const [name, path] of Object.entries(FILES)) wasm.set(name as WasmName, await readFile(path));
  for (const [name, bytes] of wasm) await writeFile(join(folder, `${name}.wasm`), bytes);
  for (const { module, prefix, eager, lazy } of ENTRIES) {
    for (const [runtime, provide] of Object.entries(RUNTIMES)) {
      await writeFile(
        join(folder, `${prefix}wasm-${runtime}.js`),
        `import { provideWasm } from './wasm-files.js';\n${provide(eager, lazy)}`,
      );
      const entry = `import './${prefix}wasm-${runtime}.js';\nexport * from './${module}';\n`;
      await writeFile(join(folder, `${prefix}${runtime}.js`), entry);
    }
  }
}

/** Files that come with libraries, or that `npm run kernel` compiled. */
const FILES: Readonly<Partial<Record<WasmName, string>>> = {
  harfbuzz: join(ROOT, 'node_modules/harfbuzzjs/dist/harfbuzz.wasm'),
  raster: join(ROOT, 'src/draw/output/raster/kernels.wasm'),
  png: join(ROOT, 'src/draw/encoders/png/kernels.wasm'),
  webp: join(ROOT, 'src/draw/encoders/webp/kernels.wasm'),
  'encode-jpeg': join(ROOT, 'node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'),
  'decode-jpeg': join(ROOT, 'node_modules/@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'),
  'decode-png': join(ROOT, 'node_modules/@jsquash/png/codec/pkg/squoosh_png_bg.wasm'),
  'decode-webp': join(ROOT, 'node_modules/@jsquash/webp/codec/dec/webp_dec.wasm'),
  satori: fileURLToPath(import.meta.resolve('satori/layout.wasm')),
  resvg: fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')),
};

const SATORI = fileURLToPath(import.meta.resolve('satori/standalone'));
const INTER = fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'));

/** Basic Latin, Latin-1, Latin Extended-A, and the punctuation and currencies that go with them. */
const LATIN = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x2010, 0x2027],
  [0x2030, 0x203a],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
] as const;

/**
 * Removes the URLs of .wasm files from libraries. They are never fetched, because the modules are passed in, but bundlers
 * look for all such files, and Next.js fails if one is missing. Also removes an assignment to `import.meta.url`, which
 * webpack replaces by a constant.
 */
async function forgetPlaces(file: string): Promise<void> {
  if (!file.endsWith('.js')) return;
  const code = await readFile(file, 'utf8');
  const mended = code
    .replace(/new URL\("[\w-]+\.wasm",import\.meta\.url\)(\.href)?/g, '""')
    .replace(/import\.meta\.url===void 0&&\(import\.meta\.url="[^"]*"\)/g, '0');
  await writeFile(file, mended);
}

/** The Latin letters of the default font, cut out by HarfBuzz's subsetter. */
async function latinSubset(): Promise<Uint8Array> {
  const file = await readFile(INTER);
  const path = join(ROOT, 'node_modules/harfbuzzjs/dist/harfbuzz-subset.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(path));
  const hb = instance.exports as unknown as Record<string, (...values: number[]) => number>;
  const memory = instance.exports.memory as WebAssembly.Memory;
  const call = (name: string, ...values: number[]) => hb[name]?.(...values) ?? 0;
  const at = call('malloc', file.length);
  new Uint8Array(memory.buffer).set(file, at);
  const WRITABLE = 2;
  const face = call('hb_face_create', call('hb_blob_create', at, file.length, WRITABLE, 0, 0), 0);
  const input = call('hb_subset_input_create_or_fail');
  const letters = call('hb_subset_input_unicode_set', input);
  for (const [first, last] of LATIN) for (let code = first; code <= last; code++) call('hb_set_add', letters, code);
  const subset = call('hb_subset_or_fail', face, input);
  if (subset === 0) throw new Error('HarfBuzz made no subset of Inter.');
  const blob = call('hb_face_reference_blob', subset);
  return new Uint8Array(memory.buffer).slice(
    ...bounds(call('hb_blob_get_data', blob, 0), call('hb_blob_get_length', blob)),
  );
}

const bounds = (start: number, length: number): [number, number] => [start, start + length];

const variable = (name: string) => name.replaceAll('-', '_');
const listOf = (names: readonly string[]) => names.map((name) => `'${name}': ${variable(name)}`).join(', ');
type Provide = (eager: readonly WasmName[], lazy: readonly WasmName[]) => string;

const imported =
  (query: string): Provide =>
  (...names) =>
    `${names
      .flat()
      .map((name) => `import ${variable(name)} from './${name}.wasm${query}';`)
      .join('\n')}
const files = { ${listOf(names.flat())} };
provideWasm(Object.keys(files), (name) => files[name]);
`;
const located =
  (compile: string): Provide =>
  (...names) =>
    `${compile}
const urls = {
${names
  .flat()
  .map((name) => `  '${name}': () => new URL('./${name}.wasm', import.meta.url),`)
  .join('\n')}
};
const files = new Map();
const file = (name) => {
  if (!files.has(name)) files.set(name, compile(urls[name]()));
  return files.get(name);
};
// All at once, as the bundle waits for each in turn.
for (const name of ${JSON.stringify(names[0])}) file(name).catch(() => {});
provideWasm(Object.keys(urls), file);
`;

/** How each runtime loads the files. URLs are written out one by one, so that bundlers find them. */
const RUNTIMES: Readonly<Record<string, Provide>> = {
  workerd: imported(''),
  'edge-light': imported('?module'),
  browser: located(
    `const compile = async (url) => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(\`\${url} answered \${answer.status}\`);
  return WebAssembly.compile(await answer.arrayBuffer());
};`,
  ),
  node: located(
    `import { readFile } from 'node:fs/promises';
// Turbopack's addresses are of a class of its own, which \`readFile\` does not take.
const compile = async ({ href }) => WebAssembly.compile(await readFile(new URL(href)));`,
  ),
};

/**
 * Patches libraries to start from compiled modules and to compile none themselves.
 *
 * @param wasm receives the bytes that they would have compiled, while they are bundled
 */
export function precompiled(wasm: Map<WasmName, Uint8Array>): Plugin {
  return {
    name: 'precompiled',
    setup({ onLoad, onResolve }) {
      // Emscripten's code paths for Node, which are never executed.
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
        const satori = await readFile(SATORI, 'utf8');
        wasm.set('harfbuzz-callbacks', callbackModule([...signaturesIn(index), ...signaturesIn(satori)]));
        const contents = changed(path, await readFile(path, 'utf8'), [
          NOT_NODE,
          [
            /var convertJsFunctionToWasm=\(func,sig\)=>\{.*?return wrappedFunc\};/,
            'var convertJsFunctionToWasm=callbackOf;',
            CALLBACKS,
          ],
        ]);
        return { contents, loader: 'js' };
      });
      change(/yoga-layout\/dist\/src\/index\.js$/, [
        'await loadYoga()',
        "await loadYoga(await emscriptenOptions('yoga'))",
        `import { emscriptenOptions } from ${JSON.stringify(join(ROOT, 'src/edge/wasm-files.ts'))};`,
      ]);
      // Of a hundred symbologies, those that templates have; and none of bwip-js's own drawing.
      change(/bwip-js\/dist\/bwipp\.mjs$/, [
        /function bwipp_lookup\(symbol\) \{[\s\S]*?\n\}/,
        `function bwipp_lookup(symbol) {\n  switch (symbol.replace(/-/g, '_')) {\n${lookups}\n  }\n}`,
      ]);
      change(/bwip-js\/dist\/bwip-js-gen\.mjs$/, [/export default \{[\s\S]*?\};/, 'export default { raw: ToRaw };']);
      onLoad({ filter: /wawoff2\/build\/decompress_binding\.js$/ }, async ({ path }) => {
        const codec = await woff2Codec(path);
        wasm.set('woff2', codec.wasm);
        return { contents: codec.contents, loader: 'js' };
      });
      // satori's own HarfBuzz is embedded as text and compiled at run time.
      onLoad({ filter: /satori\/dist\/standalone\.js$/ }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        const [whole = '', base64 = ''] = /"(AGFzb[\w+/=]{1000,})"/.exec(code) ?? [];
        wasm.set('satori-harfbuzz', Buffer.from(base64, 'base64'));
        const contents = changed(path, code, [
          [whole, '""'],
          [
            /if\((\w+)\.instantiateWasm\)return new Promise/,
            '$1.instantiateWasm=harfbuzz.instantiateWasm;$&',
            HARFBUZZ,
          ],
          [
            /(\w+)=\(\w+,\w+\)=>\{(let|var|const) \w+=Uint8Array\.of\(0,97,115,109.*?return \w+\}/,
            '$1=callbackOf',
            CALLBACKS,
          ],
          [/self\.location\.href/g, '""'],
        ]);
        return { contents, loader: 'js' };
      });
      onLoad({ filter: /inter-latin\.ts$/ }, async () => ({
        contents: `export default '${Buffer.from(await latinSubset()).toString('base64')}';`,
        loader: 'js',
      }));
      // Vercel's runtime throws when a module of Node is requested.
      change(/p-queue\/dist\/index\.js$/, [/globalThis\.process\?\.getBuiltinModule\?\.\(/g, '(() => undefined)(']);
      // Messages in fifty languages, of which only English is used.
      onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
        contents: "export { default as en } from './en.js';",
        loader: 'js',
      }));
      // Node gets the CommonJS form, whose exports are properties of one object.
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

/** wawoff2's decompressor as a module that starts from its compiled file `woff2` and compiles nothing itself. */
export async function woff2Codec(path: string): Promise<{ readonly contents: string; readonly wasm: Uint8Array }> {
  const code = await readFile(path, 'utf8');
  const [whole = '', base64 = ''] = /"data:application\/octet-stream;base64,([\w+/=]{1000,})"/.exec(code) ?? [];
  const contents = changed(path, code, [
    [whole, '""'],
    [/var ENVIRONMENT_IS_NODE=[^;]*;/, 'var ENVIRONMENT_IS_NODE=false;'],
    [/var Module=typeof Module!=="undefined"\?Module:\{\};/, `var Module=${STARTS_LATER};`, WASM_FILE],
    [/return new Function\("body".*?\)\(body\)\}/, 'return function(){return body.apply(this,arguments)}}'],
    [/var argsList="";var argsListWired="".*?return invokerFunction\}/, INVOKER],
  ]);
  return { contents: `${contents}\nexport default Module;`, wasm: Buffer.from(base64, 'base64') };
}

const ours = (file: string) => JSON.stringify(join(ROOT, 'src/edge', file));
const CALLBACKS = `import { callbackOf } from ${ours('harfbuzz-callbacks.ts')};`;
const HARFBUZZ = `import { emscriptenOptions } from ${ours('wasm-files.ts')};
const harfbuzz = await emscriptenOptions('satori-harfbuzz');`;

/** BWIPP's names (core/resolve/encode-code.ts). */
const symbologies = [...BARCODE_FORMATS.filter((format) => format !== 'gs1-qr'), 'gs1datamatrix', 'gs1qrcode'];
const lookups = symbologies
  .map((format) => {
    const name = format.replaceAll('-', '_');
    return `    case '${name}': return bwipp_${name};`;
  })
  .join('\n');

const WASM_FILE = `import { wasmFile } from ${ours('wasm-files.ts')};\n`;
/** Makes an old Emscripten module wait for its compiled file. */
const STARTS_LATER = `{instantiateWasm(imports,receive){wasmFile('woff2').then((module)=>receive(new WebAssembly.Instance(module,imports),module));return {}}}`;
/** What embind compiles at run time otherwise: a function that converts arguments and the result. */
const INVOKER = `return function(){
  if(arguments.length!==argCount-2)throwBindingError('function '+humanName+' takes '+(argCount-2)+' arguments');
  var destructors=needsDestructorStack?[]:null;
  var wired=[];
  if(isClassMethodFunc)wired.push(argTypes[1].toWireType(destructors,this));
  for(var i=2;i<argTypes.length;++i)wired.push(argTypes[i].toWireType(destructors,arguments[i-2]));
  var rv=cppInvokerFunc(cppTargetFunc,...wired);
  if(needsDestructorStack)runDestructors(destructors);
  else argTypes.slice(isClassMethodFunc?1:2).forEach((type,i)=>{if(type.destructorFunction!==null)type.destructorFunction(wired[i])});
  if(returns)return argTypes[0].fromWireType(rv);
}}`;

/** The code to replace, its replacement, and an import that the replacement needs. */
type Change = readonly [from: string | RegExp, to: string, head?: string];

const NOT_NODE: Change = [/var ENVIRONMENT_IS_NODE=[^;]*;/, 'var ENVIRONMENT_IS_NODE=false;'];

/** @throws Error if a library's code is not as expected */
function changed(path: string, code: string, changes: readonly Change[]): string {
  return changes.reduce((text, [from, to, head = '']) => {
    const next = text.replace(from, to);
    if (next === text) throw new Error(`${path}: there is no ${from} any more; look at scripts/build-edge.ts.`);
    return head + next;
  }, code);
}

/** The signatures of all functions that are passed to HarfBuzz. */
function signaturesIn(code: string): readonly string[] {
  const found = [...code.matchAll(/[,}]\s*"([vipfjd]{2,})"\)/g)].map(([, signature = '']) => signature);
  const calls = code.match(/Module\.addFunction\(/g)?.length ?? 0;
  if (found.length < calls) throw new Error(`There are ${calls} callbacks, of which ${found.length} say a signature.`);
  return [...new Set(found)].sort();
}

const TYPE_CODES: Readonly<Record<string, number>> = { i: 0x7f, p: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c };

/** A module that imports one function per signature from `e` and exports it under the same name. */
function callbackModule(found: readonly string[]): Uint8Array {
  const signatures = [...new Set(found)].sort();
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

/** LEB128 encoding of a number below 2 ** 28. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

if (import.meta.main) await buildEdge();
