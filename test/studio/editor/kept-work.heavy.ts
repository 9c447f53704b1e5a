// Tests in a browser that the editor loses nothing: refused clipboards, other people's saves, slow uploads, closed
// panels, fields that are left.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLayers, layerOf, selectLayers, setLayer } from './editor-page.ts';
import type { StoredDraft } from './editor-server.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

let at: OpenEditor;
let page: Page;
beforeAll(async () => {
  if (!CHROMIUM) return;
  at = await openEditor();
  page = at.page;
}, 240_000);
afterAll(async () => {
  await at?.[Symbol.asyncDispose]();
});

/** Runs a function of the page, with the page's editor in reach. */
const inPage = <T, A extends readonly unknown[]>(run: (editor: typeof platenEditor, ...values: A) => T, ...values: A) =>
  page.evaluate(`(${run})(platenEditor, ...${JSON.stringify(values)})`) as Promise<Awaited<T>>;

const layer = (name: string) => layerOf(page, name);
const set = (name: string, patch: Readonly<Record<string, unknown>>) => setLayer(page, name, patch);
const select = (...names: string[]) => selectLayers(page, names);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let opened = 0;

/** Opens a copy of the sample that no other test has changed. @returns its draft on the server */
async function open(): Promise<StoredDraft> {
  const sample = at.drafts.get('sample-social-card') as StoredDraft;
  const draft = { ...sample };
  const name = `copy-${++opened}`;
  at.drafts.set(name, draft);
  await page.close();
  page = await at.open(name);
  return draft;
}

async function press(...keys: readonly string[]): Promise<void> {
  const [last = '', ...held] = [...keys].reverse();
  for (const key of held) await page.keyboard.down(key as never);
  await page.keyboard.press(last as never);
  for (const key of held) await page.keyboard.up(key as never);
}

const tab = (name: string) =>
  page.evaluate((label) => {
    const tabs = [...document.querySelectorAll<HTMLElement>('.inspector [role=tab]')];
    tabs.find(({ textContent }) => textContent === label)?.click();
  }, name);

