// Tests that no page can block the browser lane: whatever it does to its browser, its job ends in time and the next
// succeeds.

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gate } from '#base/concurrency/gate.ts';
import { type CaptureOptions, capturePage } from '#server/chromium/capture-page.ts';
import { Pages } from '#server/service/pages/pages.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { sampled } from '../sampled.ts';
import { hasChromium, openBrowsers, pixel, site } from '../server/chromium/chromium.ts';
import { guardFor } from '../server/net/servers.ts';
import { bytesHeld, chromiums, isOf } from './chromium-processes.ts';

const browsers = openBrowsers();
const guard = guardFor(['127.0.0.1/32']);
/** Pages that exhaust the browser, each in its own way. */
const HOSTILE = {
  '/loop': '<script>while(1);</script>',
  '/late-loop': '<script>onload=()=>setTimeout(()=>{while(1);},10)</script>',
  '/worker-loop': `<script>for(let i=0;i<8;i++)new Worker(URL.createObjectURL(new Blob(['while(1);'])))</script>`,
  '/memory':
    '<script>const a=[];setInterval(()=>{for(let i=0;i<30;i++)a.push(new Uint8Array(1e7).fill(i))},5)</script>',
  '/heap': '<script>const a=[];setInterval(()=>{for(let i=0;i<2e5;i++)a.push({i,b:[i]})},1)</script>',
  '/nodes':
    '<script>setInterval(()=>{for(let i=0;i<5e4;i++)document.body.append(document.createElement("b"))},1)</script><body>',
  '/canvas':
    '<script>const a=[];setInterval(()=>{const c=new OffscreenCanvas(8000,8000);c.getContext("2d").fillRect(0,0,9,9);a.push(c)},5)</script>',
  '/dialogs': '<script>setInterval(()=>{alert(1);confirm(2);prompt(3)},1)</script>',
  '/popups': `<script>setInterval(()=>window.open('/popups'),1)</script>`,
  '/reload': '<script>setTimeout(()=>location.reload(),5)</script>',
  '/history': '<script>setInterval(()=>history.pushState(0,"","?"+Math.random()),0)</script>',
  '/print': '<script>setInterval(()=>print(),1)</script>',
  '/deep': `${'<div>'.repeat(50_000)}x`,
  '/frames': `<script>if(location.search.length<40)for(let i=0;i<8;i++)document.write('<iframe src="/frames?'+location.search.slice(1)+i+'"></iframe>')</script>`,
  '/css': `<style>${'*{background:linear-gradient(red,blue)}'.repeat(2000)} div{filter:blur(99px)}</style>${'<div style="width:9999px;height:9999px">'.repeat(200)}`,
};
/** A selector nested too deeply for the stack of Chromium's parser: the process ends with SIGSEGV. */
const CRASH = `document.querySelector(':is('.repeat(1e5)+'a'+')'.repeat(1e5))`;
/** Pages that crash the process that shows them. */
const CRASHING = {
  '/crash': `<script>${CRASH}</script>`,
  '/late-crash': `<script>onload=()=>setTimeout(()=>{${CRASH}},300)</script>`,
  '/frame-crash': '<iframe src="/crash"></iframe>',
  '/heap-crash': `<script>'x'.repeat(2**27+1).split('')</script>`,
  '/worker-crash': `<script>new Worker(URL.createObjectURL(new Blob(["'x'.repeat(2**27+1).split('')"])))</script>`,
  '/deep-crash': `<body><script>let n=document.body;for(let i=0;i<1e6;i++){const e=document.createElement('div');n.append(e);n=e}document.body.outerHTML</script>`,
};
const served = await site({ '/good': '<body style="background:#0f0">', ...HOSTILE, ...CRASHING });
afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
  await served[Symbol.asyncDispose]();
});

function capture(path: string, wishes: Partial<CaptureOptions> = {}): Promise<Uint8Array> {
  const request = readScreenshotRequest({ url: served.origin + path, width: 200, height: 100, ...wishes });
  return browsers
    .run(request.timeout + 500, (browser) => capturePage(browser, guard, request))
    .then(({ bytes }) => bytes);
}

/** How many bytes the memory of two idle browsers may differ by. */
const SLACK = 48 * 2 ** 20;

