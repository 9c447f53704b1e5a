// Tests single sign-on in the server as it is documented to be started, and what `platen doctor` says of the provider.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { platen } from './cli/run-platen.ts';
import { ROOT } from './command.ts';
import { CLIENT, type TestIssuer, testIssuer } from './server/http/studio/test-issuer.ts';
import { startProcess } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

const COMMANDS: Readonly<Record<string, string[]>> = {
  'platen serve': [process.execPath, join(ROOT, 'bin/platen.mjs'), 'serve'],
  'npm start': ['npm', 'start', '--prefix', ROOT],
  'node src/main.ts': [process.execPath, join(ROOT, 'src/main.ts')],
};

const oidc = ({ url }: TestIssuer) => ({
  ...{ PLATEN_OIDC_ISSUER: url, PLATEN_OIDC_CLIENT_ID: CLIENT.id, PLATEN_OIDC_CLIENT_SECRET: CLIENT.secret },
});

test.each(Object.keys(COMMANDS))('%s: the owner signs in through the identity provider', async (name) => {
  await using folder = await temporaryFolder();
  await using issuer = await testIssuer();
  const passwordFile = join(folder.path, 'password');
  await writeFile(passwordFile, 'four quiet words here');
  const owner = { PLATEN_OWNER_EMAIL: 'ada@example.com', PLATEN_OWNER_PASSWORD_FILE: passwordFile };
  await using server = await startProcess(join(folder.path, 'data'), { ...oidc(issuer), ...owner }, COMMANDS[name]);
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${server.url}/v1/studio/session/provider${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url, cookie },
      body: JSON.stringify(body),
    });

  const started = await post('/start', {});
  const { url } = await started.json();
  expect(started.status, server.problems).toBe(200);
  // As a browser would: the provider redirects to the studio, whose page passes the query on.
  const redirect = await fetch(url, { redirect: 'manual' });
  const back = new URL(redirect.headers.get('location') ?? '');
  expect(back.href).toContain(`${server.url}/studio/oidc?code=`);
  const cookie = started.headers.getSetCookie()[0]?.split(';')[0];
  const signedIn = await post('', { query: back.search }, cookie);
  expect([signedIn.status, await signedIn.json()]).toMatchObject([200, { person: { email: 'ada@example.com' } }]);
  expect(signedIn.headers.getSetCookie().at(-1)).toMatch(/^__Host-platen=pls_/);
});

test('platen doctor says that the identity provider answers, and what is wrong when it does not', async () => {
  await using folder = await temporaryFolder();
  await using issuer = await testIssuer();
  const check = async (env: Record<string, string>) => {
    const { stdout } = await platen(folder.path, ['doctor', '--json'], { ...oidc(issuer), ...env });
    return JSON.parse(stdout).checks.find((one: { name: string }) => one.name === 'identity provider');
  };
  expect(await check({})).toEqual({ name: 'identity provider', state: 'ok', message: `${issuer.url}.` });
  issuer.claimedIssuer = 'https://evil.example';
  expect(await check({})).toMatchObject({ state: 'broken', message: expect.stringContaining('https://evil.example') });
  await issuer[Symbol.asyncDispose]();
  expect(await check({})).toMatchObject({
    state: 'broken',
    message: expect.stringMatching(/cannot be read: .*ECONNREFUSED.*Check PLATEN_OIDC_ISSUER\.$/),
  });
});
