import { expect, test } from 'vitest';
import { brushFor } from '#core/paint/gradient.ts';
import type { BoxGradient, Fill } from '#core/resolve/scene.ts';
import { BLUE, RED, rgb } from '../scene-nodes.ts';

const BOX = { x: 0, y: 0, width: 200, height: 100 };
const stops = [
  { offset: 0, color: RED },
  { offset: 1, color: BLUE },
];

const round = (value: number) => Math.round(value * 1000) / 1000 + 0;

/** Compares the gradient's geometry, without its stops. */
function check(fill: Fill, expected: unknown, box = BOX): void {
  const plain = JSON.parse(JSON.stringify(brushFor(fill, box)), (_, value) =>
    typeof value === 'number' ? round(value) : value,
  );
  delete plain.stops;
  expect(plain).toEqual(expected);
}

const linear = (angle: number): Fill => ({ kind: 'linear', angle, stops });
const at = (x: number, y: number) => ({ x, y });
const LAST = { kind: 'solid', color: BLUE };

test('0° points up', () => check(linear(0), { kind: 'linear', from: at(100, 100), to: at(100, 0) }));
test('90° points right', () => check(linear(90), { kind: 'linear', from: at(0, 50), to: at(200, 50) }));
test('a slanted line ends level with the corners', () =>
  check(linear(135), { kind: 'linear', from: at(25, -25), to: at(175, 125) }));
test('a line without length is its last colour', () => check(linear(0), LAST, { ...BOX, height: 0 }));

const radial = (more: Partial<Extract<Fill, { kind: 'radial' }>> = {}): Fill => ({
  kind: 'radial',
  shape: 'ellipse',
  center: at(0.5, 0.5),
  radius: null,
  stops,
  ...more,
});
test('an ellipse passes through the farthest corner', () =>
  check(radial(), { kind: 'radial', transform: [141.421, 0, 0, 70.711, 100, 50] }));
test('a circle passes through the farthest corner', () =>
  check(radial({ shape: 'circle', center: at(0, 0.5) }), {
    kind: 'radial',
    transform: [206.155, 0, 0, 206.155, 0, 50],
  }));
test('a radius is a fraction of half the box', () =>
  check(radial({ radius: 0.5 }), { kind: 'radial', transform: [50, 0, 0, 25, 100, 50] }));
test('a circle takes half of the longer side', () =>
  check(radial({ radius: 1, shape: 'circle' }), { kind: 'radial', transform: [100, 0, 0, 100, 100, 50] }));
test('no radius is the last colour', () => check(radial({ radius: 0 }), LAST));
test('a conic keeps its angle', () =>
  check({ kind: 'conic', angle: 30, center: at(0.25, 1), stops }, { kind: 'conic', centre: at(50, 100), angle: 30 }));

function checkStops(given: [number, ReturnType<typeof rgb>][], expected: string[]): void {
  const brush = brushFor(
    { kind: 'linear', angle: 90, stops: given.map(([offset, color]) => ({ offset, color })) },
    BOX,
  );
  const shown =
    brush.kind === 'solid'
      ? []
      : brush.stops.map(({ offset, color: { r, g, b, a } }) => `${offset} ${r} ${g} ${b} ${a}`);
  expect(shown).toEqual(expected);
}

test('opaque stops stay as they are', () =>
  checkStops(
    [
      [0, RED],
      [0.4, BLUE],
    ],
    ['0 255 0 0 1', '0.4 0 0 255 1'],
  ));
test('a transparent end fades with the colour beside it', () =>
  checkStops(
    [
      [0, rgb(0, 0, 0, 0)],
      [1, RED],
    ],
    ['0 255 0 0 0', '1 255 0 0 1'],
  ));
test('a transparent middle fades with the colour on either side', () =>
  checkStops(
    [
      [0, RED],
      [0.5, rgb(0, 0, 0, 0)],
      [1, BLUE],
    ],
    ['0 255 0 0 1', '0.5 255 0 0 0', '0.5 0 0 255 0', '1 0 0 255 1'],
  ));
test('half-transparent colours mix by their weight', () => {
  const brush = brushFor(
    {
      kind: 'linear',
      angle: 90,
      stops: [
        { offset: 0, color: RED },
        { offset: 1, color: rgb(0, 0, 255, 0.5) },
      ],
    },
    BOX,
  );
  const middle = brush.kind === 'solid' ? undefined : brush.stops.find(({ offset }) => offset === 0.5);
  expect(middle?.color).toEqual(rgb(170, 0, 85, 0.75));
});

const inBox = (more: Partial<BoxGradient> = {}): Fill => ({
  ...{ kind: 'linear', angle: 90, stops },
  inBox: {
    stops: [
      { at: null, color: RED, hint: null },
      { at: { kind: 'px', value: 50 }, color: BLUE, hint: null },
    ],
    ...{ repeats: false, space: 'srgb', hue: 'shorter', corner: null, center: null, size: 'farthest-corner', ...more },
  },
});

function checkPlaced(fill: Fill, expected: string, box = BOX): void {
  const brush = brushFor(fill, box);
  const shown = brush.kind === 'solid' ? [{ offset: 0, color: brush.color }] : brush.stops;
  expect(shown.map(({ offset, color: { r, b } }) => `${round(offset)} ${r}/${b}`).join(', ')).toBe(expected);
}

test('stops in px are shares of the line', () => checkPlaced(inBox(), '0 255/0, 0.25 0/255'));
test('a gradient that repeats fills its line', () =>
  checkPlaced(inBox({ repeats: true }), '0 255/0, 0.5 0/255, 0.5 255/0, 1 0/255', { ...BOX, width: 100 }));
test('one that repeats too often to be seen is one colour', () =>
  checkPlaced(inBox({ repeats: true }), '0 128/128', { ...BOX, width: 500_000 }));
test('a line to a corner is at right angles to the other diagonal', () =>
  check(inBox({ corner: { x: 1, y: -1 } }), { kind: 'linear', from: at(60, 130), to: at(140, -30) }));
test('stops before the beginning count where it is', () => {
  const early = [
    { at: { kind: 'px', value: -50 }, color: RED, hint: null },
    { at: { kind: 'px', value: 50 }, color: BLUE, hint: null },
  ] as const;
  checkPlaced(inBox({ stops: early }), '0 128/128, 0.25 0/255');
});
