// Reads fonts/catalog.json and finds the installed font packages.
//
// scripts/build-catalog.ts creates the file from the packages themselves; font files are never copied into the
// repository.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import type { Catalog } from '#core/fonts/catalog.ts';

const CATALOG_FILE = join(import.meta.dirname, '../../../fonts/catalog.json');

export function readCatalog(): Catalog {
  return JSON.parse(readFileSync(CATALOG_FILE, 'utf8'));
}

/** The folder of an installed npm package, or null. */
export type FindPackage = (name: string) => string | null;

const require = createRequire(import.meta.url);

/** The folder of a package in a folder of user fonts, or in a published Platen. */
export const packageFolder = (folder: string, name: string) => join(folder, 'packages', name);

/**
 * Finds a package. A published Platen has its own copies, so that packages that a user installs next to it change no
 * picture.
 */
export const findPackage: FindPackage = (name) => {
  const copied = packageFolder(import.meta.dirname, name);
  if (existsSync(copied)) return copied;
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
};

/**
 * Finds packages shipped with Platen or installed by npm, otherwise those that `platen fonts add` put into one of the
 * folders.
 */
export function findPackageIn(folders: readonly string[]): FindPackage {
  return (name) =>
    findPackage(name) ?? folders.map((each) => packageFolder(each, name)).find((each) => existsSync(each)) ?? null;
}

/** Returns the path of a file in a catalogue package; null = the package is not installed. */
export function fileFinder(findPackage: FindPackage): (name: string) => ((file: string) => string) | null {
  return (name) => {
    const folder = findPackage(name);
    // Not `join`, which would take longer than reading the catalogue.
    return folder === null ? null : (file) => folder + sep + file;
  };
}
