// Tests over the studio's routes: templates that use an older version of a brand, with pictures before and after.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { studioUnderTest } from './studio-under-test.ts';

const CARD = { name: 'Card', width: 40, height: 20, brand: 'acme', background: '$primary', layers: [] };

/** A template of brand acme in version 1, which has a second version now; and its paths. */
async function start() {
  const studio = await studioUnderTest();
  const saveBrand = (baseVersion: number, colors: object) =>
    studio.ask('/brands/acme', { method: 'PUT', json: { baseVersion, brand: { colors } } });
  await saveBrand(0, { primary: '#ff0000' });
  const made = await studio.ask('/templates', { method: 'POST', json: { document: CARD } });
  const id = String(made.json.id);
  await saveBrand(1, { primary: '#0000ff' });
  const path = (full: unknown) => String(full).replace(`/v1/studio/accounts/${studio.server.account}`, '');
  const colorOf = async (full: unknown) => {
    const { body } = await studio.ask(path(full), { as: 'viewer' });
    const [red = 0, , blue = 0] = await sharp(body).removeAlpha().raw().toBuffer();
    return red > blue ? 'red' : 'blue';
  };
  return { ...studio, id, saveBrand, path, colorOf };
}

type Item = Readonly<Record<string, unknown>>;

test('the list has pictures before and after, which are drawn once', async () => {
  await using studio = await start();
  const { id, ask } = studio;
  expect((await ask('/brands')).json.items).toMatchObject([{ name: 'acme', version: 2, outdatedUses: 1 }]);
  expect((await ask(`/templates/${id}`)).json).toMatchObject({
    newer: [{ kind: 'brand', name: 'acme', title: 'acme', used: 1, newest: 2 }],
    outdatedUses: 0,
  });
  const listed = (await ask('/brands/acme/outdated-uses', { as: 'viewer' })).json;
  expect(listed).toMatchObject({ newest: 2, total: 1, items: [{ id, name: 'Card', used: 1, hasDraft: false }] });
  const [item] = listed.items as Item[];
  expect([await studio.colorOf(item?.before), await studio.colorOf(item?.after)]).toEqual(['red', 'blue']);
  const picture = await ask(studio.path(item?.after));
  expect(picture.headers['cache-control']).toBe('private, max-age=31536000, immutable');
  const etag = String(picture.headers.etag);
  expect((await ask(studio.path(item?.after), { headers: { 'if-none-match': etag } })).status).toBe(304);
});

test('a picture that cannot be drawn says why, and a reference that is none is refused', async () => {
  await using studio = await start();
  await studio.saveBrand(2, { ink: '#000000' });
  const [item] = (await studio.ask('/brands/acme/outdated-uses')).json.items as Item[];
  const picture = await studio.ask(studio.path(item?.after));
  expect([picture.status, picture.json.error]).toEqual([400, 'background: the brand "acme@3" has no "$primary"']);
  const wrong = await studio.ask(`/templates/${studio.id}/thumbnail?with=acme`);
  expect([wrong.status, wrong.json.error]).toEqual([
    400,
    'with: must be a brand or a template at a version, such as "acme@3" or "tpl_…@3"',
  ]);
  expect((await studio.ask(`/templates/${studio.id}/thumbnail?with=acme@9`)).status).toBe(400);
});

test('an editor updates, a viewer does not; the version names its author, and the draft stays', async () => {
  await using studio = await start();
  const { id, ask } = studio;
  const draft = { document: { ...CARD, name: 'Draft' } };
  await ask(`/templates/${id}/draft`, { method: 'PUT', json: draft, headers: { 'if-match': '"0"' } });
  expect((await ask('/brands/acme/outdated-uses')).json.items).toMatchObject([{ hasDraft: true }]);
  const update = (as: 'viewer' | 'editor') =>
    ask('/brands/acme/update-uses', { method: 'POST', json: { templates: [`${id}@1`], version: 2 }, as });
  expect((await update('viewer')).status).toBe(403);
  expect((await update('editor')).json).toMatchObject({ results: [{ id, version: 2 }], ok: 1 });
  expect((await ask(`/templates/${id}/versions`)).json.items).toMatchObject([
    { version: 2, author: { name: 'editor' }, note: 'Updated to version 2 of acme' },
    { version: 1 },
  ]);
  const left = (await ask(`/templates/${id}/draft`)).json;
  expect(left).toMatchObject({ revision: 1, baseVersion: 1, document: { name: 'Draft', brand: 'acme' } });
  expect((await ask(`/templates/${id}`)).json).toMatchObject({ version: 2, newer: [], name: 'Card' });
  expect((await ask('/brands')).json.items).toMatchObject([{ outdatedUses: 0 }]);
});

test('a component’s templates are listed at the component, and updated there', async () => {
  await using studio = await start();
  const { id: badge, ask } = studio;
  const layers = [{ name: 'badge', type: 'template', template: badge, x: 0, y: 0 }];
  const document = { name: 'Page', width: 40, height: 20, layers };
  const { id } = (await ask('/templates', { method: 'POST', json: { document } })).json;
  await ask('/brands/acme/update-uses', { method: 'POST', json: { templates: 'all' } });
  expect((await ask(`/templates/${badge}`)).json).toMatchObject({ version: 2, outdatedUses: 1 });
  expect((await ask(`/templates/${id}`)).json).toMatchObject({
    newer: [{ kind: 'template', name: badge, title: 'Card', used: 1, newest: 2 }],
  });
  const [item] = (await ask(`/templates/${badge}/outdated-uses`)).json.items as Item[];
  expect([await studio.colorOf(item?.before), await studio.colorOf(item?.after)]).toEqual(['red', 'blue']);
  const updated = await ask(`/templates/${badge}/update-uses`, { method: 'POST', json: { templates: 'all' } });
  expect(updated.json).toMatchObject({ results: [{ id, version: 2 }] });
  expect((await ask(`/templates/${badge}`)).json).toMatchObject({ outdatedUses: 0 });
});
