import { afterAll, describe, expect, test } from 'vitest';
import { capturePage } from '#server/chromium/capture-page.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { guardFor } from '../net/servers.ts';
import { hasChromium, openBrowsers, pixel, site, sizeOf } from './chromium.ts';

const browsers = openBrowsers();
afterAll(() => browsers[Symbol.asyncDispose]());

/** A picture of the page, of 200 × 100 px unless `wishes` says otherwise: its size, these pixels, and the warnings. */
async function look(page: string, wishes: object, ...points: readonly (readonly [x: number, y: number])[]) {
  await using served = await site({ '/': `<!doctype html><style>body { margin: 0 }</style>${page}` });
  const options = readScreenshotRequest({ url: served.origin, width: 200, height: 100, ...wishes });
  const { bytes, warnings } = await browsers.run(30_000, (browser) =>
    capturePage(browser, guardFor(['127.0.0.1/32']), options),
  );
  const size = options.output === 'pdf' ? '' : (await sizeOf(bytes)).replace(/^\w+ /, '');
  const pixels = [];
  for (const [x, y] of points) pixels.push((await pixel(bytes, x, y)).slice(1, 7));
  return { size, pixels, warnings, bytes };
}

const SECTIONS = `<style>section { height: 100px; content-visibility: auto; contain-intrinsic-size: 10px }
  section div { height: 90px; background: #222 }</style>${'<section><div></div></section>'.repeat(40)}`;
const ROWS = Array.from({ length: 20 }, (_, row) => `<p style="margin: 0; height: 40px">Row ${row + 1}</p>`).join('');
const HERO = '<div style="height: 100vh"></div>';
const HEADER = '<header style="position: fixed; top: 0; left: 0; right: 0; height: 30px; background: #000"></header>';
const TALL = '<div id=t style="height: 300px; background: #fff"></div>';
const CUT =
  'The text "Row 3" and that of 17 more elements is cut off by boxes that scroll, and is not in the picture. Let such boxes grow, as by css: "selector { height: auto !important; overflow: visible !important }".';

