// Makes an invoice of many pages in the studio as a newcomer does: with mouse and keys, without JSON, in few actions.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objects } from '../draw/output/pdf/page.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findings } from './accessibility.ts';
import { drawn, layerOf, viewPoint } from './editor/editor-page.ts';
import { accountOf, claim, openStudioLab, type StudioLab, type Watched } from './studio-lab.ts';

/** `PICTURES=folder` keeps a picture of each step there. */
const PICTURES = process.env.PICTURES;
const MOST_ACTIONS = 40;

let lab: StudioLab;
let page: Page;
let watched: Watched;
let actions = 0;
/** What is given to the page, which reads it later than it hears of it. */
let files: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  files = await temporaryFolder();
  lab = await openStudioLab();
  ({ page, watched } = await lab.open(1440, 900));
  await claim(page, lab.setUpLink);
}, 240_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  await files?.[Symbol.asyncDispose]();
});

async function look(step: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${step}.png`) as `${string}.png` });
}

async function click(selector: string, count = 1): Promise<void> {
  actions += 1;
  const found = await page.waitForSelector(selector, { visible: true, timeout: 30_000 });
  await found?.click({ count });
}
async function press(...keys: readonly string[]): Promise<void> {
  actions += 1;
  for (const key of keys.slice(0, -1)) await page.keyboard.down(key as 'Control');
  await page.keyboard.press(keys.at(-1) as 'a');
  for (const key of keys.slice(0, -1).reverse()) await page.keyboard.up(key as 'Control');
}
async function type(text: string): Promise<void> {
  actions += 1;
  await page.keyboard.type(text);
}
async function choose(selector: string, value: string): Promise<void> {
  actions += 1;
  await (await page.waitForSelector(selector))?.select(value);
}
async function clickAt(x: number, y: number, count = 1): Promise<void> {
  actions += 1;
  const point = await viewPoint(page, x, y);
  await page.mouse.click(point.x, point.y, { count });
}
/** Drops a file on the table. */
async function dropCsv(csv: string): Promise<void> {
  const { x, y } = await viewPoint(page, 300, 160);
  await page.evaluate(
    (text, clientX, clientY) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'lines.csv', { type: 'text/csv' }));
      const drop = { dataTransfer, bubbles: true, cancelable: true, clientX, clientY };
      document.querySelector('.canvas')?.dispatchEvent(new DragEvent('drop', drop));
    },
    csv,
    x,
    y,
  );
}
/** Runs in the page: the end of a column in the first row of a table, px of the document. */
function edgeOf(name: string, column: number): [x: number, y: number] {
  const { boxes = [] } = platenEditor.editor.picture.value ?? {};
  const row = boxes.find(({ name: of, box }) => of === name && 'columns' in box && box.columns);
  const columns = row && 'columns' in row.box ? row.box.columns : null;
  if (!row || !columns) throw new Error('no row');
  const before = columns.slice(0, column + 1).reduce((sum, width) => sum + width, 0);
  return [row.rect.x + before, row.rect.y + row.rect.height / 2];
}
const button = (name: string) => `::-p-aria([name="${name}"][role="button"])`;
const layerNow = (name: string) => layerOf(page, name);

const CSV = `item,quantity,amount
Hinge of stainless steel,4,50.00
Board of oak that is planed and oiled on both sides,1,140.00
Countersunk screws in a box of five hundred,3,1234.50`;

test('a newcomer makes an invoice of many pages without JSON', async () => {
  await page.goto(`${lab.server.url}/studio/a/${accountOf(page)}/templates`);
  await click(button('New template'));
  await click('::-p-aria([name="Blank"][role="tab"])');
  await click('::-p-text(A4 document)');
  await page.waitForSelector('.canvas', { timeout: 60_000 });
  await drawn(page);
  await look('1-empty');

  await press('t');
  await clickAt(300, 150);
  await type('Invoice 2026-118');
  await press('Escape');
  await click('.inspector [aria-label="Font size"]', 3);
  await type('32');
  await press('Enter');
  await drawn(page);
  await look('2-title');

  await press('g');
  await clickAt(300, 400);
  await drawn(page);
  await page.waitForSelector(button('Fill from CSV or JSON…'));
  await look('3-table');
  await click(button('Fill from CSV or JSON…'));
  await page.waitForSelector('dialog textarea');
  await page.focus('dialog textarea');
  await type(CSV);
  await look('4-rows');
  await click(button('Use 3 rows'));
  await drawn(page);
  expect((await layerNow('table'))?.rows).toHaveLength(3);

  // A word of the header, in place; Tab goes on to the next cell.
  await clickAt(120, 155, 2);
  await page.waitForSelector('.cell-editor');
  await look('5-cell');
  await type('Position');
  await press('Tab');
  await type('Pieces');
  await press('Escape'); // Keeps what the cell had.
  await drawn(page);
  const titled = await layerNow('table');
  expect(titled?.header).toEqual(['Position', 'Quantity', 'Amount']);

  // The line before the amounts, dragged to the left: the column before it gets narrower, and has its width in px.
  const from = await viewPoint(page, ...(await page.evaluate(edgeOf, 'table', 1)));
  actions += 1;
  await page.mouse.move(from.x, from.y);
  expect(await page.$eval('.canvas', (canvas) => (canvas as HTMLElement).style.cursor)).toBe('col-resize');
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  expect(((await layerNow('table'))?.columns as readonly unknown[] | undefined)?.[1]).toEqual({
    width: expect.any(Number),
    align: 'end',
  });

  await click('.column-name ::-p-text(Amount)');
  await choose('.column-fields [aria-label="Format"]', '3');
  await drawn(page);
  await look('6-currency');
  expect(await findings(page, { within: '.inspector' })).toEqual([]);
  expect(await layerNow('table')).toMatchObject({
    row: [{ name: 'item' }, { name: 'quantity' }, { name: 'amount', format: 'currency' }],
    footer: [
      { text: 'Total', columnSpan: 2 },
      { calculate: { sum: 'amount' }, format: 'currency' },
    ],
  });

  await press('t');
  await clickAt(300, 700);
  await type('Payable within 14 days');
  await press('Escape');
  await drawn(page);

  await click('::-p-aria([name="Data"][role="tab"])');
  await click(button('60 rows'));
  // Test data is not the document, so `drawn` does not wait for it.
  await page.waitForFunction(() => platenEditor.editor.picture.value?.pages.length === 3, { timeout: 30_000 });
  await look('7-sixty');
  expect(await page.evaluate(() => platenEditor.editor.problem.value)).toBe(null);
  await click(button('Turn off'));
  await press('Control', 'Shift', 'P');
  await click('dialog button[type="submit"]');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'), { timeout: 30_000 });
  await look('8-published');
  expect(actions).toBeLessThanOrEqual(MOST_ACTIONS);
  expect(watched.problems).toEqual([]);
}, 300_000);

test('a dropped CSV fills the table, columns come and go, and all of it is undone', async () => {
  const before = await layerNow('table');
  const rows = Array.from({ length: 500 }, (_, i) => `Part ${i + 1};${i};9.5`);
  const csv = ['item;quantity;amount', ...rows].join('\n');
  await dropCsv(csv);
  await page.waitForSelector('::-p-text(“table” has 500 rows now.)', { timeout: 30_000 });
  await drawn(page);
  expect(await layerNow('table')).toMatchObject({ row: before?.row, header: before?.header });
  expect((await layerNow('table'))?.rows).toHaveLength(500);

  await click('::-p-aria([name="Design"][role="tab"])');
  await click(button('Add a column'));
  await drawn(page);
  expect((await layerNow('table'))?.columns).toHaveLength(4);
  await click(button('Remove the column Column'));
  await drawn(page);
  expect(await layerNow('table')).toMatchObject({ row: before?.row, header: before?.header, footer: before?.footer });
  await clickAt(300, 1_040);
  for (let i = 0; i < 3; i += 1) await press('Control', 'z');
  await drawn(page);
  expect(await layerNow('table')).toEqual(before);
  expect(watched.problems).toEqual([]);
}, 120_000);

test('rows dropped while test data shows take the place of those of the table alone, and undo brings them back', async () => {
  const drop = async () => {
    await dropCsv('item,quantity\nNail,3\n');
    await page.waitForSelector('::-p-text(“table” has 1 row now.)', { timeout: 30_000 });
    await drawn(page);
  };
  const bar = () => page.$eval('.data-bar', (element) => element.textContent);
  const shown = () => page.evaluate(() => Object.keys(platenEditor.editor.values.value).sort());
  await click('::-p-aria([name="Data"][role="tab"])');
  await click(button('Longest words'));
  await drawn(page);
  const before = await shown();
  expect(before).toContain('table');

  await drop();
  expect(await shown()).toEqual(before.filter((name) => name !== 'table'));
  expect(await bar()).toMatch(/Longest words, changed/);
  await page.focus('.canvas');
  await press('Control', 'z');
  await drawn(page);
  expect(await shown()).toEqual(before);
  expect(await bar()).toMatch(/Longest words\./);
  await press('Control', 'Shift', 'z');
  await drawn(page);
  expect(await shown()).toEqual(before.filter((name) => name !== 'table'));

  // Saved as a set, which is renamed, deleted, and brought back.
  await click('[aria-label="Name of a set of values"]');
  await type('Short');
  await press('Enter');
  await click(button('Rename the set “Short”'));
  await type('One row');
  await press('Enter');
  expect(await bar()).toMatch(/One row\./);
  await click(button('Delete the set One row'));
  await page.waitForFunction(() => !document.querySelector('.set-row [aria-pressed]'));
  await click(button('Undo'));
  await page.waitForSelector('.set-row [aria-pressed="true"] ::-p-text(One row)');
  expect(watched.problems).toEqual([]);
}, 120_000);

test('rows are grouped with sub-totals, and sums go on from page to page, by mouse alone', async () => {
  const rows = Array.from({ length: 80 }, (_, i) => `Part ${i + 1};${i};1.009,50;${i < 45 ? 'Timber' : 'Ironware'}`);
  const csv = ['item;quantity;amount;kind', ...rows].join('\n');
  await dropCsv(csv);
  await page.waitForSelector('::-p-text(“table” has 80 rows now.)', { timeout: 30_000 });
  await click('::-p-aria([name="Design"][role="tab"])');
  await choose('.inspector [aria-label="Group by"]', 'kind');
  await click('::-p-text(A sub-total below each group)');
  await click('::-p-text(Each group begins a page)');
  await click('::-p-text(Carry the sum from page to page)');
  await drawn(page);
  const sum = { calculate: { sum: 'amount' }, format: 'currency' };
  expect(await layerNow('table')).toMatchObject({
    groupBy: 'kind',
    groupHeader: [{ name: 'kind', columnSpan: 3 }],
    groupFooter: [{ text: 'Sub-total', columnSpan: 2 }, sum],
    groupBreak: 'page',
    carryFooter: [{ text: 'Carried forward', columnSpan: 2 }, sum],
    carryHeader: [{ text: 'Brought forward', columnSpan: 2 }, sum],
  });
  expect(await page.evaluate(() => platenEditor.editor.problem.value)).toBe(null);
  expect(await findings(page, { within: '.inspector' })).toEqual([]);
  await look('9-groups');
  expect(watched.problems).toEqual([]);
}, 120_000);

test('a page is begun at a layer, and no longer, in the menu of a right click', async () => {
  const pages = () => page.evaluate(() => platenEditor.editor.picture.value?.pages.length);
  const before = await pages();
  const row = (name: string) => page.waitForSelector(`.layer-tree ::-p-text(${name})`);
  const toggle = async () => {
    await (await row('table'))?.click({ button: 'right' });
    await click('[role="menu"]:popover-open ::-p-text(Add or remove a page break before it)');
    await drawn(page);
  };
  // The frame that flows need not be entered first.
  await page.focus('.canvas');
  await press('Escape');
  await clickAt(300, 300);
  expect(await page.evaluate(() => platenEditor.editor.selection.value)).toEqual(['table']);

  const marks = () => page.$$eval('.page-breaks text', (labels) => labels.map(({ textContent }) => textContent));
  expect(await marks()).toEqual([]);
  await toggle();
  expect((await layerNow('table'))?.breakBefore).toBe('page');
  expect((await page.evaluate(edgeOf, 'table', 0))[1]).toBeGreaterThan(1_123);
  expect(await marks()).toEqual(['Page break']);
  await page.mouse.wheel({ deltaY: 700 });
  await look('10-page-break');
  await toggle();
  expect(await marks()).toEqual([]);
  expect((await layerNow('table'))?.breakBefore).toBe(undefined);
  expect(await pages()).toBe(before);
  expect(watched.problems).toEqual([]);
}, 120_000);

const NAMESPACES =
  'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"';
const xmlOf = (total: string) =>
  `<rsm:CrossIndustryInvoice ${NAMESPACES}><rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext><rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeSettlement><ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:GrandTotalAmount>${total}</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;

/** Two sheets with a bar at the top, as letter paper. */
function letterPaper(): string {
  const sheet = '<</Type /Page /Parent 2 0 R /MediaBox [0 0 595.28 841.89] /Resources <<>> /Contents 5 0 R>>';
  const bar = '0.8 0.2 0.1 rg 0 800 595.28 42 re f';
  const parts = [
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R 4 0 R] /Count 2>>',
    ...[sheet, sheet],
    `<</Length ${bar.length}>> stream\n${bar}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const places = parts.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj ${object} endobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${places.join('')}`;
  return `${file}${table}trailer <</Root 1 0 R /Size 6>>\nstartxref\n${file.length}\n%%EOF\n`;
}

async function give(selector: string, name: string, content: string): Promise<void> {
  actions += 1;
  const path = join(files.path, name);
  await writeFile(path, content);
  const input = (await page.waitForSelector(selector)) as ElementHandle<HTMLInputElement> | null;
  await input?.uploadFile(path);
}

test('columns multiply, taxes stand by rate, and the PDF conforms and carries the e-invoice, without JSON', async () => {
  await page.goto(`${lab.server.url}/studio/a/${accountOf(page)}/templates`);
  await click(button('New template'));
  await click('::-p-aria([name="Blank"][role="tab"])');
  await click('dialog ::-p-text(A4 document)');
  await page.waitForSelector('.canvas', { timeout: 60_000 });
  await drawn(page);
  await press('g');
  await clickAt(300, 400);
  await drawn(page);
  await click(button('Fill from CSV or JSON…'));
  await page.waitForSelector('dialog textarea');
  await page.focus('dialog textarea');
  await type('item,quantity,price,rate\nHinge,4,12.50,0.23\nGuide,1,24.00,0.09\nScrews,150,0.0875,0.23');
  await click(button('Use 3 rows'));
  await drawn(page);

  // Of the new table; its price is a value that no column shows.
  await click('.column-name ::-p-text(Amount)');
  await choose('.column-fields [aria-label="Shows"]', 'multiply');
  await choose('.column-fields [aria-label="Multiplies"]', 'quantity');
  await choose('.column-fields [aria-label="By"]', 'price');
  await choose('.column-fields [aria-label="Format"]', '3');
  await drawn(page);
  await look('10-product');
  // Each row moves the buttons below it.
  await click(button('Add a tax for each rate'));
  await page.waitForSelector('.inspector [aria-label="Title 2"]');
  await drawn(page);
  await choose('.inspector [aria-label="Rate 2"]', 'rate');
  await drawn(page);
  await click(button('Add the sum of all'));
  await choose('.inspector [aria-label="In the e-invoice 3"]', 'GrandTotalAmount');
  await drawn(page);
  await look('11-sums');
  const table = await layerNow('table');
  const product = { name: 'amount', calculate: { multiply: ['quantity', 'price'], round: 2 } };
  expect(table?.row).toMatchObject([{}, {}, product]);
  expect(table?.footer).toMatchObject([
    [{ text: 'Total' }, { calculate: { sum: 'amount' } }],
    { by: 'rate', cells: [{}, { calculate: { sum: 'amount', times: 'rate', round: 2 } }] },
    [{ text: 'Total' }, { calculate: { sum: ['net', 'tax'] }, total: 'GrandTotalAmount' }],
  ]);
  expect(await page.evaluate(() => platenEditor.editor.problem.value)).toBe(null);
  expect(await findings(page, { within: '.inspector' })).toEqual([]);

  await page.evaluate(() => platenEditor.editor.select([]));
  await click('.panel-section-title ::-p-text(PDF document)');
  await click('.inspector [aria-label="Title"]', 3);
  await type('Invoice {number}');
  await press('Enter');
  await choose('.inspector [aria-label="For archives"]', 'A-3b');
  await choose('.inspector [aria-label="For screen readers"]', 'UA-1');
  await page.waitForSelector('::-p-text(PDF/UA needs: Language.)');
  await click('.inspector [data-property="language"] input', 3);
  await type('en');
  await press('Enter');
  await look('12-conforms');
  expect(await page.evaluate(() => platenEditor.editor.document.value.pdf)).toEqual({
    title: [{ text: 'Invoice ' }, { name: 'number' }],
    conforms: ['A-3b', 'UA-1'],
    language: 'en',
  });
  expect(await findings(page, { within: '.inspector' })).toEqual([]);
  await press('Control', 'Shift', 'P');
  await click('dialog button[type="submit"]');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'), { timeout: 30_000 });

  await click('::-p-aria([name="Use"][role="link"])');
  await choose('.use-side select', 'pdf');
  await give('.use-side input[accept*="xml"]', 'invoice.xml', xmlOf('103.80'));
  const profile = await page.waitForSelector('.use-side [role="group"] select');
  expect(await profile?.evaluate((select) => (select as HTMLSelectElement).value)).toBe('EXTENDED');
  await look('13-use');
  const refused = page.waitForResponse((answer) => answer.status() === 400, { timeout: 30_000 });
  await click('.use-side .button-main');
  expect(await (await refused).text()).toMatch(/GrandTotalAmount.*103\.80.*103\.81|GrandTotalAmount.*103\.81.*103\.80/);
  await click(button('Remove E-invoice'));
  // Chosen one after the other, before the page has read the first: none is lost.
  await page.evaluate((xml) => {
    const [invoice, other] = document.querySelectorAll<HTMLInputElement>('.use-side input[type="file"]');
    const choices = [
      [invoice, 'invoice.xml', xml],
      [other, 'terms.txt', 'Terms'],
      [other, 'plan.txt', 'Plan'],
    ] as const;
    for (const [input, name, text] of choices) {
      const { items, files: list } = new DataTransfer();
      items.add(new File([text], name));
      Object.assign(input as HTMLInputElement, { files: list });
      input?.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }, xmlOf('103.81'));
  for (const name of ['E-invoice', 'terms.txt', 'plan.txt']) await page.waitForSelector(button(`Remove ${name}`));
  // The protocol keeps no body of what is downloaded; the live preview makes addresses too, of pictures.
  await page.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      if (blob instanceof Blob && blob.type === 'application/pdf') Object.assign(window, { downloaded: blob });
      return make.call(URL, blob);
    };
  });
  await click('.use-side .button-main');
  const file = await page.waitForFunction(
    async () => {
      const { downloaded } = window as { downloaded?: Blob };
      return downloaded && [...new Uint8Array(await downloaded.arrayBuffer())];
    },
    { timeout: 30_000 },
  );
  const made = objects(Uint8Array.from((await file.jsonValue()) ?? []));
  for (const name of ['factur-x.xml', 'terms.txt', 'plan.txt']) expect(made).toContain(name);
  await look('14-downloaded');
  expect(watched.problems).toEqual([]);
}, 120_000);

