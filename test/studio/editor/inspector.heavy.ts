// Tests the inspector with real keys and clicks: each control has a visible name, and nothing that is typed is refused
// in silence.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../accessibility.ts';
import { inCodeEditor } from '../code-editor.ts';
import { layerOf } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

let editor: OpenEditor;
let page: Page;
beforeAll(async () => {
  if (!CHROMIUM) return;
  editor = await openEditor();
  page = editor.page;
}, 240_000);
afterAll(async () => {
  await editor?.[Symbol.asyncDispose]();
});

const place = { x: 10, y: 10, width: 200, height: 100 };
const LAYERS = [
  { name: 'words', type: 'text', text: 'One\nTwo\nThree', ...place },
  { name: 'other', type: 'text', text: 'Other', ...place },
  { name: 'photo', type: 'image', src: 'img_none', ...place },
  { name: 'empty', type: 'image', src: '', ...place },
  { name: 'star', type: 'shape', shape: 'star', fill: '#d1401b', ...place },
  { name: 'corners', type: 'shape', shape: 'polygon', fill: '#d1401b', ...place },
  {
    ...{ name: 'row', type: 'frame', layout: { direction: 'row', gap: 10 }, padding: 20, ...place, width: 400 },
    children: ['first', 'second'].map((name) => ({ name, type: 'shape', shape: 'rect', width: 60, height: 30 })),
  },
  { name: 'code', type: 'qr', value: 'https://example.com/a/long/address/that/wraps', ...place },
  { name: 'bars', type: 'barcode', value: '123456', format: 'code128', ...place },
];

/** Shows the layers above with this one selected. */
async function select(name: string, isFresh = true): Promise<void> {
  await page.evaluate(
    (layers, one, isFresh) => {
      const { editor } = platenEditor;
      if (isFresh) editor.replace({ name: 'Inspector', width: 800, height: 600, layers });
      editor.select([one]);
    },
    LAYERS,
    name,
    isFresh,
  );
  await page.waitForFunction(
    (one) => (document.querySelector('.inspector-name') as HTMLInputElement | null)?.value === one,
    {},
    name,
  );
}
const layer = (name: string) => layerOf(page, name);

/** Replaces what a field has, as a person does, and leaves it by Enter. */
async function type(label: string, text: string): Promise<void> {
  const field = await page.waitForSelector(`.inspector ::-p-aria([name="${label}"])`);
  await field?.click({ count: 3 });
  await field?.press('Backspace');
  await field?.type(text);
  await field?.press('Enter');
}
const alerts = () => page.$$eval('.inspector [role="alert"]', (all) => all.map((one) => one.textContent ?? ''));

