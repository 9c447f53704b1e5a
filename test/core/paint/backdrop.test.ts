// Tests which operations a filtered backdrop repeats, and how many.

import { expect, test } from 'vitest';
import { layOut } from '#core/layout/layout.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { layerOfOp, paint } from '#core/paint/paint.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { resources } from '../scene-nodes.ts';

type Layer = Readonly<Record<string, unknown>>;
let count = 0;
const box = (more: Layer = {}): Layer => ({
  ...{ name: `n${count++}`, type: 'shape', width: 40, height: 40 },
  ...more,
});
const glass = (more: Layer = {}): Layer => box({ backdropFilters: { blur: 2 }, fill: '#ffffff40', ...more });

function painted(...layers: readonly Layer[]): readonly PaintOp[] {
  const scene = resolve(parseTemplate({ name: 't', width: 200, height: 100, layers }), {});
  return paint(scene, layOut(scene, resources()).boxes, resources()).ops;
}

/** `f` for a fill, a group in parentheses with `~` if it filters. */
const show = (ops: readonly PaintOp[]): string =>
  ops.map((op) => (op.kind === 'group' ? `${op.filters.length > 0 ? '~' : ''}(${show(op.ops)})` : op.kind[0])).join('');

test('a backdrop repeats what is painted before it', () =>
  expect(show(painted(box(), glass(), box()))).toBe('f~(f)ff'));
test('only what reaches its area', () =>
  expect(show(painted(box({ x: 150 }), box({ x: 44 }), glass()))).toBe('ff~(f)f'));
test('with nothing behind it, its group is empty', () => expect(show(painted(glass(), box()))).toBe('~()ff'));
test('links are not repeated', () =>
  expect(show(painted(box({ link: 'https://example.com' }), glass()))).toBe('fl~(f)f'));
test('a backdrop in a frame reaches beyond it', () =>
  expect(show(painted(box(), { ...box(), type: 'frame', rotation: 9, children: [box(), glass()] }))).toBe(
    'f(f~((f)f)f)',
  ));
test('a frame that is faded as a whole is its own backdrop', () =>
  expect(show(painted(box(), { ...box(), type: 'frame', opacity: 0.5, children: [box(), glass()] }))).toBe(
    'f(f~(f)f)',
  ));
test('backdrops over one another are repeated twice at most', () =>
  expect(show(painted(box(), glass(), glass(), glass()))).toBe(
    'f~(f)f~(f~(f)f)f~(f~(f)f~(ff)f)f'.replace('(ff)', '(ff)'),
  ));
test('repeated groups are objects of their own', () => {
  const [group, glassy] = painted(box({ opacity: 0.5, shadow: { x: 1 } }), glass());
  expect(glassy?.kind === 'group' && glassy.ops[0]).toEqual(group);
  expect(glassy?.kind === 'group' && glassy.ops[0]).not.toBe(group);
});
test('neutral filters are none', () => expect(show(painted(box(), glass({ backdropFilters: {} })))).toBe('ff'));
test('too many are refused', () =>
  expect(() => painted(...Array.from({ length: 17 }, () => glass()))).toThrow(/at most 16 layers/));
test('operations keep their layers', () => {
  const scene = resolve(
    parseTemplate({
      name: 't',
      width: 200,
      height: 100,
      layers: [box(), glass({ name: 'glass' }), box({ name: 'top' })],
    }),
    {},
  );
  const { boxes } = layOut(scene, resources());
  expect([1, 2, 3].map((i) => layerOfOp(scene, boxes, resources(), i))).toEqual(['glass', 'glass', 'top']);
});
