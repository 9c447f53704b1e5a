import { afterAll, describe, expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { capturePage } from '#server/chromium/capture-page.ts';
import { drawHtml } from '#server/chromium/draw-html.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { fakeResolver, guardFor } from '../net/servers.ts';
import { hasChromium, openBrowsers, pixel, site } from './chromium.ts';

const browsers = openBrowsers();
afterAll(() => browsers[Symbol.asyncDispose]());
const guard = guardFor(['127.0.0.1/32'], fakeResolver({ 'other.example': [['127.0.0.1']] }));

const FADE = '@keyframes fade { from { opacity: 0 } to { opacity: 1 } }';
/** Rows of 20 px, each black at its end, after some minutes. */
const ROWS = [
  `<div style="animation: fade 200s 100s both; background: #000"></div>`,
  // Endless ones: at their start, the left half is black.
  `<div style="width: 50px; background: #000; animation: away 300s infinite"></div>`,
  `<div style="background: #000; animation: fade 200s both" id=first></div><div id=next style="background: #fff"></div>`,
  `<svg width=100 height=20><rect height=20 width=0><animate attributeName=width from=0 to=100 dur=200s fill=freeze></animate></rect></svg>`,
];
const STYLE = `<style>${FADE} @keyframes away { to { margin-left: 50px } } body { margin: 0 } div, svg, iframe { display: block; height: 20px; border: 0 }</style>`;
/** With scripts: a transition, a shadow root, and what begins when another ends. */
const SCRIPTED = `<div id=moved style="background: #000; opacity: 0; transition: opacity 200s"></div><div id=host></div>
  <script>host.attachShadow({ mode: 'open' }).innerHTML = '<style>${FADE} i { display: block; height: 20px; background: #000; animation: fade 200s both }</style><i></i>';
  first.addEventListener('animationend', () => { next.style.cssText = 'background: #000; animation: fade 300s both' });
  requestAnimationFrame(() => requestAnimationFrame(() => { moved.style.opacity = 1 }));</script>`;
const FRAME = `${STYLE}<div style="background: #000; animation: fade 200s both"></div>`;

const rows = async (picture: Uint8Array, count: number) => {
  const looks = Array.from({ length: count }, async (_, row) => {
    const [left, right] = [await pixel(picture, 10, row * 20 + 10), await pixel(picture, 90, row * 20 + 10)];
    return `${left.slice(1, 3)} ${right.slice(1, 3)}`;
  });
  return Promise.all(looks);
};
const ENDED = ['00 00', '00 ff', '00 00', '00 00', '00 00'];

describe.skipIf(!hasChromium)('animations', () => {
  test('of a page, its shadow roots and its frames are at their end; endless ones at their start', async () => {
    await using other = await site({ '/': FRAME });
    const frames = `<iframe src=/frame></iframe><iframe src="http://other.example:${other.port}/"></iframe>`;
    await using page = await site({
      '/': `${STYLE}${ROWS.join('')}${SCRIPTED}${frames}`,
      '/frame': FRAME,
    });
    const wishes = { url: `${page.origin}/`, width: 100, height: 200 };
    for (const reducedMotion of [false, true]) {
      const options = readScreenshotRequest({ ...wishes, reducedMotion });
      const { bytes } = await browsers.run(30_000, (browser) => capturePage(browser, guard, options));
      expect(await rows(bytes, 9), `reducedMotion: ${reducedMotion}`).toEqual([
        ...ENDED,
        '00 00',
        '00 00',
        '00 00',
        '00 00',
      ]);
    }
  });
  test('of given markup and of an html template, without scripts', async () => {
    const html = `${STYLE}${ROWS.join('')}`;
    const ends = [...ENDED.slice(0, 3), 'ff ff', '00 00'];
    const options = readScreenshotRequest({ html, width: 100, height: 100 });
    const { bytes } = await browsers.run(30_000, (browser) => capturePage(browser, guard, options));
    expect(await rows(bytes, 5)).toEqual(ends);
    const template = HtmlTemplate.parse({
      name: 'T',
      engine: 'html',
      width: 100,
      height: 100,
      background: '#fff',
      html,
    });
    const drawing = await browsers.run(30_000, (browser) =>
      drawHtml(browser, guard, resolveHtml(template, {}), 'png', DEFAULT_EXPORT, 20_000),
    );
    expect(await rows(drawing.bytes, 5)).toEqual(ends);
  });
});
