// Builds the published package: `src` as JavaScript in `dist`, with types for importers. `npm run build`.
//
// First each source becomes a file of its own. Only syntax changes: types are removed, `using` is transformed for
// Node 22, and specifiers end in `.js`. A build is needed because Node strips no types inside node_modules. Libraries
// that are not installed with the package are bundled into `dist/vendor`. Then bundle-modules.ts joins our files.

import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type TransformOptions, transform } from 'esbuild';
import { findPackage, packageFolder, readCatalog } from '../src/draw/fonts/catalog.ts';
import { buildEdge } from './build-edge.ts';
import { buildEditor } from './build-editor.ts';
import { bundleLibraries, externalPackages, type Library, specifierFrom } from './bundle-libraries.ts';
import { bundleModules } from './bundle-modules.ts';
import { writePackageTypes } from './package-types.ts';
import { replaceFolder } from './replace-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src');

/** The oldest Node that can run the output. */
const TARGET = 'node22.12';
const TRANSFORM: TransformOptions = {
  loader: 'ts',
  target: TARGET,
  format: 'esm',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
};

/** The folders of `dist` that other scripts write: the studio and the documentation. */
export const BUILT_BY_OTHERS = ['studio', 'docs'];

/** The MIT licence applies to the package, the Open Font License to the font. */
const BESIDE = ['package.json', 'LICENSE', 'LICENSE_FONT'];

/**
 * Copies all families but those installed on demand. @param folder the destination, a folder as `packageFolder` takes
 * it
 */
async function copyFonts(folder: string): Promise<void> {
  for (const family of readCatalog().families.filter((each) => each.group === undefined)) {
    const from = findPackage(family.package);
    if (from === null) throw new Error(`${family.package} is not installed: npm ci`);
    for (const file of [...family.faces.map((face) => face.file), ...BESIDE]) {
      const to = join(packageFolder(folder, family.package), file);
      await mkdir(dirname(to), { recursive: true });
      await cp(join(from, file), to);
    }
  }
}

async function buildPackage(folder: string): Promise<void> {
  await buildModules(folder);
  await copyFonts(join(folder, 'draw/fonts'));
  await buildEdge(join(folder, 'edge'));
  await buildEditor(join(folder, 'editor'));
  await buildTypes(folder);
}

/** Writes what the `platen` command needs, without the fonts: modules and libraries. */
export async function buildModules(folder: string): Promise<void> {
  const libraries = await findLibraries();
  for await (const file of glob('**/*', { cwd: SOURCES, withFileTypes: false })) {
    // Sources of the .wasm files beside them.
    if (file.endsWith('.d.ts') || /\/kernels\//.test(file)) continue;
    // Bundled by Vite: `npm run build:studio`.
    if (file.startsWith('studio/')) continue;
    // Bundled by build-edge.ts and build-editor.ts.
    if (isOfBundle(file)) continue;
    if (file.endsWith('.ts')) await buildModule(file, folder, libraries);
    else if (/\.\w+$/.test(file)) await cp(join(SOURCES, file), join(folder, file));
  }
  await bundleLibraries([...libraries.values()], join(folder, 'vendor'));
  await bundleModules(folder);
}

/** Whether a source belongs to the entries that are bundles of their own: for edge runtimes, and the editor. */
const isOfBundle = (file: string) => /^(edge|og|editor)(\.ts|\/)/.test(file);

/** An import of a package: its specifier, or the beginning of one that ends in a variable. */
const PACKAGE_IMPORT = /(?<=^(?:import|export)\s[^;]*?from\s*|^import\s*|\bimport\()(["'`])(?![.#]|node:)([^"'`$]+)/gm;

/** The libraries to bundle, by specifier. */
async function findLibraries(): Promise<ReadonlyMap<string, Library>> {
  const isExternal = await externalPackages();
  const isCore = new Map<string, boolean>();
  for await (const file of glob('**/*.ts', { cwd: SOURCES })) {
    if (file.startsWith('studio/') || isOfBundle(file)) continue;
    const { code } = await transform(await readFile(join(SOURCES, file), 'utf8'), TRANSFORM);
    for (const [, quote, specifier = ''] of code.matchAll(PACKAGE_IMPORT)) {
      if (isExternal(specifier)) continue;
      const named = quote === '`' ? await globLibraries(specifier) : [specifier];
      for (const each of named) isCore.set(each, (isCore.get(each) ?? false) || file.startsWith('core/'));
    }
  }
  return new Map([...isCore].map(([specifier, core]) => [specifier, { specifier, isCore: core }]));
}

/** The modules of a package that a variable specifier may name, without a broken one (hyphen's `cu`). */
async function globLibraries(prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(`${prefix}*.js`, { cwd: join(ROOT, 'node_modules') })) {
    if (
      await import(file).then(
        () => true,
        () => false,
      )
    )
      found.push(file);
  }
  return found.sort();
}

async function buildModule(file: string, folder: string, libraries: ReadonlyMap<string, Library>): Promise<void> {
  const source = await readFile(join(SOURCES, file), 'utf8');
  const { code } = await transform(source, TRANSFORM);
  const to = join(folder, file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(to), { recursive: true });
  const bundled = code.replace(PACKAGE_IMPORT, (whole, quote: string, specifier: string) => {
    const library = libraries.get(specifier);
    if (library) return quote + specifierFrom(file, library);
    const [one] = quote === '`' ? [...libraries.values()].filter((each) => each.specifier.startsWith(specifier)) : [];
    return one ? quote + specifierFrom(file, { ...one, specifier }).replace(/\.js$/, '') : whole;
  });
  await writeFile(to, toJavaScript(bundled));
}

/** Declarations of the entries and of everything that they reference. */
async function buildTypes(folder: string): Promise<void> {
  const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', SOURCES];
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['--project', join(ROOT, 'tsconfig.package.json'), ...flags, '--outDir', folder], {
    cwd: ROOT,
  });
  await writePackageTypes(folder);
  for await (const file of glob('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    await writeFile(path, toJavaScript(await readFile(path, 'utf8')));
  }
}

/** Makes the specifiers of our own modules, in imports, workers and URLs, end in `.js`. */
function toJavaScript(code: string): string {
  return code.replace(/((?:from|import|new URL)\s*\(?\s*["'](?:\.\.?\/|#)[^"'\n]*?)\.ts(["'])/g, '$1.js$2');
}

if (import.meta.main) await replaceFolder(join(ROOT, 'dist'), BUILT_BY_OTHERS, buildPackage);
