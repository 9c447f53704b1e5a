// The faces that Platen can draw with: the catalogue's, the user's own, and the chain that falls back along them.
//
// A file is read when a text first needs it, once however many renders ask; parsed faces are kept within a bound.

import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Diagnostic } from '#core/diagnostics.ts';
import { type CatalogFamily, commandFor, groupOf } from '#core/fonts/catalog.ts';
import { chooseFaces } from '#core/fonts/choose-faces.ts';
import { Families } from '#core/fonts/families.ts';
import { type AvailableFace, type FaceMatch, faceKey } from '#core/fonts/match-face.ts';
import type { FontNeed } from '#core/resolve/scene.ts';
import { FontFace } from '#core/text/font-face.ts';
import { FontSet, fontQueryKey, type MatchedFace } from '#core/text/font-set.ts';
import { type FindPackage, fileFinder, findPackageIn, readCatalog } from './catalog.ts';
import { LoadCache } from './load-cache.ts';
import { scanFonts } from './user-fonts.ts';
import { unwrapWoff } from './woff.ts';

export interface LoadedFonts {
  readonly fonts: FontSet;
  /** Unknown families, and text whose fonts are not installed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A face as another program than ours would be told of it. */
export interface LibraryFace {
  readonly family: string;
  readonly weight: number;
  /** The weights that a variable font has; null for a static one. */
  readonly weights: readonly [number, number] | null;
  readonly style: 'normal' | 'italic';
  /** Where the file lies. */
  readonly path: string;
}

export interface FontLibrary {
  /** Faces for each need, the best match first, then what its code points fall back to. Parsed faces are kept. */
  load(needs: readonly FontNeed[]): Promise<LoadedFonts>;
  /** This library and some more faces, which win over equal ones; what is open is shared. */
  with(own: readonly AvailableFace[]): FontLibrary;
  /** The names that a template may ask for, in the order of fallback. */
  readonly families: readonly string[];
  /** Every family with its faces as they are chosen from, in the order of fallback. */
  readonly all: Families['all'];
  /** Every face, in the order of the families; of equal ones the first wins. */
  readonly faces: readonly LibraryFace[];
  /** Where their files are, each folder once. */
  readonly folders: readonly string[];
  /** The family that answers each of CSS's generic names. */
  readonly generic: ReadonlyMap<string, string>;
  /** By fontconfig's name of a language, the family whose forms of shared characters it wants. */
  readonly firstFor: ReadonlyMap<string, string>;
  /** What the catalogue names but the installation lacks, with how to mend it. */
  readonly missing: readonly string[];
  /** The user's own files that cannot be used, each with the reason. */
  readonly skipped: readonly string[];
}

export interface FontLibraryOptions {
  /** Folders of the user's own font files, and of what `platen fonts add` installed; read once, now. */
  readonly folders: readonly string[];
  /** What kept faces may take up, bytes. */
  readonly cacheBytes?: number;
  /** Where catalogue packages are looked for; absent: among npm's and in the folders. */
  readonly findPackage?: FindPackage;
}

const DEFAULT_CACHE_BYTES = 128 * 1024 * 1024;

export async function openFontLibrary(options: FontLibraryOptions): Promise<FontLibrary> {
  const { faces, skipped } = await scanFonts(options.folders);
  const families = Families.of(readCatalog(), fileFinder(options.findPackage ?? findPackageIn(options.folders)), faces);
  return libraryOf(families, skipped, faceOpener(options.cacheBytes ?? DEFAULT_CACHE_BYTES));
}

/** A face that is open already is handed over at once. */
type OpenFace = (match: FaceMatch, isFallback: boolean) => MatchedFace | Promise<MatchedFace>;

function libraryOf(families: Families, skipped: readonly string[], open: OpenFace): FontLibrary {
  return {
    with: (own) => libraryOf(families.with(own), skipped, open),
    all: families.all,
    families: families.all.map(({ name }) => name),
    faces: families.all.flatMap(({ name, faces }) => faces.map((face) => describeFace(name, face))),
    folders: [...new Set(families.all.flatMap(({ faces }) => faces.map(({ path }) => dirname(path))))],
    generic: families.generic,
    firstFor: families.firstFor,
    missing: families.absent.map(
      (absent) => `${absent.family} (${scriptNames(absent.scripts)}) is not installed: ${commandFor(absent)}`,
    ),
    skipped,
    async load(needs) {
      const diagnostics: Diagnostic[] = [];
      const opening = needs.map((need) => {
        const { matches, named, unknown, uncovered } = chooseFaces(need, families);
        const wanted = families.absentFor(uncovered);
        if (wanted !== null) {
          diagnostics.push({
            code: 'font-not-installed',
            layer: need.layer,
            message: explainAbsence(need.layer, wanted),
          });
        }
        for (const name of unknown) {
          diagnostics.push({ code: 'unknown-family', layer: need.layer, message: families.explain(name) });
        }
        return matches.map((match, i) => open(match, i >= named));
      });
      const opened = await Promise.all(opening.flat());
      const chains = new Map<string, readonly MatchedFace[]>();
      let next = 0;
      for (const [i, { query }] of needs.entries()) {
        const { length } = opening[i] ?? [];
        chains.set(fontQueryKey(query), chainOf(opened.slice(next, next + length)));
        next += length;
      }
      return { fonts: new FontSet(chains), diagnostics };
    },
  };
}

/** With the command that mends it, word for word. */
function explainAbsence(layer: string, family: CatalogFamily): string {
  const what = groupOf(family) === 'cjk' ? 'Chinese, Japanese and Korean text' : `the script of ${family.family}`;
  return `Layer ${JSON.stringify(layer)}: the fonts for ${what} are not installed on this server: ${commandFor(family)}`;
}

function describeFace(family: string, { weight, axes, style, path }: AvailableFace): LibraryFace {
  const { wght } = axes;
  return { family, weight, weights: wght ? [wght.min, wght.max] : null, style, path };
}

function faceOpener(cacheBytes: number): OpenFace {
  // The points of a variable font share the bytes of its file; beside them HarfBuzz keeps a copy a face.
  const files = new LoadCache<Uint8Array>(cacheBytes / 2, (bytes) => bytes.length);
  const faces = new LoadCache<FontFace>(cacheBytes / 2, ({ file }) => file.bytes.length);

  const load = ({ face, variations }: FaceMatch, key: string) =>
    faces.get(key, async () => {
      const bytes = await files.get(face.path, async () => unwrapWoff(await readFile(face.path)));
      const { family, style } = face;
      return new FontFace({ key, family, weight: variations.wght ?? face.weight, style, bytes, variations });
    });
  return (match, isFallback) => {
    const key = faceKey(match);
    const matched = (face: FontFace): MatchedFace => ({
      ...{ face, slant: face.isColor ? 0 : match.slant },
      ...(match.embolden && !face.isColor ? { embolden: true } : {}),
      ...(isFallback ? { isFallback } : {}),
    });
    const kept = faces.kept(key);
    return kept ? matched(kept) : load(match, key).then(matched);
  };
}

/** By its face: the chain of most styles, one and the same in all renders, so that what is known of it can be kept. */
const ofOneFace = new WeakMap<FontFace, readonly MatchedFace[]>();

function chainOf(faces: readonly MatchedFace[]): readonly MatchedFace[] {
  const [only, ...others] = faces;
  if (!only || others.length > 0 || only.slant > 0 || only.embolden) return faces;
  const known = ofOneFace.get(only.face);
  if (!known) ofOneFace.set(only.face, faces);
  return known ?? faces;
}

const scriptName = new Intl.DisplayNames('en', { type: 'script' });

function scriptNames(scripts: readonly string[]): string {
  return scripts.map((script) => scriptName.of(script) ?? script).join(', ');
}
