// Measures the cost of request filtering and isolation of pages: a static page captured by Platen and by plain
// puppeteer, both warm.
//
// Platen's time includes everything: the queue, the job's own proxy and context, the deadline. Plain puppeteer keeps
// one browser, and opens and closes a tab.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import puppeteer, { type Browser } from 'puppeteer-core';
import { findChromium } from '#server/chromium/find-chromium.ts';
import { DEFAULT_PORTS } from '#server/net/outbound-url.ts';
import { openPages } from '#server/service/pages/pages.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { median } from './statistics.ts';

export interface ScreenshotCost {
  /** Medians, ms. */
  readonly platen: number;
  readonly puppeteer: number;
  /** How many times as long as puppeteer Platen takes. */
  readonly ratio: number;
}

const SIZE = { width: 1200, height: 630 };
const PAGE = `<!doctype html><style>body{margin:0;font:32px sans-serif;background:linear-gradient(#fff,#cde)}</style>
  <h1>A static page</h1>${'<p>With a few lines of text, and a gradient behind it.</p>'.repeat(8)}`;
const WARM_UP = 4;

/** null where there is no Chromium. */
export async function measureScreenshot(rounds: number): Promise<ScreenshotCost | null> {
  const choice = { chromiumPath: process.env.CHROMIUM_PATH ?? null, programFolders: [] };
  const found = findChromium(choice);
  if (found === null) return null;

  await using stack = new AsyncDisposableStack();
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { pages } = stack.use(
    openPages({
      ...choice,
      browsers: 1,
      pageQueue: 1,
      allowPrivateNetworks: ['127.0.0.1/32'],
      allowLinkLocal: false,
      outboundPorts: DEFAULT_PORTS,
    }),
  );
  const browser = await puppeteer.launch({
    executablePath: found.path,
    headless: found.isShell ? 'shell' : true,
    pipe: true,
    args: ['--no-sandbox', '--hide-scrollbars', '--disable-dev-shm-usage'],
  });
  stack.defer(() => browser.close());

  const request = readScreenshotRequest({ url, ...SIZE });
  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = -WARM_UP; round < rounds; round++) {
    // They alternate in going first.
    const turns = [
      async () => void ours.push(await time(() => pages.capture(request))),
      async () => void plain.push(await time(() => capturePlainly(browser, url))),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  const [a, b] = [ours, plain].map((times) => median(times.slice(WARM_UP))) as [number, number];
  return {
    platen: Math.round(a * 10) / 10,
    puppeteer: Math.round(b * 10) / 10,
    ratio: Math.round((a / b) * 100) / 100,
  };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function capturePlainly(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage();
  await page.setViewport(SIZE);
  await page.goto(url, { waitUntil: 'load' });
  await page.screenshot({ type: 'png' });
  await page.close();
}

/** Prints one line below the tables. */
export function printScreenshotCost(cost: ScreenshotCost | null): void {
  if (cost === null) return void console.log('\nno Chromium: a warm screenshot is not measured');
  const { platen, puppeteer, ratio } = cost;
  console.log(`\na warm screenshot of a static page: platen ${platen} ms, puppeteer ${puppeteer} ms, ${ratio} ×`);
}
