// Tests the legacy `kern` table against hb-shape, on a font whose GPOS table is replaced by a `kern` table.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FontFace } from '#core/text/font-face.ts';
import { readSfnt, writeSfnt } from '#draw/fonts/sfnt.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { face, fontPath } from './faces.ts';

const FONT = readSfnt(readFileSync(fontPath('inter')));
const id = (character: string) => face('inter').glyph(character.codePointAt(0) ?? 0);

interface Subtable {
  readonly coverage?: number;
  readonly format?: number;
  readonly pairs: readonly (readonly [pair: string, value: number])[];
}

/** Builds the table in OpenType's format, or in Apple's. */
function kernTable(subtables: readonly Subtable[], isApple = false): Uint8Array {
  const bytes: number[] = [];
  const u16 = (value: number) => bytes.push((value >> 8) & 255, value & 255);
  const u32 = (value: number) => [value >>> 16, value & 0xffff].forEach(u16);
  if (isApple) [0x0001_0000, subtables.length].forEach(u32);
  else [0, subtables.length].forEach(u16);
  for (const { coverage = isApple ? 0 : 1, format = 0, pairs } of subtables) {
    const sorted = pairs
      .map(([pair, value]) => ({ key: id([...pair][0] ?? '') * 65_536 + id([...pair][1] ?? ''), value }))
      .sort((a, b) => a.key - b.key);
    const length = (isApple ? 8 : 6) + 8 + 6 * sorted.length;
    if (isApple) {
      u32(length);
      bytes.push(coverage, format);
      u16(0);
    } else {
      u16(0);
      u16(length);
      bytes.push(format, coverage);
    }
    for (const value of [sorted.length, 0, 0, 0]) u16(value);
    for (const { key, value } of sorted) {
      u32(key);
      u16(value);
    }
  }
  return Uint8Array.from(bytes);
}

/** Inter with this `kern` table, and without GPOS unless `keepsGpos`. */
function fontWith(kern: Uint8Array, keepsGpos = false): Uint8Array {
  const tables = new Map([...FONT.tables].filter(([tag]) => tag !== 'GPOS' || keepsGpos));
  return writeSfnt({ version: FONT.version, tables: tables.set('kern', kern) });
}

interface Options {
  readonly script?: string;
  readonly direction?: 'ltr' | 'rtl';
  readonly features?: Readonly<Record<string, number>>;
}

function shaped(bytes: Uint8Array, text: string, { script = 'Latn', direction = 'ltr', features = {} }: Options = {}) {
  const kerned = new FontFace({ ...face('inter').file, key: 'kerned', bytes });
  return kerned.shape(text, { direction, script, language: null, features });
}

const show = (glyphs: ReturnType<typeof shaped>) =>
  glyphs.map(({ id, cluster, xAdvance, xOffset, yOffset }) => `${id}@${cluster} +${xAdvance} ${xOffset},${yOffset}`);

const PAIRS = [
  ['AV', -201],
  ['VA', -150],
  ['AA', 40],
  ['To', -99],
] as const;

/** The difference of each glyph's shaped advance from its nominal one. */
function closer(bytes: Uint8Array, text: string, options: Options = {}): readonly number[] {
  return shaped(bytes, text, options).map(({ id, xAdvance }) => xAdvance - face('inter').advance(id));
}

test('pairs stand closer, half on either side', () => {
  expect(closer(fontWith(kernTable([{ pairs: PAIRS }])), 'AVo')).toEqual([-101, -100, 0]);
  expect(shaped(fontWith(kernTable([{ pairs: PAIRS }])), 'AV')[1]).toMatchObject({
    xOffset: -100,
    unsafeToBreak: true,
  });
});
test('in Apple’s form too', () =>
  expect(closer(fontWith(kernTable([{ pairs: PAIRS }], true)), 'AV')).toEqual([-101, -100]));
test('subtables add up', () =>
  expect(closer(fontWith(kernTable([{ pairs: PAIRS }, { pairs: [['AV', -10]] }])), 'AV')).toEqual([-106, -105]));
test('subtables of vertical lines and of other formats are passed over', () =>
  expect(
    closer(
      fontWith(
        kernTable([
          { coverage: 0, pairs: PAIRS },
          { format: 2, pairs: PAIRS },
        ]),
      ),
      'AV',
    ),
  ).toEqual([0, 0]));
test('a font whose GPOS kerns is left alone', () => {
  const [left] = shaped(fontWith(kernTable([{ pairs: [['AV', 1000]] }]), true), 'AV');
  expect(left?.xAdvance).toBeLessThan(face('inter').advance(id('A')));
});
test('kerning can be turned off', () =>
  expect(closer(fontWith(kernTable([{ pairs: PAIRS }])), 'AV', { features: { kern: 0 } })).toEqual([0, 0]));
test('marks are passed over', () =>
  expect(closer(fontWith(kernTable([{ pairs: PAIRS }])), 'T\u0325o').at(-1)).toBe(-49));
test('a table that is cut short kerns what is left of it', () => {
  const whole = kernTable([{ pairs: PAIRS }]);
  for (let length = 0; length < whole.length; length++) {
    expect(shaped(fontWith(whole.slice(0, length)), 'AVATAR').length).toBe(6);
  }
});

const hasTool = spawnSync('hb-shape', ['--version']).status === 0;
test.skipIf(!hasTool)('as hb-shape does it', async () => {
  await using folder = await temporaryFolder();
  const tables = [[{ pairs: PAIRS }], [{ pairs: PAIRS }, { coverage: 5, pairs: [['AV', 30]] as const }]];
  for (const subtables of tables) {
    const bytes = fontWith(kernTable(subtables));
    const path = join(folder.path, 'kerned.ttf');
    writeFileSync(path, bytes);
    for (const [text, script, direction] of [
      ['AVATAR To AA', 'Latn', 'ltr'],
      ['A\u200dVA', 'Latn', 'ltr'],
      ['AVA', 'Arab', 'rtl'],
    ] as const) {
      const args = ['--output-format=json', '--no-glyph-names', `--script=${script}`, `--direction=${direction}`, path];
      const output = execFileSync('hb-shape', args, { input: `${text}\n`, encoding: 'utf8' });
      const glyphs: { g: number; cl: number; ax: number; dx: number; dy: number }[] = JSON.parse(output);
      const expected = glyphs.map(({ g, cl, ax, dx, dy }) => `${g}@${cl} +${ax} ${dx},${dy}`);
      expect(show(shaped(bytes, text, { script, direction })), text).toEqual(expected);
    }
  }
});
