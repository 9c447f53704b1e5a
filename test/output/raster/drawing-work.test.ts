import { expect, test } from 'vitest';
import type { GroupOp, PaintOp, Stroke } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { FontSet } from '#core/text/font-set.ts';
import { workOf } from '#output/raster/drawing-work.ts';

/** So many edges, each from one height to the other; closed by one more. */
const zigzag = (edges: number, top: number, bottom: number): PathData =>
  Array.from({ length: edges + 1 }, (_, i) => [i === 0 ? 'M' : 'L', i, i % 2 === 0 ? top : bottom] as const);
const square = (side: number, at = 0): PathData => {
  const to = at + side;
  return [['M', at, at], ['L', to, at], ['L', to, to], ['L', at, to], ['Z']];
};

const brush = { kind: 'solid', color: { r: 0, g: 0, b: 0, a: 1 } } as const;
const plain: Stroke = { width: 1, cap: 'butt', join: 'round', miterLimit: 4, dash: [] };
const filled = (path: PathData): PaintOp => ({ kind: 'fill', path, rule: 'nonzero', brush });
const stroked = (path: PathData, stroke: Partial<Stroke> = {}): PaintOp => ({
  ...{ kind: 'stroke', path, brush },
  stroke: { ...plain, ...stroke },
});
const group = (ops: readonly PaintOp[], rest: Partial<GroupOp> = {}): PaintOp => ({
  ...{ kind: 'group', transform: [1, 0, 0, 1, 0, 0], opacity: 1, blend: 'normal', clip: null, filters: [], text: null },
  ...{ ops, ...rest },
});

/** A font of one letter, a zigzag as wide and as high as the em. */
const fontOf = (edges: number): FontSet => {
  const outline = zigzag(edges, 0, 1000).map(([command, x, y]) => [command, (1000 * Number(x)) / edges, y]);
  return { face: () => ({ unitsPerEm: 1000, outline: () => outline }) as unknown as FontFace } as unknown as FontSet;
};
const letters = (count: number, fontSize: number, step: number, rest: object = {}): PaintOp => {
  const glyphs = Array.from({ length: count }, (_, i) => ({ id: 1, cluster: i, x: i * step, y: 0, advance: step }));
  const run = { face: 'f', fontSize, direction: 'ltr', slant: 0, text: '', width: count * step, glyphs } as const;
  return { kind: 'glyphs', run, origin: { x: 0, y: 900 }, brush, outline: null, ...rest };
};

const CANVAS = { width: 1000, height: 1000 };
const work = (ops: readonly PaintOp[], fonts = fontOf(1)) => workOf(ops, CANVAS, fonts);
const climb = (ops: readonly PaintOp[], fonts?: FontSet) => Math.round(work(ops, fonts).climb);

test('edges rise and fall, and are closed', () => expect(climb([filled(zigzag(99, 100, 200))])).toBe(10_000));
test('what lies above and below the canvas is no work', () =>
  expect(climb([filled(zigzag(99, -1e6, 0)), filled(zigzag(99, 1000, 1e6))])).toBe(0));
test('what reaches beyond it counts as far as its edge', () =>
  expect(climb([filled(zigzag(9, -1e6, 1e6))])).toBe(10_000));
test('clips count as well, and what is within', () => {
  const path = zigzag(9, 0, 100);
  expect(climb([group([group([filled(path)])], { clip: { path, rule: 'nonzero' } })])).toBe(2_000);
});
test('where a group turns or stretches it, an outline counts as it is seen', () => {
  expect(climb([group([filled(zigzag(9, 0, 100))], { transform: [2, 0, 0, 2, 0, 0] })])).toBe(2_000);
  expect(
    climb([
      group(
        [
          filled([
            ['M', 0, 0],
            ['L', 100, 0],
          ]),
        ],
        { transform: [0, 1, -1, 0, 0, 0] },
      ),
    ]),
  ).toBe(200);
});
test('strokes have two sides', () => expect(climb([stroked(zigzag(9, 0, 100))])).toBe(2_040));
test('letters count each', () => expect(climb([letters(10, 100, 100)], fontOf(9))).toBe(10_000));
test('segments count, of each letter', () => {
  expect(work([filled(square(9)), stroked(square(9)), letters(10, 1, 1)], fontOf(9)).segments).toBe(110);
});
test('letters beyond the canvas are no work', () =>
  expect(climb([letters(10, 100, 100, { origin: { x: 0, y: 5_000 } })], fontOf(9))).toBe(0));

