// Tests the whole pipeline, from a posted template to the bytes at its URL, with no part mocked.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLog } from '#server/observability/log.ts';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { startServer } from '#server/start-server.ts';
import { loadConfig } from '../../../src/server/config/config.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { serverUnderTest } from './server-under-test.ts';

const CARD = {
  name: 'Card',
  width: 80,
  height: 40,
  background: '#ffffff',
  layers: [
    { name: 'photo', type: 'image', width: 40, height: 40, src: '' },
    { name: 'title', type: 'text', text: 'Hello', fontSize: 12, x: 42, width: 36 },
  ],
};

const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4" fill="red"/></svg>',
);

const HEADS = { png: '\x89PNG', jpeg: '\xff\xd8\xff', webp: 'RIFF', pdf: '%PDF-' };

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('every output, by the API and by a signed URL, and the same bytes each time', async () => {
  await using server = await serverUnderTest();
  const { id: photo } = await server.services.images.upload(server.account, SVG);
  const { id: template } = (await server.post('/v1/templates', CARD)).json;
  for (const [output, head] of Object.entries(HEADS)) {
    const digests = new Set<string>();
    // Otherwise a PDF contains its creation time.
    const sameBytes = output === 'pdf' ? { pdf: { reproducible: true } } : {};
    for (let round = 0; round < 2; round += 1) {
      const { status, json } = await server.post('/v1/renders', {
        template,
        output,
        modifications: { photo, title: 'Hey' },
        ...sameBytes,
      });
      expect([status, json.output]).toEqual([200, output]);
      const { body } = await server.ask(new URL(String(json.url)).pathname, { key: null });
      expect(body.toString('latin1').startsWith(head)).toBe(true);
      digests.add(digest(body));
    }
    const parameters = [
      ['title', 'Hey'],
      ['photo', photo],
    ] as const;
    const message = { template: String(template), extension: output, parameters };
    const query = signedQuery(server.signingSecret, message);
    const { body } = await server.ask(`/v1/templates/${template}/render.${output}?${query}`, { key: null });
    expect(body.toString('latin1').startsWith(head)).toBe(true);
    if (output !== 'pdf') digests.add(digest(body));
    expect(digests.size, output).toBe(1);
  }
});

test('an image that cannot be had names its layer; another account’s upload is one of them', async () => {
  await using server = await serverUnderTest();
  const { id: template } = await server.services.templates.create(server.account, CARD);
  const { id: theirs } = await server.services.images.upload(server.other, SVG);
  const sources: [string, string][] = [
    ['', 'Image of layer "photo" could not be loaded: there is no source.'],
    [theirs, `Image of layer "photo" could not be loaded: there is no uploaded image "${theirs}".`],
    ['data:image/png;base64,AAAA', 'Image of layer "photo" could not be loaded'],
    ['http://127.0.0.1/x.png', 'Image of layer "photo" could not be loaded: its host is the server’s own machine'],
    ['file:///etc/passwd', '"file:" is not a scheme of an image source'],
  ];
  for (const [src, message] of sources) {
    const modifications = { photo: src };
    const { status, json } = await server.post('/v1/renders', { template, modifications });
    expect([status, json.error], src).toEqual([400, expect.stringContaining(message)]);
  }
  expect(await server.services.storage.usage.totals(server.account, '2026-11')).toEqual({ used: 0, reserved: 0 });
});

test('a first start shows every sample at its signed URL', async () => {
  await using folder = await temporaryFolder();
  const config = loadConfig({ PLATEN_DATA: folder.path, PORT: '0' });
  await using server = await startServer(config, createLog('silent'));
  const { samples = [] } = server.demo ?? {};
  expect(samples.length).toBeGreaterThanOrEqual(6);
  for (const { name, template, query } of samples) {
    const answer = await fetch(`${server.url}/v1/templates/${template}/render.png?${query}`);
    expect([answer.status, answer.headers.get('platen-warnings')], name).toEqual([200, null]);
    expect((await answer.bytes()).length, name).toBeGreaterThan(10_000);
  }
});
