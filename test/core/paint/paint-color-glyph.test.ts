// Tests painting colour glyphs that are far larger than any emoji.

import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { BLACK } from '#core/color.ts';
import { IDENTITY } from '#core/geometry.ts';
import { paintColorGlyph } from '#core/paint/paint-color-glyph.ts';
import type { PathData } from '#core/path.ts';
import type { ColorGlyphOp } from '#core/text/color-glyph.ts';

const SQUARE: PathData = [['M', 0, 0], ['L', 10, 0], ['L', 10, 10], ['L', 0, 10], ['Z']];
const fill: ColorGlyphOp = { kind: 'fill', path: SQUARE, brush: { kind: 'solid', color: BLACK, alpha: 1 } };
const inside: ColorGlyphOp = { kind: 'group', composite: 'src-in', ops: [fill] };
const paint = (ops: readonly ColorGlyphOp[]) => paintColorGlyph(ops, IDENTITY, BLACK);

test('a hundred thousand fills are painted in one pass', () => {
  const started = timeWorked();
  expect(paint(Array.from({ length: 100_000 }, () => fill)).length).toBe(100_000);
  expect(timeWorked() - started).toBeLessThan(5000);
});
test('"in" replaces what precedes it, and what follows lies above', () => {
  const [clip, above, ...rest] = paint([fill, inside, fill]);
  expect(clip).toMatchObject({ kind: 'group', clip: { path: SQUARE }, ops: [{ kind: 'fill' }] });
  expect(above).toMatchObject({ kind: 'fill' });
  expect(rest).toEqual([]);
});
test('of many "in", only the last is painted, in the outline of all that precede it', () => {
  let reads = 0;
  const counted: ColorGlyphOp = {
    ...fill,
    get path() {
      reads++;
      return SQUARE;
    },
  };
  const [clip, ...rest] = paint([
    ...Array.from({ length: 1000 }, () => counted),
    ...Array.from({ length: 1000 }, () => inside),
  ]);
  expect(clip?.kind === 'group' && clip.clip?.path.length).toBe(SQUARE.length * 1999);
  expect(rest).toEqual([]);
  expect(reads).toBe(1000);
});
