// Tests a review from end to end: a link is made, a visitor without an account comments on a point at 390 px, in German
// and by keyboard, and is answered and resolved in the studio.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './accessibility.ts';
import { accountOf, askStudio, claim, openStudioLab, press, type StudioLab, sees, type Watched } from './studio-lab.ts';

let lab: StudioLab;
let page: Page;
let watched: Watched;

beforeAll(async () => {
  lab = await openStudioLab();
  ({ page, watched } = await lab.open());
  await claim(page, lab.setUpLink);
}, 180_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

const DESIGN = {
  ...{ name: 'Autumn sale', width: 600, height: 400, background: '#f4e9d8', lang: 'en' },
  layers: [{ name: 'title', type: 'text', text: 'Autumn sale', x: 40, y: 40, width: 400, height: 200, fontSize: 72 }],
  sizes: { story: { width: 270, height: 480 } },
  texts: { title: { de: 'Herbstangebot' } },
};

const picture = async (of: Page, name: string) => {
  if (process.env.PICTURES) await of.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
};
/** All pictures are drawn. */
const drawn = (of: Page, count: number) =>
  of.waitForFunction(
    (many) => {
      const all = [...document.querySelectorAll<HTMLImageElement>('.pinned img')];
      return all.length === many && all.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
    },
    { timeout: 60_000 },
    count,
  );

test('a visitor comments, and is answered and resolved', { timeout: 120_000 }, async () => {
  const { id } = await askStudio(page, 'POST', '/templates', { document: DESIGN });
  const address = `${lab.server.url}/studio/a/${accountOf(page)}/templates/${id}/review`;
  await page.goto(address);
  await press(page, 'button', 'New review link');
  await press(page, 'button', 'Create link');
  const code = await page.waitForSelector('::-p-xpath(//dialog//code[contains(., "/studio/review#plr_")])');
  const link = (await code?.evaluate((element) => element.textContent)) ?? '';
  await press(page, 'button', 'Done');
  await drawn(page, 4);

  // In another profile, which has neither a session nor a cookie.
  const context = await lab.browser.createBrowserContext();
  const visitor = await context.newPage();
  await visitor.setViewport({ width: 390, height: 800 });
  await visitor.evaluateOnNewDocument(() => localStorage.setItem('platen-language', 'de'));
  const problems: string[] = [];
  visitor.on('pageerror', (error) => problems.push(String(error)));
  visitor.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await visitor.goto(link);
  await drawn(visitor, 4);
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await visitor.title()).toBe('Autumn sale · Platen');
  expect(await visitor.$$eval('h2', (heads) => heads.map(({ textContent }) => textContent))).toEqual([
    ...['Standard · Englisch', 'story · Englisch', 'Standard · Deutsch', 'story · Deutsch'],
  ]);

  // On the middle of the second picture; without a name it is not sent.
  const story = await visitor.waitForSelector('::-p-aria([name="Kommentieren: story · Englisch"][role="button"])');
  await story?.scrollIntoView();
  await story?.click();
  await visitor.waitForSelector('.compose textarea:focus');
  await visitor.keyboard.type('Bitte größer!');
  await press(visitor, 'button', 'Senden');
  await sees(visitor, 'Zuerst oben den eigenen Namen eingeben.');
  await visitor.keyboard.type('Bob');
  await press(visitor, 'button', 'Senden');
  await visitor.waitForSelector('.thread');
  // By keyboard, on the whole of the first.
  await visitor.focus('.pinned button');
  await visitor.keyboard.press('Enter');
  await visitor.waitForSelector('.compose textarea:focus');
  await visitor.keyboard.type('Schön.');
  await visitor.keyboard.press('Tab');
  await visitor.keyboard.press('Enter');
  await visitor.waitForFunction(() => document.querySelectorAll('.thread').length === 2);
  expect(await visitor.$$eval('.picture-mark', (marks) => marks.map((mark) => mark.getAttribute('style')))).toEqual([
    expect.stringMatching(/left: (49|50)\.?\d*%; top: (49|50)\.?\d*%/),
  ]);
  await picture(visitor, 'visitor');
  expect(await findings(visitor, { bothThemes: true })).toEqual([]);
  await picture(visitor, 'visitor-dark');
  expect(await context.cookies()).toEqual([]);

  await page.reload();
  await sees(page, '2 comments, 2 open');
  await sees(page, 'Bitte größer!');
  const thread = '::-p-xpath(//article[contains(., "Bitte größer!")]';
  await (await page.waitForSelector(`${thread}//button[.="Answer"])`))?.click();
  await page.waitForSelector('.compose textarea:focus');
  await page.keyboard.type('It is now.');
  await press(page, 'button', 'Send');
  await sees(page, '3 comments, 2 open');
  await (await page.waitForSelector(`${thread}//button[.="Resolve"])`))?.click();
  await sees(page, '3 comments, 1 open');
  await drawn(page, 4);
  await picture(page, 'studio');
  expect(await findings(page, { bothThemes: true })).toEqual([]);
  await picture(page, 'studio-dark');

  await visitor.reload();
  await sees(visitor, 'It is now.');
  await sees(visitor, 'Mara Lindqvist');
  await press(page, 'button', 'Revoke link');
  await page.$eval('dialog[open] .button-danger', (button) => (button as HTMLElement).click());
  await sees(page, 'No longer works');
  expect(problems).toEqual([]);
  await visitor.reload();
  await sees(visitor, 'Dieser Link gilt nicht mehr');
  expect(watched.problems).toEqual([]);
  expect(watched.strangers).toEqual([]);
});
