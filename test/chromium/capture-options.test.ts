// Tests the options of a capture one at a time: each has its own effect, visible in the picture or in the requests that
// the page's servers receive.

import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { type CaptureOptions, capturePage } from '#chromium/capture-page.ts';
import { readScreenshotRequest } from '#service/screenshot-options.ts';
import { placedWordsOf, poppler } from '../golden/poppler.ts';
import { guardFor, serve } from '../net/servers.ts';
import { hasChromium, openBrowsers, pixel, type Site, site, sizeOf } from './chromium.ts';

const browsers = openBrowsers();
afterAll(() => browsers[Symbol.asyncDispose]());
const guard = guardFor(['127.0.0.1/32']);

type Wishes = Partial<Record<keyof CaptureOptions, unknown>>;
async function captureUrl(url: string, wishes: Wishes = {}): Promise<Uint8Array> {
  const options = readScreenshotRequest({ url, width: 200, height: 100, ...wishes });
  const { bytes } = await browsers.run(options.timeout + 500, (browser) => capturePage(browser, guard, options));
  return bytes;
}
async function capture(html: string, wishes: Wishes = {}): Promise<Uint8Array> {
  await using served = await site({ '/': html });
  return await captureUrl(`${served.origin}/`, wishes);
}

const GREEN = '#00ff00ff';
const RED = '#ff0000ff';
/** The colour of a captured page: green if the condition holds inside the page, red otherwise. */
const colour = async (condition: string, wishes: Wishes = {}) =>
  pixel(
    await capture(`<script>document.documentElement.style.background=${condition}?'#0f0':'#f00'</script>`, wishes),
    9,
    9,
  );
const media = (query: string, wishes: Wishes) => colour(`matchMedia('(${query})').matches`, wishes);

