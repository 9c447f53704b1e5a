// Tests webhook deliveries over their whole schedule, on a real database with a simulated clock, and over real sockets.

import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { EmbeddedWebhooks } from '#server/jobs/embedded-engine.ts';
import { createLog } from '#server/observability/log.ts';
import { openWebhookTransport } from '#server/service/jobs/webhook-transport.ts';
import { announce, Deliveries, sendWebhook, type WebhookTransport } from '#server/service/jobs/webhooks.ts';
import { receiver } from '../../../webhook-receiver.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Sent {
  /** Time since the completion, ms. */
  readonly at: number;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function webhooksUnderTest(post: (at: number) => number | Promise<number>, random = () => 0.5) {
  const { storage, ...opened } = await storageUnderTest();
  await storage.secrets.insert('acc_a', 'webhook', 'whsec_MA==', NOW);
  await storage.secrets.insert('acc_b', 'webhook', 'whsec_MQ==', NOW);
  const clock = { now: NOW };
  const sent: Sent[] = [];
  const transport: WebhookTransport = {
    async check() {},
    post: async (url, body, headers) => {
      const at = clock.now.getTime() - NOW.getTime();
      sent.push({ at, url, body, headers });
      const status = await post(at);
      return { status, location: status === 307 ? 'https://example.com/elsewhere' : null };
    },
  };
  const ctx = { secrets: storage.secrets, clock: () => clock.now, random, log: createLog('silent') };
  const webhooksBy = (transport: WebhookTransport) =>
    new EmbeddedWebhooks({ storage, clock: ctx.clock, onError: (error) => errors.push(error) }, (delivery) =>
      sendWebhook({ ...ctx, transport }, delivery),
    );
  const errors: unknown[] = [];
  const webhooks = webhooksBy(transport);
  const complete = (url = 'https://example.com/hook', accountId = 'acc_a', now = clock.now) =>
    announce(
      storage.deliveries,
      { accountId, webhookUrl: url },
      { id: 'rnd_1', status: 'error', result: null, error: 'no' },
      now,
    );
  const deliveries = new Deliveries(storage, () => clock.now);
  const only = async () => {
    const [delivery] = await deliveries.list(null);
    if (!delivery) throw new Error('there is no delivery');
    return delivery;
  };
  /** Advances the clock from one due attempt to the next until none is left, or none within `until` ms. */
  const runThrough = async (until = Number.POSITIVE_INFINITY) => {
    for (;;) {
      await webhooks.sendDue();
      const { dueAt } = await only();
      if (dueAt === null || dueAt.getTime() - NOW.getTime() > until) return;
      clock.now = dueAt;
    }
  };
  return { ...opened, webhooksBy, storage, clock, sent, webhooks, complete, deliveries, only, runThrough };
}

const LIMITS = { limit: 9, perHost: 5, perAccount: 9 };

test('the whole schedule: at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h apart', async () => {
  await using opened = await webhooksUnderTest(() => 500);
  await opened.complete();
  await opened.runThrough();
  const gaps = opened.sent.map(({ at }, index) => at - (opened.sent[index - 1]?.at ?? 0));
  expect(gaps).toEqual([
    0,
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ]);
  expect(await opened.only()).toMatchObject({ status: 'failed', attempts: 10, dueAt: null });
});

test.each([
  [0, 0.9],
  [1 - Number.EPSILON, 1.1],
])('jitter: random %d makes each pause %d of its length', async (random, factor) => {
  await using opened = await webhooksUnderTest(
    () => 500,
    () => random,
  );
  await opened.complete();
  await opened.runThrough();
  expect(opened.sent[1]?.at).toBeCloseTo(5 * SECOND * factor, -1);
  expect((opened.sent[9]?.at ?? 0) - (opened.sent[8]?.at ?? 0)).toBeCloseTo(24 * HOUR * factor, -2);
});

