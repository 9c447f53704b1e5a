// Installs a font package of the catalogue, from an npm archive or a folder, where the font library looks for it.
//
// Only the faces that the catalogue names and the licences are kept. A package is installed completely or not at all.

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '#base/errors.ts';
import type { CatalogFamily } from '#core/fonts/catalog.ts';
import { packageFolder } from './catalog.ts';
import { readFontInfo } from './font-info.ts';

/** Most bytes of an archive; the largest of the catalogue has 60 MB. */
export const MAX_ARCHIVE = 128 * 2 ** 20;
const MAX_UNPACKED = 512 * 2 ** 20;

/** Reads a file of the package by its path; null when it does not exist. */
type ReadPackageFile = (file: string) => Promise<Uint8Array | null>;

const LICENCES = ['package.json', 'LICENSE', 'LICENSE_FONT'];

/** @throws AppError when the archive's digest is not that of the catalogue */
export function checkIntegrity(archive: Uint8Array, { package: name, version, integrity }: CatalogFamily): void {
  const digest = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (digest === integrity) return;
  throw new AppError('invalid_request', `What the registry sent is not ${name} ${version}: its digest is ${digest}.`);
}

/** Where an npm registry has the archive of a package. @param registry without a trailing slash */
export const archiveUrl = (registry: string, { package: name, version }: Pick<CatalogFamily, 'package' | 'version'>) =>
  `${registry}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;

/**
 * Reads an archive in the format of `npm pack`, with `package/` before each name.
 *
 * @param most bytes that it may unpack to
 */
export async function inArchive(archive: Uint8Array, most = MAX_UNPACKED): Promise<ReadPackageFile> {
  const files = readTar(await promisify(gunzip)(archive, { maxOutputLength: most }).catch(refuse));
  return async (file) => files.get(`package/${file}`) ?? null;
}

const inFolder =
  (folder: string): ReadPackageFile =>
  (file) =>
    readFile(join(folder, file)).catch(() => null);

/**
 * Finds a family's package in a path that the user gives: an archive, a folder, or a folder that contains either, such
 * as npm's `node_modules`.
 */
export async function findIn(path: string, { package: name, version }: CatalogFamily): Promise<ReadPackageFile> {
  const archived = (await stat(path)).isDirectory() ? null : path;
  const packed = `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
  if (archived !== null) return inArchive(await readArchive(archived));
  const names = await readdir(path);
  const archive = [packed, `${name.split('/').at(-1)}-${version}.tgz`].find((each) => names.includes(each));
  if (archive !== undefined) return inArchive(await readArchive(join(path, archive)));
  const folders = [join(path, name), join(path, 'node_modules', name), path];
  for (const folder of folders) {
    const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    if (JSON.parse(manifest).name === name) return inFolder(folder);
  }
  throw new AppError('invalid_request', `${path} holds neither ${packed} nor a folder ${name}.`);
}

async function readArchive(path: string): Promise<Uint8Array> {
  if ((await stat(path)).size > MAX_ARCHIVE)
    throw new AppError('invalid_request', `${path} is too large for a package.`);
  return readFile(path);
}

/**
 * Installs a family's faces in `folder`, a folder of user fonts.
 *
 * @throws AppError when a face is missing, or is not the one in the catalogue
 */
export async function installFontPackage(family: CatalogFamily, read: ReadPackageFile, folder: string): Promise<void> {
  const place = packageFolder(folder, family.package);
  await mkdir(dirname(place), { recursive: true });
  const unfinished = await mkdtemp(join(dirname(place), '.unfinished-'));
  try {
    for (const { file, weight } of family.faces) {
      const bytes = await read(file);
      if (bytes === null) throw new AppError('invalid_request', `The package of ${family.family} lacks ${file}.`);
      const info = readFontInfo(bytes);
      if (info.family !== family.family || info.weight !== weight) {
        throw new AppError(
          'invalid_request',
          `${file} is ${info.family} ${info.weight}, not ${family.family} ${weight}.`,
        );
      }
      await write(join(unfinished, file), bytes);
    }
    for (const file of LICENCES) {
      const bytes = await read(file);
      if (bytes !== null) await write(join(unfinished, file), bytes);
    }
    await rm(place, { recursive: true, force: true });
    await rename(unfinished, place);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

const BLOCK = 512;

function refuse(cause?: unknown): never {
  throw new AppError('invalid_request', 'The archive is cut short or no archive of npm.', { cause });
}

/**
 * Reads the regular files of a tar archive (POSIX ustar); npm's font archives have no names longer than a header can
 * hold.
 */
function readTar(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const text = (start: number, length: number) =>
    Buffer.from(bytes.subarray(start, start + length))
      .toString('latin1')
      .replace(/\0.*$/s, '');
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    if (!Number.isSafeInteger(size) || at + BLOCK + size > bytes.length) refuse();
    const prefix = text(at + 345, 155);
    const name = `${prefix === '' ? '' : `${prefix}/`}${text(at, 100)}`;
    const type = text(at + 156, 1);
    if (type === '0' || type === '') files.set(name, bytes.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
