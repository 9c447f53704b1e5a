// Tests the options of a capture one at a time: each has its own effect, visible in the picture or in the requests that
// the page's servers receive.

import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { type CaptureOptions, capturePage } from '#server/chromium/capture-page.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { placedWordsOf, poppler, rasterizePdf, sizesOf, wordsOf } from '../../golden/poppler.ts';
import { serve } from '../../listen.ts';
import { canary, guardFor } from '../net/servers.ts';
import { hasChromium, openBrowsers, pixel, type Site, site, sizeOf } from './chromium.ts';

const browsers = openBrowsers();
afterAll(() => browsers[Symbol.asyncDispose]());
const guard = guardFor(['127.0.0.1/32']);

type Wishes = Partial<Record<keyof CaptureOptions, unknown>>;
async function captured(url: string, wishes: Wishes = {}) {
  const options = readScreenshotRequest({ url, width: 200, height: 100, ...wishes });
  return browsers.run(options.timeout + 500, (browser) => capturePage(browser, guard, options));
}
const captureUrl = async (url: string, wishes: Wishes = {}) => (await captured(url, wishes)).bytes;
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
      await expect(capture(page, { timeout: 1_500, ...wishes })).rejects.toThrow(
        /in time|server is busy|No browser was ready/,
      );
      expect(performance.now() - started).toBeLessThan(10_000);
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
  /** The rows of a page of 90, as far as they are in its PDF, the number of sheets and the warnings. */
  async function rows(css: string, wishes: Wishes, more = '') {
    const list = Array.from({ length: 90 }, (_, row) => `<div>row${row}</div>`).join('');
    const style = `body{margin:0;font:12px/20px sans-serif}div{height:20px}${css}`;
    await using served = await site({ '/': `<!doctype html><style>${style}</style>${list}${more}` });
    const { bytes, warnings } = await captured(`${served.origin}/`, { output: 'pdf', ...wishes });
    const words = wordsOf(bytes);
    return { rows: words.match(/row\d+/g)?.length, sheets: sizesOf(bytes).length, words, bytes, warnings };
  }
  for (const css of [
    '',
    '@page{margin:2cm}',
    '@page{size:A5}',
    '@page :first{margin:3cm}',
    '@page x{size:A5;margin:1cm} div:nth-child(n+20){page:x}',
    'div:nth-child(30){break-before:page}',
  ]) {
    test(`one sheet holds the whole page, whatever it says of sheets: ${css || 'nothing'}`, async () => {
      const { rows: count, sheets, warnings } = await rows(css, { fullPage: true });
      expect([count, sheets, warnings]).toEqual([90, 1, []]);
    });
  }
  test('one sheet grows by its margins', async () => {
    const { rows: count, sheets, bytes } = await rows('', { fullPage: true, pdf: { margin: '1in' } });
    const [size] = sizesOf(bytes);
    expect([count, sheets, size?.width]).toEqual([90, 1, 200 + 192]);
  });
  test('a page that cannot be had on one sheet is on several, and says so', async () => {
    // It becomes higher on a higher sheet.
    const { rows: count, sheets, warnings } = await rows('', { fullPage: true }, '<p style="height:200vh">row90</p>');
    expect([count, sheets]).toEqual([91, 3]);
    expect(warnings).toEqual([
      expect.stringMatching(/^The page did not fit on one sheet of 200 × \d+ px, and is on 3\./),
    ]);
  });
  test('a PDF of the first screen says what it leaves out', async () => {
    const { rows: count, warnings } = await rows('', {});
    expect(count).toBe(5);
    expect(warnings).toEqual([
      'The page is 1800 px high, and the PDF shows the first 100 px of it. Set fullPage for one sheet with all of it, or pdf.format for as many sheets as it needs.',
    ]);
  });
  test('a page that is too wide for its sheets says so', async () => {
    const wide = (px: number) => `<p style="width:${px}px">wide</p>`;
    const warned = async (px: number) => (await rows('', { pdf: { format: 'A5' } }, wide(px))).warnings;
    expect(await warned(1_000)).toEqual([]);
    expect(await warned(1_500)).toEqual([
      expect.stringMatching(/^The page is 1500 px wide and the sheet has room for 559 px/),
    ]);
  });
  test('text in a box that scrolls is not lost in silence', async () => {
    const warned = async (css: string, wishes: Wishes = { pdf: { format: 'A5' } }) =>
      (await rows(css, wishes)).warnings;
    const cut = (words: string, more: number) => [
      expect.stringMatching(new RegExp(`^The text "${words}" and that of ${more} more elements is cut off by boxes`)),
    ];
    // A5 has room for 40 of the rows, nearly.
    expect(await warned('html,body{height:100%;overflow:hidden}')).toEqual(cut('row40', 49));
    expect(await warned('html{overflow:hidden}body{height:100vh;overflow:auto}')).toEqual(cut('row40', 49));
    expect(await warned('html{overflow:hidden}body{height:80px;overflow:auto}', {})).toEqual(cut('row4', 85));
    // Of the viewport, though the body is said to have it; as high as its content; on purpose.
    expect(await warned('body{height:100%;overflow:hidden}')).toEqual([]);
    expect(await warned('body{overflow:auto}')).toEqual([]);
    expect(await warned('html{overflow:hidden}body{height:1px;overflow:hidden}')).toEqual([]);
    const css = 'body { height: auto !important; overflow: visible !important }';
    const healed = await rows('html,body{height:100%;overflow:hidden}', { css, pdf: { format: 'A5' } });
    expect([healed.rows, healed.warnings]).toEqual([90, []]);
  });
  test('what only sheets have is not ignored in silence', async () => {
    const { warnings } = await rows('', { fullPage: true, pdf: { landscape: true, scale: 0.5 } });
    expect(warnings).toEqual([expect.stringMatching(/^pdf.landscape and pdf.scale had no effect, .* Set pdf.format/)]);
  });
  test('width and height: in px, mm, in and pt', async () => {
    const size = async (width: unknown, height: unknown) => {
      const [first] = sizesOf((await rows('', { pdf: { width, height } })).bytes);
      return [first?.width, first?.height].map((side) => Math.round(side ?? 0));
    };
    expect(await size(400, '6in')).toEqual([400, 576]);
    // Chromium rounds up to whole points.
    expect(await size('100mm', '300pt')).toEqual([379, 400]);
  });
  test('preferCSSPageSize: sheets are as the page says', async () => {
    const { rows: count, bytes } = await rows('@page{size:300px 400px;margin:20px}', {
      pdf: { preferCSSPageSize: true },
    });
    expect([count, sizesOf(bytes)]).toEqual([90, Array(5).fill({ width: 300, height: 400 })]);
  });
  test('pageRanges: some of the pages, and none beyond', async () => {
    const some = await rows('', { pdf: { format: 'A5', pageRanges: '2-3' } });
    expect([some.sheets, some.words.startsWith('row39')]).toEqual([2, true]);
    const pdf = (pageRanges: string) => ({ pdf: { format: 'A5', pageRanges } });
    const openEnded = [await rows('', pdf('2-')), await rows('', pdf('-2')), await rows('', pdf('1, 3-'))];
    expect(openEnded.map(({ sheets }) => sheets)).toEqual([2, 2, 2]);
    expect(openEnded[0]?.words).toMatch(/^row39.*row89$/s);
    await expect(rows('', pdf('9'))).rejects.toThrow('pdf.pageRanges: begins after the last page.');
    await expect(rows('', pdf('3-1'))).rejects.toThrow(/^pdf\.pageRanges: must be numbers and ranges of pages in asc/);
    await expect(rows('', pdf('all'))).rejects.toThrow(/pdf\.pageRanges: must be numbers and ranges of pages/);
  });
  test('headerTemplate, footerTemplate and margin boxes number the sheets', async () => {
    const band = (text: string) => `<b style="font-size:9px;margin:auto">${text}</b>`;
    const number = (of: string) => `${of} <span class=pageNumber></span> of <span class=totalPages></span>`;
    const pdf = {
      format: 'A5',
      margin: { top: '15mm', bottom: '15mm' },
      headerTemplate: band(number('head')),
      footerTemplate: band(number('foot')),
    };
    const { rows: count, words, sheets } = await rows('', { pdf });
    expect([count, sheets]).toEqual([90, 3]);
    for (const text of ['head 1 of 3', 'head 3 of 3', 'foot 1 of 3', 'foot 2 of 3']) expect(words).toContain(text);
    const box = '@page{margin:15mm;@bottom-right{content:"box " counter(page) " of " counter(pages)}}';
    const boxes = await rows(box, { pdf: { format: 'A5' } });
    for (const text of ['box 1 of 3', 'box 3 of 3']) expect(boxes.words).toContain(text);
    expect((await rows('', { pdf: { ...pdf, headerTemplate: null } })).words).not.toMatch(/head|http:/);
  });
  test('a header or footer runs no script and asks no server', async () => {
    await using asked = await site({});
    await using trap = await canary('127.0.0.2').catch(() => canary());
    for (const place of [asked.origin, `http://127.0.0.2:${trap.port}`, 'file:///etc/hostname?']) {
      const tag = '<b style=font-size:9px>ran</b>';
      const band = `<script>document.body.innerHTML='${tag}'</script><img src="${place}/a" onerror="this.outerHTML='${tag}'">
        <img src=x onerror="fetch('${place}/b')"><iframe src="${place}/c"></iframe><iframe srcdoc="<img src='${place}/d'>"></iframe>
        <b style="background:url(${place}/e)">x</b><object data="${place}/f"></object><embed src="${place}/g"><svg onload="fetch('${place}/h')"><image href="${place}/i"/></svg>
        <video poster="${place}/j"></video><meta http-equiv=refresh content="0;url=${place}/k"><style>b{background:url(${place}/l)}</style>`;
      const { words } = await rows('', {
        pdf: { format: 'A5', margin: 80, headerTemplate: band, footerTemplate: band },
      });
      expect(words).not.toMatch(/ran/);
    }
    expect([[...asked.seen.keys()].filter((path) => path !== '/'), trap.hits()]).toEqual([[], 0]);
  });
  test('what Chromium cannot load in a header is refused by name', () => {
    for (const band of [
      '<link rel=stylesheet href=x>',
      '<style>@import url(x)</style>',
      '<style>@FONT-FACE{}</style>',
    ]) {
      const read = () => readScreenshotRequest({ url: 'http://x', pdf: { footerTemplate: band } });
      expect(read).toThrow(/^pdf\.footerTemplate: cannot load style sheets and fonts by address/);
    }
  });
  test('printBackground, scale and media', async () => {
    const format = 'A5';
    const [plain, small] = [await edges('first', { format }), await edges('first', { format, scale: 0.5 })];
    expect(small.right - small.left).toBeCloseTo((plain.right - plain.left) / 2, 0);
    const css = '@media print{div{display:none}}';
    expect((await rows(css, { pdf: { format } })).rows).toBe(90);
    expect((await rows(css, { pdf: { format, media: 'print' } })).rows).toBeUndefined();
    const green = 'html{background:#0f0}';
    const filled = async (printBackground?: boolean) => {
      const { bytes } = await rows(green, { pdf: { format, printBackground } });
      return [...rasterizePdf(bytes, 1).pixels.subarray(4 * 500, 4 * 500 + 3)];
    };
    expect([await filled(), await filled(false)]).toEqual([
      [0, 255, 0],
      [255, 255, 255],
    ]);
  });
  test('tagged and outlined', async () => {
    const made = async (pdf: unknown) => {
      const { bytes } = await rows('', { pdf: { format: 'A5', ...(pdf as object) } }, '<h1>Chapter</h1>');
      const text = Buffer.from(bytes).toString('latin1');
      return [text.includes('/StructTreeRoot'), text.includes('/Outlines')];
    };
    expect([await made({}), await made({ outline: true }), await made({ tagged: false })]).toEqual([
      [true, false],
      [true, true],
      [false, false],
    ]);
  });
});

for (const [pdf, message] of [
  [{ width: 100 }, 'pdf.height: is needed beside width'],
  [{ format: 'A4', width: 100, height: 100 }, 'pdf.width: cannot stand beside format; leave one of them out'],
  [{ width: 0, height: 100 }, 'pdf.width: must be at least 0.1in'],
  [{ width: '6m', height: 100 }, /^pdf\.width: must be a number of px, or a number with px, pt, pc, mm, cm or in/],
  [{ width: 20_000, height: 100 }, 'pdf.width: must be at most 19200'],
  [{ width: '201in', height: 100 }, 'pdf.width: must be at most 19200 px'],
  [{ margin: '11in' }, 'pdf.margin: must be at most 1000 px'],
  [{ margin: { top: 1_001 } }, 'pdf.margin.top: must be at most 1000'],
  [{ margin: true }, /^pdf\.margin: /],
  [{ scale: 3 }, 'pdf.scale: must be at most 2'],
  [{ outline: true, tagged: false }, 'pdf.tagged: must be true, or left out, beside outline'],
] as const) {
  test(`${JSON.stringify({ pdf })} is refused`, () =>
    expect(() => readScreenshotRequest({ url: 'http://x', pdf })).toThrow(message));
}
