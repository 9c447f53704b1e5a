// Tests that a screenshot is saved, counted and answered in one transaction. The tests of http and spec draw real
// pages.

import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { Quota } from '#server/service/accounts/quota.ts';
import { Assets } from '#server/service/files/assets.ts';
import { nothingMore, type OnCommit } from '#server/service/idempotency.ts';
import { captureRequest, type ScreenshotContext, screenshot } from '#server/service/pages/screenshot.ts';
import { defaultScreenshot, readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import type { Rendered } from '#server/service/rendering/render.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

const caller = { accountId: 'acc_a', plan: 'free', kind: 'live', scope: null } as const;
const clock = () => NOW;
const drawn: ScreenshotContext['pages'] = {
  check: () => {},
  capture: async () => ({ bytes: Buffer.from('a page'), warnings: ['It was cut short.'] }),
};

/** Takes one screenshot. Returns its result and what is stored afterwards: rows, files and units. */
async function attempt(pages: ScreenshotContext['pages'], onCommit: OnCommit<Rendered> = nothingMore) {
  await using folder = await temporaryFolder();
  await using opened = await storageUnderTest();
  const { storage } = opened;
  const ctx = {
    pages,
    pageFilesOf: () => Promise.reject(new Error('no page of our own')),
    quota: new Quota(storage.usage, { free: { quota: 1, blocks: true } }, clock),
    assets: new Assets(storage, await openFileBlobs(folder.path), () => 'http://host', clock),
  };
  const request = defaultScreenshot('https://example.com/');
  const ended = await screenshot(ctx, caller, request, onCommit).catch((error: unknown) => error);
  const id = (ended as Partial<Rendered>).result?.id ?? '';
  const found = await storage.renders.find('acc_a', id);
  const { used, reserved } = await storage.usage.totals('acc_a', '2026-11');
  return { ended, left: [found?.status, (await readdir(folder.path)).length, used, reserved] };
}

const NOTHING = [undefined, 0, 0, 0];

test('its row, unit and answer are committed together', async () => {
  const seen: unknown[] = [];
  const { ended, left } = await attempt(drawn, async ({ usage }, made) => {
    seen.push(made, await usage.totals('acc_a', '2026-11'));
  });
  expect(seen).toEqual([ended, { used: 1, reserved: 0 }]);
  expect(left).toEqual(['done', 1, 1, 0]);
});

test('an answer that cannot be recorded leaves nothing behind', async () => {
  const { ended, left } = await attempt(drawn, () => Promise.reject(new Error('disk full')));
  expect([ended, left]).toEqual([new Error('disk full'), NOTHING]);
});

test('a page that cannot be drawn leaves nothing behind', async () => {
  const capture = () => Promise.reject(new AppError('url_not_allowed', 'URL not allowed.'));
  const { ended, left } = await attempt({ ...drawn, capture });
  expect([ended, left]).toEqual([new AppError('url_not_allowed', 'URL not allowed.'), NOTHING]);
});

test('a URL that is denied by its text comes before the quota', async () => {
  const check = () => {
    throw new AppError('url_not_allowed', 'URL not allowed.');
  };
  const { ended, left } = await attempt({ ...drawn, check });
  expect([ended, left]).toEqual([new AppError('url_not_allowed', 'URL not allowed.'), NOTHING]);
});

test('markup whose scripts do not run says so', async () => {
  const warned = async (more: object) => {
    const supply = async () => ({ files: {} as never, isFree: false });
    const request = readScreenshotRequest({ html: '<p>Hi\n<script>document.title = 1</script>', ...more });
    const ctx = { pages: drawn, pageFilesOf: () => Promise.reject(new Error('not asked for')) };
    const { diagnostics } = await captureRequest(ctx, 'acc_a', request, 'acc_a', supply);
    return diagnostics.map(({ message }) => message);
  };
  expect(await warned({})).toEqual([
    'html, line 2: <script> does not run; to run it, set "script": true.',
    'It was cut short.',
  ]);
  expect(await warned({ script: true })).toEqual(['It was cut short.']);
});
