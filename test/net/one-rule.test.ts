// One address rule for three users: what the corpus denies is denied alike to a browser's proxy, to the fetching of
// images and fonts, and to webhooks, as a name is that cannot be resolved, and without a socket being opened.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Guard } from '#net/guard.ts';
import { OutboundClient } from '#net/outbound-client.ts';
import { DEFAULT_PORTS } from '#net/outbound-url.ts';
import { JobProxy } from '#net/proxy.ts';
import { DnsResolver } from '#net/resolver.ts';
import { canary, fakeResolver, guardFor, hasSecondLoopback, serve } from './servers.ts';

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
} = JSON.parse(readFileSync(join(import.meta.dirname, '../corpora/ssrf.json'), 'utf8'));

/** On every address of this machine, of either family. */
const trap = await canary('::');
afterAll(() => trap[Symbol.asyncDispose]());

/** The case at the canary's port, which is open, where it names none. */
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

/** What a surface says of a URL. */
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
  /** The status of a request line as browsers write it, plainly and as a tunnel; and how many sockets both led to. */
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
  // What is no web address is no line that a browser writes; it is denied before there is a browser.
  for (const [id, text] of DENIED) {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol) || text.includes('@')) continue;
    test(`${id} ${text}`, async () => expect(await statuses(url)).toEqual(ALIKE));
  }
});

describe('answers of DNS', () => {
  /** As c-ares would give them: each question takes the next record. */
  function guardOf(records: Records, allow: readonly string[]): Guard {
    const turns = records.seq ?? [records];
    const asked = { A: 0, AAAA: 0 };
    const answer = (kind: 'A' | 'AAAA') => async () => {
      const turn = turns[Math.min(asked[kind]++, turns.length - 1)];
      // The public address of the corpus stands for the one that may be reached here.
      return turn?.hang
        ? new Promise<never>(() => {})
        : (turn?.[kind] ?? []).map((ip) => ip.replace('93.184.216.34', '127.0.0.2'));
    };
    return guardFor(allow, new DnsResolver({ resolve4: answer('A'), resolve6: answer('AAAA') }));
  }
  /** What the three say of the name, each with a resolver of its own, and again where the answer changes. */
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
        // A sequence begins with what is public, and its answer is kept; nothing else may be reached at all.
        expect(new Set(answers)).toEqual(new Set([records.seq ? 'reached' : 'URL not allowed.']));
        expect([loopback.hits(), trap.hits()]).toEqual([0, 0]);
      },
      20_000,
    );
  }
});
