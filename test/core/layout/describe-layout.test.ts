import { expect, test } from 'vitest';
import { describeLayout } from '#core/layout/describe-layout.ts';
import { layOut } from '#core/layout/layout.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { edges, frame, resources, scene, shape, style, text } from '../scene-nodes.ts';
import { match } from '../text/faces.ts';

const RESOURCES = { ...resources(), fonts: new FontSet(new Map([[fontQueryKey(style().font), [match('inter')]]])) };

function describe(...nodes: Parameters<typeof scene>[0]) {
  const given = scene(nodes);
  return describeLayout(given, layOut(given, RESOURCES).boxes).layers;
}

test('layers come in painting order, frames before what is in them', () => {
  const nodes = [
    frame({ name: 'card', x: 10, padding: 5, layout: {}, children: [shape({ name: 'dot', width: 8, height: 4 })] }),
  ];
  expect(describe(...nodes)).toEqual([
    { name: 'card', frame: null, x: 10, y: 0, width: 18, height: 14 },
    { name: 'dot', frame: 'card', x: 15, y: 5, width: 8, height: 4 },
  ]);
});
test('text says its lines as they stand', () => {
  const [layer] = describe(
    text('a fox  jumps', { width: 50, x: 3, margin: edges(1), style: { textTransform: 'uppercase' } }),
  );
  expect(layer?.text).toMatchObject({ fontSize: 20, overflows: false });
  expect(layer?.text?.lines.map((line) => [line.text, line.x, line.y, line.height])).toEqual([
    ['A', 4, 1, 24],
    ['FOX', 4, 25, 24],
    ['JUM', 4, 49, 24],
    ['PS', 4, 73, 24],
  ]);
});
test('the font size is the one that fits', () => {
  const [layer] = describe(text('Hello', { width: 24, height: 24, autoFitMin: 4 }));
  expect(layer?.text).toMatchObject({ fontSize: 9.875, overflows: false });
});
test('a cut line ends in an ellipsis', () => {
  const [layer] = describe(text('a fox jumps', { width: 60, maxLines: 1, overflow: 'ellipsis' }));
  expect(layer?.text?.lines.map((line) => line.text)).toEqual(['a fo…']);
  expect(layer?.text?.overflows).toBe(true);
});
test('vertical lines are told as they lie on the canvas', () => {
  const [layer] = describe(text('AV AV', { x: 10, y: 5, height: 40, writingMode: 'vertical-rl' }));
  expect(layer).toMatchObject({ x: 10, y: 5, width: 48, height: 40 });
  expect(layer?.text?.lines.map(({ text, x, y, width, baseline }) => [text, x, y, width, baseline])).toEqual([
    ['AV', 34, 5, 24, 46],
    ['AV', 10, 5, 24, 22],
  ]);
});
test('vertical text aligns across its lines from the right, or from the left', () => {
  const xOf = (writingMode: 'vertical-rl' | 'vertical-lr', verticalAlign: 'top' | 'bottom') =>
    describe(text('AV', { width: 100, height: 40, writingMode, verticalAlign }))[0]?.text?.lines[0]?.x;
  expect(xOf('vertical-rl', 'top')).toBe(76);
  expect(xOf('vertical-rl', 'bottom')).toBe(0);
  expect(xOf('vertical-lr', 'top')).toBe(0);
  expect(xOf('vertical-lr', 'bottom')).toBe(76);
});
test('vertical text without a height wraps at the end of the canvas', () => {
  const [layer] = describe(text('AVAVAV AVAVAV AVAVAV AVAVAV', { y: 20, writingMode: 'vertical-rl' }));
  expect((layer?.y ?? 0) + (layer?.height ?? 0)).toBeLessThanOrEqual(300);
  expect(layer?.text?.lines.length).toBeGreaterThan(1);
});
