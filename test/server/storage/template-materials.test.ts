// Tests the index of what templates use: kept by saves, filled for templates that were there before it.

import { expect, test } from 'vitest';
import type { PinnedMaterial } from '#design/references-in.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import type { Storage } from '#server/storage/storage.ts';
import { NOW, storageUnderTest } from './open-storage.ts';

const ACME = { kind: 'brand', name: 'acme' } as const;
const acme = (version: number): PinnedMaterial => ({ ...ACME, version });
const ALL = { limit: 50, after: null };
const summaryOf = (name: string) => ({ name, width: 10, height: 10, engine: 'layers' });
const contentOf = (name: string, ...materials: readonly PinnedMaterial[]) => ({
  ...{ summary: summaryOf(name), document: '{}', materials },
});
const names = async ({ templateMaterials }: Storage, newest: number, material: PinnedMaterial | typeof ACME = ACME) =>
  (await templateMaterials.outdated('acc_a', material, newest, ALL)).items.map(
    ({ name, version, used }) => `${name}@${version} uses ${used}`,
  );

test('a template is found by what its newest version uses, in its own account, until it is deleted', async () => {
  await using opened = await storageUnderTest();
  const { storage } = opened;
  const { templates, templateMaterials } = storage;
  await templates.insert('tpl_1', 'acc_a', contentOf('one', acme(1)), NOW);
  await templates.insert('tpl_2', 'acc_a', contentOf('Two', acme(2), { ...acme(1), kind: 'template' }), NOW);
  await templates.insert('tpl_3', 'acc_b', contentOf('three', acme(1)), NOW);
  expect(await names(storage, 3)).toEqual(['one@1 uses 1', 'Two@1 uses 2']);
  expect(await names(storage, 2)).toEqual(['one@1 uses 1']);
  expect(await names(storage, 2, { ...acme(1), kind: 'template' })).toEqual(['Two@1 uses 1']);
  await templates.addVersion('tpl_1', 'acc_a', contentOf('one', acme(3)), NOW);
  await templates.addVersion('tpl_2', 'acc_a', contentOf('two', acme(2)), NOW);
  expect(await names(storage, 3)).toEqual(['two@2 uses 2']);
  expect(await names(storage, 4)).toEqual(['one@2 uses 3', 'two@2 uses 2']);
  expect(await templateMaterials.countOutdated('acc_a', ACME, 4)).toBe(2);
  await templates.markDeleted('tpl_1', 'acc_a', NOW);
  expect(await names(storage, 4)).toEqual(['two@2 uses 2']);
  await templates.undelete('tpl_1', 'acc_a', NOW);
  await templates.delete('tpl_2', 'acc_a');
  expect(await names(storage, 4)).toEqual(['one@2 uses 3']);
});

test('pages go on after a template that has left the list meanwhile', async () => {
  await using opened = await storageUnderTest();
  const { templates, templateMaterials } = opened.storage;
  for (const name of ['a', 'b', 'c', 'd'])
    await templates.insert(`tpl_${name}`, 'acc_a', contentOf(name, acme(1)), NOW);
  const page = (after: string | null) => templateMaterials.outdated('acc_a', ACME, 2, { limit: 2, after });
  const { items, next } = await page(null);
  expect(items.map(({ id }) => id)).toEqual(['tpl_a', 'tpl_b']);
  for (const { id, name } of items) await templates.addVersion(id, 'acc_a', contentOf(name, acme(2)), NOW);
  const rest = await page(next);
  expect([rest.items.map(({ id }) => id), rest.next]).toEqual([['tpl_c', 'tpl_d'], null]);
});

test('a template is told of newer versions of its brand and its components, not of deleted ones', async () => {
  await using opened = await storageUnderTest();
  const { templates, brands, templateMaterials } = opened.storage;
  await templates.insert('tpl_badge', 'acc_a', contentOf('Badge'), NOW);
  for (let version = 1; version <= 2; version++) {
    await brands.save('acc_a', 'acme', '{}', NOW);
    await templates.addVersion('tpl_badge', 'acc_a', contentOf('Badge'), NOW);
  }
  const badge = { kind: 'template', name: 'tpl_badge', version: 1 } as const;
  await templates.insert('tpl_1', 'acc_a', contentOf('one', badge, acme(1)), NOW);
  await templates.insert('tpl_2', 'acc_a', contentOf('two', { ...badge, version: 3 }, acme(2)), NOW);
  expect(await templateMaterials.newerOf('acc_a', 'tpl_1')).toEqual([
    { ...ACME, title: 'acme', used: 1, newest: 2 },
    { kind: 'template', name: 'tpl_badge', title: 'Badge', used: 1, newest: 3 },
  ]);
  expect(await templateMaterials.newerOf('acc_a', 'tpl_2')).toEqual([]);
  expect(await templateMaterials.countsByBrand('acc_a')).toEqual(new Map([['acme', 1]]));
  await brands.delete('acc_a', 'acme', NOW);
  await templates.markDeleted('tpl_badge', 'acc_a', NOW);
  expect(await templateMaterials.newerOf('acc_a', 'tpl_1')).toEqual([]);
});

test('templates that a server of before the index saved meanwhile are indexed some at a time', async () => {
  await using opened = await storageUnderTest();
  const { storage, location } = opened;
  const { templates, templateMaterials } = storage;
  const document = (brand: string) => JSON.stringify({ name: 'x', width: 1, height: 1, brand, layers: [] });
  await templates.insert('tpl_1', 'acc_a', contentOf('one', acme(3)), NOW);
  await templates.insert('tpl_2', 'acc_a', contentOf('two', acme(1)), NOW);
  // As that server saves: rows of templates and versions alone.
  const db = await openDatabase(location);
  const save = async (id: string, version: number, text: string) => {
    await db('template_versions').insert({ template_id: id, version, document: text, created_at: 0 });
    await db('templates').where({ id }).update({ version });
  };
  await save('tpl_1', 2, document('acme@1'));
  await save('tpl_2', 2, JSON.stringify({ name: 'plain', width: 1, height: 1, layers: [] }));
  const at = { created_at: 0, updated_at: 0, save_order: 9 };
  await db('templates').insert({ id: 'tpl_3', account_id: 'acc_a', version: 0, ...summaryOf('three'), ...at });
  await save('tpl_3', 1, document('acme@2'));
  await db.destroy();
  expect(await names(storage, 3)).toEqual([]);
  expect([await templateMaterials.indexOthers(2), await templateMaterials.indexOthers(2)]).toEqual([2, 1]);
  expect(await names(storage, 3)).toEqual(['one@2 uses 1', 'three@1 uses 2']);
  expect(await templateMaterials.indexOthers(2)).toBe(0);
});
