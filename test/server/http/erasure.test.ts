// Tests what is left of an account that was deleted: nothing, in any table and any file, while others keep all of theirs.
// Tests its export, in which all of it is.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage } from '#draw/fonts/catalog.ts';
import { createLog } from '#server/observability/log.ts';
import { eraseDeleted } from '#server/service/accounts/erasure.ts';
import { Leases } from '#server/service/leases.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { Variants } from '#server/service/rendering/variants.ts';
import { MOVED_TABLES } from '#server/storage/move/tables.ts';
import { openBlobs } from '#server/storage/open-blobs.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { unzip } from '../../unzip.ts';
import { filesNaming, rowsNaming } from '../service/accounts/rows-naming.ts';
import { NOW, SHAPES } from './server-under-test.ts';
import { type StudioUnderTest, studioUnderTest } from './studio/studio-under-test.ts';

const TTF = await readFile(
  join(findPackage('@expo-google-fonts/bricolage-grotesque') ?? '', '400Regular/BricolageGrotesque_400Regular.ttf'),
);
const PHOTO = await readFile('fixtures/assets/photo.jpg');
const BRANDED = {
  ...SHAPES,
  name: 'Branded',
  brand: 'acme@1',
  layers: [{ name: 'box', type: 'shape', width: 40, height: 20, fill: '$primary' }],
};

/** A server whose first account, and whose second, have rows in every table that is an account's. */
async function filled() {
  const post = async () => ({ status: 410, location: null });
  const studio = await studioUnderTest({}, { webhookTransport: { check: async () => {}, post } });
  const { server } = studio;
  const db = await openDatabase(server.database);
  for (const [account, key] of [
    [server.account, server.key],
    [server.other, server.otherKey],
  ] as const) {
    await fill(studio, account, key);
  }
  const owned = MOVED_TABLES.filter(({ owned }) => owned !== null);
  const counts = async (account: string) => {
    const rows = owned.map(async ({ name, owned }) => {
      const [row] = await db(name)
        .whereRaw(owned ?? '', { account })
        .count({ count: '*' });
      return [name, Number(row?.count)] as const;
    });
    return Object.fromEntries(await Promise.all(rows));
  };
  return {
    studio,
    server,
    db,
    counts,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await studio[Symbol.asyncDispose]();
    },
  };
}

