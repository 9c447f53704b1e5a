import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Guard } from '#server/net/guard.ts';
import { DEFAULT_BUDGET, JobProxy, type ProxyBudget } from '#server/net/proxy.ts';
import { listen, serve } from '../../listen.ts';
import { canary, fakeResolver, guardFor, hasSecondLoopback } from './servers.ts';

const LOOPBACK = ['127.0.0.1/32'];
const open = (guard: Guard = guardFor(LOOPBACK), budget: Partial<ProxyBudget> = {}, reasons: unknown[] = []) =>
  JobProxy.open(guard, { onDenied: (reason) => reasons.push(reason), budget: { ...DEFAULT_BUDGET, ...budget } });
const portOf = (proxy: JobProxy) => Number(new URL(proxy.url).port);

/** Sends a plain request through the proxy, with the request line exactly as given. Returns status and body. */
async function get(proxy: JobProxy, path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const outgoing = request({ host: '127.0.0.1', port: portOf(proxy), path, headers, agent: false }).end();
  const [answer] = await once(outgoing, 'response');
  const body = (await answer.toArray()).join('');
  return `${answer.statusCode} ${body}`.trim();
}

/** Sends raw bytes to the proxy. Returns what it answers until it closes the connection or `enough` matches. */
async function talk(proxy: JobProxy, pieces: readonly (string | Buffer)[], enough?: RegExp): Promise<string> {
  const socket = connect(portOf(proxy), '127.0.0.1');
  socket.on('error', () => {});
  let heard = '';
  for (const piece of pieces) {
    socket.write(piece);
    // Each piece is sent after the answer to the one before.
    await Promise.race([once(socket, 'data').then(([chunk]) => (heard += chunk)), once(socket, 'close')]);
    if (socket.destroyed || enough?.test(heard)) break;
  }
  socket.destroy();
  return heard;
}
const CONNECTED = 'HTTP/1.1 200 Connection Established\r\n\r\n';
const REFUSED = /^HTTP\/1\.1 403 Forbidden\r\n/;
const TLS = Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]);

/** A server that answers with the number of bytes it received. */
const counting = () =>
  listen(
    createTcpServer(
      (socket) => void socket.on('error', () => {}).on('data', (data) => socket.write(`${data.length} bytes`)),
    ),
  );