test('a receiver that fails for 26 hours is reached by a later attempt, with the same webhook-id', async () => {
  await using opened = await webhooksUnderTest((at) => (at < 26 * HOUR ? 503 : 200));
  await opened.complete();
  await opened.runThrough();
  expect(opened.sent).toHaveLength(8);
  expect(opened.sent.at(-1)?.at).toBeGreaterThan(26 * HOUR);
  expect(new Set(opened.sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([(await opened.only()).id]));
  expect(new Set(opened.sent.map(({ body }) => body)).size).toBe(1);
  expect(new Set(opened.sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8);
  const { status, log } = await opened.only();
  expect(status).toBe('delivered');
  expect(log.map((attempt) => attempt.status)).toEqual([503, 503, 503, 503, 503, 503, 503, 200]);
});

test.each([200, 201, 204, 299])('%d acknowledges', async (status) => {
  await using opened = await webhooksUnderTest(() => status);
  await opened.complete();
  await opened.runThrough();
  expect(await opened.only()).toMatchObject({ status: 'delivered', attempts: 1, dueAt: null });
});

test('410 stops', async () => {
  await using opened = await webhooksUnderTest(() => 410);
  await opened.complete();
  await opened.runThrough();
  expect(await opened.only()).toMatchObject({ status: 'refused', attempts: 1, dueAt: null });
});

test.each([100, 301, 302, 307, 308, 400, 401, 404, 408, 429, 500, 503])(
  '%d is tried again to the end',
  async (status) => {
    await using opened = await webhooksUnderTest(() => status);
    await opened.complete();
    await opened.runThrough();
    expect(opened.sent).toHaveLength(10);
  },
);

test('a redirect is logged with where it leads', async () => {
  await using opened = await webhooksUnderTest((at) => (at === 0 ? 307 : 200));
  await opened.complete();
  await opened.runThrough();
  expect((await opened.only()).log.map(({ status, error }) => [status, error])).toEqual([
    [
      307,
      'It redirects to "https://example.com/elsewhere"; redirects are not followed: give that address as webhookUrl.',
    ],
    [200, null],
  ]);
});

test('what cannot be reached is logged in words and tried again, the denied too', async () => {
  const answers = ['URL not allowed.', 'The server did not answer in time.', 'The connection to the server failed.'];
  await using opened = await webhooksUnderTest(() => {
    const message = answers.shift();
    if (message === undefined) return 200;
    throw new AppError('invalid_request', message);
  });
  await opened.complete();
  await opened.runThrough();
  expect((await opened.only()).log.map(({ status, error }) => status ?? error)).toEqual([
    'URL not allowed.',
    'The server did not answer in time.',
    'The connection to the server failed.',
    200,
  ]);
});

test('each attempt is signed with the secrets of its time', async () => {
  await using opened = await webhooksUnderTest(() => 500);
  await opened.complete();
  await opened.webhooks.sendDue();
  await opened.storage.secrets.insert('acc_a', 'webhook', 'whsec_Mg==', NOW);
  await opened.runThrough(6 * SECOND);
  const signatures = opened.sent.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
  expect(signatures).toEqual([1, 2]);
});

test('a replay has the same id and body and a new timestamp, and the whole schedule before it', async () => {
  let answer = 200;
  await using opened = await webhooksUnderTest(() => answer);
  await opened.complete();
  await opened.runThrough();
  opened.clock.now = new Date(NOW.getTime() + HOUR);
  answer = 500;
  await opened.deliveries.replay((await opened.only()).id);
  await opened.runThrough();
  const [first, again] = opened.sent;
  expect(again).toMatchObject({ at: HOUR, body: first?.body });
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(again?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  expect(opened.sent).toHaveLength(11);
  await expect(opened.deliveries.replay('msg_nope')).rejects.toThrow('There is no delivery "msg_nope".');
});

test('at most 5 at once to one host; others do not wait for it', async () => {
  const slow = Promise.withResolvers<number>();
  await using opened = await webhooksUnderTest(() => slow.promise);
  const { webhooks } = opened;
  for (let index = 0; index < 20; index += 1) await opened.complete(`https://slow.example.com/${index}`);
  for (let index = 0; index < 3; index += 1) await opened.complete(`https://other.example.com:8443/${index}`, 'acc_b');
  const over = [webhooks.sendDue(), webhooks.sendDue(), webhooks.sendDue()];
  await expect.poll(() => opened.sent.length).toBe(8);
  over.push(webhooks.sendDue());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(opened.sent.filter(({ url }) => url.includes('slow'))).toHaveLength(5);
  slow.resolve(200);
  await Promise.all(over);
  expect(opened.sent).toHaveLength(23);
});

test('receivers of one account that never answer leave places for another account', async () => {
  const never = Promise.withResolvers<number>();
  await using opened = await webhooksUnderTest(() => never.promise);
  const count = 300;
  for (let index = 0; index < count; index += 1) await opened.complete(`https://h${index % 100}.example.com/`, 'acc_a');
  const over = [opened.webhooks.sendDue()];
  await expect.poll(() => opened.sent.length).toBeGreaterThanOrEqual(50);
  await opened.complete('https://other.example.com/', 'acc_b');
  over.push(opened.webhooks.sendDue());
  await expect.poll(() => opened.sent.at(-1)?.url).toBe('https://other.example.com/');
  expect(opened.sent).toHaveLength(51);
  never.resolve(200);
  await Promise.all(over);
  expect(opened.sent).toHaveLength(count + 1);
});

test('what waits for its account takes no place of its host', async () => {
  await using opened = await webhooksUnderTest(() => 200);
  for (let index = 0; index < 3; index += 1) await opened.complete(`https://${index}.example.com/hook`);
  const limits = { limit: 9, perHost: 1, perAccount: 3 };
  const soon = new Date(NOW.getTime() + MINUTE);
  expect(await opened.storage.deliveries.claim(NOW, soon, limits)).toHaveLength(3);
  await opened.complete('https://shared.example.com/hook', 'acc_a', new Date(NOW.getTime() - MINUTE));
  const other = await opened.complete('https://shared.example.com/hook', 'acc_b');
  const claimed = await opened.storage.deliveries.claim(NOW, soon, limits);
  expect(claimed.map(({ id }) => id)).toEqual([other?.id]);
});

test('the time to choose grows no faster than how many are due', async () => {
  await using opened = await webhooksUnderTest(() => 200);
  const { storage } = opened;
  const soon = new Date(NOW.getTime() + MINUTE);
  let due = 0;
  const chosenAmong = async (count: number) => {
    await storage.transaction(async ({ deliveries }) => {
      for (; due < count; due += 1) {
        const job = { accountId: 'acc_a', webhookUrl: `https://${due % 400}.example.com/hook` };
        await announce(deliveries, job, { id: 'rnd_1', status: 'error', result: null, error: 'no' }, NOW);
      }
    });
    const times: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const start = performance.now();
      await storage.deliveries.claim(NOW, soon, { limit: 200, perHost: 5, perAccount: 50 });
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  const few = await chosenAmong(400);
  const many = await chosenAmong(4_000);
  expect(many).toBeLessThan(10 * few + 20);
});

test('an attempt that its process did not survive is made again, with the same id', async () => {
  await using opened = await webhooksUnderTest(() => 200);
  await opened.complete();
  const { deliveries } = opened.storage;
  const [killed] = await deliveries.claim(NOW, new Date(NOW.getTime() + 30 * SECOND), LIMITS);
  opened.clock.now = new Date(NOW.getTime() + 30 * SECOND);
  await opened.webhooks.sendDue();
  expect(opened.sent.map(({ headers }) => headers['webhook-id'])).toEqual([killed?.id]);
  expect(await opened.only()).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('what a killed server was sending is sent at the next start', async () => {
  await using opened = await webhooksUnderTest(() => 200);
  await opened.complete();
  await opened.storage.deliveries.claim(NOW, new Date(NOW.getTime() + 30 * SECOND), LIMITS);
  await opened.webhooks.start();
  await expect.poll(async () => (await opened.only()).status).toBe('delivered');
  await opened.webhooks.drain(1_000);
});

test('a stop waits for what is being sent, then lets go of it', async () => {
  const never = Promise.withResolvers<number>();
  await using opened = await webhooksUnderTest(() => never.promise);
  await opened.complete();
  void opened.webhooks.sendDue();
  await expect.poll(() => opened.sent.length).toBe(1);
  await opened.webhooks.drain(50);
  expect(await opened.only()).toMatchObject({ status: 'pending', attempts: 0, dueAt: NOW });
});

test('over real sockets: a redirect is not followed, and a host that turns private is not reached', async () => {
  await using elsewhere = await receiver();
  await using redirecting = await receiver(() => 302, elsewhere.url);
  await using opened = await webhooksUnderTest(() => 0);
  await using open = openWebhookTransport({
    allowPrivateNetworks: ['127.0.0.0/8'],
    allowLinkLocal: false,
    outboundPorts: [80],
  });
  await using shut = openWebhookTransport({ allowPrivateNetworks: [], allowLinkLocal: false, outboundPorts: [80] });
  await opened.complete(redirecting.url);
  await opened.webhooksBy(open).sendDue();
  const { dueAt } = await opened.only();
  opened.clock.now = dueAt ?? NOW;
  await opened.webhooksBy(shut).sendDue();
  expect((await opened.only()).log.map(({ status, error }) => status ?? error)).toEqual([
    302,
    expect.stringMatching(/^URL not allowed\. Its host is /),
  ]);
  expect([redirecting.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
});
