// Scans folders for user font files: returns faces for the library, and the problems of the others. A file is judged by
// its content, and no file can prevent the start.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#base/errors.ts';
import type { AvailableFace } from '#core/fonts/match-face.ts';
import { FontFace } from '#core/text/font-face.ts';
import { unwrapWoff } from './woff.ts';

/** Most bytes of a file on disk. */
export const MAX_FONT_FILE = 5 * 1024 * 1024;
/** Most files that are read, over all folders. */
const MAX_FILES = 1000;

/** Hex digits of a file's digest in the identity of its face: accounts share caches, so nobody may make two equal. */
const DIGEST_DIGITS = 32;

const FONT_FILE = /\.(ttf|otf|ttc|otc|woff2?)$/i;

export interface UserFonts {
  readonly faces: readonly AvailableFace[];
  /** One sentence per file that cannot be used: which, and why. */
  readonly skipped: readonly string[];
}

/** Reads the font files directly in the folders, sorted by name; a missing folder counts as empty. */
export async function scanFonts(folders: readonly string[]): Promise<UserFonts> {
  const paths: string[] = [];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    paths.push(
      ...names
        .filter((name) => FONT_FILE.test(name))
        .sort()
        .map((name) => join(folder, name)),
    );
  }
  const faces = new Map<string, AvailableFace>();
  const skipped = paths.slice(MAX_FILES).map((path) => `${path}: more than ${MAX_FILES} font files.`);
  // Sequential: parsing is synchronous anyway, and only one file at a time is in memory.
  for (const path of paths.slice(0, MAX_FILES)) {
    try {
      if ((await stat(path)).size > MAX_FONT_FILE) throw new AppError('invalid_request', TOO_LARGE);
      const face = await inspectFont(await readFile(path), path);
      if (!faces.has(face.id)) faces.set(face.id, face);
    } catch (error) {
      skipped.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { faces: [...faces.values()], skipped };
}

const TOO_LARGE = `A font file may have at most ${MAX_FONT_FILE / 1024 / 1024} MiB.`;

/**
 * Checks a font file and describes its face.
 *
 * @param named the family that templates name it by; null = as in the file
 * @throws AppError `invalid_request` with a sentence about the file
 */
export async function inspectFont(
  bytes: Uint8Array,
  path: string,
  named: string | null = null,
): Promise<AvailableFace> {
  // Loaded on first use: importing opentype.js takes longer than reading the catalogue, which needs no parsing of
  // fonts.
  const [{ createHash }, { readFontInfo }] = await Promise.all([import('node:crypto'), import('./font-info.ts')]);
  const sfnt = await unwrapWoff(bytes);
  const info = readFontInfo(sfnt);
  if (!info.embeddable) {
    throw new AppError(
      'invalid_request',
      `The licence bits of "${info.family}" (OS/2 fsType) forbid embedding a subset in a document, as a PDF would.`,
    );
  }
  const family = named ?? askableName(info.family);
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_DIGITS);
  const { weight, width, style, axes, coverage } = info;
  // Fails now rather than during a render if HarfBuzz cannot use the file.
  try {
    new FontFace({ key: digest, family, weight, style, bytes: sfnt, variations: {} });
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : String(error), { cause: error });
  }
  return { id: `${family} ${weight} ${style} ${digest}`, family, weight, width, style, axes, coverage, path };
}

/** The family's name, reduced to the characters that a template may use (FamilyName in core/template/layer.ts). */
function askableName(family: string): string {
  const name = family
    // Before it is normalised, which takes quadratic time for many marks.
    .slice(0, 1_000)
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 _-]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
    // The cut may leave a space at the end, which no template can ask for.
    .trimEnd();
  if (name === '') {
    throw new AppError(
      'invalid_request',
      `The family name "${family}" has no letter or digit that a template may write.`,
    );
  }
  return name;
}
