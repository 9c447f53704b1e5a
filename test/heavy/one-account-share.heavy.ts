// Tests that one account, or one client without a session, takes no more than its share of time: while it floods the
// server in many ways, another account's renders are answered. Prints how long they take, at rest and meanwhile.
// one-account-memory.heavy.ts does the same for memory.
//
// By default a sample of each attack, half a minute in all; `WHOLE=1` for all of it, `ONLY=batches` for some, `NODES=2`
// against two servers on PostgreSQL and S3. `STRICT=1`, for an otherwise idle machine, does the whole and also limits how
// long the other account waits.

import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Services } from '#server/services.ts';
import type { BatchRow } from '#server/storage/batches.ts';
import { newId } from '../../src/base/ids.ts';
import type { ServerProcess } from '../server-process.ts';
import { type AttackedServers, attackedServers, NODES, portsOf } from './attacked-servers.ts';
import type { Greed } from './greedy-clients.ts';

const IS_STRICT = process.env.STRICT === '1';
const IS_WHOLE = IS_STRICT || process.env.WHOLE === '1';
/** How long each attack goes on, ms. */
const LASTS = IS_WHOLE ? 8_000 : 1_500;
/** Largest p99 of the other account, as a multiple of that at rest, and in ms: the larger one counts. */
const [MOST_TIMES, MOST_MS] = [5, 250];
/** Where the machine has other work, how long none of its renders may take, ms. */
const NEVER_MS = 10_000;
const MB = 2 ** 20;

const CARD = {
  name: 'Card',
  width: 600,
  height: 315,
  background: '#0b1020',
  layers: [{ name: 'title', type: 'text', text: '', fontSize: 48, color: '#fff', x: 40, y: 40, width: 520 }],
};
const PAGE = { name: 'Page', width: 200, height: 100, engine: 'html', html: '<p data-layer="title">Hi</p>' };
const ENDLESS = { ...PAGE, name: 'Endless', script: true, html: '<script>for(;;);</script>' };

interface Account {
  readonly id: string;
  readonly key: string;
  readonly card: string;
  readonly page: string;
  /** Of its owner. */
  readonly cookie: string;
}

interface Scene {
  readonly servers: readonly ServerProcess[];
  readonly mine: Account;
  readonly other: Account;
  readonly endless: string;
  /** The path of a large zip file. */
  readonly zip: string;
}

const parts = new AsyncDisposableStack();
let scene: Scene;
afterAll(() => parts.disposeAsync());

async function openAccount(services: Services, email: string): Promise<Account> {
  const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
  const create = async (document: object) => (await services.templates.create(id, document)).id;
  const person = await services.people.create({ email, name: 'A', password: null });
  await services.members.add(id, person.id, 'owner');
  const { token } = await services.sessions.begin(person.id, { address: '127.0.0.1', agent: 'test' });
  const { key } = await services.keys.create(id, 'live');
  return { id, key, card: await create(CARD), page: await create(PAGE), cookie: `__Host-platen=${token}` };
}

/** The path of a batch of copies of one noisy picture. @param size bytes */
async function largeZip(
  { services, assets }: Pick<AttackedServers, 'services' | 'assets'>,
  { id: accountId, card }: Account,
  size: number,
) {
  const side = 2_000;
  const pixels = Buffer.alloc(side * side * 3);
  for (let at = 0, state = 1; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    pixels[at] = state >> 16;
  }
  const file = await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
  const bytes = file.length;
  const rows: BatchRow[] = [];
  for (let index = 0; index * bytes < size; index += 1) {
    const render = newId('rnd');
    await assets.put(`${render}.png`, file);
    const times = { createdAt: new Date(), finishedAt: new Date() };
    const done = {
      id: render,
      accountId,
      kind: 'render',
      output: 'png',
      status: 'done',
      size: bytes,
      digest: null,
      warnings: [],
    };
    await services.storage.renders.insert({ ...done, ...times } as never, null);
    rows.push({ renderId: render, name: `row-${index}` });
  }
  const id = newId('blk');
  const batch = {
    id,
    accountId,
    templateId: card,
    name: null,
    archive: 'zip',
    sheet: null,
    webhookUrl: null,
    createdAt: new Date(),
  } as const;
  await services.storage.batches.insert(batch, rows);
  return `/v1/studio/accounts/${accountId}/batches/${id}/file`;
}

beforeAll(async () => {
  const env = {
    PLATEN_PLANS: '{"pro":{"quota":100000,"blocks":false}}',
    PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  };
  const opened = parts.use(await attackedServers(env));
  const { servers, services } = opened;
  const [mine, other] = [await openAccount(services, 'a@example.com'), await openAccount(services, 'b@example.com')];
  const endless = (await services.templates.create(mine.id, ENDLESS)).id;
  const zip = await largeZip(opened, mine, (IS_WHOLE ? 540 : 60) * MB);
  scene = { servers, mine, other, endless, zip };
  // Warms up, as code is compiled during the first renders of a process.
  await renders(100);
}, 180_000);

