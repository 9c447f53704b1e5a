import { expect, test } from 'vitest';
import type { PinnedMaterial } from '#design/references-in.ts';
import { openStorage } from '#server/storage/storage.ts';
import { NOW, storageUnderTest } from './open-storage.ts';

const content = (name: string, document = '{}', materials: readonly PinnedMaterial[] = []) => ({
  summary: { name, width: 1200, height: 630, engine: 'layers' },
  document,
  materials,
});

test('templates are listed with the last saved first, and no other account sees them', async () => {
  await using opened = await storageUnderTest();
  const { templates } = opened.storage;
  for (const id of ['tpl_1', 'tpl_2', 'tpl_3']) await templates.insert(id, 'acc_a', content(id), NOW);
  await templates.addVersion('tpl_1', 'acc_a', content('again', '{"n":2}'), NOW);
  const listed = async (account: string, limit: number, ids: readonly string[] | null = null) =>
    (await templates.page(account, { ids }, { limit, after: null })).items.map(({ id }) => id);
  expect(await listed('acc_a', 200)).toEqual(['tpl_1', 'tpl_3', 'tpl_2']);
  expect(await listed('acc_a', 2)).toEqual(['tpl_1', 'tpl_3']);
  expect(await listed('acc_a', 1, ['tpl_2', 'tpl_9'])).toEqual(['tpl_2']);
  expect(await listed('acc_b', 200)).toEqual([]);
});

test('a version keeps its document when the next is saved', async () => {
  await using opened = await storageUnderTest();
  const { templates } = opened.storage;
  await templates.insert('tpl_1', 'acc_a', content('one', '{"n":1}'), NOW);
  expect(await templates.addVersion('tpl_1', 'acc_a', content('two', '{"n":2}'), NOW)).toBe(2);
  expect(await templates.document('tpl_1', 1)).toBe('{"n":1}');
  expect(await templates.document('tpl_1', 2)).toBe('{"n":2}');
  expect(await templates.document('tpl_1', 3)).toBeNull();
  expect((await templates.versionPage('tpl_1', { limit: 9, after: null })).items.map(({ version }) => version)).toEqual(
    [2, 1],
  );
  expect(await templates.find('tpl_1')).toMatchObject({ name: 'two', version: 2 });
});

