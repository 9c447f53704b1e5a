// Tests that fonts cannot take the server's memory: hundreds of uploaded fonts, drawn with one after another and then
// many in one picture, while the memory of the server is watched.
//
// By default 150 fonts; `WHOLE=1` uploads 600.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { fontPath } from '../core/text/faces.ts';
import { postJson } from '../post-json.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FONTS = process.env.WHOLE ? 600 : 150;
/** Most fonts of an account. */
const OF_AN_ACCOUNT = 100;
/** Most memory above that at rest, MB: fonts may have 192, letters and pictures 128, and some is garbage. */
const MOST = 448;
const TEXT = 'Sphinx of black quartz, judge my vow: 0123456789. ÀÉÎÕÜ àéîõü — “Pack my box with five dozen jugs”.';

interface Account {
  readonly key: string;
  readonly families: readonly string[];
}

const parts = new AsyncDisposableStack();
afterAll(() => parts.disposeAsync());
let server: ServerProcess;
const accounts: Account[] = [];

/** The font with another name of as many letters in its `name` table. */
function renamed(font: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(font);
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16();
  for (const [old, own] of [
    [utf16(from), utf16(to)],
    [Buffer.from(from), Buffer.from(to)],
  ] as const) {
    for (let at = copy.indexOf(old); at !== -1; at = copy.indexOf(old, at + 1)) own.copy(copy, at);
  }
  return copy;
}

beforeAll(async () => {
  const folder = parts.use(await temporaryFolder());
  const plans = { PLATEN_PLANS: '{"pro":{"quota":100000,"blocks":false}}' };
  {
    await using services = await openServices(loadConfig({ PLATEN_DATA: folder.path, ...plans }));
    const font = readFileSync(fontPath('noto-sans'));
    for (let made = 0; made < FONTS; made += OF_AN_ACCOUNT) {
      const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
      const families: string[] = [];
      for (let index = made; index < Math.min(FONTS, made + OF_AN_ACCOUNT); index += 1) {
        const name = `Own ${String(index).padStart(5, '0')}`;
        families.push((await services.fonts.upload(id, renamed(font, 'Noto Sans', name))).family);
      }
      accounts.push({ key: (await services.keys.create(id, 'live')).key, families });
    }
  }
  server = parts.use(
    await startProcess(folder.path, { ...plans, PLATEN_REQUESTS_PER_MINUTE: '0', PLATEN_PREVIEWS_PER_MINUTE: '0' }),
  );
}, 300_000);

const text = (fontFamily: string, index: number) =>
  ({
    name: `t${index}`,
    type: 'text',
    text: TEXT,
    fontFamily,
    fontSize: 14,
    x: 0,
    y: 4 * index,
    width: 1_000,
  }) as const;

/** Draws texts without storing them. */
async function draw({ key }: Account, families: readonly string[]): Promise<void> {
  const template = { name: 'Fonts', width: 1_000, height: 800, layers: families.map(text) };
  const answer = await postJson(`${server.url}/v1/renders`, key, { template, output: 'png' });
  expect(answer.status, await answer.text()).toBe(200);
}

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

test(`${FONTS} uploaded fonts, each drawn with, then documents of 190 texts in all of them`, async () => {
  const [first] = accounts;
  if (!first) throw new Error('There is no account.');
  for (let index = 0; index < 20; index += 1) await draw(first, ['Inter']);
  // Starts the thread of slow renders.
  for (let index = 0; index < 3; index += 1) await draw(first, Array(190).fill('Inter'));
  const rest = await residentMegabytes();
  let peak = rest;
  const after = async (drawn: Promise<void>) => {
    await drawn;
    peak = Math.max(peak, await residentMegabytes());
  };
  for (const account of accounts) for (const family of account.families) await after(draw(account, [family]));
  const single = peak;
  for (const account of accounts) {
    const { families } = account;
    const all = Array.from({ length: 190 }, (_, index) => families[index % families.length] ?? 'Inter');
    await after(draw(account, all));
  }
  for (let index = 0; index < 20; index += 1) await draw(first, ['Inter']);
  const shown = [rest, single, peak, await residentMegabytes()].map((megabytes) => megabytes.toFixed(0));
  console.info(
    `${FONTS} fonts: ${shown[0]} MB at rest, ${shown[1]} one by one, ${shown[2]} in documents, ${shown[3]} after`,
  );
  expect(peak).toBeLessThan(rest + MOST);
}, 300_000);
