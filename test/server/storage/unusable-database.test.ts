// Tests the sentences about databases that cannot be opened.

import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStorage } from '#server/storage/storage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { check, sentences } from './opening-sentences.ts';

test('a host and a port where nothing listens are named, and the password is not', () =>
  check(
    'postgres://me:hush@127.0.0.1:1/cards',
    'The database "cards" at 127.0.0.1:1 as me, of DATABASE_URL, cannot be used: nothing listens there. Start PostgreSQL, or correct host and port in DATABASE_URL.',
  ));

test('a host that cannot be found', async () => {
  for (const sentence of await sentences('postgres://me:hush@nowhere.invalid/cards')) {
    expect(sentence).toMatch(
      /^AppError: The database "cards" at nowhere\.invalid:5432 as me, of DATABASE_URL, cannot be used: its host cannot be found\. Check the /,
    );
  }
});

test('a file that is no database', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'platen.sqlite');
  await writeFile(file, 'A letter to somebody, long enough to be read as the header of a database file. '.repeat(20));
  await expect(openStorage(file)).rejects.toThrow(
    `The database ${file} cannot be used: it is no SQLite database. Move it away, restore a backup, or set PLATEN_DATA to another folder.`,
  );
});

/** A server that answers each connection with an error (PostgreSQL's manual, "Message Formats": ErrorResponse). */
async function refusing(code: string, message: string) {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([head, fields])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

test('a wrong password, and words of the server that are not foreseen', async () => {
  using wrong = await refusing('28P01', 'password authentication failed for user "me"');
  await check(
    `postgres://me:hush@${wrong.host}/cards`,
    `The database "cards" at ${wrong.host} as me, of DATABASE_URL, cannot be used: the password is wrong, or there is no such user. Check user and password in DATABASE_URL.`,
  );
  using odd = await refusing('55000', 'database "cards" is not currently accepting connections');
  await check(
    `postgres://me:hush@${odd.host}/cards`,
    `The database "cards" at ${odd.host} as me, of DATABASE_URL, cannot be used: database "cards" is not currently accepting connections. Check DATABASE_URL.`,
  );
});
