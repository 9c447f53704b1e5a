// Packs Platen with Node for each platform: `npm run dist` makes `release/platen-linux-x64.tar.zst` and the like.
//
// The content comes from `npm pack` and, by the lock file, from the npm registry, which has Node and the native modules
// of every platform. Names are sorted, times and owners are fixed, so the same sources give the same bytes.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, cp, glob, mkdir, mkdtempDisposable, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';
import { constants, createZstdCompress } from 'node:zlib';

import { readCatalog } from '../src/draw/fonts/catalog.ts';
import { buildDeb, letAllRead } from './build-deb.ts';
import { billOfMaterials } from './sbom.ts';

const ROOT = join(import.meta.dirname, '..');
const RELEASE = join(ROOT, 'release');

const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Files that an installed program does not need: types, sources, maps, headers, documents other than licences. */
const UNUSED = ['**/*.{ts,cts,mts,map,h,md}', '**/{include,src,tests,.bin}/', 'node_modules/.package-lock.json'];
/** Documents with licences: of libvips and the libraries inside it, only the README names them. */
const LICENCE = /(^|\/)licen[cs]e[^/]*\.md$|@img\/sharp-libvips-[^/]+\/README\.md$/i;

const run = promisify(execFile);

export interface DistOptions {
  readonly architectures: readonly Architecture[];
  /** zstd's compression level, 1 to 19. */
  readonly level: number;
  /** Also builds a Debian package for each architecture. */
  readonly deb: boolean;
}

/**
 * Writes the npm package, `platen-linux-<architecture>/`, its archive, its software bill of materials, and `SHA256SUMS`
 * to `release/`.
 */
export async function buildDist({ architectures, level, deb }: DistOptions): Promise<void> {
  await rm(RELEASE, { recursive: true, force: true });
  await mkdir(RELEASE);
  const date = await sourceDate();
  await using packed = await mkdtempDisposable(join(tmpdir(), 'platen-pack-'));
  await run('npm', ['pack', '--pack-destination', packed.path], { cwd: ROOT, maxBuffer: 2 ** 26 });
  const made = await names('*.tgz', packed.path);
  for (const file of made) await cp(join(packed.path, file), join(RELEASE, file));
  for (const architecture of architectures) {
    const folder = join(RELEASE, `platen-linux-${architecture}`);
    await assemble(folder, architecture, packed.path);
    made.push(await archive(folder, date, level));
    const fonts = readCatalog().families.filter((each) => each.group === undefined);
    const copied = fonts.map(({ package: name, version }) => `${name}@${version}`);
    const lib = join(folder, 'lib/platen');
    const bill = `platen-linux-${architecture}.cdx.json`;
    await writeFile(join(RELEASE, bill), await billOfMaterials(ROOT, architecture, lib, copied, date));
    made.push(bill);
    if (deb) made.push(await buildDeb(folder, architecture, RELEASE, date));
  }
  const sums = await Promise.all(made.map(async (file) => `${await digestOf(join(RELEASE, file))}  ${file}\n`));
  await writeFile(join(RELEASE, 'SHA256SUMS'), sums.join(''));
}

/** When the sources last changed, s since 1970; used as the date of all files. */
async function sourceDate(): Promise<number> {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  if (given !== undefined) return Number(given);
  const { stdout } = await run('git', ['log', '-1', '--format=%ct'], { cwd: ROOT }).catch(() => ({ stdout: '0' }));
  return Number(stdout);
}

/** Assembles bin/platen, lib/node, and lib/platen with its modules. */
async function assemble(folder: string, architecture: Architecture, packed: string): Promise<void> {
  const lib = join(folder, 'lib/platen');
  await mkdir(lib, { recursive: true });
  const [archived = ''] = await names('*.tgz', packed);
  await run('tar', ['-xzf', join(packed, archived), '-C', lib, '--strip-components=1']);

  await using modules = await mkdtempDisposable(join(tmpdir(), 'platen-modules-'));
  for (const file of ['package.json', 'package-lock.json', 'scripts/node/package.json']) {
    await cp(join(ROOT, file), join(modules.path, file));
  }
  const platform = ['--os=linux', `--cpu=${architecture}`, '--libc=glibc'];
  const flags = ['--omit=dev', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...platform, ...flags], { cwd: modules.path });
  // Without a checkout's driver of SQLite, which is not compiled here: what is packed has Node's own.
  const checkout = join(modules.path, 'scripts/node/package.json');
  const { optionalDependencies, ...manifest } = JSON.parse(await readFile(checkout, 'utf8'));
  const { sqlite3: _, ...kept } = optionalDependencies;
  await writeFile(checkout, JSON.stringify({ ...manifest, optionalDependencies: kept }));
  await run('npm', ['prune', ...platform, ...flags], { cwd: modules.path });
  const node = join(modules.path, `node_modules/node-linux-${architecture}`);
  await rename(await moved(join(node, 'bin/node'), join(folder, 'lib')), join(folder, 'lib/node'));
  await cp(join(node, 'LICENSE'), join(folder, 'lib/LICENSE-node'));
  await rm(node, { recursive: true });
  await rm(join(modules.path, 'node_modules/platen-node'), { recursive: true, force: true });
  await cp(join(modules.path, 'node_modules'), join(lib, 'node_modules'), { recursive: true, verbatimSymlinks: true });

  const unused = (await names(UNUSED, lib)).filter((name) => !LICENCE.test(name));
  for (const name of unused) await rm(join(lib, name), { recursive: true, force: true });
  await cp(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  await mkdir(join(folder, 'bin'));
  await cp(join(ROOT, 'packaging/platen'), join(folder, 'bin/platen'));
  await chmod(join(folder, 'bin/platen'), 0o755);
  await letAllRead(folder);
}

/** Copies a file into a folder under its own name. */
async function moved(file: string, folder: string): Promise<string> {
  const to = join(folder, '.node');
  await mkdir(dirname(to), { recursive: true });
  await cp(file, to);
  return to;
}

async function names(pattern: string | readonly string[], cwd: string): Promise<string[]> {
  const found: string[] = [];
  for await (const name of glob(pattern as string[], { cwd })) found.push(name);
  return found.sort();
}

/** @returns the archive's file name, in the parent folder */
async function archive(folder: string, date: number, level: number): Promise<string> {
  const file = `${folder}.tar.zst`;
  const name = folder.slice(RELEASE.length + 1);
  const alike = ['--sort=name', `--mtime=@${date}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  const tar = `${folder}.tar`;
  await run('tar', [...alike, '-cf', tar, '-C', RELEASE, name]);
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_windowLog]: 27 };
  // In chunks of a fixed size, because zstd's output depends on them.
  await pipeline(
    createReadStream(tar, { highWaterMark: 2 ** 20 }),
    createZstdCompress({ params }),
    createWriteStream(file),
  );
  await rm(tar);
  return `${name}.tar.zst`;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      architecture: { type: 'string', multiple: true, default: [...ARCHITECTURES] },
      level: { type: 'string', default: '19' },
      deb: { type: 'boolean', default: false },
    },
  });
  const isKnown = (name: string): name is Architecture => (ARCHITECTURES as readonly string[]).includes(name);
  const unknown = values.architecture.find((name) => !isKnown(name));
  if (unknown !== undefined) throw new Error(`${unknown} is none of the architectures ${ARCHITECTURES.join(', ')}.`);
  await buildDist({
    architectures: values.architecture.filter(isKnown),
    level: Number(values.level),
    deb: values.deb,
  });
  console.log(await readFile(join(RELEASE, 'SHA256SUMS'), 'utf8'));
}
