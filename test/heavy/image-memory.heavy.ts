// Measures how much memory image files at their limits take in a running server with all its processes, one and six at
// a time, and how long another account's card takes meanwhile.
//
// `ALL=1` measures every kind of file instead of the heaviest only; `SIDE=7071` takes files of that many px a side,
// even if they are refused. Prints a table.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { SERVER_FLAGS, withSettings } from '../../bin/node-settings.mjs';
import { loadConfig } from '../../src/server/config/config.ts';
import { ROOT } from '../command.ts';
import { postJson } from '../post-json.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** MB above the memory at rest. */
const MOST_MEMORY = 512;
/** The side of a square of 50 million pixels, px. */
const SIDE = 7071;
/** Cards that are timed at rest, and again under attack. */
const CARDS = process.env.ALL ? 200 : 25;

interface Kind {
  readonly encode: (picture: Sharp) => Sharp;
  readonly channels?: 3 | 4;
  /** The longest accepted side of a square, px. */
  readonly side?: number;
  /** Measured in CI too. */
  readonly isHeaviest?: true;
}

const KINDS: Readonly<Record<string, Kind>> = {
  'JPEG, baseline': { encode: (picture) => picture.jpeg() },
  'JPEG, progressive, 4:4:4': { encode: (picture) => picture.jpeg({ progressive: true, chromaSubsampling: '4:4:4' }) },
  'JPEG, progressive, CMYK': {
    encode: (picture) => picture.toColourspace('cmyk').jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    side: 6480,
  },
  'PNG, 8 bits, alpha': { encode: (picture) => picture.png(), channels: 4 },
  'PNG, 8 bits, alpha, interlaced': { encode: (picture) => picture.png({ progressive: true }), channels: 4 },
  'PNG, 16 bits, alpha': { encode: (picture) => picture.toColourspace('rgb16').png(), channels: 4 },
  'PNG, 16 bits, alpha, interlaced': {
    encode: (picture) => picture.toColourspace('rgb16').png({ progressive: true }),
    channels: 4,
    side: 5100,
  },
  'WebP, lossy': { encode: (picture) => picture.webp({ effort: 0 }) },
  'WebP, lossy, alpha': { encode: (picture) => picture.webp({ effort: 0 }), channels: 4, isHeaviest: true },
  'WebP, lossless, alpha': { encode: (picture) => picture.webp({ effort: 0, lossless: true }), channels: 4 },
  GIF: { encode: (picture) => picture.gif({ effort: 1 }) },
  'AVIF, 8 bits, 4:2:0': { encode: avif(8, '4:2:0'), side: 4700 },
  'AVIF, 8 bits, 4:4:4': { encode: avif(8, '4:4:4'), side: 4260 },
  'AVIF, 8 bits, 4:4:4, alpha': { encode: avif(8, '4:4:4'), channels: 4, side: 4000 },
  'AVIF, 10 bits, 4:2:0': { encode: avif(10, '4:2:0'), side: 4080 },
  'AVIF, 10 bits, 4:4:4': { encode: avif(10, '4:4:4'), side: 3590 },
  'AVIF, 10 bits, 4:4:4, alpha': { encode: avif(10, '4:4:4'), channels: 4, side: 3420, isHeaviest: true },
  'AVIF, 12 bits, 4:4:4, alpha': { encode: avif(12, '4:4:4'), channels: 4, side: 3420 },
};

function avif(bitdepth: 8 | 10 | 12, chromaSubsampling: string): Kind['encode'] {
  return (picture) => picture.avif({ bitdepth, chromaSubsampling, effort: 0 });
}

/** The kind that another account's cards are drawn beside, six at a time. */
const ATTACK = 'AVIF, 10 bits, 4:4:4, alpha';

const encoded = new Map<string, Promise<Buffer>>();

/** A file is encoded once: AVIF takes ten seconds. */
function fileOf(name: string, side: number): Promise<Buffer> {
  const key = `${name} ${side}`;
  const file = encoded.get(key) ?? encode(KINDS[name] as Kind, side);
  encoded.set(key, file);
  return file;
}

function encode({ encode: write, channels = 3 }: Kind, side: number): Promise<Buffer> {
  const background = { r: 10, g: 200, b: 90, alpha: channels === 4 ? 0.5 : 1 };
  const picture = sharp({ create: { width: side, height: side, channels, background }, limitInputPixels: false });
  return write(picture).toBuffer();
}

let count = 0;
/**
 * The same picture as a file with other bytes: decoders ignore what follows the end, and an AVIF may have a free box
 * anywhere.
 */
function another(file: Buffer): Buffer {
  const box = Buffer.from('\0\0\0\x0cfree\0\0\0\0', 'latin1');
  box.writeUInt32BE(count++, 8);
  return Buffer.concat([file, box]);
}

const parts = new AsyncDisposableStack();
afterAll(() => parts.disposeAsync());
const folder = parts.use(await temporaryFolder());
const [attacker, other] = await Promise.all([openAccount(), openAccount()]);
const server = parts.use(
  await startProcess(
    folder.path,
    withSettings({ PATH: process.env.PATH, PLATEN_REQUESTS_PER_MINUTE: '0', PLATEN_REQUESTS_AT_ONCE: '0' }),
    [process.execPath, ...SERVER_FLAGS, join(ROOT, 'src/main.ts')],
  ),
);

