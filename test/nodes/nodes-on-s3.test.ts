// Tests two servers that share only a database and a bucket: each serves what the other stored, and a second server
// that could not reach the files of the first is refused.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage } from '#draw/fonts/catalog.ts';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { quadrants } from '../draw/images/pictures.ts';
import { ACCESS_KEY, BUCKET, s3Server } from '../server/storage/s3/s3-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { forEach, startNodes } from './nodes.ts';

const PAIRS = 40;
const PNG = await quadrants().png().toBuffer();
const FONTS = findPackage('@expo-google-fonts/bricolage-grotesque') ?? '';
const FONT = await readFile(join(FONTS, '700Bold/BricolageGrotesque_700Bold.ttf'));

test('what one server keeps the other one shows, draws with, and counts once', async () => {
  await using s3 = await s3Server();
  await using second = await temporaryFolder();
  const env = {
    PLATEN_SHARED_FILES: 'false',
    ASSETS_URL: `s3://${BUCKET}/platen?endpoint=${s3.endpoint}`,
    ...ACCESS_KEY,
  };
  await using nodes = await startNodes({ count: 1, env });
  await nodes.add({ PLATEN_DATA: second.path });
  const [one, other] = nodes.servers.map(({ url }) => url);
  const { accounts, keys, templates } = nodes.services;
  const { id } = await accounts.create({ email: null, displayName: null, plan: 'pro' });
  const { key } = await keys.create(id, 'live');
  const { signing } = await accounts.secrets(id);
  const headers = { authorization: `Bearer ${key}` };
  const post = async (url: string, body: Buffer | object, type = 'application/json') => {
    const raw = Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
    const response = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': type }, body: raw });
    const json = (await response.json()) as Record<string, string>;
    expect(response.status, JSON.stringify(json)).toBeLessThan(300);
    expect(response.headers.get('platen-warnings')).toBeNull();
    return json;
  };

  const image = (await post(`${one}/v1/images`, PNG, 'image/png')).id;
  const { family } = await post(`${one}/v1/fonts`, FONT, 'font/ttf');
  const { id: template } = await templates.create(id, {
    name: 'Card',
    width: 60,
    height: 40,
    layers: [
      { name: 'photo', type: 'image', src: image, width: 20, height: 20 },
      { name: 'word', type: 'text', text: 'Hi', fontFamily: family, fontSize: 16, width: 60 },
    ],
  });
  const made = await post(`${other}/v1/renders`, { template });
  const path = new URL(made.url ?? '').pathname;
  const shown = await Promise.all([one, other].map(async (url) => fetch(`${url}${path}`)));
  expect(shown.map(({ status }) => status)).toEqual([200, 200]);

  await forEach(PAIRS, 4, async (index) => {
    const query = signedQuery(signing, { template, extension: 'png', parameters: [['word', `n ${index}`]] });
    const pair = [one, other].map(async (url) => {
      const response = await fetch(`${url}/v1/templates/${template}/render.png?${query}`);
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    });
    const [a, b] = await Promise.all(pair);
    expect([a?.status, b?.status]).toEqual([200, 200]);
    expect(a?.bytes.equals(b?.bytes ?? Buffer.alloc(0))).toBe(true);
  });
  const db = await openDatabase(nodes.database);
  const units = await db('usage_units').where({ account_id: id, state: 'used' });
  await db.destroy();
  expect(units).toHaveLength(1 + PAIRS);
  expect([...s3.objects.keys()].filter((name) => name.includes('/variants/rnd_'))).toHaveLength(PAIRS);
});

test('a second server with files of its own is refused, and says what to do', async () => {
  await using nodes = await startNodes({ count: 1, env: { PLATEN_SHARED_FILES: 'false' } });
  await using second = await temporaryFolder();
  await expect(nodes.add({ PLATEN_DATA: second.path })).rejects.toThrow(
    /^platen: Another Platen server is running on this database, and this one would keep its files in another folder/,
  );
  const [first] = nodes.servers;
  if (!first) throw new Error('none was started');
  const dead = once(first.child, 'exit');
  process.kill(first.pid, 'SIGKILL');
  await dead;
  await nodes.add({ PLATEN_DATA: second.path });
});
