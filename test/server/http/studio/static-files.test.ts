// Tests how the server serves the studio's files (issue 21, "What it must show" 8).

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveStudio } from '#server/http/studio/static-files.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { served } from '../served.ts';
import { serverUnderTest } from '../server-under-test.ts';

const SCRIPT = `console.log(${JSON.stringify('long enough to be packed '.repeat(100))})`;

async function built(folder: string) {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Platen</title>');
  await writeFile(join(folder, 'assets/main-Ab3dEf7h.js'), SCRIPT);
  await writeFile(join(folder, 'assets/main-Ab3dEf7h.js.map'), '{}');
  await writeFile(join(folder, 'theme.js'), SCRIPT);
}

test('pages have a strict policy, and every path that is no file is the page', async () => {
  await using folder = await temporaryFolder();
  await built(folder.path);
  await using studio = await served(serveStudio(folder.path));
  for (const path of ['/studio/', '/studio/accounts/acc_1/templates', '/studio/setup']) {
    const { status, headers } = await studio.get(path);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
    expect(policy).toMatch(/frame-ancestors 'none'; require-trusted-types-for 'script'/);
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
  }
  expect((await studio.get('/studio/assets/none.js')).status).toBe(404);
  expect((await studio.get('/studio/favicon.ico')).status).toBe(404);
});

test('hashed files are kept for ever, others are asked for again; both are packed where the client takes it', async () => {
  await using folder = await temporaryFolder();
  await built(folder.path);
  await using studio = await served(serveStudio(folder.path));
  const hashed = await studio.get('/studio/assets/main-Ab3dEf7h.js');
  expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const other = await studio.get('/studio/theme.js');
  expect(other.headers.get('cache-control')).toBe('no-cache');
  expect((await studio.get('/studio/theme.js', { 'if-none-match': other.headers.get('etag') ?? '' })).status).toBe(304);
  expect((await studio.get('/studio/assets/main-Ab3dEf7h.js.map')).status).toBe(404);

  const raw = async (encoding: string) => {
    const answer = await studio.get('/studio/theme.js', { 'accept-encoding': encoding });
    return [answer.headers.get('content-encoding'), await answer.text()];
  };
  // fetch decompresses the body.
  expect(await raw('gzip, br')).toEqual(['br', SCRIPT]);
  expect(await raw('gzip')).toEqual(['gzip', SCRIPT]);
  expect(await raw('identity')).toEqual([null, SCRIPT]);
});

test('no path leaves the folder', async () => {
  await using folder = await temporaryFolder();
  await built(folder.path);
  await writeFile(join(folder.path, '..', 'secret.txt'), 'secret');
  await using studio = await served(serveStudio(folder.path));
  for (const path of ['/studio/..%2fsecret.txt', '/studio/%2e%2e/secret.txt', '/studio/assets/..%2f..%2fsecret.txt']) {
    expect(await (await studio.get(path)).text()).not.toContain('secret');
  }
  await rm(join(folder.path, '..', 'secret.txt'));
});

test('a clone where nothing was built says how to build it; / leads to the studio', async () => {
  await using folder = await temporaryFolder();
  await using studio = await served(serveStudio(folder.path));
  const missing = await studio.get('/studio/');
  expect([missing.status, await missing.text()]).toEqual([404, expect.stringMatching(/npm run build:studio/)]);
  await using server = await serverUnderTest();
  const start = await server.ask('/', { key: null, headers: { accept: 'text/html' } });
  expect(start.text).toContain('href="studio/"');
  expect((await server.ask('/', { key: null })).text).toContain('/studio/');
  const bare = await server.ask('/studio', { key: null });
  expect([bare.status, bare.headers.location]).toEqual([302, 'studio/']);
});

test('below the path of PLATEN_PUBLIC_URL, pages name it, and requests may hold it', async () => {
  await using folder = await temporaryFolder();
  await built(folder.path);
  const page = '<link rel="icon" href="/studio/icon.svg" data-base /><script src="/studio/theme.js"></script>';
  await writeFile(join(folder.path, 'index.html'), page);
  await using studio = await served(serveStudio(folder.path, '/a'));
  expect(await (await studio.get('/studio/')).text()).toBe(page.replaceAll('"/studio/', '"/a/studio/'));

  await using server = await serverUnderTest({ PLATEN_PUBLIC_URL: 'https://img.example/a/b' });
  const status = async (path: string) => (await server.ask(path, { key: null })).status;
  for (const path of ['/healthz', '/a/b/healthz', '/a/b', '/a/b/', '/a/b?x=1'])
    expect(await status(path), path).toBe(200);
  for (const path of ['/a/bhealthz', '/a/healthz', '/a/b/a/b/healthz']) expect(await status(path), path).toBe(404);
  // What a key guards is guarded below the path too.
  expect([await status('/a/b/v1/account'), await status('/a/b//v1/account')]).toEqual([401, 404]);
  expect((await server.ask('/a/b/v1/account')).status).toBe(200);
});