describe.skipIf(!hasChromium)('an option of its own', () => {
  test('darkMode', async () => {
    expect(await media('prefers-color-scheme: dark', { darkMode: true })).toBe(GREEN);
    expect(await media('prefers-color-scheme: light', {})).toBe(GREEN);
    expect(await media('prefers-reduced-motion: no-preference', { darkMode: true })).toBe(GREEN);
  });
  test('reducedMotion', async () => {
    expect(await media('prefers-reduced-motion: reduce', { reducedMotion: true })).toBe(GREEN);
    expect(await media('prefers-reduced-motion: no-preference', {})).toBe(GREEN);
    expect(await media('prefers-color-scheme: light', { reducedMotion: true })).toBe(GREEN);
  });
  test('timezone', async () => {
    const hour = (zone: string) => colour(`new Date(0).getHours()===9`, { timezone: zone });
    expect([await hour('Asia/Tokyo'), await hour('Europe/London')]).toEqual([GREEN, RED]);
  });
  test('timezone in any case', async () => {
    const isThere = (hour: number, zone: string) => colour(`new Date(0).getHours()===${hour}`, { timezone: zone });
    expect([await isThere(9, 'asia/TOKYO'), await isThere(0, 'utc'), await isThere(0, 'gmt')]).toEqual([
      GREEN,
      GREEN,
      GREEN,
    ]);
  });
  for (const [name, value] of [
    ['__Host-a', 'b'],
    ['__Secure-a', 'b'],
    ['a', 'b'.repeat(4_096)],
  ] as const) {
    test(`a cookie that Chromium refuses: ${name}, ${value.length} characters`, () =>
      expect(capture('x', { cookies: [{ name, value }] })).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^cookies: Chromium refuses one of them\./),
      }));
  }
  test('locale: of numbers, of navigator.language and of what servers are asked', async () => {
    const isFrench = `(1.5).toLocaleString()==='1,5'&&navigator.language==='fr-CA'`;
    expect([await colour(isFrench, { locale: 'fr-CA' }), await colour(isFrench)]).toEqual([GREEN, RED]);
    await using served = await site({ '/': 'x' });
    await captureUrl(`${served.origin}/`, { locale: 'fr-CA' });
    expect(served.seen.get('/')?.['accept-language']).toMatch(/^fr-CA/);
  });
  test('userAgent: to servers, for what a page embeds too, and to its scripts', async () => {
    expect(await colour(`navigator.userAgent==='Mine/1'`, { userAgent: 'Mine/1' })).toBe(GREEN);
    await using served = await site({ '/': '<img src=/image>' });
    await captureUrl(`${served.origin}/`, { userAgent: 'Mine/1' });
    expect(['/', '/image'].map((path) => served.seen.get(path)?.['user-agent'])).toEqual(['Mine/1', 'Mine/1']);
  });
  test('hideSelectors: what is hidden takes no room', async () => {
    const page = `<style>body{margin:0}div{height:50px}</style><div class=a style="display:block;background:#f00"></div><div class=b style="background:#f00"></div><div class=c style="background:#0f0">`;
    expect(await pixel(await capture(page, { hideSelectors: ['.a', 'div.b'] }), 9, 9)).toBe(GREEN);
    expect(await pixel(await capture(page, { hideSelectors: ['.a'] }), 9, 9)).toBe(RED);
    const insisting = page.replace('display:block', 'display:block !important');
    expect(await pixel(await capture(insisting, { hideSelectors: ['.a', 'div.b'] }), 9, 9)).toBe(GREEN);
  });
  test('css', async () => {
    const page = '<body style="background:#f00">';
    expect(await pixel(await capture(page, { css: 'body { background: #0f0 !important }' }), 9, 9)).toBe(GREEN);
  });
  test('omitBackground: PNG and WebP show through where the page paints nothing; a JPEG cannot', async () => {
    const page = '<body style="margin:0"><div style="width:50px;height:50px;background:#0f0">';
    const corners = async (wishes: Wishes) => {
      const picture = await capture(page, wishes);
      return [await pixel(picture, 25, 25), await pixel(picture, 150, 75)];
    };
    expect(await corners({ omitBackground: true })).toEqual([GREEN, '#00000000']);
    expect(await corners({ omitBackground: false })).toEqual([GREEN, '#ffffffff']);
    expect((await corners({ omitBackground: true, output: 'webp' }))[1]).toBe('#00000000');
    expect((await corners({ omitBackground: true, output: 'jpeg' }))[1]).toMatch(/^#f[d-f]f[d-f]f[d-f]ff$/);
  });
  test('scale: what scripts and pictures of the page see of it', async () =>
    expect([
      await colour('devicePixelRatio===2', { scale: 2 }),
      await colour('innerWidth===200', { scale: 2 }),
    ]).toEqual([GREEN, GREEN]));
  test('waitForSelector: an element that is there but cannot be seen is waited for', async () => {
    const page = `<body style="background:#f00"><b id=x style="display:none">x</b><script>setTimeout(()=>{document.body.style.background='#0f0';x.style.display='block'},400)</script>`;
    expect(await pixel(await capture(page, { waitForSelector: '#x' }), 99, 99)).toBe(GREEN);
    expect(await pixel(await capture(page), 99, 99)).toBe(RED);
  });
  test('delay', async () => {
    const page = `<body style="background:#f00"><script>setTimeout(()=>{document.body.style.background='#0f0'},400)</script>`;
    expect([await pixel(await capture(page, { delay: 800 }), 9, 9), await pixel(await capture(page), 9, 9)]).toEqual([
      GREEN,
      RED,
    ]);
  });
  test('timeout: of the whole capture, whatever it is spent on', async () => {
    for (const [page, wishes] of [
      ['<script>while(1);</script>', {}],
      ['<script>onload=()=>setTimeout(()=>{while(1);},50)</script>', { delay: 500 }],
      ['x', { waitForSelector: '#never' }],
    ] as const) {
      const started = performance.now();
      await expect(capture(page, { timeout: 1_500, ...wishes })).rejects.toThrow(/in time/);
      expect(performance.now() - started).toBeLessThan(2_500);
    }
  });
  test('fullPage: images that load on sight are in the picture', async () => {
    const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    await using server = await serve(({ url }, answer) => {
      if (url === '/image') return void answer.setHeader('content-type', 'image/png').end(image);
      const lazy = '<img loading=lazy src=/image style="display:block;width:200px;height:100px">';
      answer
        .setHeader('content-type', 'text/html')
        .end(`<body style="margin:0"><div style="height:5000px"></div>${lazy}`);
    });
    const picture = await captureUrl(`http://127.0.0.1:${server.port}/`, { fullPage: true });
    expect([await sizeOf(picture), await pixel(picture, 9, 5_050)]).toEqual(['png 200×5100', GREEN]);
  });
});

