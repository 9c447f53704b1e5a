// Tests the HarfBuzz wrapper: metrics, outlines, shaping, and files that are not fonts.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FontFace } from '#core/text/font-face.ts';
import { seeded } from '../../seeded.ts';
import { type FaceName, face, fontPath, hasFont } from './faces.ts';
import { SHAPING_CORPUS } from './shaping-corpus.ts';

const open = (bytes: Uint8Array) =>
  new FontFace({ key: 'x', family: 'X', weight: 400, style: 'normal', bytes, variations: {} });
const latin = { direction: 'ltr', script: 'Latn', language: null, features: {} } as const;

test('metrics are fractions of the em, as the file states them', () => {
  const { metrics, unitsPerEm } = face('inter');
  expect(unitsPerEm).toBe(2048);
  expect(metrics).toMatchObject({ ascent: 1984 / 2048, descent: 494 / 2048, lineGap: 0 });
  expect(metrics.xHeight).toBeCloseTo(1118 / 2048);
  expect(metrics.capHeight).toBeCloseTo(1490 / 2048);
  expect(metrics.underlinePosition).toBeLessThan(0);
  expect(metrics.strikeoutPosition).toBeGreaterThan(0.2);
});

function checkRefused(what: string, bytes: Uint8Array, message: RegExp): void {
  test(`refuses ${what}`, () => expect(() => open(bytes)).toThrow(message));
}
const inter = readFileSync(fontPath('inter'));
checkRefused('nothing', new Uint8Array(0), /too short/);
checkRefused('text', new TextEncoder().encode('this is not a font at all'), /neither TrueType nor OpenType/);
checkRefused('WOFF2', new TextEncoder().encode('wOF2 and then some more bytes'), /decompress/);
checkRefused('a collection', new TextEncoder().encode('ttcf and then some more bytes'), /collection/);
checkRefused('a file cut short', inter.subarray(0, 10_000), /cut short/);
checkRefused('a directory without tables', Uint8Array.from([0, 1, 0, 0, ...new Array(20).fill(0)]), /head or maxp/);

test('a font whose tables hold noise is opened or refused, never hangs or crashes', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const bytes = Uint8Array.from(inter);
    const next = seeded(seed);
    for (let i = 0; i < 200; i++) bytes[300 + next(bytes.length - 300)] = next(256);
    try {
      const broken = open(bytes);
      for (const { id } of broken.shape('Office AVATAR', latin)) broken.outline(id);
    } catch (error) {
      expect(String(error)).toMatch(/^Error: The font/);
    }
  }
});

test('has follows the cmap', () => {
  expect(face('inter').has(0x41)).toBe(true);
  expect(face('inter').has(0x3042)).toBe(false);
  expect(face('inter').glyph(0x3042)).toBe(0);
});

test('an outline is absolute moves, lines and cubics, y up, and closed', () => {
  const outline = face('inter').outline(face('inter').glyph(0x49));
  expect(outline).toEqual([['M', 370, 1490], ['L', 370, 0], ['L', 180, 0], ['L', 180, 1490], ['L', 370, 1490], ['Z']]);
  const round = face('inter').outline(face('inter').glyph(0x4f));
  expect(new Set(round.map(([command]) => command))).toEqual(new Set(['M', 'C', 'Z']));
});
test('a space has no outline', () => expect(face('inter').outline(face('inter').glyph(0x20))).toEqual([]));
test('an outline is the same object each time', () =>
  expect(face('inter').outline(40)).toBe(face('inter').outline(40)));

function checkShape(name: FaceName, text: string, more: object, expected: string): void {
  const glyphs = face(name).shape(text, { ...latin, ...more });
  expect(glyphs.map(({ cluster, xAdvance }) => `${cluster}+${xAdvance}`).join(' ')).toBe(expected);
}
test('kerns by default', () => checkShape('inter', 'AV', {}, '0+1273 1+1413'));
test('does not kern where told not to', () => checkShape('inter', 'AV', { features: { kern: 0 } }, '0+1413 1+1413'));
test('ligates by default', () => checkShape('serif', 'ffi', {}, '0+978'));
test('right to left comes in visual order', () =>
  checkShape('hebrew', 'אב', { direction: 'rtl', script: 'Hebr' }, '1+572 0+632'));
test('clusters are UTF-16 offsets', () =>
  expect(
    face('emoji')
      .shape('😀😀', { ...latin, script: 'Zyyy' })
      .map(({ cluster }) => cluster),
  ).toEqual([0, 2]));

test('context joins letters across the ends of a text', () => {
  const arabic = { ...latin, direction: 'rtl', script: 'Arab' } as const;
  const alone = face('arabic').shape('ب', arabic);
  const joined = face('arabic').shape('ب', { ...arabic, before: 'ب', after: 'ب' });
  const ids = (glyphs: typeof alone) => glyphs.map(({ id }) => id);
  expect(joined.map(({ cluster }) => cluster)).toEqual(alone.map(({ cluster }) => cluster));
  expect(ids(joined)).not.toEqual(ids(alone));
});
test('context makes no difference in a script whose letters do not join', () => {
  for (const { face: name, texts, ...options } of SHAPING_CORPUS) {
    if (options.script === 'Arab' || !hasFont(name)) continue;
    for (const text of texts)
      for (let at = 1; at < text.length; at++) {
        const [before, after] = [text.slice(0, at), text.slice(at)];
        expect(face(name).shape(after, { ...options, before }), text).toEqual(face(name).shape(after, options));
        expect(face(name).shape(before, { ...options, after }), text).toEqual(face(name).shape(before, options));
      }
  }
});
test('a made-up language does not matter', () =>
  checkShape('inter', 'AV', { language: 'xx-YYYY-zzzzzzzz' }, '0+1273 1+1413'));
test('a language has its own forms', () => {
  const serbian = face('noto-sans').shape('б', { ...latin, script: 'Cyrl', language: 'sr-Latn-RS' });
  const russian = face('noto-sans').shape('б', { ...latin, script: 'Cyrl', language: 'ru' });
  expect(serbian[0]?.id).not.toBe(russian[0]?.id);
});

test('half a surrogate pair is shaped as the replacement character', () =>
  expect(face('inter').shape('\ud83d', latin)[0]?.id).toBe(face('inter').glyph(0xfffd)));

// The only variable font available comes with a development dependency.
const VARIABLE = join(
  import.meta.dirname,
  '../../../node_modules/satori/node_modules/harfbuzzjs/test/fonts/noto/NotoSansArabic-Variable.ttf',
);
test.skipIf(!existsSync(VARIABLE))('a variable font is read at its point of the design space', () => {
  const at = (variations: Record<string, number>) => {
    const bytes = readFileSync(VARIABLE);
    return new FontFace({ key: 'v', family: 'V', weight: 400, style: 'normal', bytes, variations });
  };
  const width = (of: FontFace) =>
    of.shape('السلام', { ...latin, direction: 'rtl', script: 'Arab' }).reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  const [regular, bold, condensed] = [at({}), at({ wght: 700 }), at({ wdth: 75 })];
  expect([width(regular), width(bold), width(condensed)]).toEqual([2431, 2818, 2170]);
  expect(bold.metrics.xHeight).toBeGreaterThan(regular.metrics.xHeight);
  expect(bold.outline(20)).not.toEqual(regular.outline(20));
  expect(width(at({ wght: 99_999, none: 3 }))).toBe(width(at({ wght: 900 })));
});
