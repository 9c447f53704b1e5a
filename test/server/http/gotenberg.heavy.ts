// The routes in Gotenberg's shape, as its clients use them: forms in, bytes out.

import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { checkPdf, poppler, propertiesOf, qpdf, sizesOf, wordsOf } from '../../golden/poppler.ts';
import { hasChromium, pixel, site, sizeOf } from '../chromium/chromium.ts';
import { canary } from '../net/servers.ts';
import { serverUnderTest } from './server-under-test.ts';

const server = await serverUnderTest({
  PLATEN_GOTENBERG: 'true',
  PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
  PLATEN_BROWSERS: '1',
});
const page = await site({ '/': '<p>By address', '/gone': 404 });
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await page[Symbol.asyncDispose]();
});

type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
type Fields = Readonly<Record<string, string>>;

/** Posts a form, with the files under `files`, as Gotenberg's clients do. */
async function post(path: string, files: Files, fields: Fields = {}, headers: Fields = {}) {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content]), name);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const authorization = { authorization: `Bearer ${server.key}` };
  const answer = await fetch(`${server.url}/forms/chromium/${path}`, {
    method: 'POST',
    body: form,
    headers: { ...authorization, ...headers },
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes, text: new TextDecoder().decode(bytes) };
}
const html = (markup: string) => ({ 'index.html': markup });

