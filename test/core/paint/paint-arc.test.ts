// Tests text around a circle: how each letter is rotated, and that the text stays in words.

import { expect, test } from 'vitest';
import { rotation, transformPoint } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { bendOf, paintOnArc } from '#core/paint/paint-arc.ts';
import type { TextArc } from '#core/resolve/scene.ts';
import { layOut, query, style, textNode } from '../text/faces.ts';

const CENTRE = { x: 100, y: 100 };
const ARC: TextArc = { radius: 50, angle: 0, side: 'outside' };

interface Turned {
  readonly text: string;
  /** The middle of the baseline, on the canvas. */
  readonly x: number;
  readonly y: number;
}

function onArc(text: string, more: Partial<TextArc> = {}, before = 0.5, family: 'inter' | 'serif' = 'inter'): Turned[] {
  const node = textNode([{ text, style: style({ font: query(family) }), link: null, counter: null, image: null }]);
  const { lines } = layOut(node, null);
  const firstBaseline = lines[0]?.baseline ?? 0;
  const found: Turned[] = [];
  for (const line of lines) {
    const circle = { arc: { ...ARC, ...more }, centre: CENTRE, firstBaseline, before };
    const bend = bendOf(line, circle);
    if (!bend) continue;
    const ops = paintOnArc(line, bend, ({ run }, origin): readonly PaintOp[] => [
      { kind: 'glyphs', run, origin, brush: null, outline: null },
    ]);
    for (const op of ops) {
      const [glyphs] = op.kind === 'group' ? op.ops : [op];
      if (glyphs?.kind !== 'glyphs') continue;
      const { run, origin } = glyphs;
      const middle = { x: origin.x + run.width / 2, y: origin.y };
      const transform = op.kind === 'group' ? op.transform : rotation(0, CENTRE);
      found.push({ text: run.text, ...transformPoint(transform, middle) });
    }
  }
  return found;
}

const distance = ({ x, y }: Turned) => Math.hypot(x - CENTRE.x, y - CENTRE.y);

test('one letter stands at the top', () => {
  const [letter] = onArc('A');
  expect(letter).toMatchObject({ text: 'A', x: 100, y: 50 });
});
test('inside, at the bottom', () => {
  const [letter] = onArc('A', { side: 'inside' });
  expect(letter).toMatchObject({ text: 'A', x: 100, y: 150 });
});
test('at an angle', () => {
  const [letter] = onArc('A', { angle: 90 });
  expect(letter?.x).toBeCloseTo(150);
  expect(letter?.y).toBeCloseTo(100);
});
test('every baseline lies on the circle, left to right on both sides', () => {
  for (const side of ['outside', 'inside'] as const) {
    const letters = onArc('Around', { side });
    expect(letters.map(({ text }) => text)).toEqual([...'Around']);
    for (const letter of letters) expect(distance(letter)).toBeCloseTo(50);
    expect(letters.map(({ x }) => x)).toEqual(letters.map(({ x }) => x).sort((a, b) => a - b));
  }
});
test('text that starts at the angle lies behind it', () =>
  expect(onArc('Around', {}, 0).every(({ x }) => x > 100)).toBe(true));
test('a second line runs nearer to the centre, or farther inside', () => {
  expect(distance(onArc('A\nB')[1] ?? { text: '', x: 0, y: 0 })).toBeLessThan(40);
  expect(distance(onArc('A\nB', { side: 'inside' })[1] ?? { text: '', x: 0, y: 0 })).toBeGreaterThan(60);
});
test('a line for which the circle is too small is left out', () =>
  expect(onArc('A\nB\nC', { radius: 30 }).map(({ text }) => text)).toEqual(['A', 'B']));
test('a ligature is turned as one, with both its letters', () =>
  expect(onArc('fi', {}, 0.5, 'serif').map(({ text }) => text)).toEqual(['fi']));
