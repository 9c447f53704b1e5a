// Tests how templates and images are kept in order: folders, which are there while something is in one, orders of the list,
// and names.

import { expect, test } from 'vitest';
import { quadrants } from '../../../draw/images/pictures.ts';
import { SHAPES } from '../server-under-test.ts';
import { studioUnderTest } from './studio-under-test.ts';

test('templates are moved to folders and out of them, counted and listed by folder', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const [first, second] = [
    await ask('/templates', { method: 'POST', json: { document: SHAPES } }),
    await ask('/templates', { method: 'POST', json: { document: SHAPES } }),
  ].map(({ json }) => String(json.id));
  const move = (id: unknown, json: object, as: 'editor' | 'viewer' | 'stranger' = 'editor') =>
    ask(`/templates/${id}/folder`, { method: 'PUT', json, as });
  const before = (await ask('/templates')).json.total as number;
  expect(await move(first, { folder: ' Spring ' })).toMatchObject({
    status: 200,
    json: { id: first, folder: 'Spring', version: 1 },
  });
  expect((await move(second, { folder: 'autumn' })).status).toBe(200);
  const { json } = await ask('/templates?folder=Spring');
  expect(json).toMatchObject({
    items: [{ id: first, folder: 'Spring' }],
    total: before,
    folders: [
      { name: 'autumn', count: 1 },
      { name: 'Spring', count: 1 },
    ],
  });
  expect((await move(first, { folder: null })).json.folder).toBeNull();
  expect((await ask('/templates')).json.folders).toEqual([{ name: 'autumn', count: 1 }]);
  // A deleted template leaves its folder, and comes back into it.
  await ask(`/templates/${second}`, { method: 'DELETE' });
  expect((await ask('/templates')).json).toMatchObject({ folders: [], total: before - 1 });
  await ask(`/templates/${second}/undelete`, { method: 'POST' });
  expect((await ask('/templates?folder=autumn')).json.items).toHaveLength(1);

  expect((await move(first, { folder: '' })).json.error).toMatch(/^folder: /);
  expect((await move(first, { folder: 'x'.repeat(101) })).status).toBe(400);
  expect((await move(first, { folder: 'x' }, 'viewer')).status).toBe(403);
  expect((await move(first, { folder: 'x' }, 'stranger')).status).toBe(404);
  expect((await move('tpl_x', { folder: 'x' })).status).toBe(404);
});

test('images are uploaded into folders, moved, counted and listed by folder and name', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const headers = { 'content-type': 'image/png' };
  const file = (size: number) => quadrants().resize(size, size).png().toBuffer();
  const upload = async (query: string, raw: Buffer) =>
    (await ask(`/images?${query}`, { method: 'POST', raw, headers })).json as { id: string; folder: string | null };
  const put = (id: string, json: object, as: 'editor' | 'viewer' | 'stranger' = 'editor') =>
    ask(`/images/${id}`, { method: 'PUT', json, as });
  const names = async (query: string) =>
    ((await ask(`/images?${query}`)).json.items as { name: string }[]).map(({ name }) => name).toSorted();
  const folders = async () => (await ask('/images')).json.folders;

  const logo = await upload('name=logo.png&folder=%20Spring%20', await file(8));
  const sun = await upload('name=sun.png', await file(9));
  const rain = await upload('name=rain.png&folder=%20', await file(10));
  expect([logo, sun, rain].map(({ folder }) => folder)).toEqual(['Spring', null, null]);
  const focus = { x: 0.2, y: 0.4 };
  await put(sun.id, { focus });
  // What is not named stays as it is.
  expect(await put(sun.id, { folder: 'Spring' })).toMatchObject({
    status: 200,
    json: { folder: 'Spring', focus, name: 'sun.png' },
  });
  expect((await put(rain.id, { folder: 'autumn' })).json.folder).toBe('autumn');
  expect((await put(rain.id, {})).json).toMatchObject({ folder: 'autumn', name: 'rain.png' });
  expect(await folders()).toEqual([
    { name: 'autumn', count: 1 },
    { name: 'Spring', count: 2 },
  ]);
  expect(await names('folder=Spring')).toEqual(['logo.png', 'sun.png']);
  expect(await names('folder=Spring&search=SU')).toEqual(['sun.png']);
  expect(await names('folder=spring')).toEqual([]);
  const first = (await ask('/images?folder=Spring&limit=1')).json;
  expect(await names(`folder=Spring&after=${first.next}`)).toHaveLength(1);

  // An equal file stays where it is; one that was deleted is uploaded anew.
  expect(await upload('folder=autumn', await file(8))).toMatchObject({ id: logo.id, folder: 'Spring' });
  await ask(`/images/${rain.id}`, { method: 'DELETE' });
  expect(await folders()).toEqual([{ name: 'Spring', count: 2 }]);
  const again = await upload('folder=Spring', await file(10));
  expect(again).toMatchObject({ folder: 'Spring' });
  expect(again.id).not.toBe(rain.id);
  expect((await put(logo.id, { folder: null })).json.folder).toBeNull();

  expect((await put(logo.id, { folder: '' })).json.error).toMatch(/^folder: /);
  expect((await put(logo.id, { folder: 'x'.repeat(101) })).status).toBe(400);
  const long = await ask(`/images?folder=${'x'.repeat(101)}`, { method: 'POST', raw: await file(8), headers });
  expect([long.status, long.json.error]).toEqual([400, expect.stringMatching(/^folder: /)]);
  expect((await put(logo.id, { folder: 'x' }, 'viewer')).status).toBe(403);
  expect((await put(logo.id, { folder: 'x' }, 'stranger')).status).toBe(404);
  // A key sees neither names nor folders, of images as of templates.
  const [byKey] = (await studio.server.ask('/v1/images')).json.images as object[];
  expect(Object.keys(byKey ?? {})).toEqual(['id', 'url', 'width', 'height', 'format']);
});

