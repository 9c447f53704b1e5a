// Joins the built modules of `dist` into few files. Loading one of four hundred files took a third of the time of
// `platen render`.
//
// What a render of a layers template loads is one file, without what small threads and processes load too; everything
// else is divided by what is imported together. Libraries in `vendor` remain files of their own, and so do modules that
// are started as threads and processes.

import { glob, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type ChunkingContext, type OutputChunk, type Plugin, rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');

/** The module whose static imports become one file. */
const RENDER = 'cli/render-file.js';
/** Modules that are imported from outside; threads and processes are found by their URLs. */
const ENTRIES = ['cli/main.js', 'index.js'];
/** Modules that index.cjs requires, which it could not if they were joined with others that start asynchronously. */
const REQUIRED = ['base/errors.js', 'core/diagnostics.js'];
const BROWSER_ENTRY = 'browser.js';

/** Small libraries that every render loads. */
const JOINED = ['commander.js', 'culori/require.js', 'uqr.js', 'p-queue.js'];

/**
 * Libraries with a top-level await. A thread or process that needs neither must not load them: it would start slowly,
 * and a thread that is ended while it waits for them ends the whole process (src/draw/renderer/thread-entry.ts).
 */
const AWAITED = /harfbuzzjs|yoga-layout/;

/** A module that is started by its URL. */
const STARTED = /new URL\(["'](\.\/[\w-]+\.js)["'], import\.meta\.url\)/g;

/** Replaces the modules in a folder, as build-package.ts has written them. */
export async function bundleModules(folder: string): Promise<void> {
  const modules: string[] = [];
  for await (const file of glob('**/*.js', { cwd: folder })) {
    if (!/^(vendor|edge|draw\/fonts\/packages|studio|docs)\//.test(file)) modules.push(file);
  }
  const started: string[] = [];
  for (const file of modules) {
    const code = await readFile(join(folder, file), 'utf8');
    for (const [, name = ''] of code.matchAll(STARTED)) started.push(join(dirname(file), name));
  }
  const written = new Set([
    ...(await bundle(folder, [...ENTRIES, ...REQUIRED], started)),
    ...(await bundle(folder, [BROWSER_ENTRY], [])),
  ]);
  for (const file of modules) if (!written.has(file)) await rm(join(folder, file));
}

/**
 * @param started entries too: the modules of threads and processes
 * @returns the files that were written, relative to the folder
 */
async function bundle(folder: string, entries: readonly string[], started: readonly string[]): Promise<string[]> {
  const isForBrowsers = entries.includes(BROWSER_ENTRY);
  const ours = `${resolve(folder)}/`;
  let render: ReadonlySet<string> | null = null;
  let small: readonly ReadonlySet<string>[] | null = null;
  const build = await rolldown({
    input: Object.fromEntries([...entries, ...started].map((file) => [file.replace(/\.js$/, ''), join(folder, file)])),
    platform: isForBrowsers ? 'browser' : 'node',
    external: (specifier) => isExternal(specifier, ours, isForBrowsers),
    plugins: [places(ours)],
    // No comments that name the folder: the same sources give the same bytes wherever they are built.
    experimental: { attachDebugInfo: 'none' },
    // Advice about time, which a slow machine would turn into a failure below.
    checks: { bundlerTimings: false },
    onLog: (level, log) => {
      if (level === 'warn' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      groups: [
        { name: 'errors', test: (id) => REQUIRED.includes(relative(ours, id)), priority: started.length + 1 },
        // A group takes what its modules import, so those that import least come first.
        ...started.map((_, index) => ({
          debugName: 'started',
          name: (id: string, context: ChunkingContext) => {
            small ??= started
              .map((file) => importedBy(join(ours, file), context))
              .filter((imported) => ![...imported].some((specifier) => AWAITED.test(specifier)))
              .sort((a, b) => a.size - b.size);
            render ??= importedBy(join(ours, RENDER), context);
            return render.has(id) && small[index]?.has(id) ? `started-${index}` : null;
          },
          priority: started.length - index,
        })),
        {
          debugName: 'render',
          name: (id, context) => {
            render ??= importedBy(join(ours, RENDER), context);
            return render.has(id) ? 'render' : null;
          },
        },
      ],
    },
  });
  await build.close();
  return output.map(({ fileName }) => fileName);
}

/**
 * Libraries stay outside. Of those that are installed with the package, zod alone is bundled, because it is a hundred
 * files; not for browsers, whose bundler should find one zod.
 */
function isExternal(specifier: string, ours: string, isForBrowsers: boolean): boolean {
  if (/^zod($|\/)/.test(specifier)) return isForBrowsers;
  if (specifier.startsWith(join(ours, 'vendor'))) return !JOINED.some((library) => specifier.endsWith(library));
  return /^[^./#]/.test(specifier);
}

/** A module and all that it imports statically. */
function importedBy(first: string, context: ChunkingContext): ReadonlySet<string> {
  const found = new Set([first]);
  for (const file of found) for (const imported of context.getModuleInfo(file)?.importedIds ?? []) found.add(imported);
  return found;
}

/** Finds our modules, and keeps what they say about their place true in the file into which they are joined. */
function places(ours: string): Plugin {
  const marked = (file: string) => `@place:${file}@`;
  return {
    name: 'places',
    async resolveId(specifier, _importer, options) {
      if (specifier.startsWith('#')) return join(ours, specifier.slice(1));
      if (/^zod($|\/)/.test(specifier))
        return this.resolve(specifier, join(ROOT, 'package.json'), { ...options, skipSelf: true });
      return null;
    },
    async load(path) {
      // Messages in fifty languages, of which only English is used.
      if (/zod\/v4\/locales\/index\.js$/.test(path)) return "export { default as en } from './en.js';";
      if (!path.startsWith(ours)) return null;
      const file = relative(ours, path);
      return (await readFile(path, 'utf8'))
        .replaceAll(/import\((`\.[^`]*\$\{[^`]*`)\)/g, 'import(new URL($1, import.meta.url).href)')
        .replaceAll('import.meta.url', `new URL("${marked(file)}", import.meta.url).href`)
        .replaceAll('import.meta.dirname', `(import.meta.dirname + "/${marked(dirname(file))}")`);
    },
    generateBundle(_options, output) {
      for (const chunk of Object.values(output)) if (chunk.type === 'chunk') chunk.code = placed(chunk);
    },
  };
}

function placed({ code, fileName }: OutputChunk): string {
  return code
    .replace(/@place:([^@]*)@/g, (_, file: string) => `./${relative(dirname(fileName), file)}`)
    .replace(
      NAMES_OF_NODE,
      (_, names: string, from: string) =>
        `const ${names.replaceAll(' as ', ': ')} = globalThis.process.getBuiltinModule(${from});`,
    )
    .replace(BEYOND_LATIN_1, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * V8 keeps the text of a file that has one such character in two bytes a character, once for every thread: 4 MB of a
 * server. An escape means the same in strings, patterns and names; `String.raw` is the exception.
 */
const BEYOND_LATIN_1 = /[\u0100-\uffff]/g;

/**
 * Imports of Node's modules. To import one, Node reads all of its exports, and so loads what some of them are made of:
 * streams for `fs`, threads for `util`.
 */
const NAMES_OF_NODE = /^import (\{[^}]*\}|\w+) from ("node:[\w/]+");$/gm;
