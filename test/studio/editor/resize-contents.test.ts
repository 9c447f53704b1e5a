import { expect, test } from 'vitest';
import type { Rect } from '#core/geometry.ts';
import type { RawDocument, RawLayer } from '../../../src/studio/editor/core/document/document.ts';
import { resizeContents } from '../../../src/studio/editor/core/document/resize-contents.ts';

const at = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });
const documentOf = (layers: readonly RawLayer[]): RawDocument => ({ name: 'x', width: 100, height: 100, layers });
const WIDER = { width: 200, height: 100 };

function resized(layers: readonly RawLayer[], places: Readonly<Record<string, Rect>>) {
  const document = documentOf(layers);
  return resizeContents(document, null, document, WIDER, (name) => places[name] ?? null).layers;
}

test('layers follow the sides that they are pinned to; those without constraints stay as they are', () => {
  const free = { type: 'shape', name: 'free', x: 5, width: 10, height: 10 };
  const layers = resized(
    [free, { type: 'shape', name: 'logo', x: 80, y: 4, width: 10, height: 10, constraints: { horizontal: 'right' } }],
    { free: at(5, 0, 10, 10), logo: at(80, 4, 10, 10) },
  );
  expect(layers?.[0]).toBe(free);
  expect(layers?.[1]).toMatchObject({ x: 180, y: 4, width: 10 });
});

test('a stretched frame resizes what it holds, and sizes that follow by themselves stay', () => {
  const both = { horizontal: 'left-right' };
  const layers = resized(
    [
      {
        ...{ type: 'frame', name: 'card', x: 10, y: 0, width: 80, height: 40, border: { width: 5 }, constraints: both },
        children: [
          { type: 'shape', name: 'close', x: 60, y: 0, width: 10, height: 10, constraints: { horizontal: 'right' } },
          { type: 'shape', name: 'bar', width: 'fill', height: 4, constraints: both },
        ],
      },
      {
        type: 'text',
        name: 'title',
        x: 0,
        text: 'Hi',
        width: 100,
        constraints: { horizontal: 'scale', vertical: 'scale' },
      },
    ],
    { card: at(10, 0, 80, 40), close: at(60, 0, 10, 10), bar: at(0, 0, 70, 4), title: at(0, 0, 100, 20) },
  );
  expect(layers?.[0]).toMatchObject({ x: 10, width: 180, children: [{ x: 160, width: 10 }, { width: 'fill' }] });
  // The height of a text is that of its words.
  expect(layers?.[1]).toMatchObject({ width: 200 });
  expect(layers?.[1]).not.toHaveProperty('height');
});

test('what lies in a frame that follows by itself follows too', () => {
  const children = [{ type: 'shape', name: 'logo', x: 80, constraints: { horizontal: 'right' } }];
  const places = { whole: at(0, 0, 100, 100), half: at(0, 0, 50, 100), logo: at(80, 0, 10, 10) };
  expect(resized([{ type: 'frame', name: 'whole', children }], places)?.[0]).toMatchObject({ children: [{ x: 180 }] });
  const half = resized([{ type: 'frame', name: 'half', width: '50%', children }], places)?.[0];
  expect(half).toMatchObject({ width: '50%', children: [{ x: 130 }] });
});

test('what a layout places is left to it, but for what is placed absolutely', () => {
  const constraints = { horizontal: 'right' };
  const layers = resized(
    [
      {
        ...{
          type: 'frame',
          name: 'row',
          width: 100,
          height: 40,
          layout: {},
          constraints: { horizontal: 'left-right' },
        },
        children: [
          { type: 'shape', name: 'flowing', x: 0, constraints },
          { type: 'shape', name: 'badge', x: 90, position: 'absolute', constraints },
        ],
      },
    ],
    { row: at(0, 0, 100, 40), flowing: at(0, 0, 10, 10), badge: at(90, 0, 10, 10) },
  );
  expect(layers?.[0]?.children).toMatchObject([{ x: 0 }, { x: 190 }]);
});
