// Starts the real server on its own port and data folder, with two accounts.
//
// A second database connection makes accounts and keys, as the command line does beside a running server.

import { existsSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import type { exportAs } from '#draw/output/export.ts';
import { LocalRenderer } from '#draw/renderer/local-renderer.ts';
import type { Renderer } from '#draw/renderer/renderer.ts';
import { createLog, type Log } from '#server/observability/log.ts';
import { openRenderer } from '#server/open-drawing.ts';
import { openServices, type Services } from '#server/services.ts';
import { startServer, type World } from '#server/start-server.ts';
import { type Config, loadConfig } from '../../../src/server/config/config.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { newDatabase } from '../storage/new-database.ts';
import { breach } from './contract-of.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly text: string;
  /** The body parsed as JSON. Throws if it is not JSON. */
  readonly json: Record<string, unknown>;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A body that is sent unchanged. */
  readonly raw?: string | Buffer;
  /** A body that is sent as JSON. */
  readonly json?: unknown;
  /** The API key; absent = the first account's live key, null = none. */
  readonly key?: string | null;
}

export interface ServerUnderTest extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The port of the metrics, or null if they are off. */
  readonly metricsPort: number | null;
  readonly folder: string;
  /** The location of the database, as `openDatabase` takes it. */
  readonly database: string;
  readonly services: Services;
  /** The first account, on the plan `free`. */
  readonly account: string;
  readonly key: string;
  readonly keyId: string;
  readonly testKey: string;
  readonly signingSecret: string;
  /** A second account. */
  readonly other: string;
  readonly otherKey: string;
  /** Everything the server has logged. */
  readonly logged: () => string;
  readonly ask: (path: string, ask?: Ask) => Promise<Answer>;
  /** Sends a POST with a body of JSON. */
  readonly post: (path: string, json: unknown, more?: Ask) => Promise<Answer>;
  /** Stops the server and starts it again on the same folder, with another environment if one is given. */
  readonly restart: (env?: Readonly<Record<string, string>>) => Promise<void>;
}

export const NOW = new Date('2026-11-21T12:00:00Z');

/** A template without text, so that drawing it needs no font. */
export const SHAPES = {
  name: 'Shapes',
  width: 40,
  height: 20,
  layers: [{ name: 'box', type: 'shape', width: 40, height: 20, fill: '#336699' }],
} as const;

/** An export function that a test uses instead of the real one. */
export type Export = typeof exportAs;

/** The renderer for tests with their own export function. It draws in the test's thread. */
const rendererWith = (exportAs: Export) => async (config: Config) =>
  new LocalRenderer({
    library: await openFontLibrary({ folders: config.fontFolders }),
    concurrency: config.renderConcurrency,
    exportAs,
  });

/** The renderers of this process, by their settings. */
const renderers = new Map<string, Renderer>();

/**
 * Lends a renderer that later servers use too: starting its threads takes longer than most tests. A folder of fonts that
 * is not there yet is no setting, as it is only read at the start.
 */
function lentRenderer(config: Config, log: Log): Renderer {
  const fontFolders = config.fontFolders.filter((folder) => existsSync(folder));
  const { renderConcurrency, rasterMemory, fontMemory } = config;
  const settings = JSON.stringify([fontFolders, renderConcurrency, rasterMemory, fontMemory]);
  const renderer = renderers.get(settings) ?? openRenderer({ ...config, fontFolders }, log);
  renderers.set(settings, renderer);
  return {
    draw: (...job) => renderer.draw(...job),
    measure: (...subject) => renderer.measure(...subject),
    inspect: (file) => renderer.inspect(file),
    warmUp: () => renderer.warmUp(),
    status: () => renderer.status(),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The renderer is lent, unless the test exports by itself, or opens one: `{ openRenderer }` for threads of its own. */
export async function serverUnderTest(
  env: Readonly<Record<string, string>> = {},
  { exportAs, clock = () => NOW, ...world }: Partial<World> & { readonly exportAs?: Export } = {},
): Promise<ServerUnderTest> {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const database = parts.use(await newDatabase(folder.path));
  const configWith = (env: Readonly<Record<string, string>>) =>
    loadConfig({ PLATEN_DATA: folder.path, PORT: '0', ...database.env, ...env });
  const config = configWith(env);
  const services = parts.use(await openServices(config, clock));
  const mine = await services.accounts.create({ email: 'me@example.com', displayName: 'Me', plan: 'free' });
  const other = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
  const key = await services.keys.create(mine.id, 'live');

  const lines: string[] = [];
  const log = createLog('debug', { write: (line: string) => void lines.push(line) });
  const start = (config: Config) =>
    startServer(config, log, {
      clock,
      openRenderer: exportAs ? rendererWith(exportAs) : lentRenderer,
      ...world,
    });
  let server = await start(config);
  parts.defer(() => server[Symbol.asyncDispose]());
  const ask = async (path: string, ask: Ask = {}) => {
    const answer = await send(server.port, path, { key: key.key, ...ask });
    expect(breach(ask.method ?? 'GET', path, answer)).toBeNull();
    expect(violations(answer)).toEqual([]);
    return answer;
  };
  const made = {
    ask,
    post: (path: string, json: unknown, more: Ask = {}) => ask(path, { method: 'POST', json, ...more }),
    url: server.url,
    port: server.port,
    metricsPort: server.metricsPort,
    folder: folder.path,
    database: database.location,
    services,
    account: mine.id,
    key: key.key,
    keyId: key.id,
    testKey: (await services.keys.create(mine.id, 'test')).key,
    signingSecret: (await services.accounts.secrets(mine.id)).signing,
    other: other.id,
    otherKey: (await services.keys.create(other.id, 'live')).key,
    logged: () => lines.join(''),
    restart: async (other = env) => {
      await server[Symbol.asyncDispose]();
      server = await start(configWith(other));
    },
  };
  const owned = parts.move();
  return { ...made, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The port of a gateway that checks requests and answers against the contract and forwards them to `x-upstream`. */
const GATEWAY = process.env.CONTRACT_GATEWAY;

/** The gateway's findings: about answers always, about requests only if everything in them was accepted. */
function violations({ status, headers, text }: Answer): readonly string[] {
  const found = String(headers['sl-violations'] ?? '');
  const isRefused = status >= 300 || text.includes('"error":"');
  const ofAnswer = found.includes('"response"');
  return found.includes('"severity":"Error"') && (ofAnswer || !isRefused) ? [found] : [];
}

/** Sends a request over its own connection, with the path exactly as given; fetch would normalise it. */
function send(port: number, path: string, { method = 'GET', headers = {}, raw, json, key }: Ask): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const body = json === undefined ? raw : JSON.stringify(json);
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port: GATEWAY ?? port,
    path,
    method,
    agent: false,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body === undefined || headers['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(GATEWAY === undefined ? {} : { 'x-upstream': port }),
      ...headers,
    },
  });
  outgoing.on('response', (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', reject);
    incoming.on('end', () => {
      const bytes = Buffer.concat(chunks);
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: bytes,
        text: bytes.toString(),
        get json() {
          return JSON.parse(bytes.toString());
        },
      });
    });
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