const keyed = ({ key }: Account) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

let sent = 0;
/** Sends a request to one of the servers, in turn. */
async function send(path: string, account: Account, body: object): Promise<Response> {
  const { url = '' } = scene.servers[sent++ % scene.servers.length] ?? {};
  return fetch(url + path, { method: 'POST', headers: keyed(account), body: JSON.stringify(body) });
}

/** How long the other account's requests take, one after the other, ms, sorted. @throws Error unless all are answered 200 */
async function timed(count: number, isOver: () => boolean, request: (index: number) => Promise<Response>) {
  const times: number[] = [];
  for (let index = 0; index < count && !isOver(); index += 1) {
    const start = performance.now();
    const response = await request(index);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`${response.status}: ${bytes}`);
    times.push(performance.now() - start);
    await sleep(10);
  }
  return times.toSorted((a, b) => a - b);
}

/** Not by previews, of which an account may ask for so many in a minute. */
const rendersOf =
  (template: () => string) =>
  (count: number, isOver: () => boolean = () => false) =>
    timed(count, isOver, (index) => {
      const modifications = { title: `${Date.now()} ${index}` };
      return send('/v1/renders', scene.other, { template: template(), modifications });
    });
const renders = rendersOf(() => scene.other.card);
const pages = rendersOf(() => scene.other.page);

const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
const shown = (sorted: readonly number[]) =>
  [0.5, 0.99].map((share) => quantile(sorted, share).toFixed(0).padStart(5)).join(' ');