describe.skipIf(!hasChromium)('a picture of a whole page', () => {
  for (const [name, before] of [
    ['', ''],
    [', after a box as high as the screen', HERO],
  ] as const) {
    const top = before === '' ? 0 : 100;
    test(`has what is painted only near the viewport${name}`, async () => {
      const points = [
        [9, top + 50],
        [9, top + 2_050],
        [9, top + 3_950],
      ] as const;
      const { size, pixels } = await look(before + SECTIONS, { fullPage: true }, ...points);
      expect([size, ...pixels]).toEqual([`200×${top + 4_000}`, '222222', '222222', '222222']);
    });
    test(`has its fixed backgrounds${name}`, async () => {
      const box = '<div style="height: 60px; background: linear-gradient(#000, #111) fixed"></div>';
      const page = `${before}${box}<div style="height: 500px"></div>${box}`;
      const { pixels } = await look(page, { fullPage: true }, [9, top + 10], [9, top + 300], [9, top + 570]);
      expect(pixels.map((colour) => colour <= '111111')).toEqual([true, false, true]);
    });
    test(`has an element without the header of its page${name}`, async () => {
      const page = `${before}${HEADER}<div style="height: 400px"></div>${TALL}<div style="height: 400px"></div>`;
      const points = [0, 40, 100, 110, 150, 250, 299].map((y) => [9, y] as const);
      const { size, pixels } = await look(page, { selector: '#t' }, ...points);
      expect([size, ...new Set(pixels)]).toEqual(['200×300', 'ffffff']);
    });
  }
  test('has a small element without what lies over it, and with what lies below', async () => {
    const page = `<div style="position: fixed; inset: 0; z-index: -1; background: #ff0"></div>${HEADER}
      <div style="position: fixed; inset: 0; background: #f0f; pointer-events: none"></div><b id=t style="display: block; height: 90px"></b>`;
    expect((await look(page, { selector: '#t' }, [9, 5], [9, 80])).pixels).toEqual(['ffff00', 'ffff00']);
  });
  test.each([
    [
      'a part',
      `<style>html, body { height: 100%; overflow: hidden } main { height: 100%; overflow: auto }</style><main>${ROWS}</main>`,
    ],
    ['the body', `<style>html { height: 100%; overflow: hidden } body { height: 100%; overflow: auto }</style>${ROWS}`],
    [
      'a part beside others',
      `<div style="display: grid; grid: 20px 1fr / 50px 1fr; height: 100vh"><b style="grid-column: 1 / 3"></b><nav></nav><main style="overflow-y: scroll">${ROWS}</main></div>`,
    ],
  ])('is all of a page of which %s scrolls', async (part, page) => {
    const { size, warnings, bytes } = await look(page, { fullPage: true });
    const height = part === 'a part beside others' ? 820 : 800;
    expect([size, warnings]).toEqual([`200×${height}`, []]);
    if (part !== 'a part') return;
    expect(bytes.length).toBeGreaterThan(0);
    const pdf = await look(page, { fullPage: true, output: 'pdf' });
    expect(pdf.warnings).toEqual([]);
    expect(Buffer.from(pdf.bytes).toString('latin1')).toMatch(/\/MediaBox \[0 0 150 (600|599)/);
  });
  test('says what a box cuts off that does not grow, of an element too', async () => {
    const page = `<main style="height: 80px; overflow: auto">${ROWS}</main>`;
    expect((await look(page, { fullPage: true })).warnings).toEqual([CUT]);
    expect((await look(page, { selector: 'main' })).warnings).toEqual([CUT]);
    // What is hidden on purpose is not told of a picture.
    expect((await look(page.replace('auto', 'hidden'), { fullPage: true })).warnings).toEqual([]);
  });
  test('says what is right of it', async () =>
    expect((await look('<div style="width: 900px">x</div>', { fullPage: true })).warnings).toEqual([
      'The page is 900 px wide, and the picture shows the first 200 px of it. Set width to show more.',
    ]));
  test('has what scripts load when it is scrolled there, of an element too', async () => {
    const page = `<div style="height: 900px"></div><div id=l style="height: 50px"></div><script>
      new IntersectionObserver(([entry], observer) => {
        if (!entry.isIntersecting) return;
        observer.disconnect();
        fetch('/').then(() => setTimeout(() => { l.style.background = '#000' }, 300));
      }).observe(l)</script>`;
    expect((await look(page, { fullPage: true }, [9, 920])).pixels).toEqual(['000000']);
    expect((await look(page, { selector: '#l' }, [9, 20])).pixels).toEqual(['000000']);
  });
  test('ends where it is cut off, also where a page has no end', async () => {
    const page = `<script>const add = () => {
      for (let row = 0; row < 10; row += 1) document.body.insertAdjacentHTML('beforeend', '<p style="height: 200px; margin: 0">Item</p>');
      new IntersectionObserver(([entry], observer) => { if (entry.isIntersecting) { observer.disconnect(); add() } }).observe(document.body.lastElementChild);
    }; addEventListener('DOMContentLoaded', add)</script><body>`;
    const cut = (what: string) => [
      expect.stringMatching(
        new RegExp(`^The page is \\d{4} px high, and the ${what} shows the first 2500 px of it \\(maxHeight\\)\\.$`),
      ),
    ];
    const wishes = { fullPage: true, maxHeight: 2_500 };
    const { size, warnings } = await look(page, wishes);
    expect([size, warnings]).toEqual(['200×2500', cut('picture')]);
    const pdf = await look(page, { ...wishes, output: 'pdf' });
    expect(pdf.warnings).toEqual(cut('PDF'));
    expect(Buffer.from(pdf.bytes).toString('latin1')).toMatch(/\/MediaBox \[0 0 150 187[45]/);
  });
  test('that no format can hold is refused with a way out', () =>
    expect(look('<div style="height: 70000px">', { fullPage: true, output: 'jpeg' })).rejects.toThrow(
      'The picture would be 200 × 70000 px; a jpeg image can be at most 65500 px a side. Set maxHeight, or a smaller scale.',
    ));
});
