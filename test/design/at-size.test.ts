// Tests templates on other canvases: what is stretched, what is scaled, and what follows constraints.

import { expect, test } from 'vitest';
import { parseTemplate, type Template, type TemplateDocument, walkLayers } from '#core/template/template.ts';
import { spread } from '#design/spread.ts';
import { designedAs } from './designed-as.ts';

const CARD: TemplateDocument = {
  name: 'Card',
  width: 1000,
  height: 500,
  sizes: {
    story: { width: 500, height: 1000, changes: { title: { fontSize: 40 }, badge: false } },
    large: { width: 2000, height: 1000 },
  },
  layers: [
    { name: 'back', type: 'shape', width: 1000, height: 500 },
    { name: 'logo', type: 'shape', x: 50, y: 40, width: 100, height: 40 },
    { name: 'title', type: 'text', x: 50, y: 300, width: 900, text: 'Title', fontSize: 60, letterSpacing: 2 },
    { name: 'note', type: 'text', x: 50, y: 380, width: 400, text: 'Note', fontSize: 20 },
    { name: 'badge', type: 'shape', x: 860, y: 20, width: 120, height: 120, shape: 'ellipse' },
    {
      name: 'corner',
      type: 'shape',
      x: 900,
      y: 400,
      width: 80,
      height: 80,
      constraints: { horizontal: 'right', vertical: 'bottom' },
    },
  ],
};

function layersAt(size: string, document: TemplateDocument = CARD) {
  const { template, diagnostics } = designedAs(document, { size });
  expect(diagnostics).toEqual([]);
  const { width, height, layers } = template as Template;
  const at = new Map([...walkLayers(layers)].map(({ layer }) => [layer.name, layer]));
  return { width, height, at: (name: string) => at.get(name)! };
}

test('a larger canvas of the same proportions scales everything', () => {
  const { width, height, at } = layersAt('large');
  expect([width, height]).toEqual([2000, 1000]);
  expect(at('back')).toMatchObject({ x: 0, y: 0, width: 2000, height: 1000 });
  expect(at('title')).toMatchObject({ x: 100, y: 600, width: 1800, fontSize: 120, letterSpacing: 4 });
  expect(at('logo')).toMatchObject({ x: 100, y: 80, width: 200, height: 80 });
});

test('on a tall canvas, what covers is stretched and what is close stays together', () => {
  const { at } = layersAt('story');
  expect(at('back')).toMatchObject({ x: 0, y: 0, width: 500, height: 1000 });
  const [logo, title, note] = [at('logo'), at('title'), at('note')];
  expect(logo).toMatchObject({ x: 25, width: 50, height: 20 });
  expect(title).toMatchObject({ x: 25, width: 450, fontSize: 40, letterSpacing: 1 });
  expect(note.y - title.y).toBeCloseTo((380 - 300) / 2);
  expect(title.y - logo.y).toBeGreaterThan((300 - 40) / 2);
  expect(note.y).toBeLessThan(1000 - 60);
});

test('constraints keep their distances, and their layers are not scaled', () => {
  expect(layersAt('story').at('corner')).toMatchObject({ x: 400, y: 900, width: 80, height: 80 });
});

test('changes are made after the layers were placed', () => {
  expect(layersAt('story').at('badge')).toMatchObject({ visible: false, width: 60, height: 60 });
});

test('frames stretch what follows them, and scale their flow', () => {
  const { at } = layersAt('tall', {
    name: 'Frames',
    width: 200,
    height: 100,
    sizes: { tall: { width: 100, height: 200 } },
    layers: [
      {
        name: 'page',
        type: 'frame',
        width: 200,
        height: 100,
        children: [{ name: 'band', type: 'shape', y: 80, width: 200, height: 20 }],
      },
      {
        name: 'row',
        type: 'frame',
        x: 10,
        y: 10,
        width: 180,
        height: 40,
        padding: 8,
        layout: { type: 'flex', gap: 4 },
        children: [{ name: 'item', type: 'shape', width: 20, height: 20, borderRadius: 6, shadow: { y: 2, blur: 4 } }],
      },
    ],
  });
  expect(at('band')).toMatchObject({ y: 190, width: 100, height: 10 });
  expect(at('row')).toMatchObject({ x: 5, width: 90, height: 20, padding: 4, layout: { gap: 2 } });
  expect(at('item')).toMatchObject({ width: 10, height: 10, borderRadius: 3, shadow: { y: 1, blur: 2 } });
});

test('the template’s own size, and none, are the template itself', () => {
  const template = parseTemplate(CARD);
  expect(designedAs(CARD, {}).template).toEqual(template);
  expect(designedAs(CARD, { size: 'default' }).template).toEqual(template);
});

test('a size that there is not is named with the nearest', () => {
  expect(() => designedAs(CARD, { size: 'stroy' })).toThrow(
    'size: the template has no size "stroy"; did you mean "story"?',
  );
  expect(() => designedAs({ ...CARD, sizes: undefined }, { size: 'story' })).toThrow('size: the template has no sizes');
});

test('a change of a layer that there is not is named', () => {
  const sizes = { small: { width: 100, height: 50, changes: { titel: { fontSize: 8 } } } };
  expect(() => designedAs({ ...CARD, sizes }, { size: 'small' })).toThrow(
    'sizes.small.changes.titel: the template has no layer "titel"; did you mean "title"?',
  );
});

test('sizes have names and bounds', () => {
  const size = { width: 10, height: 10 };
  const parsing = (sizes: unknown) => () => parseTemplate({ ...CARD, sizes });
  expect(parsing({ all: size })).toThrow('"default" is the template’s own canvas, "all" every size');
  expect(parsing({ 'a,b': size })).toThrow('must be at most 60 letters');
  expect(parsing({ a: { width: 0, height: 10 } })).toThrow('sizes.a.width');
  expect(parsing(Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, size])))).toThrow(
    'must have at most 20 sizes',
  );
});

test('spans that stick out keep their distance to the end that they pass', () => {
  const start = spread(
    [
      { start: -20, length: 40 },
      { start: 80, length: 40 },
    ],
    100,
    300,
    1,
  );
  expect(start({ start: -20, length: 40 })).toBe(-20);
  expect(start({ start: 80, length: 40 })).toBe(280);
});

test.each([
  ['first', 0, { photo: [0, 150], on: 145, beside: 170 }],
  ['last', 50, { photo: [50, 150], on: 75, beside: 20 }],
])('a picture that is %s takes all the room, with what lies on it', (_, y, { photo, on, beside }) => {
  const { at } = layersAt('tall', {
    name: 'Photo',
    width: 100,
    height: 100,
    sizes: { tall: { width: 100, height: 200 } },
    layers: [
      { name: 'photo', type: 'image', y, width: 100, height: 50 },
      { name: 'on', type: 'shape', x: 10, y: y === 0 ? 45 : 55, width: 10, height: 10 },
      { name: 'beside', type: 'shape', x: 10, y: y === 0 ? 70 : 20, width: 10, height: 10 },
    ],
  });
  expect([at('photo').y, at('photo').height]).toEqual(photo);
  expect([at('on').y, at('beside').y]).toEqual([on, beside]);
});
