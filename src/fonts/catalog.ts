// fonts/catalog.json as the faces of this installation: which families there are, and which of their packages are here.
//
// The file is made by scripts/build-catalog.ts from the packages themselves; font files are never copied.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Coverage } from './coverage.ts';
import type { AvailableFace } from './match-face.ts';

export type Category = 'sans-serif' | 'serif' | 'monospace' | 'display' | 'symbols' | 'emoji';

export interface CatalogFamily {
  readonly family: string;
  readonly category: Category;
  /** The scripts it is there for (ISO 15924); `Jpan`, `Kore` and `Hans` say whose forms its Han characters have. */
  readonly scripts: readonly string[];
  readonly package: string;
  /** Where face files are, within the package. */
  readonly faces: readonly { readonly weight: number; readonly style: 'normal' | 'italic'; readonly file: string }[];
  /** What every face of the style covers, as `Coverage` writes it. */
  readonly coverage: { readonly normal: string; readonly italic?: string };
}

/** Families in the order in which missing glyphs fall back along them; the first is the default. */
export interface Catalog {
  readonly families: readonly CatalogFamily[];
}

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

/** The faces of one catalogue family, closed; `folder` is its package's. */
export function catalogFaces({ family, faces, coverage }: CatalogFamily, folder: string): AvailableFace[] {
  const normal = Coverage.parse(coverage.normal);
  const italic = coverage.italic === undefined ? normal : Coverage.parse(coverage.italic);
  return faces.map(({ weight, style, file }) => ({
    id: style === 'italic' ? `${family} ${weight} italic` : `${family} ${weight}`,
    family,
    weight,
    width: 5,
    style,
    axes: {},
    coverage: style === 'italic' ? italic : normal,
    path: join(folder, file),
  }));
}
