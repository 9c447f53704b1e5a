// Copies the catalogue's faces from their npm packages, with their licences, to where an installed Platen finds them.

import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findPackage, packageFolder, readCatalog } from '../src/fonts/catalog.ts';

/** The MIT licence applies to the package, the Open Font License to the font. */
const BESIDE = ['package.json', 'LICENSE', 'LICENSE_FONT'];

/**
 * Copies all families but those installed on demand. @param folder the destination, a folder as `packageFolder` takes
 * it
 */
export async function copyFonts(folder: string): Promise<void> {
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