for (const [name, path, files, fields, message] of [
  ['no index.html', 'convert/html', { 'other.html': 'x' }, {}, "form file 'index.html' is required"],
  ['no url', 'convert/url', {}, {}, "form field 'url' is required"],
  ['a field of another engine', 'convert/html', html('x'), { pdfa: 'PDF/A-2b' }, "form field 'pdfa' is not supported"],
  ['an unknown field', 'convert/html', html('x'), { margnTop: '1' }, "form field 'margnTop' is not supported"],
  [
    'a tag',
    'convert/html',
    html('x'),
    { metadata: '{"Copyright":"x"}' },
    "field 'metadata' is not supported by Platen (the tag",
  ],
  ['a property', 'convert/html', html('x'), { metadata: '{"Title":1}' }, "form field 'metadata': must be a string"],
  ['a length', 'convert/html', html('x'), { marginTop: 'x' }, "form field 'marginTop': must be a number of inches"],
  ['a scale', 'convert/html', html('x'), { scale: '5' }, "form field 'scale': must be at most 2"],
  ['a range', 'convert/html', html('x'), { nativePageRanges: 'a' }, "form field 'nativePageRanges': must be numbers"],
  ['a delay', 'convert/html', html('x'), { waitDelay: '5x' }, "form field 'waitDelay': must be a duration"],
  [
    'a header',
    'convert/html',
    { ...html('x'), 'header.html': '<link>' },
    {},
    "'header.html': cannot load style sheets",
  ],
  ['JSON', 'convert/html', html('x'), { cookies: '{' }, "form field 'cookies': must be JSON"],
  ['a cookie', 'convert/url', {}, { url: 'http://a.example', cookies: '[{"domain":"b"}]' }, 'must be that of the page'],
  [
    'headers without a page',
    'convert/html',
    html('x'),
    { extraHttpHeaders: '{"a":"b"}' },
    "'extraHttpHeaders': need url",
  ],
  ['a format', 'screenshot/html', html('x'), { format: 'gif' }, "form field 'format': must be one of png, jpeg, webp"],
  ['a private address', 'convert/url', {}, { url: 'http://10.0.0.1/' }, 'URL not allowed.'],
] as const) {
  test(`is named as plain text: ${name}`, async () => {
    const { status, headers, text } = await post(path, files, fields);
    expect([status, headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(text).toContain(message);
  });
}
test('no form, or two files of one name', async () => {
  const headers = { 'content-type': 'application/json' };
  const json = await server.ask('/forms/chromium/convert/html', { method: 'POST', raw: '{}', headers });
  expect([json.status, json.text]).toEqual([400, 'The body must be a form: multipart/form-data.\n']);
});
test('a webhook is refused by name', async () => {
  const { status, text } = await post('convert/html', html('x'), {}, { 'Gotenberg-Webhook-Url': 'http://a' });
  expect([status, text]).toEqual([400, 'The header gotenberg-webhook-url is not supported by Platen; leave it out.\n']);
});
test('needs a key, which may be the password of Basic authentication here, and only here', async () => {
  const basic = (password: string) => ({ authorization: `Basic ${btoa(`gotenberg:${password}`)}` });
  const status = async (headers: Fields) => (await post('convert/html', {}, {}, headers)).status;
  expect(await status({ authorization: '' })).toBe(401);
  expect(await status(basic('wrong'))).toBe(401);
  expect(await status(basic(server.key))).toBe(400);
  expect((await server.ask('/v1/usage', { key: null, headers: basic(server.key) })).status).toBe(401);
});

describe.skipIf(!hasChromium || !poppler)('with Chromium', () => {
  const rows = Array.from({ length: 60 }, (_, row) => `<tr><td>row${row}<td>12.00`).join('');
  const band = (text: string) =>
    `<html><head><style>p{font-size:9px;margin:0 auto}</style></head><body><p>${text}</p></body></html>`;

  test('waits for an expression, and writes metadata', async () => {
    const index = `<title>Own</title><p id=a>late<script>setTimeout(() => { a.textContent = 'there'; window.ready = true }, 300)</script>`;
    const metadata = JSON.stringify({ Title: 'Réport', Author: 'Ada', Subject: 'Sums', Keywords: 'one, two' });
    const answer = await post('convert/html', html(index), { waitForExpression: 'window.ready === true', metadata });
    expect([answer.status, wordsOf(answer.bytes)]).toEqual([200, 'there']);
    expect(propertiesOf(answer.bytes)).toMatchObject({
      ...{ Title: 'Réport', Author: 'Ada', Subject: 'Sums', Keywords: 'one, two', Creator: 'Chromium' },
    });
    if (qpdf) checkPdf(answer.bytes);
    expect(propertiesOf((await post('convert/html', html(index))).bytes)).toMatchObject({ Title: 'Own' });
    const failed = async (waitForExpression: string) =>
      (await post('convert/html', html('x'), { waitForExpression })).text;
    expect(await failed('nothing.there')).toBe(
      'waitForExpression: "nothing.there" fails in the page: ReferenceError: nothing is not defined.\n',
    );
  });

  test('an invoice with a header, a footer, pictures, styles and scripts by name, for one unit', async () => {
    const used = async () => Number((await server.ask('/v1/usage')).json.used);
    const before = await used();
    const index = `<!doctype html><link rel=stylesheet href="style.css"><h1>Invoice</h1><img src="./img/logo.png"><p id=filled>x
      <table><thead><tr><th>Item<th>Price</thead>${rows}</table><script src="fill.js"></script>`;
    const logo = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    const answer = await post(
      'convert/html',
      {
        'index.html': index,
        'style.css': 'h1::after{content:" 118"} img{width:50px}',
        'fill.js': "document.querySelector('#filled').textContent='by script'",
        'logo.png': new Uint8Array(logo),
        'header.html': band('head'),
        'footer.html': band('page <span class=pageNumber></span> of <span class=totalPages></span>'),
      },
      {
        paperWidth: '8.27',
        paperHeight: '11.7',
        marginTop: '1',
        marginBottom: '20mm',
        printBackground: 'true',
        flatten: 'false',
      },
      { 'Gotenberg-Output-Filename': '../invoice-118', 'Gotenberg-Trace': 'trace-1' },
    );
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="invoice-118.pdf"');
    expect(answer.headers.get('gotenberg-trace')).toBe('trace-1');
    const words = wordsOf(answer.bytes);
    const sheets = sizesOf(answer.bytes);
    expect([sheets.length, sheets[0]]).toEqual([2, { width: 795, height: 1124 }]);
    for (const text of ['Invoice 118', 'by script', 'head', 'page 1 of 2', 'page 2 of 2'])
      expect(words).toContain(text);
    expect([words.match(/row\d+/g)?.length, words.match(/Item/g)?.length]).toEqual([60, 2]);
    expect(Buffer.from(answer.bytes).includes('/Subtype /Image')).toBe(true);
    expect(await used()).toBe(before + 1);
  });
  test('defaults are Gotenberg’s: Letter, without backgrounds, tags and outline, as printed', async () => {
    const markup = '<style>@media screen{p{display:none}}body{background:#0f0}</style><p>printed';
    const { bytes, headers } = await post('convert/html', html(markup));
    const text = Buffer.from(bytes).toString('latin1');
    expect([wordsOf(bytes), sizesOf(bytes)]).toEqual(['printed', [{ width: 816, height: 1056 }]]);
    expect([text.includes('/StructTreeRoot'), text.includes('/Outlines')]).toEqual([false, false]);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="rnd_\w+\.pdf"$/);
    expect(headers.get('gotenberg-trace')).toMatch(/./);
  });
  test('one page, landscape, ranges, outline by the names of both versions', async () => {
    const long = html(`<h1>Head</h1><table>${rows}${rows}</table>`);
    const made = async (fields: Fields) => (await post('convert/html', long, fields)).bytes;
    expect(sizesOf(await made({ singlePage: 'true' }))).toHaveLength(1);
    expect(sizesOf(await made({ landscape: 'true' }))[0]).toEqual({ width: 1056, height: 816 });
    for (const name of ['nativePageRanges', 'nativePages'])
      expect(sizesOf(await made({ [name]: '2' }))).toHaveLength(1);
    for (const name of ['generateDocumentOutline', 'nativeBookmarks']) {
      expect(Buffer.from(await made({ [name]: 'true' })).includes('/Outlines')).toBe(true);
    }
    expect(sizesOf(await made({ paperSize: 'a5' }))[0]).toEqual({ width: 560, height: 795 });
  });
  test('a page by its address, and one that fails with its status', async () => {
    const fields = {
      url: `${page.origin}/`,
      extraHttpHeaders: '{"X-A":"b"}',
      cookies: '[{"name":"c","value":"d","domain":"127.0.0.1"}]',
    };
    const { bytes } = await post('convert/url', {}, fields);
    expect(wordsOf(bytes)).toBe('By address');
    expect(page.seen.get('/')).toMatchObject({ 'x-a': 'b', cookie: 'c=d' });
    const gone = await post('convert/url', {}, { url: `${page.origin}/gone` });
    expect([gone.status, gone.text]).toEqual([409, 'Invalid HTTP status code from the main page: 404\n']);
    const shown = await post('convert/url', {}, { url: `${page.origin}/gone`, failOnHttpStatusCodes: '[]' });
    expect(wordsOf(shown.bytes)).toBe('no');
  });
  test('a file that is missing is warned of by name, or fails where the form says so', async () => {
    const index = `<p>there<img src="logo.png"><link rel=stylesheet href="${page.origin}/none.css">`;
    const made = await post('convert/html', html(index));
    expect([made.status, wordsOf(made.bytes)]).toEqual([200, 'there']);
    expect(made.headers.get('platen-warnings')).toMatch(/logo\.png.*none\.css|none\.css.*logo\.png/);
    const picture = await post('screenshot/html', html(index));
    expect(picture.headers.get('platen-warnings')).toContain('logo.png');
    for (const fields of [{ failOnResourceLoadingFailed: 'true' }, { failOnResourceHttpStatusCodes: '[499,599]' }]) {
      const failed = await post('convert/html', html(index), fields);
      expect([failed.status, failed.text]).toEqual([
        409,
        expect.stringMatching(/resources: The page's file ".*" could not be loaded\. 1 more is missing\.\n$/),
      ]);
      expect((await post('convert/html', html('<p>x'), fields)).status).toBe(200);
    }
  });
  test('screenshots: the whole page, or the screen', async () => {
    const markup = '<body style="margin:0"><div style="height:900px;background:#0f0">';
    const whole = await post('screenshot/html', html(markup));
    expect([await sizeOf(whole.bytes), await pixel(whole.bytes, 9, 890)]).toEqual(['png 800×900', '#00ff00ff']);
    const clipped = await post('screenshot/html', html(markup), {
      clip: 'true',
      width: '200',
      height: '100',
      format: 'jpeg',
    });
    expect([await sizeOf(clipped.bytes), clipped.headers.get('content-type')]).toEqual(['jpeg 200×100', 'image/jpeg']);
    const byUrl = await post('screenshot/url', {}, { url: `${page.origin}/`, format: 'webp' });
    expect(await sizeOf(byUrl.bytes)).toBe('webp 800×600');
  });
  test('nothing in a form reaches an address that is not allowed', async () => {
    await using trap = await canary('127.0.0.2').catch(() => canary());
    const away = `http://127.0.0.2:${trap.port}/`;
    const all = `<img src="${away}a"><iframe src="${away}b"></iframe><iframe src="file:///etc/hostname"></iframe><b style="background:url(${away}c)">x</b>`;
    const index = `${all}<link rel=stylesheet href="style.css"><script src="${away}d"></script><script>fetch('${away}e').catch(()=>{});new WebSocket('ws://127.0.0.2:${trap.port}/');navigator.sendBeacon('${away}f');open('${away}g')</script><iframe src="frame.html"></iframe>`;
    const files = {
      'index.html': index,
      'style.css': `@import url(${away}h);body{background:url(${away}i)}`,
      'frame.html': all,
    };
    const { status, bytes } = await post(
      'convert/html',
      { ...files, 'header.html': all, 'footer.html': all },
      { printBackground: 'true', waitDelay: '300ms' },
    );
    expect([status, trap.hits(), wordsOf(bytes).includes('root')]).toEqual([200, 0, false]);
  });
});

test('routes of Gotenberg that Platen lacks are named', async () => {
  for (const path of ['/forms/libreoffice/convert', '/forms/pdfengines/merge', '/forms/chromium/convert/markdown']) {
    const { status, text } = await server.ask(path, { method: 'POST', raw: 'x' });
    expect([status, text]).toEqual([
      404,
      expect.stringContaining(`Platen has no ${path}; of Gotenberg's routes it has`),
    ]);
  }
  expect((await server.ask('/forms/libreoffice/convert', { method: 'POST', key: null })).status).toBe(401);
});
test('answers the probe of what watches Gotenberg', async () => {
  const { status, json } = await server.ask('/health', { key: null });
  expect([status, json]).toEqual([200, { status: 'up', details: {} }]);
});

test('is off without its variable, which is named', async () => {
  await server.restart({});
  const { status, text } = await server.ask('/forms/chromium/convert/html', { method: 'POST', raw: 'x' });
  expect([status, text]).toEqual([404, expect.stringContaining('PLATEN_GOTENBERG=true')]);
  expect((await server.ask('/health', { key: null })).status).toBe(404);
});
