import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compose } from '#core/compose.ts';
import type { DisplayList } from '#core/paint/display-list.ts';
import type { SceneNode, Shadow } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import {
  BLUE,
  code,
  corners,
  edges,
  frame,
  image,
  NEUTRAL,
  RED,
  resources,
  rgb,
  scene,
  shape,
  solid,
  style,
  text,
} from '../scene-nodes.ts';
import { face, match } from '../text/faces.ts';
import { showOps } from './show-ops.ts';

const WHITE = rgb(255, 255, 255);
const INTER = new FontSet(new Map([[fontQueryKey(style().font), [match('inter'), match('emoji')]]]));
const RESOURCES: Resources = {
  ...resources({ photo: { width: 100, height: 50 }, logo: { width: 40, height: 40, hasAlpha: true } }),
  fonts: INTER,
};

const painted = (...nodes: SceneNode[]): DisplayList => compose(scene(nodes), RESOURCES).list;

function check(node: SceneNode, ...expected: string[]): void {
  expect(showOps(painted(node).ops)).toEqual(expected);
}

const at = { x: 10, y: 20, width: 40, height: 30 };
const shadow = (more: Partial<Shadow> = {}): Shadow => ({
  x: 2,
  y: 4,
  sigma: 3,
  spread: 0,
  color: rgb(0, 0, 0, 0.5),
  inset: false,
  ...more,
});

test('the background fills the canvas', () => {
  const { list } = compose({ ...scene([]), background: solid(BLUE) }, RESOURCES);
  expect(showOps(list.ops)).toEqual(['fill 0,0 400×300 #0000ff']);
});

test('a plain shape is one fill', () => check(shape(at), 'fill 10,20 40×30 #ff0000'));
test('a stroke lies over its fill', () =>
  check(
    shape({ ...at, stroke: { fill: solid(BLUE), width: 4, dash: [], cap: 'butt', join: 'miter' } }),
    'fill 10,20 40×30 #ff0000',
    'stroke 10,20 40×30 4 #0000ff',
  ));
test('a line is never filled', () =>
  check(
    shape({
      ...at,
      height: 0,
      outline: { kind: 'line', points: null },
      stroke: { fill: solid(BLUE), width: 4, dash: [0, 0], cap: 'round', join: 'miter' },
    }),
    'stroke 10,20 40×0 4 #0000ff',
  ));
test('an empty shape paints nothing', () => check(shape({ ...at, width: 0 })));

test('opacity, blend mode and blur make one group', () =>
  check(
    shape({ ...at, opacity: 0.5, blend: 'multiply', blur: 2 }),
    'group opacity 0.5 multiply blur 2',
    '  fill 10,20 40×30 #ff0000',
  ));
test('what is wholly transparent is left out, its link is not', () =>
  check(shape({ ...at, opacity: 0, link: 'https://a.b' }), 'link 10,20 40×30 https://a.b'));
test('rotation is about the centre and turns the link', () =>
  check(
    shape({ ...at, rotation: 90, link: 'https://a.b' }),
    'group matrix(0 1 -1 0 65 5)',
    '  fill 10,20 40×30 #ff0000',
    '  link 10,20 40×30 https://a.b',
  ));
test('a mask cuts', () =>
  check(
    shape({ ...at, mask: { outline: { kind: 'ellipse' }, fade: null } }),
    'group clip 10,20 40×30',
    '  fill 10,20 40×30 #ff0000',
  ));

test('an opaque box hides its own shadow', () =>
  check(
    shape({ ...at, shadows: [shadow()] }),
    'group blur 3',
    '  fill 12,24 40×30 #000000/0.5',
    'fill 10,20 40×30 #ff0000',
  ));
test('a translucent one cuts it out', () =>
  check(
    shape({ ...at, fill: solid(rgb(255, 0, 0, 0.5)), shadows: [shadow({ sigma: 0, spread: 5 })] }),
    'group clip 6,18 52×42 evenodd',
    '  fill 7,19 50×40 #000000/0.5',
    'fill 10,20 40×30 #ff0000/0.5',
  ));
test('the first shadow is on top', () =>
  check(
    shape({ ...at, shadows: [shadow({ sigma: 0 }), shadow({ sigma: 0, color: BLUE })] }),
    'fill 12,24 40×30 #0000ff',
    'fill 12,24 40×30 #000000/0.5',
    'fill 10,20 40×30 #ff0000',
  ));
test('a shadow that shrinks to nothing is gone', () =>
  check(shape({ ...at, shadows: [shadow({ spread: -20 })] }), 'fill 10,20 40×30 #ff0000'));
