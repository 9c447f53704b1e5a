// Tests how the server serves the documentation: headers, addresses, and the answer where it was not built.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveDocs } from '#server/http/server.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { served } from './served.ts';
import { serverUnderTest } from './server-under-test.ts';

test('pages, by their names, are checked by their etags and run nothing from elsewhere', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'assets'));
  await writeFile(join(folder.path, 'index.html'), '<h1>Home</h1>');
  await writeFile(join(folder.path, 'webhooks.html'), '<h1>Webhooks</h1>');
  await writeFile(join(folder.path, 'assets/site-Ab3dEf7hIj0k.css'), 'body {}');
  await using docs = await served(serveDocs(folder.path));
  expect(await (await docs.get('/docs/')).text()).toBe('<h1>Home</h1>');
  const page = await docs.get('/docs/webhooks');
  expect([page.status, await page.text()]).toEqual([200, '<h1>Webhooks</h1>']);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';/);
  expect(policy).toMatch(/frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const etag = page.headers.get('etag') ?? '';
  expect((await docs.get('/docs/webhooks', { 'if-none-match': etag })).status).toBe(304);
  const style = await docs.get('/docs/assets/site-Ab3dEf7hIj0k.css');
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const path of ['/docs/none', '/docs/assets/none.css', '/docs/../package.json', '/docs/webhooks/']) {
    expect((await docs.get(path)).status, path).toBe(404);
  }
});

test('where nothing was built it says how to build it', async () => {
  await using folder = await temporaryFolder();
  await using docs = await served(serveDocs(folder.path));
  const answer = await docs.get('/docs/');
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('npm run build:docs')]);
});

test('/docs leads to it, below whatever path a proxy has put before', async () => {
  await using server = await serverUnderTest();
  const { status, headers } = await server.ask('/docs', { key: null });
  expect([status, headers.location]).toEqual([302, 'docs/']);
});
