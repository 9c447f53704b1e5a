import { expect, test } from 'vitest';
import { resolve } from '../../../src/core/resolve/resolve.ts';
import type { SceneNode } from '../../../src/core/resolve/scene.ts';
import { parseTemplate } from '../../../src/core/template/template.ts';

const scene = (layers: object[], modifications = {}) =>
  resolve(parseTemplate({ name: 'Card', width: 100, height: 50, layers }), modifications);
const node = <T extends SceneNode['type']>(layer: object, modifications = {}) =>
  scene([{ name: 'a', ...layer }], modifications).nodes[0] as Extract<SceneNode, { type: T }>;
const offsets = (...stops: (number | undefined)[]) => {
  const { fill } = node<'shape'>({
    type: 'shape',
    fill: {
      type: 'linear',
      stops: stops.map((offset) => ({ color: 'red', ...(offset === undefined ? {} : { offset }) })),
    },
  });
  return fill?.kind === 'linear' ? fill.stops.map((stop) => stop.offset) : null;
};

test('hidden layers are gone', () =>
  expect(
    scene([
      { name: 'a', type: 'text', visible: false },
      { name: 'b', type: 'text' },
    ]).nodes.map((n) => n.name),
  ).toEqual(['b']));
test('edges and corners are four numbers', () => {
  expect(node({ type: 'text', margin: [1, 2, 3, 4] }).placement.margin).toEqual({
    top: 1,
    right: 2,
    bottom: 3,
    left: 4,
  });
  expect(node<'image'>({ type: 'image', borderRadius: 8 }).radii).toEqual({
    topLeft: 8,
    topRight: 8,
    bottomRight: 8,
    bottomLeft: 8,
  });
});
test('dimensions keep what only layout can settle', () => {
  expect(node({ type: 'frame', width: '50%', height: 'fill' }).placement).toMatchObject({
    width: { kind: 'percent', value: 50 },
    height: { kind: 'fill' },
  });
});
test('children flow only in a frame that lays out', () => {
  const child = { name: 'c', type: 'text' };
  expect(node<'frame'>({ type: 'frame', layout: {}, children: [child] }).children[0]?.placement.absolute).toBe(false);
  expect(node<'frame'>({ type: 'frame', children: [child] }).children[0]?.placement.absolute).toBe(true);
});
test('gradient stops are spread evenly where they say nothing', () =>
  expect(offsets(undefined, undefined, undefined)).toEqual([0, 0.5, 1]));
test('gradient stops never decrease', () => expect(offsets(0.5, 0.2, undefined, 1)).toEqual([0.5, 0.5, 0.75, 1]));
test('a shadow carries a standard deviation, half of its blur', () =>
  expect(node({ type: 'shape', shadow: { y: 4, blur: 12 } }).shadows).toMatchObject([{ x: 0, y: 4, sigma: 6 }]));
test('neutral filters are none', () =>
  expect(node<'image'>({ type: 'image', filters: { brightness: 1 } }).filters).toBeNull());
test('a line takes its colour from fill, so that a string modification colours it', () =>
  expect(node<'shape'>({ type: 'shape', shape: 'line', strokeWidth: 2 }, { a: 'red' })).toMatchObject({
    fill: null,
    stroke: { fill: { color: { r: 255, g: 0, b: 0 } }, width: 2 },
  }));
test('spans inherit from the layer and override it', () => {
  const { spans } = node<'text'>({
    type: 'text',
    fontSize: 20,
    spans: [{ text: 'a' }, { text: 'b', fontSize: 30, link: 'https://x.test/' }],
  });
  expect(spans.map((span) => [span.text, span.style.fontSize, span.link])).toEqual([
    ['a', 20, null],
    ['b', 30, 'https://x.test/'],
  ]);
});

test('equal image wishes share one need', () => {
  const { needs, nodes } = scene([
    { name: 'a', type: 'image', src: 'x.png' },
    { name: 'b', type: 'image', src: 'x.png' },
    { name: 'c', type: 'image', src: 'x.png', focus: 'attention', width: 200, height: 100 },
  ]);
  expect(nodes.map((n) => n.type === 'image' && n.image)).toEqual(['image-0', 'image-0', 'image-1']);
  expect(needs.images[1]).toMatchObject({ sources: ['x.png'], focus: { by: 'attention', aspect: 2 } });
});
test('a font need holds the characters that case mapping adds', () => {
  const { needs } = scene([{ name: 'a', type: 'text', text: 'ß', textTransform: 'uppercase' }]);
  expect(needs.fonts[0]?.text).toMatch(/ß.*SS/);
});

test('a path without data is refused', () =>
  expect(() => node({ type: 'shape', shape: 'path' })).toThrow('layers.a.d: is required'));
test('a minimum above its maximum is kept, for the layout to let it win', () =>
  expect(node({ type: 'text', minWidth: 9, maxWidth: 3 }).placement).toMatchObject({ minWidth: 9, maxWidth: 3 }));

test('letters of another case are needed too, by the rules of any language', () => {
  const needed = (textTransform: string, lang: string | null) =>
    scene([{ name: 'a', type: 'text', text: 'iß', textTransform, lang }]).needs.fonts[0]?.text;
  for (const lang of [null, 'abcd', 'en-u', 'en-a', 'en-us-us']) {
    expect(needed('uppercase', lang)).toContain('ISS');
    expect(needed('capitalize', lang)).toContain('ISS');
    expect(needed('lowercase', lang)).toContain('iß');
  }
  expect(needed('uppercase', 'tr-x')).toContain('İSS');
});
