import { expect, test } from 'vitest';
import { rotation } from '#core/geometry.ts';
import { opsBounds } from '#core/paint/bounds.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { group } from '#core/paint/group.ts';
import { ellipsePath, rectPath } from '#core/paint/outline.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { RED } from '../scene-nodes.ts';
import { face, match, query } from '../text/faces.ts';
import { showRect } from './show-ops.ts';

const brush = { kind: 'solid', color: RED } as const;
const fonts = new FontSet(new Map([[fontQueryKey(query('inter')), [match('inter')]]]));
const fill: PaintOp = { kind: 'fill', path: rectPath({ x: 10, y: 10, width: 20, height: 10 }), rule: 'nonzero', brush };
const stroke = (more: Partial<Extract<PaintOp, { kind: 'stroke' }>['stroke']>): PaintOp => ({
  kind: 'stroke',
  path: fill.path,
  stroke: { width: 2, cap: 'butt', join: 'round', miterLimit: 4, dash: [], ...more },
  brush,
});

function check(op: PaintOp | readonly PaintOp[], expected: string): void {
  expect(showRect(opsBounds([op].flat(), fonts))).toBe(expected);
}

test('a fill', () => check(fill, '10,10 20×10'));
test('a curve reaches to its extremes, not its control points', () =>
  check({ ...fill, path: ellipsePath({ x: 0, y: 0, width: 8, height: 4 }) }, '0,0 8×4'));
test('a curve beyond its ends', () =>
  check(
    {
      ...fill,
      path: [
        ['M', 0, 0],
        ['C', 0, 4, 4, 4, 4, 0],
      ],
    },
    '0,0 4×3',
  ));
test('a stroke reaches out by half its width', () => check(stroke({}), '9,9 22×12'));
test('a mitred stroke by more', () => check(stroke({ join: 'miter' }), '6,6 28×18'));
test('a blur reaches three deviations', () =>
  check(group({ filters: [{ kind: 'blur', sigma: 2 }] }, [fill]), '4,4 32×22'));
test('a clip cuts', () =>
  check(
    group({ clip: { path: rectPath({ x: 0, y: 0, width: 15, height: 15 }), rule: 'nonzero' } }, [fill]),
    '10,10 5×5',
  ));
test('a rotation turns', () => check(group({ transform: rotation(90, { x: 0, y: 0 }) }, [fill]), '-20,10 10×20'));
test('links paint nothing', () =>
  check({ kind: 'link', rect: { x: 0, y: 0, width: 1, height: 1 }, href: 'https://a.b' }, 'nothing'));

function glyphs(more: Partial<Extract<PaintOp, { kind: 'glyphs' }>>): PaintOp {
  const run = {
    face: 'inter',
    fontSize: face('inter').unitsPerEm,
    direction: 'ltr' as const,
    slant: 0,
    text: 'H',
    glyphs: [{ id: face('inter').glyph(72), cluster: 0, x: 100, y: 0, advance: 1 }],
    width: 1,
  };
  return { kind: 'glyphs', run, origin: { x: 0, y: 50 }, brush, outline: null, ...more };
}
test('letters reach as far as their outlines', () => {
  const bounds = opsBounds([glyphs({})], fonts);
  expect(bounds?.y).toBeCloseTo(50 - face('inter').metrics.capHeight * face('inter').unitsPerEm);
  expect((bounds?.y ?? 0) + (bounds?.height ?? 0)).toBe(50);
});
test('text that is not drawn has no bounds', () => check(glyphs({ brush: null }), 'nothing'));
