import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { hasChromium, pixel, site, sizeOf } from '../chromium/chromium.ts';
import { canary } from '../net/servers.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';

const server = await serverUnderTest({ PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32', PLATEN_BROWSERS: '1' });
const page = await site({
  '/': '<body style="margin:0;background:#0f0">',
  '/away': '->http://10.1.2.3/',
  '/broken': 500,
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await page[Symbol.asyncDispose]();
});
const ask = (json: unknown) => server.ask('/v1/screenshots', { method: 'POST', json });
const url = `${page.origin}/`;
async function refused(json: unknown, message: string | RegExp): Promise<void> {
  const answer = await ask(json);
  expect([answer.status, answer.json]).toEqual([400, { error: expect.stringMatching(message) }]);
}

test('an output that Accept brings is checked like one in the body', async () => {
  const json = { url, selector: 'p' };
  const answer = await server.post('/v1/screenshots', json, { headers: { accept: 'application/pdf' } });
  expect([answer.status, answer.json.error]).toEqual([
    400,
    expect.stringMatching(/^selector: cannot be drawn as a PDF/),
  ]);
});
test('needs a key', async () =>
  expect((await server.post('/v1/screenshots', { url }, { key: null })).status).toBe(401));
test('is posted', async () => expect((await server.ask('/v1/screenshots')).status).toBe(405));
test('a body over 64 KiB', async () => expect((await ask({ url, css: 'x'.repeat(70_000) })).status).toBe(413));

const WRONG: readonly (readonly [unknown, string | RegExp])[] = [
  [{}, /^url is required\.$/],
  [{ url: 7 }, /^url is required\.$/],
  [{ url, html: 'x' }, /^url: cannot stand beside html; leave one of them out$/],
  [{ html: '' }, /^html: must have at least 1 characters$/],
  [{ html: 7 }, /^html: /],
  [{ html: 'x', cookies: [{ name: 'a', value: 'b' }] }, /^cookies: need url: they go to its origin$/],
  [{ html: 'x', headers: { a: 'b' } }, /^headers: need url: they go to its origin$/],
  [{ html: null }, /^url is required\.$/],
  [{ url, width: 15 }, /^width: must be at least 16$/],
  [{ url, width: 2401 }, /^width: must be at most 2400$/],
  [{ url, height: 15 }, /^height: must be at least 16$/],
  [{ url, height: 2401 }, /^height: must be at most 2400$/],
  [{ url, width: 99.5 }, /^width: must be a whole number$/],
  [{ url, width: '100' }, /^width: /],
  [{ url, scale: 3.01 }, /^scale: must be at most 3$/],
  [{ url, scale: -1 }, /^scale: must be at least 0.1$/],
  [{ url, fullPage: 'yes' }, /^fullPage: /],
  [{ url, output: 'gif' }, /^output: must be one of "png", "jpeg", "webp", "avif", "pdf"$/],
  [{ url, quality: 101 }, /^quality: /],
  [{ url, waitUntil: 'never' }, /^waitUntil: must be one of/],
  [{ url, timeout: 45_001 }, /^timeout: must be at most 45000$/],
  [{ url, timeout: 1_000, delay: 2_000 }, /^delay: must be less than timeout$/],
  [{ url, timezone: 'Mars/Olympus' }, /^timezone: must be an IANA time zone/],
  [{ url, locale: 'no such' }, /^locale: must be a BCP 47/],
  [{ url, headers: { Host: 'x' } }, /^headers.Host: cannot be set$/],
  [{ url, headers: { 'Set-Cookie': 'a=b' } }, /^headers.Set-Cookie: cannot be set$/],
  [{ url, headers: { 'x-a': 'b\r\nx-c: d' } }, /^headers/],
  [{ url, cookies: [{ name: 'a', value: 'b; domain=com' }] }, /^cookies\[0\]\.value: must not contain/],
  [{ url, selector: 'p', output: 'pdf' }, /^selector: cannot be drawn as a PDF/],
  [{ url, pdf: { format: 'B7' } }, /^pdf.format: must be one of "A3"/],
];
for (const [json, message] of WRONG) test(JSON.stringify(json).replace(url, '…'), () => refused(json, message));

const NO_SCHEME =
  'URL not allowed. It does not begin with https:// or http://; write the whole address, such as https://example.com/a.';
for (const [malformed, message] of [
  ['x', NO_SCHEME],
  ['example.com', NO_SCHEME],
  ['//example.com', NO_SCHEME],
  // The same sentence for hosts inside and outside: it depends on nothing but the missing scheme.
  ['localhost:3000', NO_SCHEME],
  ['10.0.0.1/a', NO_SCHEME],
  ['https:/example.com', 'URL not allowed. https: is followed by two slashes and a host: https://example.com/a.'],
] as const) {
  test(`${malformed} is said to be no address`, async () => {
    for (const more of [{}, { async: true }]) {
      const answer = await ask({ url: malformed, ...more });
      expect([answer.status, answer.json]).toEqual([400, { error: message }]);
    }
  });
}

for (const denied of [
  'ftp://example.com/',
  'http://10.0.0.1/',
  'http://169.254.169.254/',
  'https://user@example.com/',
  'http://[::ffff:127.0.0.1]/',
]) {
  test(`${denied} is not allowed`, async () => {
    for (const more of [{}, { async: true }]) {
      const answer = await ask({ url: denied, ...more });
      expect([answer.status, answer.json]).toEqual([400, { error: expect.stringMatching(/^URL not allowed\./) }]);
    }
  });
}

test('sheets are for html templates that Chromium draws: others name the field', async () => {
  const { id } = (await server.post('/v1/templates', SHAPES)).json;
  const pdf = { format: 'A4', margin: 10 };
  const message =
    'pdf.format: is for html templates with renderer "chromium"; the sheets of this one are those of its `page`, or its canvas';
  for (const more of [{}, { async: true }]) {
    const json = { template: id, output: 'pdf', pdf, ...more };
    const answer = await server.ask('/v1/renders', { method: 'POST', json });
    expect([answer.status, answer.json]).toEqual([400, { error: message }]);
  }
  const batch = await server.post('/v1/renders/batch', { template: id, output: 'pdf', pdf, items: [{}] });
  expect(batch.json.results).toEqual([{ error: message }]);
  const picture = await server.post('/v1/renders', { template: id, pdf });
  expect(picture.status).toBe(200);
});

describe.skipIf(!hasChromium)('with Chromium', () => {
  test('a page becomes an asset, for one unit', async () => {
    const answer = await ask({ url, unknown: 'ignored' });
    const { id, output } = answer.json;
    expect([answer.status, answer.json]).toEqual([
      200,
      { id: expect.stringMatching(/^rnd_/), url: `${server.url}/assets/${id}.png`, output: 'png' },
    ]);
    const asset = await server.ask(`/assets/${id}.${output}`);
    expect([await sizeOf(asset.body), asset.headers['content-type']]).toEqual(['png 1200×630', 'image/png']);
    const job = await server.ask(`/v1/renders/${id}`);
    expect([job.json.kind, job.json.status]).toEqual(['screenshot', 'done']);
  });
  test('the answer is the file, where Accept names its type', async () => {
    const wanted = { method: 'POST', json: { url, width: 40, height: 30 }, headers: { accept: 'image/webp' } };
    const { headers, body } = await server.ask('/v1/screenshots', wanted);
    expect([await sizeOf(body), headers['content-type']]).toEqual(['webp 40×30', 'image/webp']);
    expect(headers['platen-render-url']).toBe(`${server.url}/assets/${headers['platen-render-id']}.webp`);
  });
  test('html in the body is captured, at once or as a job, with the account’s fonts and images', async () => {
    const green = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    const { id: image } = await server.services.images.upload(server.account, green);
    const { id: theirs } = await server.services.images.upload(server.other, green);
    const filled = (source: string) => `<div style="height:100px;background:url(${source})"></div>`;
    const html = `<!doctype html><style>body{margin:0}</style>${filled(image)}${filled(theirs)}<p style="height:100px">`;
    const css = 'p { margin: 0; background: #00f }';
    const wishes = { html, css, width: 60, height: 40, fullPage: true };
    for (const more of [{}, { async: true }]) {
      const made = await ask({ ...wishes, ...more });
      expect(made.json).toMatchObject({ id: expect.stringMatching(/^rnd_/) });
      const { id } = made.json;
      await expect
        .poll(async () => (await server.ask(`/v1/renders/${id}`)).json.status, { timeout: 20_000 })
        .toBe('done');
      const { body } = await server.ask(`/assets/${id}.png`);
      const colours = [await pixel(body, 9, 50), await pixel(body, 9, 150), await pixel(body, 9, 250)];
      expect([await sizeOf(body), ...colours]).toEqual(['png 60×300', '#00ff00ff', '#ffffffff', '#0000ffff']);
    }
    const long = await ask({ html: html + 'x'.repeat(100_000), width: 60, height: 40 });
    expect(long.status).toBe(200);
  });
  test('a page that is higher than its viewport is drawn in the catalogue’s fonts', async () => {
    const drawn = async (family: string) => {
      const html = `<!doctype html><body style="margin:0"><p style="margin:0;font:40px/60px ${family}">Words</p><div style="height:300px">`;
      const { json } = await ask({ html, width: 200, height: 100, fullPage: true });
      const { body } = await server.ask(`/assets/${json.id}.png`);
      expect(await sizeOf(body)).toBe('png 200×360');
      return sharp(body).greyscale().blur(2).raw().toBuffer();
    };
    const farthest = (one: Buffer, other: Buffer) =>
      Math.max(...one.map((level, i) => Math.abs(level - (other[i] ?? 0))));
    const [plain, named, serif] = [await drawn('sans-serif'), await drawn('Inter'), await drawn('serif')];
    expect(farthest(plain, named)).toBeLessThan(48);
    expect(farthest(plain, serif)).toBeGreaterThan(100);
  });
  test('html in the body asks only servers that it may, and runs scripts only where the request says so', async () => {
    await using trap = await canary('127.0.0.2').catch(() => canary());
    const away = `http://127.0.0.2:${trap.port}/`;
    const html = `<iframe src="${away}"></iframe><iframe src="file:///etc/hostname"></iframe><img src="${away}"><link rel=stylesheet href="${away}">
      <style>@import url(${away});@font-face{font-family:f;src:url(${away})}body{font-family:f;margin:0;background:#f00}</style>
      <script>document.body.style.background='#0f0';fetch('${page.origin}/script')</script>text`;
    const shown = async (script: boolean) => {
      const { json } = await ask({ html, css: `p { background: url(${away}) }`, script, width: 60, height: 40 });
      return pixel((await server.ask(`/assets/${json.id}.png`)).body, 50, 35);
    };
    expect([await shown(false), await shown(true), trap.hits(), page.seen.has('/script')]).toEqual([
      '#ff0000ff',
      '#00ff00ff',
      0,
      false,
    ]);
  });
  test('a misspelt property of pdf is a warning', async () => {
    const { headers } = await ask({ html: 'x', output: 'pdf', pdf: { format: 'A5', headerTempalte: 'x' } });
    expect(headers['platen-warnings']).toContain('pdf has no field');
  });
  test.each([
    ['/', 'done', null],
    ['/away', 'error', 'URL not allowed.'],
  ])('as a job: %s ends in %s', async (path, status, error) => {
    const answer = await ask({ url: page.origin + path, async: true, output: 'jpeg' });
    const { id } = answer.json;
    expect([answer.status, answer.json]).toEqual([202, { id: expect.stringMatching(/^rnd_/), status: 'queued' }]);
    const job = async () => (await server.ask(`/v1/renders/${id}`)).json;
    await expect.poll(async () => (await job()).status, { timeout: 20_000 }).toBe(status);
    const result = status === 'done' ? { id, url: `${server.url}/assets/${id}.jpeg`, output: 'jpeg' } : null;
    expect(await job()).toMatchObject({ id, kind: 'screenshot', status, error, result });
  });
  test('an html template is rendered, previewed, batched and signed', async () => {
    const html = '<body style="margin:0"><p data-layer="title">x</p><style>body{background:#00f}</style>';
    const template = { name: 'Page', width: 60, height: 40, engine: 'html', html, css: 'p{margin:0;font-size:10px}' };
    const made = await server.post('/v1/templates', template);
    const { id } = made.json;
    expect([made.status, made.json.engine]).toEqual([201, 'html']);
    const body = { template: id, modifications: { title: '<b>y</b>', titel: 'z' }, output: 'webp' };
    const rendered = await server.post('/v1/renders', body);
    expect([rendered.status, rendered.headers['platen-warnings']]).toEqual([
      200,
      '["The template has no layer \\"titel\\"; did you mean \\"title\\"?"]',
    ]);
    const preview = await server.post(`/v1/templates/${id}/preview`, { scale: 2 });
    expect([await sizeOf(preview.body), await pixel(preview.body, 100, 70)]).toEqual(['png 120×80', '#0000ffff']);
    const batch = await server.post('/v1/renders/batch', { template: id, items: [{ title: 'a' }, { title: [] }] });
    expect([batch.json.ok, batch.json.count]).toEqual([1, 2]);
    const parameters = [
      ['title.text', 'é'],
      ['scale', '1.5'],
    ] as const;
    const query = signedQuery(server.signingSecret, { template: String(id), extension: 'jpg', parameters });
    const signed = await server.ask(`/v1/templates/${id}/render.jpg?${query}`, { key: null });
    expect([signed.status, await sizeOf(signed.body)]).toEqual([200, 'jpeg 90×60']);
    const job = await server.post('/v1/renders', { template: id, output: 'pdf', async: true });
    const ended = async () => (await server.ask(`/v1/renders/${job.json.id}`)).json;
    await expect.poll(async () => (await ended()).status, { timeout: 20_000 }).toBe('done');
    const file = await server.ask(`/assets/${job.json.id}.pdf`, { key: null });
    expect(file.body.subarray(0, 5).toString()).toBe('%PDF-');
    const wrong = await server.post('/v1/renders', { template: id, modifications: { title: { hidden: 'x' } } });
    expect([wrong.status, wrong.json]).toEqual([400, { error: 'modifications.title.hidden: must be a boolean' }]);
  });
  test('an html page shows its own account’s uploads, and nobody else’s', async () => {
    const green = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    const mine = (await server.services.images.upload(server.account, green)).id;
    const theirs = (await server.services.images.upload(server.other, green)).id;
    const shown = async (html: string, modifications = {}, key = server.key) => {
      const json = { name: 'Page', width: 60, height: 40, engine: 'html', html: `<body style="margin:0">${html}` };
      const made = await server.post('/v1/templates', json, { key });
      const preview = await server.post(`/v1/templates/${made.json.id}/preview`, { modifications }, { key });
      return await pixel(preview.body, 9, 9);
    };
    const image = (src: string) => `<img data-layer="photo" style="display:block;width:60px;height:40px" src="${src}">`;
    const style = (src: string) => `<div style="height:40px;background:url(${src})"></div>`;
    for (const [id, is] of [
      [mine, true],
      [theirs, false],
    ] as const) {
      const pictures = [
        await shown(image(id)),
        await shown(image(`${server.url}/images/${id}.png`)),
        await shown(image('data:,'), { photo: id }),
        await shown(style(id)),
      ];
      expect(pictures.map((colour) => colour === '#00ff00ff')).toEqual(Array(4).fill(is));
    }
    expect(await shown(image(theirs), {}, server.otherKey)).toBe('#00ff00ff');
  });
  test('503 when the lane is full, with the time to come back', async () => {
    await using narrow = await serverUnderTest({
      PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
      PLATEN_BROWSERS: '1',
      PLATEN_PAGE_QUEUE: '1',
    });
    const asked = Array.from({ length: 4 }, () =>
      narrow.ask('/v1/screenshots', { method: 'POST', json: { url, width: 40, height: 20, delay: 1_500 } }),
    );
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 503);
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([2, 2]);
    for (const { headers, json } of refused) {
      expect([headers['retry-after'], json]).toEqual([
        '5',
        { error: 'The server is busy; try again in a few seconds.' },
      ]);
    }
    expect((await narrow.ask('/v1/screenshots', { method: 'POST', json: { url } })).status).toBe(200);
  });
  test('a redirect to where it may not go', () => refused({ url: `${page.origin}/away` }, /^URL not allowed\.$/));
  test('a name that does not resolve', () => refused({ url: 'http://nowhere.invalid./' }, /^URL not allowed\./));
  test('as the source of an image layer', async () => {
    const image = (src: string) => ({
      ...SHAPES,
      layers: [{ name: 'page', type: 'image', src, width: 40, height: 20 }],
    });
    const made = await server.post('/v1/templates', image(`screenshot:${url}`));
    const answer = await server.post('/v1/renders', { template: made.json.id });
    expect(answer.status).toBe(200);
    const pdf = await server.post('/v1/renders', { template: made.json.id, output: 'pdf' });
    const file = await server.ask(new URL(String(pdf.json.url)).pathname, { key: null });
    expect([pdf.status, /\/Subtype \/Image\b/.test(file.body.toString('latin1'))]).toEqual([200, true]);
    const denied = await server.post('/v1/renders', {
      template: made.json.id,
      modifications: { page: 'screenshot:http://10.0.0.1/' },
    });
    expect([denied.status, denied.json]).toEqual([
      400,
      { error: expect.stringMatching(/^Image of layer "page" could not be loaded: URL not allowed\./) },
    ]);
  });
  test('a page that answers 500 is a warning of a capture, and no source of a card', async () => {
    const broken = `${page.origin}/broken`;
    const shown = await server.post('/v1/screenshots', { url: broken });
    expect([shown.status, shown.headers['platen-warnings']]).toEqual([200, '["The page answered 500."]']);
    const layer = { name: 'page', type: 'image', src: `screenshot:${broken}`, width: 40, height: 20 } as const;
    const { id } = (await server.post('/v1/templates', { ...SHAPES, layers: [layer] })).json;
    const failed = await server.post('/v1/renders', { template: id });
    expect([failed.status, failed.json.error]).toEqual([
      400,
      expect.stringMatching(/^Image of layer "page" could not be loaded: .*500/),
    ]);
    // Nor is it kept: a signed URL is drawn once the page is well.
    const query = signedQuery(server.signingSecret, { template: String(id), extension: 'png', parameters: [] });
    const signed = () => server.ask(`/v1/templates/${id}/render.png?${query}`, { key: null });
    expect((await signed()).status).toBe(400);
    const fallback = { ...layer, fallback: `screenshot:${url}` };
    await server.ask(`/v1/templates/${id}`, { method: 'PUT', json: { ...SHAPES, layers: [fallback] } });
    const well = await signed();
    expect([well.status, await pixel(well.body, 9, 9)]).toEqual([200, '#00ff00ff']);
  });
  test('a test key’s captures have the watermark, in each format, and a live key’s have none', async () => {
    const capture = async (key: string, output: string) =>
      (await server.post('/v1/screenshots', { url, output, width: 200, height: 100, response: 'bytes' }, { key })).body;
    for (const output of ['png', 'jpeg', 'webp', 'avif']) {
      const spread = async (key: string) => {
        const { channels } = await sharp(await capture(key, output))
          .removeAlpha()
          .stats();
        return Math.max(...channels.map(({ min, max }) => max - min));
      };
      expect([output, await spread(server.key)]).toEqual([output, expect.toSatisfy((most: number) => most < 8)]);
      expect([output, await spread(server.testKey)]).toEqual([output, expect.toSatisfy((most: number) => most > 60)]);
    }
    const [live, marked] = [await capture(server.key, 'pdf'), await capture(server.testKey, 'pdf')];
    expect([live.subarray(0, 5).toString(), marked.subarray(0, 5).toString()]).toEqual(['%PDF-', '%PDF-']);
    expect(marked.length).toBeGreaterThan(live.length + 200);
  });
});

test('without a Chromium the rest works, and a page says what is missing', async () => {
  await using bare = await serverUnderTest({
    CHROMIUM_PATH: '/nowhere',
    PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
  });
  const made = await bare.ask('/v1/templates', { method: 'POST', json: SHAPES });
  expect((await bare.ask('/v1/renders', { method: 'POST', json: { template: made.json.id } })).status).toBe(200);
  const answer = await bare.ask('/v1/screenshots', { method: 'POST', json: { url } });
  expect([answer.status, answer.json]).toEqual([
    500,
    { error: 'This server has no Chromium, which pages and html templates are drawn by.' },
  ]);
});