test('templates are listed by their last change, their name or their age, page by page', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  for (const name of ['beta', 'Alpha', 'gamma', 'alpha']) {
    expect((await ask('/templates', { method: 'POST', json: { document: { ...SHAPES, name } } })).status).toBe(201);
  }
  const names = async (query: string) =>
    ((await ask(`/templates?${query}`)).json.items as { name: string }[]).map(({ name }) => name);
  // The clock of the test stands still, so their order is that of their ids.
  const newest = (await ask('/templates?sort=created&limit=2')).json;
  const older = await names(`sort=created&after=${newest.next}`);
  expect([...(newest.items as { name: string }[]).map(({ name }) => name), ...older].toSorted()).toEqual([
    'Alpha',
    'alpha',
    'beta',
    'gamma',
  ]);
  expect((await names('sort=name')).map((name) => name.toLowerCase())).toEqual(['alpha', 'alpha', 'beta', 'gamma']);
  const first = (await ask('/templates?sort=name&limit=3')).json;
  const second = (await ask(`/templates?sort=name&limit=3&after=${first.next}`)).json;
  expect(second).toMatchObject({ items: [{ name: 'gamma' }], next: null });
  expect((await ask('/templates?sort=name&after=x.1')).status).toBe(400);
  expect((await ask('/templates?sort=size')).json.error).toMatch(/^sort: /);
});

test('a template is renamed in a version of its own, and in its draft, which can still be published', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const id = String((await ask('/templates', { method: 'POST', json: { document: SHAPES } })).json.id);
  const headers = { 'if-match': '"0"' };
  await ask(`/templates/${id}/draft`, { method: 'PUT', json: { document: { ...SHAPES, width: 99 } }, headers });
  const rename = (json: object, as: 'editor' | 'viewer' | 'stranger' = 'editor') =>
    ask(`/templates/${id}/name`, { method: 'PUT', json, as });
  expect(await rename({ name: ' Spring card ' })).toMatchObject({
    status: 200,
    json: { name: 'Spring card', version: 2 },
  });
  const versions = (await ask(`/templates/${id}/versions`)).json.items as { note: string }[];
  expect(versions[0]?.note).toBe(`Renamed from “${SHAPES.name}”`);
  expect((await ask(`/templates/${id}/export`)).json).toEqual({ ...SHAPES, name: 'Spring card' });
  const draft = (await ask(`/templates/${id}/draft`)).json;
  expect(draft).toMatchObject({ revision: 2, baseVersion: 2, document: { name: 'Spring card', width: 99 } });
  const published = await ask(`/templates/${id}/publish`, { method: 'POST', json: {}, headers: { 'if-match': '"2"' } });
  expect(published.status).toBe(201);
  // The same name makes no version.
  expect((await rename({ name: 'Spring card' })).json.version).toBe(3);
  expect((await rename({ name: '' })).json.error).toMatch(/^name: /);
  expect((await rename({ name: 'x' }, 'viewer')).status).toBe(403);
  expect((await rename({ name: 'x' }, 'stranger')).status).toBe(404);
});
