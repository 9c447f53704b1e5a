import { expect, test } from 'vitest';
import { type PathData, pathBounds } from '#core/path.ts';
import { FontFace } from '#core/text/font-face.ts';
import { readSfnt, writeSfnt } from '#draw/fonts/sfnt.ts';
import { quadraticGlyph } from '#draw/output/pdf/quadratic-glyph.ts';
import { trueType } from '#draw/output/pdf/true-type.ts';
import { ARABIC, DEVANAGARI, INTER, NOTO } from './shaping.ts';

/** A quadratic curve raised to a cubic one, as HarfBuzz does it. */
function quadratic(from: readonly [number, number], control: readonly [number, number], to: readonly [number, number]) {
  const third = (a: number, b: number) => a + (2 / 3) * (b - a);
  return [
    'C',
    third(from[0], control[0]),
    third(from[1], control[1]),
    third(to[0], control[0]),
    third(to[1], control[1]),
    ...to,
  ] as const;
}

test('a blank takes no bytes', () =>
  expect(quadraticGlyph([])).toEqual({ bytes: new Uint8Array(), points: 0, contours: 0 }));

test('a square is four points on the curve', () => {
  const glyph = quadraticGlyph([['M', 10, 0], ['L', 10, 300], ['L', 310, 300], ['L', 310, 0], ['L', 10, 0], ['Z']]);
  expect(Buffer.from(glyph?.bytes ?? []).toString('hex')).toBe(
    // One contour; its box; its last point; no instructions; flags; x 10, y +300, x +300, y -300; padding to an even
    // length.
    [
      '0001',
      '000a',
      '0000',
      '0136',
      '012c',
      '0003',
      '0000',
      '33',
      '11',
      '21',
      '11',
      '0a',
      '012c',
      '012c',
      'fed4',
      '00',
    ].join(''),
  );
});

test('a point midway between control points goes without saying', () => {
  const outline: PathData = [
    ['M', 0, 50],
    quadratic([0, 50], [0, 101], [50, 100.5]),
    quadratic([50, 100.5], [100, 100], [100, 50]),
    ['L', 0, 0],
    ['Z'],
  ];
  expect(quadraticGlyph(outline)).toMatchObject({ points: 5, contours: 1 });
});

test('a curve that is no quadratic is left to CFF', () =>
  expect(quadraticGlyph([['M', 0, 0], ['C', 0, 55, 45, 100, 100, 100], ['L', 100, 0], ['Z']])).toBeNull());

/** A font program as a face. A face needs a `cmap` table, so an empty one is added. */
function faceOf(program: Uint8Array): FontFace {
  const { version, tables } = readSfnt(program);
  const bytes = writeSfnt({ version, tables: new Map([...tables, ['cmap', new Uint8Array(4)]]) });
  return new FontFace({ key: 'read back', family: 'Test', weight: 400, style: 'normal', bytes, variations: {} });
}

/** The curves and bounds of an outline, whatever points its contours start at. */
function enclosed(outline: PathData): unknown {
  const bounds = pathBounds(outline);
  const curves = outline
    .filter(([operator]) => operator === 'C')
    .map(([, ...numbers]) => numbers.map(Math.round).join(' '));
  return { curves: curves.sort(), bounds: bounds && Object.values(bounds).map(Math.round) };
}

/** Compares what HarfBuzz reads from our font program with what it reads from the original face. */
test.each([
  ['Inter', INTER],
  ['Noto Sans', NOTO],
  ['Noto Sans Arabic', ARABIC],
  ['Noto Sans Devanagari', DEVANAGARI],
])('glyphs of %s are read back as they were, composites too', (_, face) => {
  const ids = Array.from({ length: Math.min(600, face.glyphCount) }, (_value, id) => id);
  const glyphs = ids.map((id) => {
    const glyph = quadraticGlyph(face.outline(id));
    if (!glyph) throw new Error(`glyph ${id} is not quadratic`);
    return { advance: face.advance(id), glyph };
  });
  const program = trueType({ unitsPerEm: face.unitsPerEm, bbox: [0, -300, 1000, 900], glyphs });
  const read = faceOf(program);
  for (const id of ids) {
    expect(read.advance(id)).toBe(face.advance(id));
    expect(enclosed(read.outline(id))).toEqual(enclosed(face.outline(id)));
  }
});
