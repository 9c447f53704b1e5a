// Opens the font files that a caller passes, and matches the needs of a render with their families, in the order given.

import { AppError } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { categoryOf } from '#core/fonts/category-of.ts';
import { chooseFaces } from '#core/fonts/choose-faces.ts';
import { Families, type Family } from '#core/fonts/families.ts';
import { type AvailableFace, BOLD, type FaceMatch, faceKey } from '#core/fonts/match-face.ts';
import type { FontNeed } from '#core/resolve/scene.ts';
import { FontFace } from '#core/text/font-face.ts';
import { FontSet, fontQueryKey, type MatchedFace } from '#core/text/font-set.ts';
import { type FontInfo, readFontInfo } from '#draw/fonts/font-info.ts';
import { unwrapWoff } from '#draw/fonts/woff.ts';

/** A font file. If the same `data` object is passed again, it is not parsed again. */
export interface EdgeFont {
  /** TTF, OTF or WOFF; at most 16 MiB. */
  readonly data: ArrayBuffer | Uint8Array;
  /** Family name in templates. Default: as in the file. */
  readonly family?: string | undefined;
  /** 1..1000. Default: as in the file. */
  readonly weight?: number | undefined;
  readonly style?: 'normal' | 'italic' | undefined;
}

/** Most bytes of one font: the largest Chinese faces have some 10 MiB, an isolate has 128. */
const MAX_FONT_BYTES = 16 * 1024 * 1024;
const MAX_FONTS = 100;
const HANDED_IN =
  'text is drawn with fonts that are handed in, such as [{ data }] with the bytes of a TTF, OTF or WOFF file.';

interface OpenedFile {
  readonly sfnt: Uint8Array;
  readonly info: FontInfo;
  readonly name: string;
  readonly faces: Map<string, FontFace>;
}

/** Opened files by `data` object. */
const files = new WeakMap<object, Promise<OpenedFile>>();
let fileCount = 0;

async function openFile(data: ArrayBuffer | Uint8Array): Promise<OpenedFile> {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  if (bytes.length > MAX_FONT_BYTES) {
    throw new AppError('invalid_request', `A font may have at most ${MAX_FONT_BYTES / 2 ** 20} MiB.`);
  }
  fileCount += 1;
  const name = `font ${fileCount}`;
  const sfnt = await unwrapWoff(bytes);
  return { sfnt, info: readFontInfo(sfnt), name, faces: new Map() };
}

/** The fonts of one render. */
export interface EdgeFonts {
  load(needs: readonly FontNeed[]): { readonly fonts: FontSet; readonly diagnostics: readonly Diagnostic[] };
}

/** By list object, for callers that keep theirs. */
const lists = new WeakMap<readonly EdgeFont[], Promise<EdgeFonts>>();

/** @throws AppError `invalid_request` naming the font that cannot be used, or saying that there are none */
export async function openFonts(given: readonly EdgeFont[]): Promise<EdgeFonts> {
  // Callers without types may pass anything.
  if (!Array.isArray(given)) throw new AppError('invalid_request', `fonts: must be a list; ${HANDED_IN}`);
  const known = lists.get(given);
  if (known) return known;
  const opening = openAll(given);
  lists.set(given, opening);
  opening.catch(() => lists.delete(given));
  return opening;
}

async function openAll(given: readonly EdgeFont[]): Promise<EdgeFonts> {
  if (given.length === 0) {
    throw new AppError('invalid_request', `fonts: is empty; ${HANDED_IN}`);
  }
  if (given.length > MAX_FONTS) throw new AppError('invalid_request', `fonts: at most ${MAX_FONTS} are allowed.`);
  const opened = new Map<string, OpenedFile>();
  const faces: AvailableFace[] = [];
  for (const [i, font] of given.entries()) {
    const file = await openedFile(font, i);
    const face = faceOf(font, file);
    if (faces.some(({ id }) => id === face.id)) continue;
    opened.set(face.id, file);
    faces.push(face);
  }
  const families = Families.listed(familiesOf(faces));
  return { load: (needs) => load(needs, families, opened) };
}

async function openedFile({ data }: EdgeFont, index: number): Promise<OpenedFile> {
  if (!(data instanceof Uint8Array) && Object.prototype.toString.call(data) !== '[object ArrayBuffer]') {
    throw new AppError('invalid_request', `fonts[${index}].data: must be an ArrayBuffer or a Uint8Array.`);
  }
  const opening = files.get(data) ?? openFile(data);
  files.set(data, opening);
  try {
    return await opening;
  } catch (error) {
    files.delete(data);
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `fonts[${index}]: ${error.message}`, { cause: error });
  }
}

function faceOf({ family, weight, style }: EdgeFont, { info, name }: OpenedFile): AvailableFace {
  const face = {
    family: family ?? info.family,
    weight: weight ?? info.weight,
    width: info.width,
    style: style ?? info.style,
  };
  const id = `${face.family} ${face.weight} ${face.style} ${name}`;
  return { id, ...face, axes: info.axes, coverage: info.coverage, path: '' };
}

/** In the order of their first faces. */
function familiesOf(faces: readonly AvailableFace[]): readonly Family[] {
  const byName = Map.groupBy(faces, ({ family }) => family.toLowerCase());
  return [...byName.values()].map((own) => {
    const name = own[0]?.family ?? '';
    return { name, category: categoryOf(name), scripts: [], faces: own };
  });
}

function load(needs: readonly FontNeed[], families: Families, opened: ReadonlyMap<string, OpenedFile>) {
  const diagnostics: Diagnostic[] = [];
  const chains = new Map<string, readonly MatchedFace[]>();
  for (const need of needs) {
    const { matches, named, unknown, diagnostics: found } = chooseFaces(need, families);
    for (const name of unknown) {
      const message = `Font family ${JSON.stringify(name)} is not among the fonts that were handed in.`;
      diagnostics.push({ code: 'unknown-family', layer: need.layer, message });
    }
    diagnostics.push(...found);
    const chain = matches.map((match, i) => matchedFace(match, i >= named, opened));
    chains.set(fontQueryKey(need.query), chain);
  }
  return { fonts: new FontSet(chains), diagnostics };
}

function matchedFace(match: FaceMatch, isFallback: boolean, opened: ReadonlyMap<string, OpenedFile>): MatchedFace {
  const { face: available, variations } = match;
  const file = opened.get(available.id);
  if (!file) throw new Error(`no file of ${available.id}`);
  const key = faceKey(match);
  let face = file.faces.get(key);
  if (!face) {
    const { family, style, weight } = available;
    face = new FontFace({ key, family, weight: variations.wght ?? weight, style, bytes: file.sfnt, variations });
    file.faces.set(key, face);
  }
  return {
    ...{ face, slant: face.isColor ? 0 : match.slant },
    // A file that is bold itself, but was handed in as regular, is bold enough.
    ...(match.embolden && !face.isColor && file.info.weight < BOLD ? { embolden: true as const } : {}),
    ...(isFallback ? { isFallback } : {}),
  };
}
