// The faces that Platen can draw with: those of the catalogue, those of the user, and the fallback chain.
//
// A file is read when a text first needs it, and only once for concurrent renders; parsed faces are cached within a
// limit.

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

/** A face described for another program. */
export interface LibraryFace {
  readonly family: string;
  readonly weight: number;
  /** The weight range of a variable font; null for a static one. */
  readonly weights: readonly [number, number] | null;
  readonly style: 'normal' | 'italic';
  /** Path of the file. */
  readonly path: string;
}

export interface FontLibrary {
  /**
   * Loads the faces for each need, the best match first, then the fallbacks for its code points. Parsed faces are
   * cached.
   */
  load(needs: readonly FontNeed[]): Promise<LoadedFonts>;
  /** This library with additional faces, which take precedence over equal ones; both share opened faces. */
  with(own: readonly AvailableFace[]): FontLibrary;
  /** The family names that a template may use, in fallback order. */
  readonly families: readonly string[];
  /** Every family with its faces, in fallback order. */
  readonly all: Families['all'];
  /** Every face, in the order of the families; of equal ones the first takes precedence. */
  readonly faces: readonly LibraryFace[];
  /** The folders of their files, without duplicates. */
  readonly folders: readonly string[];
  /** The family for each CSS generic name. */
  readonly generic: ReadonlyMap<string, string>;
  /** By fontconfig's language name, the family whose forms of shared characters that language prefers. */
  readonly firstFor: ReadonlyMap<string, string>;
  /** Families in the catalogue that are not installed, with the command that installs them. */
  readonly missing: readonly string[];
  /** User font files that cannot be used, each with the reason. */
  readonly skipped: readonly string[];
}

export interface FontLibraryOptions {
  /** Folders of user font files, and of fonts installed by `platen fonts add`; read once, at the start. */
  readonly folders: readonly string[];
  /** Most bytes of cached faces. */
  readonly cacheBytes?: number;
  /** Finds catalogue packages; default: among npm's and in the folders. */
  readonly findPackage?: FindPackage;
}

const DEFAULT_CACHE_BYTES = 128 * 1024 * 1024;

export async function openFontLibrary(options: FontLibraryOptions): Promise<FontLibrary> {
  const { faces, skipped } = await scanFonts(options.folders);
  const families = Families.of(readCatalog(), fileFinder(options.findPackage ?? findPackageIn(options.folders)), faces);
  return libraryOf(families, skipped, faceOpener(options.cacheBytes ?? DEFAULT_CACHE_BYTES));
}

/** Returns a face synchronously if it is already open. */
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
    get missing() {
      return families.absent.map(
        (absent) => `${absent.family} (${scriptNames(absent.scripts)}) is not installed: ${commandFor(absent)}`,
      );
    },
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

/** Includes the exact command that installs the fonts. */
function explainAbsence(layer: string, family: CatalogFamily): string {
  const what = groupOf(family) === 'cjk' ? 'Chinese, Japanese and Korean text' : `the script of ${family.family}`;
  return `Layer ${JSON.stringify(layer)}: the fonts for ${what} are not installed on this server: ${commandFor(family)}`;
}

function describeFace(family: string, { weight, axes, style, path }: AvailableFace): LibraryFace {
  const { wght } = axes;
  return { family, weight, weights: wght ? [wght.min, wght.max] : null, style, path };
}

function faceOpener(cacheBytes: number): OpenFace {
  // Instances of a variable font share the bytes of its file; HarfBuzz keeps an additional copy per face.
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

/** The chains that begin with the same faces; none keeps a face in memory. */
interface KnownChains {
  /** Chains of just these faces, by how many of them the style names. */
  readonly whole: Map<number, readonly MatchedFace[]>;
  readonly longer: WeakMap<FontFace, KnownChains>;
}

const newChains = (): KnownChains => ({ whole: new Map(), longer: new WeakMap() });
const KNOWN_CHAINS = newChains();

/** A chain of faces: the same object in all renders, so that the choices made along it stay cached. */
function chainOf(faces: readonly MatchedFace[]): readonly MatchedFace[] {
  if (faces.some(({ slant, embolden }) => slant > 0 || embolden)) return faces;
  let known = KNOWN_CHAINS;
  for (const { face } of faces) {
    const longer = known.longer.get(face) ?? newChains();
    known.longer.set(face, longer);
    known = longer;
  }
  const named = faces.filter(({ isFallback }) => !isFallback).length;
  const chain = known.whole.get(named) ?? faces;
  known.whole.set(named, chain);
  return chain;
}

function scriptNames(scripts: readonly string[]): string {
  // Made here and not when the module loads, because ICU takes 30 ms to read the names.
  const scriptName = new Intl.DisplayNames('en', { type: 'script' });
  return scripts.map((script) => scriptName.of(script) ?? script).join(', ');
}
