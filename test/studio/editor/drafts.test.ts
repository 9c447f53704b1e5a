// The editor against the real server: drafts that are saved, and two tabs at once.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStudioLab, type StudioLab } from '../studio-lab.ts';
import { CHROMIUM } from './open-editor.ts';

let lab: StudioLab;
let page: Page;
let edit: string;
let api: string;

beforeAll(async () => {
  if (!CHROMIUM) return;
  lab = await openStudioLab();
  page = (await lab.open()).page;
  await page.goto(`${lab.server.url}/studio/sign-in`);
  const token = lab.setUpLink.split('#')[1] ?? '';
  const account = await page.evaluate(async (given) => {
    const send = (path: string, body: unknown) =>
      fetch(`/v1/studio/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.json());
    const session = await send('setup', {
      token: given,
      email: 'ada@example.com',
      name: 'Ada',
      password: 'correct horse battery',
    });
    return session.accounts[0].id as string;
  }, token);
  const templates = await page.evaluate(
    async (id) => (await (await fetch(`/v1/studio/accounts/${id}/templates`)).json()).items,
    account,
  );
  const card = (templates as readonly { id: string; name: string }[]).find(({ name }) =>
    name.startsWith('Social card'),
  );
  api = `/v1/studio/accounts/${account}/templates/${card?.id}`;
  edit = `${lab.server.url}/studio/a/${account}/templates/${card?.id}/edit`;
}, 240_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

async function open(on: Page): Promise<void> {
  await on.goto(edit);
  await on.waitForFunction(() => document.querySelector('.artboard g g') !== null);
}

/** Sets the words of the title, as the inspector does. */
const say = (on: Page, words: string) =>
  on.evaluate((text) => {
    const { editor, edits } = (globalThis as never as { platenEditor: never }).platenEditor as never as {
      editor: { edit(edit: unknown): void };
      edits: { setLayer(name: string, patch: unknown): unknown };
    };
    editor.edit(edits.setLayer('title', { text }));
  }, words);
const title = (on: Page) =>
  on.evaluate(
    () =>
      (
        (globalThis as never as { platenEditor: never }).platenEditor as never as {
          editor: { layer(name: string): { text: string } };
        }
      ).editor.layer('title').text,
  );
const saved = (on: Page) => on.waitForFunction(() => document.querySelector('.saved')?.textContent === 'Draft saved');
const answer = <T>(path: string) => page.evaluate(async (at) => (await fetch(at)).json(), api + path) as Promise<T>;

describe.skipIf(!CHROMIUM)('drafts', () => {
  test('an edit is in the draft within two seconds, and what is live does not change', async () => {
    await open(page);
    await say(page, 'Saved as one goes');
    await saved(page);
    const draft = await answer<{ document: unknown }>('/draft');
    expect(JSON.stringify(draft.document)).toContain('Saved as one goes');
    const live = await answer<{ document: unknown; version: number }>('');
    expect(JSON.stringify(live.document)).not.toContain('Saved as one goes');
    expect(live.version).toBe(1);
  }, 120_000);

  test('a second tab is told, and overwrites nothing', async () => {
    const other = (await lab.open()).page;
    await open(other);
    await say(page, 'From the first tab');
    await saved(page);
    await say(other, 'From the second tab');
    await other.waitForFunction(() => document.querySelector('.changed-elsewhere') !== null);
    expect(JSON.stringify(await answer('/draft'))).toContain('From the first tab');
    await other.evaluate(() => document.querySelector<HTMLButtonElement>('.changed-buttons button')?.click());
    await other.waitForFunction(() => document.querySelector('.changed-elsewhere') === null);
    expect(await title(other)).toBe('From the first tab');
    await other.close();
  }, 120_000);
});
