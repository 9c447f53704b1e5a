import { expect, test } from 'vitest';
import { parseTemplate, templateJsonSchema } from '../../../src/core/template/template.ts';

const canvas = { name: 'Card', width: 100, height: 50 };
const withLayer = (layer: object) => ({ ...canvas, layers: [{ name: 'a', ...layer }] });

function refuse(input: unknown, message: string): void {
  expect(() => parseTemplate(input)).toThrow(new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`));
}

test('defaults are filled in, and parsing again changes nothing', () => {
  const once = parseTemplate(withLayer({ type: 'frame', children: [{ name: 'b', type: 'text' }] }));
  expect(once.layers[0]).toMatchObject({
    type: 'frame',
    opacity: 1,
    children: [{ fontSize: 16, fontFamily: 'Inter' }],
  });
  expect(parseTemplate(once)).toEqual(once);
});

test('lengths may have a unit of CSS, and are px from then on', () => {
  const layer = {
    name: 'a',
    type: 'frame',
    x: '-1in',
    y: '2.54cm',
    width: '25.4mm',
    padding: ['12pt', '1pc', 3, '5%'],
  };
  const border = { width: '0.75pt', color: 'red' };
  const once = parseTemplate({
    ...{ name: 't', width: '105mm', height: '3in' },
    layers: [
      { ...layer, border, shadow: { x: '1px' }, layout: { gap: '4px', columns: ['20mm', '1fr'], type: 'grid' } },
    ],
  });
  expect(once).toMatchObject({ width: expect.closeTo((105 / 25.4) * 96), height: 288 });
  expect(once.layers[0]).toMatchObject({
    ...{
      x: -96,
      y: expect.closeTo(96),
      width: expect.closeTo(96),
      padding: [expect.closeTo(16), 16, 3, '5%'],
      border: { width: 1 },
    },
    ...{ shadow: { x: 1 }, layout: { gap: 4, columns: [expect.closeTo((20 / 25.4) * 96), '1fr'] } },
  });
  expect(parseTemplate(once)).toEqual(once);
});

test('no object', () => refuse(5, 'must be an object'));
test('a missing name', () => refuse({ width: 1, height: 1 }, 'name: is required'));
test('a width of zero', () => refuse({ ...canvas, width: 0 }, 'width: must be at least 1'));
test('too many pixels', () =>
  refuse({ ...canvas, width: 16000, height: 16000 }, 'width: width × height must be at most 52 million px'));
test.each([
  [{ fontSize: '12 pt' }, 'fontSize: must be a number; write 16, a number of px, for "12 pt"'],
  [{ fontSize: '900in' }, 'fontSize: must be at most 2000'],
  [{ strokeWidth: '-1mm' }, 'strokeWidth: must be at least 0'],
  [{ fontSize: '2em' }, 'fontSize: must be a number; lengths are numbers of px, or have a unit such as "mm", not "em"'],
  [{ fontSize: '50' }, 'fontSize: must be a number; write 50 without quotes'],
  [{ fontSize: 'large' }, 'fontSize: must be a number'],
  [{ fontWeight: 'bold' }, 'fontWeight: must be a number; write 700 for "bold"'],
  [{ rotation: '45deg' }, 'rotation: must be a number; write 45, a number of degrees, for "45deg"'],
  [{ opacity: '50%' }, 'opacity: must be a number; write a number without "%"'],
  [{ visible: 'true' }, 'visible: must be a boolean; write true without quotes'],
  [{ spans: {} }, 'spans: must be a list, not an object'],
  [{ autoFit: [] }, 'autoFit: must be an object, not a list'],
  [
    { align: 'centre' },
    'align: must be one of "start", "end", "left", "right", "center", "justify"; did you mean "center"?',
  ],
  [
    { width: '50 px' },
    'width: must be a length in px, a percentage such as "50%", "hug" or "fill"; write 50, a number of px, for "50 px"',
  ],
  [{ width: 'half' }, 'width: must be a length in px, a percentage such as "50%", "hug" or "fill"'],
])('a value in another form: %j', (layer, message) =>
  refuse(withLayer({ type: 'text', ...layer }), `layers[0].${message}`),
);
test.each([
  ['10px 20px', '; write [10, 20, 10, 20]'],
  ['1 2.5 3', '; write [1, 2.5, 3, 2.5]'],
  ['0.5mm 1mm', '; write ["0.5mm", "1mm", "0.5mm", "1mm"]'],
  ['10% 20%', ''],
])('a shorthand of CSS: %j', (padding, hint) =>
  refuse(
    withLayer({ type: 'frame', padding }),
    `layers[0].padding: must be a number or a percentage such as "5%", or four of them: [top, right, bottom, left]${hint}`,
  ),
);
test('an unknown layer type', () =>
  refuse(
    withLayer({ type: 'video' }),
    'layers[0].type: must be "text", "image", "shape", "frame", "table", "chart", "qr" or "barcode"',
  ));
test.each([
  [{ type: 'rectangle' }, 'did you mean "shape"?'],
  [{ type: 'txt' }, 'did you mean "text"?'],
  [{ type: 'Img' }, 'did you mean "image"?'],
  [{ type: 'group' }, 'did you mean "frame"?'],
])('a layer type of another tool: %j', (layer, meant) =>
  expect(() => parseTemplate(withLayer(layer))).toThrow(
    `layers[0].type: must be "text", "image", "shape", "frame", "table", "chart", "qr" or "barcode"; ${meant}`,
  ),
);
test.each([
  [{ textAlign: 'center' }, '"align"'],
  [{ content: 'Hi' }, '"text"'],
  [{ 'font-color': 'red' }, '"color"'],
  [{ lineClamp: 2, corner_radius: 3 }, '"maxLines"'],
])('a property of another tool: %j', (properties, meant) =>
  expect(() => parseTemplate(withLayer({ type: 'text', ...properties }))).toThrow(`did you mean ${meant}`),
);
test('a list of layers by another name', () =>
  expect(() => parseTemplate({ name: 'a', width: 1, height: 1, elements: [] })).toThrow(
    'unknown property "elements"; did you mean "layers"?',
  ));
test('a gradient without a kind, or of none that there is, is told which there are', () => {
  refuse(
    withLayer({ type: 'shape', shape: 'rect', fill: { type: 'lineer', stops: [] } }),
    'layers[0].fill.type: must be "linear", "radial" or "conic"; did you mean "linear"?',
  );
  refuse(
    withLayer({ type: 'shape', shape: 'rect', fill: { stops: [] } }),
    'layers[0].fill.type: is required: "linear", "radial" or "conic"',
  );
  const stops = [{ color: 'red', at: 0 }, { color: 'blue' }];
  refuse(
    withLayer({ type: 'shape', shape: 'rect', fill: { type: 'linear', stops } }),
    'layers[0].fill.stops[0]: unknown property "at" in layer "a"; did you mean "offset"?',
  );
});
test('an unknown property', () =>
  refuse(withLayer({ type: 'text', bogus: 1 }), 'layers[0]: unknown property "bogus" in layer "a"'));
test('many unknown properties: the first eight are named, with their nearest names', () => {
  const bogus = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`fontsize${i}`, 1]));
  const named = Array.from({ length: 8 }, (_, i) => `"fontsize${i}"`).join(', ');
  const meant = Array.from({ length: 8 }, () => '"fontSize"').join(', ');
  refuse(
    withLayer({ type: 'text', ...bogus }),
    `layers[0]: unknown properties ${named} and 2992 more in layer "a"; did you mean ${meant}?`,
  );
});
test('a number out of range', () =>
  refuse(withLayer({ type: 'text', fontSize: 0 }), 'layers[0].fontSize: must be at least 1'));
test('a colour that is none', () =>
  refuse(
    withLayer({ type: 'text', color: 'url(http://x)' }),
    'layers[0].color: must be a CSS colour, such as "#1d4ed8", "rgb(29 78 216 / 50%)" or "teal"',
  ));
test('a gradient with one stop', () =>
  refuse(
    withLayer({ type: 'shape', fill: { type: 'linear', stops: [{ color: 'red' }] } }),
    'layers[0].fill.stops: must have at least 2 entries',
  ));
test('an axis and a feature that are no tags', () => {
  refuse(
    withLayer({ type: 'text', fontVariations: { weight: 700 } }),
    'layers[0].fontVariations.weight: is no axis tag, which has four characters, such as "wght"',
  );
  refuse(
    withLayer({ type: 'text', spans: [{ text: 'a', fontFeatures: { 'tabular nums': 1 } }] }),
    'layers[0].spans[0].fontFeatures["tabular nums"]: is no feature tag, which has four characters, such as "tnum"',
  );
});
test('more features or axes than the shaper has room for', () => {
  const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [String(1_000 + i), 1]));
  const problem = 'must have at most 64 entries';
  parseTemplate(withLayer({ type: 'text', fontFeatures: tags(64), fontVariations: tags(64) }));
  refuse(withLayer({ type: 'text', fontFeatures: tags(65) }), `layers[0].fontFeatures: ${problem}`);
  refuse(withLayer({ type: 'text', fontVariations: tags(65) }), `layers[0].fontVariations: ${problem}`);
  const spans = [{ text: 'a', fontFeatures: tags(5_000) }];
  refuse(withLayer({ type: 'text', spans }), `layers[0].spans[0].fontFeatures: ${problem}`);
});
test('path data with an error', () =>
  refuse(
    withLayer({ type: 'shape', shape: 'path', d: 'M0 0 X' }),
    'layers[0].d: is not SVG path data from character 6 on',
  ));
test('a name that signed URLs keep for themselves', () =>
  refuse(
    { ...canvas, layers: [{ name: 'sig', type: 'text' }] },
    'layers[0].name: is reserved: "sig", "scale" and "q" are parameters of signed URLs',
  ));
test('two layers of one name, wherever they stand', () =>
  refuse(
    withLayer({ type: 'frame', children: [{ name: 'a', type: 'text' }] }),
    'layers[0].children[0].name: "a" is already the name of layers[0]; names must be unique',
  ));
test('a javascript: link', () =>
  refuse(
    withLayer({ type: 'text', link: 'javascript:alert(1)' }),
    'layers[0].link: must be an http:, https: or mailto: address',
  ));
test('__proto__ is an unknown property', () =>
  refuse(JSON.parse('{"name":"a","width":1,"height":1,"__proto__":{"x":1}}'), 'unknown property "__proto__"'));

test('frames nested without end are refused before they are parsed', () => {
  let layer: object = { name: 'x', type: 'text' };
  for (let i = 0; i < 5000; i++) layer = { name: `f${i}`, type: 'frame', children: [layer] };
  refuse({ ...canvas, layers: [layer] }, 'layers: frames may nest at most 12 deep');
});

test('lengths with a unit have no least or most number of characters in the JSON Schema', () => {
  const schema = JSON.stringify(templateJsonSchema());
  expect(schema).toContain('"type":"string","pattern":"^(-?');
  expect(schema).not.toMatch(/Length":-?\d+,"pattern":"\^\(-\?/);
});

test('the JSON Schema names every layer type', () => {
  const schema = templateJsonSchema() as { $defs: Record<string, unknown> };
  expect(Object.keys(schema.$defs)).toEqual(
    expect.arrayContaining(['TextLayer', 'ImageLayer', 'ShapeLayer', 'FrameLayer', 'QrLayer', 'BarcodeLayer']),
  );
});

test('a long list of problems is cut short', () => {
  const wrong = { type: 'text', color: 'grün', background: 'none', stroke: 'x', textDecorationColor: 'y' };
  const nested = (depth: number): object =>
    depth === 0 ? { name: 'x', ...wrong } : { name: 'f', type: 'frame', children: [nested(depth - 1), wrong, wrong] };
  let said = '';
  try {
    parseTemplate({ ...canvas, layers: [nested(11)] });
  } catch (error) {
    said = String(error);
  }
  expect(said).toMatch(/; and \d+ more$/);
  expect(said.length).toBeLessThan(1_000);
});
