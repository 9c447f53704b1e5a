// Tests that three clients share one address rule: the browser's proxy, the fetching of images and fonts, and webhooks
// deny every denied case of the corpus with the same error as an unresolvable name, and without opening a socket.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DnsResolver, Guard } from '#server/net/guard.ts';
import { OutboundClient } from '#server/net/outbound-client.ts';
import { DEFAULT_PORTS } from '#server/net/outbound-url.ts';
import { JobProxy } from '#server/net/proxy.ts';
import { serve } from '../../listen.ts';
import { canary, fakeResolver, guardFor, hasSecondLoopback } from './servers.ts';

interface Records {
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly hang?: boolean;
  readonly seq?: readonly Records[];
}
const corpus: {
  readonly url_cases: readonly { id: string; url: string; expect: string }[];
  readonly ip_cases: readonly { id: string; ip: string; public: boolean }[];
  readonly dns_cases: readonly { id: string; name: string; records: Records }[];
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../corpora/ssrf.json'), 'utf8'));

/** Counts connections on every IPv4 and IPv6 address of this machine. */
const trap = await canary('::');
afterAll(() => trap[Symbol.asyncDispose]());

/** Adds the trap's port, which the guard allows, to a URL without a port. */
const atTrap = (url: string) =>
  url.replace(/^(https?:\/\/[^/?#]*[^/?#:\d]|https?:\/\/[\d.]+|https?:\/\/\[[^\]]*\])(?=[/?#]|$)/i, `$1:${trap.port}`);
const withBrackets = (ip: string) => (ip.includes(':') ? `[${ip}]` : ip);
const DENIED = [
  ...corpus.url_cases.filter((each) => each.expect === 'deny').map(({ id, url }) => [id, atTrap(url)] as const),
  ...corpus.ip_cases
    .filter((each) => !each.public)
    .map(({ id, ip }) => [id, `http://${withBrackets(ip)}:${trap.port}/`] as const),
];

const guard = new Guard({ allow: [], linkLocal: false, ports: [...DEFAULT_PORTS, trap.port] }, fakeResolver({}));
const client = new OutboundClient(guard, { userAgent: 'Platen' });
afterAll(() => client.close());

let opened = 0;
const count = () => {
  opened += 1;
};
beforeEach(() => {
  opened = 0;
  subscribe('net.client.socket', count);
});
afterEach(() => {
  unsubscribe('net.client.socket', count);
});

/** Requests a URL through one client: `reached`, or the message of the error. */
type Surface = (url: string) => Promise<string>;
const said = (work: Promise<unknown>) =>
  work.then(
    () => 'reached',
    (error: Error) => error.message,
  );
const images: Surface = (url) => said(client.get(url, { maxBytes: 100 }));
const webhooks: Surface = (url) => said(client.post(url, Buffer.from('{}'), { headers: {} }));

for (const [surface, ask] of [
  ['images and fonts', images],
  ['webhooks', webhooks],
] as const) {
  describe(surface, () => {
    test('a name that cannot be resolved', async () =>
      expect([await ask('http://missing.example/'), opened]).toEqual(['URL not allowed.', 0]));
    test.each(DENIED)('%s %s', async (_, url) =>
      expect([await ask(url), opened, trap.hits()]).toEqual(['URL not allowed.', 0, 0]),
    );
  });
}

describe('a browser, through its proxy', () => {
  /** The statuses of a plain request and a tunnel, as browsers write them, and the number of sockets both opened. */
  async function statuses({ href, host: place, port }: URL): Promise<readonly unknown[]> {
    await using proxy = await JobProxy.open(guard);
    const to = { host: '127.0.0.1', port: new URL(proxy.url).port, agent: false };
    const lines = [
      { path: href, event: 'response' },
      { method: 'CONNECT', path: port === '' ? `${place}:443` : place, event: 'connect' },
    ];
    const answers: unknown[] = [];
    for (const { event, ...line } of lines) {
      const outgoing = request({ ...to, ...line }).end();
      const [answer] = await once(outgoing, event);
      answers.push(answer.statusCode);
      outgoing.destroy();
    }
    return [...answers, proxy.failureOf(new URL(href)), opened - lines.length, trap.hits()];
  }
  const ALIKE = [403, 403, 'denied', 0, 0];
  test('a name that cannot be resolved', async () =>
    expect(await statuses(new URL('http://missing.example/'))).toEqual(ALIKE));
  // Browsers do not request other URLs through a proxy; those are denied before a browser is started.
  for (const [id, text] of DENIED) {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol) || text.includes('@')) continue;
    test(`${id} ${text}`, async () => expect(await statuses(url)).toEqual(ALIKE));
  }
});

describe('answers of DNS', () => {
  /** A guard whose DNS answers as c-ares would: each query takes the next record. */
  function guardOf(records: Records, allow: readonly string[]): Guard {
    const turns = records.seq ?? [records];
    const asked = { A: 0, AAAA: 0 };
    const answer = (kind: 'A' | 'AAAA') => async () => {
      const turn = turns[Math.min(asked[kind]++, turns.length - 1)];
      // The corpus's public address is replaced by the one address that the guard allows.
      return turn?.hang
        ? new Promise<never>(() => {})
        : (turn?.[kind] ?? []).map((ip) => ip.replace('93.184.216.34', '127.0.0.2'));
    };
    return guardFor(allow, new DnsResolver({ resolve4: answer('A'), resolve6: answer('AAAA') }));
  }
  /** The answers of the three clients, each with its own resolver; asked twice if the DNS answer changes. */
  async function asked(records: Records, port: number): Promise<readonly string[]> {
    const url = `http://name.example.com:${port}/`;
    const turns = records.seq ? [1, 2] : [1];
    const each = async (ask: () => Promise<string>) => {
      const answers: string[] = [];
      for (const _ of turns) answers.push(await ask());
      return answers;
    };
    const make = () => guardOf(records, ['127.0.0.2/32']);
    const fetching = new OutboundClient(make(), { userAgent: 'Platen' });
    const posting = new OutboundClient(make(), { userAgent: 'Platen' });
    await using proxy = await JobProxy.open(make());
    const throughProxy = async () => {
      const outgoing = request({ host: '127.0.0.1', port: new URL(proxy.url).port, path: url, agent: false }).end();
      const [answer] = await once(outgoing, 'response');
      answer.resume();
      return answer.statusCode === 403 ? 'URL not allowed.' : `${answer.statusCode}`.replace('200', 'reached');
    };
    const answers = await Promise.all([
      each(() => said(fetching.get(url, { maxBytes: 100 }))),
      each(() => said(posting.post(url, Buffer.from('{}'), { headers: {} }))),
      each(throughProxy),
    ]);
    await Promise.all([fetching.close(), posting.close()]);
    return answers.flat();
  }
  for (const { id, name, records } of corpus.dns_cases) {
    test.skipIf(!hasSecondLoopback)(
      `${id} ${name}`,
      async () => {
        await using server = await serve((_, answer) => answer.setHeader('connection', 'close').end(), '127.0.0.2');
        await using loopback = await canary('127.0.0.1', server.port);
        const answers = await asked(records, server.port);
        // A sequence begins with a public address, and that answer is cached. No other address may be reached.
        expect(new Set(answers)).toEqual(new Set([records.seq ? 'reached' : 'URL not allowed.']));
        expect([loopback.hits(), trap.hits()]).toEqual([0, 0]);
      },
      20_000,
    );
  }
});
