import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTemplate } from '#core/template/template.ts';
import { createDemo } from '#server/service/accounts/demo.ts';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../../../src/server/config/config.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

async function dataFolder() {
  const folder = await temporaryFolder();
  const config = loadConfig({ PLATEN_DATA: join(folder.path, 'data') });
  const services = await openServices(config);
  const samples = join(folder.path, 'samples');
  await mkdir(join(samples, 'pictures'), { recursive: true });
  await writeFile(join(samples, 'pictures/dot.svg'), SVG);
  const image = (src: string) => ({ name: `image ${src}`, type: 'image', src, fallback: src });
  const sources = ['pictures/dot.svg', 'https://example.com/a.png', 'data:image/png;base64,AA==', ''];
  const sample = (name: string) => ({ name, width: 10, height: 10, layers: sources.map(image) });
  await writeFile(join(samples, 'b.json'), JSON.stringify(sample('Second')));
  await writeFile(join(samples, 'a.json'), JSON.stringify(sample('First')));
  return {
    samples,
    services,
    make: (from = samples) => createDemo({ ...services, plans: config.plans }, from),
    async [Symbol.asyncDispose]() {
      await services[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('an empty data folder gets an account, a key and the samples in order', async () => {
  await using data = await dataFolder();
  const demo = await data.make();
  expect(demo?.samples.map(({ name }) => name)).toEqual(['First', 'Second']);
  expect(await data.services.keys.authenticate(demo?.key ?? '')).toMatchObject({ plan: 'pro', kind: 'live' });
});

test('pictures beside a sample become uploads, other sources stay', async () => {
  await using data = await dataFolder();
  const demo = await data.make();
  const [first] = demo?.samples ?? [];
  const found = await data.services.templates.find(demo?.accountId ?? '', first?.template ?? '');
  const template = parseTemplate(JSON.parse(found.document));
  const sources = template.layers.map((layer) => (layer.type === 'image' ? [layer.src, layer.fallback] : []));
  const uploaded = expect.stringMatching(/^img_/);
  expect(sources).toEqual([
    [uploaded, uploaded],
    ['https://example.com/a.png', 'https://example.com/a.png'],
    ['data:image/png;base64,AA==', 'data:image/png;base64,AA=='],
    ['', ''],
  ]);
  const read = data.services.images.sourcesFor(found, { read: () => Promise.reject(new Error()) }, '').read;
  const bytes = await read(String(sources[0]?.[0]), new AbortController().signal);
  expect(Buffer.from(bytes).toString()).toBe(SVG);
});

test('where there is an account, nothing is made', async () => {
  await using data = await dataFolder();
  await data.services.accounts.create({ email: null, displayName: null, plan: 'free' });
  expect(await data.make()).toBeNull();
});

test('without samples there is still an account', async () => {
  await using data = await dataFolder();
  expect((await data.make(join(data.samples, 'nowhere')))?.samples).toEqual([]);
});
