// Tests that the API stores every sample and an html template unchanged, and returns it as it was sent.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serverUnderTest } from './server-under-test.ts';

const HTML = {
  name: 'Page',
  width: 1200,
  height: 630,
  engine: 'html',
  html: '<h1 data-layer="title">Hello</h1>',
  css: 'h1 { font: 800 72px Inter }',
};
const SAMPLES = readdirSync('samples')
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(`samples/${name}`, 'utf8')) as { readonly name: string });

test('samples and html templates are stored and read', async () => {
  await using server = await serverUnderTest();
  expect(SAMPLES.length).toBeGreaterThanOrEqual(7);
  for (const template of [HTML, ...SAMPLES]) {
    const stored = await server.post('/v1/templates', template);
    expect(stored.status, `${template.name}: ${stored.text}`).toBe(201);
    const read = await server.ask(`/v1/templates/${stored.json.id}`);
    expect(read.json).toMatchObject(template);
  }
});
