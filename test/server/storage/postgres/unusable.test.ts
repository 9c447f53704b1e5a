// Tests the sentences about databases of a real server that cannot be used.

import { randomBytes } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { check, sentences } from '../opening-sentences.ts';
import { runOn } from './run-on.ts';

test('a missing database, and a user without rights', async () => {
  const server = inject('postgres');
  const name = `guest_${randomBytes(6).toString('hex')}`;
  await runOn(server, `CREATE ROLE ${name} LOGIN`);
  await runOn(server, `CREATE DATABASE ${name}`);
  const at = new URL(server);
  const url = (database: string) => Object.assign(new URL(server), { username: name, pathname: `/${database}` }).href;
  const database = (its: string) => `The database "${its}" at ${at.host} as ${name}, of DATABASE_URL, cannot be used`;
  try {
    await check(
      url('missing'),
      `${database('missing')}: there is no database of this name. Create it with "createdb", or correct the name in DATABASE_URL.`,
    );
    expect((await sentences(url(name)))[1]).toBe(
      `AppError: ${database(name)}: the user may not create tables in it. Make the user its owner: ALTER DATABASE … OWNER TO …, or GRANT CREATE ON SCHEMA public TO ….`,
    );
  } finally {
    await runOn(server, `DROP DATABASE ${name} WITH (FORCE)`);
    await runOn(server, `DROP ROLE ${name}`);
  }
});
