// Tests over the API: templates that use an older version of a brand or a component are listed, and updated, all or some.

import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { type ServerUnderTest, serverUnderTest } from './server-under-test.ts';

const CARD = { name: 'Card', width: 40, height: 20, brand: 'acme', background: '$primary', layers: [] as object[] };

const saveBrand = ({ ask }: ServerUnderTest, name: string, colors: object) =>
  ask(`/v1/brands/${name}`, { method: 'PUT', json: { colors } });
const saveCard = async (server: ServerUnderTest, more: object = {}) =>
  String((await server.post('/v1/templates', { ...CARD, ...more })).json.id);
const outdated = async ({ ask }: ServerUnderTest, path = '/v1/brands/acme') =>
  (await ask(`${path}/outdated-uses`)).json;

async function start() {
  const server = await serverUnderTest();
  await saveBrand(server, 'acme', { primary: '#ff0000' });
  return server;
}

async function colorOf(server: ServerUnderTest, template: string) {
  const { body } = await server.post(`/v1/templates/${template}/preview`, {});
  return (await sharp(body).removeAlpha().raw().toBuffer()).subarray(0, 3).toString('hex');
}

test('a brand’s new version is offered to the templates that use an older one, and taken for some', async () => {
  await using server = await start();
  const [one, two] = [await saveCard(server, { name: 'One' }), await saveCard(server, { name: 'Two' })];
  await saveCard(server, { name: 'Other', brand: undefined, background: '#123456' });
  expect(await outdated(server)).toEqual({ newest: 1, total: 0, templates: [], next: null });
  await saveBrand(server, 'acme', { primary: '#00ff00' });
  expect(await outdated(server)).toEqual({
    newest: 2,
    total: 2,
    templates: [
      { id: one, name: 'One', version: 1, used: 1 },
      { id: two, name: 'Two', version: 1, used: 1 },
    ],
    next: null,
  });
  const updated = await server.post('/v1/brands/acme/update-uses', { templates: [`${two}@1`], version: 2 });
  expect(updated.json).toEqual({ newest: 2, results: [{ id: two, version: 2 }], count: 1, ok: 1, next: null });
  expect((await server.ask(`/v1/templates/${two}`)).json).toEqual({
    ...CARD,
    ...{ id: two, version: 2, name: 'Two', brand: 'acme@2' },
  });
  expect([await colorOf(server, one), await colorOf(server, two)]).toEqual(['ff0000', '00ff00']);
  expect(await outdated(server)).toMatchObject({ total: 1, templates: [{ id: one }] });
});

test('all are updated, in pages; one that cannot be is named, and the others go on', async () => {
  await using server = await start();
  const { services, account } = server;
  const odd = await saveCard(server, { name: 'A', background: '$primary' });
  await saveBrand(server, 'acme', { primary: '#ff0000', accent: '#0000ff' });
  const needs = await saveCard(server, { name: 'B', background: '$accent' });
  for (let n = 0; n < 120; n++) await services.templates.create(account, { ...CARD, name: `C ${n}` });
  await saveBrand(server, 'acme', { primary: '#00ff00' });
  expect(await outdated(server)).toMatchObject({ total: 122 });
  const update = (more: object = {}) => server.post('/v1/brands/acme/update-uses', { templates: 'all', ...more });
  const first = (await update()).json;
  expect(first).toMatchObject({ count: 100, ok: 99 });
  expect((first.results as object[]).slice(0, 2)).toEqual([
    { id: odd, version: 2 },
    { id: needs, error: 'background: the brand "acme@3" has no "$accent"' },
  ]);
  const second = (await update({ after: first.next, version: 3 })).json;
  expect(second).toMatchObject({ count: 22, ok: 22, next: null });
  expect(await outdated(server)).toMatchObject({ total: 1, templates: [{ id: needs, version: 1, used: 2 }] });
  expect((await server.ask(`/v1/templates/${needs}`)).json).toMatchObject({ version: 1, brand: 'acme@2' });
});

test('a template that was saved meanwhile, and what is not to be updated, are refused by themselves', async () => {
  await using server = await start();
  const [seen, uses] = [await saveCard(server), await saveCard(server)];
  const plain = await saveCard(server, { brand: undefined, background: '#123456' });
  await saveBrand(server, 'acme', { primary: '#00ff00' });
  await server.ask(`/v1/templates/${seen}`, { method: 'PUT', json: { ...CARD, name: 'Saved', brand: 'acme@1' } });
  const templates = [`${seen}@1`, plain, 'tpl_x', uses, uses];
  expect((await server.post('/v1/brands/acme/update-uses', { templates })).json.results).toEqual([
    { id: seen, error: 'Version 2 was saved since version 1: look at it again.' },
    { id: plain, error: 'It uses no older version than acme@2.' },
    { id: 'tpl_x', error: 'Template "tpl_x" not found.' },
    { id: uses, version: 2 },
  ]);
  expect((await server.ask(`/v1/templates/${seen}`)).json).toMatchObject({ version: 2, brand: 'acme@1' });
});

