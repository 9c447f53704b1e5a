// Tests templates, drafts and versions in the studio (issue 21, "Templates", "Versions" and "Drafts").

import { expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { SHAPES } from '../server-under-test.ts';
import { type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';

const RED = { ...SHAPES, layers: [{ ...SHAPES.layers[0], fill: '#ff0000' }] };
const BLUE = { ...SHAPES, layers: [{ ...SHAPES.layers[0], fill: '#0000ff' }] };

const made = async ({ ask }: StudioUnderTest, document: object = SHAPES) =>
  String((await ask('/templates', { method: 'POST', json: { document } })).json.id);

const save = ({ ask }: StudioUnderTest, id: string, revision: number, document: object, rest: object = {}) =>
  ask(`/templates/${id}/draft`, {
    method: 'PUT',
    json: { document },
    headers: { 'if-match': `"${revision}"` },
    ...rest,
  });

const publish = ({ ask }: StudioUnderTest, id: string, revision: number, json: object = {}) =>
  ask(`/templates/${id}/publish`, { method: 'POST', json, headers: { 'if-match': `"${revision}"` } });

test('autosave never changes the bytes of a signed URL; publishing does, once', async () => {
  await using studio = await studioUnderTest();
  const id = await made(studio, RED);
  const query = signedQuery(studio.server.signingSecret, { template: id, extension: 'png', parameters: [] });
  const picture = async () => (await studio.server.ask(`/v1/templates/${id}/render.png?${query}`, { key: null })).body;
  const before = await picture();
  for (let revision = 0; revision < 5; revision += 1) {
    expect((await save(studio, id, revision, BLUE)).json.revision).toBe(revision + 1);
    expect((await picture()).equals(before)).toBe(true);
  }
  const published = await publish(studio, id, 5, { note: 'Blue' });
  expect([published.status, published.json]).toMatchObject([201, { version: 2, revision: 6 }]);
  expect((await picture()).equals(before)).toBe(false);
  const { items } = (await studio.ask(`/templates/${id}/versions`)).json as { items: object[] };
  expect(items).toMatchObject([
    { version: 2, note: 'Blue', author: { name: 'owner' }, id: `${id}@2` },
    { version: 1, note: null, author: { name: 'owner' } },
  ]);
});

test('who comes second is told who was first and when, and overwrites nothing', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const id = await made(studio);
  expect((await ask(`/templates/${id}/draft`)).headers.etag).toBe('"0"');
  expect((await save(studio, id, 0, RED)).status).toBe(200);
  const second = await save(studio, id, 0, BLUE, { as: 'editor' });
  expect([second.status, second.json]).toMatchObject([
    412,
    { code: 'changed', revision: 1, savedBy: { name: 'owner' } },
  ]);
  expect(second.json.error).toMatch(/^owner saved this draft at 2026-11-21T12:00/);
  expect((await ask(`/templates/${id}/draft`)).json).toMatchObject({ revision: 1, document: RED, baseVersion: 1 });
  const without = await ask(`/templates/${id}/draft`, { method: 'PUT', json: { document: BLUE } });
  expect([without.status, without.json.code]).toEqual([428, 'precondition_required']);

  const all = await Promise.all(Array.from({ length: 10 }, () => publish(studio, id, 1)));
  expect(all.map(({ status }) => status).sort()).toEqual([201, ...new Array(9).fill(412)]);
  expect((await ask(`/templates/${id}`)).json).toMatchObject({ version: 2, draft: null, hasDraft: false });
  // A revision number is never reused, so a tab that missed all changes learns of them.
  expect((await save(studio, id, 1, BLUE)).json).toMatchObject({ code: 'changed', revision: 2 });
});

test('a version that was saved meanwhile is shown before it is published over', async () => {
  await using studio = await studioUnderTest();
  const { ask, server } = studio;
  const id = await made(studio);
  await save(studio, id, 0, RED);
  await server.ask(`/v1/templates/${id}`, { method: 'PUT', json: BLUE });
  const refused = await publish(studio, id, 1);
  expect([refused.status, refused.json]).toMatchObject([409, { code: 'conflict', version: 2, author: null }]);
  expect((await publish(studio, id, 1, { over: 2 })).json).toMatchObject({ version: 3 });
  expect((await publish(studio, id, 2)).json.error).toMatch(/no draft/);
  expect((await ask(`/templates/${id}/versions/2`)).json.document).toMatchObject({ layers: BLUE.layers });
});

test('a draft may be half-finished; what is published may not', async () => {
  await using studio = await studioUnderTest();
  const id = await made(studio);
  expect((await save(studio, id, 0, { name: 'half', layers: 'later' })).status).toBe(200);
  const refused = await publish(studio, id, 1);
  expect([refused.status, refused.json.code]).toEqual([400, 'invalid_request']);
  const discarded = await studio.ask(`/templates/${id}/draft`, { method: 'DELETE', headers: { 'if-match': '"1"' } });
  expect(discarded.json).toEqual({ revision: 2 });
  expect((await studio.ask(`/templates/${id}/draft`)).json).toMatchObject({
    revision: 2,
    savedAt: null,
    document: SHAPES,
  });
});

test('an old version becomes the newest again, as a new one', async () => {
  await using studio = await studioUnderTest();
  const id = await made(studio, RED);
  await save(studio, id, 0, BLUE);
  await publish(studio, id, 1);
  const restored = await studio.ask(`/templates/${id}/versions/1/restore`, { method: 'POST' });
  expect([restored.status, restored.json.version]).toEqual([201, 3]);
  expect((await studio.ask(`/templates/${id}/versions/3`)).json).toMatchObject({
    note: 'Restored version 1',
    document: RED,
  });
});

test('the list has pages, a search and sizes', async () => {
  await using studio = await studioUnderTest();
  for (const name of ['Alpha', 'Beta', 'alphabet', '100%']) await made(studio, { ...SHAPES, name });
  await made(studio, { ...SHAPES, name: 'Wide', width: 80 });
  const names = async (query: string) => {
    const { items, next } = (await studio.ask(`/templates?${query}`)).json as {
      items: { name: string }[];
      next: string;
    };
    return { names: items.map(({ name }) => name), next };
  };
  const first = await names('limit=2');
  expect(first.names).toEqual(['Wide', '100%']);
  const second = await names(`limit=2&after=${first.next}`);
  expect(second.names).toEqual(['alphabet', 'Beta']);
  expect(await names(`limit=2&after=${second.next}`)).toEqual({ names: ['Alpha'], next: null });
  expect((await names('search=ALPHA')).names).toEqual(['alphabet', 'Alpha']);
  expect((await names('search=%25')).names).toEqual(['100%']);
  await made(studio, { ...SHAPES, name: 'Über uns', height: 30 });
  expect((await names(`search=${encodeURIComponent('Über UNS')}`)).names).toEqual(['Über uns']);
  expect((await names('width=80&height=20')).names).toEqual(['Wide']);
  expect((await studio.ask('/templates')).json.sizes).toEqual([
    { width: 40, height: 20, count: 4 },
    { width: 40, height: 30, count: 1 },
    { width: 80, height: 20, count: 1 },
  ]);
  for (const [query, error] of [
    ['limit=0', /^limit: /],
    ['limit=201', /^limit: .*200/],
    ['after=x', /^after: /],
    ['width=a', /^width: /],
  ] as const) {
    expect((await studio.ask(`/templates?${query}`)).json.error).toMatch(error);
  }
});

test('a deleted template is gone for everybody at once, and can be brought back for a day', async () => {
  let now = new Date('2026-11-21T12:00:00Z');
  await using studio = await studioUnderTest({}, { clock: () => now });
  const { ask, server } = studio;
  const id = await made(studio);
  const query = signedQuery(server.signingSecret, { template: id, extension: 'png', parameters: [] });
  const statuses = async () => [
    (await ask(`/templates/${id}`)).status,
    (await server.ask(`/v1/templates/${id}`)).status,
    (await server.ask(`/v1/templates/${id}/render.png?${query}`, { key: null })).status,
    ((await ask('/templates')).json.items as object[]).length,
  ];
  expect(await statuses()).toEqual([200, 200, 200, 1]);
  const deleted = await ask(`/templates/${id}`, { method: 'DELETE' });
  expect(deleted.json).toEqual({ undoUntil: '2026-11-22T12:00:00.000Z' });
  expect(await statuses()).toEqual([404, 404, 404, 0]);
  expect((await ask(`/templates/${id}/undelete`, { method: 'POST' })).json).toMatchObject({ id });
  expect(await statuses()).toEqual([200, 200, 200, 1]);
  await ask(`/templates/${id}`, { method: 'DELETE' });
  now = new Date(now.getTime() + 86_400_001);
  expect((await ask(`/templates/${id}/undelete`, { method: 'POST' })).status).toBe(404);
});

test('templates are duplicated, exported and imported', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const id = await made(studio);
  await save(studio, id, 0, RED);
  const copy = (await ask(`/templates/${id}/duplicate`, { method: 'POST' })).json;
  expect(copy).toMatchObject({ name: 'Shapes copy', version: 1 });
  const file = await ask(`/templates/${copy.id}/export`);
  expect(file.headers['content-disposition']).toContain(`${copy.id}-1.json`);
  expect(file.json).toEqual({ ...RED, name: 'Shapes copy' });
  const imported = await ask('/templates/import?name=Again', { method: 'POST', json: file.json });
  expect([imported.status, imported.json]).toMatchObject([201, { name: 'Again', warnings: [] }]);
});