test('an inset shadow falls into the box, over its fill', () =>
  check(
    shape({ ...at, shadows: [shadow({ inset: true })] }),
    'fill 10,20 40×30 #ff0000',
    'group clip 10,20 40×30 blur 3',
    '  fill 0,10 62×54 #000000/0.5',
  ));
test('the shadow of a stroke alone follows the stroke', () =>
  check(
    shape({
      ...at,
      fill: null,
      stroke: { fill: solid(BLUE), width: 4, dash: [], cap: 'butt', join: 'miter' },
      shadows: [shadow()],
    }),
    'group matrix(1 0 0 1 2 4) opacity 0.5 blur 3',
    '  stroke 10,20 40×30 4 #000000',
    'stroke 10,20 40×30 4 #0000ff',
  ));
test('a masked layer casts the shadow of its mask', () =>
  check(
    shape({ ...at, mask: { outline: { kind: 'ellipse' }, fade: null }, shadows: [shadow({ sigma: 0 })] }),
    'fill 12,24 40×30 #000000/0.5',
    'group clip 10,20 40×30',
    '  fill 10,20 40×30 #ff0000',
  ));

const border = (style: 'solid' | 'dashed', color = BLUE) => ({ width: 4, color, style });
test('a frame: background under half of its border, border, children', () =>
  check(
    frame({ ...at, background: solid(WHITE), border: border('solid'), children: [shape({ width: 5, height: 5 })] }),
    'fill 12,22 36×26 #ffffff',
    'fill 10,20 40×30 #0000ff',
    'fill 14,24 5×5 #ff0000',
  ));
test('a translucent border has the background under all of it', () =>
  check(
    frame({ ...at, background: solid(WHITE), border: border('solid', rgb(0, 0, 255, 0.5)) }),
    'fill 10,20 40×30 #ffffff',
    'fill 10,20 40×30 #0000ff/0.5',
  ));
test('dashes run along the middle of the border', () =>
  check(frame({ ...at, border: border('dashed'), radii: corners(8) }), 'stroke 12,22 36×26 4 #0000ff'));
test('sides of a sharp dashed box are drawn pair by pair', () =>
  check(
    frame({ ...at, border: border('dashed', rgb(0, 0, 255, 0.5)) }),
    'group opacity 0.5',
    '  stroke 10,22 40×26 4 #0000ff',
    '  stroke 12,20 36×30 4 #0000ff',
  ));
test('children are clipped at the padding box', () =>
  check(
    frame({ ...at, clip: true, border: border('solid'), children: [shape({ width: 90, height: 5 })] }),
    'fill 10,20 40×30 #0000ff',
    'group clip 14,24 32×22',
    '  fill 14,24 90×5 #ff0000',
  ));
test('a border wider than its box is the box', () =>
  check(frame({ ...at, border: { ...border('solid'), width: 500 } }), 'fill 10,20 40×30 #0000ff'));

test('an image is cropped, not clipped', () => check(image(at), 'image photo 16.67,0 66.67×50 → 10,20 40×30'));
test('round corners clip', () =>
  check(image({ ...at, radii: corners(5) }), 'group clip 10,20 40×30', '  image photo 16.67,0 66.67×50 → 10,20 40×30'));
test('a border lies around the picture', () =>
  check(
    image({ ...at, border: border('solid'), fit: 'fill' }),
    'image photo 0,0 100×50 → 14,24 32×22',
    'fill 10,20 40×30 #0000ff',
  ));
test('the focus of the resource answers "auto"', () => {
  const focused = resources({ photo: { width: 100, height: 50, focus: { x: 1, y: 0 } } });
  const { list } = compose(scene([image({ ...at, focus: 'auto' })]), focused);
  expect(showOps(list.ops)).toEqual(['image photo 33.33,0 66.67×50 → 10,20 40×30']);
});
test('each tone filter is a step of its own', () =>
  check(
    image({ ...at, fit: 'fill', filters: { ...NEUTRAL, brightness: 2, saturate: 0, grayscale: 0.5 } }),
    'group color-matrix color-matrix color-matrix',
    '  image photo 0,0 100×50 → 10,20 40×30',
  ));
test('an opaque picture stays full to its edge when blurred', () =>
  check(
    image({ ...at, fit: 'fill', filters: { ...NEUTRAL, blur: 2 } }),
    'group clip 10,20 40×30 blur 2',
    '  image photo 0,0 100×50 → 4,14 52×42',
    '  image photo 0,0 100×50 → 10,20 40×30',
  ));
test('an opaque picture casts a box shadow', () =>
  check(
    image({ ...at, fit: 'contain', shadows: [shadow({ sigma: 0 })] }),
    'fill 12,29 40×20 #000000/0.5',
    'image photo 0,0 100×50 → 10,25 40×20',
  ));
