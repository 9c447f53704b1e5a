// Tests the package as it is published: it is small, has no dependencies, and needs nothing but web APIs.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { buildClient } from '../../scripts/build-client.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const vectors = JSON.parse(readFileSync('test/corpora/signed-url.json', 'utf8'));

test('it is at most 12 KB, imports nothing, and signs and verifies with WebCrypto alone', async () => {
  await using folder = await temporaryFolder();
  const dist = await buildClient(join(folder.path, 'dist'));
  expect(readdirSync(dist)).toContain('index.d.ts');
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));
  const text = scripts.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n');
  expect([...text.matchAll(/from '([^.][^']*)'/g)]).toEqual([]);
  expect(gzipSync(text).length).toBeLessThanOrEqual(12_000);

  const out = join(folder.path, 'bundle');
  const lib = { entry: join(dist, 'index.js'), formats: ['iife' as const], name: 'platen', fileName: 'platen' };
  await build({ configFile: false, logLevel: 'silent', build: { lib, outDir: out, minify: false } });
  const bundle = readFileSync(join(out, readdirSync(out)[0]!), 'utf8');
  const web = { crypto, TextEncoder, Headers, atob, URL };
  const sandbox = createContext({ ...web });
  const { template, ext, canon, sig } = vectors.accept.find(({ name }: { name: string }) => name === 'one text');
  const parameters = JSON.stringify(Object.fromEntries(new URLSearchParams(canon)));
  const url = await runInContext(
    `${bundle}; platen.signUrl({ baseUrl: 'https://x.example', secret: '${vectors.signing_secret}', template: '${template}',
      extension: '${ext}', parameters: ${parameters} })`,
    sandbox,
  );
  expect(url).toContain(`sig=${sig}`);
  const { secret, body, note: _, ...headers } = vectors.webhook;
  const delivery = JSON.stringify({ secret, body, headers, tolerance: 0 });
  expect(await runInContext(`platen.verifyWebhook(${delivery})`, sandbox)).toMatchObject({ id: 'job_1' });
});

test('packing builds it first, and includes its licence', async () => {
  await using folder = await temporaryFolder();
  const flags = ['--json', '--foreground-scripts=false', '--pack-destination', folder.path];
  const { stdout } = await promisify(execFile)('npm', ['pack', ...flags], { cwd: 'clients/js' });
  const [{ files }] = JSON.parse(stdout);
  const paths = files.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'dist/index.js', 'dist/index.d.ts']));
});
