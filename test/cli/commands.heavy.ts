import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { SHAPES, serverUnderTest } from '../server/http/server-under-test.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen } from './run-platen.ts';

/** Runs a command with `--json` and returns the one JSON value that it prints. */
async function json(data: string, ...args: string[]): Promise<Record<string, string>> {
  const { status, stdout, stderr } = await platen(data, [...args, '--json']);
  expect([status, stderr], args.join(' ')).toEqual([0, '']);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

test('account, key, template and secret commands work beside a running server, which sees their work at once', async () => {
  await using server = await serverUnderTest({}, { exportAs: async () => Buffer.from('a picture') });
  const data = server.folder;
  const account = await json(data, 'account', 'create', '--email', 'a@example.com', '--plan', 'free');
  expect(account).toEqual({
    id: expect.stringMatching(/^acc_/),
    plan: 'free',
    email: 'a@example.com',
    displayName: null,
  });
  const id = account.id ?? '';

  const { id: keyId = '', key = '' } = await json(data, 'key', 'create', '--account', id, '--kind', 'live');
  expect([keyId, key]).toEqual([expect.stringMatching(/^key_/), expect.stringMatching(/^plt_live_/)]);
  expect((await server.ask('/v1/account', { key })).json).toMatchObject({ plan: 'free', email: 'a@example.com' });

  expect((await platen(data, ['account', 'set-plan', id, 'pro'])).status).toBe(0);
  expect((await server.ask('/v1/account', { key })).json.plan).toBe('pro');

  const file = join(data, 'card.json');
  await writeFile(file, JSON.stringify(SHAPES));
  const template = await json(data, 'template', 'push', file, '--account', id);
  expect(template).toEqual({ id: expect.stringMatching(/^tpl_/), version: 1 });
  const next = await json(data, 'template', 'push', file, '--account', id, '--id', template.id ?? '');
  expect(next).toEqual({ id: template.id, version: 2 });
  expect((await server.ask(`/v1/templates/${template.id}`, { key })).json).toMatchObject({
    version: 2,
    name: 'Shapes',
  });

  const secrets = await json(data, 'secret', 'show', '--account', id);
  expect(secrets).toEqual({
    signing: expect.stringMatching(/^sgn_/),
    webhook: expect.stringMatching(/^whsec_/),
  });
  const { url = '' } = await json(data, 'sign', template.id ?? '', 'png', '--account', id, '--set', 'box=red');
  const { pathname, search } = new URL(url);
  expect((await server.ask(pathname + search, { key: null })).status).toBe(200);

  const rotated = await json(data, 'secret', 'rotate', '--account', id);
  expect(rotated).toEqual({ signing: expect.stringMatching(/^sgn_/) });
  expect(await json(data, 'secret', 'show', '--account', id)).toEqual({ ...secrets, ...rotated });
  expect((await server.ask(pathname + search, { key: null })).status).toBe(200);
  expect(await json(data, 'secret', 'retire', '--account', id)).toEqual({ retired: 1 });
  expect((await server.ask(pathname + search, { key: null })).status).toBe(403);

  expect((await platen(data, ['key', 'revoke', keyId])).status).toBe(0);
  expect((await server.ask('/v1/account', { key })).status).toBe(401);
});

test('what is wrong goes to standard error, with exit status 1 and nothing on standard output', async () => {
  await using folder = await temporaryFolder();
  const wrong: [string[], string | RegExp][] = [
    [['account', 'create', '--email', 'a@b.c', '--plan', 'gold', '--json'], /there is no plan "gold".* free, pro/i],
    [['key', 'create', '--account', 'acc_x', '--json'], /no account "acc_x"/],
    [['key', 'revoke', 'key_x'], /no key "key_x"/],
    [['template', 'push', 'nowhere.json', '--account', 'acc_x'], /nowhere\.json does not exist/],
    [['frobnicate'], /unknown command/],
    [['render', 'nowhere.json', '-o', 'x.gif'], /must end in \.png/],
  ];
  await Promise.all(
    wrong.map(async ([args, message]) => {
      const { status, stdout, stderr } = await platen(folder.path, args);
      expect([status, stdout], args.join(' ')).toEqual([1, '']);
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain('    at ');
    }),
  );
});

test('a wrong configuration is said in words', async () => {
  await using folder = await temporaryFolder();
  const { status, stderr } = await platen(folder.path, ['serve'], { PORT: 'x', DATABASE_URL: 'mysql://db' });
  expect([status, stderr.split('\n').length]).toEqual([1, 3]);
  expect(stderr).toContain('PORT: must be a whole number');
  expect(stderr).toContain('DATABASE_URL: must be an address such as postgres://');
});

test('doctor --check finds a stored file that is not what was stored', async () => {
  await using folder = await temporaryFolder();
  const id = await (async () => {
    await using services = await openServices(loadConfig({ PLATEN_DATA: folder.path }));
    const account = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="3" height="3"/></svg>';
    return (await services.images.upload(account.id, Buffer.from(svg))).id;
  })();
  const sound = await platen(folder.path, ['doctor', '--check']);
  expect([sound.status, sound.stdout]).toEqual([0, expect.stringMatching(/^ *ok +stored files: /m)]);

  await writeFile(join(folder.path, 'images', id), '');
  const { status, stdout } = await platen(folder.path, ['doctor', '--check']);
  expect([status, stdout]).toEqual([1, expect.stringMatching(new RegExp(`^ *BROKEN +stored files: .*${id}`, 'm'))]);
  expect((await platen(folder.path, ['doctor'])).status).toBe(0);
});

test('doctor reports every variable and check', async () => {
  await using folder = await temporaryFolder();
  const { status, stdout } = await platen(folder.path, ['doctor', '--json'], { PLATEN_DATE: 'x' });
  const { variables, checks } = JSON.parse(stdout);
  expect(status).toBe(0);
  expect(variables).toContainEqual(expect.objectContaining({ name: 'PLATEN_DATA', set: folder.path }));
  const names = checks.map(({ name }: { name: string }) => name);
  expect(new Set(names)).toEqual(new Set(['node', 'configuration', 'studio', 'database', 'fonts', 'chromium']));
  expect(checks).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('did you mean PLATEN_DATA?') }),
  );

  const broken = await platen(folder.path, ['doctor'], { PORT: 'x' });
  expect(broken.status).toBe(1);
  expect(broken.stdout).toContain('BROKEN   configuration: PORT: must be a whole number');
  const blind = await platen(folder.path, ['doctor'], { CHROMIUM_PATH: '/nowhere' });
  expect(blind.stdout).toContain(
    'BROKEN   chromium: CHROMIUM_PATH names /nowhere, which is no program that can be run',
  );
});
