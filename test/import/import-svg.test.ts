import { expect, test } from 'vitest';
import { parseTemplate } from '#core/template/template.ts';
import { parseXml } from '#draw/images/xml.ts';
import { familyFinder, type ImportedLayer, importSvg } from '#import/import-svg.ts';

const familyOf = familyFinder(['Inter', 'Playfair Display'], new Map([['sans-serif', 'Inter']]));

function imported(body: string, root = 'width="200" height="100"') {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${root}>${body}</svg>`;
  const found = importSvg(parseXml(text, { elements: 60_000, depth: 100 }), { familyOf });
  // All that it makes is a template.
  parseTemplate({ name: 'Drawing', width: found.width, height: found.height, layers: found.layers });
  return found;
}

const only = (body: string, root?: string): ImportedLayer => {
  const { layers, omitted } = imported(body, root);
  expect([layers.length, omitted]).toEqual([1, []]);
  return layers[0] as ImportedLayer;
};

test('a rectangle keeps its place, corners and stroke under moves, scales and turns', () => {
  expect(only('<rect id="Card" x="10" y="20" width="60" height="40" rx="8" fill="#2a7f62"/>')).toEqual({
    ...{ type: 'shape', name: 'Card', shape: 'rect', x: 10, y: 20, width: 60, height: 40 },
    ...{ borderRadius: 8, fill: '#2a7f62' },
  });
  const turned = only(
    '<rect width="40" height="20" transform="translate(100 50) rotate(90) scale(2)" stroke="red" stroke-width="3"/>',
  );
  expect(turned).toMatchObject({ x: 40, y: 70, width: 80, height: 40, rotation: 90, strokeWidth: 6 });
});

test('a viewBox scales all of the drawing, and percentages are of it', () => {
  const layer = only('<rect width="50%" height="100%" rx="4"/>', 'width="400" height="200" viewBox="0 0 200 100"');
  expect(layer).toMatchObject({ x: 0, y: 0, width: 200, height: 200, borderRadius: 8, fill: '#000000' });
});

test('what is slanted becomes a path over its box', () => {
  const layer = only('<rect width="40" height="20" transform="skewX(45)"/>');
  expect(layer).toMatchObject({ shape: 'path', x: 0, y: 0, width: 60, height: 20, viewBox: [0, 0, 60, 20] });
  expect(layer.d).toBe('M0 0L40 0L60 20L20 20Z');
});

test('groups are frames around their layers, with their opacity; those of one layer are that layer', () => {
  const frame = only(
    '<g id="Badge" opacity=".5" transform="translate(10 10)"><circle cx="20" cy="20" r="10"/><rect x="40" y="5" width="20" height="30"/></g>',
  );
  expect(frame).toMatchObject({ type: 'frame', name: 'Badge', x: 20, y: 15, width: 50, height: 30, opacity: 0.5 });
  expect(frame.children).toMatchObject([
    { shape: 'ellipse', x: 0, y: 5, width: 20, height: 20 },
    { shape: 'rect', x: 30, y: 0 },
  ]);
  expect(only('<g id="Logo"><g><path d="M0 0h10v10z"/></g></g>')).toMatchObject({ type: 'shape', name: 'Logo' });
});

test('a clip is a frame that clips, or a mask; one as large as the canvas is nothing', () => {
  const clip = (shape: string) =>
    `<clipPath id="c">${shape}</clipPath><g clip-path="url(#c)"><rect width="90" height="90"/><circle r="9"/></g>`;
  expect(only(clip('<rect x="5" y="6" width="70" height="50" rx="10"/>'))).toMatchObject({
    ...{ type: 'frame', clip: true, x: 5, y: 6, width: 70, height: 50, borderRadius: 10 },
    children: [
      { x: -5, y: -6 },
      { x: -14, y: -15 },
    ],
  });
  expect(only(clip('<circle cx="50" cy="50" r="40"/>'))).toMatchObject({ mask: { shape: 'path' }, width: 80 });
  expect(only(clip('<rect width="200" height="100"/>'))).not.toHaveProperty('clip');
  const masked =
    '<mask id="m"><rect width="9" height="9" fill="white"/></mask><g mask="url(#m)"><rect width="90" height="90"/></g>';
  expect(only(masked)).toMatchObject({ clip: true, width: 9 });
});

test('gradients span their box as in the drawing, under any transform', () => {
  const fill = (gradient: string, shape = '<rect width="100" height="100" fill="url(#g)"/>') =>
    only(`<defs>${gradient}</defs>${shape}`).fill;
  const stops = '<stop stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff" stop-opacity=".5"/>';
  expect(fill(`<linearGradient id="g">${stops}</linearGradient>`)).toEqual({
    ...{ type: 'linear', angle: 90 },
    stops: [
      { color: '#ff0000', offset: 0 },
      { color: 'rgb(0 0 255 / 0.5)', offset: 1 },
    ],
  });
  // The line ends in the middle of the box, so the last colour fills the rest.
  const half = `<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="50">${stops}</linearGradient>`;
  expect(fill(half)).toMatchObject({ angle: 180, stops: [{ offset: 0 }, { offset: 0.5 }] });
  // It begins before the box: the colour at the edge is on the way.
  const before = `<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="-100" y1="0" x2="100" y2="0"><stop stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient>`;
  expect(fill(before)).toMatchObject({
    stops: [
      { color: '#7f7f7f', offset: 0 },
      { color: '#ffffff', offset: 1 },
    ],
  });
  const round = `<radialGradient id="g" cx="0" cy="0" r="1" gradientUnits="userSpaceOnUse" gradientTransform="translate(50 50) rotate(90) scale(25)">${stops}</radialGradient>`;
  expect(fill(round)).toMatchObject({ type: 'radial', shape: 'circle', center: { x: 0.5, y: 0.5 }, radius: 0.5 });
});

test('Figma’s drop shadow, inner shadow and blur are the layer’s', () => {
  const color = (alpha: number) => `<feColorMatrix values="0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 ${alpha} 0"/>`;
  const shadow = (more: string) =>
    `<filter id="f"><feFlood flood-opacity="0"/>${color(127)}<feOffset dx="1" dy="4"/><feGaussianBlur stdDeviation="6"/>${more}${color(0.25)}<feBlend in="SourceGraphic"/></filter><g filter="url(#f)"><rect width="9" height="9"/></g>`;
  const cast = { x: 1, y: 4, blur: 12, color: 'rgb(255 0 0 / 0.25)' };
  expect(only(shadow('<feComposite operator="out"/>')).shadow).toEqual(cast);
  expect(only(shadow('<feComposite operator="arithmetic"/>')).shadow).toEqual({ ...cast, inset: true });
  const blurred =
    '<filter id="f"><feGaussianBlur stdDeviation="3"/></filter><rect width="9" height="9" filter="url(#f)"/>';
  expect(only(blurred).blur).toBe(3);
});

test('lines of one text stay one text; styled words are spans; a family is found by any of its names', () => {
  const figma = only(
    '<text id="Title" fill="white" xml:space="preserve" style="white-space: pre" font-family="PlayfairDisplay-Bold" font-size="20" font-weight="bold" letter-spacing="0.1em"><tspan x="10" y="30">Slow&#10;</tspan><tspan x="10" y="60">mornings</tspan></text>',
  );
  expect(figma).toMatchObject({
    ...{ type: 'text', name: 'Title', text: 'Slow\nmornings', fontFamily: 'Playfair Display', fontWeight: 700 },
    ...{ fontSize: 20, lineHeight: 1.5, letterSpacing: 2, color: '#ffffff', x: 10 },
  });
  // The baseline is 0.36 em below the middle of the line.
  expect(figma.y).toBeCloseTo(30 - (0.75 + 0.36) * 20, 2);
  const styled = only(
    '<text x="100" y="20" text-anchor="middle" font-family="sans-serif">a <tspan font-weight="700" fill="red">b</tspan></text>',
  );
  expect(styled).toMatchObject({
    align: 'center',
    spans: [{ text: 'a ' }, { text: 'b', fontWeight: 700, color: '#ff0000' }],
  });
  expect(Number(styled.x) + Number(styled.width) / 2).toBeCloseTo(100, 1);
});

test('a picture that fills a shape is cut to it, with its crop', () => {
  const data = 'data:image/png;base64,AAAA';
  const body = `<defs><pattern id="p" patternContentUnits="objectBoundingBox" width="1" height="1"><use xlink:href="#i" transform="matrix(0.02 0 0 0.01 -0.25 0)"/></pattern><image id="i" width="75" height="100" xlink:href="${data}"/></defs><rect id="Photo" width="50" height="100" rx="6" fill="url(#p)"/>`;
  expect(only(body)).toMatchObject({
    type: 'image',
    name: 'Photo',
    src: data,
    borderRadius: 6,
    focus: { x: 0.5, y: 0.5 },
  });
  expect(only(`<image width="20" height="10" href="${data}"/>`)).toMatchObject({ type: 'image', fit: 'contain' });
});

test('style sheets, symbols and hidden parts are read as browsers do', () => {
  const { layers } = imported(
    '<style>/* Illustrator */ .a,.b{fill:none;stroke:#123456}.b{stroke-width:4px}</style><symbol id="s" viewBox="0 0 10 10"><rect class="b" width="10" height="10"/></symbol><use href="#s" x="20" width="50" height="50"/><path class="a" d="M0 0L30 40"/><g display="none"><rect width="9" height="9"/></g>',
  );
  expect(layers).toMatchObject([
    { shape: 'rect', x: 20, width: 50, fill: null, stroke: '#123456', strokeWidth: 20 },
    {
      shape: 'line',
      points: [
        [0, 0],
        [30, 40],
      ],
      strokeWidth: 1,
    },
  ]);
});

test('CSS is read as in pictures: custom properties, nested and conditional rules, colours, transforms, filters', () => {
  const fills = imported(
    `<style>:root{--ink:#d1401b}
      @media screen{.a{fill:var(--ink)}} @media print{rect{display:none}}
      .list{ > rect:nth-child(2){fill:color-mix(in srgb, red 50%, blue)} > rect:not(.a, :nth-child(2)){fill:lab(0% 0 0)!important}}</style>
    <g class="list"><rect class="a" width="9" height="9"/><rect width="9" height="9"/><rect width="9" height="9" style="fill:red"/></g>`,
  );
  expect(fills.omitted).toEqual([]);
  expect(fills.layers[0]?.children).toMatchObject([{ fill: '#d1401b' }, { fill: '#800080' }, { fill: '#000000' }]);
  const turned = '<rect width="40" height="20" style="transform-box:fill-box;transform-origin:center;rotate:90deg"/>';
  expect(only(turned)).toMatchObject({ x: 0, y: 0, width: 40, height: 20, rotation: 90 });
  const rect = (css: string) => `<rect id="R" width="9" height="9" style="${css}"/>`;
  expect(only(rect('filter:drop-shadow(1px 2px 3px red)')).shadow).toEqual({ x: 1, y: 2, blur: 6, color: '#ff0000' });
  expect(only(rect('filter:blur(2px)')).blur).toBe(2);
  for (const filter of ['saturate(2)', 'grayscale(1)', 'hue-rotate(90deg)', 'invert(1)']) {
    const { layers, omitted } = imported(rect(`filter:${filter}`));
    expect(layers[0]).not.toHaveProperty('shadow');
    expect(omitted).toEqual(['An effect of “R” is left out: layers have shadows and blurs.']);
  }
  const scaled = '<g transform="scale(4)"><path d="M0 0h9" style="stroke:red;vector-effect:non-scaling-stroke"/></g>';
  expect(only(scaled)).toMatchObject({ name: 'path', strokeWidth: 1 });
  const page = only('', 'width="200" height="100" viewBox="0 0 20 20" style="background:rgb(9 8 7 / 50%)"');
  expect(page).toMatchObject({ x: 0, y: 0, width: 200, height: 100, fill: 'rgb(9 8 7 / 0.5)' });
});

test('style sheets that take too long to match are refused', () => {
  const rules = 'g:has(~ g:has(~ g:has(~ g:has(~ a)))){fill:red}'.repeat(20);
  expect(() => imported(`<style>${rules}</style>${'<g/>'.repeat(400)}`)).toThrow(/^The SVG file has /);
});

test('what layers cannot be is listed', () => {
  const { layers, omitted } = imported(
    '<foreignObject><p/></foreignObject><text font-family="Comic Sans">Hi</text><rect id="R" width="9" height="9" fill="red" filter="url(#t)"/><filter id="t"><feTurbulence/></filter><text><textPath href="#x">round</textPath></text><image href="photo.png" width="9" height="9"/><marker id="m"/><path id="L" d="M0 0h9" stroke="red" marker-end="url(#m)"/>',
  );
  expect(layers.map(({ type }) => type)).toEqual(['text', 'shape', 'shape']);
  expect(omitted).toEqual([
    '<foreignObject> has no counterpart and is left out.',
    '<textPath> has no counterpart and is left out.',
    '“text” is in Comic Sans, which the server does not have: it is set in Inter.',
    'An effect of “R” is left out: layers have shadows and blurs.',
    'A picture that is not in the file is left out.',
    'The markers of “L” are left out.',
  ]);
});

test('names are those of the drawing, unique, and none that a signed URL has for itself', () => {
  const { layers } = imported(
    '<rect id="scale" width="9" height="9"/><rect id="a_x20_b" width="9" height="9"/><rect width="9" height="9"/><rect width="9" height="9"/>',
  );
  expect(layers.map(({ name }) => name)).toEqual(['scale-layer', 'a b', 'rect', 'rect-2']);
});

test('references that multiply end at a limit', () => {
  const levels = Array.from(
    { length: 20 },
    (_, i) => `<g id="l${i}">${'<use href="#l'.concat(String(i + 1), '"/>').repeat(10)}</g>`,
  );
  const { layers, omitted } = imported(
    `<defs>${levels.join('')}<g id="l20"><rect width="1" height="1"/></g></defs><use href="#l0"/>`,
  );
  expect(JSON.stringify(layers).length).toBeLessThan(1_000_000);
  expect(omitted.join()).toMatch(/left out/);
});

test('frames nest no deeper than a template’s, and the data of paths is bounded', () => {
  const deep = '<g id="x" opacity=".9"><rect width="9" height="9"/>'.repeat(40) + '</g>'.repeat(40);
  imported(deep);
  const long = `M0 0${'L1.123 2.345'.repeat(4_000)}`;
  expect(imported(`<path d="${long}"/>`).omitted).toEqual(['“path” is left out: its path has too many points.']);
});
