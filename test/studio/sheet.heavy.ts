// Edits the rows of a table's test data by keys alone, as the data grid of the ARIA Authoring Practices says, and takes
// as many rows as a table may have.

import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from './accessibility.ts';
import { drawn } from './editor/editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './editor/open-editor.ts';

/** `PICTURES=folder` keeps pictures there. */
const PICTURES = process.env.PICTURES;

const NAMES = ['item', 'pieces', 'unit', 'price', 'amount', 'kind'];
const TABLE = {
  ...{ type: 'table', name: 'lines', width: 500 },
  columns: ['fill', 40, 40, 60, { width: 60, align: 'end' }, 60],
  header: ['Item', 'Pieces', 'Unit', 'Price', 'Amount', 'Kind'],
  row: NAMES.map((name) => (name === 'amount' ? { name, format: 'number' } : { name })),
  rows: [
    { item: 'Hinge', pieces: 4, amount: 50 },
    { item: 'Board', pieces: 1, amount: 140 },
    { item: 'Nail', pieces: 9, amount: 2 },
  ],
};
const DOCUMENT = {
  ...{ name: 'Lines', lang: 'en', page: { size: 'A4', margin: '20mm' } },
  layers: [{ type: 'frame', name: 'body', flow: true, layout: { direction: 'column' }, children: [TABLE] }],
};

