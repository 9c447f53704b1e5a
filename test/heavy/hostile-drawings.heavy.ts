// Tests templates that ask for as much drawing as possible: each is drawn, or refused in time with the name of the
// layer that is too much. Meanwhile other templates are drawn as usual, and no work continues after the answer.
//
// Most of them are too much, and are refused after 1.5 s; with `WHOLE=1` after 20 s, the limit of a server.

import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseTemplate, type Template } from '#core/template/template.ts';
import { ThreadedRenderer } from '#draw/renderer/threaded-renderer.ts';
import { jobOf, outcome, suppliesOf, templateOf } from '../draw/renderer/supplies.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { hostileFont } from './hostile-font.ts';

/** The time limit as in server/start-server.ts, and how much later an answer may come, ms. */
const DEADLINE = 30_000;
const LATE = 6_000;
/** How long another account's card may take meanwhile, on a machine with as little to spare, ms. */
const MOST_DELAY = 10_000;
const MOST_GROWTH = 1.5 * 2 ** 30;
const PAINT_TIME = process.env.WHOLE ? {} : { paintTime: 1_500 };

const folder = await temporaryFolder();
const renderer = new ThreadedRenderer({ fontFolders: [], concurrency: 2, keptMemory: 2 ** 26, ...PAINT_TIME });
afterAll(async () => {
  await renderer[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
const tangle = await hostileFont(join(folder.path, 'tangle.otf'), 5_000);

const SIDE = 1000;
let count = 0;
const named = (layer: object) => ({ name: `layer ${count++}`, width: SIDE, height: SIDE, ...layer });
const many = (times: number, layer: (i: number) => object) => Array.from({ length: times }, (_, i) => named(layer(i)));
const canvas = (layers: readonly object[]): Template =>
  parseTemplate({ name: 'Hostile', width: SIDE, height: SIDE, layers } as Parameters<typeof parseTemplate>[0]);
const letters = (length: number, rest: object = {}) =>
  canvas([named({ type: 'text', text: 'a'.repeat(length), fontFamily: 'Tangle', fontSize: 400, ...rest })]);
const stops = Array.from({ length: 32 }, (_, i) => ({ color: i % 2 === 0 ? '#f008' : '#00f8' }));
const zigzag = `M0 0${Array.from({ length: 1_500 }, (_, i) => `L${(i * 7_919) % SIDE} ${i % 2 === 0 ? SIDE : 0}`).join('')}`;
const ellipse = { type: 'shape', shape: 'ellipse', fill: '#00f8' };
const path = { type: 'shape', shape: 'path', d: zigzag };
function nested(depth: number, layers: object[]): object[] {
  return depth === 0 ? layers : [named({ type: 'frame', opacity: 0.9, children: nested(depth - 1, layers) })];
}

async function draw(template: Template): Promise<{ readonly answer: unknown; readonly ms: number }> {
  const supplies = { ...suppliesOf(template), fonts: async () => [tangle] };
  const started = performance.now();
  const job = jobOf({ template: `hostile@${count++}`, fonts: 'tangle' });
  const answer = await outcome(renderer.draw(job, supplies, AbortSignal.timeout(DEADLINE)));
  return { answer, ms: performance.now() - started };
}

const CARD = templateOf({ name: 'word', type: 'text', text: 'Kiosk', fontFamily: 'Inter', fontSize: 14, width: 60 });
async function drawCards(isOver: () => boolean): Promise<number> {
  let longest = 0;
  for (let i = 0; !isOver(); i += 1) {
    const from = performance.now();
    const job = jobOf({ template: 'card@1', modifications: { word: `${i}` } });
    expect(await outcome(renderer.draw(job, suppliesOf(CARD), AbortSignal.timeout(DEADLINE)))).toBe('done');
    longest = Math.max(longest, performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return longest;
}

/** Returns how many processors are busy, on average over half a second without requests. */
async function idleLoad(): Promise<number> {
  const [before, from] = [process.cpuUsage(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - from);
}

async function check(template: Template, expected: RegExp): Promise<void> {
  let isOver = false;
  const before = process.memoryUsage.rss();
  const hostile = draw(template).finally(() => {
    isOver = true;
  });
  const [{ answer, ms }, delay] = await Promise.all([hostile, drawCards(() => isOver)]);
  expect(answer).toMatch(expected);
  expect(ms).toBeLessThan(DEADLINE + LATE);
  expect(delay).toBeLessThan(MOST_DELAY);
  expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_GROWTH);
  await expect.poll(idleLoad, { timeout: 10_000 }).toBeLessThan(0.3);
}

const DRAWN_OR_TOLD = /^done$|^invalid_request: Layer "layer \d+" (takes too (long|much memory)|has too many edges)/;
await draw(CARD);
const drawnOrTold: Readonly<Record<string, () => Template>> = {
  'two thousand letters on one another': () => letters(2_000),
  'a hundred, outlined': () => letters(100, { stroke: '#f00', strokeWidth: 20 }),
  // The most that a template may have: 60,000 characters of path data.
  zigzags: () => canvas(many(4, () => path)),
  'fifteen letters on one another': () => letters(15),
  'turned ones': () => letters(15, { rotation: 1 }),
  'small ones': () => letters(300, { fontSize: 20 }),
  dashes: () => canvas(many(4, () => ({ ...path, fill: null, stroke: '#00f8', strokeWidth: 5, strokeDash: [1] }))),
  'wide strokes': () =>
    canvas(many(3, () => ({ ...path, fill: null, stroke: '#00f8', strokeWidth: 500, strokeJoin: 'round' }))),
  blurs: () => canvas(many(2_000, (i) => ({ ...ellipse, width: SIDE - i / 10, blur: 100 }))),
  shadows: () => canvas(many(500, (i) => ({ ...ellipse, height: SIDE - i, shadow: Array(8).fill({ blur: 200 }) }))),
  shapes: () => canvas(many(2_000, (i) => ({ ...ellipse, height: SIDE - i / 100 }))),
  'faded shapes': () => canvas(many(2_000, (i) => ({ ...ellipse, height: SIDE - i / 100, opacity: 0.9 }))),
  'frames in frames': () =>
    canvas(
      nested(
        9,
        many(1_900, (i) => ({ ...ellipse, height: SIDE - i / 100, opacity: 0.9 })),
      ),
    ),
  gradients: () =>
    canvas(many(2_000, (i) => ({ ...ellipse, height: SIDE - i / 100, fill: { type: 'radial', stops } }))),
  'conic gradients': () => canvas(many(200, (i) => ({ ...ellipse, height: SIDE - i, fill: { type: 'conic', stops } }))),
  masks: () =>
    canvas(
      many(2_000, (i) => ({
        type: 'shape',
        height: SIDE - i / 100,
        mask: { shape: 'star', points: 100 },
        blendMode: 'luminosity',
      })),
    ),
};
for (const [name, make] of Object.entries(drawnOrTold)) test(name, () => check(make(), DRAWN_OR_TOLD), 120_000);

test('a thread that is ended is replaced at once, whatever it has begun', async () => {
  const options = { fontFolders: [], concurrency: 2, keptMemory: 2 ** 24, grace: 50 };
  await using other = new ThreadedRenderer(options);
  await other.warmUp();
  // Takes about ten seconds.
  const busy = canvas(many(2_000, (i) => ({ ...ellipse, width: SIDE - i / 10, blur: 100, blendMode: 'multiply' })));
  const words = templateOf({
    name: 'text',
    type: 'text',
    text: 'word '.repeat(20_000),
    fontFamily: 'Inter',
    fontSize: 9,
  });
  const drawing = outcome(other.draw(jobOf({ template: 'busy@1' }), suppliesOf(busy), AbortSignal.timeout(1_000)));
  await new Promise((resolve) => setTimeout(resolve, 800));
  const started = performance.now();
  const holding = outcome(other.draw(jobOf({ template: 'words@1' }), suppliesOf(words), AbortSignal.timeout(100)));
  expect(await holding).toMatch(/^invalid_request: The render took too long to lay out, and was stopped|^overloaded: /);
  expect(
    await outcome(other.draw(jobOf({ template: 'card@1' }), suppliesOf(CARD), AbortSignal.timeout(DEADLINE))),
  ).toBe('done');
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(await drawing).toMatch(/^invalid_request: The render took too long|^overloaded: /);
}, 60_000);