async function openAccount() {
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder.path }));
  const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
  const { key } = await services.keys.create(id, 'live');
  const box = { x: 0, y: 0, width: 1200, height: 630 };
  const layers = [{ name: 'photo', type: 'image', ...box, optional: false }];
  const words = [{ name: 'word', type: 'text', ...box, text: 'Kiosk', fontSize: 80 }];
  const photo = await services.templates.create(id, { name: 'Photo', width: 1200, height: 630, layers });
  const card = await services.templates.create(id, { name: 'Card', width: 1200, height: 630, layers: words });
  return { key, photo: photo.id, card: card.id };
}

/** Returns `drawn`, or the status and the error message. */
async function render(account: typeof attacker, template: string, modifications: object): Promise<string> {
  const response = await postJson(`${server.url}/v1/renders`, account.key, { template, modifications, output: 'jpeg' });
  const answer = (await response.json()) as { error?: string };
  return response.status === 200 ? 'drawn' : `${response.status} ${answer.error}`;
}

const draw = (file: Buffer) =>
  render(attacker, attacker.photo, { photo: { src: `data:;base64,${another(file).toString('base64')}` } });
const drawCard = (word: string) => render(other, other.card, { word });

/** MB of the server and all its child processes; shared memory pages are counted once (Pss). */
function held(pid = server.child.pid ?? 0): number {
  try {
    const [, kilobytes = '0'] = /^Pss:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + held(Number(child)), Number(kilobytes) / 1000);
  } catch {
    return 0; // it has ended
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Renders the file `times` times at once. Returns the peak memory above that before, MB, the duration in seconds, and
 * the answers.
 */
async function measure(file: Buffer, times: number) {
  const { most, seconds, result } = await watched(() => Promise.all(Array.from({ length: times }, () => draw(file))));
  return { most, seconds, answers: [...new Set(result.map((answer) => answer.slice(0, 200)))] };
}

/** The peak memory during some work above that before, MB, and how long it takes, s. */
async function watched<T>(work: () => Promise<T>) {
  await pause(500);
  const rest = held();
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, held() - rest);
  }, 10);
  const started = performance.now();
  const result = await work();
  clearInterval(watch);
  return { most, seconds: (performance.now() - started) / 1000, result };
}

const MEGAPIXELS = (side: number) => `${((side * side) / 1e6).toFixed(1)} MP`;
const lines: string[] = [];
afterAll(() => console.log(lines.join('\n'), process.env.LOG ? server.problems : ''));

// Warms every decoder up, so that its own memory is not counted.
for (const { encode: write } of Object.values(KINDS))
  await draw(await write(sharp(await encode({ encode: write }, 64))).toBuffer());
for (let i = 0; i < 20; i += 1) await drawCard(`warm ${i}`);

for (const [name, kind] of Object.entries(KINDS)) {
  if (!kind.isHeaviest && !process.env.ALL) continue;
  test(name, async () => {
    const side = Number(process.env.SIDE ?? kind.side ?? SIDE);
    const file = await fileOf(name, side);
    const one = await measure(file, 1);
    // Six of the other kind are drawn at a time below.
    const six = name === ATTACK && !process.env.ALL ? one : await measure(file, 6);
    const answers = [...new Set([...one.answers, ...six.answers])];
    const show = ({ most, seconds }: typeof one) =>
      `${most.toFixed(0).padStart(5)} MB ${seconds.toFixed(1).padStart(5)} s`;
    const title = `${name}, ${MEGAPIXELS(side)}, ${file.length} bytes`;
    lines.push(`${title.padEnd(60)} one ${show(one)}   six ${show(six)}   ${answers.join(' | ')}`);
    // On a slow machine, some of them may time out.
    expect(answers.join()).not.toMatch(/damaged|more memory|MB to decode|our side/);
    expect(Math.max(one.most, six.most), title).toBeLessThan(MOST_MEMORY);
  });
}

test("somebody else's cards while one account sends six heavy files at a time", async () => {
  const file = await fileOf(ATTACK, Number(process.env.ATTACK_SIDE ?? 3420));
  const quiet = await cards();
  const answers = new Set<string>();
  const { most, result: busy } = await watched(async () => {
    let isOver = false;
    const attack = Promise.all(
      Array.from({ length: 6 }, async () => {
        while (!isOver) answers.add((await draw(file)).slice(0, 200));
      }),
    );
    await pause(1_000);
    const times = await cards();
    isOver = true;
    await attack;
    return times;
  });
  const show = (times: number[]) =>
    [0.5, 0.99].map((at) => `${(times[Math.floor(times.length * at)] ?? 0).toFixed(1)} ms`).join(', p99 ');
  lines.push(
    `Cards at rest: p50 ${show(quiet)}; under attack: p50 ${show(busy)} (${most.toFixed(0)} MB); ${[...answers].join(' | ')}`,
  );
  expect([...answers].join()).not.toMatch(/damaged|more memory|MB to decode|our side/);
  expect(most, ATTACK).toBeLessThan(MOST_MEMORY);
});

/** Returns the time of each card, ms, sorted. */
async function cards(): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < CARDS; i += 1) {
    const from = performance.now();
    expect(await drawCard(`${count++}`)).toBe('drawn');
    times.push(performance.now() - from);
    await pause(20);
  }
  return times.sort((a, b) => a - b);
}