describe.skipIf(!hasChromium)('headers and cookies', () => {
  const SECRETS = { headers: { 'X-Secret': 's' }, cookies: [{ name: 'session', value: 'c' }] };
  const sent = (from: Site, path: string) => {
    const { 'x-secret': secret, cookie } = from.seen.get(path) ?? { cookie: 'not asked' };
    return [secret, cookie];
  };
  const BOTH = ['s', 'session=c'];
  const NEITHER = [undefined, undefined];

  test('go with everything of the page’s own origin: styles, scripts, what those fetch, frames', async () => {
    const paths = ['/', '/style', '/script.js', '/fetched', '/frame', '/redirected'];
    await using served = await site({
      '/': '<link rel=stylesheet href=/style><script src=/script.js></script><iframe src=/frame></iframe><img src=/redirect>',
      '/script.js': `fetch('/fetched')`,
      '/frame': 'x',
      '/redirect': '->/redirected',
    });
    await captureUrl(`${served.origin}/`, { ...SECRETS, waitUntil: 'networkidle0' });
    for (const path of paths) expect(sent(served, path), path).toEqual(BOTH);
  });
  test('stay behind when the page itself redirects to another origin, and for all that it embeds', async () => {
    await using other = await site({ '/landing': '<img src=/image><script>fetch("/fetched")</script>' });
    await using served = await site({ '/': `->${other.origin}/landing` });
    await captureUrl(`${served.origin}/`, { ...SECRETS, waitUntil: 'networkidle0' });
    expect(sent(served, '/')).toEqual(BOTH);
    for (const path of ['/landing', '/image', '/fetched']) expect(sent(other, path), path).toEqual(NEITHER);
  });
  test('stay behind when the page goes to another origin by itself', async () => {
    await using other = await site({ '/landing': 'x' });
    await using served = await site({ '/': `<script>location='${other.origin}/landing'</script>` });
    await captureUrl(`${served.origin}/`, { ...SECRETS, delay: 500 });
    expect(sent(other, '/landing')).toEqual(NEITHER);
  });
  test('are the next page’s no more', async () => {
    await using served = await site({ '/': 'x', '/next': 'x' });
    await captureUrl(`${served.origin}/`, SECRETS);
    await captureUrl(`${served.origin}/next`);
    expect(sent(served, '/next')).toEqual(NEITHER);
  });
});

describe.skipIf(!hasChromium || !poppler)('on paper', () => {
  const A5 = { width: 5.83 * 96, height: 8.27 * 96 };
  const PAGE =
    '<body style="margin:0;font:20px/20px sans-serif"><div style="position:absolute;right:0;top:0">right</div><div>first</div>';
  /** The edges of the word's first occurrence, in px from the left and top of its sheet. */
  async function edges(word: string, pdf: unknown, html = PAGE) {
    const words = placedWordsOf(await capture(html, { output: 'pdf', pdf }));
    const { x, y, width, height } = words.find(({ text }) => text === word) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { left: x, top: y, right: x + width, bottom: y + height };
  }
  test('margin: each side by itself, and all by one number', async () => {
    const format = 'A5';
    const [first, right] = [await edges('first', { format }), await edges('right', { format })];
    expect(first.left).toBeCloseTo(0, 0);
    expect(right.right).toBeCloseTo(A5.width, 0);
    const margin = { left: 96, top: 48, right: 24 };
    const [movedFirst, movedRight] = [
      await edges('first', { format, margin }),
      await edges('right', { format, margin }),
    ];
    expect(movedFirst.left - first.left).toBeCloseTo(96, 0);
    expect(movedFirst.top - first.top).toBeCloseTo(48, 0);
    expect(right.right - movedRight.right).toBeCloseTo(24, 0);
    // Chromium rounds margins to whole points.
    const all = await edges('first', { format, margin: 32 });
    expect([all.left - first.left, all.top - first.top].map(Math.round)).toEqual([32, 32]);
  });
  test('margin.bottom: how far down a sheet the lines go', async () => {
    const lines = Array.from({ length: 60 }, (_, line) => `<div>line${line}</div>`).join('');
    const html = `<body style="margin:0;font:20px/20px sans-serif">${lines}`;
    const format = 'A5';
    const lowest = async (margin: unknown) => {
      const words = placedWordsOf(await capture(html, { output: 'pdf', pdf: { format, margin } }));
      return Math.max(...words.map(({ y, height }) => y + height));
    };
    const [none, some] = [await lowest({ bottom: 0 }), await lowest({ bottom: 200 })];
    expect([none > A5.height - 25, none <= A5.height + 1]).toEqual([true, true]);
    expect([some > A5.height - 225, some <= A5.height - 199]).toEqual([true, true]);
  });
  test('margins that leave nothing of the sheet', () =>
    expect(capture(PAGE, { output: 'pdf', pdf: { format: 'A5', margin: 500 } })).rejects.toThrow(
      'pdf.margin: the margins leave nothing of the sheet.',
    ));
  test('landscape: the sheet lies on its side', async () => {
    const { right } = await edges('right', { format: 'A5', landscape: true });
    expect(right).toBeCloseTo(A5.height, 0);
  });
  test('without a format the sheet is as wide as the page', async () =>
    expect((await edges('right', {})).right).toBeCloseTo(200, 0));
});
