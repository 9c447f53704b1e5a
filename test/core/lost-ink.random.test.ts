// Tests on random words in random clips that text that is cut is reported, and that other text is not. The pixels
// decide.
//
// Each text is drawn three times: as it is; on a larger canvas with nothing that cuts it; and replaced by a black area,
// which shows where the text may be visible. Texts that leave the larger canvas are skipped. Ink that only the second
// picture has must be reported if it is farther from that area than a letter may overhang.

import fc from 'fast-check';
import { expect, test } from 'vitest';
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

const [WIDTH, HEIGHT] = [120, 90];
/** Space around the canvas, px. */
const MARGIN = 90;
/** Pixels per px in each direction. */
const FINE = 2;
const CASES = Number(process.env.CASES ?? 50);
/** The accuracy of the pixels, px. */
const BLUR = 0.6;

/** Flat words, words with descenders, with marks above and below, and in other scripts. */
const WORDS = [
  'HHH',
  'nose',
  'gypsy',
  'Jog, (fj)',
  'ÅŽŸ',
  'ậḍ̣',
  'ﬀʃß',
  'пейзаж',
  'Ὥρα',
  'पूर्ति',
  'ชื่น้ำ',
  'مرحبًا',
  'שָׁלוֹם',
  'ok 🙂',
  'Qy\nHn',
];

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const angle = fc.constantFrom(0, 0, 0, 90, 30, -12);
const text = fc.record({
  text: fc.constantFrom(...WORDS),
  fontSize: fc.constantFrom(12, 12, 20, 33, 60),
  fontStyle: fc.constantFrom('normal', 'normal', 'italic'),
  fontWeight: fc.constantFrom(400, 700),
  lineHeight: fc.constantFrom(0.7, 1, 1.3),
  x: fc.integer({ min: -10, max: 60 }),
  y: fc.integer({ min: -10, max: 50 }),
  width: maybe(fc.integer({ min: 40, max: 120 })),
  overflow: maybe(fc.constantFrom('visible', 'clip')),
  rotation: angle,
  stroke: maybe(fc.constant('#000')),
  strokeWidth: fc.constantFrom(1, 5),
  textDecoration: maybe(fc.constantFrom('underline', 'overline')),
  writingMode: maybe(fc.constantFrom('vertical-rl')),
  textPath: maybe(fc.constantFrom({ type: 'arc', radius: 30 }, { type: 'arc', radius: 40, angle: 90 })),
});
const frame = fc.record({
  x: fc.integer({ min: -10, max: 30 }),
  y: fc.integer({ min: -10, max: 30 }),
  width: fc.integer({ min: 60, max: 130 }),
  height: fc.integer({ min: 40, max: 100 }),
  borderRadius: fc.constantFrom(0, 0, 12, 30),
  rotation: angle,
  clip: fc.constant(true),
});
const cases = fc.record({ text, frames: fc.array(frame, { maxLength: 2 }) });

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** @param margin px around a frame of the canvas's size, which holds everything */
function sceneOf({ text, frames }: Case, margin: number): Scene {
  let layer: object = { name: 'words', type: 'text', color: '#000', ...JSON.parse(JSON.stringify(text)) };
  for (const [i, each] of frames.entries()) layer = { name: `frame ${i}`, type: 'frame', ...each, children: [layer] };
  const root = { name: 'root', type: 'frame', x: margin, y: margin, width: WIDTH, height: HEIGHT, children: [layer] };
  const size = { width: WIDTH + 2 * margin, height: HEIGHT + 2 * margin };
  return resolve(parseTemplate({ name: 'T', ...size, background: '#fff', layers: [root] }), {});
}

function mapped(box: LayoutBox, isOpen: boolean, change: (box: TextBox) => LayoutBox): LayoutBox {
  if (box.kind === 'text') return change(box);
  if (box.kind !== 'frame') return box;
  const children = box.children.map((child) => mapped(child, isOpen, change));
  return { ...box, node: { ...box.node, clip: box.node.clip && !isOpen }, children };
}

const uncut = (box: TextBox): LayoutBox => ({ ...box, node: { ...box.node, overflow: 'visible' } });

