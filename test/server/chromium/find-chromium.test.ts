// Tests which of several installed Chromiums is used.

import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { findChromium } from '#server/chromium/find-chromium.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** The Chromium found among these programs. `name/` is a folder; `(name)` is a file that is not executable. */
async function found(names: readonly string[], chromiumPath?: string) {
  await using folder = await temporaryFolder();
  for (const name of names) {
    const path = join(folder.path, name.replaceAll(/[()]/g, ''));
    if (name.endsWith('/')) await mkdir(path);
    else await writeFile(path, '');
    await chmod(path, name.startsWith('(') ? 0o644 : 0o755);
  }
  const named = chromiumPath === undefined ? null : join(folder.path, chromiumPath);
  const chromium = findChromium({ chromiumPath: named, programFolders: [folder.path] });
  return chromium && [basename(chromium.path), chromium.isShell];
}

test('a headless shell before any other, wherever it is', async () => {
  const [, isShell] = (await found(['google-chrome', 'chromium', 'chrome-headless-shell'])) ?? [];
  expect(isShell).toBe(true);
});
test('the one that is named before all', async () =>
  expect(await found(['chromium', 'chrome-headless-shell'], 'chromium')).toEqual(['chromium', false]));
test('a named one that cannot be run, or is none, is not replaced by another', async () => {
  expect(await found(['(chromium)', 'chrome-headless-shell'], 'chromium')).toBe(null);
  expect(await found(['chromium/', 'chrome-headless-shell'], 'chromium')).toBe(null);
  expect(await found(['chrome-headless-shell'], 'chromium')).toBe(null);
});
