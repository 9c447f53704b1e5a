// Tests what a new operator needs from the command line: ids, keys, versions, and commands that default to the only
// account.

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ROOT } from '../command.ts';
import { serverUnderTest } from '../server/http/server-under-test.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen } from './run-platen.ts';

async function printed(data: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await platen(data, args);
  expect([status, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}

const idIn = (text: string, kind: string) => new RegExp(`${kind}_\\w+`).exec(text)?.[0] ?? '';

test('--version is the package’s', async () => {
  await using folder = await temporaryFolder();
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  expect(await printed(folder.path, '--version')).toBe(`${version}\n`);
});

test('accounts and keys are listed with their ids, and the only account is the default', async () => {
  await using folder = await temporaryFolder();
  const data = folder.path;
  const account = idIn(await printed(data, 'account', 'create', '--email', 'a@example.com', '--plan', 'free'), 'acc');
  expect(await printed(data, 'account', 'list')).toBe(`${account}  free  a@example.com\n`);

  const made = await printed(data, 'key', 'create', '--kind', 'test');
  const [key, secret = ''] = [idIn(made, 'key'), /plt_test_\w+/.exec(made)?.[0]];
  expect(await printed(data, 'key', 'list')).toBe(`${key}  test  …${secret.slice(-4)}  never used\n`);
  await printed(data, 'key', 'revoke', key);
  expect(await printed(data, 'key', 'list', '--account', account)).toBe(
    `${key}  test  …${secret.slice(-4)}  revoked\n`,
  );
  const scoped = ['key', 'create', '--kind', 'test', '--scope', 'render', 'read', '--json'];
  const reader = JSON.parse(await printed(data, ...scoped));
  expect(await printed(data, 'key', 'list')).toContain(`…${reader.key.slice(-4)}  never used  render, read\n`);
  const { keys } = JSON.parse(await printed(data, 'key', 'list', '--json'));
  expect(keys).toEqual([
    expect.objectContaining({ id: key, kind: 'test', scope: null }),
    expect.objectContaining({ id: reader.id, scope: { rights: ['render', 'read'], templates: null } }),
  ]);
  expect(JSON.stringify(keys)).not.toContain(secret);
  expect(await printed(data, 'secret', 'show')).toContain('whsec_');

  const other = idIn(await printed(data, 'account', 'create', '--email', 'b@example.com', '--plan', 'pro'), 'acc');
  const { status, stderr } = await platen(data, ['secret', 'show']);
  expect(status).toBe(1);
  for (const word of [account, other, '--account']) expect(stderr).toContain(word);
});

test('a template is pushed with the pictures beside it, and renders with them', async () => {
  await using server = await serverUnderTest();
  const folder = join(server.folder, 'cards');
  await mkdir(join(folder, 'pictures'), { recursive: true });
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c00' } });
  await writeFile(join(folder, 'pictures/red.png'), await picture.png().toBuffer());
  await copyFile(join(ROOT, 'fixtures/assets/logo.svg'), join(server.folder, 'logo.svg'));
  const image = { type: 'image', width: 20, height: 20 };
  const layers = {
    name: 'Card',
    width: 40,
    height: 20,
    layers: [
      { ...image, name: 'photo', src: 'pictures/red.png' },
      { ...image, name: 'again', x: 20, src: 'no-scheme:', fallback: './pictures/red.png' },
      { ...image, name: 'logo', src: 'logo.svg', width: 1, height: 1 },
    ],
  };
  const html = {
    name: 'Page',
    width: 40,
    height: 20,
    engine: 'html',
    renderer: 'satori',
    html: '<img data-layer="photo" src="pictures/red.png" width="40" height="20">',
  };
  const pushed = async (name: string, document: object) => {
    await writeFile(join(folder, name), JSON.stringify(document));
    return printed(server.folder, 'template', 'push', join(folder, name), '--account', server.account);
  };
  const said = await pushed('card.json', layers);
  expect(said).toMatch(
    /^Uploaded pictures\/red\.png as img_\w+\.\nUploaded \.\/pictures\/red\.png as img_\w+\.\nUploaded logo\.svg as img_\w+\.\nTemplate tpl_\w+, version 1\.\n$/,
  );
  for (const text of [said, await pushed('page.json', html)]) {
    const {
      status,
      text: answer,
      body,
    } = await server.ask(`/v1/templates/${idIn(text, 'tpl')}/preview`, {
      method: 'POST',
      json: {},
    });
    expect(status, answer.slice(0, 300)).toBe(200);
    const { data } = await sharp(body).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray((10 * 40 + 10) * 3, (10 * 40 + 10) * 3 + 3)]).toEqual([204, 0, 0]);
    expect([...data.subarray((10 * 40 + 30) * 3, (10 * 40 + 30) * 3 + 3)]).toEqual([204, 0, 0]);
  }
  const missing = await platen(server.folder, [
    ...['template', 'push', join(folder, 'card.json'), '--account', server.account, '--id', 'tpl_none'],
  ]);
  expect([missing.status, missing.stderr]).toEqual([1, 'platen: Template "tpl_none" not found.\n']);
});
