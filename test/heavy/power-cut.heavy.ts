// Tests that a render that was acknowledged survives a power cut: strace records what a server writes and syncs, and the
// disk is rebuilt as a cut would leave it at the moment of an answer, with nothing that was not synced by then.
//
// That is the worst disk that POSIX allows: of a file, what its last fsync has covered; of a folder, the names at its last.

import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { queryRows } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { commandLine } from '../command.ts';
import { postJson } from '../post-json.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const STRACE = '/usr/bin/strace';
const RENDERS = 24;
/** Answers at which the power is cut, spread over all. */
const CUTS = Number(process.env.CUTS ?? 8);

/** A file as programs see it, and as a power cut would leave it. */
interface File {
  seen: Buffer;
  synced: Buffer;
  /** Whether each write waits for the disk. */
  waits: boolean;
}

/** A disk on which calls are replayed. */
class Disk {
  readonly #folder: string;
  #names = new Map<string, File>();
  /** The names that their folders have synced. */
  #synced = new Map<string, File>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  #file(path: string): File {
    const file = this.#names.get(path) ?? { seen: Buffer.alloc(0), synced: Buffer.alloc(0), waits: false };
    this.#names.set(path, file);
    return file;
  }

  isOurs(path: string): boolean {
    // The index of the write-ahead log is made anew.
    return path.startsWith(this.#folder) && !path.endsWith('-shm');
  }

  create(path: string, flags: string): void {
    const file = this.#file(path);
    if (flags.includes('O_TRUNC')) file.seen = Buffer.alloc(0);
    if (flags.includes('O_SYNC')) file.waits = true;
  }

  /** @param at absent = at the end */
  write(path: string, bytes: Buffer, at?: number): void {
    const file = this.#file(path);
    const from = at ?? file.seen.length;
    const grown = Buffer.alloc(Math.max(file.seen.length, from + bytes.length));
    file.seen.copy(grown);
    bytes.copy(grown, from);
    file.seen = grown;
    if (file.waits) file.synced = grown;
  }

  truncate(path: string, length: number): void {
    const file = this.#file(path);
    file.seen = Buffer.concat([file.seen.subarray(0, length), Buffer.alloc(Math.max(0, length - file.seen.length))]);
  }

  rename(from: string, to: string): void {
    this.#names.set(to, this.#file(from));
    this.#names.delete(from);
  }

  remove(path: string): void {
    this.#names.delete(path);
  }

  /** Returns what its end makes durable: what was there at its beginning. */
  sync(path: string): () => void {
    const file = this.#names.get(path);
    if (file) {
      const { seen } = file;
      return () => {
        file.synced = seen;
      };
    }
    const within = [...this.#names].filter(([name]) => dirname(name) === path);
    return () => {
      for (const name of this.#synced.keys()) if (dirname(name) === path) this.#synced.delete(name);
      for (const [name, file] of within) this.#synced.set(name, file);
    };
  }

  /** What a power cut now would leave. */
  left(): Map<string, Buffer> {
    return new Map([...this.#synced].map(([name, { synced }]) => [name, synced]));
  }

  /** Bytes that it would not. */
  get lost(): number {
    return [...this.#names].reduce(
      (sum, [name, { seen, synced }]) => sum + (this.#synced.has(name) && seen.equals(synced) ? 0 : seen.length),
      0,
    );
  }
}

const bytesOf = (quoted: string) => Buffer.from(quoted.replaceAll('\\x', ''), 'hex');

/** The path of a call's descriptor, which strace writes behind its number. */
const pathOf = (argument = '') => decoded(/^\w+<(.*?)>/.exec(argument)?.[1] ?? '');
const decoded = (text: string) =>
  text.replace(/\\x([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

interface Answered {
  readonly id: string;
  /** What a power cut at the moment of the answer would leave, by path. */
  readonly left: Map<string, Buffer>;
  readonly lost: number;
}

/** Replays a record of strace, in which calls of several threads overlap. */
async function replay(record: string, folder: string): Promise<Answered[]> {
  const disk = new Disk(folder);
  const begun = new Map<string, { readonly text: string; readonly synced?: () => void }>();
  const answered: Answered[] = [];
  for await (const line of createInterface({ input: createReadStream(record) })) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const isBegun = rest.endsWith('<unfinished ...>');
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const before = resumed ? begun.get(thread) : undefined;
    const text = isBegun
      ? rest.slice(0, -'<unfinished ...>'.length)
      : (before?.text ?? '') + (resumed?.[1] ?? (before ? '' : rest));
    const [, call = '', inside = ''] = /^(\w+)\((.*)$/s.exec(text) ?? [];
    const [first = '', ...others] = inside.split(', ');
    const sync =
      /^f(data)?sync$/.test(call) && !before ? disk.sync(pathOf(first.replace(/\).*$/, ''))) : before?.synced;
    if (isBegun) {
      begun.set(thread, { text, ...(sync && { synced: sync }) });
      continue;
    }
    begun.delete(thread);
    if (/ = -1 E/.test(text)) continue;
    const data = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, quoted = '']) => bytesOf(quoted));
    if (sync) sync();
    else if (call === 'openat') {
      const path = /= \d+<(.*)>$/.exec(text)?.[1] ?? '';
      if (text.includes('O_CREAT') && disk.isOurs(decoded(path))) disk.create(decoded(path), text);
    } else if (call === 'rename' || call === 'renameat2' || call === 'renameat') {
      const [from = '', to = ''] = data.map(String);
      if (disk.isOurs(from)) disk.rename(from, to);
    } else if (call === 'unlink' || call === 'unlinkat') disk.remove(String(data[0]));
    else if (call === 'ftruncate' && disk.isOurs(pathOf(first)))
      disk.truncate(pathOf(first), Number.parseInt(others[0] ?? '', 10));
    else if (/^p?writev?(64)?$/.test(call)) {
      const path = pathOf(first);
      const at = call.startsWith('p') ? Number(/, (\d+) *\) += /.exec(text)?.[1]) : undefined;
      const written = Buffer.concat(data);
      if (disk.isOurs(path)) disk.write(path, written, at);
      // A socket.
      const id = path.startsWith('/') ? undefined : /"id":"(rnd_\w+)"/.exec(written.toString('latin1'))?.[1];
      if (id) answered.push({ id, left: disk.left(), lost: disk.lost });
    }
  }
  return answered;
}

test.skipIf(!existsSync(STRACE))('a render that was acknowledged is there after a power cut', async () => {
  await using folder = await temporaryFolder();
  const [data, record] = [join(folder.path, 'data'), join(folder.path, 'record')];
  const calls =
    'openat,write,writev,pwrite64,pwritev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat';
  const traced = [
    STRACE,
    '-f',
    '-y',
    '-xx',
    '-s',
    '200000',
    '-o',
    record,
    '-e',
    `trace=${calls}`,
    ...commandLine('serve'),
  ];
  const digests = new Map<string, string>();
  {
    await using server = await startProcess(
      data,
      { PLATEN_PLANS: JSON.stringify({ free: { quota: 9, blocks: false }, pro: { quota: 9, blocks: false } }) },
      traced,
    );
    const [, key = ''] = /PLATEN_KEY=(\S+)/.exec(server.printed) ?? [];
    const template = (width: number) => ({ name: 'Tiny', width, height: 8, layers: [] });
    const render = async (i: number) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      // Some in the transaction of an Idempotency-Key, and some with a template of their own.
      const more = i % 3 === 0 ? { 'idempotency-key': `render ${i}` } : {};
      const body = JSON.stringify({ template: template(8 + i) });
      const answer = await fetch(`${server.url}/v1/renders`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body,
      });
      expect(answer.status).toBe(200);
      const { id, url } = (await answer.json()) as { id: string; url: string };
      digests.set(id, hash('sha256', Buffer.from(await (await fetch(url)).arrayBuffer()), 'hex'));
    };
    expect((await postJson(`${server.url}/v1/templates`, key, template(8))).status).toBe(201);
    for (let i = 0; i < RENDERS; i += 6) await Promise.all(Array.from({ length: 6 }, (_, n) => render(i + n)));
    // Lets strace write the rest.
    await sleep(500);
    process.kill(server.pid, 'SIGKILL');
    await once(server.child, 'exit');
  }
  const answered = await replay(record, data);
  expect(new Set(answered.map(({ id }) => id))).toEqual(new Set(digests.keys()));
  // Otherwise the record has not seen what is written, and nothing would be tested.
  expect(Math.max(...answered.map(({ lost }) => lost))).toBeGreaterThan(0);
  for (let cut = 1; cut <= CUTS; cut += 1) {
    const last = Math.ceil((cut * answered.length) / CUTS);
    const disk = join(folder.path, `cut-${cut}`);
    for (const [path, bytes] of answered[last - 1]?.left ?? []) {
      const place = join(disk, path.slice(data.length));
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, bytes);
    }
    const db = await openDatabase(join(disk, 'platen.sqlite'));
    expect(await queryRows(db, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    for (const { id } of answered.slice(0, last)) {
      expect(await db('renders').where({ id, status: 'done' }).pluck('id'), `cut ${cut}`).toEqual([id]);
      expect(await db('usage_units').where({ render_id: id, state: 'used' }).pluck('render_id')).toEqual([id]);
      const file = await readFile(join(disk, 'assets', `${id}.png`));
      expect(hash('sha256', file, 'hex'), `cut ${cut}: ${id}`).toBe(digests.get(id));
    }
    await db.destroy();
  }
});