describe.skipIf(!CHROMIUM)('the inspector', () => {
  for (const name of ['words', 'photo', 'star', 'row', 'code', 'bars']) {
    test(`${name}: each control, also those in More, has a name that can be seen`, async () => {
      await select(name);
      await page.$$eval('.inspector details', (all) => {
        for (const one of all) one.open = true;
      });
      const nameless = await page.$$eval('.panel-section [data-property]', (controls) =>
        controls
          .filter((control) => !control.parentElement?.closest('[data-property]'))
          .filter((control) => {
            const seen = control.cloneNode(true) as Element;
            for (const part of seen.querySelectorAll('option, .unit-select, .number-unit')) part.remove();
            // The words of a text and its weight (“Bold 700”) are what they are by what they show.
            if (['text', 'fontWeight'].includes(control.getAttribute('data-property') ?? '')) return false;
            return (seen.textContent ?? '').trim() === '' && !control.querySelector('svg, .edge-mark');
          })
          .map((control) => control.getAttribute('data-property')),
      );
      expect(nameless).toEqual([]);
    });
  }

  test('the alignments stand in the order of the page: left, center, right, justify', async () => {
    await select('words');
    const names = await page.$$eval('[data-property="align"] [type="radio"]', (all) => all.map((one) => one.ariaLabel));
    expect(names.slice(0, 4)).toEqual(['Align: Left', 'Align: Center', 'Align: Right', 'Align: Justify']);
    const shapes = await page.$$eval('[data-property="align"] svg', (all) => all.map((one) => one.innerHTML));
    expect(new Set(shapes).size).toBe(6);
  });

  test('the points of a star and the corners of a polygon are fields, in rows that say it once', async () => {
    await select('star');
    await page.$$eval('.inspector details', (all) => {
      for (const one of all) one.open = true;
    });
    await type('Points', '8');
    expect(await layer('star')).toMatchObject({ points: 8 });
    const rows = ['points', 'innerRadius', 'strokeWidth'].map((name) => `.inspector [data-property="${name}"]`);
    const said = await Promise.all(rows.map((row) => page.$eval(row, (one) => (one as HTMLElement).innerText.trim())));
    expect(said.map((words) => words.replace(/\s*%$/, ''))).toEqual(['Points', 'Inner radius', 'Stroke width']);
    await select('corners', false);
    await page.$$eval('.inspector details', (all) => {
      for (const one of all) one.open = true;
    });
    await type('Points', '4');
    await (await page.waitForSelector('::-p-xpath(//button[normalize-space(.)="Own points"])'))?.click();
    expect(await layer('corners')).toMatchObject({
      points: [
        [100, 0],
        [200, 50],
        [100, 100],
        [0, 50],
      ],
    });
    await type('Point 1, X', '120');
    expect(await layer('corners')).toMatchObject({
      points: [
        [120, 0],
        [200, 50],
        [100, 100],
        [0, 50],
      ],
    });
  });

  test('the source of a picture shows it as soon as it has one', async () => {
    await select('empty');
    expect(await page.$('.image-thumb img')).toBe(null);
    await page.evaluate(() => {
      const canvas = document.createElement('canvas');
      const { editor, edits } = platenEditor;
      editor.edit(edits.setLayer('empty', { src: canvas.toDataURL('image/png') }));
    });
    await page.waitForSelector('.image-thumb img');
  });

  test('X and Y of a layer that a layout places say where it is', async () => {
    await select('second');
    const shown = (axis: string) =>
      page.$eval(`[data-property="${axis}"] input`, (field) => {
        const { value, disabled } = field as HTMLInputElement;
        return [value, disabled];
      });
    // After the padding, the first child and the gap.
    expect([await shown('x'), await shown('y')]).toEqual([
      ['90', true],
      ['20', true],
    ]);
    await select('star', false);
    expect(await shown('x')).toEqual(['10', false]);
  });

  test('three lines can be seen of words and of a code’s value', async () => {
    for (const name of ['words', 'code']) {
      await select(name);
      const field = await page.waitForSelector('.inspector-body textarea');
      expect(await field?.evaluate((one) => one.clientHeight)).toBeGreaterThanOrEqual(3 * 17);
    }
  });

  test('a name that another layer has is refused by a sentence', async () => {
    await select('words');
    await type('Name of the layer, which is its parameter', 'other');
    expect(await alerts()).toEqual(['Another layer is called “other”: choose another name.']);
    expect(await layer('words')).not.toBe(null);
  });

  test('what is not a color or not a number stays in its field, with a sentence', async () => {
    await select('words');
    await type('Color, as CSS', 'bleu');
    expect(await alerts()).toEqual(['Not a color. Try #d1401b, rgb(209 64 27) or a name.']);
    await type('Color, as CSS', '00f');
    expect(await alerts()).toEqual([]);
    expect(await layer('words')).toMatchObject({ color: '#00f' });

    await type('X', 'ten');
    expect(await alerts()).toEqual(['Not a number. Try 24 or 120/2+8.']);
    expect(await layer('words')).toMatchObject({ x: 10 });
    // It is not kept for another layer.
    await select('star', false);
    expect(await alerts()).toEqual([]);
  });

  test('two numbers in one field are the sides, as in CSS', async () => {
    await select('row');
    await type('Padding', '18 32');
    expect(await layer('row')).toMatchObject({ padding: [18, 32, 18, 32] });
  });

  test('text in the JSON tab that is no template is kept, and says why, until it is discarded', async () => {
    await select('words');
    const tab = (name: string) => page.waitForSelector(`::-p-xpath(//*[@role="tab"][starts-with(., "${name}")])`);
    await (await tab('JSON'))?.click();
    const code = await inCodeEditor(page, '.cm-content');
    await code.click();
    await page.keyboard.down('Control');
    await page.keyboard.press('Home');
    await page.keyboard.up('Control');
    await page.keyboard.type('oops ');
    await page.waitForSelector('.json-problem');
    await (await tab('Design'))?.click();
    expect(await (await tab('JSON (not applied)'))?.evaluate((one) => one.textContent)).toBe('JSON (not applied)');
    await (await tab('JSON'))?.click();
    await page.waitForFunction(() =>
      document.querySelector('.json-host')?.shadowRoot?.querySelector('.cm-content')?.textContent?.includes('oops'),
    );
    expect(await page.$eval('.json-problem p', (one) => one.textContent)).toMatch(/^Not applied\. Line \d+:/);
    await (await page.waitForSelector('::-p-xpath(//button[normalize-space(.)="Discard"])'))?.click();
    await page.waitForFunction(() => !document.querySelector('.json-problem'));
    expect(await (await tab('JSON'))?.evaluate((one) => one.textContent)).toBe('JSON');
    await (await tab('Design'))?.click();
  });

  test('the help of a completion is whole inside the panel', async () => {
    const tab = (name: string) => page.waitForSelector(`::-p-xpath(//*[@role="tab"][starts-with(., "${name}")])`);
    await (await tab('JSON'))?.click();
    await (await inCodeEditor(page, '.cm-content')).click();
    await page.keyboard.down('Control');
    await page.keyboard.press('End');
    await page.keyboard.up('Control');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type(',\n"pa');
    // The list may have opened by itself, and closes when it is asked for at that moment: then once more.
    let help: Awaited<ReturnType<typeof inCodeEditor>> | null = null;
    for (let tries = 0; help === null && tries < 5; tries++) {
      await page.keyboard.down('Control');
      await page.keyboard.press('Space');
      await page.keyboard.up('Control');
      help = await inCodeEditor(page, '.cm-completionInfo', 5_000).catch(() => null);
    }
    expect(help).not.toBeNull();
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    const at = await help?.evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect);
    const panel = await page.$eval('.inspector', (one) => one.getBoundingClientRect().toJSON() as DOMRect);
    expect(at?.left).toBeGreaterThanOrEqual(panel.left);
    expect(at?.right).toBeLessThanOrEqual(panel.right);
    await page.keyboard.press('Escape');
    await (await page.waitForSelector('::-p-xpath(//button[normalize-space(.)="Discard"])'))?.click();
    await (await tab('Design'))?.click();
  });

  test('Enter ends the value of a code, where a line break is rare', async () => {
    await select('code');
    await type('Value', 'https://example.com/a');
    expect(await layer('code')).toMatchObject({ value: 'https://example.com/a' });
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('canvas');
  });

  test('an uploaded picture has the name of its file in Source, and its address while that is edited', async () => {
    await select('empty');
    await page.evaluate(() => {
      const { editor, edits } = platenEditor;
      editor.edit(edits.setLayer('empty', { src: 'img_map' }));
    });
    const source = '.inspector input[aria-label^="Source"]';
    const shows = (value: string) =>
      page.waitForFunction(
        (at, wanted) => document.querySelector<HTMLInputElement>(at)?.value === wanted,
        {},
        source,
        value,
      );
    await shows('map.svg');
    await page.focus(source);
    await shows('img_map');
    await page.keyboard.press('Enter');
    expect(await layer('empty')).toMatchObject({ src: 'img_map' });
  });

  test('sections that say nothing of a layer are not there: of frames outside of one, of pages in a picture', async () => {
    const titles = () => page.$$eval('.panel-section-title', (all) => all.map((one) => one.textContent?.trim()));
    await select('star');
    expect(await titles()).not.toContain('In its frame');
    expect(await titles()).not.toContain('Pages');
    await select('second');
    expect(await titles()).toContain('In its frame');
    await page.evaluate(() => {
      const { editor } = platenEditor;
      const { width: _w, height: _h, ...document } = editor.document.value;
      editor.replace({ ...document, page: { size: 'A4' } } as never);
      editor.select(['star']);
    });
    await page.waitForFunction(() => document.querySelector('.inspector')?.textContent?.includes('Pages'));
  });

  test('a chart that shows a table has fields for its columns, and none for values of its own', async () => {
    await page.evaluate(() => {
      const at = { x: 0, y: 0, width: 200, height: 100 };
      const row = [{ name: 'item' }, { name: 'amount' }];
      const table = {
        ...at,
        name: 'lines',
        type: 'table',
        columns: ['fill', 80],
        row,
        rows: [{ item: 'Tea', amount: '9' }],
      };
      const chart = { ...at, name: 'chart', type: 'chart', from: { table: 'lines', label: 'item', values: 'amount' } };
      platenEditor.editor.replace({ name: 'Chart', width: 800, height: 600, layers: [table, chart] } as never);
      platenEditor.editor.select(['chart']);
    });
    await page.waitForSelector('.inspector [data-property="from"] select');
    expect(await page.$('.inspector [data-property="data"]')).toBe(null);
    // Back to its own values, which are lines of text.
    await page.select('.inspector [data-property="from"] select', '');
    const values = await page.waitForSelector('.inspector [data-property="data"] textarea');
    await values?.click({ count: 3 });
    await values?.type('June, 7');
    expect(await layer('chart')).toMatchObject({ data: [{ label: 'June', value: 7 }] });
    await page.select('.inspector [data-property="from"] select', 'lines');
    await page.waitForFunction(() => document.querySelector('.inspector [data-property="data"]') === null);
    expect(await layer('chart')).toMatchObject({ from: { table: 'lines', label: 'item', values: 'amount' } });
    expect(await findings(page, { bothThemes: true, within: '.inspector' })).toEqual([]);
  });

  test('a text that is put on an arc can still be read', async () => {
    await select('words');
    await page.$$eval('.inspector details', (all) => {
      for (const one of all) one.open = true;
    });
    await (await page.waitForSelector('.inspector [data-property="textPath"] button'))?.click();
    expect(await layer('words')).toMatchObject({ textPath: { radius: 200 } });
  });

  test('languages are offered once there is a layer that can be translated', async () => {
    const replace = (layers: object[]) =>
      page.evaluate((all) => {
        platenEditor.editor.replace({ name: 'Languages', width: 800, height: 600, layers: all } as never);
        platenEditor.editor.select([]);
      }, layers);
    const choice = '.inspector select[aria-label="Add a language"]';
    await replace([]);
    await page.waitForFunction((of) => document.querySelector(of) === null, {}, choice);
    await replace([{ name: 'title', type: 'text', text: 'Hello' }]);
    await page.waitForSelector(choice);
    for (const tag of ['de', 'ar']) await page.select(choice, tag);
    await page.waitForSelector('::-p-xpath(//*[@class="removable"][contains(., "German")])');
    await page.waitForSelector('::-p-xpath(//*[@class="removable"][contains(., "Arabic")])');
  });

  test('Enter leaves the panel of a fill open; a gradient is turned on the canvas meanwhile, and Escape closes it', async () => {
    await select('star');
    const isOpen = () => page.$eval('.fill-panel', (panel) => panel.checkVisibility()).catch(() => false);
    const swatch = '.inspector [data-property="fill"] button.swatch';
    await page.click(swatch);
    const code = await page.waitForSelector('.popover .is-mono');
    await code?.click({ count: 3 });
    await page.keyboard.type('00ff00');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => platenEditor.editor.layer('star')?.fill === '#00ff00');
    expect(await isOpen()).toBe(true);
    await (await page.waitForSelector('.popover ::-p-xpath(.//*[@role="tab"][.="Linear"])'))?.click();
    await page.waitForSelector('.panel-handles circle');
    // The canvas has the frame that follows, too.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const ends = await page.$$eval('.panel-handles circle', (all) =>
      all.map((one) => one.getBoundingClientRect()).map(({ x, y, width }) => ({ x: x + width / 2, y: y + width / 2 })),
    );
    const [top, bottom] = ends as [(typeof ends)[0], (typeof ends)[0]];
    expect(await findings(page, { bothThemes: true })).toEqual([]);
    await page.mouse.move(bottom.x, bottom.y);
    await page.mouse.down();
    await page.mouse.move(top.x + (bottom.y - top.y), (top.y + bottom.y) / 2, { steps: 4 });
    await page.mouse.up();
    expect([await layer('star'), await isOpen()]).toMatchObject([{ fill: { type: 'linear', angle: 90 } }, true]);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.popover, .panel-handles') === null);
    expect(await page.evaluate(() => platenEditor.editor.selection.value)).toEqual(['star']);
    // A press elsewhere closes it too.
    await page.click(swatch);
    await page.waitForSelector('.fill-panel');
    await page.click('.inspector-name');
    await page.waitForFunction(() => document.querySelector('.popover') === null);
  });

  test('the dots of rounded corners are seen while the pointer is over the canvas', async () => {
    await page.evaluate(() => {
      const { editor } = platenEditor;
      const layers = [{ type: 'shape', name: 'card', width: 200, height: 200 }];
      editor.replace({ name: 'dots', width: 400, height: 300, layers } as never);
      editor.select(['card']);
    });
    const shown = (opacity: string) =>
      page.waitForFunction(
        (wanted) => {
          const dots = [...document.querySelectorAll('.radius-handle')];
          return dots.length === 4 && dots.every((dot) => getComputedStyle(dot).opacity === wanted);
        },
        {},
        opacity,
      );
    await page.mouse.move(640, 4);
    await shown('0');
    await page.hover('.canvas');
    await shown('1');
  });

  test('at 200 % nothing in the bar above the canvas covers anything else', async () => {
    await page.setViewport({ width: 720, height: 450 });
    const boxes = await page.$$eval('.top-bar :is(button, a, input, .saved)', (all) =>
      all.map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right]),
    );
    const covered = boxes.filter(([left = 0], i) => i > 0 && left < (boxes[i - 1]?.[1] ?? 0) - 0.5);
    await page.setViewport({ width: 1280, height: 800 });
    expect([boxes.length > 9, covered]).toEqual([true, []]);
  });

  test('no violation of the policy', () =>
    expect(editor.complaints.filter((one) => !/img_none/.test(one))).toEqual([]));
});