describe.skipIf(!hasChromium)('hostile pages', () => {
  const before = chromiums().length;
  /** Memory of an idle browser that has drawn a page, bytes. */
  let base = 0;
  beforeAll(async () => {
    await capture('/good');
    base = await bytesHeld();
  });
  for (const path of sampled(Object.keys(HOSTILE))) {
    test(`${path} ends by its deadline, and the next page is fine`, async () => {
      const started = performance.now();
      const outcome = await capture(path, { timeout: 5_000, delay: 3_000 }).then(
        () => 'captured',
        (error: Error) => error.message,
      );
      const took = performance.now() - started;
      expect(outcome).toMatch(
        /^captured$|not done in time|server is busy|did not reach|more memory|again and again|could not be loaded/,
      );
      expect(took, outcome).toBeLessThan(6_000);
      expect(await pixel(await capture('/good'), 9, 9)).toBe('#00ff00ff');
      await expect.poll(bytesHeld, { timeout: 10_000, message: `bytes, of ${base}` }).toBeLessThan(base + SLACK);
    });
  }
  for (const path of Object.keys(CRASHING)) {
    test(`${path} is told of at once, long before its deadline, and the next page is fine`, async () => {
      const started = performance.now();
      const wishes = { timeout: 30_000, delay: 3_000 };
      await expect(capture(path, wishes)).rejects.toThrow(/^The page crashed while it was drawn\.$/);
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(await pixel(await capture('/good'), 9, 9)).toBe('#00ff00ff');
      await expect.poll(bytesHeld, { timeout: 10_000, message: `bytes, of ${base}` }).toBeLessThan(base + SLACK);
    });
  }
  for (const [kills, outcome] of [
    [1, 'drawn'],
    [2, 'The page crashed while it was drawn.'],
  ] as const) {
    test(`a page whose process is killed ${kills === 1 ? 'once' : 'twice'} while it is captured: ${outcome}`, async () => {
      const path = `/good?${kills}`;
      const started = performance.now();
      const capturing = capture(path, { delay: 2_000, timeout: 30_000 }).then(
        () => 'drawn',
        (error: Error) => error.message,
      );
      for (let kill = 0; kill < kills; kill += 1) {
        await expect.poll(() => served.seen.delete(path), { timeout: 10_000, interval: 20 }).toBe(true);
        await pause(300);
        for (const { pid } of chromiums()) if (isOf(pid, 'renderer')) process.kill(pid, 'SIGKILL');
      }
      expect(await capturing).toBe(outcome);
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(await pixel(await capture('/good'), 9, 9)).toBe('#00ff00ff');
      await expect.poll(bytesHeld, { timeout: 10_000, message: `bytes, of ${base}` }).toBeLessThan(base + SLACK);
    });
  }
  test('what pages leave behind is cleared away between jobs, and there are no more browsers than those', async () => {
    let most = 0;
    const counting = setInterval(() => {
      most = Math.max(most, chromiums().filter(({ parent }) => parent === process.pid).length);
    }, 20);
    const oneByOne = async () => {
      for (const path of ['/frames', '/nodes', '/crash', '/loop', '/frames', '/good']) {
        await capture(path, { timeout: 2_000 }).catch(() => {});
      }
    };
    await Promise.all([oneByOne(), oneByOne()]);
    clearInterval(counting);
    expect(most).toBe(2);
  });
  for (const url of ['chrome://crash', 'chrome://hang', 'chrome://gpucrash', 'chrome://memory-exhaust']) {
    test(`${url} is not gone to`, () =>
      expect(
        browsers.run(5_000, async (browser) => {
          const request = { ...readScreenshotRequest({ url: served.origin }), url };
          return capturePage(browser, guard, request);
        }),
      ).rejects.toThrow('URL not allowed.'));
  }
  test('when all is over nobody is left unburied', async () => {
    await browsers[Symbol.asyncDispose]();
    await expect.poll(() => chromiums().length, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  });
});

/** How often a browser is killed under load: after pauses of seven lengths, and each of two browsers in turn. */
const KILLS = Number(process.env.KILLS ?? (process.env.WHOLE ? 50 : 16));

test.skipIf(!hasChromium)(
  `a browser killed ${KILLS} times under load: each page is drawn after one retry, or says so`,
  async () => {
    const request = readScreenshotRequest({ url: `${served.origin}/good`, width: 200, height: 100, delay: 100 });
    const over = (of: typeof browsers) =>
      new Pages({ browsers: of, gate: new Gate({ concurrency: 2, waiting: 500 }), guard, onDenied: () => {} });
    {
      // The very first start reads from the disk, which may take ten times as long as any later one.
      await using first = openBrowsers();
      await over(first).capture(request);
    }
    await using own = openBrowsers();
    const pages = over(own);
    const before = performance.now();
    await pages.capture(request);
    /**
     * ms until the first page is drawn, including the start of two browsers: the first one only finds out which
     * confinement works on this machine.
     */
    const start = performance.now() - before;
    let kills = 0;
    let isOver = false;
    const killing = (async () => {
      while (!isOver && kills < KILLS) {
        // Leaves time for a page or two between kills, as the test is about pages that are drawn.
        await pause(start * (0.5 + (kills % 7) / 8));
        const victims = chromiums().filter(({ pid, parent }) => parent === process.pid && isOf(pid, null));
        const victim = victims[kills % Math.max(1, victims.length)]?.pid;
        if (victim === undefined) continue;
        process.kill(victim, 'SIGKILL');
        kills += 1;
      }
    })();
    const outcomes = new Map<string, number>();
    const drawOn = async () => {
      while (kills < KILLS) {
        const outcome = await pages.capture(request).then(
          () => 'drawn',
          (error: Error) => error.message,
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    };
    await Promise.all([drawOn(), drawOn(), drawOn()]);
    isOver = true;
    await killing;
    const { drawn = 0, ...failures } = Object.fromEntries(outcomes);
    expect(
      Object.keys(failures).filter(
        (message) =>
          !/^The browser broke while it drew the page; please try again\.$|could not be started/.test(message),
      ),
    ).toEqual([]);
    expect(drawn, JSON.stringify(failures)).toBeGreaterThan(KILLS);
    expect((await pages.capture(request)).bytes.length).toBeGreaterThan(100);
  },
);
