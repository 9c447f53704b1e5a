// Tests an html template with `renderer: "satori"` through every endpoint of a server without Chromium.

import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { firstPageOf } from '../../golden/first-page.ts';
import { serverUnderTest } from './server-under-test.ts';

const server = await serverUnderTest({ CHROMIUM_PATH: '/nowhere' });
afterAll(() => server[Symbol.asyncDispose]());

const html = '<p data-layer="title">x</p><style>body{background:#00f;height:40px;font-family:Inter}p{margin:0}</style>';
const made = await server.post('/v1/templates', {
  name: 'Page',
  width: 60,
  height: 40,
  engine: 'html',
  renderer: 'satori',
  html,
});
const template = String(made.json.id);
const sizeOf = async (bytes: Buffer) => {
  const { format, width, height } = await sharp(bytes).metadata();
  return `${format} ${width}×${height}`;
};
const file = async (url: unknown) => (await server.ask(String(url).replace(server.url, ''), { key: null })).body;

test('a render, with what was odd about it', async () => {
  const { status, json, headers } = await server.post('/v1/renders', {
    template,
    modifications: { title: '<b>', titel: 'z' },
    output: 'webp',
  });
  expect([status, headers['platen-warnings']]).toEqual([
    200,
    '["The template has no layer \\"titel\\"; did you mean \\"title\\"?"]',
  ]);
  expect(await sizeOf(await file(json.url))).toBe('webp 60×40');
});
test('a PDF whose words are text', async () => {
  const { json } = await server.post('/v1/renders', { template, modifications: { title: 'Words' }, output: 'pdf' });
  const { fonts, images } = firstPageOf(await file(json.url));
  expect([fonts.length > 0, images.length]).toEqual([true, 0]);
});
test('a job', async () => {
  const { status, json } = await server.post('/v1/renders', { template, async: true });
  const job = async () => (await server.ask(`/v1/renders/${json.id}`)).json;
  await expect.poll(async () => (await job()).status, { timeout: 20_000 }).toBe('done');
  expect(status).toBe(202);
});
test('a batch, of which one item fails', async () => {
  const { json } = await server.post('/v1/renders/batch', { template, items: [{ title: 'a' }, { title: [] }] });
  expect([json.ok, json.count]).toEqual([1, 2]);
});
test('a preview', async () => {
  const { body } = await server.post(`/v1/templates/${template}/preview`, { scale: 2 });
  expect(await sizeOf(body)).toBe('png 120×80');
});
test('a signed URL', async () => {
  const parameters = [
    ['title.text', 'é'],
    ['scale', '1.5'],
  ] as const;
  const query = signedQuery(server.signingSecret, { template, extension: 'jpg', parameters });
  const { status, body } = await server.ask(`/v1/templates/${template}/render.jpg?${query}`, { key: null });
  expect([status, await sizeOf(body)]).toEqual([200, 'jpeg 90×60']);
});
test('what cannot be drawn is a 400, and costs nothing', async () => {
  const page = await server.post('/v1/templates', {
    name: 'T',
    width: 9,
    height: 9,
    engine: 'html',
    renderer: 'satori',
    html: '<p data-layer="words">Hello</p>',
  });
  const before = (await server.ask('/v1/usage')).json.used;
  const { status, json } = await server.post('/v1/renders', {
    template: page.json.id,
    modifications: { words: { style: { columnCount: 2 } } },
  });
  expect([status, json]).toEqual([
    400,
    {
      error:
        'html, line 1: the property column-count cannot be drawn with renderer "satori"; change it, or use renderer "chromium".',
    },
  ]);
  expect((await server.ask('/v1/usage')).json.used).toBe(before);
});
test('an address that is denied looks like any other', async () => {
  const page = {
    name: 'T',
    width: 9,
    height: 9,
    engine: 'html',
    renderer: 'satori',
  };
  const told = async (src: string) => {
    const html = `<img width="9" data-required src="${src}">`;
    const { status, json } = await server.post('/v1/renders', {
      template: (await server.post('/v1/templates', { ...page, html })).json.id,
    });
    return [status, json.error];
  };
  const denied = await told('http://169.254.169.254/');
  expect(denied).toEqual([400, expect.stringContaining('its host cannot be found on the public internet')]);
  expect(await told('http://nowhere.invalid./')).toEqual(denied);
});
test('another account’s upload is as one that there is not', async () => {
  const green = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#0f0' } })
    .png()
    .toBuffer();
  const mine = (await server.services.images.upload(server.account, green)).id;
  const theirs = (await server.services.images.upload(server.other, green)).id;
  const missing = `${theirs.slice(0, -4)}0000`;
  const shown = async (image: string, modifications = {}) => {
    const html = `<img data-layer="photo" data-required src="${image}" style="width:9px;height:9px">`;
    const page = { name: 'T', width: 9, height: 9, engine: 'html', renderer: 'satori', html };
    const made = await server.post('/v1/templates', page);
    const { status, json, headers } = await server.post('/v1/renders', { template: made.json.id, modifications });
    const told = json.error ?? headers['platen-warnings'];
    return [status, String(told).replaceAll(/img_\w+/g, 'ID')];
  };
  expect(await shown(mine)).toEqual([200, 'undefined']);
  for (const [expected, where] of [
    [400, (id: string) => shown(id)],
    [400, (id: string) => shown(`${server.url}/images/${id}.png`)],
    [400, (id: string) => shown(mine, { photo: id })],
    // A background is left out, with a warning.
    [200, (id: string) => shown(mine, { photo: { style: { background: `url(${id})` } } })],
  ] as const) {
    const refused = await where(theirs);
    expect([refused[0], refused]).toEqual([expected, await where(missing)]);
    expect(refused[1]).toContain('There is no uploaded image'.slice(1));
  }
});
test('a renderer that there is not', async () => {
  const { status } = await server.post('/v1/templates', {
    name: 'T',
    width: 9,
    height: 9,
    engine: 'html',
    renderer: 'gecko',
    html: 'x',
  });
  expect(status).toBe(400);
});
