// Renders the campaign of the samples by one request, by single requests and by signed URLs: the same 72 pictures, and
// how long each way takes.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type NamedValue, signedQuery } from '#server/service/rendering/signed-url.ts';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { postJson } from '../post-json.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const LANGUAGES = ['en', 'de', 'fr', 'ar'];
/** Single requests that are on their way at once, as of a batch. */
const AT_ONCE = 4;

type Result = {
  readonly id: string;
  readonly url: string;
  readonly size: string;
  readonly lang: string;
  readonly brand: string;
};

async function prepare(folder: string) {
  const file = join(import.meta.dirname, '../../samples/campaign/campaign.json');
  const { template, brands } = JSON.parse(await readFile(file, 'utf8')) as Record<'template' | 'brands', object>;
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder }));
  const { id: account } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
  const { key } = await services.keys.create(account, 'live');
  for (const [name, brand] of Object.entries(brands)) await services.brands.save(account, name, brand);
  const { id } = await services.templates.create(account, template);
  const { signing } = await services.accounts.secrets(account);
  return { key, template: id, signing, brands: Object.keys(brands) };
}

test('3 brands × 6 sizes × 4 languages', { timeout: 180_000 }, async () => {
  await using folder = await temporaryFolder();
  const { key, template, signing, brands } = await prepare(folder.path);
  await using server = await startProcess(folder.path, {});
  const post = async (body: object) => {
    const answer = await postJson(`${server.url}/v1/renders`, key, body);
    expect(answer.status).toBe(200);
    return answer.json();
  };
  const digestOf = async (url: string) => {
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    return createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
  };
  const timed = async <T>(work: () => Promise<T>) => {
    const begun = performance.now();
    return { made: await work(), seconds: (performance.now() - begun) / 1000 };
  };

  // Opens what every way needs, so that the first is not the slower for it.
  await post({ template, brand: brands, lang: LANGUAGES, size: 'all', modifications: { price: '1' } });

  const all = await timed(() => post({ template, brand: brands, lang: LANGUAGES, size: 'all' }));
  const { results } = all.made as { results: readonly Result[] };
  expect(all.made).toMatchObject({ count: 72, ok: 72 });
  const choices = results.map(({ size, lang, brand }) => ({ size, lang, brand }));
  const single = await timed(() => inTurn(choices, (choice) => post({ template, ...choice })));
  const signed = await timed(() =>
    inTurn(choices, (choice) => {
      const parameters: NamedValue[] = Object.entries(choice);
      const query = signedQuery(signing, { template, extension: 'png', parameters });
      return digestOf(`${server.url}/v1/templates/${template}/render.png?${query}`);
    }),
  );
  const digests = await inTurn(results, ({ url }) => digestOf(url));
  expect(new Set(digests).size).toBe(72);
  expect(await inTurn(single.made as Result[], ({ url }) => digestOf(url))).toEqual(digests);
  expect(signed.made).toEqual(digests);
  const told = { 'one request': all, '72 requests': single, '72 signed URLs': signed };
  for (const [way, { seconds }] of Object.entries(told)) console.log(`${way}: ${seconds.toFixed(2)} s`);
});

/** Does work for each, some at once; the results are in their order. */
async function inTurn<Item, Made>(items: readonly Item[], work: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) made[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return made;
}
