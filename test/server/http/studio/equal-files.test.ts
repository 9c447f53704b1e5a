// Tests the studio's uploads: equal files are stored once; and that a wrong password is refused by a sentence.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../command.ts';
import { studioUnderTest } from './studio-under-test.ts';

test('equal image files are stored once in an account, and apart from those of others', async () => {
  await using studio = await studioUnderTest();
  const file = await readFile(join(ROOT, 'samples/assets/espresso.jpg'));
  const upload = async (name: string, raw: Buffer) =>
    (await studio.ask(`/images?name=${name}`, { method: 'POST', raw, headers: { 'content-type': 'image/jpeg' } })).json;
  const first = await upload('espresso.jpg', file);
  expect(await upload('again.jpg', file)).toEqual(first);
  const other = await upload('other.jpg', await readFile(join(ROOT, 'samples/assets/dandelion.jpg')));
  expect(other).not.toMatchObject({ id: (first as { id: string }).id });
  const { items } = (await studio.ask('/images')).json as { items: readonly { name: string }[] };
  expect(items.map(({ name }) => name).sort()).toEqual(['espresso.jpg', 'other.jpg']);

  const elsewhere = await studio.api(`/accounts/${studio.server.other}/images?name=mine.jpg`, {
    ...{ as: 'stranger', method: 'POST', raw: file, headers: { 'content-type': 'image/jpeg' } },
  });
  expect(elsewhere.status).toBe(201);
  expect(elsewhere.json).not.toMatchObject({ id: (first as { id: string }).id });
});

test('a wrong password is refused by a sentence', async () => {
  await using studio = await studioUnderTest();
  const body = { current: 'not the password', password: 'four quiet words here' };
  const { people } = studio.server.services;
  const person = await people.create({ email: 'p@example.com', name: 'P', password: 'the right password' });
  const { token } = await studio.server.services.sessions.begin(person.id, { address: '127.0.0.1', agent: 'test' });
  const { json } = await studio.api('/me/password', { as: `__Host-platen=${token}`, method: 'PUT', json: body });
  expect(json).toMatchObject({ error: 'The password is wrong.' });
});
