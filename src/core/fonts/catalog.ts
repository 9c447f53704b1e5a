// The contents of fonts/catalog.json: families, their faces and the code points these cover, without opening a font.

import { Coverage } from './coverage.ts';
import type { AvailableFace } from './match-face.ts';

export type Category = 'sans-serif' | 'serif' | 'monospace' | 'display' | 'handwriting' | 'symbols' | 'emoji';

/** Families that are installed together by `platen fonts add`; the others come with Platen. */
export const GROUPS = ['cjk', 'latin'] as const;
type Group = (typeof GROUPS)[number];

export interface CatalogFamily {
  readonly family: string;
  readonly category: Category;
  /** The scripts it is meant for (ISO 15924); `Jpan`, `Kore` and `Hans` tell which forms its Han characters have. */
  readonly scripts: readonly string[];
  /** Absent: it comes with Platen. */
  readonly group?: Group;
  readonly package: string;
  /** The package's version: the one that was read, and that `platen fonts add` fetches. */
  readonly version: string;
  /** Subresource integrity of the package's archive at the npm registry: `sha512-…`. */
  readonly integrity: string;
  /** Of all faces, bytes. */
  readonly size: number;
  /** `file` is a path within the package. */
  readonly faces: readonly { readonly weight: number; readonly style: 'normal' | 'italic'; readonly file: string }[];
  /** The code points that every face of the style covers, in `Coverage`'s text format. */
  readonly coverage: { readonly normal: string; readonly italic?: string };
}

/** Families in the order in which missing glyphs fall back along them; the first is the default. */
export interface Catalog {
  readonly families: readonly CatalogFamily[];
}

/**
 * The faces of one catalogue family; no file is opened.
 *
 * @param locate returns where a face file of the package is read: a path, or a URL in a browser
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

/** The command that installs a family. */
export function commandFor({ family, group }: CatalogFamily): string {
  return `platen fonts add ${group === 'cjk' ? group : JSON.stringify(family)}`;
}
