// How quickly the studio's canvas follows the pointer: `npm run build:studio && node bench/studio-drag.ts`.
//
// Drags one of 60 layers with 30 shadows for 3 s, then types into a card that re-flows, then drags one of 500 layers.
// Prints, for each, how long after a pointer event what it changed was handed to the compositor, and the longest task.

import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { CHROMIUM } from '../test/chromium/chromium.ts';
import { editorServer } from '../test/studio/editor/editor-server.ts';

const ROOT = join(import.meta.dirname, '..');
/** ms of a drag, and Hz of its events. */
const [LASTS, RATE] = [3_000, 60];

const shapes = (count: number, shadows: number) =>
  Array.from({ length: count }, (_, i) => {
    const place = { name: `layer-${i}`, x: 20 + (i % 20) * 56, y: 20 + Math.floor(i / 20) * 48, width: 48, height: 40 };
    const shadow = i < shadows ? { shadow: { y: 4, blur: 16, color: '#0006' } } : {};
    return i % 2 === 0
      ? { type: 'shape', ...place, fill: `hsl(${i * 6} 70% 60%)`, borderRadius: 8, ...shadow }
      : { type: 'text', ...place, text: `Text ${i}`, fontSize: 14, ...shadow };
  });
const canvas = (layers: readonly unknown[]) => ({
  name: 'bench',
  width: 1200,
  height: 1260,
  background: '#ffffff',
  layers,
});

interface Timed {
  /** ms from each event to the end of the frame that shows it. */
  readonly delays: readonly number[];
  /** ms of the main thread's longest task. */
  readonly longest: number;
}

/** Notes each event on the canvas, and when the frame after it was handed over. */
async function timed(page: Page, work: () => Promise<void>): Promise<Timed> {
  await page.evaluate(() => {
    const held = globalThis as never as { delays: number[]; tasks: number[]; stop: () => void };
    held.delays = [];
    held.tasks = [];
    const observer = new PerformanceObserver((list) =>
      held.tasks.push(...list.getEntries().map(({ duration }) => duration)),
    );
    observer.observe({ entryTypes: ['longtask'] });
    const channel = new MessageChannel();
    const waiting: number[] = [];
    channel.port1.onmessage = () => {
      const now = performance.now();
      for (const at of waiting.splice(0)) held.delays.push(now - at);
    };
    const note = (event: Event) => {
      waiting.push(event.timeStamp);
      // A message sent in a frame is answered when the frame's work is done.
      requestAnimationFrame(() => channel.port2.postMessage(null));
    };
    for (const type of ['pointermove', 'input']) addEventListener(type, note, true);
    held.stop = () => {
      for (const type of ['pointermove', 'input']) removeEventListener(type, note, true);
      observer.disconnect();
    };
  });
  await work();
  return page.evaluate(() => {
    const held = globalThis as never as { delays: number[]; tasks: number[]; stop: () => void };
    held.stop();
    return { delays: held.delays, longest: Math.max(0, ...held.tasks) };
  });
}

async function placeOf(page: Page, layer: string): Promise<{ readonly x: number; readonly y: number }> {
  return page.evaluate((name) => {
    const { editor, viewport } = (globalThis as never as { platenEditor: never }).platenEditor as never as {
      editor: { picture: { value: { byName: Map<string, { rect: DOMRect }> } } };
      viewport: { toView(point: { x: number; y: number }): { x: number; y: number } };
    };
    const { x, y, width, height } = editor.picture.value.byName.get(name)?.rect ?? new DOMRect();
    const at = viewport.toView({ x: x + width / 2, y: y + height / 2 });
    const { left, top } = document.querySelector('.canvas')?.getBoundingClientRect() ?? new DOMRect();
    return { x: at.x + left, y: at.y + top };
  }, layer);
}

async function drag(page: Page, layer: string): Promise<void> {
  const { x, y } = await placeOf(page, layer);
  await page.mouse.move(x, y);
  await page.mouse.down();
  const start = performance.now();
  for (let i = 0; performance.now() - start < LASTS; i++) {
    const turn = (i / RATE) * Math.PI;
    await page.mouse.move(x + 180 * Math.sin(turn), y + 90 * (1 - Math.cos(turn)));
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(0, start + ((i + 1) * 1000) / RATE - performance.now())),
    );
  }
  await page.mouse.up();
}

function print(what: string, { delays, longest }: Timed): void {
  const sorted = [...delays].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const within = (100 * delays.filter((delay) => delay <= 16.7).length) / Math.max(1, delays.length);
  console.log(
    `${what}: ${delays.length} events, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, ${within.toFixed(1)} % within 16.7 ms; ` +
      (longest > 0 ? `longest task ${longest.toFixed(0)} ms` : 'no task above 50 ms'),
  );
}

const { server, drafts } = editorServer(join(ROOT, 'dist/studio'));
drafts.set('sixty', { document: canvas(shapes(60, 30)) as never, revision: 1, version: 1 });
drafts.set('many', { document: canvas(shapes(500, 0)) as never, revision: 1, version: 1 });
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const browser = await puppeteer.launch({ executablePath: CHROMIUM?.path ?? '', args: ['--no-sandbox'] });
const open = async (template: string) => {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${address}/studio/a/acc_1/templates/${template}/edit`);
  await page.waitForFunction(() => document.querySelector('.artboard g g') !== null);
  // The first frames compile and lay out what stands ready afterwards.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  return page;
};

const sixty = await open('sixty');
print('60 layers, 30 shadows, drag one', await timed(sixty, () => drag(sixty, 'layer-4')));

const card = await open('sample-social-card');
const words = await placeOf(card, 'title');
await card.keyboard.down('Control');
await card.mouse.click(words.x, words.y);
await card.keyboard.up('Control');
await card.mouse.click(words.x, words.y, { count: 2 });
print(
  'type into a card that re-flows',
  await timed(card, () => card.keyboard.type('How seeds that weigh nothing cross whole seas', { delay: 1000 / 15 })),
);

const many = await open('many');
print('500 layers, drag one', await timed(many, () => drag(many, 'layer-4')));

await browser.close();
server.close();
