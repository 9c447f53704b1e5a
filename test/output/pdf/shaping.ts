// Faces and glyph runs for tests, straight from HarfBuzz: no font library, no line breaking.

import { readFileSync } from 'node:fs';
import * as hb from 'harfbuzzjs';
import type { PathData, PathSegment } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import { FontSet } from '#core/text/font-set.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';

const FONTS = new URL('../../../node_modules/@expo-google-fonts/', import.meta.url);
const shapers = new Map<string, hb.Font>();

/** A face from the catalogue's packages: `face('inter/400Regular/Inter_400Regular.ttf', 'Inter')`. */
export function face(file: string, family: string, weight = 400, style: 'normal' | 'italic' = 'normal'): FontFace {
  const bytes = readFileSync(new URL(file, FONTS));
  const font = new hb.Font(new hb.Face(new hb.Blob(bytes)));
  const outlines = new Map<number, PathData>();
  shapers.set(file, font);
  return {
    key: file,
    file: { key: file, family, weight, style, bytes, variations: {} },
    unitsPerEm: font.face.upem,
    metrics: {
      ascent: 0.9,
      descent: 0.25,
      lineGap: 0,
      xHeight: 0.5,
      capHeight: 0.7,
      underlinePosition: -0.1,
      underlineThickness: 0.05,
      strikeoutPosition: 0.3,
      strikeoutThickness: 0.05,
    },
    isColor: false,
    has: (codePoint) => font.nominalGlyph(codePoint) !== undefined,
    outline: (glyph) => {
      const known = outlines.get(glyph) ?? outlineOf(font, glyph);
      outlines.set(glyph, known);
      return known;
    },
    advance: (glyph) => font.glyphHAdvance(glyph),
  };
}

export const INTER = face('inter/400Regular/Inter_400Regular.ttf', 'Inter');
export const INTER_BOLD = face('inter/700Bold/Inter_700Bold.ttf', 'Inter', 700);

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

export interface RunOptions {
  readonly slant?: number;
  /** px added after each cluster. */
  readonly letterSpacing?: number;
}

/** Shapes one run; script and direction are guessed from the text. */
export function shape(face: FontFace, fontSize: number, text: string, options: RunOptions = {}): GlyphRun {
  const font = shapers.get(face.key);
  if (!font) throw new Error(`${face.key} was not opened here.`);
  const buffer = new hb.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  hb.shape(font, buffer);
  const px = fontSize / face.unitsPerEm;
  const infos = buffer.getGlyphInfos();
  const positions = buffer.getGlyphPositions();
  let pen = 0;
  const glyphs = infos.map((info, i) => {
    const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[i] ?? {};
    const isLast = infos[i + 1]?.cluster !== info.cluster;
    const advance = xAdvance * px + (isLast ? (options.letterSpacing ?? 0) : 0);
    const glyph = { id: info.codepoint, cluster: info.cluster, x: pen + xOffset * px, y: -yOffset * px, advance };
    pen += advance;
    return glyph;
  });
  const first = glyphs[0]?.cluster ?? 0;
  const last = glyphs.at(-1)?.cluster ?? 0;
  const direction = first > last ? 'rtl' : 'ltr';
  return { face: face.key, fontSize, direction, slant: options.slant ?? 0, text, glyphs, width: pen };
}

function outlineOf(font: hb.Font, glyph: number): PathData {
  const path: PathSegment[] = [];
  let x = 0;
  let y = 0;
  for (const { type, values } of font.glyphToJson(glyph)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
    if (type === 'M' || type === 'L') path.push([type, a, b]);
    else if (type === 'C') path.push(['C', a, b, c, d, e, f]);
    else if (type === 'Q') {
      path.push([
        'C',
        x + (2 / 3) * (a - x),
        y + (2 / 3) * (b - y),
        c + (2 / 3) * (a - c),
        d + (2 / 3) * (b - d),
        c,
        d,
      ]);
    } else path.push(['Z']);
    if (values.length >= 2) [x = 0, y = 0] = values.slice(-2);
  }
  return path;
}