describe.skipIf(!CHROMIUM)('the sheet of a list', () => {
  let opened: OpenEditor;
  let page: Page;
  beforeAll(async () => {
    opened = await openEditor();
    opened.drafts.set('lines', { document: JSON.parse(JSON.stringify(DOCUMENT)), revision: 1, version: 1 });
    page = await opened.open('lines');
    await page.click('::-p-aria([name="Data"][role="tab"])');
    await page.waitForSelector('.rows-sheet');
  }, 240_000);
  afterAll(() => opened?.[Symbol.asyncDispose]());

  const look = async (name: string) => {
    if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `sheet-${name}.png`) as `${string}.png` });
  };
  const press = async (...keys: readonly string[]) => {
    for (const key of keys.slice(0, -1)) await page.keyboard.down(key as 'Control');
    await page.keyboard.press(keys.at(-1) as 'a');
    for (const key of keys.slice(0, -1).reverse()) await page.keyboard.up(key as 'Control');
  };
  const at = (cell: string) => page.waitForSelector(`[data-cell="${cell}"]:focus`, { timeout: 30_000 });
  const rows = () =>
    page.evaluate(() => platenEditor.editor.values.value.lines as readonly Record<string, unknown>[] | undefined);
  const paste = (text: string) =>
    page.evaluate((words) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', words);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
  const copy = (type: 'copy' | 'cut' = 'copy') =>
    page.evaluate((name) => {
      const clipboardData = new DataTransfer();
      document.activeElement?.dispatchEvent(
        new ClipboardEvent(name, { clipboardData, bubbles: true, cancelable: true }),
      );
      return clipboardData.getData('text/plain');
    }, type);

  test('is one stop of Tab, and names its rows, columns and cells', async () => {
    const said = await page.$eval('.rows-sheet', (sheet) => {
      const grid = sheet.querySelector('[role="grid"]');
      const cell = sheet.querySelector('[data-cell="1 4"]')?.closest('td');
      const stops = [...sheet.querySelectorAll<HTMLElement>('td input')].filter(({ tabIndex }) => tabIndex === 0);
      const read = (element: Element | null | undefined, ...names: readonly string[]) =>
        names.map((name) => element?.getAttribute(`aria-${name}`));
      return {
        grid: read(grid, 'label', 'rowcount', 'colcount', 'multiselectable'),
        row: read(cell?.parentElement, 'rowindex'),
        cell: read(cell, 'colindex', 'selected'),
        stops: stops.map((stop) => stop.dataset.cell),
      };
    });
    expect(said).toEqual({
      ...{ grid: ['lines', '4', '7', 'true'], row: ['3'] },
      ...{ cell: ['6', 'false'], stops: ['0 0'] },
    });
    // No row is named, nor can one be moved, before a cell is chosen.
    expect(await page.$eval('.rows-foot', (foot) => foot.textContent)).toMatch(/3 rows$/);
    await page.waitForSelector('::-p-aria([name="lines"][role="grid"])');
    await page.waitForSelector('::-p-aria([name="Amount, row 2"][role="textbox"])');
    await page.waitForSelector('::-p-aria([name="140"][role="gridcell"])');
    expect(await findings(page, { within: '.rows-sheet' })).toEqual([]);
  });

  test('is walked by arrows, Home, End and pages, and left by Tab', async () => {
    await page.focus('[data-cell="0 0"]');
    for (const [keys, cell] of [
      [['ArrowRight'], '0 1'],
      [['ArrowDown'], '1 1'],
      [['ArrowLeft'], '1 0'],
      [['ArrowLeft'], '1 0'],
      [['End'], '1 5'],
      [['Home'], '1 0'],
      [['Control', 'End'], '2 5'],
      [['ArrowDown'], '2 5'],
      [['Control', 'Home'], '0 0'],
      [['PageDown'], '2 0'],
      [['PageUp'], '0 0'],
    ] as const) {
      await press(...keys);
      await at(cell);
    }
    expect(await rows()).toBe(undefined);
    await press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/Add a row/);
    await press('Shift', 'Tab');
    await at('0 0');
    const outline = await page.$eval('[data-cell="0 0"]', (field) => getComputedStyle(field).outlineWidth);
    expect(outline).toBe('2px');
  });

  test('what is typed replaces a text, F2 and Enter edit it, and Escape takes it back', async () => {
    await page.keyboard.type('Bolt');
    await press('Tab');
    await at('0 1');
    expect((await rows())?.[0]).toEqual({ item: 'Bolt', pieces: 4, amount: 50 });
    await page.keyboard.type('12');
    await press('Enter');
    await at('1 1');
    expect((await rows())?.[0]?.pieces).toBe(12);
    await press('ArrowLeft');
    await press('F2');
    await look('edit');
    await press('ArrowLeft');
    await page.keyboard.type('x');
    expect((await rows())?.[1]?.item).toBe('Boarxd');
    await press('Escape');
    await at('1 0');
    expect((await rows())?.[1]?.item).toBe('Board');
    await press('Enter');
    await page.keyboard.type('s');
    await press('Shift', 'Tab');
    await at('0 5');
    expect((await rows())?.[1]?.item).toBe('Boards');
    await press('Control', 'z');
    await press('Control', 'z');
    expect((await rows())?.map(({ item, pieces }) => [item, pieces])).toEqual([
      ['Bolt', 4],
      ['Board', 1],
      ['Nail', 9],
    ]);
    await press('Control', 'Home');
    await press('Delete');
    expect((await rows())?.[0]?.item).toBe('');
    await press('Control', 'z');
    expect((await rows())?.[0]?.item).toBe('Bolt');
  });

  test('rows come and go', async () => {
    await press('Control', 'End');
    await press('Enter');
    await press('Enter');
    await at('3 0');
    await page.keyboard.type('Saw');
    await press('Control', 'Enter');
    await at('4 0');
    expect(await rows()).toHaveLength(5);
    await press('Control', 'Backspace');
    await at('3 0');
    expect((await rows())?.map(({ item }) => item)).toEqual(['Bolt', 'Board', 'Nail', 'Saw']);
    // What a filter of the editor would do with a letter or Delete on the canvas reaches no layer.
    expect(await page.evaluate(() => platenEditor.editor.layer('lines')?.type)).toBe('table');
  });

  test('blocks are copied, cut and pasted as spreadsheets do, and undone at once', async () => {
    await press('Control', 'Home');
    await press('Shift', 'ArrowDown');
    await press('Shift', 'ArrowRight');
    await at('1 1');
    await look('block');
    expect(await page.$$eval('.rows-sheet [aria-selected="true"]', ({ length }) => length)).toBe(4);
    expect(await copy()).toBe('Bolt\t4\nBoard\t1');
    const before = await rows();
    expect(await copy('cut')).toBe('Bolt\t4\nBoard\t1');
    expect((await rows())?.[1]).toEqual({ item: '', pieces: '', amount: 140 });
    await press('Control', 'z');
    expect(await rows()).toEqual(before);

    await press('Control', 'End');
    await press('Home');
    await paste('=1+1\t-5\n"two\nlines"\t7\n');
    await at('3 0');
    expect(await rows()).toHaveLength(5);
    await press('Shift', 'ArrowDown');
    await press('Shift', 'ArrowRight');
    const text = await copy();
    expect(text).toBe(`'=1+1\t-5\n"two\nlines"\t7`);
    await press('Control', 'z');
    expect(await rows()).toEqual(before);
    // What was copied is read back as it was.
    await press('Home');
    await paste(text);
    expect((await rows())?.slice(3).map(({ item, pieces }) => [item, `${pieces}`])).toEqual([
      ['=1+1', '-5'],
      ['two\nlines', '7'],
    ]);
    await press('Control', 'a');
    await at('4 5');
    expect((await copy()).split('\n').length).toBeGreaterThanOrEqual(5);
    await press('Escape');
    expect(await page.$$eval('.rows-sheet [aria-selected="true"]', ({ length }) => length)).toBe(1);
  });

  test('a second press sets the caret, a drag selects a block', async () => {
    const middle = async (cell: string) => {
      const box = await (await page.$(`[data-cell="${cell}"]`))?.boundingBox();
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    await press('Control', 'Home');
    await press('ArrowDown');
    await at('1 0');
    const [from, to] = [await middle('0 0'), await middle('2 1')];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await page.mouse.up();
    expect(await page.$$eval('.rows-sheet [aria-selected="true"]', ({ length }) => length)).toBe(6);
    await page.mouse.click(from.x, from.y);
    await at('0 0');
    await page.mouse.click(from.x, from.y);
    await page.waitForSelector('.rows-sheet .is-editing');
    await press('End');
    await page.keyboard.type('s');
    expect((await rows())?.[0]?.item).toBe('Bolts');
    await press('Escape');
    await look('end');
  });

  test('takes 50,000 rows of six values, and no more', async () => {
    const csv = (count: number) =>
      [NAMES.join(','), ...Array.from({ length: count }, (_, i) => `Part ${i + 1},${i},pc,1.5,${i * 1.5},K`)].join(
        '\n',
      );
    const drop = (text: string) =>
      page.evaluate((words) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([words], 'lines.csv', { type: 'text/csv' }));
        const begun = performance.now();
        document
          .querySelector('.rows-sheet')
          ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        return begun;
      }, text);
    const begun = await drop(csv(50_000));
    await page.waitForSelector('::-p-xpath(//*[contains(@class, "rows-foot")]//*[contains(., "of 50000")])', {
      timeout: 60_000,
    });
    const seen = (await page.evaluate(() => performance.now())) - begun;
    await page.waitForFunction(() => (platenEditor.editor.picture.value?.pages.length ?? 0) > 10, { timeout: 60_000 });
    const laidOut = (await page.evaluate(() => performance.now())) - begun;
    console.log(
      `50,000 rows: in the sheet after ${Math.round(seen)} ms, on the canvas after ${Math.round(laidOut)} ms`,
    );
    expect(await page.evaluate(() => platenEditor.editor.problem.value)).toBe(null);
    await page.waitForSelector('::-p-text(the canvas shows the first 500 of 50,000 rows)');
    await look('many');
    await page.focus('[data-cell="0 0"]');
    await press('Control', 'End');
    await at('49999 5');
    expect(await page.$$eval('.rows-sheet td input', ({ length }) => length)).toBeLessThan(200);
    const typed = performance.now();
    await page.keyboard.type('x');
    console.log(`a letter: ${Math.round(performance.now() - typed)} ms`);
    const list = await rows();
    expect([list?.length, list?.[0]?.item, list?.[49_999]]).toEqual([
      50_000,
      'Part 1',
      { item: 'Part 50000', pieces: '49999', unit: 'pc', price: '1.5', amount: '74998.5', kind: 'x' },
    ]);
    await look('last');
    // The cell keeps the keys while its row is out of sight.
    await page.$eval('.rows-box', (box) => {
      box.scrollTop = 0;
    });
    await page.waitForSelector('[data-cell="0 0"]');
    await press('ArrowUp');
    await at('49998 5');
    await drop(csv(50_001));
    await page.waitForSelector('::-p-text(There are 50,001 rows, and a table shows at most 50,000.)');
    expect((await rows())?.length).toBe(50_000);
    await paste('a\tb\nc\td');
    expect((await rows())?.length).toBe(50_000);
    await drawn(page);
    expect(opened.complaints).toEqual([]);
  }, 300_000);
});
