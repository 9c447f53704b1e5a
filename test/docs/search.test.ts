// Tests what the search of the documentation finds first, with the built index.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { STUDIO_OPERATIONS } from '#server/http/studio/contract.ts';
import { buildDocs } from '../../scripts/docs/build-docs.ts';
import { ROOT } from './fences.ts';

// A script of the site, without types: its path is not for the compiler.
const rank: string = join(ROOT, 'scripts/docs/client/rank.js');
const { search, searchIndex } = await import(rank);

interface Passage {
  readonly name: string;
  readonly title: string;
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

let find: (query: string) => readonly Passage[];
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docs-'));
  await buildDocs(folder, async () => ({ bytes: Buffer.from('picture'), alt: 'x', width: 1, height: 1 }));
  const [file = ''] = (await readdir(join(folder, 'assets'))).filter((name) => name.startsWith('index-'));
  const pages = JSON.parse(await readFile(join(folder, 'assets', file), 'utf8')) as {
    name: string;
    title: string;
    passages: [string, string, string][];
  }[];
  await rm(folder, { recursive: true });
  const index = searchIndex(
    pages.flatMap(({ name, title, passages }) =>
      passages.map(([anchor, heading, text]) => ({ name, title, anchor, heading, text })),
    ),
  );
  find = (query) => search(index, query);
}, 120_000);

test.each([
  ['webhook', 'webhooks'],
  ['wbhook', 'webhooks'],
  ['webh', 'webhooks'],
  ['callback', 'webhooks'],
  ['signatuer', 'webhooks'],
  ['express raw body', 'webhooks#verifying-a-webhook'],
  ['idempotensy', 'webhooks#idempotency'],
  ['bulk', 'webhooks#batches'],
  ['multiple pages', 'documents#many-pages'],
  ['multipage', 'documents#many-pages'],
  ['multi-page pdf', 'documents#many-pages'],
  ['permissions', 'operating#keys-and-secrets'],
  ['sso', 'studio#single-sign-on'],
  ['nextjs', 'edge#nextjs'],
  ['CORS', 'signed-urls#cors-and-caching'],
  ['cross-origin', 'signed-urls#cors-and-caching'],
  ['caching', 'signed-urls#cors-and-caching'],
  ['signed url', 'signed-urls'],
  ['upload image', 'api#uploading'],
  ['custom font', 'fonts'],
  ['chromum', 'install#chromium'],
  ['prometheus', 'observability#metrics'],
  ['qr code', 'layers#qr'],
  ['gotenberg', 'moving#gotenberg'],
  ['cloudflare', 'edge#cloudflare-workers'],
])('"%s" finds %s first', (query, expected) => {
  const [first] = find(query);
  const found = expected.includes('#') ? `${first?.name}#${first?.anchor}` : first?.name;
  expect(found).toBe(expected);
});

test('requests of the studio are not among those that programs use', () => {
  const ofStudio = new Set(Object.keys(STUDIO_OPERATIONS));
  expect(ofStudio.size).toBeGreaterThan(50);
  for (const { summary } of Object.values(STUDIO_OPERATIONS)) {
    expect(find(summary).filter(({ name, anchor }) => name === 'api' && ofStudio.has(anchor))).toEqual([]);
  }
});
test('nothing is found for what is like no word', () => expect(find('xqzvvk jjqqx')).toEqual([]));
test('an empty query finds nothing', () => expect(find('  ')).toEqual([]));
