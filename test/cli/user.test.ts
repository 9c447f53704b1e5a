// Tests `platen user`: the people of the studio, and links for those who cannot sign in.

import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen } from './run-platen.ts';

test('people are made, listed, reset and let in by links', async () => {
  await using folder = await temporaryFolder();
  const run = async (...args: string[]) => platen(folder.path, args);
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  await run('account', 'create', '--email', 'me@example.com', '--plan', 'free');
  const link = /^http:\/\/127\.0\.0\.1:3000\/studio\/(setup|reset)#pll_\w{43}$/;
  expect((await json('user', 'link')).link).toMatch(link);
  expect(await json('user', 'create', '--email', 'Ada@Example.com', '--role', 'editor')).toMatchObject({
    email: 'ada@example.com',
    role: 'editor',
    link: expect.stringMatching(link),
  });
  expect((await run('user', 'list')).stdout).toMatch(/^ada@example\.com {2}Ada {2}editor of acc_\w+\n$/);
  expect((await json('user', 'reset', 'ada@example.com')).link).toMatch(link);
  expect((await json('user', 'link', 'ada@example.com')).link).toMatch(link);
  expect(await json('user', 'verify', 'ada@example.com', '--move', 'Lace@Example.com')).toMatchObject({
    email: 'lace@example.com',
  });
  expect((await run('user', 'verify', 'lace@example.com', '--move', 'ada@example.com')).stdout).toBe(
    "ada@example.com is Ada's.\n",
  );
  const claimed = await run('user', 'link');
  expect([claimed.status, claimed.stderr]).toEqual([1, expect.stringMatching(/say for whom/)]);
  expect((await run('user', 'link', 'eve@example.com')).stderr).toMatch(/Nobody is known by eve@example\.com/);
  expect((await run('user', 'create', '--email', 'ada@example.com')).stderr).toMatch(/already known/);
  const { entries } = await json('audit', '--action', 'person.verify');
  expect(entries).toMatchObject([
    { actor: { kind: 'command-line', id: null }, subject: { name: 'Ada' }, detail: 'ada@example.com' },
    { detail: 'lace@example.com' },
  ]);
  expect((await run('audit', '--action', 'person.lock-out')).stdout).toMatch(
    /^\S+Z {2}command-line {2}person\.lock-out {2}Ada\n$/,
  );
});

test('origins that may show the editor of an account are allowed, listed and removed', async () => {
  await using folder = await temporaryFolder();
  const origins = async (...args: string[]) =>
    JSON.parse((await platen(folder.path, ['account', 'origins', '--json', ...args])).stdout).origins;
  await platen(folder.path, ['account', 'create', '--email', 'me@example.com', '--plan', 'free']);
  expect(await origins()).toEqual([]);
  expect(await origins('--allow', 'https://a.example', 'HTTPS://B.example/')).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
  expect(await origins('--remove', 'https://a.example')).toEqual(['https://b.example']);
  const refused = await platen(folder.path, ['account', 'origins', '--allow', 'http://b.example']);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/origins\[1\].*https/)]);
});
