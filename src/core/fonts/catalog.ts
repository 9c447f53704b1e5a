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
