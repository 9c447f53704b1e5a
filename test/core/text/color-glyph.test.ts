// Tests colour glyphs as data: built from callbacks by hand, and read from the emoji face.

import { expect, test, vi } from 'vitest';
import type { ColorGlyph } from '#core/text/color-glyph.ts';
import { ColorGlyphBuilder } from '#core/text/color-glyph-builder.ts';
import { allLayers, colorFace, glyphPaint, gradientPaint, layered, outlineOf, painted } from './color-font.ts';
import { face } from './faces.ts';

const SQUARE = [['M', 0, 0], ['L', 10, 0], ['L', 10, 10], ['L', 0, 10], ['Z']] as const;
const BOX = [['M', -50, -50], ['L', 50, -50], ['L', 50, 50], ['L', -50, 50], ['Z']] as const;
const RED = { red: 255, green: 0, blue: 0, alpha: 255 };
const TINT = { red: 0, green: 0, blue: 0, alpha: 51 };
const SRC_OVER = 3;
const SRC_IN = 5;
const SOFT_LIGHT = 20;

/** `fill(red)`, `clip[…]`, `group:soft-light[…]` */
function show(ops: ColorGlyph): string {
  return ops
    .map((op) => {
      if (op.kind === 'clip') return `clip[${show(op.ops)}]`;
      if (op.kind === 'group') return `group:${op.composite}[${show(op.ops)}]`;
      if (op.brush.kind !== 'solid') return op.brush.kind;
      const { color } = op.brush;
      return color ? `fill(${color.r},${color.g},${color.b},${color.a})` : `text(${op.brush.alpha})`;
    })
    .join(' ');
}
function check(paint: (builder: ColorGlyphBuilder) => void, expected: string): void {
  const builder = new ColorGlyphBuilder();
  paint(builder);
  expect(show(builder.finish())).toBe(expected);
}
const square = (b: ColorGlyphBuilder, color = RED, isForeground = false) => {
  b.pushClip(SQUARE);
  b.solid(isForeground, color);
  b.popClip();
};

test('a colour within an outline is a fill of it', () => check((b) => square(b), 'fill(255,0,0,1)'));
test('the foreground is the colour of the text', () => check((b) => square(b, TINT, true), 'text(0.2)'));
test('a clip box around everything is left out', () =>
  check((b) => {
    b.pushClip(BOX);
    square(b);
    b.popClip();
  }, 'fill(255,0,0,1)'));
test('a clip that cuts stays', () =>
  check((b) => {
    b.pushClip(SQUARE);
    b.pushTransform([2, 0, 0, 2, 0, 0]);
    square(b);
    b.popTransform();
    b.popClip();
  }, 'clip[fill(255,0,0,1)]'));
test('a group that only lies on top is left out', () =>
  check((b) => {
    b.pushGroup();
    square(b);
    b.popGroup(SRC_OVER);
  }, 'fill(255,0,0,1)'));
test('a blend mode keeps its group, and the group around it', () =>
  check((b) => {
    b.pushGroup();
    square(b);
    b.pushGroup();
    square(b);
    b.popGroup(SOFT_LIGHT);
    b.popGroup(SRC_OVER);
  }, 'group:normal[fill(255,0,0,1) group:soft-light[fill(255,0,0,1)]]'));
test('"in" something opaque is a clip to it', () =>
  check((b) => {
    b.pushGroup();
    square(b);
    square(b, TINT);
    b.pushGroup();
    square(b, TINT);
    b.popGroup(SRC_IN);
    b.popGroup(SRC_OVER);
  }, 'clip[fill(0,0,0,0.2)]'));
test('"in" something translucent stays an operator', () =>
  check((b) => {
    square(b, TINT);
    b.pushGroup();
    square(b);
    b.popGroup(SRC_IN);
  }, 'fill(0,0,0,0.2) group:src-in[fill(255,0,0,1)]'));
test('a colour that nothing bounds is not painted', () => check((b) => b.solid(false, RED), ''));
test('pops without a push do no harm', () =>
  check((b) => {
    b.popClip();
    b.popGroup(SRC_OVER);
    b.popTransform();
    square(b);
  }, 'fill(255,0,0,1)'));

test('transforms are folded into outlines', () => {
  const builder = new ColorGlyphBuilder();
  builder.pushTransform([2, 0, 0, -1, 5, 0]);
  square(builder);
  const [op] = builder.finish();
  expect(op?.kind === 'fill' && op.path).toEqual([['M', 5, 0], ['L', 25, 0], ['L', 25, -10], ['L', 5, -10], ['Z']]);
});

