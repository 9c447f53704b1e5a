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