/** Runs the clients of an attack in a process of their own; returns how often each status was answered. */
async function attack(greed: Greed): Promise<Readonly<Record<string, number>>> {
  const program = join(import.meta.dirname, 'greedy-clients.ts');
  const child = spawn(process.execPath, [program, portsOf(scene.servers)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(greed));
  return JSON.parse(await text(child.stdout));
}

interface Attack {
  readonly count: number;
  readonly sample: number;
  /** Whether the sample is also run against two servers. */
  readonly alsoOnNodes?: boolean;
  readonly greed: () => Pick<Greed, 'request' | 'headers' | 'body' | 'again'>;
  /** The statuses that may be answered; 0 = none before the end. */
  readonly answers: readonly number[];
  /** What the other account asks for meanwhile. */
  readonly beside?: typeof renders;
}

const own = () => ({
  // The host that the clients name.
  origin: 'http://localhost',
  cookie: scene.mine.cookie,
  'content-type': 'application/json',
});
const whole = (value: object) => {
  const begin = JSON.stringify(value);
  return { begin, end: '', size: Buffer.byteLength(begin) };
};
const anonymous = (request: string, body?: object) => () => ({
  request,
  headers: { origin: 'http://localhost', 'content-type': 'application/json' },
  again: true,
  ...(body ? { body: whole(body) } : {}),
});
const account = (path = '') => `/v1/studio/accounts/${scene.mine.id}${path}`;
const batch = (template: () => string, rows: number, title: string) => () => ({
  request: `POST ${account(`/templates/${template()}/batch`)}`,
  headers: own(),
  body: whole({
    rows: Array.from({ length: rows }, (_, index) => ({ modifications: { title: `${index} ${title}` } })),
    archive: 'zip',
    output: 'png',
  }),
});
const card = () => scene.mine.card;

const ATTACKS: Readonly<Record<string, Attack>> = {
  'unknown API keys': {
    count: 800,
    sample: 400,
    greed: () => ({ request: 'GET /v1/account', headers: { authorization: 'Bearer plt_live_x' }, again: true }),
    answers: [0, 401, 429],
  },
  'sessions, nobody signed in': {
    count: 800,
    sample: 400,
    alsoOnNodes: true,
    greed: anonymous('GET /v1/studio/session'),
    answers: [0, 200],
  },
  'invented links': {
    count: 800,
    sample: 400,
    greed: anonymous('POST /v1/studio/links/look', { token: `inv_${'a'.repeat(43)}` }),
    answers: [0, 400, 403, 404],
  },
  'sign-ins by passkey': {
    count: 800,
    sample: 400,
    greed: anonymous('POST /v1/studio/session/passkey/options', {}),
    answers: [0, 200, 429],
  },
  'lists of templates': {
    count: 200,
    sample: 200,
    greed: () => ({ request: `GET ${account('/templates')}`, headers: own(), again: true }),
    answers: [0, 200],
  },
  'previews beyond their limit': {
    count: 200,
    sample: 200,
    greed: () => ({
      request: `POST ${account(`/templates/${scene.mine.card}/preview`)}`,
      headers: own(),
      body: whole({ output: 'png' }),
      again: true,
    }),
    answers: [0, 200, 429],
  },
  'batches of 500 rows': { count: 20, sample: 8, greed: batch(card, 500, 'title'), answers: [0, 202] },
  'batches of 7.5 MB': {
    count: 10,
    sample: 4,
    alsoOnNodes: true,
    greed: batch(card, 500, 'x'.repeat(15_000)),
    answers: [0, 202, 429],
  },
  'drafts of 4 MB': {
    count: 50,
    sample: 20,
    alsoOnNodes: true,
    greed: () => ({
      request: `PUT ${account(`/templates/${scene.mine.card}/draft`)}`,
      headers: { ...own(), 'if-match': '"0"' },
      body: { begin: '{"document":{"name":"', end: '"}}', size: 4 * MB - 1_000 },
      again: true,
    }),
    answers: [0, 200, 412, 429, 503],
  },
  'large zip files': {
    count: 30,
    sample: 10,
    alsoOnNodes: true,
    greed: () => ({ request: `GET ${scene.zip}`, headers: own(), again: true }),
    answers: [0, 200, 429],
  },
  'checks of the server': {
    count: 100,
    sample: 20,
    greed: () => ({ request: `GET ${account('/settings/checks')}`, headers: own(), again: true }),
    answers: [0, 200, 429, 503],
  },
};

async function measure(name: string, { count, sample, greed, answers, beside = renders }: Attack) {
  const clients = IS_WHOLE ? count : sample;
  const atRest = await beside(IS_WHOLE ? 100 : 20);
  let isOver = false;
  const meanwhile = beside(100_000, () => isOver);
  const answered = await attack({ ...greed(), count: clients, lasts: LASTS });
  isOver = true;
  const times = await meanwhile;
  console.info(
    `${`${clients} ${name}`.padEnd(34)} other: p50, p99 at rest ${shown(atRest)}, meanwhile ${shown(times)} ms (${times.length}); ${JSON.stringify(answered)}`,
  );
  expect(
    Object.keys(answered)
      .map(Number)
      .filter((status) => !answers.includes(status)),
  ).toEqual([]);
  // All were answered 200, or `timed` had thrown.
  expect(times.length).toBeGreaterThan(0);
  expect(times.at(-1)).toBeLessThan(NEVER_MS);
  if (!IS_STRICT) return;
  expect(quantile(times, 0.99)).toBeLessThan(Math.max(MOST_MS, MOST_TIMES * quantile(atRest, 0.99)));
}

/** What is not taken is no test: a skipped one would fail the run. */
const isTaken = (name: string, isSampled: boolean) =>
  process.env.ONLY ? name.startsWith(process.env.ONLY) : isSampled;

for (const [name, one] of Object.entries(ATTACKS)) {
  if (isTaken(name, NODES === 1 || IS_WHOLE || one.alsoOnNodes === true)) test(name, () => measure(name, one));
}

if (isTaken('endless pages', NODES === 1 || IS_WHOLE)) {
  test('endless pages', async () => {
    const rows = IS_WHOLE ? 300 : 20;
    const entered = await attack({ ...batch(() => scene.endless, rows, 'title')(), count: 1, lasts: 20_000 });
    expect(entered).toEqual({ 202: 1 });
    await measure('previews of endless pages', {
      count: 60,
      sample: 8,
      greed: () => ({
        request: `POST /v1/templates/${scene.endless}/preview`,
        headers: keyed(scene.mine),
        body: whole({ output: 'png' }),
      }),
      answers: [0, 400, 429, 503],
      beside: pages,
    });
  });
}

/** What a client sends over each connection before it waits. */
const BEGUN: Readonly<Record<string, string>> = {
  'half a body': `POST /v1/studio/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{`,
  'half a header': 'GET / HTTP/1.1\r\nhost: x',
  nothing: '',
};
/** More than a server has in all. */
const SOCKETS = 2_300;

for (const [name, begun] of Object.entries(BEGUN).slice(0, IS_WHOLE ? undefined : 1)) {
  if (NODES > 1 || !isTaken('sockets', true)) continue;
  test(`sockets of one address that send ${name}`, async () => {
    const { port } = new URL(scene.servers[0]?.url ?? '');
    const sockets = Array.from({ length: SOCKETS }, () => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' });
      socket.on('error', () => {}).write(begun);
      return socket;
    });
    // Others are answered while the connections come in, and once all are there.
    const times = await renders(20);
    await sleep(LASTS);
    const after = await renders(20);
    const open = sockets.filter(({ destroyed }) => !destroyed).length;
    console.info(`${SOCKETS} sockets, ${name}: ${open} open; other: p50, p99 ${shown(times)}, then ${shown(after)} ms`);
    for (const socket of sockets) socket.destroy();
    expect(Math.max(...times, ...after)).toBeLessThan(NEVER_MS);
  });
}
