// Tests batches that are large or not wholly good: what is told of each row, and what is charged.

import { expect, test, vi } from 'vitest';
import { AppError } from '#base/errors.ts';
import { SHAPES } from '../server-under-test.ts';
import { type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';

const CARD = {
  ...SHAPES,
  layers: [...SHAPES.layers, { name: 'photo', type: 'image', src: '', width: 4, height: 4, optional: true }],
};
const made = async ({ ask }: StudioUnderTest, document: object = SHAPES) =>
  String((await ask('/templates', { method: 'POST', json: { document } })).json.id);
const start = ({ ask }: StudioUnderTest, template: string, json: object) =>
  ask(`/templates/${template}/batch`, { method: 'POST', json: { archive: 'zip', ...json } });
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 });
type Items = Record<string, unknown>[];

test('rows are rendered in several sizes, of all of them or of each', async () => {
  await using studio = await studioUnderTest();
  const sizes = { story: { width: 4, height: 8 }, wide: { width: 8, height: 4 } };
  const id = await made(studio, { ...SHAPES, sizes });
  const rows = [
    { name: 'a', modifications: {} },
    { modifications: { size: 'wide' } },
    { modifications: { size: 'story, wide' } },
  ];
  const begun = await start(studio, id, { rows, size: ['default', 'story'] });
  expect(begun.json).toMatchObject({ total: 5 });
  const { items } = (await studio.ask(`/batches/${begun.json.id}/rows`)).json as { items: Items };
  expect(items.map(({ name }) => name)).toEqual(['a-default', 'a-story', 'row-2', 'row-3-story', 'row-3-wide']);
  const wrong = await start(studio, id, { rows: [{ modifications: {} }, { modifications: { size: 'wid' } }] });
  expect(JSON.stringify(wrong.json)).toContain('rows[1].size: the template has no size');
});

test('each row tells its warnings, its error and its file', { timeout: 30_000 }, async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const fragile = {
    ...SHAPES.layers[0],
    name: 'picture',
    type: 'image',
    src: 'data:image/png;base64,AAAA',
    fill: undefined,
  };
  const id = await made(studio, { ...CARD, layers: [...CARD.layers, { ...fragile, visible: false }] });
  const rows = [
    { name: 'good', modifications: { photo: false } },
    { name: 'odd', modifications: { photo: false, boks: 'x' } },
    { name: 'bad', modifications: { photo: false, picture: true } },
  ];
  const begun = await start(studio, id, { rows, name: 'Gäste "1".csv' });
  expect(begun.json).toMatchObject({ name: 'Gäste "1".csv', total: 3, warned: 0 });
  const batch = `/batches/${begun.json.id}`;
  await until(async () => expect((await ask(batch)).json).toMatchObject({ done: 2, warned: 1, failed: 1 }));
  const all = (await ask(`${batch}/rows`)).json.items as Items;
  expect(all).toMatchObject([
    { row: 0, name: 'good', status: 'done', warnings: [], error: null, url: expect.stringMatching(/\.png$/) },
    { row: 1, name: 'odd', status: 'done', warnings: [expect.stringContaining('"boks"')], error: null },
    { row: 2, name: 'bad', status: 'error', error: expect.stringContaining('picture'), url: null },
  ]);
  const some = async (query: string) =>
    ((await ask(`${batch}/rows?${query}`)).json.items as Items).map(({ row }) => row);
  expect([await some('rows=failed'), await some('rows=warned')]).toEqual([[2], [1]]);
  const first = (await ask(`${batch}/rows?limit=2`)).json;
  expect([first.next, await some(`limit=2&after=${first.next}`)]).toEqual(['1', [2]]);
  expect((await ask(`${batch}/rows`, { as: 'stranger' })).status).toBe(404);

  // The download is called as what it was made from; the list of renders names the batch.
  const { headers } = await ask(`${batch}/file`);
  expect(headers['content-disposition']).toContain("filename*=UTF-8''G%C3%A4ste%20-1-.zip");
  expect((await ask('/batches')).json).toMatchObject({ items: [{ id: begun.json.id, template: id }], next: null });
  expect((await ask('/batches?template=tpl_x')).json.items).toEqual([]);
  const renders = (await ask(`/renders?batch=${begun.json.id}`)).json.items as Items;
  expect(renders).toHaveLength(3);
  expect(renders.find(({ status }) => status === 'error')).toMatchObject({
    batch: { id: begun.json.id, name: 'Gäste "1".csv', row: 2 },
    values: 'photo: false, picture: true',
  });
  expect((await ask('/renders?batch=blk_x')).json.items).toEqual([]);
});

test('more than 500 rows are accepted at once, and all or none are charged', { timeout: 30_000 }, async () => {
  // No job ends before the last assertion.
  const held = Promise.withResolvers<Buffer>();
  const PLATEN_PLANS = JSON.stringify({ free: { quota: 1_000, blocks: true } });
  await using studio = await studioUnderTest({ PLATEN_PLANS }, { exportAs: () => held.promise });
  const { ask } = studio;
  const id = await made(studio);
  const rows = (count: number) => Array.from({ length: count }, () => ({ modifications: {} }));
  expect(await start(studio, id, { rows: rows(600) })).toMatchObject({ status: 202, json: { total: 600 } });
  expect((await ask('/usage')).json).toMatchObject({ used: 0, reserved: 600 });
  expect(await start(studio, id, { rows: rows(401) })).toMatchObject({
    status: 402,
    json: { error: expect.stringContaining('has 400 renders left this month, and 401 were asked for') },
  });
  expect((await ask('/usage')).json).toMatchObject({ reserved: 600 });
  expect((await start(studio, id, { rows: rows(400) })).status).toBe(202);
  expect((await start(studio, id, { rows: rows(1) })).json.error).toMatch(/^The 1000 renders a month .* are used up/);
  expect((await start(studio, id, { rows: rows(10_001) })).status).toBe(400);
  held.reject(new AppError('render_failed', 'The test is over.'));
});
