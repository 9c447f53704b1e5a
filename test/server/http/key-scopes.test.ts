// Tests keys that are limited to certain rights or templates.

import { afterAll, expect, test } from 'vitest';
import { type KeyScope, RIGHTS, type Right } from '#server/service/accounts/key-scope.ts';
import { document } from './contract-of.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';
import { studioUnderTest } from './studio/studio-under-test.ts';

const server = await serverUnderTest({}, { exportAs: async () => Buffer.from('a picture') });
afterAll(() => server[Symbol.asyncDispose]());
const { templates, keys } = server.services;
const mine = (await templates.create(server.account, SHAPES)).id;
const others = (await templates.create(server.account, SHAPES)).id;

const keyWith = async (rights: readonly Right[], only: KeyScope['templates'] = null) =>
  (await keys.create(server.account, 'live', undefined, { rights, templates: only })).key;

/** By operation: the rights of which one is enough. `readAccount` needs none. */
const NEEDED: Readonly<Record<string, readonly Right[]>> = {
  createRender: ['render'],
  createBatch: ['render'],
  createMergedBatch: ['render'],
  readMergedBatch: ['read', 'render'],
  openMergedBatch: ['read', 'render'],
  listRenders: ['read'],
  readRender: ['read', 'render', 'screenshot'],
  deleteRender: ['manage-renders'],
  createScreenshot: ['screenshot'],
  listTemplates: ['read'],
  createTemplate: ['manage-templates'],
  readTemplate: ['read'],
  replaceTemplate: ['manage-templates'],
  deleteTemplate: ['manage-templates'],
  listVersions: ['read'],
  previewTemplate: ['render'],
  measureTemplate: ['render'],
  listOutdatedTemplateUses: ['read'],
  updateTemplateUses: ['manage-templates'],
  listBrands: ['read'],
  readBrand: ['read'],
  saveBrand: ['manage-templates'],
  deleteBrand: ['manage-templates'],
  listOutdatedBrandUses: ['read'],
  updateBrandUses: ['manage-templates'],
  uploadImage: ['manage-uploads'],
  listImages: ['read'],
  readImage: ['read'],
  deleteImage: ['manage-uploads'],
  uploadFont: ['manage-uploads'],
  listFonts: ['read'],
  deleteFont: ['manage-uploads'],
  readUsage: ['read'],
  listAudit: ['read-audit'],
  listSecrets: ['manage-secrets'],
  showSecret: ['manage-secrets'],
  rotateSecret: ['manage-secrets'],
  retireSecrets: ['manage-secrets'],
  revokeEditorTokens: ['manage-secrets'],
  readAccount: RIGHTS,
  exportAccount: ['manage-account'],
  suspendAccount: ['manage-account'],
  resumeAccount: ['manage-account'],
  deleteAccount: ['manage-account'],
};
const guarded = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { security }]) => JSON.stringify(security).includes('apiKey'))
    .map(([method, { operationId }]) => ({ path, method, id: String(operationId) })),
);

test('every operation that takes a key has its right', () =>
  expect(guarded.map(({ id }) => id).sort()).toEqual(Object.keys(NEEDED).sort()));

test.each(RIGHTS)('a key with the right %s is refused whatever else needs a right, in its name', async (right) => {
  const key = await keyWith([right]);
  for (const { path, method, id } of guarded) {
    const needed = NEEDED[id] ?? [];
    // The others need the account.
    if (id === 'deleteAccount' && needed.includes(right)) continue;
    const { status, text } = await server.ask(path.replace(/\{\w+\}/g, 'x'), { method, key });
    expect([id, status === 403]).toEqual([id, !needed.includes(right)]);
    if (status === 403) expect(text).toContain(`This needs a key with the right \\"${needed[0]}\\"`);
  }
});

test('a key without a scope may do everything but what is for owners', async () => {
  for (const { path, method, id } of guarded) {
    const { status } = await server.ask(path.replace(/\{\w+\}/g, 'x'), { method });
    expect([id, status === 403]).toEqual([
      id,
      /Audit|Secret|EditorTokens|(export|suspend|resume|delete)Account/.test(id),
    ]);
  }
});

