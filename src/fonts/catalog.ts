// fonts/catalog.json as this installation has it: the file itself, and where its packages lie.
//
// The file is made by scripts/build-catalog.ts from the packages themselves; font files are never copied into the repository.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Catalog } from '#core/fonts/catalog.ts';

const CATALOG_FILE = join(import.meta.dirname, '../../fonts/catalog.json');

export function readCatalog(): Catalog {
  return JSON.parse(readFileSync(CATALOG_FILE, 'utf8'));
}

/** The folder of an installed npm package, or null. */
export type FindPackage = (name: string) => string | null;

const require = createRequire(import.meta.url);

/** Where a package's files lie in a folder of the user's fonts, or in a published Platen. */
export const packageFolder = (folder: string, name: string) => join(folder, 'packages', name);

/** A published Platen has its own copies, so that what a user installs beside it changes no picture. */
export const findPackage: FindPackage = (name) => {
  const copied = packageFolder(import.meta.dirname, name);
  if (existsSync(copied)) return copied;
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
};

/** Finds what came along or npm installed, or else what `platen fonts add` put into one of the folders. */
export function findPackageIn(folders: readonly string[]): FindPackage {
  return (name) =>
    findPackage(name) ?? folders.map((each) => packageFolder(each, name)).find((each) => existsSync(each)) ?? null;
}

/** Where a file of a catalogue package lies; null = the package is not installed. */
export function fileFinder(findPackage: FindPackage): (name: string) => ((file: string) => string) | null {
  return (name) => {
    const folder = findPackage(name);
    return folder === null ? null : (file) => join(folder, file);
  };
}
