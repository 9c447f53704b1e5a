// Tests in Chromium that selected words are styled by the bar over them, by the inspector and by keys, each in one step
// that undo takes back; also in right-to-left text and beside emoji.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawn, layerOf, viewPoint } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

describe.skipIf(CHROMIUM === null)('words', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor();
  }, 120_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await lab.page.evaluate(() => {
      const { editor } = platenEditor;
      const text = { type: 'text', fontSize: 48, x: 20, width: 560 };
      editor.replace({
        name: 'Words',
        width: 600,
        height: 400,
        layers: [
          { ...text, name: 'title', y: 120, text: 'Slow mornings taste better' },
          { ...text, name: 'arabic', y: 250, text: 'صباح الخير 👩‍👩‍👧 يا عالم', lang: 'ar' },
        ],
      });
    });
  });

  /** Begins to edit a layer with the first occurrence of `words` selected. */
  const choose = async (name: string, words: string) => {
    await lab.page.evaluate(
      (layer, part) => {
        const { editor } = platenEditor;
        const from = String(editor.layer(layer)?.text).indexOf(part);
        editor.editText(layer, [from, from + part.length]);
      },
      name,
      words,
    );
    // The field selects in the next frame; a bar may be open from before.
    await lab.page.waitForFunction(
      (layer, part) => {
        const { editor } = platenEditor;
        const chosen = editor.chosenWords.value;
        return chosen?.name === layer && textOfLayer(editor.layer(layer)).slice(...chosen.range) === part;

        function textOfLayer(found: Readonly<Record<string, unknown>> | null): string {
          const spans = found?.spans as readonly { readonly text: string }[] | undefined;
          return spans?.map(({ text }) => text).join('') ?? String(found?.text);
        }
      },
      {},
      name,
      words,
    );
    await lab.page.waitForSelector('.text-bar');
  };
  const layer = (name: string) => layerOf(lab.page, name);
  const field = async (label: string, within: string) => {
    const found = await lab.page.waitForSelector(`${within} [aria-label="${label}"]`, { visible: true });
    if (!found) throw new Error(`No ${label}`);
    return found;
  };
  const type = async (label: string, within: string, text: string) => {
    await (await field(label, within)).click({ count: 3 });
    await lab.page.keyboard.type(text);
    await lab.page.keyboard.press('Enter');
  };

  test('a double click selects a word; the bar colours it alone', async () => {
    const { page } = lab;
    await drawn(page);
    const { x: left = 0, y: top = 0 } = (await layer('title')) as { x?: number; y?: number };
    const { x, y } = await viewPoint(page, left + 190, top + 28);
    await page.mouse.click(x, y);
    await page.mouse.click(x, y, { count: 2 });
    await page.waitForSelector('.text-editor', { timeout: 5_000 });
    await page.mouse.click(x, y, { count: 2 });
    await page.waitForSelector('.text-bar');
    await type('Color of the words, as CSS', '.text-bar', '#c0392b');
    expect((await layer('title'))?.spans).toEqual([
      { text: 'Slow ' },
      { text: 'mornings', color: '#c0392b' },
      { text: ' taste better' },
    ]);
    // Enter gave the keys back to the text, so this undoes what was done to it, and typing goes on in it.
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    expect(await layer('title')).toMatchObject({ text: 'Slow mornings taste better' });
    expect((await layer('title'))?.spans).toBeUndefined();
  });

  test('the inspector shows and sets what is selected', async () => {
    const { page } = lab;
    await choose('title', 'mornings');
    await type('Font size', '.inspector', '64');
    await (await field('Weight', '.inspector')).select('700');
    expect((await layer('title'))?.spans).toEqual([
      { text: 'Slow ' },
      { text: 'mornings', fontSize: 64, fontWeight: 700 },
      { text: ' taste better' },
    ]);
    const shown = () => page.$eval('.inspector [aria-label="Font size"]', (input) => (input as HTMLInputElement).value);
    expect(await shown()).toBe('64');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('.text-bar') === null);
    expect(await shown()).toBe('48');
    // The list of styled words leads back to them, and takes their style away.
    await page.evaluate(() => {
      for (const more of document.querySelectorAll<HTMLDetailsElement>('.inspector details')) more.open = true;
    });
    await (await page.waitForSelector('.run-words'))?.click();
    await page.waitForSelector('.text-bar');
    await (await field('Remove: the style of “mornings”', '.inspector')).click();
    expect(await layer('title')).toMatchObject({ text: 'Slow mornings taste better' });
  });

  test('keys, in right-to-left text and over an emoji of several characters', async () => {
    const { page } = lab;
    const press = async (...keys: readonly ('b' | 'i' | 'u')[]) => {
      await page.keyboard.down('Control');
      for (const key of keys) await page.keyboard.press(key);
      await page.keyboard.up('Control');
    };
    await choose('arabic', 'الخير');
    await press('b', 'u');
    expect((await layer('arabic'))?.spans).toEqual([
      { text: 'صباح ' },
      { text: 'الخير', fontWeight: 700, textDecoration: 'underline' },
      { text: ' 👩‍👩‍👧 يا عالم' },
    ]);
    await press('b', 'u');
    expect(await layer('arabic')).toMatchObject({ text: 'صباح الخير 👩‍👩‍👧 يا عالم' });
    // Half of the emoji is selected; all of it is styled.
    await choose('arabic', '‍👩');
    await press('i');
    expect((await layer('arabic'))?.spans).toEqual([
      { text: 'صباح الخير ' },
      { text: '👩‍👩‍👧', fontStyle: 'italic' },
      { text: ' يا عالم' },
    ]);
    expect(lab.complaints).toEqual([]);
  });
});