test('an SVG is imported as layers, its pictures as images of the account, and what it loses is told', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const importSvg = (body: string) => {
    const raw = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30">${body}</svg>`;
    return ask('/templates/import?name=Logo', { method: 'POST', raw, headers: { 'content-type': 'image/svg+xml' } });
  };
  const pixel = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%224%22 height=%224%22/%3E';
  const made = await importSvg(
    `<rect id="Back" width="60" height="30" rx="4" fill="#d1401b"/><image id="Mark" width="4" height="4" href="${pixel}"/><foreignObject><p/></foreignObject>`,
  );
  expect(made.json).toMatchObject({
    ...{ name: 'Logo', width: 60, height: 30 },
    warnings: ['<foreignObject> has no counterpart and is left out.'],
  });
  expect((await ask(`/templates/${made.json.id}/export`)).json.layers).toMatchObject([
    { type: 'shape', name: 'Back', borderRadius: 4, fill: '#d1401b' },
    { type: 'image', name: 'Mark', src: expect.stringMatching(/^img_/) },
  ]);
  expect((await importSvg('<g/>')).json.error).toMatch(/shows nothing/);
  expect((await importSvg('<g>')).json.error).toMatch(/not well-formed/);
});

test('thumbnails are drawn by version and kept by browsers; documents are previewed without being stored', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const id = await made(studio);
  const { thumbnail } = (await ask(`/templates/${id}`)).json;
  const path = String(thumbnail).replace(`/v1/studio/accounts/${studio.server.account}`, '');
  const picture = await ask(path);
  expect(picture.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': expect.stringMatching(/immutable/),
  });
  expect(picture.headers['access-control-allow-origin']).toBeUndefined();
  expect((await ask(path, { headers: { 'if-none-match': String(picture.headers.etag) } })).status).toBe(304);
  const preview = (document: object) => ask('/preview', { method: 'POST', json: { document, output: 'png' } });
  const [red, blue] = [await preview(RED), await preview(BLUE)];
  expect([red.status, red.headers['content-type']]).toEqual([200, 'image/png']);
  expect(red.body.equals(blue.body)).toBe(false);
  expect((await preview({ ...RED, layers: 3 })).json.error).toMatch(/layers/);
  const layout = await ask('/layout', { method: 'POST', json: { document: RED } });
  expect(layout.json).toMatchObject({ width: 40, layers: [{ name: 'box' }] });
});

