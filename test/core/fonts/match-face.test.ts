// Tests font matching (CSS Fonts 4, section 5.2) case by case: the face chosen, its axis values, and whether it is
// slanted.

import { expect, test } from 'vitest';
import { Coverage } from '#core/fonts/coverage.ts';
import { type AvailableFace, type Axis, faceKey, matchFaces } from '#core/fonts/match-face.ts';

type Axes = Readonly<Record<string, Axis>>;

function face(weight: number, style: 'normal' | 'italic' = 'normal', axes: Axes = {}, width = 5): AvailableFace {
  const id = `${weight}${style === 'italic' ? 'i' : ''}${width === 5 ? '' : `w${width}`}`;
  return { id, family: 'Test', weight, width, style, axes, coverage: Coverage.of([]), path: '' };
}

/** `wanted` is a weight, followed by `i` for italic; `expected` is a face's key, followed by `/` if it is slanted. */
function check(
  faces: readonly AvailableFace[],
  wanted: string,
  expected: string,
  variations: Readonly<Record<string, number>> = {},
): void {
  const style = wanted.endsWith('i') ? 'italic' : 'normal';
  const [match] = matchFaces(faces, {
    families: ['Test'],
    weight: Number.parseInt(wanted, 10),
    style,
    variations,
    lang: null,
  });
  expect(match && faceKey(match) + (match.slant > 0 ? '/' : '')).toBe(expected);
}

const weights = (...list: number[]) => list.map((weight) => face(weight));

test('an exact weight is taken', () => check(weights(400, 500, 700), '500', '500'));
test('400 takes 500 before anything lighter', () => check(weights(300, 500), '400', '500'));
test('500 takes 400 before 600', () => check(weights(400, 600), '500', '400'));
test('450 looks up to 500 first', () => check(weights(440, 490), '450', '490'));
test('450 then looks down', () => check(weights(100, 300, 600), '450', '300'));
test('450 then looks above 500', () => check(weights(600, 700), '450', '600'));
test('below 400 looks down first', () => check(weights(100, 200, 400), '300', '200'));
test('below 400 then looks up', () => check(weights(400, 700), '300', '400'));
test('above 500 looks up first', () => check(weights(500, 800, 900), '600', '800'));
test('above 500 then looks down', () => check(weights(100, 400, 500), '900', '500'));

const upright = weights(400, 700);
const slanted = [face(400, 'italic'), face(700, 'italic')];
test('italic takes the italic', () => check([...upright, ...slanted], '700i', '700i'));
test('style goes before weight', () => check([...weights(900), face(100, 'italic')], '900i', '100i'));
test('upright is taken for normal', () => check([...slanted, ...upright], '400', '400'));
test('italic is synthesised where the family has none', () => check(upright, '700i', '700/'));
test('an italic stands in where nothing is upright', () => check(slanted, '400', '400i'));

const wght = { min: 200, initial: 400, max: 800 };
test('a variable face answers exactly', () => check([face(400, 'normal', { wght })], '650', '400 wght=650'));
test('its default needs no axis value', () => check([face(400, 'normal', { wght })], '400', '400'));
test('beyond its axis it is clamped', () => check([face(400, 'normal', { wght })], '900', '400 wght=800'));
test('a static face of the very weight, standing first, wins over it', () =>
  check([face(700), face(400, 'normal', { wght })], '700', '700'));
test('it wins over a static face of another weight', () =>
  check([face(600), face(400, 'normal', { wght })], '700', '400 wght=700'));

const slnt = { min: -10, initial: 0, max: 0 };
const ital = { min: 0, initial: 0, max: 1 };
test('a slant axis makes the oblique, as far as it goes', () =>
  check([face(400, 'normal', { slnt })], '400i', '400 slnt=-10'));
test('an italic axis makes the italic', () => check([face(400, 'normal', { ital, slnt })], '400i', '400 ital=1'));
test('a real italic goes before an axis', () =>
  check([face(400, 'normal', { ital }), face(400, 'italic')], '400i', '400i'));

const opsz = { min: 8, initial: 14, max: 144 };
test('font-variation-settings win over font-weight', () =>
  check([face(400, 'normal', { wght, opsz })], '700', '400 opsz=72 wght=300', { wght: 300, opsz: 72 }));
test('an axis that the font lacks is no part of the key', () => check(upright, '400', '400', { GRAD: 50 }));

test('the normal width is taken before any other', () => check([face(400, 'normal', {}, 3), face(400)], '400', '400'));
test('narrower goes before wider', () =>
  check([face(400, 'normal', {}, 6), face(400, 'normal', {}, 3)], '400', '400w3'));

/** Which of bold and slant are synthesised for a bold italic. */
function synthesis(faces: readonly AvailableFace[], allowed?: 'none' | 'weight' | 'style', weight = 700): string {
  const query = { families: ['Test'], weight, style: 'italic', variations: {}, lang: null } as const;
  const [match] = matchFaces(faces, allowed ? { ...query, synthesis: allowed } : query);
  return `${match?.embolden ? 'bold' : ''}${match && match.slant > 0 ? '/' : ''}`;
}
test('bold is synthesised where the family has none', () => expect(synthesis(weights(400))).toBe('bold/'));
test('a semibold is bold', () => expect(synthesis(weights(600))).toBe('/'));
test('a medium is not bold', () => expect(synthesis(weights(500))).toBe('bold/'));
test('below 600 nothing is made bold', () => expect(synthesis(weights(300), undefined, 500)).toBe('/'));
test('a variable face that reaches bold is not made bolder', () =>
  expect(synthesis([face(400, 'normal', { wght })])).toBe('/'));
test('font-synthesis forbids one, the other or both', () => {
  expect(synthesis(weights(400), 'weight')).toBe('bold');
  expect(synthesis(weights(400), 'style')).toBe('/');
  expect(synthesis(weights(400), 'none')).toBe('');
});