describe('plain requests', () => {
  test('reach an address that is let through, with the host of the URI and without headers of the hop', async () => {
    await using server = await serve((incoming, answer) =>
      answer.end(JSON.stringify([incoming.url, incoming.headers])),
    );
    await using proxy = await open();
    const seen = await get(proxy, `http://127.0.0.1:${server.port}/a?b`, {
      host: 'elsewhere.example',
      connection: 'x-hop',
      'x-hop': '1',
      'proxy-authorization': 'Basic c2VjcmV0',
      'x-end': '2',
    });
    expect(JSON.parse(seen.slice(4))).toEqual([
      '/a?b',
      { host: `127.0.0.1:${server.port}`, connection: 'close', 'x-end': '2' },
    ]);
  });
  test('the answer carries no hint at another way in', async () => {
    await using server = await serve((_, answer) => answer.setHeader('alt-svc', 'h3=":9003"').end());
    await using proxy = await open();
    const outgoing = request({
      host: '127.0.0.1',
      port: portOf(proxy),
      path: `http://127.0.0.1:${server.port}/`,
    }).end();
    const [answer] = await once(outgoing, 'response');
    expect(answer.headers['alt-svc']).toBeUndefined();
    answer.resume();
  });
  test('a denied one opens no socket, and the reason goes to the log alone', async () => {
    await using trap = await canary();
    const reasons: unknown[] = [];
    await using proxy = await open(guardFor([]), {}, reasons);
    const url = `http://127.0.0.1:${trap.port}/`;
    expect([await get(proxy, url), trap.hits(), reasons.length, proxy.failureOf(new URL(url))]).toEqual([
      '403',
      0,
      1,
      'denied',
    ]);
  });
  test('nobody answers', async () => {
    const closed = await serve(() => {});
    await closed[Symbol.asyncDispose]();
    await using proxy = await open();
    const url = `http://127.0.0.1:${closed.port}/`;
    expect([await get(proxy, url), proxy.failureOf(new URL(url))]).toEqual(['502', 'unreachable']);
  });
  for (const head of [
    '099 X\r\ncontent-length: 2',
    '000 X',
    '100 Continue',
    '101 X',
    '101 X\r\nconnection: upgrade\r\nupgrade: websocket',
    '1000 X',
    '200 OK\r\na b: c',
  ]) {
    test(`a server that answers ${JSON.stringify(head)}`, async () => {
      await using server = await listen(
        createTcpServer((socket) =>
          socket.on('error', () => {}).once('data', () => socket.end(`HTTP/1.1 ${head}\r\n\r\nab`)),
        ),
      );
      await using proxy = await open();
      const url = `http://127.0.0.1:${server.port}/`;
      expect([await get(proxy, url), await get(proxy, url)]).toEqual(['502', '502']);
    });
  }
  for (const path of ['/', 'http:///x', 'https://127.0.0.1/', 'ftp://127.0.0.1/', 'http://user@127.0.0.1/', '*']) {
    test(`${path} is refused`, async () => {
      await using proxy = await open();
      expect(await get(proxy, path)).toBe('403');
    });
  }
  test('an upgrade is refused', async () => {
    await using server = await serve((_, answer) => answer.end());
    await using proxy = await open();
    const asked = `GET http://127.0.0.1:${server.port}/ HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;
    expect(await talk(proxy, [asked])).toMatch(REFUSED);
  });
});

describe('tunnels', () => {
  /** Sends these bytes through a tunnel to a counting server on an arbitrary port. Returns the answer. */
  async function tunnel(first: string | Buffer): Promise<string> {
    await using server = await counting();
    await using proxy = await open();
    return await talk(proxy, [`CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\n\r\n`, first], /bytes/);
  }
  test('TLS passes', async () => expect(await tunnel(TLS)).toBe(`${CONNECTED}10 bytes`));
  test('a WebSocket handshake passes', async () =>
    expect(await tunnel('GET /chat HTTP/1.1\r\n\r\n')).toBe(`${CONNECTED}22 bytes`));
  for (const first of [
    Buffer.from([0, 1, 0, 8, 0x21, 0x12, 0xa4, 0x42]),
    'SSH-2.0-x\r\n',
    'PING\r\n',
    'GET  / x',
    'POST / HTTP/1.1\r\n\r\n',
  ]) {
    test(`${JSON.stringify(first.toString('latin1'))} does not`, async () =>
      expect(await tunnel(first)).toBe(CONNECTED));
  }
  test('a denied one is refused', async () => {
    await using trap = await canary();
    await using proxy = await open(guardFor([]));
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '2130706433', '0x7f.1']) {
      expect(await talk(proxy, [`CONNECT ${host}:${trap.port} HTTP/1.1\r\nhost: example.com\r\n\r\n`])).toMatch(
        REFUSED,
      );
    }
    expect(trap.hits()).toBe(0);
  });
  for (const target of ['127.0.0.1', 'user@127.0.0.1:443', '127.0.0.1:443/x', 'a b:443', ':443', '127.0.0.1:99999']) {
    test(`${JSON.stringify(target)} is refused`, async () => {
      await using proxy = await open();
      expect(await talk(proxy, [`CONNECT ${target} HTTP/1.1\r\n\r\n`])).toMatch(/^HTTP\/1\.1 40[03]/);
    });
  }
  test('smuggling into a CONNECT line ends at its first line', async () => {
    await using trap = await canary();
    await using proxy = await open(guardFor([]));
    const heard = await talk(proxy, [`CONNECT 8.8.8.8\r\nHost: 127.0.0.1:${trap.port} HTTP/1.1\r\n\r\n`]);
    expect([/^HTTP\/1\.1 40[03]/.test(heard), trap.hits()]).toEqual([true, 0]);
  });
});

test.skipIf(!hasSecondLoopback)('a name that is rebound reaches what was judged, or nothing', async () => {
  await using server = await serve((_, answer) => answer.end('right'), '127.0.0.2');
  await using trap = await canary('127.0.0.1', server.port);
  const resolver = fakeResolver({
    'a.example': Array.from({ length: 40 }, (_, turn) => [`127.0.0.${2 - (turn % 2)}`]),
  });
  await using proxy = await open(guardFor(['127.0.0.2/32'], resolver));
  const answers = new Set<string>();
  for (let turn = 0; turn < 40; turn += 1) answers.add(await get(proxy, `http://a.example:${server.port}/`));
  expect([[...answers].sort(), trap.hits()]).toEqual([['200 right', '403'], 0]);
});

describe('budgets', () => {
  test('bytes', async () => {
    await using server = await serve((_, answer) => answer.end('x'.repeat(200_000)));
    await using proxy = await open(guardFor(LOOPBACK), { bytes: 100_000 });
    await expect(get(proxy, `http://127.0.0.1:${server.port}/`)).rejects.toThrow(/aborted|hang up/);
    expect([proxy.exhausted, await get(proxy, `http://127.0.0.1:${server.port}/`)]).toEqual(['bytes', '502']);
  });
  test('requests', async () => {
    await using server = await serve((_, answer) => answer.end('ok'));
    await using proxy = await open(guardFor(LOOPBACK), { requests: 2 });
    const url = `http://127.0.0.1:${server.port}/`;
    const answers = [await get(proxy, url), await get(proxy, url), await get(proxy, url)];
    expect([answers, proxy.exhausted]).toEqual([['200 ok', '200 ok', '502'], 'requests']);
  });
  test('sockets', async () => {
    await using server = await serve(() => {});
    await using proxy = await open(guardFor(LOOPBACK), { sockets: 1 });
    const held = request({ host: '127.0.0.1', port: portOf(proxy), path: `http://127.0.0.1:${server.port}/` }).end();
    held.on('error', () => {});
    await expect.poll(async () => get(proxy, `http://127.0.0.1:${server.port}/`)).toBe('502');
    held.destroy();
  });
  test('silence', async () => {
    await using server = await serve(() => {});
    await using proxy = await open(guardFor(LOOPBACK), { idle: 50 });
    expect(await get(proxy, `http://127.0.0.1:${server.port}/`)).toBe('502');
  });
  test('closing ends what is open', async () => {
    await using server = await serve(() => {});
    const proxy = await open();
    const waiting = get(proxy, `http://127.0.0.1:${server.port}/`);
    const failed = expect(waiting).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await proxy[Symbol.asyncDispose]();
    await failed;
  });
});

describe('files that are answered here', () => {
  const files = (url: URL) => {
    if (url.hostname !== 'here.invalid') return null;
    return Promise.resolve(url.pathname === '/font' ? { type: 'font/otf', bytes: Buffer.from('letters') } : null);
  };
  const openWithFiles = () => JobProxy.open(guardFor(LOOPBACK), { localFiles: files });
  test('come without a connection, and what there is not is 404', async () => {
    await using proxy = await openWithFiles();
    expect(await get(proxy, 'http://here.invalid/font')).toBe('200 letters');
    expect(await get(proxy, 'http://here.invalid/other')).toBe('404');
  });
  test('say what they are, and may be nothing else', async () => {
    await using proxy = await openWithFiles();
    const heard = await talk(proxy, ['GET http://here.invalid/font HTTP/1.1\r\n\r\n'], /letters/);
    expect(heard).toMatch(
      /content-type: font\/otf\r\n[\s\S]*content-security-policy: default-src 'none'[^\r]*sandbox\r\n[\s\S]*nosniff/,
    );
  });
  test('open no other host, and no tunnel', async () => {
    await using proxy = await openWithFiles();
    expect(await get(proxy, 'http://elsewhere.invalid/font')).toBe('403');
    expect(await talk(proxy, ['CONNECT here.invalid:443 HTTP/1.1\r\n\r\n'])).toMatch(REFUSED);
  });
});

test('hosts that are not wanted are not reached, plainly or through a tunnel', async () => {
  await using trap = await canary();
  const isUnwanted = (host: string) => host === '127.0.0.1';
  await using proxy = await JobProxy.open(guardFor(LOOPBACK), { isUnwanted });
  expect(await get(proxy, `http://127.0.0.1:${trap.port}/`)).toBe('502');
  await talk(proxy, [`CONNECT 127.0.0.1:${trap.port} HTTP/1.1\r\n\r\n`]);
  expect([trap.hits(), proxy.failureOf(new URL(`http://127.0.0.1:${trap.port}/`))]).toEqual([0, null]);
});
