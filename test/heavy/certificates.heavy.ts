// Makes many certificates of one CSV, into one PDF and one zip, by the command line and as a server's batch. Each is
// killed (SIGKILL) on the way and goes on: nothing is made twice, nothing is missing, memory stays flat, and another
// account's renders are answered meanwhile. `CERTIFICATES=10000` for as many as the API takes.

import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { startPlaten } from '../cli/run-platen.ts';
import { ROOT } from '../command.ts';
import { ask, has } from '../draw/output/pdf/page.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const COUNT = Number(process.env.CERTIFICATES ?? 150);
const PER_CERTIFICATE = 400;
const TIMEOUT = 300_000 + COUNT * PER_CERTIFICATE;
/** Most memory that the second half may take beyond the first, MB. */
const MOST_GROWTH = 100;
/** The longest that another account waits for a card, ms, as beside any jobs. */
const NEVER_MS = 10_000;

const SAMPLE = join(ROOT, 'samples/certificate.json');
const NAMES = ['Amélie Østergaard', 'Łukasz Żółć', 'Zoë Ångström', 'Ingeborg Quist', 'Nguyễn Văn Minh', 'Ömer Şahin'];
const recipient = (index: number) =>
  `${NAMES[index % NAMES.length]} ${String.fromCodePoint(65 + (index % 26))}. ${index}`;
const number = (index: number) => `AN-2026-${String(index + 1).padStart(5, '0')}`;
const values = (index: number) => ({
  recipient: recipient(index),
  number: number(index),
  verify: `https://atelier.example/c/${number(index)}`,
});
const csv = () =>
  [
    'number;recipient;verify',
    ...Array.from({ length: COUNT }, (_, index) => values(index)).map(
      (row) => `${row.number};${row.recipient};${row.verify}`,
    ),
  ].join('\n');

/** Resident memory, MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Checks that the PDF has a page for each certificate, in order, and each font once. */
function checkPdf(bytes: Buffer): void {
  if (!has('pdfinfo')) return;
  const path = ask('pdfinfo', bytes, []);
  expect(path).toMatch(new RegExp(`Pages: +${COUNT}\\n`));
  const pages = ask('pdftotext', bytes, ['-raw'], ['-']).split('\f').slice(0, -1);
  expect(pages.map((text) => /AN-2026-\d{5}/.exec(text)?.[0])).toEqual(
    Array.from({ length: COUNT }, (_, i) => number(i)),
  );
  for (const index of [0, 1, COUNT - 1]) expect(pages[index]).toContain(recipient(index));
  const fonts = ask('pdffonts', bytes, []).trim().split('\n').slice(2);
  expect(fonts.length).toBeLessThanOrEqual(16);
}