test('a PDF becomes letter paper, of the first sheet and of those that follow', async () => {
  await page.goto(`${lab.server.url}/studio/a/${accountOf(page)}/templates`);
  await click(button('New template'));
  await click('::-p-aria([name="Blank"][role="tab"])');
  await click('dialog ::-p-text(A4 document)');
  await page.waitForSelector('.canvas', { timeout: 60_000 });
  await drawn(page);
  await page.evaluate(() => platenEditor.editor.select([]));
  await give('.inspector input[accept*="pdf"]', 'letter.pdf', letterPaper());
  await page.waitForSelector('::-p-text(letter.pdf lies below all layers.)');
  await drawn(page);
  await look('15-letter-paper');
  const layers = await page.evaluate(() => platenEditor.editor.document.value.layers?.slice(0, 2));
  const sheet = { type: 'image', src: expect.stringMatching(/^img_/), width: '100%', height: '100%', locked: true };
  expect(layers).toMatchObject([
    { ...sheet, pages: 'first' },
    { ...sheet, pages: 'not-first', pdfPage: 2 },
  ]);
  expect(await page.evaluate(() => platenEditor.editor.problem.value)).toBe(null);
  // It is chosen, although the canvas has no picture of it.
  expect(await page.$('.missing-picture text')).toBe(null);
  await press('Control', 'Shift', 'P');
  await click('dialog button[type="submit"]');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'), { timeout: 30_000 });
  await click('::-p-aria([name="Use"][role="link"])');
  await page.waitForSelector('.use-side ::-p-text(letter paper is not in this preview)', { timeout: 30_000 });
  await look('16-use-letter-paper');
  expect(watched.problems).toEqual([]);
}, 120_000);
