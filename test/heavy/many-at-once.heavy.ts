// Tests that the same request gives the same bytes, whoever sends it and whatever else runs: cached rasters, glyphs,
// encoded rows and shared memory serve many callers at once, and no picture may contain a trace of another.
//
// Every eighth fixture is drawn, as PNG and as one of the other outputs in rotation; with `WHOLE=1` each, as each of them.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Output, REQUEST_OUTPUTS } from '#draw/output/formats.ts';
import { openServices } from '#server/services.ts';
import { loadAssets } from '../../bench/assets.ts';
import { randomFrom, shuffled } from '../../bench/statistics.ts';
import { WORKLOADS } from '../../bench/workloads.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { CASES } from '../golden/cases.ts';
import { canDraw } from '../golden/render-case.ts';
import { sampled } from '../sampled.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Request {
  readonly template: string;
  readonly modifications: Readonly<Record<string, unknown>>;
  readonly output: Output;
}

/** Without AVIF, which the library alone encodes, in hundreds of ms. */
const OUTPUTS = REQUEST_OUTPUTS.filter((output) => output !== 'avif');
/** Renders of each card and output, each with other words. */
const RENDERS_OF_A_CARD = process.env.WHOLE ? 24 : 6;
const RENDERS_OF_A_FIXTURE = 2;
const WORDS = ['Sphinx', 'of black quartz', 'judge', 'my vow', 'Ångström', 'AV To', 'fjord 1984'];

test('six at a time, one at a time with nothing kept, and five with little kept: the same bytes', async () => {
  await using folder = await temporaryFolder();
  const { key, requests } = await prepare(folder.path);
  const busy = await answers(folder.path, key, requests, 6, {});
  const alone = await answers(folder.path, key, shuffled(requests, randomFrom(1)), 1, { PLATEN_CACHE_MB: '0' });
  const tight = await answers(folder.path, key, shuffled(requests, randomFrom(2)), 5, { PLATEN_CACHE_MB: '16' });
  const wrong = requests.filter((request) => {
    const found = [busy, alone, tight].map((digests) => digests.get(request));
    return found.includes(undefined) || new Set(found).size > 1;
  });
  expect(requests.length).toBeGreaterThan(process.env.WHOLE ? 1500 : 200);
  expect(wrong).toEqual([]);
  // Other words give another picture: no caller got another caller's picture.
  const cards = requests.filter(({ template, output }) => template === requests[0]?.template && output === 'png');
  expect(new Set(cards.map((request) => alone.get(request))).size).toBe(RENDERS_OF_A_CARD);
});

/**
 * Makes an account with the benchmark's cards and the fixtures that need no file, and returns its key and the requests.
 */
async function prepare(folder: string): Promise<{ key: string; requests: Request[] }> {
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder }));
  const { id: account } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
  const { key } = await services.keys.create(account, 'live');
  const requests: Request[] = [];
  const ask = async (
    document: unknown,
    times: number,
    modifications: (i: number) => Request['modifications'],
    outputs: (i: number) => readonly Output[] = () => OUTPUTS,
  ) => {
    const { id: template } = await services.templates.create(account, document);
    for (let i = 0; i < times; i++) {
      for (const output of outputs(i)) requests.push({ template, modifications: modifications(i), output });
    }
  };

  let cards = JSON.stringify(WORKLOADS.map(({ template }) => template));
  const { images } = await loadAssets();
  for (const name of ['photo.jpg', 'portrait.jpg', 'logo.png']) {
    const { id } = await services.images.upload(account, images.get(name)?.bytes ?? Buffer.alloc(0));
    cards = cards.replaceAll(`"src":"${name}"`, `"src":"${id}"`);
  }
  for (const [index, card] of (JSON.parse(cards) as unknown[]).entries()) {
    await ask(card, RENDERS_OF_A_CARD, (i) => WORKLOADS[index]?.strings(i) ?? {});
  }
  for (const [index, { template, modifications }] of sampled(CASES).entries()) {
    const stored = JSON.stringify(template);
    if (/"src":|"html":/.test(stored) || !canDraw({ template, modifications })) continue;
    const texts = textLayers(template);
    await ask(
      template,
      RENDERS_OF_A_FIXTURE,
      (i) => ({
        ...modifications,
        ...(i === 0 ? {} : Object.fromEntries(texts.map((name, j) => [name, WORDS[j % WORDS.length]]))),
      }),
      (i) => outputsOf(index, i),
    );
  }
  return { key, requests };
}

/** The names of the layers that take any words: one with a format takes numbers and dates alone. */
function textLayers(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(textLayers);
  const { name, type, format } = value as Record<string, unknown>;
  return type === 'text' && typeof name === 'string' && format === undefined ? [name, ...inside] : inside;
}

const OTHERS = OUTPUTS.filter((output) => output !== 'png');

/** The outputs of a fixture with its own words (`i` = 0) or with others (`i` = 1). */
function outputsOf(fixture: number, i: number): readonly Output[] {
  if (process.env.WHOLE) return OUTPUTS;
  const other = OTHERS[fixture % OTHERS.length];
  return i === 0 || !other ? ['png'] : ['png', other];
}

/** Sends the requests to a server of its own, `concurrency` at a time, and returns the SHA-256 of each answer. */
async function answers(
  folder: string,
  key: string,
  requests: readonly Request[],
  concurrency: number,
  env: NodeJS.ProcessEnv,
): Promise<Map<Request, string>> {
  await using server = await startProcess(folder, { PLATEN_REQUESTS_PER_MINUTE: '0', ...env });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const found = new Map<Request, string>();
  let next = 0;
  const client = async () => {
    for (let request = requests[next++]; request; request = requests[next++]) {
      const response = await fetch(`${server.url}/v1/renders`, {
        method: 'POST',
        headers,
        // Otherwise a PDF contains its creation time.
        body: JSON.stringify({ ...request, pdf: { reproducible: true } }),
      });
      const answer = (await response.json()) as { url: string };
      expect(response.status, JSON.stringify(answer)).toBe(200);
      const asset = await fetch(server.url + new URL(answer.url).pathname);
      expect(asset.status).toBe(200);
      found.set(
        request,
        createHash('sha256')
          .update(await asset.bytes())
          .digest('hex'),
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return found;
}