async function fill({ server, idOf }: StudioUnderTest, account: string, key: string): Promise<void> {
  const { services } = server;
  await services.brands.save(account, 'acme', { colors: { primary: '#1d4ed8' } });
  const { id } = await services.templates.create(account, BRANDED);
  await services.templates.replace(account, id, BRANDED);
  const draft = { document: JSON.stringify(SHAPES), baseVersion: 2, savedAt: NOW, savedBy: idOf('owner') };
  await services.storage.drafts.save(id, 0, draft);
  await services.images.upload(account, PHOTO);
  await services.fonts.upload(account, TTF);
  const post = async (path: string, json: unknown, idempotency?: string) => {
    const headers = idempotency === undefined ? {} : { 'idempotency-key': idempotency };
    const answer = await server.post(path, json, { key, headers });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  await post('/v1/renders', { template: id });
  await post('/v1/renders', { template: id, async: true, webhookUrl: 'https://hooks.example.com/' }, 'once');
  await post('/v1/batches', { template: id, merge: 'zip', items: [{}, {}] });
  const query = signedQuery((await services.accounts.secrets(account)).signing, {
    template: id,
    extension: 'png',
    parameters: [],
  });
  expect((await server.ask(`/v1/templates/${id}/render.png?${query}`, { key: null })).status).toBe(200);
  const made = {
    id: `rvw_${account}`,
    accountId: account,
    templateId: id,
    createdBy: null,
    createdAt: NOW,
    endsAt: NOW,
  };
  await services.storage.reviews.insert({ ...made, version: null }, `hash of ${account}`);
  const remark = { answers: null, name: 'Bob', personId: null, text: 'Larger!', size: null, lang: null, point: null };
  const comment = { ...remark, id: `cmt_${account}`, accountId: account, reviewId: made.id, revision: 1 };
  await services.storage.reviews.addComment({ ...comment, createdAt: NOW, resolvedAt: null }, 9, null);
  await services.editorTokens.setOrigins(account, ['https://app.example.com']);
  await services.editorTokens.revoke(account, 'user-1', null);
  await services.links.invite(account, idOf('owner'), 'guest@example.com', 'viewer');
  const named = { accountId: account, kind: 'live', key: 'parts' } as const;
  await services.storage.idempotentAnswers.savePart(named, { place: 0, made: '{}', fingerprint: 'x' }, NOW);
  // Until all jobs, and the first attempt at the webhook, are over.
  const isOver = async () => {
    const filter = { status: 'done', kind: null, output: null, templateId: null } as const;
    const { items } = await services.storage.renders.page(account, filter, { limit: 9, after: null });
    const [delivery] = await services.storage.deliveries.list(account, 9);
    return [items.length, delivery?.log.length];
  };
  await expect.poll(isOver, { timeout: 60_000 }).toEqual([4, 1]);
}

/** As the server does once a minute, by another one on the same database and files. */
async function erase({ server }: Awaited<ReturnType<typeof filled>>): Promise<void> {
  const { storage, images, fonts, clock } = server.services;
  await using parts = new AsyncDisposableStack();
  const place = { dataFolder: server.folder, s3: null };
  const [assets, ofVariants] = [
    parts.use(await openBlobs(place, 'assets')),
    parts.use(await openBlobs(place, 'variants')),
  ];
  const leases = new Leases({ storage, clock, holder: 'test', alone: false });
  const variants = await Variants.open({ storage, blobs: ofVariants, capacity: 1e9, leases, alone: false, clock });
  const blobs = { assets, images: images.blobs, fonts: fonts.blobs };
  const log = createLog('silent', { write: () => {} });
  await eraseDeleted({ storage, blobs, variants, log }, new AbortController().signal);
}

test('a deleted account is refused at once, and erased from every table and file; others keep all', async () => {
  await using lab = await filled();
  const { server, studio, db, counts } = lab;
  const { account, other, services, folder } = server;
  // So that a table that is added has rows here, and says whose they are.
  expect(Object.entries(await counts(account)).filter(([, count]) => count === 0)).toEqual([]);
  const ids = [...new Set((await rowsNaming(db, [account])).join().match(/\b(tpl|rnd|img|fnt|key|blk|msg|lnk)_\w+/g))];
  expect(ids.length).toBeGreaterThan(10);
  const before = await counts(other);
  const asset = (await filesNaming(join(folder, 'assets'), ids))[0];
  expect((await server.ask(`/assets/${asset}`, { key: null })).status).toBe(200);

  await services.accounts.delete(account, byCommandLine);
  expect((await server.ask('/v1/account')).status).toBe(401);
  expect((await studio.ask('/settings')).status).toBe(404);
  expect((await server.ask(`/assets/${asset}`, { key: null })).status).toBe(404);
  expect((await studio.api('/session')).json).toMatchObject({ person: { name: 'owner' }, accounts: [] });

  await erase(lab);
  expect(await rowsNaming(db, [account, 'me@example.com'])).toEqual([]);
  // pg-boss keeps entries of ended jobs for an hour.
  const left = (await rowsNaming(db, ids)).filter((row) => !row.startsWith('pgboss.'));
  expect(left).toEqual([]);
  expect(await filesNaming(folder, ids)).toEqual([]);
  expect(await counts(other)).toEqual(before);
  expect((await server.ask('/v1/account', { key: server.otherKey })).status).toBe(200);

  // People are not the account's: each is deleted apart, and the log then knows only an id.
  const { people } = services;
  await people.delete((await people.findByEmail('owner@example.com')).id, byCommandLine);
  expect(await people.list()).toHaveLength(3);
  await erase(lab);
  const fields = ['name', 'actor_name', 'subject_name'].map((field) => `"${field}":"owner"`);
  expect(await rowsNaming(db, ['owner@example.com', ...fields])).toEqual([]);
});

test('an export holds all of the account, which can be opened and stored again, and no secret', async () => {
  await using lab = await filled();
  const { server, studio } = lab;
  const { account, services } = server;
  const { key } = await services.keys.create(account, 'live', undefined, {
    rights: ['manage-account'],
    templates: null,
  });
  const exported = await server.ask('/v1/account/export', { key });
  expect(exported.status).toBe(200);
  expect(exported.headers['content-disposition']).toBe(`attachment; filename="platen-${account}.zip"`);
  const files = unzip(exported.body);
  const json = (name: string) => JSON.parse(String(files.get(name)));

  const rows = (table: string) =>
    [...files.keys()]
      .filter((name) => name.startsWith(`${table}/`) && name.endsWith('.json'))
      .flatMap((name) => json(name));
  const [{ id: template }] = rows('templates');
  expect([1, 2].map((version) => json(`template_versions/${template}-${version}.json`))).toMatchObject([
    { version: 1, document: { name: 'Branded', brand: 'acme@1' } },
    { version: 2, document: { name: 'Branded' } },
  ]);
  expect(json(`drafts/${template}-draft.json`)).toMatchObject({ base_version: 2, document: SHAPES });
  expect(json('brand_versions/acme-1.json')).toMatchObject({
    name: 'acme',
    document: { colors: { primary: '#1d4ed8' } },
  });
  const again = json(`template_versions/${template}-2.json`).document;
  expect((await server.post('/v1/templates', again)).status).toBe(201);
  expect(files.get(`images/${rows('images')[0].id}.jpeg`)?.equals(PHOTO)).toBe(true);
  expect(files.get(`fonts/${rows('fonts')[0].id}`)?.equals(TTF)).toBe(true);
  const renders = rows('renders') as { id: string; output: string }[];
  expect(renders).toHaveLength(4);
  for (const { id, output } of renders) {
    const stored = await readFile(join(server.folder, 'assets', `${id}.${output}`));
    expect(files.get(`renders/${id}.${output}`)?.equals(stored)).toBe(true);
  }
  expect(rows('accounts')).toMatchObject([{ id: account, email: 'me@example.com' }]);
  expect(json('people.json')).toContainEqual(expect.objectContaining({ email: 'owner@example.com', role: 'owner' }));
  expect(rows('usage')).toMatchObject([{ period: '2026-11', used: 5 }]);
  expect(rows('audit_log')).toContainEqual(expect.objectContaining({ action: 'account.export' }));
  expect(json('export.json')).toEqual({ account, madeAt: NOW.toISOString(), missing: [] });
  // Nothing of another account.
  expect([...files.values()].filter((bytes) => bytes.includes(server.other))).toEqual([]);

  const all = [...files.values()].map((bytes) => bytes.toString('latin1')).join();
  const secrets = await services.accounts.secrets(account);
  expect(all).not.toMatch(/plt_(live|test)_|argon2|"hash"/);
  for (const secret of [...Object.values(secrets), studio.cookieOf('owner').split('=')[1] ?? ''])
    expect(all).not.toContain(secret);

  // A file that is damaged is named, and the rest is there.
  await writeFile(join(server.folder, 'assets', `${renders[0]?.id}.png`), 'x');
  const next = unzip((await server.ask('/v1/account/export', { key })).body);
  expect(JSON.parse(String(next.get('export.json'))).missing).toEqual([`renders/${renders[0]?.id}.png`]);
  // One more, of the template that was stored, and one less.
  expect(next.size).toBe(files.size);
});
