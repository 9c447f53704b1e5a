// Tests the dialogs and menus of the studio's pages in Chromium, and the pages in German: no serious finding by axe, in
// either theme; Escape closes a dialog, and no German word is cut.

import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listen } from '../listen.ts';
import { sampled } from '../sampled.ts';
import { findings } from './accessibility.ts';
import { fakeServer } from './fake-server.ts';
import { buildStudio, launchChromium } from './studio-lab.ts';

let server: Listening;
let browser: Browser;
let page: Page;
let address: string;

beforeAll(async () => {
  buildStudio();
  server = await listen(
    fakeServer({
      'A/secrets/signing/show': { secret: 'plsec_of_a_test' },
      'A/secrets/webhook/show': { error: 'Confirm your password first.', code: 'password_needed' },
      'A/fonts/fnt_1': { usedBy: [{ id: 'tpl_social-card', name: 'Social card: magazine story', inDraft: true }] },
    }),
  );
  address = `${server.url}/studio/`;
  browser = await launchChromium();
  page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const TEMPLATE = 'a/acc_1/templates/tpl_social-card';
const named = (name: string, role = 'button') => `::-p-aria([name="${name}"][role="${role}"])`;
const card = ['.card-foot .button', named('Download', 'menuitem')];
/** Of each dialog its page, and what is pressed until it is open. */
const DIALOGS: Readonly<Record<string, readonly [path: string, ...presses: string[]]>> = {
  'a download': ['a/acc_1/templates', ...card],
  'a move to a folder': ['a/acc_1/templates', '.card-foot .button', named('Move to a folder', 'menuitem')],
  'a search': [
    'a/acc_1/templates',
    '::-p-xpath(//nav//button[contains(., "Search")] | //aside//button[contains(., "Search")])',
  ],
  'a picture': [`${TEMPLATE}/use`, named('photo: choose a picture')],
  'a publishing': [`${TEMPLATE}/versions`, named('Publish the draft')],
  'a discarded draft': [`${TEMPLATE}/versions`, named('Discard')],
  'a restored version': [
    `${TEMPLATE}/versions`,
    '::-p-text(Version 2)',
    '::-p-xpath(//button[contains(., "Restore")])',
  ],
  'a render': ['a/acc_1/renders?open=rnd_1'],
  'a delivery': ['a/acc_1/deliveries', 'tbody tr'],
  'an image': ['a/acc_1/images?open=img_dandelion'],
  'an image that is deleted': ['a/acc_1/images?open=img_dandelion', named('Delete')],
  'the styles of a font': ['a/acc_1/fonts', named('Styles of Playfair Display')],
  'a style that is deleted': ['a/acc_1/fonts', named('Styles of Playfair Display'), named('Delete this style')],
  'a key that is revoked': ['a/acc_1/keys', named('Revoke Newsletter')],
  'a new key': ['a/acc_1/keys?new=key'],
  'a password': ['a/acc_1/keys', named('Show the webhook secret')],
  'a secret': ['a/acc_1/keys', named('Show the signing secret')],
  'an invitation': ['a/acc_1/people', named('Invite')],
  'a person who is removed': [
    'a/acc_1/people',
    '::-p-xpath(//tr[contains(., "Jonas")]//button[contains(., "Remove")])',
  ],
  'a passkey that is renamed': ['account', '::-p-xpath(//tr[contains(., "MacBook")]//button)'],
};

for (const [name, [path, ...presses]] of Object.entries(DIALOGS)) {
  test(`${name}: accessible in both themes, and closed by Escape`, async () => {
    await page.goto(address + path, { waitUntil: 'networkidle0' });
    for (const press of presses) {
      await (await page.waitForSelector(press, { visible: true, timeout: 10_000 }))?.click();
    }
    await page.waitForSelector('dialog[open]', { timeout: 10_000 });
    expect(await findings(page, { bothThemes: true })).toEqual([]);
    // What asks before a deletion lies over the dialog of what is deleted, or goes back to it.
    const opened = (await page.$$('dialog[open]')).at(-1);
    await page.keyboard.press('Escape');
    await page.waitForFunction((dialog) => !(dialog?.isConnected && dialog.open), {}, opened);
  });
}

const MENUS: Readonly<Record<string, readonly [path: string, target: string, button?: 'left']>> = {
  'a template': ['a/acc_1/templates', '.card'],
  'a picture': ['a/acc_1/images', '.picture'],
  'the versions of a brand': ['a/acc_1/brands?open=harbour-coffee', named('Versions'), 'left'],
};
for (const [name, [path, target, button = 'right']] of Object.entries(MENUS)) {
  test(`the menu of ${name}: accessible in both themes, and closed by Escape`, async () => {
    await page.goto(address + path, { waitUntil: 'networkidle0' });
    await (await page.waitForSelector(target, { visible: true }))?.click({ button });
    await page.waitForSelector('[role="menu"]:popover-open');
    expect(await findings(page, { bothThemes: true })).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('[role="menu"]'));
  });
}

const PAGES = [
  'templates',
  'templates?new=starters',
  'templates?new=blank',
  'renders',
  'deliveries',
  'brands',
  'images',
]
  .concat(['brands?open=harbour-coffee', 'fonts', 'keys', 'keys?new=key', 'usage', 'people', 'settings'])
  .map((path) => `a/acc_1/${path}`)
  .concat([`${TEMPLATE}/use`, `${TEMPLATE}/versions`, 'account', 'sign-in']);
/** Shows a page in a language, and looks for words that are cut at two widths. */
async function judgeWords(lang: string, path: string): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('platen-language', chosen), lang);
  await page.goto(address + path, { waitUntil: 'networkidle0' });
  await page.waitForFunction(
    (chosen) => document.documentElement.lang === chosen && !document.querySelector('.skeleton'),
    {},
    lang,
  );
  for (const width of [1600, 1280]) {
    await page.setViewport({ width, height: 800 });
    // What the page does after a change of its size is done in the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.$$eval('.button, .badge, th, [role="tab"]', cutOnes), `${lang}, ${width} px`).toEqual([]);
  }
}
const inEnglish = () => page.evaluate(() => localStorage.removeItem('platen-language'));

test.each(PAGES)(
  'in German, %s: accessible in both themes, and no word is cut',
  async (path) => {
    try {
      await judgeWords('de', path);
      expect(await findings(page, { bothThemes: true })).toEqual([]);
    } finally {
      await inEnglish();
    }
  },
  60_000,
);

test.each(sampled(PAGES, 4))(
  'in French, %s: no word is cut',
  async (path) => {
    try {
      await judgeWords('fr', path);
    } finally {
      await inEnglish();
    }
  },
  60_000,
);

/** The words of elements that do not have room for them, or whose cell has none. */
function cutOnes(elements: readonly Element[]): readonly (string | null)[] {
  const isCut = (element: Element) => {
    const cell = element.closest('td');
    const isOutside = cell && element.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1;
    // What is in a line has no width of its own.
    return isOutside || (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1);
  };
  return elements.filter(isCut).map(({ textContent }) => textContent);
}
