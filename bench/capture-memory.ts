// Measures the memory of a server while it captures 1, 2, 4 and 8 pages at once: `node bench/capture-memory.ts [AT_ONCE…]`.
//
// It is that of all processes at its peak, with what they share counted once (Pss of /proc/[pid]/smaps_rollup, Linux). The
// figures of docs/operating.md come from here.

import { readdirSync, readFileSync } from 'node:fs';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../src/server/config/config.ts';
import { serve } from '../test/listen.ts';
import { startProcess } from '../test/server-process.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const PHOTOS = ['dandelion', 'deep-field', 'espresso'].map((name) =>
  readFileSync(new URL(`../samples/assets/${name}.jpg`, import.meta.url)),
);
const SECTIONS = 120;
/** How often each browser draws a page. */
const ROUNDS = 2;
/** How often memory is read, ms. */
const INTERVAL = 50;

const photos = [0, 1, 2, 3, 4, 5].map((n) => `<img src="/${n}.jpg" width="380" height="260">`).join('');
const section = (n: number) =>
  `<section style="padding:24px;background:linear-gradient(#fff,#cde)"><h2>Section ${n}</h2>${'<p>With a few lines of text, and a gradient behind them.</p>'.repeat(3)}</section>`;
const PAGES: Readonly<Record<string, string>> = {
  screen: photos,
  'full page': photos + Array.from({ length: SECTIONS }, (_, n) => section(n)).join(''),
};

/** MB of a process and all its children. */
function held(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + held(Number(child)), Number(kilobytes) / 1000);
  } catch {
    // It has ended.
    return 0;
  }
}

/** The most that the server and its browsers hold, MB, and how often a page was not captured. */
async function measure(page: string, atOnce: number): Promise<{ readonly peak: number; readonly failed: number }> {
  await using site = await serve((request, answer) => {
    const photo = PHOTOS[Number(/^\/(\d)\.jpg/.exec(request.url ?? '')?.[1]) % PHOTOS.length];
    answer.setHeader('content-type', photo ? 'image/jpeg' : 'text/html; charset=utf-8');
    answer.end(photo ?? `<!doctype html><body style="font:16px sans-serif">${PAGES[page]}`);
  });
  await using folder = await temporaryFolder();
  const key = await (async () => {
    await using services = await openServices(loadConfig({ PLATEN_DATA: folder.path }));
    const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
    return (await services.keys.create(id, 'live')).key;
  })();
  await using server = await startProcess(folder.path, {
    PLATEN_BROWSERS: `${atOnce}`,
    PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
    PLATEN_OUTBOUND_PORTS: `${site.port}`,
    ...(process.env.CHROMIUM_PATH ? { CHROMIUM_PATH: process.env.CHROMIUM_PATH } : {}),
  });
  let [peak, failed] = [0, 0];
  const watch = setInterval(() => {
    peak = Math.max(peak, held(server.pid));
  }, INTERVAL);
  const capture = async () => {
    const url = `http://127.0.0.1:${site.port}/`;
    const answer = await fetch(`${server.url}/v1/screenshots`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, width: 1200, height: 800, fullPage: page !== 'screen', timeout: 45_000 }),
    });
    if (!answer.ok) console.info(await answer.text());
    failed += answer.ok ? 0 : 1;
  };
  for (let round = 0; round < ROUNDS; round += 1) await Promise.all(Array.from({ length: atOnce }, capture));
  clearInterval(watch);
  return { peak, failed };
}

const wanted = process.argv.slice(2).map(Number);
for (const atOnce of wanted.length > 0 ? wanted : [1, 2, 4, 8]) {
  for (const page of Object.keys(PAGES)) {
    const { peak, failed } = await measure(page, atOnce);
    console.info(`${atOnce} at once, ${page}: ${Math.round(peak)} MB${failed > 0 ? `, ${failed} not captured` : ''}`);
  }
}
