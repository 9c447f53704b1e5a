// Tests that what cannot be seen is not painted, and that painting too much is refused with the layer's name.

import { expect, test } from 'vitest';
import type { GradientStop } from '#core/color.ts';
import { compose } from '#core/compose.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { View } from '#core/paint/view.ts';
import type { SceneNode } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { frame, RED, resources, scene, shape, solid, style, text } from '../scene-nodes.ts';
import { allLayers, colorFace, glyphPaint, painted as layersOf, outlineOf } from '../text/color-font.ts';
import { match } from '../text/faces.ts';

const RESOURCES: Resources = {
  ...resources({}),
  fonts: new FontSet(new Map([[fontQueryKey(style().font), [match('inter'), match('emoji')]]])),
};
/** The canvas is 400 × 300 px. */
const painted = (...nodes: SceneNode[]): readonly PaintOp[] => compose(scene(nodes), RESOURCES).list.ops;
const wordsOf = (ops: readonly PaintOp[]): string =>
  ops.map((op) => (op.kind === 'glyphs' ? op.run.text : op.kind === 'group' ? wordsOf(op.ops) : '')).join('');

const lines = (count: number, word: string) => text(Array.from({ length: count }, () => word).join('\n'));

test('lines below the canvas are not painted', () => {
  const shown = wordsOf(painted(lines(500, 'word'))).length / 4;
  expect(shown).toBeGreaterThan(5);
  expect(shown).toBeLessThan(40);
});
test('nor those that a frame cuts', () => {
  const clip = { x: 0, y: 0, width: 100, height: 40, clip: true, children: [lines(500, 'word')] };
  const shown = wordsOf(painted(frame(clip))).length / 4;
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(6);
});
test('nor colour glyphs beside it, on a line that is seen', () => {
  const ops = painted(text('😀'.repeat(2_000)));
  expect(JSON.stringify(ops).length).toBeLessThan(3_000_000);
});
test('a layer beside the canvas is not painted, and one that its shadow or its turn carries in is', () => {
  const beside = { x: 500, y: 10, width: 40, height: 40 };
  const cast = { x: -150, y: 0, sigma: 0, spread: 0, color: RED, inset: false };
  expect(painted(shape(beside))).toEqual([]);
  expect(painted({ ...shape(beside), shadows: [cast] })).not.toEqual([]);
  expect(painted({ ...shape(beside), rotation: 45 })).toEqual([]);
  expect(painted({ ...shape({ ...beside, x: 410, width: 10, height: 200 }), rotation: 90 })).not.toEqual([]);
  expect(painted(shape({ ...beside, fill: solid(RED), x: 399 }))).not.toEqual([]);
});
test('more emoji than may be seen at once are refused, by name', () =>
  expect(() => painted({ ...lines(60, '😀'.repeat(100)), ...small() })).toThrow(
    /^layers\.?\S*: shows too many emoji or pieces of text to be drawn; give it fewer, or less room$/,
  ));

test('a colour glyph of too many segments is refused before it is painted', () => {
  let isPainted = false;
  const paint = (): readonly PaintOp[] => {
    isPainted = true;
    return [];
  };
  expect(() => View.all().spendOn(300_000, paint)).toThrow(/shows too many emoji/);
  expect(isPainted).toBe(false);
});
test('a colour glyph counts what it comes to, and the stops that no emoji has', () => {
  const stops = Array.from({ length: 256 }, (_, i): GradientStop => ({ offset: i / 255, color: RED }));
  const fill = (count: number): PaintOp => ({
    ...{ kind: 'fill', path: [['M', 0, 0], ['L', 9, 0], ['L', 9, 9], ['Z']], rule: 'nonzero' },
    brush: { kind: 'linear', from: { x: 0, y: 0 }, to: { x: 9, y: 0 }, stops: stops.slice(0, count) },
  });
  const view = View.all();
  view.spendOn(4, () => [fill(13)]);
  expect(view.spent).toBe(5);
  view.spendOn(4, () => [fill(256)]);
  expect(view.spent).toBe(5 + 5 + 240);
});

test('letters without colours of a colour font count too', () => {
  const triangle = outlineOf(5);
  const layer = [...glyphPaint(2), ...allLayers(0)];
  const empty = colorFace([triangle, outlineOf(60_000), triangle], layersOf([0], layer, allLayers(1)));
  const fonts = new FontSet(new Map([[fontQueryKey(style().font), [{ face: empty, slant: 0 }]]]));
  const node = text('A'.repeat(20), { style: { fontSize: 2 } });
  expect(() => compose(scene([node]), { ...RESOURCES, fonts })).toThrow(/shows too many emoji or pieces of text/);
});

function small(): Pick<Extract<SceneNode, { type: 'text' }>, 'spans'> {
  const own = style({ fontSize: 3 });
  return { spans: [{ text: `${'😀'.repeat(100)}\n`.repeat(60), style: own, link: null, counter: null, image: null }] };
}

test('of a page, boxes are painted on whole px, where those that touch still touch, and none vanishes', () => {
  const at = (x: number, width: number) => shape({ x, y: 0.5, width, height: 10.25 });
  const { list } = compose({ ...scene([at(0, 33.4), at(33.4, 33.3), at(70.2, 0.3)]), snaps: 'boxes' }, RESOURCES);
  const sides = list.ops.map((op) => (op.kind === 'fill' ? new Set(op.path.flatMap(([, ...xy]) => xy)) : null));
  expect(sides.map((all) => [...(all ?? [])].toSorted((a, b) => a - b))).toEqual([
    [0, 1, 11, 33],
    [1, 11, 33, 67],
    [1, 11, 70, 71],
  ]);
});
