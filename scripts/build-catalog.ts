// Writes fonts/catalog.json from the installed font packages:
// `node scripts/build-catalog.ts && npx biome format --write fonts/catalog.json`.
//
// The lists below are the catalogue's only hand-written part; faces and coverage are read from the files. A checkout does
// not install the Latin group: its entries stay as they are, unless `--latin FOLDER` names an npm project that has its
// packages (`npm install --ignore-scripts`). Then fonts/samples.json is written too: the names of these families as outlines,
// for the studio's list of fonts, which shows them before they are installed.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Catalog, CatalogFamily, Category } from '#core/fonts/catalog.ts';
import { FontFace } from '#core/text/font-face.ts';
import { readCatalog } from '#draw/fonts/catalog.ts';
import { readFontInfo } from '#draw/fonts/font-info.ts';

const ROOT = join(import.meta.dirname, '..');
const HAN = ['Hans', 'Jpan', 'Kore'];

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

/**
 * Families for Latin text, by category, that are fetched only by `platen fonts add latin`. All have the SIL Open Font
 * License.
 */
const LATIN: Readonly<Partial<Record<Category, readonly string[]>>> = {
  'sans-serif': [
    ...[
      'Albert Sans',
      'Archivo',
      'Barlow',
      'Barlow Condensed',
      'DM Sans',
      'Figtree',
      'Hanken Grotesk',
      'IBM Plex Sans',
    ],
    ...[
      'Instrument Sans',
      'Josefin Sans',
      'Lato',
      'League Spartan',
      'Lexend',
      'Libre Franklin',
      'Manrope',
      'Montserrat',
    ],
    ...['Nunito', 'Open Sans', 'Oswald', 'Outfit', 'Plus Jakarta Sans', 'Poppins', 'Public Sans', 'Raleway'],
    ...['Red Hat Display', 'Roboto', 'Rubik', 'Sora', 'Source Sans 3', 'Space Grotesk', 'Urbanist', 'Work Sans'],
  ],
  serif: [
    ...['Bitter', 'Cormorant Garamond', 'Crimson Pro', 'EB Garamond', 'Fraunces', 'Instrument Serif'],
    ...['Libre Baskerville', 'Lora', 'Merriweather', 'Newsreader', 'Spectral', 'Young Serif', 'Gloock'],
  ],
  monospace: ['DM Mono', 'Fira Code', 'IBM Plex Mono', 'Roboto Mono', 'Space Mono'],
  display: [
    ...['Abril Fatface', 'Alfa Slab One', 'Anton', 'Archivo Black', 'Bangers', 'Bebas Neue', 'Cinzel'],
    ...['DM Serif Display', 'Lobster', 'Righteous', 'Syne', 'Unbounded'],
  ],
  handwriting: ['Caveat', 'Dancing Script', 'Great Vibes', 'Kalam', 'Pacifico', 'Shadows Into Light'],
};

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
}

/** @param latin an npm project with the packages of the Latin group; null: their entries are those of today */
export async function buildCatalog(latin: string | null = null): Promise<Catalog> {
  const families: CatalogFamily[] = [];
  for (const [family, category, scripts] of FAMILIES) {
    const group = scripts.some((script) => HAN.includes(script)) ? ({ group: 'cjk' } as const) : {};
    const found = await readFamily({ family, category, scripts, ...group }, ROOT);
    if (found) families.push(found);
  }
  const present = new Map(readCatalog().families.map((each) => [each.family, each]));
  for (const [category, names] of Object.entries(LATIN) as [Category, readonly string[]][]) {
    for (const family of names) {
      const found = latin
        ? await readFamily({ family, category, scripts: ['Latn'], group: 'latin' }, latin)
        : present.get(family);
      if (!found) throw new Error(`${family} is not in ${latin ?? 'the catalogue: see --latin'}.`);
      families.push(found);
    }
  }
  return { families };
}

/** Null when its package is not installed. @param project an npm project's folder */
async function readFamily(
  entry: Pick<CatalogFamily, 'family' | 'category' | 'scripts' | 'group'>,
  project: string,
): Promise<CatalogFamily | null> {
  const name = `@expo-google-fonts/${entry.family.toLowerCase().replaceAll(' ', '-')}`;
  const folder = join(project, 'node_modules', name);
  if (!existsSync(folder)) return null;
  const licence = readFileSync(join(folder, 'LICENSE_FONT'), 'utf8');
  if (!/SIL OPEN FONT LICENSE/i.test(licence)) throw new Error(`${name} has another licence than the OFL.`);
  const lock: Lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? { version: '', integrity: '' };
  return { ...entry, package: name, version, integrity, ...(await readFaces(entry.family, folder)) };
}

async function readFaces(family: string, folder: string): Promise<Pick<CatalogFamily, 'size' | 'faces' | 'coverage'>> {
  const faces: CatalogFamily['faces'][number][] = [];
  let size = 0;
  const coverage = new Map<string, string>();
  for await (const file of glob('*/*.ttf', { cwd: folder })) {
    const bytes = readFileSync(join(folder, file));
    const info = readFontInfo(bytes);
    size += bytes.length;
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
  return { size, faces, coverage: italic === undefined ? { normal } : { normal, italic } };
}

/** Units of a sample's em square. */
const EM = 100;

/** A family's name in its regular face: how wide it is, and its outline as SVG path data, y down from the baseline. */
function sampleOf({ family, package: name, faces }: CatalogFamily, project: string): readonly [number, string] {
  const plain = faces.find(({ weight, style }) => weight === 400 && style === 'normal') ?? faces[0];
  const bytes = readFileSync(join(project, 'node_modules', name, plain?.file ?? ''));
  const face = new FontFace({ key: family, family, weight: 400, style: 'normal', bytes, variations: {} });
  const scale = EM / face.unitsPerEm;
  let end = 0;
  let d = '';
  let pen = [0, 0];
  let start = [0, 0];
  for (const { id, xAdvance, xOffset, yOffset } of face.shape(family, {
    direction: 'ltr',
    script: 'Latn',
    language: null,
    features: {},
  })) {
    for (const [command, ...points] of face.outline(id)) {
      if (command === 'Z') {
        d += 'z';
        pen = start;
        continue;
      }
      const placed = (points as number[]).map((n, i) =>
        Math.round(i % 2 === 0 ? (end + xOffset + n) * scale : -(yOffset + n) * scale),
      );
      const moved = placed.map((n, i) => n - (pen[i % 2] ?? 0));
      d += command.toLowerCase() + moved.join(' ').replaceAll(' -', '-');
      pen = placed.slice(-2);
      if (command === 'M') start = pen;
    }
    end += xAdvance;
  }
  return [Math.ceil(end * scale), d];
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { latin: { type: 'string' } } });
  const { latin } = values;
  const catalog = await buildCatalog(latin);
  writeFileSync(join(ROOT, 'fonts/catalog.json'), JSON.stringify(catalog));
  if (latin !== undefined) {
    const chosen = catalog.families.filter(({ group }) => group === 'latin');
    const samples = chosen.map((family) => [family.family, sampleOf(family, latin)] as const);
    writeFileSync(join(ROOT, 'fonts/samples.json'), JSON.stringify(Object.fromEntries(samples)));
  }
}
