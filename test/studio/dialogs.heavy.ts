// Tests every dialog of the studio's pages in Chromium: no serious finding by axe, in either theme, and Escape closes it.

import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { buildStudio, launchChromium } from './studio-lab.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let server: Server;
let browser: Browser;
let page: Page;
let address: string;

beforeAll(async () => {
  buildStudio();
  server = fakeServer({
    'A/secrets/signing/show': { secret: 'plsec_of_a_test' },
    'A/fonts/fnt_1': { usedBy: [{ id: 'tpl_social-card', name: 'Social card: magazine story', inDraft: true }] },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/studio/`;
  browser = await launchChromium();
  page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  server?.close();
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
    await page.evaluate(axe);
    await page.evaluate(() => {
      const still = new CSSStyleSheet();
      still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
      document.adoptedStyleSheets.push(still);
    });
    for (const theme of ['light', 'dark']) expect(await findings(theme), theme).toEqual([]);
    // What asks before a deletion lies over the dialog of what is deleted, or goes back to it.
    const opened = (await page.$$('dialog[open]')).at(-1);
    await page.keyboard.press('Escape');
    await page.waitForFunction((dialog) => !(dialog?.isConnected && dialog.open), {}, opened);
  });
}

/** axe's serious and critical findings in this theme, each with the HTML of its element. */
function findings(theme: string): Promise<readonly string[]> {
  return page.evaluate(async (chosen) => {
    document.documentElement.dataset.theme = chosen;
    interface Result {
      readonly violations: readonly { id: string; impact: string; nodes: readonly { readonly html: string }[] }[];
    }
    const { axe } = globalThis as unknown as { axe: { run(): Promise<Result> } };
    return (await axe.run()).violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, theme);
}
