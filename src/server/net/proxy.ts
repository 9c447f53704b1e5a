// A forward proxy on the loopback for one browser job: every connection of the browser is opened by the guard.
//
// Plain HTTP comes with an absolute URI, everything else as CONNECT. The host is taken only from there, its name is
// resolved here, and the socket is connected to a checked address. All refusals get one constant answer.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { AppError } from '#base/errors.ts';
import type { Guard } from './guard.ts';

/** Network limits of one job. */
export interface ProxyBudget {
  /** Bytes received from all servers together. */
  readonly bytes: number;
  /** Requests and tunnels. */
  readonly requests: number;
  /** Connections to servers that are open at the same time. */
  readonly sockets: number;
  /** How long a connection may be silent, ms. */
  readonly idle: number;
}

export const DEFAULT_BUDGET: ProxyBudget = { bytes: 100 * 1024 * 1024, requests: 500, sockets: 64, idle: 30_000 };

/** A file that the proxy serves itself. */
interface LocalFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * null: the URL is not a local file's, and is forwarded like any other; a promise of null: the local file does not
 * exist.
 */
export type LocalFiles = (url: URL) => Promise<LocalFile | null> | null;

export interface JobProxyOptions {
  /** Called with the reason of a refusal: for the operator's log, not for the caller. */
  readonly onDenied?: ((reason: unknown) => void) | undefined;
  readonly budget?: ProxyBudget | undefined;
  /** Hosts that are allowed but blocked for this page: refused without using up the budget. */
  readonly isUnwanted?: ((host: string) => boolean) | undefined;
  readonly localFiles?: LocalFiles | undefined;
}

export type Exhausted = 'bytes' | 'requests';
/** Why the last connection to a host and port failed: denied by the guard (or not resolved), or no answer. */
export type Failure = 'denied' | 'unreachable';

const REFUSED = 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
const UNREACHABLE = 'HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/**
 * Headers of one connection, not of the message (RFC 9110, section 7.6.1); and those that would lead a browser past the
 * proxy.
 */
