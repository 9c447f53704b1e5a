// Tests on random templates that every overflow is reported and that nothing else is. The rendered ink decides.
//
// Each text is drawn alone twice: as it is, and with no canvas edge and no clip to cut it. Ink that only the second
// picture has must be reported with the name of the text or of a frame around it. If there is none, nothing may be
// reported.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { intersection, type Rect } from '#core/geometry.ts';
import type { LayoutBox, TextBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { lostContent } from '#core/lost-content.ts';
import { paint } from '#core/paint/paint.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { Scene } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { parseTemplate } from '#core/template/template.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { loadNeeds } from '../draw/html/pages.ts';
import { SEED } from '../sampled.ts';

const [WIDTH, HEIGHT] = [160, 120];
/** Space for ink around the canvas, px. */
const MARGIN = 400;
const CASES = Number(process.env.CASES ?? 50);
/**
 * How deep letters may be cut without a warning: SLACK px, or OF_SIZE of the font size if that is more. EDGE is the
 * accuracy of the pixels, px.
 */
const SLACK = 1;
const EDGE = 1;
const OF_SIZE = 0.02;
/** Above this share of a text's ink, a loss is visible to anyone, so a warning is allowed. */
const SPECK = 0.01;

const size = fc.oneof(fc.integer({ min: 10, max: 180 }), fc.constant('hug'), fc.constant('fill'));
const words = fc
  .array(fc.constantFrom('H', 'HH', 'HHHH', 'HHHHHHHHH'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(' '));
const at = fc.integer({ min: -10, max: 90 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const text = fc.record({
  type: fc.constant('text'),
  text: words,
  fontSize: fc.constantFrom(8, 10, 14, 28),
  width: size,
  height: size,
  x: at,
  y: at,
  maxLines: maybe(fc.integer({ min: 1, max: 3 })),
  overflow: maybe(fc.constantFrom('visible', 'clip', 'ellipsis')),
  autoFit: maybe(fc.record({ min: fc.constantFrom(6, 10) })),
  align: maybe(fc.constantFrom('left', 'center', 'right')),
  position: maybe(fc.constantFrom('absolute', 'flow')),
  textWrap: maybe(fc.constantFrom('wrap', 'balance')),
});
const layout = fc.record({
  direction: fc.constantFrom('row', 'column'),
  gap: fc.constantFrom(0, 8),
  wrap: fc.constantFrom('nowrap', 'wrap'),
});
const frame = (children: fc.Arbitrary<readonly object[]>) =>
  fc.record({
    type: fc.constant('frame'),
    width: size,
    height: size,
    x: at,
    y: at,
    clip: fc.boolean(),
    padding: fc.constantFrom(0, 6),
    layout: fc.option(layout),
    children,
  });
const inner = fc.array(text, { minLength: 0, maxLength: 3 });
const layers = fc.array(fc.oneof(text, frame(inner), frame(fc.array(fc.oneof(text, frame(inner)), { maxLength: 3 }))), {
  minLength: 1,
  maxLength: 3,
});

/** Removes undefined properties and gives each layer a unique name. */
function named(found: readonly object[]): object[] {
  let count = 0;
  const name = (layer: object): object => {
    count += 1;
    const own = `${(layer as { type: string }).type} ${count}`;
    const { children, ...rest } = JSON.parse(JSON.stringify(layer));
    if (rest.position === 'flow') delete rest.position;
    return { ...rest, name: own, ...(children ? { children: children.map(name) } : {}) };
  };
  return found.map(name);
}

/**
 * Puts the layers into a frame of the canvas's size at (`x`, `x`), so that they are laid out the same wherever it is.
 */
const sceneOf = (children: readonly object[], x: number): Scene =>
  resolve(
    parseTemplate({
      name: 'T',
      width: WIDTH + 2 * x,
      height: HEIGHT + 2 * x,
      background: '#fff',
      layers: [{ name: 'root', type: 'frame', x, y: x, width: WIDTH, height: HEIGHT, children }],
    }),
    {},
  );

interface Around {
  readonly box: TextBox;
  /** The names of the frames around it. */
  readonly frames: readonly string[];
  /** Where it is visible, canvas px; null = nowhere. */
  readonly area: Rect | null;
}

function textsIn(box: LayoutBox, frames: readonly string[], area: Rect | null): readonly Around[] {
  if (box.kind === 'text') {
    const own = box.node.overflow === 'clip' ? box.rect : null;
    return [{ box, frames, area: own && area ? intersection(own, area) : area }];
  }
  if (box.kind !== 'frame') return [];
  const inside = box.node.clip && area ? intersection(area, box.rect) : area;
  return box.children.flatMap((child) => textsIn(child, [...frames, box.node.name], inside));
}

/** Leaves only one text visible, and removes all clips if `isOpen`. */
function only(box: LayoutBox, name: string, isOpen: boolean): LayoutBox {
  if (box.kind === 'text') {
    const opacity = box.node.name === name ? 1 : 0;
    const overflow = isOpen ? 'visible' : box.node.overflow;
    return { ...box, node: { ...box.node, opacity, overflow } };
  }
  if (box.kind !== 'frame') return box;
  return {
    ...box,
    node: { ...box.node, clip: box.node.clip && !isOpen },
    children: box.children.map((child) => only(child, name, isOpen)),
  };
}

async function ink(scene: Scene, boxes: readonly LayoutBox[], resources: Resources) {
  const { pixels, width } = await rasterize(paint(scene, boxes, resources), resources, 1);
  return (x: number, y: number) => (255 - (pixels[(y * width + x) * 4] ?? 255)) / 255;
}

/**
 * The ink of a text that its picture lacks: its share of the whole, and how far outside the visible area it reaches,
 * px.
 */
async function lostInk(open: Scene, scene: Scene, resources: Resources, { box, area }: Around) {
  const { name } = box.node;
  const shown = await ink(
    scene,
    layOut(scene, resources).boxes.map((each) => only(each, name, false)),
    resources,
  );
  const whole = await ink(
    open,
    layOut(open, resources).boxes.map((each) => only(each, name, true)),
    resources,
  );
  let [all, lost, depth] = [0, 0, 0];
  for (let y = -MARGIN; y < HEIGHT + MARGIN; y += 1) {
    for (let x = -MARGIN; x < WIDTH + MARGIN; x += 1) {
      const there = whole(x + MARGIN, y + MARGIN);
      if (there === 0) continue;
      all += there;
      const here = x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT ? shown(x, y) : 0;
      if (there - here < 0.1) continue;
      lost += there - here;
      const beyond = area
        ? Math.max(area.x - x, x + 1 - area.x - area.width, area.y - y, y + 1 - area.y - area.height)
        : Number.POSITIVE_INFINITY;
      depth = Math.max(depth, beyond);
    }
  }
  return { share: all === 0 ? 0 : lost / all, depth };
}

/** Counts the letters that are drawn; an ellipsis is not one. */
const letters = (box: TextBox) =>
  box.paragraph.lines
    .flatMap(({ runs }) => runs.map(({ run }) => run.text))
    .join('')
    .replace(/[^H]/g, '').length;

test('what is lost is told of, and nothing else', async () => {
  let [told, kept] = [0, 0];
  await fc.assert(
    fc.asyncProperty(layers, async (found) => {
      const children = named(found);
      const scene = sceneOf(children, 0);
      const open = sceneOf(children, MARGIN);
      const { resources } = await loadNeeds(scene.needs);
      const { boxes } = layOut(scene, resources);
      const warnings = lostContent(scene, boxes, resources);
      const names = new Set(warnings.map(({ layer }) => layer));
      const canvas = { x: 0, y: 0, width: WIDTH, height: HEIGHT };
      const isLost = new Map<string, boolean>();
      for (const around of boxes.flatMap((box) => textsIn(box, [], canvas))) {
        const { box, frames } = around;
        const { node, rect, paragraph } = box;
        const source = node.spans
          .map((span) => span.text)
          .join('')
          .replace(/[^H]/g, '').length;
        const isCut = letters(box) < source;
        const fitted = paragraph.lines[0]?.runs[0]?.run.fontSize ?? 0;
        const isAtLeast = node.autoFitMin !== null && fitted <= node.autoFitMin + 0.01;
        const height = paragraph.lines.reduce((sum, line) => sum + line.box.height, 0);
        const width = Math.max(0, ...paragraph.lines.map((line) => line.box.width));
        const isTooLarge = isAtLeast && (height > rect.height + 1 || width > rect.width + 1);
        const { share, depth } = await lostInk(open, scene, resources, around);
        const isTold = [node.name, ...frames].some((name) => names.has(name));
        const must = isCut || isTooLarge || depth > Math.max(SLACK, OF_SIZE * fitted) + EDGE;
        const mayBe = must || share > SPECK || depth > SLACK || isAtLeast;
        isLost.set(node.name, mayBe);
        for (const name of frames) isLost.set(name, mayBe || isLost.get(name) === true);
        if (must) told += 1;
        if (!mayBe) kept += 1;
        if (must && !isTold)
          throw new Error(`"${node.name}" is silent: cut ${isCut}, ${share} of its ink, ${depth} px`);
        if (!mayBe && names.has(node.name))
          throw new Error(`"${node.name}" warns falsely: ${JSON.stringify(warnings)}`);
      }
      for (const name of names) {
        if (name !== null && isLost.get(name) !== true) {
          throw new Error(`"${name}" warns, and nothing of it is lost: ${JSON.stringify(warnings)}`);
        }
      }
    }),
    { numRuns: CASES, seed: SEED },
  );
  expect(told).toBeGreaterThan(CASES / 4);
  expect(kept).toBeGreaterThan(CASES / 4);
});
