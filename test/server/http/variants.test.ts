// Tests that the image of a signed URL is drawn once, counted once, and cached within a size limit.

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NamedValue, sign, signedQuery } from '#server/service/rendering/signed-url.ts';
import { NOW, type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

const FREE_2 = { PLATEN_PLANS: '{"free":{"quota":2,"blocks":true}}' };
const PNG_BYTES = 400 * 1024;

/** A server whose export runs `draw`, records each call, and draws nothing itself. */
async function start(env = {}, draw: () => Promise<void> = async () => {}) {
  const clock = { now: NOW };
  const drawn: string[] = [];
  const server = await serverUnderTest(env, {
    clock: () => clock.now,
    exportAs: async (output) => {
      drawn.push(output);
      await draw();
      return Buffer.alloc(PNG_BYTES, drawn.length);
    },
  });
  const { id } = await server.services.templates.create(server.account, SHAPES);
  return { ...server, clock, template: id, drawn };
}

type Server = Awaited<ReturnType<typeof start>>;

function signed(
  { template, signingSecret }: Server,
  parameters: readonly NamedValue[] = [],
  extension = 'png',
): string {
  return `/v1/templates/${template}/render.${extension}?${signedQuery(signingSecret, { template, extension, parameters })}`;
}

const open = (server: Server, path: string, more = {}) => server.ask(path, { key: null, ...more });
const color = (server: Server, name: string) => signed(server, [['box', name]]);
const used = async ({ services, account }: ServerUnderTest) =>
  (await services.storage.usage.totals(account, '2026-11')).used;
const files = ({ folder }: ServerUnderTest) => readdir(join(folder, 'variants'));

test('a repeat is the same bytes, is not drawn again and costs nothing', async () => {
  await using server = await start();
  const first = await open(server, signed(server));
  const second = await open(server, signed(server));
  expect([second.status, second.body.equals(first.body)]).toEqual([200, true]);
  expect([second.headers.etag, second.headers['content-type']]).toEqual([first.headers.etag, 'image/png']);
  expect([server.drawn.length, await used(server)]).toEqual([1, 1]);
});

test('HEAD and GET share a variant', async () => {
  await using server = await start();
  const head = await open(server, signed(server), { method: 'HEAD' });
  expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(PNG_BYTES), '']);
  expect((await open(server, signed(server))).headers.etag).toBe(head.headers.etag);
  expect([server.drawn.length, await used(server)]).toEqual([1, 1]);
});

test('jpg and jpeg are two variants', async () => {
  await using server = await start();
  for (const extension of ['jpg', 'jpeg', 'jpg']) await open(server, signed(server, [], extension));
  expect([server.drawn, await used(server)]).toEqual([['jpeg', 'jpeg'], 2]);
});

test('a repeat has the warnings of the first', async () => {
  await using server = await start();
  const path = signed(server, [['nobody', 'x']]);
  const first = await open(server, path);
  expect(first.headers['platen-warnings']).toContain('nobody');
  expect((await open(server, path)).headers['platen-warnings']).toBe(first.headers['platen-warnings']);
});

