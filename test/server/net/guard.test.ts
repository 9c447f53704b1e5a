import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseNetwork } from '#server/net/address.ts';
import { DnsResolver, Guard } from '#server/net/guard.ts';
import { serve } from '../../listen.ts';
import { canary, fakeResolver, guardFor, hasSecondLoopback } from './servers.ts';

const DENIED = { code: 'url_not_allowed', message: 'URL not allowed.' };

async function denied(guard: Guard, host: string, port = 80): Promise<void> {
  await expect(guard.connect(host, port)).rejects.toMatchObject(DENIED);
  await expect(guard.admit(`http://${host}:${port}/`)).rejects.toMatchObject(DENIED);
}

interface DnsCase {
  id: string;
  name: string;
  records: { A?: string[]; AAAA?: string[] };
  expect: string;
}
const corpus: { dns_cases: DnsCase[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../corpora/ssrf.json'), 'utf8'),
);
for (const { id, name, records, expect: expected } of corpus.dns_cases) {
  if (expected !== 'deny') continue;
  test(`${id} ${name}`, () => {
    const { A = [], AAAA = [] } = records;
    const resolver = new DnsResolver({ resolve4: async () => A, resolve6: async () => AAAA });
    return denied(guardFor([], resolver), 'attacker.example.com');
  });
}

describe('what is asked for later', () => {
  const foresee = (url: string, resolve4: () => Promise<string[]>) =>
    guardFor([], new DnsResolver({ resolve4, resolve6: async () => [] })).foresee(url, 20);
  const never = () => new Promise<string[]>(() => {});
  test('a name that leads to a private address is denied', () =>
    expect(foresee('http://hook.example.com/', async () => ['10.0.0.1'])).rejects.toMatchObject(DENIED));
  test('as is localhost, and what its text denies', async () => {
    for (const host of ['localhost', 'a.localhost', '127.0.0.1']) {
      await expect(foresee(`http://${host}/`, never)).rejects.toMatchObject(DENIED);
    }
  });
  test('a public one is not, nor one that is not resolved, or not in time', async () => {
    await foresee('http://hook.example.com/', async () => ['93.184.216.34']);
    await foresee('http://hook.example.com/', () => Promise.reject(new Error('ENOTFOUND')));
    await foresee('http://hook.example.com/', never);
  });
});

test('a name that does not exist looks the same', () => denied(guardFor([]), 'missing.example.com'));
test('a name on a port that is not open is explained alike, whether it resolves or not', async () => {
  const explained = (resolve4: () => Promise<string[]>) =>
    guardFor(['10.0.0.0/8'], new DnsResolver({ resolve4, resolve6: async () => [] }))
      .admit('http://pictures.example.com:9999/')
      .catch(({ explanation }) => explanation);
  const onPublic = await explained(async () => ['93.184.216.34']);
  expect(onPublic).toMatch(/^Its port is 9999; /);
  expect(await explained(() => Promise.reject(new Error('ENOTFOUND')))).toBe(onPublic);
});
test('a literal', () => denied(guardFor([]), '127.0.0.1'));
test('a literal in brackets', () => denied(guardFor([]), '[::ffff:127.0.0.1]'));
test('a spelling that only C libraries read', () => denied(guardFor([]), '0x7f.1'));

test('an allowed network is reached by literal, on any port', async () => {
  await using server = await serve((_, answer) => answer.end());
  const socket = await guardFor(['127.0.0.1/32']).connect('127.0.0.1', server.port);
  expect(socket.remotePort).toBe(server.port);
  socket.destroy();
});
test('and as localhost, of which DNS is never asked', async () => {
  await using server = await serve((_, answer) => answer.end());
  const socket = await guardFor(['127.0.0.0/8']).connect('localhost', server.port);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});
test('localhost is closed where no loopback address is allowed', () => denied(guardFor(['10.0.0.0/8']), 'localhost'));
test('and by a name of one label', async () => {
  await using server = await serve((_, answer) => answer.end());
  const guard = guardFor(['127.0.0.0/8'], fakeResolver({ minio: [['127.0.0.1']] }));
  (await guard.connect('minio', server.port)).destroy();
});
test('such a name may not lead to the public', () =>
  denied(guardFor(['10.0.0.0/8'], fakeResolver({ minio: [['8.8.8.8']] })), 'minio', 9000));
test('nor may a public name, on a port that is closed to the public', () =>
  denied(guardFor(['10.0.0.0/8'], fakeResolver({ 'a.example.com': [['10.0.0.1', '8.8.8.8']] })), 'a.example.com', 22));

describe('link-local addresses', () => {
  /** The error of a connection that is aborted as soon as it begins, and the number of sockets opened for it. */
  async function begun(linkLocal: boolean, host: string): Promise<readonly [string, number]> {
    const allow = ['169.254.0.0/16', 'fe80::/10', 'fd00::/8'].map(parseNetwork);
    let sockets = 0;
    const count = () => {
      sockets += 1;
    };
    subscribe('net.client.socket', count);
    const connecting = new Guard({ allow, linkLocal, ports: [80] }).connect(host, 80, AbortSignal.abort());
    const failure = await connecting.catch((error: Error) => error.message);
    unsubscribe('net.client.socket', count);
    return [String(failure), sockets];
  }
  for (const host of ['169.254.169.254', '[fe80::1]', '[fd00:ec2::254]']) {
    test(`${host} is not dialled for its network's sake`, async () =>
      expect(await begun(false, host)).toEqual([DENIED.message, 0]));
    test(`${host} is dialled with the flag`, async () => expect(await begun(true, host)).toEqual(['given up', 1]));
  }
});

test('an address that does not answer gives way to the next', async () => {
  await using server = await serve((_, answer) => answer.end());
  const guard = guardFor(['127.0.0.0/8'], fakeResolver({ 'a.example.com': [['127.255.255.254', '127.0.0.1']] }));
  const socket = await guard.connect('a.example.com', server.port);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});
test('a refused connection is no denial', async () => {
  const closed = await serve(() => {});
  await closed[Symbol.asyncDispose]();
  await expect(guardFor(['127.0.0.0/8']).connect('127.0.0.1', closed.port)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});
test('an aborted signal ends the attempt', async () => {
  await expect(
    guardFor(['127.0.0.0/8']).connect('127.0.0.1', 9, AbortSignal.abort(new Error('enough'))),
  ).rejects.toThrow('given up');
});

test.skipIf(!hasSecondLoopback)('rebinding: what is judged is what is dialled', async () => {
  await using server = await serve((_, answer) => answer.end(), '127.0.0.2');
  await using trap = await canary('127.0.0.1', server.port);
  const resolver = fakeResolver({ 'rebind.example.com': [['127.0.0.2'], ['127.0.0.1']] });
  const guard = guardFor(['127.0.0.2/32'], resolver);
  (await guard.connect('rebind.example.com', server.port)).destroy();
  await denied(guard, 'rebind.example.com', server.port);
  expect(trap.hits()).toBe(0);
});

test.skipIf(!hasSecondLoopback)('rebinding: the answer that was judged is kept', async () => {
  await using server = await serve((_, answer) => answer.end(), '127.0.0.2');
  await using trap = await canary('127.0.0.1', server.port);
  const answers = [['127.0.0.2'], ['127.0.0.1']];
  const resolver = new DnsResolver({ resolve4: async () => answers.shift() ?? [], resolve6: async () => [] });
  const guard = guardFor(['127.0.0.2/32'], resolver);
  for (let connection = 0; connection < 5; connection += 1) {
    (await guard.connect('rebind.example.com', server.port)).destroy();
  }
  expect(trap.hits()).toBe(0);
});

test.skipIf(!hasSecondLoopback)('a thousand answers that alternate never reach the other address', async () => {
  await using server = await serve((_, answer) => answer.end(), '127.0.0.2');
  await using trap = await canary('127.0.0.1', server.port);
  const alternating = Array.from({ length: 1000 }, (_, turn) => [turn % 2 === 0 ? '127.0.0.2' : '127.0.0.1']);
  const guard = guardFor(['127.0.0.2/32'], fakeResolver({ 'rebind.example.com': alternating }));
  let refused = 0;
  for (let turn = 0; turn < 1000; turn += 1) {
    await guard.connect('rebind.example.com', server.port).then(
      (socket) => socket.destroy(),
      () => {
        refused += 1;
      },
    );
  }
  expect([refused, trap.hits()]).toEqual([500, 0]);
});
