// Tests DATABASE_URL through PgBouncer: where connections do not keep their session, the start and doctor say so.

import { expect, onTestFinished, test, vi } from 'vitest';
import { examine } from '#server/maintenance/doctor-checks.ts';
import { createLog } from '#server/observability/log.ts';
import { startServer } from '#server/start-server.ts';
import { requireSession } from '#server/storage/server-lock.ts';
import { openStorage } from '#server/storage/storage.ts';
import { loadConfig } from '../../../../src/server/config/config.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { newDatabaseAlone } from '../new-database.ts';
import { startPgBouncer } from './pgbouncer.ts';

const SETTINGS = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];

test('in transaction mode a server does not start, and doctor says why', async () => {
  await using made = await newDatabaseAlone('migrated');
  await using bouncer = await startPgBouncer(made.location, 'transaction', SETTINGS);
  await using folder = await temporaryFolder();
  const env = { DATABASE_URL: bouncer.location, PLATEN_DATA: folder.path, PORT: '0' };
  const said = /^DATABASE_URL leads through a pooler in transaction mode.*pool_mode = session\.$/;
  const start = startServer(loadConfig(env), createLog('silent'));
  await expect(start).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(said) });
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { checks } = await examine();
  expect(checks.find(({ name }) => name === 'database')).toMatchObject({
    state: 'broken',
    message: expect.stringContaining('a pooler in transaction mode'),
  });
});

test('in session mode it is told which settings to let through, and then all goes well', async () => {
  await using made = await newDatabaseAlone('migrated');
  await using strict = await startPgBouncer(made.location, 'session');
  await requireSession(strict.location);
  await expect(openStorage(strict.location)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`ignore_startup_parameters = ${SETTINGS.join(', ')}`),
  });
  await using lenient = await startPgBouncer(made.location, 'session', SETTINGS);
  await requireSession(lenient.location);
  await using storage = await openStorage(lenient.location);
  expect(await storage.accounts.isEmpty()).toBe(true);
});