const STOP = { isForeground: false, color: RED };
test('a gradient runs from its first stop to its last, sorted', () => {
  const builder = new ColorGlyphBuilder();
  builder.pushClip(SQUARE);
  const line = {
    extend: 0,
    colorStops: [
      { offset: 0.75, ...STOP },
      { offset: 0.25, ...STOP },
    ],
  };
  builder.linear(line, { x: 0, y: 0 }, { x: 100, y: 0 }, { x: 0, y: 50 });
  builder.popClip();
  const [op] = builder.finish();
  expect(op?.kind === 'fill' && op.brush).toMatchObject({ kind: 'linear', from: { x: 25, y: 0 }, to: { x: 75, y: 0 } });
  expect(op?.kind === 'fill' && op.brush.kind === 'linear' && op.brush.stops.map(({ offset }) => offset)).toEqual([
    0, 1,
  ]);
});
test('the third point of a linear gradient turns it', () => {
  const builder = new ColorGlyphBuilder();
  builder.pushClip(SQUARE);
  const line = {
    extend: 0,
    colorStops: [
      { offset: 0, ...STOP },
      { offset: 1, ...STOP },
    ],
  };
  builder.linear(line, { x: 0, y: 0 }, { x: 10, y: 10 }, { x: 10, y: 0 });
  builder.popClip();
  const [op] = builder.finish();
  expect(op?.kind === 'fill' && op.brush).toMatchObject({ from: { x: 0, y: 0 }, to: { x: 0, y: 10 } });
});

function emoji(text: string): ColorGlyph {
  const [glyph] = face('emoji').shape(text, { direction: 'ltr', script: 'Zyyy', language: null, features: {} });
  return face('emoji').colorGlyph(glyph?.id ?? 0) ?? [];
}
test('a smiling face is a handful of fills', () =>
  expect(show(emoji('😀'))).toMatch(/^radial fill\(66,43,13,1\) fill\(137,96,36,1\)/));
test('a flag is its stripes and a sheen blended over them', () =>
  expect(show(emoji('🇫🇷'))).toBe(
    'group:normal[fill(237,41,57,1) fill(255,255,255,1) fill(0,35,149,1) fill(26,26,26,0.2) group:soft-light[clip[linear]]]',
  ));
test('a glyph without colours is none', () => expect(face('emoji').colorGlyph(0)).toBeNull());
test('a face without colours has none', () => expect(face('inter').colorGlyph(40)).toBeNull());
test('a colour glyph is plain data', () => {
  const glyph = emoji('🇫🇷');
  expect(JSON.parse(JSON.stringify(glyph))).toEqual(glyph);
});

test('a glyph with more layers than can be drawn keeps the first, and draws no outlines for the others', () => {
  const triangle = outlineOf(5);
  const large = [65_000, 65_001, 65_002, 65_003].map(outlineOf);
  const layers = Array.from({ length: 300 }, (_, i) => 2 + (i % large.length));
  const made = colorFace([triangle, triangle, ...large], layered(layers));
  const outline = vi.spyOn(made, 'outline');
  expect(made.colorGlyph(1)?.length).toBe(7);
  expect(outline.mock.calls.length).toBeLessThan(10);
});
test('a glyph that is full takes neither empty outlines nor fills of one outline for ever', () => {
  const empty = new ColorGlyphBuilder();
  for (let i = 0; i < 501; i++) {
    empty.pushClip([]);
    empty.popClip();
  }
  expect(empty.isFull).toBe(true);

  const filled = new ColorGlyphBuilder();
  const long = Array.from({ length: 10_000 }, (_, i) =>
    i === 0 ? (['M', 0, 0] as const) : (['L', i, i % 7] as const),
  );
  filled.pushClip(long);
  for (let i = 0; i < 1000; i++) filled.solid(false, RED);
  filled.popClip();
  expect(filled.finish().length).toBe(0);
  expect(filled.isFull).toBe(true);
});
test('a glyph keeps no more gradients than their stops allow', () => {
  const builder = new ColorGlyphBuilder();
  const line = { extend: 0, colorStops: Array.from({ length: 256 }, (_, i) => ({ offset: i / 256, ...STOP })) };
  for (let i = 0; i < 4000; i++) {
    builder.pushClip(SQUARE);
    builder.linear(line, { x: 0, y: 0 }, { x: 10, y: 10 }, { x: 10, y: 0 });
    builder.popClip();
  }
  expect(builder.finish().length).toBeGreaterThan(1000);
  expect(builder.finish().length).toBeLessThan(2000);
});

/** Whether a glyph with this many gradients, each of this many stops, is painted in its colours. */
function paintsGradients(layers: number, stops: number): boolean {
  const triangle = outlineOf(5);
  const list = allLayers(layers, 1);
  const shared = list.concat(glyphPaint(2), gradientPaint(stops));
  const starts = [0, ...Array.from({ length: layers }, () => list.length)];
  const made = colorFace([triangle, triangle, triangle], painted(starts, shared, allLayers(1)));
  return made.colorGlyph(1)?.length === layers;
}
test('gradients of 256 stops are painted', () => expect(paintsGradients(3, 256)).toBe(true));
test('a glyph with a gradient of more stops is drawn as its outline', () =>
  expect(paintsGradients(3, 65_535)).toBe(false));
