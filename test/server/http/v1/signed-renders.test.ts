// Tests GET /v1/templates/{id}/render.{ext} (Spec; product section 3).

import { expect, test } from 'vitest';
import { type NamedValue, signedQuery } from '#server/service/rendering/signed-url.ts';
import { NOW, type ServerUnderTest, SHAPES, serverUnderTest } from '../server-under-test.ts';

async function start(env = {}) {
  const pictures: string[] = [];
  const server = await serverUnderTest(env, {
    exportAs: async (output, pages, _resources, { scale, quality }) => {
      for (const { width, height } of pages) pictures.push(`${output} ${width}×${height} @${scale} q${quality}`);
      return Buffer.from('a picture');
    },
  });
  const { id } = await server.services.templates.create(server.account, SHAPES);
  return { ...server, template: id, pictures };
}

type Server = ServerUnderTest & { readonly template: string };

function signed(
  { template, signingSecret }: Server,
  extension = 'png',
  parameters: readonly NamedValue[] = [],
  expires: number | null = null,
): string {
  const query = signedQuery(signingSecret, { template, extension, parameters }, expires);
  return `/v1/templates/${template}/render.${extension}?${query}`;
}

const open = (server: Server, path: string, more = {}) => server.ask(path, { key: null, ...more });

test('200: the bytes, with the content type of the extension', async () => {
  await using server = await start();
  const types = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp', pdf: 'application/pdf' };
  for (const [extension, type] of Object.entries(types)) {
    const { status, headers, text } = await open(server, signed(server, extension));
    expect([status, headers['content-type'], text]).toEqual([200, type, 'a picture']);
    expect(headers['cache-control']).toBe('public, s-maxage=3600, stale-while-revalidate=86400');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});

test('403: a URL that went through an escaping for HTML is told so', async () => {
  await using server = await start();
  const path = signed(server, 'png', [['box', '#fff']]).replaceAll('&', '&amp;');
  const { status, text } = await open(server, path);
  expect([status, text]).toEqual([403, 'This URL is not signed. It was escaped for HTML: write & instead of &amp;.\n']);
});

test('a preflight is not allowed: no header of CORS, neither for a signed URL nor for the API', async () => {
  await using server = await start();
  const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
  for (const path of [signed(server, 'png'), '/v1/renders', '/v1/account']) {
    const answer = await open(server, path, { method: 'OPTIONS', headers });
    expect([path, Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))]).toEqual([
      path,
      [],
    ]);
  }
});

test('scale and q are not modifications; all else is', async () => {
  await using server = await start();
  await open(
    server,
    signed(server, 'jpg', [
      ['scale', '2.5'],
      ['q', '40'],
      ['box.width', '10'],
    ]),
  );
  expect(server.pictures).toEqual(['jpeg 40×20 @2.5 q40']);
  const { headers } = await open(server, signed(server, 'png', [['nobody', 'x']]));
  expect(headers['platen-warnings']).toContain('nobody');
});

test('400 as plain text: scale, q or a modification out of bounds, although signed', async () => {
  await using server = await start();
  const wrong = [
    ['scale', '4'],
    ['scale', '0'],
    ['scale', '-1'],
    ['scale', '1e400'],
    ['scale', ''],
    ['q', '101'],
    ['q', '1.5'],
    ['q', 'abc'],
    ['box.opacity', '2'],
    ['box', 'no colour'],
  ] as const;
  for (const [name, value] of wrong) {
    const { status, headers, text } = await open(server, signed(server, 'png', [[name, value]]));
    expect([status, headers['content-type']], `${name}=${value}`).toEqual([400, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/must be/);
    expect(headers['cache-control']).toBe('no-store');
  }
  expect(server.pictures).toEqual([]);
});

test('402 as plain text when the owner has used up the quota', async () => {
  await using server = await start({ PLATEN_PLANS: '{"free":{"quota":1,"blocks":true}}' });
  expect((await open(server, signed(server))).status).toBe(200);
  const { status, headers, text } = await open(server, signed(server, 'png', [['box', 'red']]));
  expect([status, headers['content-type']]).toEqual([402, 'text/plain; charset=utf-8']);
  expect(text).toContain('used up');
  expect(headers.etag).toBeUndefined();
});

test('403 as plain text: no signature, a wrong one, or one for something else', async () => {
  await using server = await start();
  const good = signed(server, 'png', [['box', 'red']]);
  const sig = good.slice(good.indexOf('sig='));
  const base = `/v1/templates/${server.template}/render`;
  const bad = [
    `${base}.png`,
    `${base}.png?box=red`,
    `${base}.png?box=blue&${sig}`,
    `${base}.png?box=red&more=1&${sig}`,
    `${base}.png?box=red&box=red&${sig}`,
    `${base}.png?box=red&${sig}&${sig}`,
    `${base}.jpg?box=red&${sig}`,
    `${base}.png?box=red&${sig.slice(0, -1)}`,
    `${base}.png?box=red&${sig.toUpperCase().replace('SIG', 'sig')}`,
    `${base}.png?box=red&${sig.replace('sig=', 'sig[]=')}`,
    `${base}.png?box=%ZZ&${sig}`,
    `${base}.png?${'a'.repeat(9_000)}&${sig}`,
  ];
  for (const path of bad) {
    const { status, headers } = await open(server, path);
    expect([status, headers['content-type']], path).toEqual([403, 'text/plain; charset=utf-8']);
  }
  expect((await open(server, good)).status).toBe(200);
});

test('403: a signature of another template, or of another account', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  expect((await open(server, signed(server).replace(server.template, id))).status).toBe(403);
  const { signing } = await server.services.accounts.secrets(server.other);
  expect((await open(server, signed({ ...server, signingSecret: signing }))).status).toBe(403);
});