test(`${COUNT} certificates by the command line`, { timeout: TIMEOUT }, async () => {
  await using folder = await temporaryFolder();
  const [rows, pdf, zip] = ['rows.csv', 'all.pdf', 'all.zip'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(rows, csv());
  const args = ['batch', SAMPLE, rows, '--name-from', 'number', '--json'];

  const parts = `${pdf}.rows`;
  const whole = async () => (await readdir(parts).catch(() => [])).filter((name) => name.endsWith('.pdf'));
  const first = startPlaten(folder.path, [...args, '--merge', pdf]);
  while ((await whole()).length < COUNT / 3) await sleep(20);
  first.kill('SIGKILL');
  await once(first, 'close');
  const before = new Map<string, number>();
  for (const name of await whole()) before.set(name, (await stat(join(parts, name))).ino);

  const since = performance.now();
  const second = startPlaten(folder.path, [...args, '--merge', pdf]);
  let printed = '';
  let problems = '';
  second.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  second.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  const closed = once(second, 'close');
  const memory: number[] = [];
  const watch = setInterval(async () => memory.push(await memoryOf(second.pid ?? 0)), 250);
  await closed;
  clearInterval(watch);
  const seconds = (performance.now() - since) / 1000;
  expect([problems, JSON.parse(printed)]).toEqual([
    '',
    { merged: pdf, count: COUNT, ok: COUNT, kept: before.size, failures: [] },
  ]);
  const made = COUNT - before.size;
  const measured = memory.filter((used) => used > 0);
  const half = Math.max(...measured.slice(0, measured.length / 2));
  const most = Math.max(...measured);
  const size = (await stat(pdf)).size;
  console.info(
    `command line: ${made} of ${COUNT} in ${seconds.toFixed(1)} s, ${(made / seconds).toFixed(0)} a second with the merge; ` +
      `${half.toFixed(0)} MB in the first half, ${most.toFixed(0)} MB in all; ${(size / COUNT / 1024).toFixed(1)} KB each`,
  );
  expect(most - half).toBeLessThan(MOST_GROWTH);
  expect((await readdir(folder.path)).sort()).toEqual(['all.pdf', 'rows.csv']);
  checkPdf(await readFile(pdf));

  const zipped = startPlaten(folder.path, [...args, '--output', 'pdf', '--merge', zip]);
  expect(await once(zipped, 'close')).toEqual([0, null]);
  const bytes = await readFile(zip);
  expect(bytes.readUInt16LE(bytes.length - 22 + 10)).toBe(COUNT);
});

test(`${COUNT} certificates as a server’s batch, beside another account`, { timeout: TIMEOUT }, async () => {
  await using folder = await temporaryFolder();
  const config = loadConfig({ PLATEN_DATA: folder.path });
  const { mine, other, template, card } = await (async () => {
    await using services = await openServices(config);
    const account = async () => {
      const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
      return { id, key: (await services.keys.create(id, 'live')).key };
    };
    const [mine, other] = [await account(), await account()];
    const sample = JSON.parse(await readFile(SAMPLE, 'utf8'));
    const layers = [{ name: 'title', type: 'text', text: 'Hi', fontSize: 40 }];
    return {
      ...{ mine, other },
      template: (await services.templates.create(mine.id, sample)).id,
      card: (await services.templates.create(other.id, { name: 'Card', width: 600, height: 315, layers })).id,
    };
  })();
  const send = async (url: string, key: string, json?: object) => {
    const answer = await fetch(url, {
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': 'certificates',
      },
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
    });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
  };
  const request = {
    ...{ template, merge: 'pdf', nameFrom: 'number', pdf: { title: 'Certificates of 2026' } },
    items: Array.from({ length: COUNT }, (_, index) => values(index)),
  };
  const since = performance.now();
  const memory: number[] = [];
  const waits: number[] = [];
  let id = '';
  const progress = async (url: string) =>
    JSON.parse((await send(`${url}/v1/batches/${id}`, mine.key)).body.toString()) as Record<
      string,
      number | string | null
    >;

  {
    await using server = await startProcess(folder.path);
    const begun = await send(`${server.url}/v1/batches`, mine.key, request);
    expect(begun.status).toBe(202);
    id = JSON.parse(begun.body.toString()).id;
    while (Number((await progress(server.url)).done) < COUNT / 3) await sleep(50);
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
  }
  // The other account asks for a card as often as it can, to see each wait.
  await using server = await startProcess(folder.path, { PLATEN_PREVIEWS_PER_MINUTE: '0' });
  // The client that repeats its request gets the same batch.
  const again = await send(`${server.url}/v1/batches`, mine.key, request);
  expect([again.status, JSON.parse(again.body.toString()).id]).toEqual([202, id]);
  for (;;) {
    const begun = performance.now();
    const { status } = await send(`${server.url}/v1/templates/${card}/preview`, other.key, {});
    waits.push(performance.now() - begun);
    expect(status).toBe(200);
    memory.push(await memoryOf(server.pid));
    const state = await progress(server.url);
    if (state.file !== null) break;
    await sleep(100);
  }
  const seconds = (performance.now() - since) / 1000;
  const merging = performance.now();
  const { status, body } = await send(`${server.url}/v1/batches/${id}/file`, mine.key);
  const merged = (performance.now() - merging) / 1000;
  expect(status).toBe(200);
  const half = Math.max(...memory.slice(0, memory.length / 2));
  const most = Math.max(...memory, await memoryOf(server.pid));
  console.info(
    `server: ${COUNT} in ${seconds.toFixed(1)} s with a kill, ${(COUNT / seconds).toFixed(0)} a second; merged in ${merged.toFixed(1)} s, ` +
      `${(body.length / COUNT / 1024).toFixed(1)} KB each; ${half.toFixed(0)} MB in the first half, ${most.toFixed(0)} MB in all; ` +
      `another account waited at most ${Math.max(...waits).toFixed(0)} ms for a card`,
  );
  expect(most - half).toBeLessThan(MOST_GROWTH);
  expect(Math.max(...waits)).toBeLessThan(NEVER_MS);
  checkPdf(body);

  const db = await openDatabase(config.database);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  const rows: { id: string; status: string }[] = await db('renders').where({ account_id: mine.id });
  expect([rows.length, rows.every(({ status: state }) => state === 'done')]).toEqual([COUNT, true]);
  const [total] = await db('usage').where({ account_id: mine.id });
  expect([total?.used, total?.reserved]).toEqual([COUNT, 0]);
  const files = (await readdir(join(folder.path, 'assets'), { recursive: true })).filter((name) =>
    name.endsWith('.pdf'),
  );
  expect(files).toHaveLength(COUNT);
});
