// fonts/catalog.json as the faces of this installation: which families there are, and which of their packages are here.
//
// The file is made by scripts/build-catalog.ts from the packages themselves; font files are never copied into the repository.

import { existsSync, readFileSync } from 'node:fs';
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
  /** Of the package: what was read, and what is fetched by `platen fonts add`. */
  readonly version: string;
  /** Of the package's archive at the npm registry, as subresource integrity: `sha512-…`. */
  readonly integrity: string;
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

/** Large families that an install does without until they are asked for, by the name that `platen fonts add` takes. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([['cjk', ['Hans', 'Jpan', 'Kore']]]);

/** The group that a family is installed with, or null. */
export function groupOf({ scripts }: CatalogFamily): string | null {
  return [...GROUPS].find(([, members]) => scripts.some((script) => members.includes(script)))?.[0] ?? null;
}

/** The command that installs a family. */
export function commandFor(family: CatalogFamily): string {
  return `platen fonts add ${groupOf(family) ?? JSON.stringify(family.family)}`;
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
