import { expect, test } from 'vitest';
import { rotation } from '#core/geometry.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { clipped, clippedToBox, group } from '#core/paint/group.ts';
import { rectPath } from '#core/paint/outline.ts';
import { corners, RED, resources } from '../scene-nodes.ts';
import { showOps } from './show-ops.ts';

const box = (x: number, y: number, width: number, height: number): PaintOp => ({
  kind: 'fill',
  path: rectPath({ x, y, width, height }),
  rule: 'nonzero',
  brush: { kind: 'solid', color: RED },
});
const FILL = box(0, 0, 20, 10);
const clip = { path: rectPath({ x: 5, y: 5, width: 10, height: 10 }), rule: 'nonzero' } as const;

function check(ops: readonly PaintOp[], ...expected: string[]): void {
  expect(showOps(ops)).toEqual(expected);
}

test('a neutral group is not written', () => check(group({}, [FILL]), 'fill 0,0 20×10 #ff0000'));
test('nor is an empty one', () => check(group({ opacity: 0.5 }, [])));
test('a clip cuts all at once', () =>
  check(clipped([FILL, FILL], clip), 'group clip 5,5 10×10', '  fill 0,0 20×10 #ff0000', '  fill 0,0 20×10 #ff0000'));
test('what blends still meets what lies below the clip', () =>
  check(
    clipped([FILL, ...group({ blend: 'multiply', opacity: 0.5 }, [FILL])], clip),
    'group clip 5,5 10×10',
    '  fill 0,0 20×10 #ff0000',
    'group multiply clip 5,5 10×10',
    '  group opacity 0.5',
    '    fill 0,0 20×10 #ff0000',
  ));
test('also when it is turned', () =>
  check(
    clipped(group({ transform: rotation(90, { x: 0, y: 0 }) }, group({ blend: 'screen' }, [FILL])), clip),
    'group matrix(0 1 -1 0 0 0)',
    '  group screen clip 5,-15 10×10',
    '    fill 0,0 20×10 #ff0000',
  ));

const { fonts } = resources();
test('what lies inside needs no clip', () =>
  check(clippedToBox([FILL], { x: 0, y: 0, width: 20, height: 10 }, corners(0), fonts), 'fill 0,0 20×10 #ff0000'));
test('what reaches out is clipped', () =>
  check(
    clippedToBox([FILL], { x: 0, y: 0, width: 19, height: 10 }, corners(0), fonts),
    'group clip 0,0 19×10',
    '  fill 0,0 20×10 #ff0000',
  ));
test('round corners reach into the box', () => {
  const inner = [box(2, 2, 16, 6)];
  const outer = { x: 0, y: 0, width: 20, height: 10 };
  check(clippedToBox(inner, outer, corners(5), fonts), 'fill 2,2 16×6 #ff0000');
  check(clippedToBox(inner, outer, corners(10), fonts), 'group clip 0,0 20×10', '  fill 2,2 16×6 #ff0000');
});
