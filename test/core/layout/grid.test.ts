// Tests cell placement and track sizing on their own; whole grids are compared with Chromium's in chromium/.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { type GridRequest, placeInGrid } from '#core/layout/grid-placement.ts';
import { sizeTracks } from '#core/layout/grid-tracks.ts';
import { layOut } from '#core/layout/layout.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { GridTrack } from '#core/resolve/scene.ts';
import { parseTemplate } from '#core/template/template.ts';
import { resources } from '../scene-nodes.ts';

const auto = (more: Partial<GridRequest> = {}): GridRequest => ({
  column: null,
  row: null,
  columnSpan: 1,
  rowSpan: 1,
  ...more,
});

/** Each child's first cell as `row,column`, from 0, in a grid of three columns. */
function check(requests: readonly GridRequest[], expected: string): void {
  const areas = placeInGrid(requests, 3);
  expect(areas.map(({ row, column }) => `${row},${column}`).join(' ')).toBe(expected);
}

test('children go row by row', () => check([auto(), auto(), auto(), auto()], '0,0 0,1 0,2 1,0'));
test('a span that does not fit goes to the next row', () =>
  check([auto({ columnSpan: 2 }), auto({ columnSpan: 2 }), auto()], '0,0 1,0 1,2'));
test('others flow around a taken cell', () => check([auto({ row: 0, column: 1 }), auto(), auto()], '0,1 0,0 0,2'));
test('a column without a row is looked for downwards', () =>
  check([auto({ column: 2 }), auto({ column: 2 }), auto({ column: 0 })], '0,2 1,2 2,0'));
test('a row without a column is filled from its start', () => check([auto({ row: 1 }), auto({ row: 1 })], '1,0 1,1'));
test('a row that is full is lain over', () =>
  check([auto({ row: 0, columnSpan: 3 }), auto({ row: 0, columnSpan: 2 })], '0,0 0,1'));
test('a column beyond the last is the last', () => check([auto({ column: 9 })], '0,2'));
test('a span beyond the last column is cut', () =>
  expect(placeInGrid([auto({ column: 1, columnSpan: 9 })], 3)[0]?.columnSpan).toBe(2));

test('two thousand wide spans are placed without delay', () => {
  const many = Array.from({ length: 2000 }, (_, i) => auto({ columnSpan: 1 + (i % 60), rowSpan: 100 }));
  expect(placeInGrid(many, 100).length).toBe(2000);
});

/** Rows as 1,990 children of 100 rows each make them: each below the one before. */
const MANY_ROWS = Array.from({ length: 199_000 }, (): GridTrack => ({ kind: 'hug' }));
const tall = (i: number, height: number, span = 100) => ({
  ...{ first: 100 * i, span, size: { min: height, max: height } },
  minimum: () => height,
});
const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

test('a hundred thousand rows have the height of what lies in them', () => {
  const items = Array.from({ length: 1990 }, (_, i) => tall(i, 10));
  expect(total(sizeTracks(MANY_ROWS, items, 0, 'indefinite'))).toBeCloseTo(19_900, 3);
});
test('a hundred thousand rows share the room that they have', () => {
  // Every other row is full at once; finding the rest must not search the full ones for each.
  const items = MANY_ROWS.map((_, i) => ({ ...tall(0, 0, 1), first: i, size: { min: 0, max: i % 2 === 0 ? 1 : 9 } }));
  const started = timeWorked();
  expect(total(sizeTracks(MANY_ROWS, items, 0, 3 * MANY_ROWS.length))).toBeCloseTo(3 * MANY_ROWS.length, 3);
  expect(timeWorked() - started).toBeLessThan(8000);
});
test('many rows are summed once, not for each child', () => {
  const children = Array.from({ length: 1990 }, (_, i) => ({ name: `k${i}`, type: 'shape', height: 1, rowSpan: 100 }));
  const layout = { type: 'grid', columns: [10] };
  const frame = { name: 'grid', type: 'frame', width: 100, height: 'hug', layout, children };
  const scene = resolve(parseTemplate({ name: 'rows', width: 100, height: 100, layers: [frame] }), {});
  const started = timeWorked();
  const { boxes } = layOut(scene, resources());
  const last = boxes[0]?.kind === 'frame' ? boxes[0].children.at(-1) : undefined;
  expect(last?.rect.y).toBeCloseTo(1989, 3);
  expect(timeWorked() - started).toBeLessThan(5000);
});

test('tracks hold what lies in them, and fill the room where one of them may grow', () => {
  const track: fc.Arbitrary<GridTrack> = fc.oneof(
    fc.record({ kind: fc.constant('px' as const), value: fc.integer({ min: 0, max: 100 }) }),
    fc.record({ kind: fc.constant('fr' as const), value: fc.integer({ min: 1, max: 5 }) }),
    fc.constant({ kind: 'hug' as const }),
  );
  const item = fc.record({ first: fc.nat(2), min: fc.nat(100), more: fc.nat(100) });
  fc.assert(
    fc.property(
      fc.array(track, { minLength: 3, maxLength: 6 }),
      fc.array(item),
      fc.nat(2000),
      (tracks, given, room) => {
        const items = given.map(({ first, min, more }) => ({
          ...{ first, span: 1, size: { min, max: min + more } },
          minimum: () => min,
        }));
        const sizes = sizeTracks(tracks, items, 0, room);
        for (const { first, size } of items) {
          if (tracks[first]?.kind !== 'px') expect(sizes[first]).toBeGreaterThanOrEqual(size.min - 1e-6);
        }
        const total = sizes.reduce((sum, size) => sum + size, 0);
        if (tracks.some(({ kind }) => kind !== 'px')) expect(total).toBeGreaterThanOrEqual(room - 1e-6);
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});
