// Tests that the erasure of an account goes on where a killed server has left it, wherever that was, and that two servers do
// not disturb each other.

import { expect, test } from 'vitest';
import { inspectImage } from '#draw/images/inspect.ts';
import { createLog } from '#server/observability/log.ts';
import { Accounts } from '#server/service/accounts/accounts.ts';
import { eraseDeleted } from '#server/service/accounts/erasure.ts';
import { Keys } from '#server/service/accounts/keys.ts';
import { ImageLibrary } from '#server/service/files/images.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { TemplateLibrary } from '#server/service/templates/templates.ts';
import { type BlobStore, openFileBlobs } from '#server/storage/blobs.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { openStorage, type Storage } from '#server/storage/storage.ts';
import { newId } from '../../../../src/base/ids.ts';
import { quadrants } from '../../../draw/images/pictures.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { failStatements } from '../../storage/failing-statements.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';
import { filesNaming, rowsNaming } from './rows-naming.ts';

const PNG = await quadrants().png().toBuffer();
const CARD = { name: 'Card', width: 10, height: 10, layers: [] };
/** Every fourth statement, or with `WHOLE=1` each. */
const STEP = process.env.WHOLE ? 1 : 4;
const log = createLog('silent', { write: () => {} });

async function lab() {
  await using parts = new AsyncDisposableStack();
  const { storage, location } = parts.use(await storageUnderTest());
  const { path: folder } = parts.use(await temporaryFolder());
  const open = async (name: string) => parts.use(await openFileBlobs(`${folder}/${name}`));
  const [assets, images, fonts, variants] = [
    await open('assets'),
    await open('images'),
    await open('fonts'),
    await open('variants'),
  ];
  const db = await openDatabase(location);
  parts.defer(() => db.destroy());
  const accounts = new Accounts(storage, { free: { quota: 1, blocks: true } }, () => NOW);
  const library = new ImageLibrary(storage, images, inspectImage, () => NOW);
  const templates = new TemplateLibrary(storage, () => NOW);
  const owned = parts.move();

  /** A deleted account with some of everything. Returns the ids that must not be found any more. */
  const deleted = async (): Promise<string[]> => {
    const { id } = await accounts.create({ email: null, displayName: null, plan: 'free' });
    const template = await templates.create(id, CARD);
    await templates.replace(id, template.id, CARD);
    const image = await library.upload(id, PNG);
    const key = await new Keys(storage, () => NOW).create(id, 'live');
    const renders = Array.from({ length: 3 }, () => newId('rnd'));
    for (const render of renders) {
      const row = {
        id: render,
        accountId: id,
        kind: 'render',
        output: 'png',
        createdAt: NOW,
        finishedAt: NOW,
      } as const;
      await assets.put(`${render}.png`, PNG);
      await storage.renders.insert({ ...row, status: 'done', size: PNG.length, digest: null, warnings: [] }, '2026-11');
    }
    const variant = newId('rnd');
    await variants.put(`${variant}.png`, PNG);
    const drawn = {
      templateId: template.id,
      extension: 'png',
      size: PNG.length,
      digest: null,
      diagnostics: [],
      usedAt: NOW,
    };
    await storage.variants.save({ ...drawn, key: variant, id: variant });
    await accounts.delete(id, byCommandLine);
    return [id, template.id, image.id, key.id, variant, ...renders];
  };
  const erase = (on: Storage = storage) => {
    const forgetDeleted = async () => {
      const found = await on.variants.orphans(100);
      for (const { id, extension } of found) await variants.delete(`${id}.${extension}`);
      if (found.length > 0) await on.variants.dropOrphans(found.map(({ id }) => id));
    };
    const blobs: Record<'assets' | 'images' | 'fonts', BlobStore> = { assets, images, fonts };
    return eraseDeleted({ storage: on, blobs, variants: { forgetDeleted }, log }, new AbortController().signal);
  };
  return { storage, location, db, folder, deleted, erase, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('wherever a server is killed, no row is gone before its file, and the next one finishes', async () => {
  await using under = await lab();
  const { db, folder, deleted, erase } = under;
  let kills = 0;
  for (let statement = 1; ; statement += STEP) {
    const ids = await deleted();
    {
      using failing = failStatements(statement, 'all');
      await erase().catch(() => {});
      if (!failing.failed()) break;
    }
    kills += 1;
    const rows = (await rowsNaming(db, ids)).join();
    for (const file of await filesNaming(folder, ids)) {
      const [id = ''] = (file.split('/')[1] ?? '').split('.');
      expect(rows, `${file}, statement ${statement}`).toContain(`"id":"${id}"`);
    }
    await erase();
    expect(await rowsNaming(db, ids), `statement ${statement}`).toEqual([]);
    expect(await filesNaming(folder, ids)).toEqual([]);
  }
  expect(kills).toBeGreaterThan(30 / STEP);
});

test('two servers that erase at the same time', async () => {
  await using under = await lab();
  const { location, db, folder, deleted, erase } = under;
  await using second = await openStorage(location);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(...(await deleted()));
  await Promise.allSettled([erase(), erase(second)]);
  // What PostgreSQL has refused to one of both as a deadlock is done a minute later.
  await erase();
  expect(await rowsNaming(db, ids)).toEqual([]);
  expect(await filesNaming(folder, ids)).toEqual([]);
});

test('what a request stores while its account is erased goes too, and nothing can be stored afterwards', async () => {
  await using under = await lab();
  const { storage, db, folder, deleted, erase } = under;
  const ids = await deleted();
  const [account = ''] = ids;
  const { erasure } = storage;
  const late = newId('rnd');
  const row = { id: late, accountId: account, kind: 'render', output: 'png', createdAt: NOW, finishedAt: NOW } as const;
  const insert = () => storage.renders.insert({ ...row, status: 'done', size: 1, digest: null, warnings: [] }, null);
  const finish = erasure.finishAccount.bind(erasure);
  let attempts = 0;
  Object.assign(erasure, {
    finishAccount: async (id: string) => {
      attempts += 1;
      if (attempts === 1) await insert();
      return finish(id);
    },
  });
  await erase();
  expect(attempts).toBe(2);
  expect(await rowsNaming(db, [...ids, late])).toEqual([]);
  expect(await filesNaming(folder, ids)).toEqual([]);
  await expect(insert()).rejects.toThrow(/foreign key/i);
});