test('a picture with alpha casts its silhouette', () =>
  check(
    image({ ...at, image: 'logo', fit: 'contain', shadows: [shadow()] }),
    'group matrix(1 0 0 1 2 4) opacity 0.5 blur 3',
    '  group color-matrix',
    '    image logo 0,0 40×40 → 15,20 30×30',
    'image logo 0,0 40×40 → 15,20 30×30',
  ));

test('modules are merged into few rectangles of one path', () => {
  const dark = [true, true, false, true, true, false, false, false, true].map(Boolean);
  const { ops } = painted(
    code({ width: 30, height: 30, modules: { columns: 3, rows: 3, dark }, background: solid(WHITE) }),
  );
  expect(showOps(ops)).toEqual(['fill 0,0 30×30 #ffffff', 'fill 0,0 30×30 #000000']);
  const path = ops[1]?.kind === 'fill' ? ops[1].path : [];
  expect(path.filter(([command]) => command === 'M')).toEqual([
    ['M', 0, 0],
    ['M', 20, 20],
  ]);
});
test('a caption lies under the bars', () => {
  const caption = { text: '42', style: style(), link: null, counter: null, image: null };
  const { ops } = painted(
    code({ width: 60, height: 84, square: false, modules: { columns: 1, rows: 1, dark: [true] }, caption }),
  );
  expect(showOps(ops)).toEqual(['fill 0,0 60×60 #000000', 'glyphs "42" #000000']);
});

test('text keeps its runs', () => check(text('Hi', { x: 5 }), 'glyphs "Hi" #000000'));
test('the outline of letters shrinks with them', () => {
  const outlined = style({ stroke: { fill: solid(RED), width: 3 } });
  check(text('Hi', { style: outlined }), 'glyphs "Hi" #000000 outlined 3 #ff0000');
});
test('an underline follows the metrics of the font', () => {
  const { underlinePosition, underlineThickness } = face('inter').metrics;
  const { ops } = painted(text('Hi', { style: { decorations: [{ line: 'underline', fill: null, thickness: null }] } }));
  expect(ops.map((op) => op.kind)).toEqual(['fill', 'glyphs']);
  const [line, letters] = ops;
  if (line?.kind !== 'fill' || letters?.kind !== 'glyphs') throw new Error('expected an underline and letters');
  const [[, , top = 0] = [], , [, , bottom = 0] = []] = line.path as readonly (readonly [string, number, number])[];
  expect(bottom - top).toBeCloseTo(underlineThickness * 20);
  expect(letters.origin.y - (top + bottom) / 2).toBeCloseTo(underlinePosition * 20);
});
test('a sharp text shadow is no text', () => {
  const { ops } = painted(text('Hi', { shadows: [shadow({ sigma: 0 })] }));
  expect(showOps(ops).map((line) => line.replace(/fill .* /, 'fill '))).toEqual([
    'group matrix(1 0 0 1 2 4) opacity 0.5',
    '  fill #000000',
    'glyphs "Hi" #000000',
  ]);
});
test('blurred text leaves its words for a PDF', () =>
  check(text('Hi', { blur: 2 }), 'group blur 2', '  glyphs "Hi" #000000', 'glyphs "Hi" none'));
test('text is cut where it says so', () =>
  check(
    text('Long words', { width: 300, height: 10, overflow: 'clip' }),
    'group clip 0,0 300×10',
    '  glyphs "Long words" #000000',
  ));
test('emoji are painted, and stay words', () => {
  const lines = showOps(painted(text('a😀')).ops);
  expect(lines[0]).toBe('glyphs "a" #000000');
  expect(lines.at(-1)).toBe('glyphs "😀" none');
  expect(lines.filter((line) => line.trimStart().startsWith('fill')).length).toBeGreaterThan(5);
});
test('line backgrounds are one path, a link its own area', () => {
  const node = text('Hi', { lineBackground: { fill: solid(RED), padding: edges(5), radii: corners(0) } });
  const linked = { ...node, spans: node.spans.map((span) => ({ ...span, link: 'https://a.b' })) };
  const lines = showOps(painted(linked).ops);
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['fill', 'glyphs', 'link']);
  expect(lines[0]).toMatch(/^fill -5,-5 .*×34 #ff0000$/);
});