/** Replaces a text by a black area wherever its letters may be visible. */
function asArea({ node, rect }: TextBox): LayoutBox {
  const [layer] = resolve(
    parseTemplate({
      name: 'T',
      width: 9,
      height: 9,
      layers: [{ name: 'area', type: 'shape', width: 9, height: 9, fill: '#000' }],
    }),
    {},
  ).nodes;
  if (layer?.type !== 'shape') throw new Error('no shape');
  const isCut = node.overflow === 'clip' && node.arc === null;
  return {
    kind: 'leaf',
    node: { ...layer, rotation: isCut ? node.rotation : 0 },
    rect: isCut ? rect : { x: -2000, y: -2000, width: 4000, height: 4000 },
  };
}

/** Returns the darkness of a pixel, 0..1; outside the picture it is 0 (white). */
async function ink(scene: Scene, boxes: readonly LayoutBox[], resources: Resources) {
  const { pixels, width, height } = await rasterize(paint(scene, boxes, resources), resources, FINE);
  const margin = (width - WIDTH * FINE) / 2;
  return (x: number, y: number) => {
    const [column, row] = [x + margin, y + margin];
    if (column < 0 || row < 0 || column >= width || row >= height) return 0;
    const at = (row * width + column) * 4;
    return 1 - Math.min(pixels[at] ?? 255, pixels[at + 1] ?? 255, pixels[at + 2] ?? 255) / 255;
  };
}

/**
 * The greatest distance of lost ink from the area where it may be visible, px: of dark pixels, and of pixels with any
 * ink. Returns null if the text leaves the larger canvas.
 */
async function lostDepths(found: Case, resources: Resources): Promise<{ dark: number; any: number } | null> {
  const scene = sceneOf(found, 0);
  const open = sceneOf(found, MARGIN);
  const uncutBoxes = layOut(open, resources).boxes.map((box) => mapped(box, true, uncut));
  if (lostContent(open, uncutBoxes, resources).length > 0) return null;
  const { boxes } = layOut(scene, resources);
  const shown = await ink(scene, boxes, resources);
  const area = await ink(
    scene,
    boxes.map((box) => mapped(box, false, asArea)),
    resources,
  );
  const whole = await ink(open, uncutBoxes, resources);
  const [right, bottom] = [(WIDTH + MARGIN) * FINE, (HEIGHT + MARGIN) * FINE];
  const seen: { x: number; y: number }[] = [];
  for (let y = 0; y < HEIGHT * FINE; y += 1) {
    for (let x = 0; x < WIDTH * FINE; x += 1) {
      if (area(x, y) < 0.5) continue;
      // The edge pixels of the area are enough to measure the distance.
      const isInner = [area(x - 1, y), area(x + 1, y), area(x, y - 1), area(x, y + 1)].every((each) => each >= 0.5);
      if (!isInner) seen.push({ x, y });
    }
  }
  const depths = { dark: 0, any: 0 };
  for (let y = -MARGIN * FINE; y < bottom; y += 1) {
    for (let x = -MARGIN * FINE; x < right; x += 1) {
      const lost = whole(x, y) - shown(x, y);
      if (lost < 0.02 || area(x, y) >= 0.5) continue;
      let nearest = Number.POSITIVE_INFINITY;
      for (const edge of seen) nearest = Math.min(nearest, (edge.x - x) ** 2 + (edge.y - y) ** 2);
      const depth = Math.sqrt(nearest) / FINE;
      if (lost > 0.5) depths.dark = Math.max(depths.dark, depth);
      depths.any = Math.max(depths.any, depth);
    }
  }
  return depths;
}

test('cut words are reported, and whole ones are not', async () => {
  let [cut, whole] = [0, 0];
  await fc.assert(
    fc.asyncProperty(cases, async (found) => {
      const scene = sceneOf(found, 0);
      const { resources } = await loadNeeds(scene.needs);
      const { boxes } = layOut(scene, resources);
      const warnings = lostContent(scene, boxes, resources);
      const slack = Math.max(1, found.text.fontSize * 0.02);
      const depths = await lostDepths(found, resources);
      if (!depths) return;
      const { dark, any } = depths;
      if (dark > slack + BLUR) {
        cut += 1;
        if (warnings.length === 0) throw new Error(`silent: ink ${dark} px outside`);
      }
      if (any < slack - BLUR) {
        whole += 1;
        if (warnings.length > 0) throw new Error(`false, ink ${any} px outside: ${JSON.stringify(warnings)}`);
      }
    }),
    { numRuns: CASES, seed: SEED },
  );
  expect(cut).toBeGreaterThan(CASES / 4);
  expect(whole).toBeGreaterThan(CASES / 10);
});