test('a key of one template uses that, by any version, and no other', async () => {
  const key = await keyWith(['read', 'render', 'manage-templates', 'manage-renders'], [mine]);
  const post = (path: string, json: unknown) => server.post(path, json, { key });
  const made = await post('/v1/renders', { template: mine });
  expect([made.status, (await post('/v1/renders', { template: `${mine}@1`, async: true })).status]).toEqual([200, 202]);
  const refused = { status: 403, json: { error: expect.stringMatching(/^This key is limited to certain templates/) } };
  for (const body of [{ template: others }, { template: `${others}@1` }, { template: SHAPES }, { template: 'x' }]) {
    expect(await post('/v1/renders', body)).toMatchObject(refused);
    expect(await post('/v1/renders', { ...body, async: true })).toMatchObject(refused);
  }
  const { json } = await post('/v1/renders/batch', { renders: [{ template: mine }, { template: others }] });
  expect(json).toMatchObject({
    ok: 1,
    results: [{}, { error: expect.stringContaining('limited to certain templates') }],
  });

  const at = (path: string, method = 'GET', json?: unknown) => server.ask(path, { method, key, json });
  expect((await at('/v1/templates')).json).toMatchObject({ templates: [{ id: mine }] });
  expect((await at(`/v1/templates/${mine}`)).status).toBe(200);
  for (const [path, method, json] of [
    [`/v1/templates/${others}`, 'GET'],
    [`/v1/templates/${others}`, 'DELETE'],
    [`/v1/templates/${others}`, 'PUT', SHAPES],
    [`/v1/templates/${others}/versions`, 'GET'],
    [`/v1/templates/${others}/preview`, 'POST', {}],
    [`/v1/templates/${others}/layout`, 'POST', {}],
    ['/v1/templates', 'POST', SHAPES],
    [`/v1/templates/${mine}/outdated-uses`, 'GET'],
    ['/v1/brands/acme/update-uses', 'POST', { templates: [mine] }],
  ] as const) {
    expect(await at(path, method, json)).toMatchObject(refused);
  }

  const theirs = (await server.post('/v1/renders', { template: others })).json.id;
  const inline = (await server.post('/v1/renders', { template: SHAPES })).json.id;
  const listed = (await at('/v1/history')).json.renders as { id: string; template: { id: string } }[];
  expect(new Set(listed.map(({ template }) => template.id))).toEqual(new Set([mine]));
  expect((await at(`/v1/renders/${made.json.id}`)).status).toBe(200);
  for (const id of [theirs, inline]) {
    expect(await at(`/v1/renders/${id}`)).toMatchObject(refused);
    expect(await at(`/v1/history/${id}`, 'DELETE')).toMatchObject(refused);
  }
});

test('a key of one template does not get the answer that another key was given for its Idempotency-Key', async () => {
  const key = await keyWith(['render'], [mine]);
  const ask = { method: 'POST', json: { template: others }, headers: { 'idempotency-key': 'shared' } };
  expect((await server.ask('/v1/renders', ask)).status).toBe(200);
  expect((await server.ask('/v1/renders', { ...ask, key })).status).toBe(422);
});

test('a scope without rights, and one of another account’s template, is refused', async () => {
  const theirs = (await templates.create(server.other, SHAPES)).id;
  await expect(keyWith([])).rejects.toThrow('rights: name at least one of read, render');
  await expect(keyWith(['read'], [theirs])).rejects.toThrow(`Template "${theirs}" not found.`);
  await expect(keyWith(['read'], [])).rejects.toThrow('templates: name 1 to 100');
});

test('the studio makes such a key and lists what it may do', async () => {
  await using studio = await studioUnderTest();
  const scope = { rights: ['read'], templates: null };
  const made = await studio.ask('/keys', { method: 'POST', json: { name: 'Reader', kind: 'test', scope } });
  expect([made.status, made.json.scope]).toEqual([201, scope]);
  const { items } = (await studio.ask('/keys')).json as { items: object[] };
  expect(items).toContainEqual(expect.objectContaining({ name: 'Reader', scope }));
  const render = { method: 'POST', json: { template: 'x' }, key: String(made.json.key) };
  expect((await studio.server.ask('/v1/renders', render)).status).toBe(403);
});