const NOT_FORWARDED = [
  'alt-svc',
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const TLS_HANDSHAKE = 0x16;
const TLS_PORTS: readonly number[] = [443, 8443];

export class JobProxy implements AsyncDisposable {
  readonly #guard: Guard;
  readonly #budget: ProxyBudget;
  readonly #server = createServer({ maxHeaderSize: 64 * 1024, requireHostHeader: false });
  /** Aborts name resolution and connection attempts when the job ends. */
  readonly #over = new AbortController();
  readonly #upstream = new Set<Socket>();
  /** By host and port. */
  readonly #failures = new Map<string, Failure>();
  /** Client connections that became tunnels: the HTTP server no longer tracks them. */
  readonly #tunnels = new Set<Duplex>();
  readonly #onDenied: (reason: unknown) => void;
  readonly #isUnwanted: (host: string) => boolean;
  readonly #localFiles: LocalFiles;
  #bytes = 0;
  #requests = 0;
  #exhausted: Exhausted | null = null;

  static async open(guard: Guard, options: JobProxyOptions = {}): Promise<JobProxy> {
    const proxy = new JobProxy(guard, options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(guard: Guard, options: JobProxyOptions) {
    this.#guard = guard;
    this.#onDenied = options.onDenied ?? (() => {});
    this.#budget = options.budget ?? DEFAULT_BUDGET;
    this.#isUnwanted = options.isUnwanted ?? (() => false);
    this.#localFiles = options.localFiles ?? (() => null);
    // Nothing that a page or a server sends may end in a rejection that nobody handles.
    this.#server.on('request', (incoming, answer) =>
      this.#forward(incoming, answer).catch(() => void answer.destroy()),
    );
    this.#server.on('connect', (incoming, client, head) =>
      this.#tunnel(incoming, client, head).catch(() => void client.destroy()),
    );
    // A browser upgrades through CONNECT; no other client should connect here.
    this.#server.on('upgrade', (_incoming, client) => refuse(client, REFUSED));
    this.#server.on('clientError', (_error, client) => refuse(client, REFUSED));
  }

  /** `http://127.0.0.1:…` */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The first budget that was used up, or null. */
  get exhausted(): Exhausted | null {
    return this.#exhausted;
  }

  /** How the last connection to the URL's host and port failed; null when it succeeded. */
  failureOf({ protocol, hostname, port }: URL): Failure | null {
    return this.#failures.get(placeKey(hostname, port === '' ? defaultPort(protocol) : Number(port))) ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort(new Error('the job is over'));
    for (const socket of this.#upstream) socket.destroy();
    this.#server.closeAllConnections();
    for (const client of this.#tunnels) client.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    incoming.on('error', () => {});
    answer.on('error', () => {});
    const url = /^http:\/\/[^/]/i.test(incoming.url ?? '') ? URL.parse(incoming.url ?? '') : null;
    if (url === null || url.username !== '' || url.password !== '') return void answer.writeHead(403).end();
    const local = incoming.method === 'GET' ? this.#localFiles(url) : null;
    if (local) return answerWith(answer, await local.catch(() => null));
    let socket: Socket;
    try {
      socket = await this.#connect(url.hostname, url.port === '' ? 80 : Number(url.port));
    } catch (error) {
      return void answer.writeHead(error instanceof AppError ? 403 : 502).end();
    }
    const outgoing = request({
      createConnection: () => socket,
      method: incoming.method ?? 'GET',
      path: url.pathname + url.search,
      headers: { ...forwarded(incoming.headers), host: url.host, connection: 'close' },
      setHost: false,
    });
    outgoing.on('response', (response) => {
      response.on('error', () => answer.destroy());
      if (!writeHead(answer, response)) return void outgoing.destroy();
      this.#meter(response).pipe(answer);
    });
    outgoing.on('error', () => answer.headersSent && answer.destroy());
    // Also when the server answered with what cannot be passed on, such as an upgrade that nobody asked for.
    outgoing.on('close', () => answer.headersSent || answer.writeHead(502).end());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  async #tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => {});
    this.#tunnels.add(client);
    client.on('close', () => this.#tunnels.delete(client));
    const target = /^(\[[0-9a-f:.]+\]|[^:@/?#[\]]+):(\d{1,5})$/i.exec(incoming.url ?? '');
    if (!target) return refuse(client, REFUSED);
    const [, host = '', port = ''] = target;
    let server: Socket;
    try {
      server = await this.#connect(host, Number(port));
    } catch (error) {
      return refuse(client, error instanceof AppError ? REFUSED : UNREACHABLE);
    }
    if (client.destroyed) return void server.destroy();
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    const first = head.length > 0 ? head : await firstChunk(client);
    if (first === null || !mayBegin(first, Number(port))) return void client.destroy();
    server.write(first);
    client.pipe(server);
    this.#meter(server).pipe(client);
  }

  /** Opens a connection within the budget, to a checked address. */
  async #connect(host: string, port: number): Promise<Socket> {
    if (this.#isUnwanted(host)) throw new Error(`${host} is not wanted`);
    this.#requests += 1;
    if (this.#requests > this.#budget.requests) this.#exhausted ??= 'requests';
    if (this.#exhausted !== null) throw new Error(`no ${this.#exhausted} left`);
    if (this.#upstream.size >= this.#budget.sockets) throw new Error('too many connections');
    const place = placeKey(host, port);
    let socket: Socket;
    try {
      socket = await this.#guard.connect(host, port, this.#over.signal);
    } catch (error) {
      const isDenied = error instanceof AppError;
      this.#failures.set(place, isDenied ? 'denied' : 'unreachable');
      if (isDenied) this.#onDenied(error.cause);
      throw error;
    }
    this.#failures.delete(place);
    this.#upstream.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#upstream.delete(socket));
    socket.setTimeout(this.#budget.idle, () => socket.destroy());
    // Meanwhile the job may have ended, or other connections may have been opened.
    if (this.#over.signal.aborted || this.#upstream.size > this.#budget.sockets) {
      socket.destroy();
      throw new Error('too late');
    }
    return socket;
  }

  /** Counts the bytes received through `source`; exceeding the budget closes every connection. */
  #meter(source: Readable): Readable {
    return source.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes <= this.#budget.bytes) return;
      this.#exhausted ??= 'bytes';
      for (const socket of this.#upstream) socket.destroy();
    });
  }
}

/** Passes on status and headers. @returns false when node would not send them: its parser accepts a status of `099` */
function writeHead(answer: ServerResponse, { statusCode = 0, headers }: IncomingMessage): boolean {
  if (statusCode < 200 || statusCode > 999) return false;
  try {
    answer.writeHead(statusCode, forwarded(headers));
    return true;
  } catch {
    return false;
  }
}

/** Fonts are requested across origins. The policy keeps an SVG from acting as anything but an image. */
function answerWith(answer: ServerResponse, file: LocalFile | null): void {
  if (file === null) return void answer.writeHead(404).end();
  answer.writeHead(200, {
    'content-type': file.type,
    'content-length': file.bytes.length,
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  answer.end(file.bytes);
}

const defaultPort = (protocol: string) => (protocol === 'https:' || protocol === 'wss:' ? 443 : 80);

function placeKey(host: string, port: number): string {
  return `${host.toLowerCase().replace(/\.$/, '')}:${port}`;
}

function refuse(client: Duplex, answer: string): void {
  client.on('error', () => {});
  if (client.writable) client.end(answer);
  else client.destroy();
}

/** The end-to-end headers. */
function forwarded(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !NOT_FORWARDED.includes(name) && !named.includes(name)),
  );
}

/** The first bytes from the client; null when it closes the connection instead. */
function firstChunk(client: Duplex): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  client.once('data', (chunk: Buffer) => {
    client.pause();
    resolve(chunk);
  });
  client.once('close', () => resolve(null));
  return promise;
}

/**
 * Whether a tunnel's first bytes may be sent: TLS, or, on ports other than those of TLS, the handshake of an
 * unencrypted WebSocket. This excludes other protocols, such as TURN over TCP or one that ignores an unknown first
 * line.
 */
function mayBegin(chunk: Buffer, port: number): boolean {
  if (chunk[0] === TLS_HANDSHAKE) return true;
  return !TLS_PORTS.includes(port) && /^GET \/\S* HTTP\/1\.1\r\n/.test(chunk.subarray(0, 4096).toString('latin1'));
}
