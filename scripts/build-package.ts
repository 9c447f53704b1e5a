// Builds what is published: `src` as JavaScript in `dist`, with types for those who import it. `npm run build`.
//
// A file stays a file, so that workers, wasm modules and stack traces are found where the sources have them. Only syntax
// is changed: types go, `using` is spelled out for Node 22, and specifiers end in `.js`. Node strips no types inside
// node_modules, which is why there is a build at all.

import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src');

/** The oldest Node that runs what is built. */
const TARGET = 'node22.12';

/** @param folder where to; absent: `dist` */
export async function buildPackage(folder = join(ROOT, 'dist')): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for await (const file of glob('**/*', { cwd: SOURCES, withFileTypes: false })) {
    // The sources of what stands beside them as .wasm.
    if (file.endsWith('.d.ts') || /\/kernels\//.test(file)) continue;
    // Bundled by Vite: `npm run build:studio`.
    if (file.startsWith('studio/')) continue;
    if (file.endsWith('.ts')) await buildModule(file, folder);
    else if (/\.\w+$/.test(file)) await cp(join(SOURCES, file), join(folder, file));
  }
  await buildTypes(folder);
}

async function buildModule(file: string, folder: string): Promise<void> {
  const source = await readFile(join(SOURCES, file), 'utf8');
  const { code } = await transform(source, {
    loader: 'ts',
    target: TARGET,
    format: 'esm',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  const to = join(folder, file.replace(/\.ts$/, '.js'));
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, toJavaScript(code));
}

/** Declarations of the entries and of all that they name. */
async function buildTypes(folder: string): Promise<void> {
  const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', SOURCES];
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['--project', join(ROOT, 'tsconfig.package.json'), ...flags, '--outDir', folder], {
    cwd: ROOT,
  });
  for await (const file of glob('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    await writeFile(path, toJavaScript(await readFile(path, 'utf8')));
  }
}

/** Specifiers of our own modules, in imports, workers and URLs, end in `.js`. */
function toJavaScript(code: string): string {
  return code
    .replace(/((?:from|import|new URL)\s*\(?\s*["'](?:\.\.?\/|#)[^"'\n]*?)\.ts(["'])/g, '$1.js$2')
    .replace(/((?:from|import)\s*\(?\s*["']#errors)(["'])/g, '$1.js$2');
}

if (import.meta.main) await buildPackage();
