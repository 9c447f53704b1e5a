// Tests text among boxes: the width it wraps at, its height, and how it moves its siblings.

import { expect, test } from 'vitest';
import type { Rect } from '#core/geometry.ts';
import type { LayoutBox, TextBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import type { SceneNode } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { code, frame, image, resources, scene, shape, style, text } from '../scene-nodes.ts';
import { match } from '../text/faces.ts';

const RESOURCES: Resources = {
  ...resources({ photo: { width: 30, height: 30 } }),
  fonts: new FontSet(new Map([[fontQueryKey(style().font), [match('inter')]]])),
};
const FOX = 'The quick brown fox jumps over the lazy dog';

const laidOut = (...nodes: SceneNode[]) => layOut(scene(nodes), RESOURCES);

function flat(box: LayoutBox): LayoutBox[] {
  return [box, ...(box.kind === 'frame' ? box.children.flatMap(flat) : [])];
}

/** Boxes to a tenth of a px, parents first, on a canvas of 400 × 300; lines are 24 px tall. */
function check(node: SceneNode, ...expected: string[]): void {
  const round = (value: number) => Math.round(value * 10) / 10;
  const show = ({ x, y, width, height }: Rect) => `${round(x)},${round(y)} ${round(width)}×${round(height)}`;
  expect(
    laidOut(node)
      .boxes.flatMap(flat)
      .map(({ rect }) => show(rect)),
  ).toEqual(expected);
}

function textBox(node: SceneNode): TextBox {
  const [box] = laidOut(node).boxes;
  if (box?.kind !== 'text') throw new Error('expected a text box');
  return box;
}

test('text hugs its words', () => check(text('Hello'), '0,0 48.2×24'));
test('hugging text wraps at what its parent has left', () => check(text(FOX, { x: 250 }), '250,0 150×96'));
test('text that starts outside is not wrapped to nothing', () => check(text('Hello', { x: 500 }), '500,0 48.2×24'));
test('a given width wraps', () => check(text(FOX, { width: 200 }), '0,0 200×72'));
test('a maximum wraps', () => check(text(FOX, { maxWidth: 200 }), '0,0 200×72'));
test('a stretched text pushes its neighbour', () =>
  check(
    frame({ width: 200, layout: {}, children: [text(FOX), shape({ width: 10, height: 10 })] }),
    '0,0 200×82',
    '0,0 200×72',
    '0,72 10×10',
  ));
test('text gives way in a row', () =>
  check(
    frame({ width: 250, layout: { direction: 'row' }, children: [shape({ width: 50, height: 10 }), text(FOX)] }),
    '0,0 250×72',
    '0,0 50×10',
    '50,0 200×72',
  ));
test('text keeps its lines in a column that is too short', () =>
  check(frame({ width: 200, height: 30, layout: {}, children: [text(FOX)] }), '0,0 200×30', '0,0 200×72'));
test('text that is cut gives way there', () =>
  check(
    frame({ width: 200, height: 30, layout: {}, children: [text(FOX, { overflow: 'clip' })] }),
    '0,0 200×30',
    '0,0 200×30',
  ));
test('baselines meet', () => {
  const children = [text('a', { style: { fontSize: 40 } }), text('b'), image()];
  const boxes = laidOut(frame({ layout: { direction: 'row', align: 'baseline' }, children })).boxes.flatMap(flat);
  const baselines = boxes.flatMap((box) => {
    if (box.kind === 'text') return (box.paragraph.lines[0]?.baseline ?? 0) + box.content.y;
    return box.kind === 'leaf' ? box.rect.y + box.rect.height : [];
  });
  expect(new Set(baselines.map((y) => y.toFixed(3))).size).toBe(1);
});
test('a frame meets its neighbours at its first line', () => {
  const children = [
    text('a', { style: { fontSize: 40 } }),
    frame({ layout: {}, padding: 7, children: [text('b'), text('c')] }),
  ];
  const boxes = laidOut(frame({ layout: { direction: 'row', align: 'baseline' }, children })).boxes.flatMap(flat);
  const [a, b] = boxes.flatMap((box) =>
    box.kind === 'text' ? [(box.paragraph.lines[0]?.baseline ?? 0) + box.content.y] : [],
  );
  expect(a).toBeCloseTo(b ?? 0, 3);
});

test('text stands where it is told in a taller box', () => {
  const place = (verticalAlign: 'top' | 'middle' | 'bottom') =>
    textBox(text('Hello', { height: 100, verticalAlign })).content.y;
  expect([place('top'), place('middle'), place('bottom')]).toEqual([0, 38, 76]);
});
test('lines are aligned in the box, not in the paragraph', () => {
  const { paragraph, rect } = textBox(text('Hello', { width: 300, align: 'right' }));
  const { x, width } = paragraph.lines[0]?.box ?? { x: 0, width: 0 };
  expect(x + width).toBeCloseTo(rect.width);
});
test('a hugging line is not wrapped again by rounding', () => {
  for (const words of ['Hello', 'Wide AVA To', 'iiii llll', 'jumps over the lazy dog']) {
    const [box] = laidOut(frame({ layout: { direction: 'row' }, x: 1 / 3, children: [text(words)] }))
      .boxes.flatMap(flat)
      .slice(1);
    expect(box?.kind === 'text' && box.paragraph.lines.length).toBe(1);
  }
});

test('a caption takes its line from the bars', () => {
  const caption = { text: '4006381333931', style: style(), link: null, counter: null, image: null };
  const bars = { columns: 3, rows: 1, dark: [true, false, true] };
  const [box] = laidOut(code({ width: 200, height: 100, square: false, modules: bars, caption })).boxes;
  if (box?.kind !== 'code') throw new Error('expected a code box');
  expect(box.area).toEqual({ x: 0, y: 0, width: 200, height: 76 });
  expect(box.captions[0]?.content).toEqual({ x: 0, y: 76, width: 200, height: 24 });
});

test('missing glyphs are reported once a layer', () => {
  const { diagnostics } = laidOut(text('\u{10FFFD}a\u{10FFFD}', { name: 'title' }));
  expect(diagnostics).toEqual([
    {
      code: 'missing-glyph',
      layer: 'title',
      message: 'Layer "title": no font has a glyph for "\u{10FFFD}" (U+10FFFD).',
    },
  ]);
});
