// Tests the encoder options of a caller: renders, jobs, batches and previews treat them alike.

import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import type { ExportOptions } from '#draw/output/formats.ts';
import { noise } from '../../draw/images/pictures.ts';
import { type Export, SHAPES, serverUnderTest } from './server-under-test.ts';

const PHOTO = {
  name: 'Photo',
  width: 120,
  height: 80,
  layers: [{ name: 'photo', type: 'image', width: 120, height: 80, src: '' }],
};

/** A server that draws nothing, and records the options of each export. */
async function noting() {
  const asked: ExportOptions[] = [];
  const exportAs: Export = async (_output, _list, _resources, options) => {
    asked.push(options);
    return Buffer.from('a picture');
  };
  const server = await serverUnderTest({}, { exportAs });
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  return { server, template, asked };
}

test('they reach the file', async () => {
  await using server = await serverUnderTest();
  const { id: src } = await server.services.images.upload(
    server.account,
    await noise(120, 80).blur(1).png().toBuffer(),
  );
  const { id: template } = await server.services.templates.create(server.account, PHOTO);
  const file = async (options: object) => {
    const { json } = await server.post('/v1/renders', { template, modifications: { photo: src }, ...options });
    const { body } = await server.ask(new URL(String(json.url)).pathname, { key: null });
    const { width, height } = await sharp(body).metadata();
    return { width, height, size: body.length };
  };
  const [fast, small, twice] = [await file({}), await file({ compression: 'small' }), await file({ scale: 2 })];
  expect([fast.width, fast.height, twice.width, twice.height]).toEqual([120, 80, 240, 160]);
  // For noise, the file of the fast encoder may already be the smaller one, and is then used.
  expect(small.size).toBeLessThanOrEqual(fast.size);
  const jpegs = [await file({ output: 'jpeg', compression: 'small' }), await file({ output: 'jpeg' })];
  expect(jpegs[0]?.size).toBeLessThan(jpegs[1]?.size ?? 0);
  for (const output of ['jpeg', 'webp']) {
    const [low, high] = [await file({ output, quality: 20 }), await file({ output, quality: 95 })];
    expect(low.size).toBeLessThan(high.size / 2);
  }
});

test('scale 1, quality 80 and compression fast where nothing is said', async () => {
  const { server, template, asked } = await noting();
  await using _server = server;
  await server.post('/v1/renders', { template });
  await server.post('/v1/renders', { template, scale: 0.5, quality: 0 });
  await server.post(`/v1/templates/${template}/preview`, { compression: 'small' });
  expect(asked).toEqual([
    { scale: 1, quality: 80, compression: 'fast' },
    { scale: 0.5, quality: 0, compression: 'fast' },
    { scale: 1, quality: 80, compression: 'small', isPreview: true },
  ]);
});

test('a job keeps them until its turn', async () => {
  const { server, template, asked } = await noting();
  await using _server = server;
  await server.post('/v1/renders', { template, async: true, output: 'jpeg', quality: 33 });
  await vi.waitFor(() => expect(asked).toEqual([{ scale: 1, quality: 33, compression: 'fast' }]));
});

test('a batch: each render its own, or those of the batch for all its items', async () => {
  const { server, template, asked } = await noting();
  await using _server = server;
  const qualities = async (json: object) => {
    asked.length = 0;
    await server.post('/v1/renders/batch', json);
    return asked.map(({ quality }) => quality).toSorted((a, b) => a - b);
  };
  expect(await qualities({ renders: [{ template, quality: 10 }, { template }] })).toEqual([10, 80]);
  const items = [{ box: '#010000' }, { output: 'jpeg' }];
  expect(await qualities({ template, quality: 30, items })).toEqual([30, 30]);
});

test('requests at once that differ in options alone are drawn apart', async () => {
  const { server, template, asked } = await noting();
  await using _server = server;
  const requests = [50, 50, 60].map((quality) => server.post('/v1/renders', { template, output: 'webp', quality }));
  const ids = (await Promise.all(requests)).map(({ json }) => json.id);
  expect(new Set(ids).size).toBe(3);
  expect(new Set(asked.map(({ quality }) => quality))).toEqual(new Set([50, 60]));
});

test('400: each is named, with what it may be', async () => {
  const { server, template, asked } = await noting();
  await using _server = server;
  const wrong: readonly (readonly [object, string])[] = [
    [{ scale: 4 }, 'scale: must be at most 3'],
    [{ scale: 0 }, 'scale: must be at least 0.1'],
    [{ quality: 101 }, 'quality: must be at most 100'],
    [{ quality: 'high' }, 'quality: must be a number'],
    [{ compression: 'best' }, 'compression: must be one of "fast", "small"'],
  ];
  for (const [options, message] of wrong) {
    const { status, json } = await server.post('/v1/renders', { template, ...options });
    expect([status, json.error]).toEqual([400, message]);
    const batch = await server.post('/v1/renders/batch', { renders: [{ template, ...options }] });
    expect([batch.status, batch.json.results]).toEqual([200, [{ error: message }]]);
  }
  expect(asked).toEqual([]);
});
