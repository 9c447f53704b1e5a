// Bundles the pure-JavaScript libraries that the sources import into `vendor`, so that an install does not bring them.
//
// What package.json names as `dependencies` stays outside: native modules, WebAssembly, fonts, and zod, whose types ours
// name. A library stays a module of its own, loaded when it is first imported; code that two share is a chunk.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { licencesOf } from './licences.ts';

const ROOT = join(import.meta.dirname, '..');

/** Drivers and accelerators that libraries ask for and do without. */
const OPTIONAL = [
  ...[
    'better-sqlite3',
    'mariadb',
    'mysql',
    'mysql2',
    'oracledb',
    'pg',
    'pg-native',
    'pg-query-stream',
    'sqlite3',
    'tedious',
  ],
  ...['bufferutil', 'utf-8-validate', 'supports-color', 'proxy-agent'],
];

export interface Library {
  /** As the sources import it: `culori/require`. */
  readonly specifier: string;
  /** Whether it is for browsers too, and so must ask nothing of Node. */
  readonly isCore: boolean;
}

/** Whether `specifier` is of a package that an install has beside ours. */
export async function externalPackages(): Promise<(specifier: string) => boolean> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  });
  return (specifier) => names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** Where in `vendor` a library is put. */
export const fileOf = (specifier: string) => `${specifier.replace(/^@/, '').replace(/\.js$/, '')}.js`;

/** Writes each library to `folder`, and the licences of all that is in them. */
export async function bundleLibraries(libraries: readonly Library[], folder: string): Promise<void> {
  const isExternal = await externalPackages();
  const inputs: string[] = [];
  for (const isCore of [true, false]) {
    const { inputs: files } = await bundle(
      libraries.filter((library) => library.isCore === isCore),
      join(folder, isCore ? 'core' : 'node'),
      isCore ? { platform: 'neutral', mainFields: ['module', 'main'] } : { platform: 'node' },
      isExternal,
    );
    inputs.push(...Object.keys(files).filter((file) => !file.includes('/.entries/')));
  }
  await writeFile(join(folder, 'LICENSES.txt'), await licencesOf(inputs, ROOT));
}

async function bundle(
  libraries: readonly Library[],
  folder: string,
  options: BuildOptions,
  isExternal: (specifier: string) => boolean,
): Promise<Metafile> {
  // Real files, `.mjs`: only then does esbuild take the default export of CommonJS for what Node does.
  // Always in the same place, which the names of chunks come from.
  const entries = join(ROOT, 'node_modules/.entries');
  await mkdir(entries, { recursive: true });
  const entryPoints: Record<string, string> = {};
  for (const [i, { specifier }] of libraries.entries()) {
    const entry = join(entries, `${options.platform}-${i}.mjs`);
    await writeFile(entry, await entryOf(specifier));
    entryPoints[fileOf(specifier).replace(/\.js$/, '')] = entry;
  }
  const { metafile } = await build({
    ...options,
    entryPoints,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'node22.12',
    metafile: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'inline',
    // Beside 'import' or 'require', by how a library asks: pg requires pg-pool, whose module is another thing.
    conditions: ['module'],
    logLevel: 'error',
    external: OPTIONAL.filter((name) => !libraries.some(({ specifier }) => specifier === name)),
    absWorkingDir: ROOT,
    plugins: [
      {
        name: 'libraries',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path }) => (isExternal(path) ? { path, external: true } : undefined));
        },
      },
    ],
  });
  for (const file of Object.keys(metafile.outputs)) {
    if (!file.endsWith('.js') || options.platform === 'neutral') continue;
    await giveRequire(join(ROOT, file));
  }
  return metafile;
}

/** A module that exports by name what Node sees a library export, be it CommonJS. */
async function entryOf(specifier: string): Promise<string> {
  const names = Object.keys(await import(specifier)).filter(
    (name) => name !== 'module.exports' && name !== '__esModule',
  );
  return `export { ${names.join(', ')} } from ${JSON.stringify(specifier)};\n`;
}

/** CommonJS that is written as a module asks Node's modules of a `require`, which modules lack. */
async function giveRequire(file: string): Promise<void> {
  const code = await readFile(file, 'utf8');
  if (!/typeof require\b/.test(code)) return;
  const given =
    "import { createRequire as createRequireOf } from 'node:module';const require = createRequireOf(import.meta.url);";
  await writeFile(file, given + code);
}

/** How a built file, relative to the folder of all, imports a library. */
export const specifierFrom = (file: string, library: Library) => {
  const path = relative(dirname(file), join('vendor', library.isCore ? 'core' : 'node', fileOf(library.specifier)));
  return path.startsWith('.') ? path : `./${path}`;
};