test('100 first hits at once are one drawing and one unit', async () => {
  await using server = await start({}, () => new Promise((resolve) => setTimeout(resolve, 100)));
  const answers = await Promise.all(Array.from({ length: 100 }, () => open(server, signed(server))));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.length}`))).toEqual(new Set([`200 ${PNG_BYTES}`]));
  expect([server.drawn.length, await used(server)]).toEqual([1, 1]);
});

test('past the quota of a free plan, what was shown is still shown; what is new is 402', async () => {
  await using server = await start({ ...FREE_2, PLATEN_VARIANT_CACHE_MB: '0' });
  for (const name of ['red', 'green']) expect((await open(server, color(server, name))).status).toBe(200);
  expect((await open(server, color(server, 'blue'))).status).toBe(402);
  // This cache keeps nothing, so the image is drawn again, and still costs nothing.
  expect((await open(server, color(server, 'red'))).status).toBe(200);
  expect([server.drawn.length, await used(server)]).toEqual([3, 2]);
});

test('a paid plan never answers 402', async () => {
  await using server = await start({ PLATEN_PLANS: '{"free":{"quota":1,"blocks":false}}' });
  for (const name of ['red', 'green', 'blue']) expect((await open(server, color(server, name))).status).toBe(200);
  expect(await used(server)).toBe(3);
});

test('a drawing that fails costs nothing and is tried again', async () => {
  let broken = true;
  await using server = await start({}, async () => {
    if (broken) throw new Error('no ink');
  });
  expect((await open(server, signed(server))).status).toBe(500);
  expect([await used(server), await files(server)]).toEqual([0, []]);
  broken = false;
  expect((await open(server, signed(server))).status).toBe(200);
  expect(await used(server)).toBe(1);
});

test('the cache keeps to its bound: what was not used for longest goes', async () => {
  await using server = await start({ PLATEN_VARIANT_CACHE_MB: '1' });
  const later = () => {
    server.clock.now = new Date(server.clock.now.getTime() + 120_000);
  };
  for (const name of ['red', 'green', 'red', 'blue', 'red']) {
    await open(server, color(server, name));
    later();
  }
  expect([server.drawn.length, (await files(server)).length]).toEqual([3, 2]);
  await open(server, color(server, 'green'));
  expect([server.drawn.length, (await files(server)).length, await used(server)]).toEqual([4, 2, 3]);
});

test('the cache is there after a restart, within the bound that then holds', async () => {
  await using server = await start();
  for (const name of ['red', 'green', 'blue']) await open(server, color(server, name));
  await server.restart();
  for (const name of ['red', 'green', 'blue']) expect((await open(server, color(server, name))).status).toBe(200);
  expect(server.drawn).toHaveLength(3);
  await server.restart({ PLATEN_VARIANT_CACHE_MB: '1' });
  expect(await files(server)).toHaveLength(2);
});

test('a file that is gone, cut off or nobody’s is mended', async () => {
  await using server = await start();
  const { body } = await open(server, signed(server));
  const [name = ''] = await files(server);
  const file = join(server.folder, 'variants', name);
  await writeFile(file, 'cut off');
  expect((await open(server, signed(server))).body).toHaveLength(body.length);
  const stranger = join(server.folder, 'variants', `rnd_${'0'.repeat(22)}.png`);
  await writeFile(stranger, 'nobody’s');
  await server.restart();
  expect(await files(server)).toEqual([name]);
  expect([server.drawn.length, await used(server)]).toEqual([2, 1]);
});

test('a new version is a new variant; the pinned old one is still what it was', async () => {
  await using server = await start();
  await open(server, signed(server));
  await server.services.templates.replace(server.account, server.template, { ...SHAPES, width: 80 });
  await open(server, signed(server));
  expect(await used(server)).toBe(2);
  await open(server, signed({ ...server, template: `${server.template}@1` }));
  await open(server, signed({ ...server, template: `${server.template}@2` }));
  expect([server.drawn.length, await used(server)]).toEqual([2, 2]);
});

test('a deleted template takes its pictures along; what they cost stays counted', async () => {
  await using server = await start();
  await open(server, signed(server));
  expect((await server.ask(`/v1/templates/${server.template}`, { method: 'DELETE' })).status).toBe(204);
  expect([(await open(server, signed(server))).status, await files(server), await used(server)]).toEqual([404, [], 1]);
});

test('a template that is deleted while it is drawn is 404, and costs nothing', async () => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  await using server = await start({}, () => {
    begun.resolve();
    return finish.promise;
  });
  const answer = open(server, signed(server));
  await begun.promise;
  await server.ask(`/v1/templates/${server.template}`, { method: 'DELETE' });
  finish.resolve();
  expect([(await answer).status, await files(server), await used(server)]).toEqual([404, [], 0]);
});

test('a picture that does without an optional image is not kept, nor counted again', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, {
    ...SHAPES,
    layers: [{ name: 'photo', type: 'image', src: 'data:,none', optional: true, width: 10, height: 10 }],
  });
  const path = signed({ ...server, template: id });
  for (const _ of [1, 2]) {
    const { status, headers } = await open(server, path);
    expect([status, headers['cache-control'], headers.etag]).toEqual([200, 'no-store', undefined]);
  }
  expect([server.drawn.length, await used(server), await files(server)]).toEqual([2, 1, []]);
});

test('a rotated secret: both sign until the old one is retired', async () => {
  await using server = await start();
  const { accounts } = server.services;
  const before = signed(server);
  const signingSecret = await accounts.rotateSecret(server.account, 'signing');
  const after = signed({ ...server, signingSecret });
  expect((await accounts.secrets(server.account)).signing).toBe(signingSecret);
  for (const path of [before, after]) expect((await open(server, path)).status).toBe(200);
  expect(await used(server)).toBe(1);
  expect(await accounts.retireSecrets(server.account, 'signing')).toBe(1);
  expect([(await open(server, before)).status, (await open(server, after)).status]).toEqual([403, 200]);
  expect(await accounts.retireSecrets(server.account, 'signing')).toBe(0);
});

test('any order and spelling of the parameters is one variant and one unit', async () => {
  await using server = await start();
  const pairs: readonly (readonly [string, readonly string[]])[] = [
    ['box', ['red']],
    ['a b', ['c d', 'c+d']],
    ['scale', ['2', '2.0', '2.00']],
    ['q', ['80']],
    ['é', ['ü']],
    ['x', ['1']],
    ['y', ['2']],
  ];
  const piece = ([name, [value = '', other = value]]: (typeof pairs)[number], plus: boolean) => {
    const text = `${encodeURIComponent(name)}=${encodeURIComponent(name === 'scale' ? other : value)}`;
    return plus ? text.replaceAll('%20', '+').toLowerCase() : text;
  };
  const spellings = fc.tuple(fc.shuffledSubarray([...pairs], { minLength: pairs.length }), fc.boolean());
  const etags = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(spellings, async ([order, plus]) => {
      const decoded = order.map(
        ([name, [value = '', other = value]]) => [name, name === 'scale' ? other : value] as const,
      );
      const sig = sign(server.signingSecret, { template: server.template, extension: 'png', parameters: decoded });
      const query = order.map((pair) => piece(pair, plus)).join('&');
      const { status, headers } = await open(server, `/v1/templates/${server.template}/render.png?${query}&sig=${sig}`);
      expect(status).toBe(200);
      etags.add(headers.etag);
    }),
    { numRuns: 200 },
  );
  expect([etags.size, server.drawn.length, await used(server)]).toEqual([1, 1, 1]);
});

test('If-None-Match: * is no match for what was never drawn', async () => {
  await using server = await start();
  const held = { headers: { 'if-none-match': '*' } };
  expect((await open(server, signed(server), held)).status).toBe(200);
  const later = [await open(server, signed(server), held), await open(server, signed(server), held)];
  expect(later.map(({ status }) => status)).toEqual([304, 304]);
  expect([server.drawn.length, await used(server)]).toEqual([1, 1]);
});

/** Opens the URL until it is cached in memory, then makes the change and opens it once more. @returns all statuses */
async function afterwards(change: (server: Server, path: string) => unknown, path?: (server: Server) => string) {
  await using server = await start();
  const shown = path?.(server) ?? signed(server);
  const statuses: number[] = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await open(server, shown)).status);
  const before = server.drawn.length;
  await change(server, shown);
  statuses.push((await open(server, shown)).status);
  return { statuses, drawnAnew: server.drawn.length - before };
}

// `services` uses another connection, as the command line does.
test.each<readonly [string, (server: Server) => unknown, number, number]>([
  [
    'a secret retired by the command line',
    async ({ services, account }) => {
      await services.accounts.rotateSecret(account, 'signing');
      await services.accounts.retireSecrets(account, 'signing');
    },
    403,
    0,
  ],
  ['a new secret', ({ services, account }) => services.accounts.rotateSecret(account, 'signing'), 200, 0],
  [
    'a template saved by the command line',
    ({ services, account, template }) => services.templates.replace(account, template, SHAPES),
    200,
    1,
  ],
  [
    'a template saved by a request',
    ({ ask, template }) => ask(`/v1/templates/${template}`, { method: 'PUT', json: SHAPES }),
    200,
    1,
  ],
  [
    'a template deleted by a request',
    ({ ask, template }) => ask(`/v1/templates/${template}`, { method: 'DELETE' }),
    404,
    0,
  ],
  [
    'a template deleted by the command line',
    ({ services, account, template }) => services.templates.delete(account, template),
    404,
    0,
  ],
])('what is known in memory heeds %s', async (_what, change, status, drawnAnew) => {
  expect(await afterwards(change)).toEqual({ statuses: [200, 200, 200, status], drawnAnew });
});

test('what is known in memory ends with its signature', async () => {
  const ends = NOW.getTime() / 1_000 + 60;
  const path = ({ template, signingSecret }: Server) =>
    `/v1/templates/${template}/render.png?${signedQuery(signingSecret, { template, extension: 'png', parameters: [] }, ends)}`;
  const pass = ({ clock }: Server) => {
    clock.now = new Date((ends + 1) * 1_000);
  };
  expect(await afterwards(pass, path)).toEqual({ statuses: [200, 200, 200, 403], drawnAnew: 0 });
});