test('a draft has a picture of its own, kept by browsers for its revision alone', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const id = await made(studio, RED);
  expect((await ask(`/templates/${id}`)).json).toMatchObject({ draftThumbnail: null, draft: null });
  const save = (revision: number, document: object) =>
    ask(`/templates/${id}/draft`, { method: 'PUT', json: { document }, headers: { 'if-match': `"${revision}"` } });
  await save(0, BLUE);
  const opened = (await ask(`/templates/${id}`)).json;
  expect(opened).toMatchObject({ hasDraft: true, draft: { revision: 1, baseVersion: 1 } });
  expect((await ask('/templates')).json).toMatchObject({ items: [{ draftThumbnail: opened.draftThumbnail }] });
  const path = String(opened.draftThumbnail).replace(`/v1/studio/accounts/${studio.server.account}`, '');
  const draft = await ask(path);
  expect([draft.status, draft.headers['cache-control']]).toEqual([200, expect.stringMatching(/immutable/)]);
  expect(draft.body.equals((await ask(`/templates/${id}/thumbnail`)).body)).toBe(false);
  await save(1, RED);
  const later = await ask(path);
  expect([later.status, later.headers['cache-control']]).toEqual([200, 'private, no-cache']);
  expect(later.body.equals(draft.body)).toBe(false);
  await save(2, { ...RED, layers: 3 });
  expect((await ask(path)).json.error).toMatch(/^layers: /);
});

