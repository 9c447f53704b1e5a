// Tests in Chromium, by mouse and keys: pins that keep sides when the canvas or a frame is resized, and an SVG that is
// pasted as layers.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Point } from '#core/geometry.ts';
import { drawn, layerOf, selectLayers, viewPoint } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

const RECT = { type: 'shape', shape: 'rect', width: 50, height: 50, fill: '#336699' };
const DOCUMENT = {
  name: 'Pins',
  width: 600,
  height: 400,
  background: '#ffffff',
  layers: [
    { ...RECT, name: 'logo', x: 520, y: 30 },
    {
      ...{ type: 'frame', name: 'card', x: 50, y: 100, width: 300, height: 200, background: '#eeeeee' },
      children: [{ ...RECT, name: 'badge', x: 230, y: 20 }],
    },
  ],
};

describe.skipIf(CHROMIUM === null)('pins and pasted drawings', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor();
  }, 240_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await lab.page.evaluate((document) => {
      platenEditor.editor.replace(document);
    }, DOCUMENT);
    await drawn(lab.page);
  });

  const layer = (name: string) => layerOf(lab.page, name);
  const select = async (...names: string[]) => {
    await selectLayers(lab.page, names);
    await drawn(lab.page);
  };
  const press = async (name: string) =>
    (await lab.page.waitForSelector(`::-p-aria([name="${name}"])`, { visible: true }))?.click();
  const type = async (label: string, text: string) => {
    const field = await lab.page.waitForSelector(`.inspector ::-p-aria([name="${label}"])`, { visible: true });
    await field?.click();
    await field?.type(text);
    await lab.page.keyboard.press('Enter');
    await drawn(lab.page);
  };
  /** Drags the handle beyond a bottom right corner to where the corner is to be. */
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    const [start, end] = (
      await Promise.all([viewPoint(lab.page, from.x, from.y), viewPoint(lab.page, to.x, to.y)])
    ).map(({ x, y }) => ({
      x: x + 4,
      y: y + 4,
    })) as [Point, Point];
    await lab.page.mouse.move(start.x, start.y);
    await lab.page.mouse.down();
    // Ctrl turns snapping off.
    await lab.page.keyboard.down('Control');
    await lab.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
    await lab.page.mouse.move(end.x, end.y);
    await lab.page.mouse.up();
    await lab.page.keyboard.up('Control');
    await drawn(lab.page);
  };

  test('a layer that is pinned right and scaled follows the canvas, in one step that undo takes back', async () => {
    await select('logo');
    await press('Keep the distance to the left');
    await press('Keep the distance to the right');
    expect(await layer('logo')).toMatchObject({ constraints: { horizontal: 'right', vertical: 'top' } });
    await (await lab.page.$('::-p-aria([name="Vertical constraint"])'))?.select('scale');
    if (process.env.PICTURES) await lab.page.screenshot({ path: `${process.env.PICTURES}/pins.png` });
    await select();
    await type('Width', '1000');
    await type('Height', '800');
    expect(await layer('logo')).toMatchObject({ x: 920, width: 50, y: 60, height: 100 });
    // The other layer has no constraints.
    expect(await layer('card')).toMatchObject({ x: 50, y: 100, width: 300, height: 200 });
    await lab.page.evaluate(() => platenEditor.editor.undo());
    expect(await layer('logo')).toMatchObject({ x: 920, y: 30, height: 50 });
  });

  test('what lies in a frame follows its side while the frame is dragged larger, at no step by a rounded one', async () => {
    await select('badge');
    await press('Keep the distance to the right');
    await press('Keep the distance to the bottom');
    expect(await layer('badge')).toMatchObject({ constraints: { horizontal: 'left-right', vertical: 'top-bottom' } });
    await select('card');
    await drag({ x: 350, y: 300 }, { x: 450, y: 360 });
    expect(await layer('card')).toMatchObject({ width: 400, height: 260 });
    expect(await layer('badge')).toMatchObject({ x: 230, y: 20, width: 150, height: 110 });
    await drag({ x: 450, y: 360 }, { x: 350, y: 300 });
    expect(await layer('badge')).toMatchObject({ x: 230, y: 20, width: 50, height: 50 });
  });

  test('a pasted SVG becomes layers in a frame, and what is lost is told', async () => {
    await lab.page.evaluate(() => {
      const data = new DataTransfer();
      const svg =
        '<svg width="200" height="100" xmlns="http://www.w3.org/2000/svg"><rect id="Back" width="200" height="100" rx="8" fill="#d1401b"/><text id="Title" x="20" y="50" fill="white" font-family="Inter" font-size="24">Hi</text><foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">Lost</p></foreignObject></svg>';
      data.setData('text/plain', svg);
      document
        .querySelector('.canvas')
        ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await lab.page.waitForSelector('[data-layer="Title"]');
    await drawn(lab.page);
    expect(await layer('drawing')).toMatchObject({
      ...{ type: 'frame', x: 200, y: 150, width: 200, height: 100 },
      children: [
        { type: 'shape', name: 'Back', borderRadius: 8 },
        { type: 'text', name: 'Title', text: 'Hi', fontFamily: 'Inter', color: '#ffffff' },
      ],
    });
    await lab.page.waitForFunction(() => document.body.innerText.includes('<foreignObject> has no counterpart'));
    if (process.env.PICTURES) await lab.page.screenshot({ path: `${process.env.PICTURES}/pasted-svg.png` });
    expect(lab.complaints).toEqual([]);
  });
});
