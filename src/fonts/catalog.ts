// fonts/catalog.json as this installation has it: the file itself, and where its packages lie.
//
// The file is made by scripts/build-catalog.ts from the packages themselves; font files are never copied.

import { readFileSync } from 'node:fs';
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

export const findPackage: FindPackage = (name) => {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
};

/** Where a file of a catalogue package lies; null = the package is not installed. */
export function fileFinder(findPackage: FindPackage): (name: string) => ((file: string) => string) | null {
  return (name) => {
    const folder = findPackage(name);
    return folder === null ? null : (file) => join(folder, file);
  };
}
