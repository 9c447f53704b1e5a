// Gradients and shadows that are drawn here, beside what the rasteriser makes of them: equal pixel for pixel.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTITY, intersection, type Rect } from '#core/geometry.ts';
import type { GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { rectPath, roundedRectPath } from '#core/paint/outline.ts';
import type { PathData } from '#core/path.ts';
import type { Resources } from '#core/resources.ts';
import { drawList } from '#output/raster/draw-list.ts';
import { rectGradient } from '#output/raster/retained/gradient.ts';
import { pixelRect } from '#output/raster/retained/pixel-rect.ts';
import { shadowDrawer } from '#output/raster/retained/shadow.ts';
import { Surface, words } from '#output/raster/retained/surface.ts';

const CANVAS: Rect = { x: 0, y: 0, width: 220, height: 160 };
// No letter and no picture is drawn.
const NOTHING = {} as Resources;

type Drawer = (op: PaintOp, area: Rect) => (() => Uint32Array) | null;

function gradientDrawer(op: PaintOp, area: Rect): ReturnType<Drawer> {
  const rect = op.kind === 'fill' ? pixelRect(op.path) : null;
  const seen = rect && intersection(rect, area);
  const gradient = op.kind === 'fill' && seen ? rectGradient(seen, op.brush, () => rect) : null;
  if (!gradient) return null;
  return () => {
    const surface = new Surface(area, new Uint32Array(area.width * area.height));
    gradient.draw(surface);
    return surface.pixels;
  };
}

async function check(drawerOf: Drawer, op: PaintOp): Promise<void> {
  const draw = drawerOf(op, CANVAS);
  const list = { width: CANVAS.width, height: CANVAS.height, ops: [op] };
  const theirs = words((await drawList({ list, images: new Map() }, NOTHING)).pixels);
  const ours = draw?.() ?? [];
  expect(theirs.filter((pixel, i) => pixel !== ours[i]).length).toBe(0);
}

const color = fc.record({
  r: fc.nat(255),
  g: fc.nat(255),
  b: fc.nat(255),
  a: fc.oneof(
    fc.constant(1),
    fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  ),
});
/** On whole percents, some of them at one place. */
const offsets = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 6 });
const stops = offsets.chain((percents) =>
  fc.tuple(
    ...percents.sort((a, b) => a - b).map((percent) => fc.record({ offset: fc.constant(percent / 100), color })),
  ),
);
const point = fc.record({
  x: fc.float({ min: -40, max: 300, noNaN: true }),
  y: fc.float({ min: -40, max: 200, noNaN: true }),
});
const rect = fc.record({
  x: fc.integer({ min: -9, max: 90 }),
  y: fc.integer({ min: -9, max: 70 }),
  width: fc.integer({ min: 10, max: 250 }),
  height: fc.integer({ min: 10, max: 180 }),
});

test('any linear gradient over a rectangle', { timeout: 60_000 }, async () => {
  const gradients = fc.asyncProperty(rect, point, point, stops, async (box, from, to, list) => {
    fc.pre(Math.hypot(to.x - from.x, to.y - from.y) > 1);
    const brush = { kind: 'linear', from, to, stops: list } as const;
    await check(gradientDrawer, { kind: 'fill', path: rectPath(box), rule: 'nonzero', brush });
  });
  await fc.assert(gradients, { numRuns: 150 });
});

const axis = fc.oneof(fc.float({ min: -300, max: 300, noNaN: true }), fc.float({ min: -3, max: 3, noNaN: true }));
const skew = fc.oneof(fc.constant(0), axis);

