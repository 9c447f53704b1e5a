import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import { checkOutlines } from '#output/raster/outline-work.ts';

/** So many edges, each from one height to the other. */
const zigzag = (edges: number, top: number, bottom: number): PathData =>
  Array.from({ length: edges + 1 }, (_, i) => [i === 0 ? 'M' : 'L', i, i % 2 === 0 ? top : bottom] as const);

const brush = { kind: 'solid', color: { r: 0, g: 0, b: 0, a: 1 } } as const;
const filled = (path: PathData): PaintOp => ({ kind: 'fill', path, rule: 'nonzero', brush });
const clipped = (path: PathData): PaintOp => ({
  ...{ kind: 'group', transform: [1, 0, 0, 1, 0, 0], opacity: 1, blend: 'normal', filters: [], text: null },
  clip: { path, rule: 'nonzero' },
  ops: [],
});

const HEIGHT = 4_000;
const REFUSAL = expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining('fewer points') });

function check(ops: readonly PaintOp[], isRefused: boolean): void {
  const attempt = () => checkOutlines(ops, HEIGHT);
  if (isRefused) expect(attempt).toThrow(REFUSAL);
  else expect(attempt).not.toThrow();
}

test('ten million px of edges are drawn', () => check([filled(zigzag(2_500, 0, HEIGHT))], false));
test('and not one edge more', () => check([filled(zigzag(2_501, 0, HEIGHT))], true));
test('all outlines count together', () =>
  check([filled(zigzag(1_300, 0, HEIGHT)), clipped(zigzag(1_300, 0, HEIGHT))], true));
test('many short edges are drawn', () => check([filled(zigzag(100_000, 0, 90))], false));
test('what lies beyond the canvas is no work', () =>
  check([filled(zigzag(10_000, -1e9, 0)), filled(zigzag(10_000, HEIGHT, 1e9))], false));
test('what reaches beyond it counts as far as its edge', () => check([filled(zigzag(2_500, -1e9, 1e9))], false));
test('what no canvas holds is refused all the same', () => check([filled(zigzag(2_600, -1e9, 1e9))], true));
