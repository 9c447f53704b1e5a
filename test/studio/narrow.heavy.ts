// Tests that every page can be read on a telephone: nothing is wider than the window, cut off, or covered by other text.

import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listen } from '../listen.ts';
import { FAKE_ANSWERS } from './fake-answers.ts';
import { fakeServer } from './fake-server.ts';
import { buildStudio, launchChromium } from './studio-lab.ts';

const WIDTH = 390;
const LONG = 'A name that is rather longer than the window of a telephone is wide';

let server: Listening;
let browser: Browser;
let page: Page;
let address: string;

type Answer = { readonly items: readonly object[] } & Record<string, unknown>;
const withLong = (path: string, change: object) => {
  const answer = FAKE_ANSWERS[path] as Answer;
  return { ...answer, items: answer.items.map((item, at) => (at === 0 ? { ...item, ...change } : item)) };
};

beforeAll(async () => {
  buildStudio();
  const people = FAKE_ANSWERS['A/people'] as { people: readonly object[]; invitations: readonly object[] };
  server = await listen(
    fakeServer({
      'A/templates': withLong('A/templates', { name: LONG }),
      'A/keys': withLong('A/keys', { name: LONG }),
      'A/renders': withLong('A/renders', {
        error: `${LONG}: https://example.com/${'path/'.repeat(12)}`,
        status: 'error',
      }),
      'A/deliveries': withLong('A/deliveries', { url: `https://hooks.example.com/${'platen-'.repeat(12)}` }),
      'A/images': withLong('A/images', { name: `${LONG}.jpg` }),
      'A/people': {
        ...people,
        people: people.people.map((one) => ({ ...one, email: 'somebody.with.a.long.name@subdomain.example.com' })),
      },
    }),
  );
  address = server.url;
  browser = await launchChromium();
  page = await browser.newPage();
  await page.setViewport({ width: WIDTH, height: 844 });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** Texts that are outside the window, clipped without a title that has them whole, or that overlap. */
function unreadable(width: number): readonly string[] {
  interface Placed {
    readonly element: Element;
    readonly text: string;
    readonly box: DOMRect;
  }
  const found: string[] = [];
  const placed: Placed[] = [];
  if (document.documentElement.scrollWidth > width)
    found.push(`the page is ${document.documentElement.scrollWidth} px`);
  /** The right edge of what can be seen of an element; null: it can be scrolled into view, or is for screen readers. */
  const edgeOf = (element: Element): number | null => {
    let edge = width;
    for (let around: Element | null = element; around && around !== document.body; around = around.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(around);
      if (overflowX === 'auto' || overflowX === 'scroll' || clipPath === 'inset(50%)') return null;
      if (overflowX !== 'visible') edge = Math.min(edge, around.getBoundingClientRect().right);
    }
    return edge;
  };
  // Behind a dialog nothing is read.
  const root = document.querySelector('dialog[open]') ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (!element || text === '' || element.closest('.skip, option, svg')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const edge = edgeOf(element);
    if (edge === null) continue;
    const isWhole = element.closest('[title]')?.getAttribute('title')?.includes(text) ?? false;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width === 0) continue;
      placed.push({ element, text, box: new DOMRect(box.x, box.y, Math.min(box.right, edge) - box.x, box.height) });
      if (box.right > edge + 1 && !isWhole) found.push(`cut at ${Math.round(edge)}: ${text.slice(0, 60)}`);
    }
  }
  for (const [at, one] of placed.entries()) {
    for (const other of placed.slice(at + 1)) {
      // The bar at the top stays while the page scrolls below it.
      if (one.element === other.element || one.element.closest('.side') || other.element.closest('.side')) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (across > 2 && down > 4) found.push(`“${one.text.slice(0, 40)}” over “${other.text.slice(0, 40)}”`);
    }
  }
  for (const control of root.querySelectorAll('button, a.button, input, select')) {
    const { right, width: size } = control.getBoundingClientRect();
    if (control.checkVisibility() && size > 0 && right > width && !control.closest('.skip') && edgeOf(control) !== null)
      found.push(`outside: ${control.outerHTML.slice(0, 80)}`);
  }
  return [...new Set(found)];
}

const ACCOUNT = '/studio/a/acc_1';
const TEMPLATE = `${ACCOUNT}/templates/tpl_social-card`;
const PAGES = {
  templates: `${ACCOUNT}/templates`,
  starters: `${ACCOUNT}/templates?new=starters`,
  'blank presets': `${ACCOUNT}/templates?new=blank`,
  use: `${TEMPLATE}/use`,
  versions: `${TEMPLATE}/versions`,
  renders: `${ACCOUNT}/renders`,
  'a render': `${ACCOUNT}/renders?open=rnd_1`,
  deliveries: `${ACCOUNT}/deliveries`,
  images: `${ACCOUNT}/images`,
  'an image': `${ACCOUNT}/images?open=img_dandelion`,
  fonts: `${ACCOUNT}/fonts`,
  keys: `${ACCOUNT}/keys`,
  'a new key': `${ACCOUNT}/keys?new=key`,
  usage: `${ACCOUNT}/usage`,
  people: `${ACCOUNT}/people`,
  settings: `${ACCOUNT}/settings`,
  'your account': '/studio/account',
  'sign-in': '/studio/sign-in',
  'the editor': `${TEMPLATE}/edit`,
  'no page': `${ACCOUNT}/nothing`,
} as const;

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name}: all of it can be read at ${WIDTH} px`, async () => {
    await page.goto(address + path);
    await page.waitForFunction(() => document.querySelector('h1, h2') && !document.querySelector('.skeleton'));
    // What covers the page while it is loaded is gone, also where there is none.
    await page.waitForFunction(() => document.querySelector('.opening')?.checkVisibility() !== true);
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    expect(await page.evaluate(unreadable, WIDTH)).toEqual([]);
  });
}

test('the editor says that it needs a larger screen, offers Use, and opens once the window is wide enough', async () => {
  await page.goto(`${address}${TEMPLATE}/edit`);
  await page.waitForSelector('::-p-text(The editor needs a larger screen)');
  expect(await page.$$eval('main a', (links) => links.map((link) => link.getAttribute('href')))).toEqual([
    `${TEMPLATE}/use`,
    `${ACCOUNT}/templates`,
  ]);
  await page.setViewport({ width: 1280, height: 800 });
  const isRefused = () => document.body.innerText.includes('larger screen');
  await page.waitForFunction(() => !document.body.innerText.includes('larger screen'));
  // And stays open when the window becomes narrower again.
  await page.setViewport({ width: WIDTH, height: 844 });
  await page.waitForFunction((width) => innerWidth === width, {}, WIDTH);
  expect(await page.evaluate(isRefused)).toBe(false);
});

test('the account’s own fonts come first', async () => {
  await page.goto(`${address}${ACCOUNT}/fonts`);
  await page.waitForSelector('.family h3');
  const names = await page.$$eval('.family h3', (titles) => titles.map((title) => title.textContent));
  expect(names[0]).toBe('Playfair Display Yours');
  expect(names).toHaveLength(4);
});

test('the pages are in a menu above, with their names', async () => {
  await page.goto(`${address}${ACCOUNT}/keys`);
  await (await page.waitForSelector('::-p-aria([name="Pages"][role="button"])', { visible: true }))?.click();
  const names = await page.$$eval('.menu [role^="menuitem"]', (items) => items.map((item) => item.textContent));
  expect(names).toContain('People');
  expect(names).toHaveLength(10);
  await (await page.waitForSelector('::-p-aria([name="People"])'))?.click();
  await page.waitForFunction(() => location.pathname.endsWith('/people'));
});
