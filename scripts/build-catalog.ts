// Writes fonts/catalog.json from the installed font packages:
// `node scripts/build-catalog.ts && npx biome format --write fonts/catalog.json`.
//
// The list below is the catalogue's only hand-written part; faces and coverage are read from the files.

import { readFileSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog, CatalogFamily, Category } from '#core/fonts/catalog.ts';
import { findPackage } from '#fonts/catalog.ts';
import { readFontInfo } from '#fonts/font-info.ts';

/** In fallback order; the first is the default. A family is read from the package of the same name. */
const FAMILIES: readonly (readonly [family: string, category: Category, scripts: readonly string[]])[] = [
  ['Inter', 'sans-serif', ['Latn', 'Grek', 'Cyrl']],
  // Each script's own family comes before Noto Sans, which has some of these letters too.
  ['Noto Sans Hebrew', 'sans-serif', ['Hebr']],
  ['Noto Sans Arabic', 'sans-serif', ['Arab']],
  ['Noto Sans Devanagari', 'sans-serif', ['Deva']],
  ['Noto Sans Bengali', 'sans-serif', ['Beng']],
  ['Noto Sans Tamil', 'sans-serif', ['Taml']],
  ['Noto Sans Thai', 'sans-serif', ['Thai']],
  ['Noto Sans Lao', 'sans-serif', ['Laoo']],
  ['Noto Sans Khmer', 'sans-serif', ['Khmr']],
  ['Noto Sans Myanmar', 'sans-serif', ['Mymr']],
  ['Noto Sans Armenian', 'sans-serif', ['Armn']],
  ['Noto Sans Georgian', 'sans-serif', ['Geor']],
  ['Noto Sans', 'sans-serif', ['Latn', 'Grek', 'Cyrl']],
  ['Noto Sans Symbols 2', 'symbols', ['Zsym']],
  // Han text without any other sign of its language uses the forms of mainland China, the most complete set.
  ['Noto Sans SC', 'sans-serif', ['Hans']],
  ['Noto Sans JP', 'sans-serif', ['Jpan']],
  ['Noto Sans KR', 'sans-serif', ['Kore']],
  ['Noto Color Emoji', 'emoji', ['Zsye']],
  ['Source Serif 4', 'serif', ['Latn', 'Grek', 'Cyrl']],
  ['Playfair Display', 'serif', ['Latn', 'Cyrl']],
  ['Bricolage Grotesque', 'display', ['Latn']],
  ['JetBrains Mono', 'monospace', ['Latn', 'Grek', 'Cyrl']],
];

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
}

/** The catalogue of the installed packages; families that are not installed are left out. */
export async function buildCatalog(): Promise<Catalog> {
  const families: CatalogFamily[] = [];
  const lock: Lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'));
  for (const [family, category, scripts] of FAMILIES) {
    const name = `@expo-google-fonts/${family.toLowerCase().replaceAll(' ', '-')}`;
    const folder = findPackage(name);
    if (folder === null) continue;
    const { version, integrity } = lock.packages[`node_modules/${name}`] ?? { version: '', integrity: '' };
    families.push({
      family,
      category,
      scripts,
      package: name,
      version,
      integrity,
      ...(await readFaces(family, folder)),
    });
  }
  return { families };
}

async function readFaces(family: string, folder: string): Promise<Pick<CatalogFamily, 'faces' | 'coverage'>> {
  const faces: CatalogFamily['faces'][number][] = [];
  const coverage = new Map<string, string>();
  for await (const file of glob('*/*.ttf', { cwd: folder })) {
    const info = readFontInfo(readFileSync(join(folder, file)));
    if (info.family !== family || !info.embeddable) throw new Error(`${file} is not an embeddable face of ${family}.`);
    const covered = info.coverage.toString();
    if (info.weight !== Number.parseInt(file, 10)) throw new Error(`${file} says that its weight is ${info.weight}.`);
    // The catalogue has one coverage entry per style, so all weights must cover the same characters.
    if ((coverage.get(info.style) ?? covered) !== covered) throw new Error(`${file} covers other characters.`);
    coverage.set(info.style, covered);
    faces.push({ weight: info.weight, style: info.style, file });
  }
  faces.sort((a, b) => (a.style === b.style ? a.weight - b.weight : a.style < b.style ? 1 : -1));
  const normal = coverage.get('normal');
  if (normal === undefined) throw new Error(`${family} has no upright face.`);
  const italic = coverage.get('italic');
  return { faces, coverage: italic === undefined ? { normal } : { normal, italic } };
}

if (import.meta.main) {
  const file = join(import.meta.dirname, '../fonts/catalog.json');
  writeFileSync(file, JSON.stringify(await buildCatalog()));
}
