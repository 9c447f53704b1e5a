// Makes faces and glyph runs for tests directly with the shaper: no font library, no line breaking.

import { readFileSync } from 'node:fs';
import { FontFace, type FontFile } from '#core/text/font-face.ts';
import { FontSet } from '#core/text/font-set.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';

const FONTS = new URL('../../../../node_modules/@expo-google-fonts/', import.meta.url);

/** A face from the catalogue's packages: `face('inter/400Regular/Inter_400Regular.ttf', 'Inter')`. */
export function face(path: string, family: string, more: Partial<FontFile> = {}): FontFace {
  const bytes = readFileSync(new URL(path, FONTS));
  return new FontFace({ key: path, family, weight: 400, style: 'normal', bytes, variations: {}, ...more });
}

export const INTER = face('inter/400Regular/Inter_400Regular.ttf', 'Inter');
export const INTER_BOLD = face('inter/700Bold/Inter_700Bold.ttf', 'Inter', { weight: 700 });
export const NOTO = face('noto-sans/400Regular/NotoSans_400Regular.ttf', 'Noto Sans');
export const ARABIC = face('noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf', 'Noto Sans Arabic');
export const HEBREW = face('noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf', 'Noto Sans Hebrew');
export const THAI = face('noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf', 'Noto Sans Thai');
export const DEVANAGARI = face(
  'noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
  'Noto Sans Devanagari',
);

export function fontSet(...faces: readonly FontFace[]): FontSet {
  return new FontSet(new Map([['test', faces.map((face) => ({ face, slant: 0 }))]]));
}

/** ISO 15924 codes of the scripts used in the tests; the first one that the text has a letter of is used. */
const SCRIPTS = ['Arab', 'Hebr', 'Deva', 'Thai', 'Hira', 'Han', 'Latn'] as const;

export interface RunOptions {
  readonly slant?: number;
  /** px added after each cluster. */
  readonly letterSpacing?: number;
}

/** Shapes text of a single script as one run. */
export function shape(face: FontFace, fontSize: number, text: string, options: RunOptions = {}): GlyphRun {
  const found = SCRIPTS.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(text)) ?? 'Zyyy';
  const direction = found === 'Arab' || found === 'Hebr' ? 'rtl' : 'ltr';
  const script = found === 'Han' ? 'Hani' : found;
  const shaped = face.shape(text, { direction, script, language: null, features: {} });
  const px = fontSize / face.unitsPerEm;
  let pen = 0;
  const glyphs = shaped.map(({ id, cluster, xOffset, yOffset, xAdvance }, i) => {
    const isLast = shaped[i + 1]?.cluster !== cluster;
    const advance = xAdvance * px + (isLast ? (options.letterSpacing ?? 0) : 0);
    const glyph = { id, cluster, x: pen + xOffset * px, y: -yOffset * px, advance };
    pen += advance;
    return glyph;
  });
  return { face: face.key, fontSize, direction, slant: options.slant ?? 0, text, glyphs, width: pen };
}
