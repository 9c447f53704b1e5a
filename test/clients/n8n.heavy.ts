// Builds and lints the n8n node with n8n's own packages, and runs it against a real server.
//
// n8n-workflow gives the types, and fills in the defaults of the node's fields as n8n does. The functions that n8n passes
// to a node are made here, over real HTTP.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installTools } from '../../scripts/install-tools.ts';
import { hasChromium, pixel, site, sizeOf } from '../server/chromium/chromium.ts';
import { type ServerUnderTest, serverUnderTest } from '../server/http/server-under-test.ts';

const FOLDER = join(import.meta.dirname, '../../clients/n8n');
const require = createRequire(join(FOLDER, 'index.js'));

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
type Json = Record<string, any>;
interface Item {
  readonly json: Json;
  readonly binary?: Readonly<Record<string, { readonly mimeType: string; readonly size: number }>>;
  readonly pairedItem?: { readonly item: number };
}

const CARD = {
  name: 'Card',
  width: 60,
  height: 40,
  layers: [
    { type: 'shape', name: 'back', width: 60, height: 40, fill: '#336699' },
    { type: 'frame', name: 'head', width: 60, height: 20, children: [{ type: 'text', name: 'title', text: 'Hello' }] },
    { type: 'image', name: 'photo', width: 10, height: 10, optional: true },
  ],
};
const FORM = {
  ...CARD,
  name: 'Form',
  parameters: [
    { layer: 'title', label: 'Headline', required: true },
    { layer: 'back', hidden: true },
    { layer: 'photo', choices: ['img_1', 'img_2'] },
  ],
};

let server: ServerUnderTest;
let template: string;
let form: string;

