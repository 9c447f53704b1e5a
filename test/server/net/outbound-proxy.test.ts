// Tests connections through the operator's forward proxy: where its tunnels lead, and that the guard judges first.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { parseNetwork } from '#server/net/address.ts';
import { Guard } from '#server/net/guard.ts';
import { OutboundClient } from '#server/net/outbound-client.ts';
import { DEFAULT_PORTS } from '#server/net/outbound-url.ts';
import { JobProxy } from '#server/net/proxy.ts';
import { listen, serve } from '../../listen.ts';
import { fakeResolver } from './servers.ts';

/** A forward proxy whose tunnels all lead to one server. */
async function forwardProxy(port: number, answer = 'HTTP/1.1 200 OK\r\nvia: 1.1 here\r\n\r\n') {
  const tunnels: string[] = [];
  const server = createServer();
  server.on('connect', ({ url, headers }, client: Socket) => {
    client.on('error', () => {});
    tunnels.push([url, headers['proxy-authorization']].filter((part) => part !== undefined).join(' '));
    if (!answer.includes(' 200 ')) return void client.end(answer);
    const target = connect(port, '127.0.0.1', () => {
      client.write(answer);
      client.pipe(target).pipe(client);
    });
    target.on('error', () => client.destroy());
    client.on('close', () => target.destroy());
  });
  return Object.assign(await listen(server), { tunnels });
}

const NAMES = { 'a.example.com': [['93.184.215.14']], 'b.example.com': [['93.184.215.14', '10.0.0.1']] };

function guardThrough(url: string, names: 'here' | 'proxy', allow: readonly string[] = []): Guard {
  const policy = { allow: allow.map(parseNetwork), linkLocal: false, ports: DEFAULT_PORTS };
  return new Guard(policy, fakeResolver(NAMES), { url: new URL(url), names });
}

async function fetched(guard: Guard, url: string): Promise<string> {
  const client = new OutboundClient(guard, { userAgent: 'test' });
  try {
    return Buffer.from((await client.get(url, { maxBytes: 1_000 })).bytes).toString();
  } finally {
    await client.close();
  }
}

test('the tunnel leads to the checked address, with the credentials of the proxy', async () => {
  await using server = await serve(({ headers, url }, answer) => void answer.end(`${headers.host}${url}`));
  await using proxy = await forwardProxy(server.port);
  const guard = guardThrough(proxy.url.replace('//', '//me:a%2Fb@'), 'here');
  expect(await fetched(guard, 'http://a.example.com/x')).toBe('a.example.com/x');
  // "me:a/b" by base64(1).
  expect(proxy.tunnels).toEqual(['93.184.215.14:80 Basic bWU6YS9i']);
});

test('where the proxy resolves names, the tunnel leads to the name, which is not resolved here', async () => {
  await using server = await serve((_, answer) => void answer.end('ok'));
  await using proxy = await forwardProxy(server.port);
  const guard = guardThrough(proxy.url, 'proxy');
  expect(await fetched(guard, 'http://not-known-here.example.com/')).toBe('ok');
  await guard.admit('https://not-known-here.example.com/');
  expect(await fetched(guard, 'http://[2606:4700::1111]/')).toBe('ok');
  expect(proxy.tunnels).toEqual(['not-known-here.example.com:80', '[2606:4700:0:0:0:0:0:1111]:80']);
});

test('what the guard denies never reaches the proxy', async () => {
  await using proxy = await forwardProxy(1);
  const denied = async (names: 'here' | 'proxy', url: string) =>
    expect(fetched(guardThrough(proxy.url, names), url), url).rejects.toThrow('URL not allowed.');
  for (const names of ['here', 'proxy'] as const) {
    await denied(names, 'http://169.254.169.254/latest/meta-data');
    await denied(names, 'http://127.0.0.1/');
    await denied(names, 'http://localhost/');
    await denied(names, 'http://intranet/');
    await denied(names, 'http://db.internal/');
    await denied(names, 'http://a.example.com:5432/');
  }
  await denied('here', 'http://b.example.com/');
  await denied('here', 'http://unknown.example.com/');
  expect(proxy.tunnels).toEqual([]);
});

test('allowed private networks are reached directly, whoever resolves names', async () => {
  await using server = await serve((_, answer) => void answer.end('direct'));
  await using proxy = await forwardProxy(1);
  for (const names of ['here', 'proxy'] as const) {
    const guard = guardThrough(proxy.url, names, ['127.0.0.0/8']);
    expect(await fetched(guard, `http://127.0.0.1:${server.port}/`)).toBe('direct');
    expect(await fetched(guard, `http://localhost:${server.port}/`)).toBe('direct');
  }
  expect(proxy.tunnels).toEqual([]);
});

test('a proxy that refuses, says no HTTP, or is not there, is an error for the log', async () => {
  for (const [answer, words] of [
    [
      'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n',
      'the outbound proxy answered 407 to 93.184.215.14:443',
    ],
    ['220 ftp.example.com\r\n\r\n', 'the outbound proxy answered no HTTP to 93.184.215.14:443'],
    [`HTTP/1.1 403 ${'x'.repeat(20_000)}`, 'the answer of the outbound proxy is too long'],
  ] as const) {
    await using proxy = await forwardProxy(1, answer);
    await expect(guardThrough(proxy.url, 'here').connect('a.example.com', 443)).rejects.toThrow(words);
  }
  await expect(guardThrough('http://127.0.0.1:1', 'here').connect('a.example.com', 443)).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
  const given = AbortSignal.abort();
  await expect(guardThrough('http://127.0.0.1:1', 'here').connect('a.example.com', 443, given)).rejects.toThrow();
});

test("a browser's own proxy goes through it too, with bytes that come with the proxy's answer", async () => {
  await using server = await serve((_, answer) => void answer.end('a page'));
  await using proxy = await forwardProxy(server.port);
  await using job = await JobProxy.open(guardThrough(proxy.url, 'here'));
  const client = connect(Number(new URL(job.url).port), '127.0.0.1');
  client.write('GET http://a.example.com/ HTTP/1.1\r\nHost: a.example.com\r\n\r\n');
  let said = '';
  client.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said).toMatch(/a page/);
  client.destroy();
  await once(client, 'close');
  expect(proxy.tunnels).toEqual(['93.184.215.14:80']);
});