test('404 as plain text: an unknown template, or an extension that there is not', async () => {
  await using server = await start();
  for (const path of [
    signed({ ...server, template: 'tpl_nope' }),
    signed(server, 'gif'),
    `/v1/templates/${server.template}/render.?sig=x`,
    `/v1/templates/${server.template}/render.__proto__?sig=x`,
  ]) {
    const { status, headers } = await open(server, path);
    expect([status, headers['content-type']], path).toEqual([404, 'text/plain; charset=utf-8']);
  }
});

test('404 comes before the signature is looked at, 403 for its absence before the template', async () => {
  await using server = await start();
  expect((await open(server, `/v1/templates/nope/render.png?sig=${'0'.repeat(64)}`)).status).toBe(404);
  expect((await open(server, '/v1/templates/nope/render.png')).status).toBe(403);
});

test('405 as plain text', async () => {
  await using server = await start();
  const { status, headers } = await open(server, signed(server), { method: 'POST' });
  expect([status, headers.allow, headers['content-type']]).toEqual([405, 'HEAD, GET', 'text/plain; charset=utf-8']);
});

test('an expiry holds until its second, and a cache is told not to outlive it', async () => {
  await using server = await start();
  const now = NOW.getTime() / 1000;
  const { status, headers } = await open(server, signed(server, 'png', [], now + 60));
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60']);
  expect((await open(server, signed(server, 'png', [], now - 1))).status).toBe(403);
});

test('one variant has one ETag, whatever the order and spelling; another has another', async () => {
  await using server = await start();
  const etag = async (path: string) => String((await open(server, path)).headers.etag);
  const pairs: NamedValue[] = [
    ['box', 'red'],
    ['scale', '2'],
  ];
  const path = signed(server, 'png', pairs);
  const [base, query = ''] = path.split('?');
  const reordered = `${base}?${query.split('&').reverse().join('&')}`;
  expect(await etag(reordered)).toBe(await etag(path));
  expect(
    await etag(
      signed(server, 'png', [
        ['box', 'red'],
        ['scale', '2.0'],
      ]),
    ),
  ).toBe(await etag(path));
  const others = [signed(server), signed(server, 'jpg', pairs), signed(server, 'jpeg', pairs), path];
  expect(new Set(await Promise.all(others.map(etag))).size).toBe(4);
});

test('a client that has it is told so, and nothing is drawn', async () => {
  await using server = await start();
  const path = signed(server);
  const etag = String((await open(server, path)).headers.etag);
  const again = await open(server, path, { headers: { 'if-none-match': etag } });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
  expect(server.pictures).toHaveLength(1);
  const forged = await open(server, `/v1/templates/${server.template}/render.png`, {
    headers: { 'if-none-match': etag },
  });
  expect(forged.status).toBe(403);
});

test('a new version is another variant; a pinned one is signed by its name', async () => {
  await using server = await start();
  const before = (await open(server, signed(server))).headers.etag;
  await server.services.templates.replace(server.account, server.template, { ...SHAPES, width: 80 });
  expect((await open(server, signed(server))).headers.etag).not.toBe(before);
  const pinned = signed({ ...server, template: `${server.template}@1` });
  const { status, headers } = await open(server, pinned);
  expect([status, headers.etag]).toEqual([200, before]);
  expect(server.pictures).toEqual(['png 40×20 @1 q80', 'png 80×20 @1 q80']);
});

test('HEAD has the headers and no body', async () => {
  await using server = await start();
  const { status, headers, text } = await open(server, signed(server), { method: 'HEAD' });
  expect([status, headers['content-type'], headers['content-length'], text]).toEqual([200, 'image/png', '9', '']);
});