describe.skipIf(!CHROMIUM)('the editor keeps', () => {
  test('what is cut, if the browser refuses the clipboard', async () => {
    await open();
    for (const clipboard of ['refuses', 'is missing']) {
      await page.evaluate((how) => {
        const value = how === 'refuses' ? { writeText: () => Promise.reject(new Error('No.')) } : undefined;
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value });
        document.execCommand = () => false;
      }, clipboard);
      await select('title');
      await page.focus('.canvas');
      await press('Control', 'x');
      await page.waitForSelector('.toast');
      expect(await layer('title'), clipboard).not.toBeNull();
      await page.waitForFunction(() => document.querySelector('.toast') === null);
    }
    expect(at.complaints).toEqual([]);
  }, 60_000);

  test('the last words typed into the JSON panel, when it is closed at once', async () => {
    await open();
    await tab('JSON');
    await page.waitForFunction(() => document.querySelector('.json-host')?.shadowRoot?.querySelector('.cm-content'));
    await page.evaluate(() => {
      const content = document.querySelector('.json-host')?.shadowRoot?.querySelector<HTMLElement>('.cm-content');
      content?.focus();
    });
    await press('Control', 'Home');
    await press('ArrowDown');
    await press('End');
    await press('ArrowLeft');
    await press('ArrowLeft');
    await page.keyboard.type('Zed');
    await tab('Design');
    await pause(500);
    expect(await inPage(({ editor }) => (editor.document.value as never as { name: string }).name)).toContain('Zed');
  }, 60_000);

  test('other pictures, when one is selected during an upload', async () => {
    await open();
    await page.evaluate(() => {
      const { fetch } = globalThis;
      globalThis.fetch = async (...request) => {
        if (request[1]?.method !== 'POST' || !String(request[0]).includes('/images?')) return fetch(...request);
        await new Promise((resolve) => setTimeout(resolve, 500));
        return new Response(JSON.stringify({ id: 'img_new', width: 10, height: 10 }));
      };
    });
    await addLayers(page, [
      { type: 'image', name: 'one', x: 0, y: 0, width: 50, height: 50, src: '' },
      { type: 'image', name: 'two', x: 0, y: 0, width: 50, height: 50, src: '' },
    ]);
    await select('one');
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
      document.querySelector('.canvas')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    });
    await select('two');
    await pause(1_000);
    expect([(await layer('one'))?.src, (await layer('two'))?.src]).toEqual(['img_new', '']);
    await select('one');
    const button = await page.waitForSelector('.image-thumb');
    await button?.click();
    await page.waitForSelector('.image-library input[type=file]');
    await set('one', { src: '' });
    await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('.popover .image-library input[type=file]');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.png', { type: 'image/png' }));
      if (input) input.files = dataTransfer.files;
      input?.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await select('title');
    await pause(1_000);
    expect((await layer('title'))?.src).toBeUndefined();
    expect((await layer('one'))?.src).toBe('img_new');
  }, 60_000);

  test('a number as it was, when Escape leaves its field', async () => {
    await open();
    await select('title');
    const before = await layer('title');
    const field = await page.waitForSelector('[data-property=fontSize] .number-input');
    await field?.click();
    await page.keyboard.type('77');
    await page.keyboard.press('Escape');
    await pause(200);
    expect((await layer('title'))?.fontSize).toBe(before?.fontSize);
    await field?.click();
    await page.keyboard.type('77');
    await page.keyboard.press('Enter');
    await pause(200);
    expect((await layer('title'))?.fontSize).toBe(77);
  }, 60_000);

  test('what is no value in the field of its own layer, and out of the fields of others', async () => {
    await open();
    // The colors of the texts differ. The shapes have no dashes, so their fields are not even rendered again.
    for (const [property, one, other, wrong, right, stored] of [
      ['color', 'title', 'kicker', '#12zz', '#123456', '#123456'],
      ['strokeDash', 'dusk', 'shade', '4 x', '4 2', [4, 2]],
    ] as const) {
      const field = `[data-property=${property}] .json-field input`;
      const shown = () => page.$eval(field, (input) => (input as HTMLInputElement).value);
      const choose = async (name: string) => {
        await page.click(`.tree-row[data-layer="${name}"]`);
        await page.waitForFunction((one) => platenEditor.editor.selection.value.join() === one, {}, name);
        await page.$$eval('.inspector details', (list) => {
          for (const details of list) details.open = true;
        });
        await page.waitForSelector(field);
      };
      const typeAt = async (text: string) => {
        await page.click(field, { count: 3 });
        await page.keyboard.type(text);
      };
      await choose(other);
      const otherShown = await shown();
      const otherLayer = await layer(other);
      await choose(one);
      await typeAt(wrong);
      await choose(other);
      expect(await shown()).toBe(otherShown);
      expect(await page.$(`[data-property=${property}] .field-error`)).toBeNull();
      await page.click(field);
      await page.keyboard.press('Enter');
      expect(await layer(other)).toEqual(otherLayer);
      await choose(one);
      expect(await shown()).toBe(wrong);
      await page.waitForSelector(`[data-property=${property}] .field-error`);
      await typeAt(right);
      await choose(other);
      expect((await layer(one))?.[property]).toEqual(stored);
      expect(await layer(other)).toEqual(otherLayer);
    }
  }, 60_000);

  test('what is typed on the canvas in the template, with test data showing', async () => {
    await open();
    await inPage(({ editor }) => editor.showValues({ title: 'Data' }, 'Longest words'));
    await page.waitForSelector('.data-bar');
    expect(await page.$eval('.data-bar', (bar) => bar.textContent)).toContain('Longest words');
    await pause(300);
    const drawn = () => inPage(({ editor }) => editor.picture.value?.svg.join(''));
    const before = await drawn();
    await select('title');
    await inPage(({ editor }) => {
      editor.editText('title');
    });
    await page.waitForSelector('.text-editor');
    await press('Control', 'a');
    await page.keyboard.type('Other words');
    await pause(300);
    expect(await inPage(({ editor }) => editor.values.value)).toEqual({});
    expect(await inPage(({ editor }) => editor.layer('title')?.text)).toBe('Other words');
    expect(await page.$('.data-bar')).toBeNull();
    expect(await drawn()).not.toBe(before);
  }, 60_000);

  test('a drawn picture, which is seen, selected by a click and says what to do', async () => {
    await open();
    const box = await page.$eval('.artboard', (element) => {
      const { x, y } = element.getBoundingClientRect();
      return { x, y };
    });
    await page.focus('.canvas');
    await page.keyboard.press('i');
    await page.mouse.move(box.x + 60, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 340, box.y + 200, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(
      () => document.querySelector('.missing-picture text')?.textContent === 'Double-click to choose a picture',
    );
    // Of no picture nothing is said about its size.
    await page.waitForFunction(() =>
      /^1 warning: .*no picture is chosen yet/.test(document.querySelector('.warnings')?.textContent ?? ''),
    );
    await inPage(({ editor }) => editor.select([]));
    await page.mouse.click(box.x + 160, box.y + 130);
    expect(await inPage(({ editor }) => editor.selection.value)).toEqual(['image']);
    await page.mouse.click(box.x + 160, box.y + 130, { count: 2 });
    await page.waitForSelector('::-p-aria([name="Choose a picture for “image”"][role="heading"])');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  }, 60_000);

  test('what is typed into a new text at once, as soon as the canvas shows', async () => {
    await open();
    await page.setCacheEnabled(false);
    await page.reload();
    await page.waitForSelector('.artboard g g');
    await page.focus('.canvas');
    const { x, y } = (await (await page.$('.artboard'))?.boundingBox()) ?? { x: 0, y: 0 };
    await page.keyboard.press('t');
    await page.mouse.click(x + 60, y + 60);
    // Each of these letters is a key of the editor, too.
    await page.keyboard.type('Tri gx');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('!');
    expect(await layer('text')).toMatchObject({ text: 'Tri g!' });
    await page.setCacheEnabled(true);
  }, 60_000);

  test('drawing, after fonts could not be fetched for a while', async () => {
    await open();
    await page.evaluate(() => {
      const { fetch, requestAnimationFrame } = globalThis;
      const lab = globalThis as never as { frames?: number; back?: () => void };
      lab.frames = 0;
      globalThis.requestAnimationFrame = (run) => {
        lab.frames = (lab.frames ?? 0) + 1;
        return requestAnimationFrame(run);
      };
      globalThis.fetch = async (...request) => {
        if (String(request[0]).includes('/fonts/faces/')) throw new TypeError('The server is restarted.');
        return fetch(...request);
      };
      lab.back = () => {
        globalThis.fetch = fetch;
      };
    });
    await set('title', { fontFamily: 'Lora', fontWeight: 700 });
    await pause(1_500);
    expect(await inPage(({ editor }) => editor.problem.value?.message)).toMatch(
      /^The fonts of layer "title" could not/,
    );
    expect(await page.evaluate(() => (globalThis as never as { frames: number }).frames)).toBeLessThan(20);
    await page.evaluate(() => (globalThis as { back?: () => void }).back?.());
    await page.waitForFunction(() => {
      const { editor } = platenEditor;
      return editor.problem.value === null && editor.picture.value?.document === editor.document.value;
    });
  }, 60_000);

  test('pictures, after they could not be fetched for a while', async () => {
    await open();
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(30, 20);
      canvas.getContext('2d')?.fillRect(0, 0, 30, 20);
      const png = await canvas.convertToBlob();
      const { fetch } = globalThis;
      const lab = globalThis as never as { asked: number; answers: boolean };
      lab.asked = 0;
      lab.answers = false;
      globalThis.fetch = async (...request) => {
        if (!String(request[0]).endsWith('/images/img_late/file')) return fetch(...request);
        lab.asked += 1;
        if (!lab.answers) throw new TypeError('The server is restarted.');
        return new Response(png);
      };
    });
    await addLayers(page, [{ type: 'image', name: 'late', x: 0, y: 0, width: 60, height: 40, src: 'img_late' }]);
    const asked = () => page.evaluate(() => (globalThis as never as { asked: number }).asked);
    const answer = (answers: boolean) =>
      page.evaluate((whether) => Object.assign(globalThis, { answers: whether }), answers);
    const comesBack = (event: 'focus' | 'online') =>
      page.evaluate((which) => void dispatchEvent(new Event(which)), event);
    const isLeftOut = (whether: boolean) =>
      page.waitForFunction(
        (expected) => {
          const { diagnostics = [] } = platenEditor.editor.picture.value ?? {};
          return diagnostics.some(({ code, layer }) => code === 'image-left-out' && layer === 'late') === expected;
        },
        { timeout: 5_000 },
        whether,
      );
    const giveAddress = async (address: string) => {
      const field = await page.waitForSelector('[data-property=src] input.is-mono');
      await field?.click({ count: 3 });
      await page.keyboard.type(address);
      await page.keyboard.press('Enter');
    };
    await isLeftOut(true);
    expect(await asked()).toBe(1);
    // Someone who goes to and fro between windows causes no request with each return.
    for (let i = 0; i < 20; i++) await comesBack('focus');
    await pause(200);
    expect(await asked()).toBe(1);
    await pause(2_000);
    for (let i = 0; i < 20; i++) await comesBack('focus');
    await pause(2_200);
    for (let i = 0; i < 20; i++) await comesBack('focus');
    await pause(200);
    expect(await asked()).toBe(2);
    // A network that is back is tried at once, and what has loaded is not requested again.
    await answer(true);
    await comesBack('online');
    await isLeftOut(false);
    expect(await asked()).toBe(3);
    await comesBack('online');
    await pause(200);
    expect(await asked()).toBe(3);
    // An address that is given again is tried at once.
    await select('late');
    await answer(false);
    await giveAddress('/img_late');
    await isLeftOut(true);
    await answer(true);
    await giveAddress('/img_late');
    await isLeftOut(false);
    expect(await asked()).toBe(5);
  }, 60_000);
});
