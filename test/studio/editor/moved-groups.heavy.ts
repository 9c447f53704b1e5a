// Tests the canvas during a drag: SVG groups that are only translated look like the same groups written anew.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Picture } from '../../golden/picture.ts';
import { bareCanvas, compare, keep, shot } from './canvas-picture.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

type Layer = Readonly<Record<string, unknown>>;

/** Maximum mean difference, of 255. */
const MOST_MEAN = 0.5;
/**
 * Maximum share of pixels that differ by more than 48: edges are smoothed differently after a move by fractions of a
 * px.
 */
const MOST_OFF = 0.003;

let editor: OpenEditor;
beforeAll(async () => {
  if (!CHROMIUM) return;
  editor = await openEditor();
  await bareCanvas(editor);
}, 240_000);
afterAll(async () => {
  await editor?.[Symbol.asyncDispose]();
});

interface Patcher {
  pause: number;
  readonly moved: number;
  settle(): void;
}

/** Shows these layers. After that, moved groups are not written anew until `settle` is called. */
async function show(layers: readonly Layer[], height = 300): Promise<void> {
  await editor.page.evaluate(
    async (given, high) => {
      const { editor: state } = platenEditor;
      const { patcher } = document.querySelector('.canvas') as never as { patcher: Patcher };
      patcher.settle();
      patcher.pause = 1e9;
      const made = { name: 'moved', width: 400, height: high, background: '#f4f1ea', layers: given };
      state.replace(made);
      for (let i = 0; i < 500 && state.picture.value?.document !== state.document.value; i++) {
        state.composeNow();
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    layers as never,
    height,
  );
}

/** Applies the patches. @returns how many groups of the picture are translated */
const change = (patches: Readonly<Record<string, Layer>>): Promise<number> =>
  editor.page.evaluate(async (by) => {
    const { editor: state, edits } = platenEditor;
    const { patcher } = document.querySelector('.canvas') as never as { patcher: Patcher };
    state.edit(edits.setLayers(new Map(Object.entries(by))));
    for (let i = 0; i < 500 && state.picture.value?.document !== state.document.value; i++) {
      state.composeNow();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return patcher.moved;
  }, patches as never);

async function settled(): Promise<Picture> {
  await editor.page.evaluate(() =>
    (document.querySelector('.canvas') as never as { patcher: Patcher }).patcher.settle(),
  );
  return shot(editor);
}

/** Moves the layer in three steps, as a drag does, and compares the canvas with the same document written anew. */
async function check(
  layer: Layer,
  by: readonly [number, number],
  { others = [], above = ABOVE }: { others?: readonly Layer[]; above?: readonly Layer[] } = {},
): Promise<void> {
  const [left, top] = [90, 70];
  await show([...BELOW, { ...layer, name: 'moved', x: left, y: top }, ...above, ...others]);
  const before = await shot(editor);
  let moved = 0;
  for (const part of [0.25, 0.5, 1]) {
    const at = { x: left + by[0] * part, y: top + by[1] * part };
    moved = await change(Object.fromEntries(['moved', ...others.map(({ name }) => name)].map((name) => [name, at])));
  }
  expect(moved, 'groups that are moved').toBeGreaterThan(others.length);
  const shown = await shot(editor);
  const written = await settled();
  const { mean, share } = compare(shown, written);
  if (mean > MOST_MEAN || share > MOST_OFF) await keep(expect.getState().currentTestName ?? '', { shown, written });
  expect(mean).toBeLessThanOrEqual(MOST_MEAN);
  expect(share).toBeLessThanOrEqual(MOST_OFF);
  // The move did change the picture.
  expect(compare(before, shown).mean).toBeGreaterThan(0.02);
}

const GRADIENT = { angle: 30, stops: [{ color: '#d33' }, { color: '#33d' }] };
const BOX = { type: 'shape', width: 120, height: 90, fill: '#2a6', borderRadius: 14 };
const TEXT = {
  type: 'text',
  width: 200,
  text: 'Words that\nare dragged',
  fontSize: 24,
  fontWeight: 700,
  color: '#123',
};
/** The dragged layer lies between these, so that a wrong stacking order would show. */
const BELOW = [{ type: 'shape', name: 'below', x: 20, y: 60, width: 200, height: 60, fill: '#e9b44c' }];
const ABOVE = [
  { type: 'shape', name: 'above', x: 150, y: 30, width: 40, height: 220, fill: '#1b998b', opacity: 0.8 },
  { type: 'text', name: 'words', x: 20, y: 250, text: 'What stays', fontSize: 20 },
];
const WHOLE = [24, -16] as const;
const PARTS = [24.4, -15.3] as const;
const PICTURE = (color: string) =>
  `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90"><path fill="${color}" d="M0 0h120v90H0z"/><circle cx="40" cy="40" r="20" fill="#fff"/></svg>`)}`;

describe.skipIf(!CHROMIUM)('groups that are moved look like groups written anew', () => {
  test('many that follow each other are moved as one', async () => {
    const tiles = Array.from({ length: 40 }, (_, i) => ({
      ...(i % 3 === 0 ? { ...TEXT, text: `T${i}`, width: 40, fontSize: 12 } : { ...BOX, width: 24, height: 18 }),
      ...{ name: `tile ${i}`, x: 10 + (i % 10) * 34, y: 20 + Math.floor(i / 10) * 40 },
    }));
    const by = (dx: number, some = tiles) => Object.fromEntries(some.map(({ name, x, y }) => [name, { x: x + dx, y }]));
    const groups = () => editor.page.evaluate(() => document.querySelectorAll('.artboard > g > g').length);
    await show([...BELOW, ...tiles, ...ABOVE]);
    const [all, before] = [await groups(), await shot(editor)];
    await change(by(1));
    expect(await change(by(2))).toBe(40);
    expect(await groups()).toBe(all - 39);
    const shown = await shot(editor);
    expect(compare(before, shown).mean).toBeGreaterThan(0.02);
    expect(compare(shown, await settled()).mean).toBeLessThanOrEqual(MOST_MEAN);
    expect(await groups()).toBe(all);
    // What is changed by itself after that, while the others wait.
    await change(by(3));
    await change({ 'tile 4': { fill: '#d33' } });
    expect(compare(await shot(editor), await settled()).mean).toBe(0);
    expect(await groups()).toBe(all);
    // Only some of them.
    await change(by(5));
    await change(by(6, tiles.slice(0, 30)));
    expect(compare(await shot(editor), await settled()).mean).toBeLessThanOrEqual(MOST_MEAN);
    expect(await groups()).toBe(all);
  });

  test('a shape', () => check(BOX, WHOLE));
  test('a shape, by parts of a px', () => check(BOX, PARTS));
  test('a shadow', () => check({ ...BOX, shadow: { x: 4, y: 8, blur: 20, color: '#000a' } }, WHOLE));
  test('an inner shadow', () => check({ ...BOX, shadow: { y: 4, blur: 12, inset: true, color: '#000c' } }, WHOLE));
  test('a linear gradient', () => check({ ...BOX, fill: { type: 'linear', ...GRADIENT } }, PARTS));
  test('a radial gradient', () => check({ ...BOX, fill: { type: 'radial', stops: GRADIENT.stops } }, PARTS));
  test('a conic gradient', () => check({ ...BOX, fill: { type: 'conic', ...GRADIENT } }, WHOLE));
  test('a stroke', () => check({ ...BOX, stroke: '#000', strokeWidth: 3, strokeDash: [6, 3] }, PARTS));
  test('a text', () => check(TEXT, WHOLE));
  test('a text, by parts of a px', () => check(TEXT, PARTS));
  test('a text with a shadow', () => check({ ...TEXT, shadow: { y: 3, blur: 6, color: '#d33' } }, WHOLE));
  test('turned and half transparent', () => check({ ...BOX, rotation: 20, opacity: 0.6 }, PARTS));
  test('blurred', () => check({ ...BOX, blur: 4 }, WHOLE));
  test('a picture', () => check({ type: 'image', width: 120, height: 90, src: PICTURE('#c3d') }, PARTS));
  test('a mask', () =>
    check({ type: 'image', width: 120, height: 90, src: PICTURE('#c3d'), mask: { shape: 'ellipse' } }, PARTS));
  test('a frame that clips', () =>
    check(
      {
        type: 'frame',
        width: 140,
        height: 100,
        clip: true,
        borderRadius: 20,
        background: '#fff',
        shadow: { y: 6, blur: 14, color: '#0008' },
        children: [{ ...TEXT, name: 'in', x: 12, y: 12, width: 120 }],
      },
      WHOLE,
    ));
  test('more than a few at once', () =>
    check(BOX, WHOLE, {
      others: Array.from({ length: 7 }, (_, i) => ({ ...BOX, name: `also ${i}`, width: 40 + 8 * i, fill: '#0004' })),
    }));
  test('a layer in front that blends sees what is moved below it', () =>
    check(BOX, WHOLE, {
      above: [{ ...BOX, name: 'blends', x: 150, y: 30, height: 200, blendMode: 'multiply', fill: '#f80' }],
    }));

  test('another picture of the same size shows at once, alone and while its layer is moved', async () => {
    const image = { type: 'image', name: 'moved', x: 90, y: 70, width: 120, height: 90 };
    await show([{ ...image, src: PICTURE('#c00') }]);
    const colorAt = ({ pixels, width }: Picture, x: number, y: number) => [
      ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
    ];
    expect(colorAt(await shot(editor), 195, 145)).toEqual([204, 0, 0]);
    await change({ moved: { src: PICTURE('#00c') } });
    expect(colorAt(await shot(editor), 195, 145)).toEqual([0, 0, 204]);
    expect(await change({ moved: { x: 100 } })).toBe(1);
    await change({ moved: { src: PICTURE('#0c0'), x: 110 } });
    expect(colorAt(await shot(editor), 215, 145)).toEqual([0, 204, 0]);
  });

  test('what is out of sight is written when it comes into sight, and the many in sight at once', async () => {
    const row = { ...BOX, height: 8, x: 0 };
    const seen = Array.from({ length: 40 }, (_, i) => ({ ...row, name: `seen ${i}`, y: 10 * i }));
    const far = Array.from({ length: 30 }, (_, i) => ({ ...row, name: `far ${i}`, y: 5_000 + 10 * i }));
    await show([...seen, ...far], 6_000);
    const pan = (dy: number) =>
      editor.page.evaluate((by) => {
        const { viewport } = platenEditor;
        viewport.pan(0, by, null);
        return (document.querySelector('.canvas') as never as { patcher: Patcher }).patcher.moved;
      }, dy);
    const to = (x: number, names: readonly { readonly name: string }[]) =>
      change(Object.fromEntries(names.map(({ name }) => [name, { x }])));
    expect(await to(10, [...seen.slice(0, 2), ...far])).toBe(2 + far.length);
    expect(await to(20, [...seen, ...far])).toBe(far.length);
    expect(await editor.page.$$('.artboard g[transform]')).toHaveLength(0);
    expect(await pan(-10)).toBe(0);
    await pan(10);
  });
});
