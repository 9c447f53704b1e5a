// Tests copying the rows of an older database into one of this version.

import { expect, test } from 'vitest';
import { migrate } from '#server/storage/migrate.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { copyRows } from '#server/storage/sqlite/copy-rows.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test('rows of an older schema keep what both have, sums are not counted again, and triggers go on', async () => {
  await using folder = await temporaryFolder();
  const [from, to] = [`${folder.path}/from.sqlite`, `${folder.path}/to.sqlite`];
  const source = await openDatabase(from);
  await migrate(source);
  await source('accounts').insert({ id: 'acc_1', plan: 'pro', created_at: 5, uploads_version: 7 });
  await source('images').insert({ id: 'img_1', account_id: 'acc_1', format: 'png', size: 3, created_at: 6 });
  const unit = { account_id: 'acc_1', period: '2026-11', state: 'used' };
  await source('usage_units').insert({ render_id: 'rnd_1', ...unit });
  await source('secrets').insert({ id: 40, account_id: 'acc_1', purpose: 'signing', secret: 's', created_at: 1 });
  await source.raw('DROP TABLE bulk_rows');
  await source.raw('ALTER TABLE images DROP COLUMN focus_x');
  await source.destroy();

  const target = await openDatabase(to);
  await migrate(target);
  await copyRows(from, target);
  expect(await target('accounts').select('id', 'plan', 'uploads_version')).toEqual([
    { id: 'acc_1', plan: 'pro', uploads_version: 8 },
  ]);
  expect(await target('images').select('id', 'size', 'focus_x')).toEqual([{ id: 'img_1', size: 3, focus_x: null }]);
  expect(await target('usage').select('used', 'reserved')).toEqual([{ used: 1, reserved: 0 }]);
  await target('usage_units').insert({ render_id: 'rnd_2', ...unit });
  expect(await target('usage').pluck('used')).toEqual([2]);
  await target('secrets').insert({ account_id: 'acc_1', purpose: 'webhook', secret: 't', created_at: 2 });
  expect(await target('secrets').pluck('id')).toEqual([40, 41]);
  await target.destroy();
});
