// Measures what host names that change (DNS rebinding) and host names that hang may cost.

import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { parseNetwork } from '#server/net/address.ts';
import { DnsResolver, Guard } from '#server/net/guard.ts';
import { OutboundClient } from '#server/net/outbound-client.ts';
import { DEFAULT_PORTS } from '#server/net/outbound-url.ts';
import { JobProxy } from '#server/net/proxy.ts';
import { serve } from '../listen.ts';
import { canary, fakeResolver, guardFor, hasSecondLoopback } from '../server/net/servers.ts';

const TURNS = 1_000;
const alternating = () =>
  fakeResolver({ 'rebind.example': Array.from({ length: TURNS }, (_, turn) => [`127.0.0.${2 - (turn % 2)}`]) });

async function status(proxy: JobProxy, url: string): Promise<number> {
  const outgoing = request({ host: '127.0.0.1', port: new URL(proxy.url).port, path: url, agent: false }).end();
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  return answer.statusCode;
}

test.skipIf(!hasSecondLoopback)(
  '1,000 alternating answers: the proxy reaches the allowed address or none',
  async () => {
    await using server = await serve((_, answer) => answer.end('right'), '127.0.0.2');
    await using trap = await canary('127.0.0.1', server.port);
    const guard = guardFor(['127.0.0.2/32'], alternating());
    const seen = new Map<number, number>();
    // A proxy belongs to one job, which may make 500 requests.
    for (let job = 0; job < 4; job += 1) {
      await using proxy = await JobProxy.open(guard);
      for (let turn = 0; turn < TURNS / 4; turn += 1) {
        const code = await status(proxy, `http://rebind.example:${server.port}/`);
        seen.set(code, (seen.get(code) ?? 0) + 1);
      }
    }
    expect([Object.fromEntries(seen), trap.hits()]).toEqual([{ 200: TURNS / 2, 403: TURNS / 2 }, 0]);
  },
);

test.skipIf(!hasSecondLoopback)('1,000 alternating answers: so do images and webhooks', async () => {
  await using server = await serve((_, answer) => answer.setHeader('connection', 'close').end('right'), '127.0.0.2');
  await using trap = await canary('127.0.0.1', server.port);
  const client = new OutboundClient(guardFor(['127.0.0.2/32'], alternating()), { userAgent: 'Platen' });
  let reached = 0;
  for (let turn = 0; turn < TURNS / 2; turn += 1) {
    const url = `http://rebind.example:${server.port}/`;
    await client.get(url, { maxBytes: 100 }).then(
      () => (reached += 1),
      () => {},
    );
    await client.post(url, Buffer.from('x'), { headers: {} }).then(
      () => (reached += 1),
      () => {},
    );
  }
  await client.close();
  expect([reached > 0, trap.hits()]).toEqual([true, 0]);
});

test('50 hanging names slow a good one by 100 ms at most', async () => {
  await using server = await serve((_, answer) => answer.end('ok'));
  const resolver = new DnsResolver({
    resolve4: async (name) => (name === 'good.example' ? ['127.0.0.1'] : new Promise<never>(() => {})),
    resolve6: async () => [],
  });
  const guard = new Guard({ allow: [parseNetwork('127.0.0.1/32')], linkLocal: false, ports: DEFAULT_PORTS }, resolver);
  await using proxy = await JobProxy.open(guard, { budget: { bytes: 1e9, requests: 500, sockets: 64, idle: 10_000 } });
  const good = `http://good.example:${server.port}/`;
  const alone = performance.now();
  expect(await status(proxy, good)).toBe(200);
  const first = performance.now() - alone;

  const started = performance.now();
  const hanging = Array.from({ length: 50 }, (_, index) => status(proxy, `http://hang-${index}.example/`));
  const crowded = performance.now();
  expect(await status(proxy, good)).toBe(200);
  expect(performance.now() - crowded).toBeLessThan(first + 100);
  expect(new Set(await Promise.all(hanging))).toEqual(new Set([403]));
  expect(performance.now() - started).toBeLessThan(3_500);
});
