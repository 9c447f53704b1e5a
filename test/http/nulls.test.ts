// Clients that are generated from the contract write null for fields that they leave out.

import { expect, test } from 'vitest';
import { parse } from '#core/template/validation.ts';
import { readScreenshotRequest, ScreenshotBody } from '#service/pages/screenshot-options.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';

const url = 'https://example.com/';

test('each optional field of a screenshot may be null, also within pdf', () => {
  const names = Object.keys(ScreenshotBody.shape).filter((name) => name !== 'url');
  for (const name of names) {
    expect(() => readScreenshotRequest({ url, [name]: null }), name).not.toThrow();
  }
  const pdf = Object.fromEntries(['title', 'format', 'scale', 'margin', 'landscape'].map((name) => [name, null]));
  expect(() => readScreenshotRequest({ url, pdf })).not.toThrow();
  // What is wrong beside a null is still told, and what is required still is.
  expect(() => readScreenshotRequest({ url, width: null, scale: 9 })).toThrow('scale: must be at most 3');
  expect(() => parse(ScreenshotBody.shape.cookies, [{ name: null, value: 'x' }])).toThrow('[0].name: ');
});

test('each optional field of a render may be null', async () => {
  await using server = await serverUnderTest();
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const names = ['modifications', 'output', 'async', 'webhookUrl', 'scale', 'quality', 'compression', 'pdf', 'page'];
  for (const name of [...names, 'paged', 'metadata', 'size', 'lang', 'brand', 'response']) {
    const { status, text } = await server.post('/v1/renders', { template, [name]: null });
    expect(status, `${name}: ${text}`).toBe(200);
  }
});
