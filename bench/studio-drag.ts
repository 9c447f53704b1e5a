// Measures how quickly the studio's canvas follows the pointer: `npm run build:studio && node bench/studio-drag.ts`.
//
// Drags one of 60 layers with 30 shadows for 3 s, types into a card that re-flows, drags one of 500 layers, and nudges all.
// For each, prints the time from an event until Chromium showed the change, from Chromium's trace (EventLatency: from
// the device's time stamp to the frame's presentation, including painting and raster), the longest task, and the main
// thread's processor time per shown event, which depends less than the others on what else the machine does. The
// browser runs without display vsync: with it, even an empty page shows an event 20 to 25 ms later, most of it waiting.
// `STUDIO=folder` measures another build.

import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { listen } from '../test/listen.ts';
import { CHROMIUM } from '../test/server/chromium/chromium.ts';
import { editorServer } from '../test/studio/editor/editor-server.ts';
import { exposeEditor } from '../test/studio/editor/expose-editor.ts';

const ROOT = join(import.meta.dirname, '..');
/** Duration of a drag in ms, and rate of its events in Hz. */
const [LASTS, RATE] = [3_000, 60];

const [POINTER, KEY] = [/^MOUSE_DRAGGED$/, /^KEY_PRESSED$|CHAR|RAW_KEY/];

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
  /** ms from each event to the presentation of the frame that shows it. */
  readonly delays: readonly number[];
  /** ms of the main thread's longest task. */
  readonly longest: number;
  /** ms of processor time that the main thread's tasks took. */
  readonly processor: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  /** Microseconds. */
  readonly ts: number;
  readonly id2?: { readonly local: string };
  readonly args?: { readonly event_latency?: { readonly event_type: string } };
}

/** @param kinds Chromium's names of the events to count */
async function timed(page: Page, kinds: RegExp, work: () => Promise<void>): Promise<Timed> {
  await page.evaluate(() => {
    const held = globalThis as never as { tasks: number[]; observer: PerformanceObserver };
    held.tasks = [];
    held.observer = new PerformanceObserver((list) =>
      held.tasks.push(...list.getEntries().map(({ duration }) => duration)),
    );
    held.observer.observe({ entryTypes: ['longtask'] });
  });
  const session = await page.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const before = await spent();
  await page.tracing.start({ categories: ['input'] });
  await work();
  const processor = (await spent()) - before;
  const trace = JSON.parse(new TextDecoder().decode(await page.tracing.stop())) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const longest = await page.evaluate(() => {
    const held = globalThis as never as { tasks: number[]; observer: PerformanceObserver };
    held.observer.disconnect();
    return Math.max(0, ...held.tasks);
  });
  await session.detach();
  return { delays: presented(trace.traceEvents, kinds), longest, processor };
}

/**
 * Delays in ms of events that led to a new frame; events that were superseded by a later one or changed nothing end
 * differently in the trace.
 */
function presented(events: readonly TraceEvent[], kinds: RegExp): readonly number[] {
  const open = new Map<string, { began: number; isCounted: boolean; isShown: boolean }>();
  const delays: number[] = [];
  for (const { name, ph, ts, id2, args } of [...events].sort((a, b) => a.ts - b.ts)) {
    if (!id2 || !/^[be]$/.test(ph)) continue;
    const known = open.get(id2.local);
    if (ph === 'b' && name === 'EventLatency') {
      const isCounted = kinds.test(args?.event_latency?.event_type ?? '');
      open.set(id2.local, { began: ts, isCounted, isShown: false });
    } else if (ph === 'b' && known && name === 'SwapEndToPresentationCompositorFrame') known.isShown = true;
    else if (ph === 'e' && known && name === 'EventLatency') {
      if (known.isCounted && known.isShown) delays.push((ts - known.began) / 1000);
      open.delete(id2.local);
    }
  }
  return delays;
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
    // Not awaited, because a mouse does not wait for the page either.
    void page.mouse.move(x + 180 * Math.sin(turn), y + 90 * (1 - Math.cos(turn)));
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(0, start + ((i + 1) * 1000) / RATE - performance.now())),
    );
  }
  await page.mouse.up();
}

function print(what: string, { delays, longest, processor }: Timed): void {
  const sorted = [...delays].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const within = (100 * delays.filter((delay) => delay <= 16.7).length) / Math.max(1, delays.length);
  console.log(
    `${what}: ${delays.length} events, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, ${within.toFixed(1)} % within 16.7 ms; ` +
      `${(processor / Math.max(1, delays.length)).toFixed(1)} ms of processor time each; ` +
      (longest > 0 ? `longest task ${longest.toFixed(0)} ms` : 'no task above 50 ms'),
  );
}

const { server, drafts } = editorServer(process.env.STUDIO ?? join(ROOT, 'dist/studio'));
drafts.set('sixty', { document: canvas(shapes(60, 30)) as never, revision: 1, version: 1 });
drafts.set('many', { document: canvas(shapes(500, 0)) as never, revision: 1, version: 1 });
const { url: address } = await listen(server);
const browser = await puppeteer.launch({
  executablePath: CHROMIUM?.path ?? '',
  args: ['--no-sandbox', '--disable-gpu-vsync', '--disable-frame-rate-limit'],
});
const open = async (template: string) => {
  const page = await browser.newPage();
  await exposeEditor(page);
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${address}/studio/a/acc_1/templates/${template}/edit`);
  await page.waitForFunction(() => document.querySelector('.artboard g g') !== null);
  // The first frames include compilation and layout that are done afterwards.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  return page;
};

const sixty = await open('sixty');
print('60 layers, 30 shadows, drag one', await timed(sixty, POINTER, () => drag(sixty, 'layer-4')));

const card = await open('sample-social-card');
const words = await placeOf(card, 'title');
await card.keyboard.down('Control');
await card.mouse.click(words.x, words.y);
await card.keyboard.up('Control');
await card.mouse.click(words.x, words.y, { count: 2 });
print(
  'type into a card that re-flows',
  await timed(card, KEY, () =>
    card.keyboard.type('How seeds that weigh nothing cross whole seas', { delay: 1000 / 15 }),
  ),
);

const many = await open('many');
print('500 layers, drag one', await timed(many, POINTER, () => drag(many, 'layer-4')));
await many.keyboard.down('Control');
print('500 layers, select all', await timed(many, KEY, () => many.keyboard.press('a')));
await many.keyboard.up('Control');
print(
  '500 layers, nudge all',
  await timed(many, KEY, async () => {
    for (let i = 0; i < 10; i++) {
      await many.keyboard.press('ArrowRight');
      // A hand is not faster than this by single keys.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }),
);

await browser.close();
server.close();
