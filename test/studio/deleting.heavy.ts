// Tests in a browser that deleting an image or a face asks where it is used, that the editor no longer shows it, and that
// undo brings it back.

import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { findPackage } from '#draw/fonts/catalog.ts';
import { CHROMIUM } from '../server/chromium/chromium.ts';
import { accountOf, claim, openStudioLab, press } from './studio-lab.ts';

test.skipIf(CHROMIUM === null)(
  'an image in use',
  async () => {
    await using lab = await openStudioLab();
    const { page } = await lab.open();
    await claim(page, lab.setUpLink);
    const account = accountOf(page);
    const { image, template } = await page.evaluate(makeUsedImage, account);
    const studio = `${lab.server.url}/studio/a/${account}`;

    const editor = (await lab.open()).page;
    await editor.goto(`${studio}/templates/${template}/edit`);
    expect(await shows(editor, true)).toBe('');

    await page.goto(`${studio}/images?open=${image}`);
    await press(page, 'button', 'Delete');
    await page.waitForSelector('::-p-aria([name="Delete photo.png?"][role="heading"])');
    expect(await page.$eval('dialog li a', (link) => [link.textContent, link.getAttribute('href')])).toEqual([
      'With a photo',
      `/studio/a/${account}/templates/${template}/edit`,
    ]);
    await press(page, 'button', 'Cancel');
    await press(page, 'button', 'Delete');
    await page.waitForSelector('dialog li a');
    await press(page, 'button', 'Delete');
    await page.waitForSelector('::-p-aria([name="Undo"])');

    const sentence = `Image of layer "photo" could not be loaded: there is no uploaded image "${image}". It was left out.`;
    expect(await shows(editor, false)).toBe(sentence);
    // Nor from the browser's cache.
    await editor.reload();
    expect(await shows(editor, false)).toBe(sentence);

    await press(page, 'button', 'Undo');
    expect(await shows(editor, true)).toBe('');
  },
  240_000,
);

test.skipIf(CHROMIUM === null)(
  'a face in use',
  async () => {
    await using lab = await openStudioLab();
    const { page } = await lab.open();
    await claim(page, lab.setUpLink);
    const account = accountOf(page);
    const studio = `${lab.server.url}/studio/a/${account}`;
    await page.goto(`${studio}/fonts`, { waitUntil: 'networkidle0' });
    const input = await page.waitForSelector('input[type="file"]');
    const file = '700Bold/BricolageGrotesque_700Bold.ttf';
    await (input as ElementHandle<HTMLInputElement>).uploadFile(
      join(findPackage('@expo-google-fonts/bricolage-grotesque') ?? '', file),
    );
    await page.waitForSelector('::-p-xpath(//h3[contains(., "Bricolage Grotesque")][contains(., "Yours")])');
    const template = await page.evaluate(makeSetText, account);

    await press(page, 'button', 'Styles of Bricolage Grotesque');
    await press(page, 'button', 'Delete this style');
    await page.waitForSelector('::-p-aria([name="Delete Bricolage Grotesque Bold 700?"][role="heading"])');
    expect(await page.$eval('dialog li a', (link) => [link.textContent, link.getAttribute('href')])).toEqual([
      'With a face',
      `/studio/a/${account}/templates/${template}/edit`,
    ]);
    const own = () => page.evaluate(ownFaces, account);
    await press(page, 'button', 'Cancel');
    expect(await own()).toBe(1);
    await press(page, 'button', 'Delete this style');
    await page.waitForSelector('dialog li a');
    await press(page, 'button', 'Delete');
    await page.waitForSelector('::-p-aria([name="Undo"])');
    expect(await own()).toBe(0);
    await press(page, 'button', 'Undo');
    await page.waitForSelector('::-p-text(is back)');
    expect(await own()).toBe(1);
  },
  240_000,
);

/** Runs in the page: makes a template whose text is set in the uploaded family. @returns its id */
async function makeSetText(account: string): Promise<string> {
  const text = { type: 'text', name: 'title', text: 'Set', fontFamily: 'Bricolage Grotesque', fontSize: 20 };
  const made = await fetch(`/v1/studio/accounts/${account}/templates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ document: { name: 'With a face', width: 100, height: 100, layers: [text] } }),
  });
  return (await made.json()).id;
}

/** Runs in the page: how many faces of the account's own fonts there are. */
async function ownFaces(account: string): Promise<number> {
  const { families } = await (await fetch(`/v1/studio/accounts/${account}/fonts`)).json();
  const faces = (families as readonly { readonly faces: readonly { readonly fontId: string | null }[] }[]).flatMap(
    (family) => family.faces,
  );
  return faces.filter(({ fontId }) => fontId !== null).length;
}

/** Waits until the canvas shows the photo, or does not; returns the warning about it. */
async function shows(page: Page, whether: boolean): Promise<string> {
  const found = await page.waitForFunction(
    (expected) => {
      const { editor } = platenEditor ?? {};
      const picture = editor?.picture.value;
      if (!picture || (document.querySelector('.artboard image') !== null) !== expected) return null;
      const warning = picture.diagnostics.find(({ code }) => code === 'image-left-out');
      return { message: warning?.message ?? '' };
    },
    {},
    whether,
  );
  return ((await found.jsonValue()) as { message: string }).message;
}

/** Runs in the page: uploads a picture, and makes a template that uses it. */
async function makeUsedImage(account: string): Promise<{ image: string; template: string }> {
  const path = `/v1/studio/accounts/${account}`;
  const canvas = new OffscreenCanvas(40, 40);
  canvas.getContext('2d')?.fillRect(0, 0, 40, 40);
  const body = await canvas.convertToBlob();
  const image = await (await fetch(`${path}/images?name=photo.png`, { method: 'POST', body })).json();
  const photo = { type: 'image', name: 'photo', src: image.id, x: 0, y: 0, width: 80, height: 80, optional: true };
  const made = await fetch(`${path}/templates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ document: { name: 'With a photo', width: 100, height: 100, layers: [photo] } }),
  });
  return { image: image.id, template: (await made.json()).id };
}