test('a thumbnail without one of its pictures is kept by nobody', async () => {
  let drawn = 0;
  const exportAs = async () => {
    drawn += 1;
    return Buffer.from('a picture');
  };
  await using studio = await studioUnderTest({}, { exportAs });
  const photo = { name: 'photo', type: 'image', src: 'data:,none', optional: true, width: 10, height: 10 };
  const id = await made(studio, { ...SHAPES, layers: [photo] });
  for (const path of [`/templates/${id}/thumbnail`, `/templates/${id}/thumbnail?version=1`]) {
    const { status, headers } = await studio.ask(path);
    expect([status, headers['cache-control'], headers.etag]).toEqual([200, 'no-store', undefined]);
  }
  expect(drawn).toBe(2);
});

test('bad input is refused with a sentence that names the field', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const id = await made(studio);
  const refused = async (path: string, json: unknown, method = 'POST') => {
    const { status, json: answer } = await ask(path, { method, json, headers: { 'if-match': '"0"' } });
    return `${status} ${answer.error}`;
  };
  expect(await refused('/templates', { document: 3 })).toMatch(/^400 document: must be an object/);
  expect(await refused('/templates', {})).toMatch(/^400 document: /);
  expect(await refused('/templates', { document: SHAPES, more: 1 })).toMatch(/^400 .*unknown property "more"/);
  expect(await refused(`/templates/${id}/draft`, { document: [] }, 'PUT')).toMatch(/^400 document: must be an object/);
  expect(await refused(`/templates/${id}/publish`, { note: 'x'.repeat(501) })).toMatch(/^400 note: /);
  expect(await refused('/keys', { name: '', kind: 'gold' })).toMatch(/^400 name: .*kind: must be one of/);
  expect(await refused('/people/invitations', { role: 'king' })).toMatch(/^400 role: must be one of/);
  expect(await refused(`/templates/${id}/signed-url`, { extension: 'gif' })).toMatch(/^400 extension: /);
  expect(await refused('/keys', 'x'.repeat(70_000))).toMatch(/^413 /);
});
