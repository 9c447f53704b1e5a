// Tests where Yoga alone would differ from CSS. Each expected figure is worked out by hand from CSS Flexbox 1.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LayoutBox } from '#core/layout/box.ts';
import { resolveFlexibleLengths } from '#core/layout/flexible-lengths.ts';
import { layOut } from '#core/layout/layout.ts';
import type { FrameNode } from '#core/resolve/scene.ts';
import { edges, frame, resources, scene, shape, text } from '../scene-nodes.ts';
import { fontSet, query } from '../text/faces.ts';

type ItemOptions = Parameters<typeof shape>[0];
type FrameOptions = NonNullable<Parameters<typeof frame>[0]>;

function childrenOf(node: FrameNode, given = resources()): readonly LayoutBox[] {
  const [box] = layOut(scene([node]), given).boxes;
  return box?.kind === 'frame' ? box.children : [];
}

const row = (options: FrameOptions, items: readonly NonNullable<ItemOptions>[], ...before: readonly FrameNode[]) =>
  frame({
    ...options,
    layout: { direction: 'row', align: 'start', ...options.layout },
    children: [...before, ...items.map(shape)],
  });

/** Checks the items' widths in a row of 300 px. */
function checkWidths(items: readonly NonNullable<ItemOptions>[], ...expected: number[]): void {
  const widths = childrenOf(row({ width: 300 }, items)).map(({ rect }) => Math.round(rect.width * 100) / 100);
  expect(widths).toEqual(expected);
}

/** Checks the items' tops in a frame whose layout is a row. */
function checkTops(options: FrameOptions, items: readonly NonNullable<ItemOptions>[], ...expected: number[]): void {
  expect(childrenOf(row(options, items)).map(({ rect }) => Math.round(rect.y * 100) / 100)).toEqual(expected);
}

const fill = (more: ItemOptions = {}) => ({ width: 'fill', height: 10, ...more });
const wide = (width: number, more: ItemOptions = {}) => ({ width, height: 10, flexShrink: 1, ...more });

test('a minimum that is met takes no more than its share', () =>
  checkWidths([fill({ minWidth: 90 }), fill(), fill()], 100, 100, 100));
test('a minimum leaves the rest to the others', () =>
  checkWidths([fill({ minWidth: 200 }), fill(), fill()], 200, 50, 50));
test('of minimum and maximum that both hold back, the larger violation is settled first', () =>
  checkWidths([fill({ minWidth: 160 }), fill({ maxWidth: 60 }), fill()], 160, 60, 80));
test('one held back may hold back the next', () =>
  checkWidths([wide(200, { minWidth: 150 }), wide(200, { minWidth: 90 }), wide(200)], 150, 90, 60));
test('an item that may grow by half, and shrink, keeps its size besides', () =>
  checkWidths([wide(100, { flexGrow: 0.5 })], 200));
test('factors under one give up that part only', () =>
  checkWidths([wide(400, { flexShrink: 0.2 }), wide(100, { flexShrink: 0.3 })], 327.27, 72.73));
test('what would be less than nothing leaves the others their part', () =>
  checkWidths([wide(280, { flexShrink: 0 }), wide(50, { flexShrink: 0.2 }), wide(30)], 280, 38, 0));

test('padding does not shrink', () => {
  const padded = (padding: number) => frame({ width: 200, height: 60, padding, flexShrink: 1, clip: true, layout: {} });
  const boxes = childrenOf(frame({ width: 300, layout: { direction: 'row' }, children: [padded(40), padded(10)] }));
  expect(boxes.map(({ rect }) => Math.round(rect.width * 100) / 100)).toEqual([160, 140]);
});

test('items in wrapped lines keep their margins', () =>
  checkTops({ width: 100, layout: { wrap: 'wrap' } }, [wide(60, { margin: edges(7) }), wide(60)], 7, 24));
test('a lone line of a frame that wraps is as tall as its items', () =>
  checkTops(
    { width: 100, height: 80, layout: { wrap: 'wrap', align: 'end' } },
    [wide(30), wide(30, { height: 40 })],
    30,
    0,
  ));
test('lines that wrap in reverse start above the bottom padding', () => {
  const node = row({ width: 100, height: 90, layout: { wrap: 'wrap-reverse' } }, [wide(30)]);
  const [box] = childrenOf({ ...node, padding: { top: 0, right: 0, bottom: 25, left: 0 } });
  expect(box?.rect.y).toBe(55);
});

test('boxes stand on their bottom edges, margins and all', () =>
  checkTops(
    { width: 300, layout: { align: 'baseline' } },
    [wide(20, { height: 50 }), wide(20, { margin: { top: 0, right: 0, bottom: 30, left: 0 } }), wide(20)],
    0,
    40,
    40,
  ));
test('a hugging frame reaches as far below the baseline as its items do', () => {
  const items = [wide(20, { margin: { top: 0, right: 0, bottom: 30, left: 0 } }), wide(20, { height: 50 })];
  const [box] = layOut(scene([row({ layout: { align: 'baseline' } }, items)]), resources()).boxes;
  expect(box?.rect.height).toBe(80);
});

test('words that fit to a hair do not wrap for the sake of single precision', () => {
  const words = text('Words that would wrap', { style: { font: query('inter') } });
  const given = { ...resources(), fonts: fontSet(words.strut) };
  const isOneLine = (padding: number) => {
    const hugging = frame({ padding, layout: {}, children: [words] });
    const [box] = childrenOf(row({ width: 300 }, [fill()], hugging), given);
    const [leaf] = box?.kind === 'frame' ? box.children : [];
    return leaf?.kind === 'text' && leaf.paragraph.lines.length === 1;
  };
  const paddings = Array.from({ length: 100 }, (_, i) => i / 10);
  expect(paddings.filter((padding) => !isOneLine(padding))).toEqual([]);
});

test('a row is shared out as section 9.7 has it', () => {
  const factor = fc.constantFrom(0, 0.2, 0.5, 1, 2);
  const bound = fc.option(fc.integer({ min: 0, max: 200 }));
  const item = fc.record({
    base: fc.integer({ max: 300, min: 0 }),
    grow: factor,
    shrink: factor,
    min: bound,
    over: bound,
  });
  const property = fc.property(fc.array(item, { minLength: 1, maxLength: 6 }), (items) => {
    const bounded = items.map(({ min, over, ...rest }) => ({
      ...rest,
      min: min ?? 0,
      max: (min ?? 0) + (over ?? 1e9),
    }));
    const flexible = bounded.map(({ base, grow, shrink, min, max }) => {
      return { base, hypothetical: Math.max(min, Math.min(base, max)), rigid: 0, min: () => min, max, grow, shrink };
    });
    const expected = [...resolveFlexibleLengths(flexible, 300).values()];
    const boxes = childrenOf(
      row(
        { width: 300 },
        bounded.map(({ base, grow, shrink, min, max }) => {
          return { width: base, height: 10, flexGrow: grow, flexShrink: shrink, minWidth: min, maxWidth: max };
        }),
      ),
    );
    for (const [i, { rect }] of boxes.entries()) expect(Math.abs(rect.width - (expected[i] ?? 0))).toBeLessThan(0.01);
  });
  fc.assert(property, { seed: 1, numRuns: 500 });
});