test('any radial gradient over a rectangle', { timeout: 60_000 }, async () => {
  const ellipse = fc.tuple(axis, skew, skew, axis, point);
  const gradients = fc.asyncProperty(rect, ellipse, stops, async (box, [a, b, c, d, { x, y }], list) => {
    fc.pre(Math.abs(a * d - b * c) > 0.01 && Math.hypot(a, c) > 0.01 && Math.hypot(b, d) > 0.01);
    const brush = { kind: 'radial', transform: [a, b, c, d, x, y], stops: list } as const;
    await check(gradientDrawer, { kind: 'fill', path: rectPath(box), rule: 'nonzero', brush });
  });
  await fc.assert(gradients, { numRuns: 150 });
});

test('any conic gradient over a rectangle', { timeout: 60_000 }, async () => {
  const angle = fc.oneof(fc.constantFrom(0, 45, 90), fc.float({ min: -360, max: 720, noNaN: true }));
  const gradients = fc.asyncProperty(rect, point, angle, stops, async (box, centre, turn, list) => {
    const brush = { kind: 'conic', centre, angle: turn, stops: list } as const;
    await check(gradientDrawer, { kind: 'fill', path: rectPath(box), rule: 'nonzero', brush });
  });
  await fc.assert(gradients, { numRuns: 60 });
});

const BLUE = { r: 20, g: 30, b: 200, a: 1 };
const round = (radius: number) => ({ topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius });

function shadow(path: PathData, sigma: number, shade = BLUE): GroupOp {
  const fill: PaintOp = { kind: 'fill', path, rule: 'nonzero', brush: { kind: 'solid', color: shade } };
  const filters = [{ kind: 'blur', sigma } as const];
  return {
    kind: 'group',
    transform: IDENTITY,
    opacity: 1,
    blend: 'normal',
    clip: null,
    filters,
    text: null,
    ops: [fill],
  };
}

test('any shadow of a box', { timeout: 60_000 }, async () => {
  const sigma = fc.float({ min: 2, max: 14, noNaN: true });
  const shadows = fc.asyncProperty(sigma, fc.nat(20), color, async (blur, radius, shade) => {
    const box = { x: 60.3, y: 50.25, width: 100.5, height: 55.8 };
    await check(shadowDrawer, shadow(roundedRectPath(box, round(radius)), blur, shade));
  });
  await fc.assert(shadows, { numRuns: 100 });
});

/** Whether it is drawn here. */
function checkDrawn(drawerOf: Drawer, op: PaintOp, expected: boolean): void {
  expect(drawerOf(op, CANVAS) !== null).toBe(expected);
}

const BOX = { x: 60, y: 50, width: 100, height: 56 };
test('a shadow of no more than two px', () => checkDrawn(shadowDrawer, shadow(rectPath(BOX), 1.99), false));
test('a shadow that the canvas cuts', () => checkDrawn(shadowDrawer, shadow(rectPath(BOX), 20), false));
test('a shadow with a curve that turns', () =>
  check(shadowDrawer, shadow([['M', 60, 50], ['C', 90, 90, 120, 90, 150, 50], ['Z']], 5)));
test('a shadow of what is clipped', () =>
  checkDrawn(shadowDrawer, { ...shadow(rectPath(BOX), 5), clip: { path: rectPath(BOX), rule: 'nonzero' } }, false));

const ramp = (...places: readonly number[]) => places.map((offset) => ({ offset, color: BLUE }));
const across = (path: PathData, list = ramp(0, 1)): PaintOp => ({
  kind: 'fill',
  path,
  rule: 'nonzero',
  brush: { kind: 'linear', from: { x: 0, y: 0 }, to: { x: 100, y: 0 }, stops: list },
});
test('a gradient over whole pixels', () => checkDrawn(gradientDrawer, across(rectPath(BOX)), true));
test('a gradient over parts of pixels', () => checkDrawn(gradientDrawer, across(rectPath({ ...BOX, x: 60.5 })), false));
test('a gradient in a round box', () => checkDrawn(gradientDrawer, across(roundedRectPath(BOX, round(9))), false));
test('a gradient of one stop', () => checkDrawn(gradientDrawer, across(rectPath(BOX), ramp(0)), false));
