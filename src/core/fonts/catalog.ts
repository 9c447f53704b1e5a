// fonts/catalog.json as data: families, their faces, and which code points these cover, known without opening a font.

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

/**
 * The faces of one catalogue family, closed.
 *
 * @param locate where a face file of the package is read: a path, or an address in a browser
 */
export function catalogFaces(
  { family, faces, coverage }: CatalogFamily,
  locate: (file: string) => string,
): AvailableFace[] {
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
    path: locate(file),
  }));
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