test('edges that may all change places take the square of their number', () => {
  const tangle = (edges: number) =>
    filled(zigzag(edges, 0, 10).map(([, x, y], i) => [i === 0 ? 'M' : 'L', (Number(x) % 2) * 900, Number(y)]));
  const [few, many] = [work([tangle(10_000)]), work([tangle(100_000)])];
  expect(many.time / few.time).toBeGreaterThan(50);
});
test('but of letters only where they lie on one another', () => {
  const [apart, together] = [work([letters(1_000, 20, 20)], fontOf(99)), work([letters(1_000, 20, 0)], fontOf(99))];
  expect(together.climb).toBe(apart.climb);
  expect(together.time).toBeGreaterThan(20 * apart.time);
});
test('dashes count, up to as many as are drawn', () => {
  const path = zigzag(1, 0, 1000);
  const times = [10, 0.1, 1e-4, 1e-9].map((dash) => work([stroked(path, { dash: [dash, dash] })]).time);
  const [some = 0, many = 0, most = 0, none = 0] = times;
  expect(many).toBeGreaterThan(50 * some);
  expect(most).toBeGreaterThan(10_000);
  expect(none).toBe(most);
});
test('blurs count by the pixels that they work on, also beyond the canvas', () => {
  const blurred = (side: number, sigma: number) =>
    work([group([filled(square(side))], { filters: [{ kind: 'blur', sigma }] })]).time;
  expect(blurred(1000, 10)).toBeGreaterThan(100);
  expect(blurred(1000, 100)).toBeGreaterThan(blurred(1000, 10));
  expect(blurred(1e6, 100)).toBeLessThan(2 * blurred(1000, 100));
});
test('pixels that have a raster of their own, with a soft edge around', () => {
  const within = group([filled(square(200, 50))]);
  expect(work([filled(square(100)), within, letters(1, 100, 1)]).pixels).toBe(101 ** 2 + 202 ** 2);
});
test('what the edge of the canvas cuts takes all of it', () =>
  expect(work([group([filled(square(200))])]).pixels).toBe(1_000_000));
test('what looks another way elsewhere takes all of a canvas', () => {
  const curve: PathData = [['M', 0, 0], ['C', 0, 20, 9, -9, 5, 10], ['Z']];
  const curved = group([filled(curve)], { opacity: 0.5 });
  expect(work([curved, curved]).pixels).toBe(2_000_000);
  expect(work([group([filled(curve)], { transform: [1, 0, 0, 1, 5_000, 0] })]).pixels).toBe(0);
});

test('letters from masks take next to no time, unless they lie on one another', () => {
  const spared = (op: PaintOp) => {
    const { time, timeWithMasks } = work([op], fontOf(99));
    return timeWithMasks < time / 4;
  };
  expect(spared(letters(10, 100, 100))).toBe(true);
  expect(spared(letters(100, 100, 80))).toBe(true);
  expect(spared(letters(100, 100, 1))).toBe(false);
  expect(spared(letters(2, 400, 400))).toBe(false);
  expect(spared(letters(10, 100, 100, { outline: { brush, stroke: plain } }))).toBe(false);
  expect(spared(group([letters(10, 100, 100)], { opacity: 0.5 }))).toBe(true);
  expect(spared(group([letters(10, 100, 100)], { filters: [{ kind: 'blur', sigma: 1 }] }))).toBe(false);
});
