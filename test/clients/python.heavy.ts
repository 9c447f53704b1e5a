// Runs the Python client's own tests against the real server.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SHAPES, serverUnderTest } from '../server/http/server-under-test.ts';

test('the Python client passes its own tests', async () => {
  await using server = await serverUnderTest();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const scope = { rights: ['manage-secrets'], templates: null } as const;
  const secrets = await server.services.keys.create(server.account, 'live', undefined, scope);
  const env = {
    ...process.env,
    PLATEN_URL: server.url,
    PLATEN_KEY: server.key,
    PLATEN_SECRETS_KEY: secrets.key,
    PLATEN_TEMPLATE: id,
  };
  const python = promisify(execFile)('python3', ['-B', '-W', 'error', 'test_platen.py'], {
    cwd: 'clients/python',
    env,
  });
  expect((await python).stderr).toMatch(/Ran 20 tests in [\s\S]*\nOK/);
});
