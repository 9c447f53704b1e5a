// Tests synthetic bold: how much wider letters become, and which paint operations they become.

import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import { emboldened, extraWidth } from '#core/paint/embolden.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { RED, rgb } from '../scene-nodes.ts';
import { face } from '../text/faces.ts';

function run(fontSize: number): GlyphRun {
  const glyphs = [{ id: face('inter').glyph(0x41), cluster: 0, x: 0, y: 0, advance: fontSize }];
  return { face: 'inter', fontSize, direction: 'ltr', slant: 0, embolden: true, text: 'A', glyphs, width: fontSize };
}

/**
 * In Chromium 156, the ink across the I of Inter 400 set at weight 700 is wider by 0.36, 0.64, 0.86, 1.15 and 3.09 px.
 */
test.each([
  [9, 0.375],
  [16, 0.623],
  [24, 0.861],
  [36, 1.125],
  [100, 3.125],
])('at %d px by %d px', (size, width) => expect(extraWidth(run(size))).toBeCloseTo(width, 3));

function ops(color = RED, outline: Extract<PaintOp, { kind: 'glyphs' }>['outline'] = null): readonly PaintOp[] {
  const brush = { kind: 'solid', color } as const;
  return emboldened({ kind: 'glyphs', run: run(32), origin: { x: 0, y: 40 }, brush, outline }, brush, face('inter'));
}

test('an outline in the colour of the letters', () => {
  const [op, ...others] = ops();
  expect(others).toEqual([]);
  expect(op).toMatchObject({
    kind: 'glyphs',
    outline: { brush: { color: RED }, stroke: { width: extraWidth(run(32)) } },
  });
});
test('a translucent colour shows once', () => {
  const [op] = ops(rgb(255, 0, 0, 0.5));
  expect(op).toMatchObject({
    kind: 'group',
    opacity: 0.5,
    ops: [{ brush: { color: RED }, outline: { brush: { color: RED } } }],
  });
});
test('an outline of its own lies under both, as much wider, and says no words', () => {
  const stroke = { width: 4, cap: 'butt', join: 'round', miterLimit: 4, dash: [] } as const;
  const [under, op] = ops(RED, { brush: { kind: 'solid', color: rgb(0, 0, 0) }, stroke });
  expect(under).toMatchObject({ kind: 'stroke', stroke: { width: 4 + extraWidth(run(32)) } });
  expect(op).toMatchObject({ kind: 'glyphs', brush: { color: RED } });
});
