// Takes screenshots of every page of the studio: `node test/studio/pictures.ts [page…]`.
//
// Writes to golden/.out/studio, light and dark, at 390, 1280 and 1600 px. The pages show the fake server's answers, the
// editor runs on a real server. Smaller copies of three of them are made for the README.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../command.ts';
import { listen } from '../listen.ts';
import { fakeServer } from './fake-server.ts';
import { claim, launchChromium, openStudioLab } from './studio-lab.ts';

const OUT = join(ROOT, 'golden/.out/studio');
const ACCOUNT = '/studio/a/acc_1';
const TEMPLATE = `${ACCOUNT}/templates/tpl_social-card`;
const PAGES: Readonly<Record<string, string>> = {
  templates: `${ACCOUNT}/templates`,
  starters: `${ACCOUNT}/templates?new=starters`,
  blank: `${ACCOUNT}/templates?new=blank`,
  use: `${TEMPLATE}/use`,
  versions: `${TEMPLATE}/versions`,
  renders: `${ACCOUNT}/renders`,
  render: `${ACCOUNT}/renders?open=rnd_1`,
  deliveries: `${ACCOUNT}/deliveries`,
  brands: `${ACCOUNT}/brands`,
  brand: `${ACCOUNT}/brands?open=harbour-coffee`,
  'outdated-uses': `${ACCOUNT}/brands?open=harbour-coffee&view=uses`,
  images: `${ACCOUNT}/images`,
  image: `${ACCOUNT}/images?open=img_dandelion`,
  fonts: `${ACCOUNT}/fonts`,
  keys: `${ACCOUNT}/keys`,
  'new-key': `${ACCOUNT}/keys?new=key`,
  usage: `${ACCOUNT}/usage`,
  people: `${ACCOUNT}/people`,
  settings: `${ACCOUNT}/settings`,
  account: '/studio/account',
  'sign-in': '/studio/sign-in',
  'not-signed-in': '/studio/oidc?error=access_denied',
};
const FOR_README = ['templates-light-1280', 'use-light-1280', 'editor-dark-1280'];

const wanted = process.argv.slice(2);
const server = await listen(fakeServer());
const browser = await launchChromium();
await mkdir(OUT, { recursive: true });
for (const [name, path] of Object.entries(PAGES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const theme of ['light', 'dark']) {
    for (const width of [390, 1280, 1600]) {
      const page = await browser.newPage();
      await page.setViewport({ width, height: width < 640 ? 844 : Math.round(width * 0.625) });
      await page.evaluateOnNewDocument((chosen) => localStorage.setItem('platen-theme', chosen), theme);
      // A fixed clock, so that relative times are the same in every run.
      await page.evaluateOnNewDocument(() => {
        Date.now = () => Date.parse('2026-11-22T14:00:00Z');
      });
      await page.goto(server.url + path, { waitUntil: 'networkidle0' });
      const picture = `${name}-${theme}-${width}`;
      // On a telephone all of the page, which is mostly below the window.
      const fullPage = width < 640 && (await page.$('dialog[open]')) === null;
      await keep(picture, await page.screenshot({ fullPage }));
      await page.close();
    }
  }
}
await browser.close();
await server[Symbol.asyncDispose]();
if (wanted.length === 0 || wanted.includes('editor')) await pictureEditor();

async function keep(picture: string, png: Uint8Array): Promise<void> {
  await sharp(png)
    .png()
    .toFile(join(OUT, `${picture}.png`));
  if (!FOR_README.includes(picture)) return;
  const small = sharp(png).resize(960).webp({ quality: 84 });
  await small.toFile(join(ROOT, `samples/rendered/studio-${picture.split('-')[0]}.webp`));
}

/** Takes screenshots of the editor: the social card with its title selected. */
async function pictureEditor(): Promise<void> {
  await using lab = await openStudioLab();
  const { page } = await lab.open(1280, 800);
  await claim(page, lab.setUpLink);
  const card = await page.$('::-p-xpath(//a[contains(@class, "card-name")][contains(., "Social card")])');
  const address = await card?.evaluate((link) => link.getAttribute('href'));
  for (const theme of ['light', 'dark']) {
    for (const width of [1280, 1600]) {
      await page.setViewport({ width, height: Math.round(width * 0.625) });
      await page.evaluate((chosen) => localStorage.setItem('platen-theme', chosen), theme);
      await page.goto(`${lab.server.url}${address}`, { waitUntil: 'networkidle0' });
      await page.waitForSelector('.artboard g g');
      const title = await page.waitForSelector('::-p-xpath(//*[@role="treeitem"][normalize-space(.)="title"])');
      await title?.click();
      // Time for the selection to be drawn.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await keep(`editor-${theme}-${width}`, await page.screenshot());
    }
  }
}