beforeAll(async () => {
  installTools('clients/n8n');
  for (const step of ['lint', 'build']) {
    // With NODE_ENV=test, the plugin takes all files for its own tests' and their names for wrong.
    const env = { ...process.env, NODE_ENV: 'production' };
    const { status, stdout, stderr } = spawnSync('npm', ['run', step], { cwd: FOLDER, encoding: 'utf8', env });
    expect(status, stdout + stderr).toBe(0);
  }
  server = await serverUnderTest({ PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32', PLATEN_BROWSERS: '1' });
  ({ id: template } = await server.services.templates.create(server.account, CARD));
  ({ id: form } = await server.services.templates.create(server.account, FORM));
}, 300_000);

afterAll(() => server?.[Symbol.asyncDispose]());

/** The node as n8n loads it: by the path that package.json names. */
function loaded(): { description: Json; methods: Json; execute: () => Promise<Item[][]> } {
  const { n8n } = require('./package.json') as Json;
  const { Platen } = require(`./${n8n.nodes[0]}`) as Json;
  return new Platen();
}

interface Run {
  readonly items?: number;
  /** Values of fields, for all items or by item. */
  readonly parameters: Json | readonly Json[];
  readonly goesOn?: boolean;
  readonly apiKey?: string;
}

function context({ items = 1, parameters, goesOn = false, apiKey = server.key }: Run): Json {
  const node = loaded();
  const { NodeHelpers } = require('n8n-workflow') as Json;
  const { description } = node;
  const own = { name: 'Platen', type: 'platen', typeVersion: 1, parameters: {} };
  const filled = (index: number): Json =>
    NodeHelpers.getNodeParameters(
      description.properties,
      Array.isArray(parameters) ? parameters[index] : parameters,
      true,
      false,
      own,
      description,
    );
  const send = async ({ method, baseURL = '', url, body, encoding }: Json, headers: Record<string, string> = {}) => {
    const json = { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
    const answer = await fetch(baseURL + url, { method, ...(body === undefined ? { headers } : json) });
    if (encoding === 'arraybuffer') return Buffer.from(await answer.arrayBuffer());
    const data = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(`status ${answer.status}`), { response: { data } });
    return data;
  };
  return {
    getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
    getNodeParameter: (name: string, at: unknown, fallback?: unknown) =>
      filled(typeof at === 'number' ? at : 0)[name] ?? fallback,
    getNode: () => own,
    getCredentials: async () => ({ baseUrl: `${server.url}/`, apiKey }),
    continueOnFail: () => goesOn,
    helpers: {
      httpRequest: send,
      httpRequestWithAuthentication: (name: string, options: Json) => {
        expect(name).toBe('platenApi');
        return send(options, { authorization: `Bearer ${apiKey}` });
      },
      prepareBinaryData: async (bytes: Buffer, name: string) => ({
        mimeType: name.endsWith('.png') ? 'image/png' : '',
        size: bytes.length,
      }),
    },
  };
}

const run = async (options: Run): Promise<readonly Item[]> => (await loaded().execute.call(context(options)))[0] ?? [];
const fields = (value: Json) => ({ mappingMode: 'defineBelow', value });

test('templates are listed, and the fields of the chosen one by name', async () => {
  const { loadOptions, resourceMapping } = loaded().methods;
  const options = await loadOptions.getTemplates.call(context({ parameters: {} }));
  expect(options).toEqual([
    { name: 'Form', value: form },
    { name: 'Card', value: template },
  ]);
  const of = async (template: string) =>
    (await resourceMapping.getFields.call(context({ parameters: { template } }))).fields.map(
      ({ id, displayName, type, required, options }: Json) => [id, displayName, type, required, options?.length ?? 0],
    );
  expect(await of(template)).toEqual([
    ['back', 'back (colour)', 'string', false, 0],
    ['title', 'title (text)', 'string', false, 0],
    ['photo', 'photo (picture: an address, or the ID of an image)', 'string', false, 0],
  ]);
  expect(await of(form)).toEqual([
    ['title', 'Headline', 'string', true, 0],
    ['photo', 'photo', 'options', false, 2],
  ]);
  expect(await of('')).toEqual([]);
});

test('each item is rendered with its values, and its file downloaded', async () => {
  const parameters = ['#ff0000', '#00ff00'].map((back) => ({
    ...{ template, fields: fields({ back, title: '' }), download: true },
    options: { metadata: `order ${back}` },
  }));
  const [first, second, ...others] = await run({ items: 2, parameters });
  expect(others).toEqual([]);
  expect(first).toMatchObject({ json: { output: 'png', metadata: 'order #ff0000' }, pairedItem: { item: 0 } });
  expect(first?.binary?.data).toMatchObject({ mimeType: 'image/png' });
  expect(second?.json.metadata).toBe('order #00ff00');
  expect(second?.json.url).not.toBe(first?.json.url);
});

test('a refusal has the server’s sentence, and is an item where the workflow goes on', async () => {
  const parameters = { template: 'tpl_none' };
  const sentence = /^Template "tpl_none" not found/;
  await expect(run({ parameters })).rejects.toThrow(sentence);
  expect(await run({ parameters, goesOn: true })).toMatchObject([{ json: { error: expect.stringMatching(sentence) } }]);
  await expect(run({ parameters, apiKey: 'plt_live_x' })).rejects.toThrow('invalid or revoked API key');
});

test('more than fifty items are rendered by two requests, and one that fails is told in its place', async () => {
  const parameters = Array.from({ length: 52 }, (_, i) => ({
    operation: 'batch',
    template: i === 51 ? 'tpl_none' : template,
    fields: fields({ title: `No. ${i}` }),
  }));
  const found = await run({ items: 52, parameters, goesOn: true });
  expect(found.map(({ pairedItem }) => pairedItem?.item)).toEqual(parameters.map((_, i) => i));
  expect(found.filter(({ json }) => typeof json.url === 'string')).toHaveLength(51);
  expect(found[51]?.json.error).toMatch(/^Template "tpl_none" not found/);
}, 60_000);

test('all items become one file, with its name and what failed', async () => {
  const parameters = ['Ada', 'Grace'].map((title) => ({
    ...{ operation: 'merge', template, download: true, fields: fields({ title }) },
    options: { name: 'People', nameFrom: 'title', metadata: `for ${title}` },
  }));
  const [merged, ...others] = await run({ items: 2, parameters });
  expect(others).toEqual([]);
  expect(merged?.json).toMatchObject({ merge: 'pdf', name: 'People', count: 2, done: 2, errors: [] });
  expect(merged?.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
  expect(merged?.binary?.data?.size).toBeGreaterThan(1_000);
  const zipped = { operation: 'merge', template, merge: 'zip', output: 'webp', options: { scale: 2 } };
  expect((await run({ parameters: zipped }))[0]?.json).toMatchObject({ merge: 'zip', done: 1 });
  const layers = [{ type: 'image', name: 'photo', src: 'img_gone', width: 10, height: 10 }];
  const { id: broken } = await server.services.templates.create(server.account, { ...CARD, layers });
  const wrong = { ...zipped, template: broken };
  await expect(run({ parameters: wrong })).rejects.toThrow(/img_gone/);
  expect(await run({ parameters: wrong, goesOn: true })).toMatchObject([{ json: { error: expect.any(String) } }]);
}, 60_000);

test('a job is waited for', async () => {
  const [accepted] = await run({ parameters: { template, options: { async: true, metadata: 'order 7' } } });
  expect(accepted?.json).toMatchObject({ status: 'queued' });
  const parameters = { operation: 'wait', renderId: accepted?.json.id, download: true };
  const [done] = await run({ parameters });
  expect(done).toMatchObject({ json: { status: 'done', output: 'png', metadata: 'order 7' }, binary: { data: {} } });
  await expect(run({ parameters: { operation: 'wait', renderId: 'rnd_none' } })).rejects.toThrow(/not found/);
}, 60_000);

test('a page that is not public is refused with the server’s sentence', async () => {
  const parameters = { operation: 'screenshot', url: 'http://10.0.0.1/' };
  await expect(run({ parameters })).rejects.toThrow('URL not allowed.');
});

test.skipIf(!hasChromium)(
  'a page is captured',
  async () => {
    await using page = await site({ '/': '<body style="margin:0;height:500px;background:#0f0">' });
    const parameters = { operation: 'screenshot', url: `${page.origin}/`, width: 40, height: 30, download: true };
    const [shot] = await run({ parameters: { ...parameters, options: { scale: 2, metadata: 'home' } } });
    expect(shot).toMatchObject({ json: { output: 'png', metadata: 'home' }, pairedItem: { item: 0 } });
    expect(shot?.binary?.data).toMatchObject({ mimeType: 'image/png' });
    const { body } = await server.ask(new URL(shot?.json.url).pathname);
    expect([await sizeOf(body), await pixel(body, 5, 5)]).toEqual(['png 80×60', '#00ff00ff']);
    const [long] = await run({ parameters: { ...parameters, fullPage: true, output: 'webp' } });
    expect(await sizeOf((await server.ask(new URL(long?.json.url).pathname)).body)).toBe('webp 40×500');
  },
  60_000,
);
