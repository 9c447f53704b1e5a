import { afterAll, describe, expect, test } from 'vitest';
import { type CaptureOptions, capturePage } from '#server/chromium/capture-page.ts';
import { type Unwanted, unwantedHosts } from '#server/chromium/unwanted-hosts.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { fakeResolver, guardFor } from '../net/servers.ts';
import { hasChromium, openBrowsers, pixel, site } from './chromium.ts';

const NONE: Unwanted = { blockAds: false, blockTrackers: false, blockCookieBanners: false };
const ALL: Unwanted = { blockAds: true, blockTrackers: true, blockCookieBanners: true };
const HOSTS = {
  ad: 'securepubads.g.doubleclick.net',
  tracker: 'static.hotjar.com',
  tagManager: 'www.googletagmanager.com',
  consent: 'app.usercentrics.eu',
  none: 'images.example.com',
};

function check(
  name: string,
  unwanted: Partial<Unwanted>,
  expected: readonly string[],
  url = 'https://page.example/',
): void {
  test(name, async () => {
    const isUnwanted = await unwantedHosts(url, { ...NONE, ...unwanted });
    expect(
      Object.entries(HOSTS)
        .filter(([, host]) => isUnwanted(host))
        .map(([kind]) => kind),
    ).toEqual(expected);
  });
}
check('nothing is left out unasked', {}, []);
check('ads', { blockAds: true }, ['ad']);
check('trackers', { blockTrackers: true }, ['tracker', 'tagManager']);
check('cookie banners', { blockCookieBanners: true }, ['consent']);
check('all of them', ALL, ['ad', 'tracker', 'tagManager', 'consent']);
check(
  "a page's own host, whatever it is for",
  ALL,
  ['tracker', 'tagManager', 'consent'],
  'https://ad.doubleclick.net/',
);
check('addresses are in no list', ALL, ['ad', 'tracker', 'tagManager', 'consent'], 'http://127.0.0.1:8080/');
test('a name in capitals, and one that ends in a dot', async () => {
  const isUnwanted = await unwantedHosts('https://page.example/', ALL);
  expect(
    ['SecurePubAds.g.DoubleClick.net', 'app.usercentrics.eu.', 'notdoubleclick.net', '[::1]', ''].map(isUnwanted),
  ).toEqual([true, true, false, false, false]);
});

const browsers = openBrowsers();
afterAll(() => browsers[Symbol.asyncDispose]());
const names = fakeResolver(
  Object.fromEntries([...Object.values(HOSTS), 'page.example'].map((name) => [name, [['127.0.0.1']]])),
);

/** Captures a page with a script of each kind. Returns which were requested, and the colour of the first pixel. */
async function capture(wishes: Partial<CaptureOptions>) {
  const scripts = Object.entries(HOSTS).map(([kind, host]) => `<script src="http://${host}:PORT/${kind}.js"></script>`);
  const banner = '<div id="onetrust-consent-sdk" style="position:fixed;inset:0;background:#f00"></div>';
  const page = `<body style="margin:0;background:#0f0">${banner}<script>addEventListener('DOMContentLoaded',()=>{});document.write(${JSON.stringify(scripts.join('')).replaceAll('</', '<\\/')}.replaceAll('PORT', location.port))</script>`;
  await using served = await site({
    '/': page,
    ...Object.fromEntries(Object.keys(HOSTS).map((kind) => [`/${kind}.js`, '1'])),
  });
  const options = readScreenshotRequest({
    url: `http://page.example:${served.port}/`,
    width: 40,
    height: 30,
    ...wishes,
  });
  const { bytes } = await browsers.run(20_000, (browser) =>
    capturePage(browser, guardFor(['127.0.0.1/32'], names), options),
  );
  const asked = [...served.seen.keys()].filter((path) => path.endsWith('.js')).map((path) => path.slice(1, -3));
  return { asked: asked.sort(), color: await pixel(bytes, 5, 5) };
}
const RED = '#ff0000ff';
const GREEN = '#00ff00ff';

describe.skipIf(!hasChromium)('a capture in Chromium', () => {
  test('reaches everything, unless told otherwise', async () =>
    expect(await capture({})).toEqual({ asked: ['ad', 'consent', 'none', 'tagManager', 'tracker'], color: RED }));
  test('without ads', async () =>
    expect(await capture({ blockAds: true })).toEqual({
      asked: ['consent', 'none', 'tagManager', 'tracker'],
      color: RED,
    }));
  test('without trackers', async () =>
    expect(await capture({ blockTrackers: true })).toEqual({ asked: ['ad', 'consent', 'none'], color: RED }));
  test('without cookie banners', async () =>
    expect(await capture({ blockCookieBanners: true })).toEqual({
      asked: ['ad', 'none', 'tagManager', 'tracker'],
      color: GREEN,
    }));
});