test('a template says what its account’s uploads are at, whoever changes them', async () => {
  await using opened = await storageUnderTest();
  const { templates, images, fonts } = opened.storage;
  for (const account of ['a', 'b']) await templates.insert(`tpl_${account}`, `acc_${account}`, content('one'), NOW);
  const versions = async () => [
    (await templates.find('tpl_a'))?.uploadsVersion,
    (await templates.find('tpl_b'))?.uploadsVersion,
  ];
  expect(await versions()).toEqual([0, 0]);
  const image = {
    id: 'img_1',
    accountId: 'acc_a',
    format: 'png',
    size: 1,
    digest: null,
    width: 1,
    height: 1,
    createdAt: NOW,
    name: null,
    focus: null,
    folder: null,
  };
  await images.insert(image);
  expect(await versions()).toEqual([1, 0]);
  await using beside = await openStorage(opened.location);
  await beside.images.delete('acc_a', 'img_1');
  expect(await versions()).toEqual([2, 0]);
  const face = { face: 'f', family: 'F', weight: 400, width: 5, style: 'normal', axes: {}, coverage: '' } as const;
  await beside.fonts.insert({ ...face, id: 'fnt_1', accountId: 'acc_b', size: 1, digest: null, createdAt: NOW });
  expect(await versions()).toEqual([2, 1]);
  await beside.fonts.markDeleted('acc_b', 'fnt_1', NOW);
  expect(await versions()).toEqual([2, 2]);
  await beside.fonts.undelete('acc_b', 'fnt_1', NOW);
  expect(await versions()).toEqual([2, 3]);
  await fonts.delete('acc_b', 'fnt_1');
  expect(await versions()).toEqual([2, 4]);
  const undone = opened.storage.transaction(async (stores) => {
    await stores.images.insert(image);
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  expect(await versions()).toEqual([2, 4]);
});

test('another account can neither replace nor delete a template', async () => {
  await using opened = await storageUnderTest();
  const { templates } = opened.storage;
  await templates.insert('tpl_1', 'acc_a', content('one'), NOW);
  expect(await templates.addVersion('tpl_1', 'acc_b', content('mine'), NOW)).toBeNull();
  expect(await templates.delete('tpl_1', 'acc_b')).toBe(false);
  expect(await templates.delete('tpl_1', 'acc_a')).toBe(true);
  expect(await templates.find('tpl_1')).toBeNull();
  expect(await templates.document('tpl_1', 1)).toBeNull();
});

test('ten saves at once make ten versions', async () => {
  await using opened = await storageUnderTest();
  const { templates } = opened.storage;
  await templates.insert('tpl_1', 'acc_a', content('one'), NOW);
  const saves = Array.from({ length: 10 }, () => templates.addVersion('tpl_1', 'acc_a', content('x'), NOW));
  expect((await Promise.all(saves)).sort((a, b) => Number(a) - Number(b))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('a render is read back as it was written, by its own account', async () => {
  await using opened = await storageUnderTest();
  const { renders } = opened.storage;
  const base = { accountId: 'acc_a', kind: 'render', output: 'pdf', createdAt: NOW } as const;
  const rows = [
    { ...base, id: 'rnd_1', status: 'queued' },
    { ...base, id: 'rnd_2', status: 'done', size: 9, digest: null, warnings: [], finishedAt: NOW },
    { ...base, id: 'rnd_3', status: 'error', error: 'No such image.', finishedAt: NOW },
  ] as const;
  for (const row of rows) await renders.insert(row, null);
  for (const row of rows) expect(await renders.find('acc_a', row.id)).toEqual(row);
  expect(await renders.find('acc_b', 'rnd_1')).toBeNull();
});

test('a render and its unit come together or not at all', async () => {
  await using opened = await storageUnderTest();
  const { renders, usage } = opened.storage;
  const base = { accountId: 'acc_a', kind: 'render', output: 'png', createdAt: NOW } as const;
  const done = { ...base, status: 'done', size: 9, digest: null, warnings: [], finishedAt: NOW } as const;
  const totals = () => usage.totals('acc_a', '2026-11');

  await renders.insert({ ...done, id: 'rnd_1' }, '2026-11');
  expect(await renders.find('acc_a', 'rnd_1')).toEqual({ ...done, id: 'rnd_1' });
  expect(await totals()).toEqual({ used: 1, reserved: 0 });
  await expect(renders.insert({ ...done, id: 'rnd_1' }, '2026-11')).rejects.toThrow(/unique/i);
  await expect(renders.insert({ ...done, id: 'rnd_2', accountId: 'acc_none' }, '2026-11')).rejects.toThrow(
    /foreign key/i,
  );
  expect(await totals()).toEqual({ used: 1, reserved: 0 });

  await usage.reserve({ renderId: 'rnd_3', accountId: 'acc_a', period: '2026-11' }, 5, NOW);
  await renders.insert({ ...done, id: 'rnd_3' }, '2026-11');
  await renders.insert({ ...done, id: 'rnd_4' }, null);
  expect(await totals()).toEqual({ used: 2, reserved: 0 });
});

test('a transaction over several stores is all or nothing', async () => {
  await using opened = await storageUnderTest();
  const { storage } = opened;
  const unit = { renderId: 'rnd_1', accountId: 'acc_a', period: '2026-11' };
  const failing = storage.transaction(async ({ usage, accounts }) => {
    await usage.reserve(unit, null, null);
    await usage.commit(unit);
    await accounts.setPlan('acc_a', 'pro');
    throw new Error('stop');
  });
  await expect(failing).rejects.toThrow('stop');
  expect(await storage.usage.totals('acc_a', '2026-11')).toEqual({ used: 0, reserved: 0 });
  expect((await storage.accounts.find('acc_a'))?.plan).toBe('free');
});

test('secrets in force come newest first', async () => {
  await using opened = await storageUnderTest();
  const { secrets } = opened.storage;
  await secrets.insert('acc_a', 'signing', 'sgn_old', NOW);
  await secrets.insert('acc_a', 'signing', 'sgn_new', NOW);
  await secrets.insert('acc_a', 'webhook', 'whsec_x', NOW);
  expect(await secrets.active('acc_a', 'signing')).toEqual(['sgn_new', 'sgn_old']);
});