test('a save at the very same time is not overwritten', async () => {
  await using server = await start();
  const { services, account } = server;
  const id = await saveCard(server);
  await saveBrand(server, 'acme', { primary: '#00ff00' });
  const { materialUpdates, templates } = services;
  const read = templates.readDocument.bind(templates);
  let isFirst = true;
  templates.readDocument = async (...given) => {
    if (isFirst) {
      isFirst = false;
      await templates.replace(account, id, { ...CARD, name: 'Theirs', brand: 'acme@1' });
    }
    return read(...given);
  };
  const wanted = { templates: [id], after: null, version: null };
  const permit = async () => ({ kind: 'server', id: null, name: null }) as const;
  const material = { kind: 'brand', name: 'acme' } as const;
  expect((await materialUpdates.update(account, material, wanted, permit)).results).toEqual([
    { id, error: 'Version 2 of the template was saved at the same time: try once more.' },
  ]);
  expect(await templates.read(account, id)).toMatchObject({ version: 2 });
});

test('all that take long are updated by several requests', async () => {
  await using server = await start();
  const { services, account } = server;
  const ids = [await saveCard(server, { name: 'A' }), await saveCard(server, { name: 'B' })];
  ids.push(await saveCard(server, { name: 'C' }));
  await saveBrand(server, 'acme', { primary: '#00ff00' });
  const { materialUpdates, templates } = services;
  const { now } = performance;
  let late = 0;
  using _clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + late);
  const replace = templates.replace.bind(templates);
  templates.replace = async (...given) => {
    late += 6_000;
    return replace(...given);
  };
  const permit = async () => ({ kind: 'server', id: null, name: null }) as const;
  const update = (after: string | null) =>
    materialUpdates.update(account, { kind: 'brand', name: 'acme' }, { templates: 'all', after, version: 2 }, permit);
  const first = await update(null);
  expect(first).toMatchObject({ results: [{ id: ids[0] }, { id: ids[1] }], next: ids[1] });
  expect(await update(first.next)).toMatchObject({ results: [{ id: ids[2], version: 2 }], next: null });
});

test('what is wrong with a request is said', async () => {
  await using server = await start();
  await saveBrand(server, 'acme', { primary: '#00ff00' });
  const error = async (path: string, json: object) => {
    const answer = await server.post(path, json);
    return `${answer.status} ${answer.json.error}`;
  };
  const path = '/v1/brands/acme/update-uses';
  expect([
    await error(path, { templates: [] }),
    await error(path, { templates: Array.from({ length: 101 }, () => 'tpl_x') }),
    await error(path, { templates: 'some' }),
    await error(path, { templates: ['tpl_x'], after: 'x' }),
    await error(path, { templates: 'all', after: 'no cursor' }),
    await error(path, { templates: 'all', version: 1 }),
    await error('/v1/brands/amce/update-uses', { templates: 'all' }),
    await error('/v1/templates/tpl_x/update-uses', { templates: 'all' }),
  ]).toEqual([
    '400 templates: must have at least 1 entries',
    '400 templates: must be "all", or a list of 1 to 100 ids',
    '400 templates: must be "all", or a list of 1 to 100 ids',
    '400 after: goes with "templates": "all"; leave it out with a list',
    '400 after: must be what a list gave as "next"',
    '409 Version 2 is the newest, not 1: look at that one first.',
    '404 There is no brand "amce"; did you mean "acme"?',
    '404 Template "tpl_x" not found.',
  ]);
});

test('a component’s new version is offered and taken, at every place and depth', async () => {
  await using server = await start();
  const badge = await saveCard(server, { name: 'Badge', brand: undefined, background: '#ff0000' });
  const shown = (name: string) => ({ name, type: 'template', template: badge, x: 0, y: 0 });
  const page = { name: 'Page', width: 40, height: 40 };
  const around = String(
    (
      await server.post('/v1/templates', {
        ...page,
        layers: [shown('a'), { name: 'f', type: 'frame', width: 40, height: 40, children: [shown('b')] }],
      })
    ).json.id,
  );
  const path = `/v1/templates/${badge}`;
  await server.ask(path, { method: 'PUT', json: { ...CARD, name: 'Badge', brand: undefined, background: '#00ff00' } });
  expect(await outdated(server, path)).toMatchObject({ newest: 2, templates: [{ id: around, version: 1, used: 1 }] });
  expect((await server.post(`${path}/update-uses`, { templates: 'all' })).json).toMatchObject({ ok: 1, next: null });
  expect((await server.ask(`/v1/templates/${around}`)).json.layers).toMatchObject([
    { template: `${badge}@2` },
    { children: [{ template: `${badge}@2` }] },
  ]);
  expect(await colorOf(server, around)).toBe('00ff00');
  // A version in which it is a part of itself cannot be saved, so none can be offered either.
  const circle = { ...page, name: 'Badge', layers: [{ ...shown('a'), template: around }] };
  expect((await server.ask(path, { method: 'PUT', json: circle })).status).toBe(400);
});

test('other accounts and keys that are limited to some templates are refused', async () => {
  await using server = await start();
  const id = await saveCard(server);
  await saveBrand(server, 'acme', { primary: '#00ff00' });
  const path = '/v1/brands/acme/update-uses';
  expect((await server.post(path, { templates: [id] }, { key: server.otherKey })).status).toBe(404);
  await server.ask('/v1/brands/acme', { method: 'PUT', json: {}, key: server.otherKey });
  const theirs = await server.post(path, { templates: [id] }, { key: server.otherKey });
  expect(theirs.json.results).toEqual([{ id, error: `Template "${id}" not found.` }]);
  const { key } = await server.services.keys.create(server.account, 'live', undefined, {
    rights: ['read', 'manage-templates'],
    templates: [id],
  });
  expect((await server.post(path, { templates: [id] }, { key })).status).toBe(403);
  expect((await server.ask('/v1/brands/acme/outdated-uses', { key })).status).toBe(403);
});