test('every number of a list is finite', () => {
  const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const radii = fc.constantFrom(corners(0), corners(9), corners(1e5), { ...corners(0), topLeft: 30 });
  const color = fc.constantFrom(RED, rgb(0, 0, 0, 0), rgb(1, 2, 3, 0.5));
  const stops = fc.tuple(color, color).map(([a, b]) => [
    { offset: 0, color: a },
    { offset: 0, color: b },
    { offset: 1, color: a },
  ]);
  const fill = fc.oneof(
    color.map(solid),
    fc.record({ kind: fc.constant('linear' as const), angle: number(-720, 720), stops }),
    fc.record({
      kind: fc.constant('radial' as const),
      shape: fc.constantFrom('ellipse' as const, 'circle' as const),
      center: fc.record({ x: number(-2, 3), y: number(-2, 3) }),
      radius: fc.option(number(0, 10)),
      stops,
    }),
    fc.record({
      kind: fc.constant('conic' as const),
      angle: number(-720, 720),
      center: fc.record({ x: number(-2, 3), y: number(-2, 3) }),
      stops,
    }),
  );
  const outline = fc.oneof(
    radii.map((r) => ({ kind: 'rect' as const, radii: r })),
    fc.constantFrom({ kind: 'ellipse' as const }, { kind: 'line' as const, points: null }),
    fc.record({ kind: fc.constant('star' as const), tips: fc.integer({ min: 3, max: 9 }), innerRadius: number(0, 1) }),
    fc.constant({
      kind: 'path' as const,
      path: [['M', 0, 0] as const, ['C', 1, 2, 3, 4, 5, 6] as const],
      viewBox: { x: 0, y: 0, width: 5, height: 6 },
    }),
  );
  const mode = fc.constantFrom('alpha' as const, 'luminance' as const);
  const fade = fc.oneof(
    fc.record({ kind: fc.constant('gradient' as const), fill, mode }),
    fc.record({
      kind: fc.constant('image' as const),
      image: fc.constantFrom('photo', 'logo'),
      fit: fc.constantFrom('cover' as const, 'none' as const),
      mode,
    }),
  );
  const anyShadow = fc.record({
    x: number(-1e5, 1e5),
    y: number(-9, 9),
    sigma: fc.constantFrom(0, 0.1, 100),
    spread: number(-1000, 1000),
    color,
    inset: fc.boolean(),
  });
  const anyBorder = fc.option(
    fc.record({
      width: fc.constantFrom(0.1, 5, 1000),
      color,
      style: fc.constantFrom('solid' as const, 'dashed' as const, 'dotted' as const),
    }),
  );
  const common = {
    width: fc.constantFrom(0, 0.001, 10, 300, 1e5),
    height: fc.constantFrom(0, 10, 300, 1e5),
    rotation: fc.constantFrom(0, 45, 90, -36_000),
    opacity: fc.constantFrom(0, 0.5, 1),
    blur: fc.constantFrom(0, 100),
    blend: fc.constantFrom('normal' as const, 'hue' as const),
    shadows: fc.array(anyShadow, { maxLength: 3 }),
    mask: fc.option(fc.record({ outline, fade: fc.option(fade) })),
  };
  const stroke = fc.option(
    fc.record({
      fill,
      width: number(0, 1000),
      dash: fc.constantFrom([], [0, 0], [1, 2]),
      cap: fc.constant('square' as const),
      join: fc.constant('miter' as const),
    }),
  );
  const leaf = fc.oneof(
    fc.record({ ...common, outline, fill: fc.option(fill), stroke }).map(shape),
    fc.record({ ...common, radii, border: anyBorder, image: fc.constantFrom('photo', 'logo') }).map(image),
    fc.record({ ...common, fill }).map(code),
  );
  const node = fc
    .record({
      ...common,
      radii,
      border: anyBorder,
      background: fc.option(fill),
      clip: fc.boolean(),
      children: fc.array(leaf, { maxLength: 3 }),
    })
    .map((options) => frame(options));
  fc.assert(
    fc.property(node, (root) => {
      expect(numbersOf(painted(root)).every(Number.isFinite)).toBe(true);
    }),
    { seed: 11, numRuns: 300 },
  );
});

function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

test('text that runs around a small circle thousands of times is a few arcs, and its links a few boxes', () => {
  const arc = { radius: 1, angle: 0, side: 'outside' } as const;
  const lineBackground = { fill: solid(BLUE), padding: edges(0), radii: corners(5) };
  const decorations = [{ line: 'underline', fill: null, thickness: null } as const];
  const node = text('x'.repeat(120), { arc, lineBackground, style: { fontSize: 2000, decorations } });
  const linked = { ...node, spans: node.spans.map((span) => ({ ...span, link: 'https://example.com/' })) };
  const { ops } = painted(linked);
  const links = ops.filter(({ kind }) => kind === 'link');
  expect(links.length).toBe(32);
  const fills = ops.filter((op) => op.kind === 'fill');
  expect(fills.length).toBe(2);
  for (const { path } of fills) expect(path.length).toBeLessThan(50);
});
