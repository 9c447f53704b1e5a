// Compares shaping by pairs with HarfBuzz: both must give the same, or pairs nothing.

import { expect, test } from 'vitest';
import type { FontFace } from '#core/text/font-face.ts';
import { GlyphContexts } from '#core/text/glyph-contexts.ts';
import { PAIRED_CHARACTERS, type PairAdvances } from '#core/text/pair-advances.ts';
import { type FaceName, face, hasFont } from './faces.ts';

const LATIN = { script: 'Latn', language: 'en', features: {} } as const;

/** Asks until it is worth it. */
function pairsOf(shaped: FontFace, features: Readonly<Record<string, number>> = {}): PairAdvances | null {
  for (let asked = 0; asked < 1000; asked += 1) {
    const pairs = shaped.pairAdvances({ ...LATIN, features });
    if (pairs !== undefined) return pairs;
  }
  throw new Error('It is never worth it.');
}

/** Texts of an alphabet, the same in each run (Park and Miller). */
function* texts(alphabet: readonly string[], count: number): Generator<string> {
  let seed = 5;
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let i = 0; i < count; i += 1)
    yield Array.from({ length: 2 + next(12) }, () => alphabet[next(alphabet.length)]).join('');
}

test.each<[FaceName, Record<string, number>]>([
  ['inter', {}],
  ['inter', { tnum: 1, zero: 1, ss01: 1 }],
  ['inter', { kern: 0, calt: 0 }],
  ['serif', {}],
  ['serif', { onum: 1, smcp: 1 }],
])('%s %j', (name, features) => {
  if (!hasFont(name)) return;
  const shaped = face(name);
  const pairs = pairsOf(shaped, features);
  expect(pairs).not.toBeNull();
  const all = PAIRED_CHARACTERS.filter((code) => shaped.has(code)).map((code) => String.fromCharCode(code));
  const common = [...'ABCTVWXYabcdefgilotvxyz0123456789    ..,,-:/()'];
  let fast = 0;
  for (const alphabet of [all, common]) {
    for (const text of texts(alphabet, 1500)) {
      const placed = pairs?.glyphs(text, shaped.unitsPerEm) ?? null;
      if (!placed) continue;
      fast += 1;
      const expected = shaped.shapeOnce(text, { ...LATIN, direction: 'ltr', features });
      expect(
        placed.glyphs.map(({ id, cluster, advance }) => [id, cluster, advance]),
        text,
      ).toEqual(expected.map(({ id, cluster, xAdvance }) => [id, cluster, xAdvance]));
      expect(expected.every(({ xOffset, yOffset }) => xOffset === 0 && yOffset === 0)).toBe(true);
      expect(pairs?.width(text, shaped.unitsPerEm)).toBe(placed.width);
    }
  }
  expect(fast).toBeGreaterThan(300);
});

test.each<[FaceName, string]>([
  ['serif', 'office'],
  ['inter', '11:30'],
  ['inter', '2x4'],
  ['inter', 'Hall A-B'],
  ['inter', 'a -> b'],
  ['inter', '(abc)'],
  ['inter', 'a\u0301'],
])('%s shapes %s as a whole', (name, text) => {
  if (!hasFont(name)) return;
  expect(pairsOf(face(name))?.glyphs(text, 16)).toBeNull();
});

test.each(['well-known', 'oak board: planed', 'a (somewhat longer) note', 'x+y', 'width x height', '4 x'])(
  'inter shapes %s by pairs, as none of its contexts is in it',
  (text) => {
    if (!hasFont('inter')) return;
    const shaped = face('inter');
    const expected = shaped.shapeOnce(text, { ...LATIN, direction: 'ltr', features: {} });
    expect(
      pairsOf(shaped)
        ?.glyphs(text, shaped.unitsPerEm)
        ?.glyphs.map(({ id, advance }) => [id, advance]),
    ).toEqual(expected.map(({ id, xAdvance }) => [id, xAdvance]));
  },
);

test('only the part that is measured counts as context', () => {
  if (!hasFont('inter')) return;
  const shaped = face('inter');
  const text = 'a (bcd) e';
  expect(pairsOf(shaped)?.width(text, 16)).toBeNull();
  const [parts, whole] = [pairsOf(shaped)?.width(text, 16, 0, 6), pairsOf(shaped)?.glyphs('a (bcd', 16)?.width];
  expect(parts).toBe(whole);
  expect(parts).toBeGreaterThan(0);
});

test('a broken table has no answer', () => {
  if (!hasFont('inter')) return;
  const shaped = face('inter');
  const { bytes } = shaped.file;
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const record = Array.from({ length: file.getUint16(4) }, (_, i) => 12 + 16 * i).find(
    (at) => file.getUint32(at) === 0x47535542,
  );
  const gsub = { start: file.getUint32((record ?? 0) + 8), length: file.getUint32((record ?? 0) + 12) };
  const read = (length: number) =>
    GlyphContexts.read(
      { gsub: new DataView(bytes.buffer, bytes.byteOffset + gsub.start, length), gpos: null, classOf: () => 1 },
      PAIRED_CHARACTERS.map((code) => shaped.glyph(code)),
      [],
    );
  expect(read(gsub.length)).not.toBeNull();
  for (const share of [0, 0.001, 0.01, 0.1]) expect(read(Math.floor(gsub.length * share))).toBeNull();
});
