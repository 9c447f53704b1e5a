// Tests the crop of a picture: its geometry, and in Chromium that drags, the wheel, keys, the slider and corners crop,
// each undone in one step, as the server then draws it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Point } from '#core/geometry.ts';
import { cropAt, panned, pictureRect, zoomedAbout } from '#studio/editor/core/geometry/crop-geometry.ts';
import { drawn, layerOf } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

const CROP = {
  box: { x: 100, y: 100, width: 200, height: 100 },
  picture: { width: 400, height: 400 },
  fit: 'cover',
} as const;
const CENTRE = { focus: { x: 0.5, y: 0.5 }, zoom: 1 };

test('a pan moves the picture as far as it covers the box', () => {
  expect(panned(CROP, CENTRE, { x: 30, y: 20 })).toEqual({ focus: { x: 0.5, y: 0.3 }, zoom: 1 });
  expect(panned(CROP, CENTRE, { x: 0, y: 500 })).toEqual({ focus: { x: 0.5, y: 0 }, zoom: 1 });
});

test('zooming keeps what is below the pointer', () => {
  const point = { x: 150, y: 130 };
  const next = zoomedAbout(CROP, CENTRE, 2.5, point);
  const at = (crop: typeof CENTRE) => {
    const { x, y, width, height } = pictureRect(CROP, crop);
    return [(point.x - x) / width, (point.y - y) / height];
  };
  for (const [i, share] of at(next).entries()) expect(share).toBeCloseTo(at(CENTRE)[i] ?? 0, 3);
  expect(zoomedAbout(CROP, CENTRE, 0.2, point).zoom).toBe(1);
  expect(zoomedAbout(CROP, CENTRE, 99, point).zoom).toBe(20);
  expect(cropAt(CROP, 1, { x: 100, y: 100 }, CENTRE.focus).focus.y).toBe(0);
});

describe.skipIf(CHROMIUM === null)('by hand', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor();
    await lab.page.evaluate(async () => {
      const canvas = new OffscreenCanvas(400, 400);
      const context = canvas.getContext('2d');
      for (const [i, color] of ['#c0392b', '#27ae60', '#2980b9', '#f1c40f'].entries()) {
        if (context) context.fillStyle = color;
        context?.fillRect((i % 2) * 200, i < 2 ? 0 : 200, 200, 200);
      }
      const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
      const src = `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}`;
      const { editor } = platenEditor;
      const photo = { type: 'image', name: 'photo', x: 200, y: 150, width: 300, height: 200, src };
      editor.replace({ name: 'Crop', width: 700, height: 500, background: '#ffffff', layers: [photo] });
      editor.select(['photo']);
    });
    await lab.page.waitForSelector('.artboard image');
  }, 240_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });

  const layer = async () => {
    const photo = await layerOf(lab.page, 'photo');
    return { focus: photo?.focus as Point | undefined, zoom: photo?.zoom };
  };
  const undo = async () => {
    await lab.page.keyboard.down('Control');
    await lab.page.keyboard.press('z');
    await lab.page.keyboard.up('Control');
    await drawn(lab.page);
  };

  test('the wheel zooms, a drag pans, a corner zooms; the slider and keys do the same', async () => {
    const { page } = lab;
    await page.evaluate(() => {
      platenEditor.editor.enter({ kind: 'crop', layer: 'photo' });
    });
    const surface = await page.waitForSelector('.crop-window');
    const { x = 0, y = 0, width = 0, height = 0 } = (await surface?.boundingBox()) ?? {};
    const centre = { x: x + width / 2, y: y + height / 2 };
    await page.mouse.move(centre.x, centre.y);
    await page.mouse.wheel({ deltaY: -300 });
    await drawn(lab.page);
    expect(await layer()).toEqual({ focus: { x: 0.5, y: 0.5 }, zoom: 1.822 });
    await page.mouse.down();
    await page.mouse.move(centre.x + 30, centre.y, { steps: 3 });
    await page.mouse.up();
    await drawn(lab.page);
    const panned = await layer();
    expect(panned.zoom).toBe(1.822);
    expect(panned.focus?.x).toBeLessThan(0.5);
    expect(panned.focus?.y).toBe(0.5);
    const corner = await (await page.waitForSelector('.crop-handle'))?.boundingBox();
    await page.mouse.move((corner?.x ?? 0) + 3, (corner?.y ?? 0) + 3);
    await page.mouse.down();
    await page.mouse.move((corner?.x ?? 0) - 60, (corner?.y ?? 0) - 60, { steps: 3 });
    await page.mouse.up();
    await drawn(lab.page);
    expect((await layer()).zoom).toBeGreaterThan(1.9);
    await undo();
    expect(await layer()).toEqual(panned);
    await page.focus('.canvas');
    await page.keyboard.press('ArrowDown');
    await drawn(lab.page);
    expect((await layer()).focus?.y).toBeLessThan(0.5);
    await page.focus('.crop-zoom input');
    await page.keyboard.press('Home');
    await drawn(lab.page);
    expect((await layer()).zoom).toBeUndefined();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.crop') === null);
    expect(lab.complaints).toEqual([]);
  });
});
