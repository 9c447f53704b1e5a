// Opens tunnels through the operator's forward proxy, by HTTP CONNECT (RFC 9110, section 9.3.6).

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { resultWithin } from '#base/concurrency/deadline.ts';
import { CONNECT_TIMEOUT } from './dial.ts';

export interface OutboundProxy {
  /** `http:` or `https:`, with the credentials of Basic authentication if it wants some. */
  readonly url: URL;
  /**
   * Who resolves names. `here`: the guard, which checks every address and has the tunnel lead to a checked one.
   * `proxy`: the proxy, so that of a name only the text is checked.
   */
  readonly names: 'here' | 'proxy';
}

/** Maximum size of the proxy's answer, bytes. */
const MAX_HEAD = 16 * 1024;

/**
 * Connects to a host through the proxy.
 *
 * @param host a name, or an address without brackets
 * @throws Error when the proxy does not answer or refuses
 */
export async function dialThrough(
  { url }: OutboundProxy,
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<Socket> {
  const isTls = url.protocol === 'https:';
  const place = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || (isTls ? 443 : 80)) };
  const socket = isTls ? connectTls({ ...place, servername: place.host }) : connect({ ...place, noDelay: true });
  const abort = () => socket.destroy(new Error('given up', { cause: signal?.reason }));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const failed = Promise.withResolvers<never>();
  socket.once('error', failed.reject);
  socket.once('close', () => failed.reject(new Error('the outbound proxy closed the connection')));
  const late = () => new Error(`the outbound proxy did not answer in ${CONNECT_TIMEOUT} ms`);
  try {
    const opened = once(socket, isTls ? 'secureConnect' : 'connect').then(() => tunnel(socket, url, host, port));
    await resultWithin(CONNECT_TIMEOUT, Promise.race([opened, failed.promise]), late);
    socket.removeAllListeners('close');
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.off('error', failed.reject);
    failed.promise.catch(() => {});
  }
}

async function tunnel(socket: Socket, { username, password }: URL, host: string, port: number): Promise<void> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  let head = Buffer.alloc(0);
  for (;;) {
    // Not by 'data', after which the socket would have to be paused.
    const chunk = (socket.read() ?? (await once(socket, 'readable').then(() => socket.read()))) as Buffer | null;
    head = Buffer.concat([head, chunk ?? Buffer.alloc(0)]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) {
      if (head.length > MAX_HEAD) throw new Error('the answer of the outbound proxy is too long');
      continue;
    }
    const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1', 0, end)) ?? [];
    if (!status?.startsWith('2')) throw new Error(`the outbound proxy answered ${status ?? 'no HTTP'} to ${target}`);
    // What the host said already.
    if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
    return;
  }
}
