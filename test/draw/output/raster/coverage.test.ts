// Tests that the coverage of any outline is that of Skia's scan converter, as in resvg.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTITY } from '#core/geometry.ts';
import { ellipsePath, roundedRectPath } from '#core/paint/outline.ts';
import type { FillRule, PathData, PathSegment } from '#core/path.ts';
import { pathString } from '#core/svg/syntax.ts';
import { drawSvgText } from './draw-svg-text.ts';
import { get, memory } from './kernels/kernel-memory.ts';

const [WIDTH, HEIGHT] = [200, 120];
const CANVAS = { x: 0, y: 0, width: WIDTH, height: HEIGHT };

function covered(path: PathData, rule: FillRule, area = CANVAS): Uint8Array {
  const mark = memory.mark();
  const mask = memory.cover(path, rule, IDENTITY, area);
  const alphas = get(mask, area.width * area.height);
  memory.release(mark);
  return alphas;
}

async function drawn(path: PathData, rule: FillRule): Promise<Uint8Array> {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`;
  const svg = `${head}<path fill="#fff" fill-rule="${rule}" d="${pathString(path)}"/></svg>`;
  const { pixels } = await drawSvgText(svg, { width: WIDTH, height: HEIGHT });
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => pixels[4 * i + 3] ?? 0);
}

async function check(path: PathData, rule: FillRule = 'nonzero', tolerance = 0): Promise<void> {
  const theirs = await drawn(path, rule);
  const ours = covered(path, rule);
  let most = 0;
  for (const [i, alpha] of ours.entries()) most = Math.max(most, Math.abs(alpha - (theirs[i] ?? 0)));
  expect(most).toBeLessThanOrEqual(tolerance);
}

const round = (radius: number) => ({ topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius });
const rounded = (path: PathData): PathData =>
  path.map((segment) =>
    segment.map((part) => (typeof part === 'number' ? Math.round(part * 1000) / 1000 : part)),
  ) as unknown as PathData;

test('a rounded box', () =>
  check(rounded(roundedRectPath({ x: 10.3, y: 7.77, width: 120.4, height: 60.1 }, round(12.5)))));
test('an ellipse', () => check(rounded(ellipsePath({ x: 3.21, y: 5.4, width: 181.7, height: 99.93 }))));
test('a star, by its winding', () => check(STAR));
test('a star, by evens and odds', () => check(STAR, 'evenodd'));
test('a curve that turns twice', () => check([['M', 10, 60], ['C', 190, 0, 5, 119, 180, 50], ['L', 100, 110], ['Z']]));
test('an outline left open', () =>
  check([
    ['M', 10, 10],
    ['L', 150, 20],
    ['L', 60, 100],
  ]));
test('two outlines', () =>
  check([['M', 1, 1], ['L', 50, 1], ['L', 50, 50], ['Z'], ['M', 70, 9], ['L', 90, 9], ['L', 80, 99]]));

test('a part of an outline is what the whole shows there', () => {
  const path = ellipsePath({ x: 3.21, y: 5.4, width: 181.7, height: 99.93 });
  const whole = covered(path, 'nonzero');
  const part = { x: 4, y: 6, width: 150, height: 80 };
  const cut = Array.from({ length: part.height }, (_, y) =>
    whole.slice((y + part.y) * WIDTH + part.x, (y + part.y) * WIDTH + part.x + part.width),
  );
  expect(Buffer.compare(covered(path, 'nonzero', part), Buffer.concat(cut))).toBe(0);
});

test('an outline with so many edges that it is covered in parts', () => {
  const line = (i: number): PathSegment[] => [
    ['L', 199 - i / 9, i % 2 ? 0 : 120],
    ['L', 199 - i / 9, i % 2 ? 120 : 0],
  ];
  return check(rounded([['M', 199, 0], ...Array.from({ length: 1700 }, (_, i) => line(i)).flat()]), 'evenodd');
});

test('an outline that crosses a row 50,000 times, each time further to the right', () => {
  const spikes = 25_000;
  const spike = (i: number): PathSegment[] => [
    ['L', 10 + (i * 100) / spikes, 1],
    ['L', 10 + (i * 150) / spikes, 0],
  ];
  return check([['M', 10, 0], ...Array.from({ length: spikes }, (_, i) => spike(i)).flat()], 'evenodd');
});

/** The middle row of the canvas under an outline that extends far beyond it. */
const middleRow = (path: PathData) => covered(path, 'nonzero').slice(60 * WIDTH, 61 * WIDTH);
const half = (x: number) => (x < 100 ? 255 : 0);

for (const far of [9_000, 1e6, 1e9, 1e300]) {
  test(`a box whose corners are ${far} px away`, () =>
    expect([...middleRow([['M', -far, -far], ['L', 100, -far], ['L', 100, far], ['L', -far, far], ['Z']])]).toEqual(
      Array.from({ length: WIDTH }, (_, x) => half(x)),
    ));
}

test('coordinates that are no numbers are far away', () => {
  const { NaN: none, POSITIVE_INFINITY: far } = Number;
  expect(Math.max(...covered([['M', 0, 0], ['C', none, none, far, none, none, far], ['Z']], 'nonzero'))).toBe(0);
  expect(Math.max(...covered([['M', 0, 0], ['L', none, none], ['L', 0, none], ['Z']], 'nonzero'))).toBe(0);
});

// Its differences do not fit 32 bits. Along edges that are nearly level, half a sample row is an eighth of 255.
test('a curve whose ends and control points are 8,000 px to either side', () =>
  check([['M', 8000, 0], ['C', -8000, 40, 8000, 80, -8000, 120], ['Z']], 'nonzero', 32));

test('an ellipse of 200,000 px has its edge where it belongs', () => {
  const path = ellipsePath({ x: -199_900, y: 60 - 100_000, width: 200_000, height: 200_000 });
  expect([...middleRow(path)]).toEqual(Array.from({ length: WIDTH }, (_, x) => half(x)));
});

test('an area wider than the kernel takes at once', () => {
  const area = { x: 0, y: 0, width: 20_000, height: 2 };
  const path: PathData = [['M', 7_990, 0], ['L', 16_010, 0], ['L', 16_010, 2], ['L', 7_990, 2], ['Z']];
  const row = covered(path, 'nonzero', area).slice(20_000);
  expect([row.indexOf(255), row.lastIndexOf(255), row.filter((alpha) => alpha === 255).length]).toEqual([
    7_990, 16_009, 8_020,
  ]);
});

const STAR: PathData = [['M', 100, 2], ['L', 160, 117], ['L', 12, 40.5], ['L', 188, 40.5], ['L', 40, 117], ['Z']];

test('any outline', { timeout: 120_000 }, async () => {
  const x = fc.integer({ min: 0, max: WIDTH * 1000 }).map((value) => value / 1000);
  const y = fc.integer({ min: 0, max: HEIGHT * 1000 }).map((value) => value / 1000);
  const segment = fc.oneof(
    fc.tuple(fc.constant('L'), x, y),
    fc.tuple(fc.constant('C'), x, y, x, y, x, y),
    fc.tuple(fc.constant('M'), x, y),
    fc.constant(['Z']),
  ) as fc.Arbitrary<PathSegment>;
  const outline = fc
    .tuple(x, y, fc.array(segment, { minLength: 2, maxLength: 12 }))
    .map(([startX, startY, rest]): PathData => {
      // After `Z` a path would continue from where the contour closed; ours always have an explicit `M`.
      const path: PathSegment[] = [['M', startX, startY]];
      for (const next of rest) if (path.at(-1)?.[0] !== 'Z' || next[0] === 'M') path.push(next);
      return path;
    });
  const rule = fc.constantFrom<FillRule>('nonzero', 'evenodd');
  // Where outlines meet within a sample, a whole row of a pixel is counted as either 64 or 63.
  const property = fc.asyncProperty(outline, rule, (path, how) => check(path, how, 1));
  await fc.assert(property, { numRuns: 300, seed: 3, endOnFailure: true });
});
