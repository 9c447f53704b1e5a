// Bundles the pure-JavaScript libraries that the sources import into `vendor`, so that they are not installed as
// dependencies.
//
// Packages in `dependencies` of package.json are not bundled: native modules, WebAssembly, fonts, and zod, whose types
// are part of ours. Each library remains a module that is loaded on first import; code shared by two libraries is a
// chunk.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { licencesOf } from './licences.ts';

const ROOT = join(import.meta.dirname, '..');

/** Drivers and accelerators that libraries try to load and can do without. */
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
  /** As the sources import it, such as `culori/require`. */
  readonly specifier: string;
  /** Whether it is for browsers too, and so must not use Node. */
  readonly isCore: boolean;
}

/** Returns a function that says whether a specifier belongs to a package that is installed beside ours. */
export async function externalPackages(): Promise<(specifier: string) => boolean> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  });
  return (specifier) => names.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** The path of a library in `vendor`. */
export const fileOf = (specifier: string) => `${specifier.replace(/^@/, '').replace(/\.js$/, '')}.js`;

/** Writes each library to `folder`, and the licences of everything bundled. */
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
  // bundle-modules.ts bundles zod with our own files.
  inputs.push('node_modules/zod/index.js');
  await writeFile(join(folder, 'LICENSES.txt'), await licencesOf(inputs, ROOT));
}

async function bundle(
  libraries: readonly Library[],
  folder: string,
  options: BuildOptions,
  isExternal: (specifier: string) => boolean,
): Promise<Metafile> {
  // Real files ending in `.mjs`: only then does esbuild interpret the default export of CommonJS as Node does. Always
  // at the same path, because chunk names depend on it.
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
    legalComments: 'inline',
    // In addition to 'import' or 'require', depending on how a library imports: pg requires pg-pool, whose module
    // differs.
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

/** A module that exports the names that Node sees in a library, also for CommonJS. */
async function entryOf(specifier: string): Promise<string> {
  const names = Object.keys(await import(specifier)).filter(
    (name) => name !== 'module.exports' && name !== '__esModule',
  );
  return `export { ${names.join(', ')} } from ${JSON.stringify(specifier)};\n`;
}

/** CommonJS converted to a module gets Node's modules from `require`, which modules do not have. */
async function giveRequire(file: string): Promise<void> {
  const code = await readFile(file, 'utf8');
  if (!/typeof require\b/.test(code)) return;
  const given =
    "import { createRequire as createRequireOf } from 'node:module';const require = createRequireOf(import.meta.url);";
  await writeFile(file, given + code);
}

/** The specifier with which a built file, relative to the output folder, imports a library. */
export const specifierFrom = (file: string, library: Library) => {
  const path = relative(dirname(file), join('vendor', library.isCore ? 'core' : 'node', fileOf(library.specifier)));
  return path.startsWith('.') ? path : `./${path}`;
};
