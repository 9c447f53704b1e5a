// The faces that Platen can draw with: those of the catalogue, those of the user, and the fallback chain.
//
// A file is read when a text first needs it, and only once for concurrent renders; parsed faces are cached within a
// limit.

import { dirname } from 'node:path';
import type { Diagnostic } from '#core/diagnostics.ts';
import { type CatalogFamily, commandFor } from '#core/fonts/catalog.ts';
import { chooseFaces } from '#core/fonts/choose-faces.ts';
import { Families } from '#core/fonts/families.ts';
import type { AvailableFace, FaceMatch } from '#core/fonts/match-face.ts';
import type { FontNeed } from '#core/resolve/scene.ts';
import type { FontFace } from '#core/text/font-face.ts';
import { FontSet, fontQueryKey, type MatchedFace } from '#core/text/font-set.ts';
import { type FindPackage, fileFinder, findPackageIn, readCatalog } from './catalog.ts';
import { FaceCache, PictureFaces } from './face-cache.ts';
import { scanFonts } from './user-fonts.ts';

interface LoadedFonts {
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
   *
   * @throws AppError `invalid_request` when the files of the faces are too large together
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
  /** Families that texts may need and that are not installed, with the command that installs them. */
  readonly missing: readonly string[];
  /** Families that a designer may choose once they are installed. */
  readonly installable: Families['installable'];
  /** User font files that cannot be used, each with the reason. */
  readonly skipped: readonly string[];
}

export interface FontLibraryOptions {
  /** Folders of user font files, and of fonts installed by `platen fonts add`; read once, at the start. */
  readonly folders: readonly string[];
  /** Most memory of the faces that are kept between renders, bytes; default: 128 MiB. */
  readonly memory?: number;
  /** Most bytes of the font files of one picture; default: 128 MiB. */
  readonly mostFileBytes?: number;
  /** Finds catalogue packages; default: among npm's and in the folders. */
  readonly findPackage?: FindPackage;
}

const DEFAULT_MEMORY = 128 * 1024 * 1024;

export async function openFontLibrary(options: FontLibraryOptions): Promise<FontLibrary> {
  const { faces, skipped } = await scanFonts(options.folders);
  const families = Families.of(readCatalog(), fileFinder(options.findPackage ?? findPackageIn(options.folders)), faces);
  const { memory: limit = DEFAULT_MEMORY, mostFileBytes } = options;
  return libraryOf(families, skipped, new FaceCache({ limit, ...(mostFileBytes !== undefined && { mostFileBytes }) }));
}

function libraryOf(families: Families, skipped: readonly string[], cache: FaceCache): FontLibrary {
  return {
    with: (own) => libraryOf(families.with(own), skipped, cache),
    all: families.all,
    families: families.all.map(({ name }) => name),
    faces: families.all.flatMap(({ name, faces }) => faces.map((face) => describeFace(name, face))),
    folders: [...new Set(families.all.flatMap(({ faces }) => faces.map(({ path }) => dirname(path))))],
    generic: families.generic,
    firstFor: families.firstFor,
    get missing() {
      return families.needed.map(
        (absent) => `${absent.family} (${scriptNames(absent.scripts)}) is not installed: ${commandFor(absent)}`,
      );
    },
    installable: families.installable,
    skipped,
    async load(needs) {
      cache.trim();
      const picture = new PictureFaces();
      const diagnostics: Diagnostic[] = [];
      const opening = needs.map((need) => {
        const { matches, named, unknown, uncovered, diagnostics: found } = chooseFaces(need, families);
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
        diagnostics.push(...found);
        return matches.map((match, i) => openMatched(cache, match, i >= named, picture));
      });
      const faces = await Promise.all(opening.flat());
      const chains = new Map<string, readonly MatchedFace[]>();
      let next = 0;
      for (const [i, { query }] of needs.entries()) {
        const { length } = opening[i] ?? [];
        chains.set(fontQueryKey(query), chainOf(faces.slice(next, next + length)));
        next += length;
      }
      return { fonts: new FontSet(chains), diagnostics };
    },
  };
}

/** Includes the exact command that installs the fonts. */
function explainAbsence(layer: string, family: CatalogFamily): string {
  const what = family.group === 'cjk' ? 'Chinese, Japanese and Korean text' : `the script of ${family.family}`;
  return `Layer ${JSON.stringify(layer)}: the fonts for ${what} are not installed on this server: ${commandFor(family)}`;
}

function describeFace(family: string, { weight, axes, style, path }: AvailableFace): LibraryFace {
  const { wght } = axes;
  return { family, weight, weights: wght ? [wght.min, wght.max] : null, style, path };
}

/** Returns a face synchronously if it is already open. */
function openMatched(
  cache: FaceCache,
  match: FaceMatch,
  isFallback: boolean,
  picture: PictureFaces,
): MatchedFace | Promise<MatchedFace> {
  const matched = (face: FontFace): MatchedFace => ({
    ...{ face, slant: face.isColor ? 0 : match.slant },
    ...(match.embolden && !face.isColor ? { embolden: true } : {}),
    ...(isFallback ? { isFallback } : {}),
  });
  const face = cache.open(match, picture);
  return face instanceof Promise ? face.then(matched) : matched(face);
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
