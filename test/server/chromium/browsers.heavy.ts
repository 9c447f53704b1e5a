// Tests when a browser is kept, and when it is replaced.

import { spawn } from 'node:child_process';
import { chmod, symlink, unlink } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import { type BrowserLimits, Browsers } from '#server/chromium/browsers.ts';
import { countKept } from '../../collect-garbage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { CHROMIUM, hasChromium, openBrowsers } from './chromium.ts';

/** The browser of each job, for jobs in sequence. Browsers are numbered in the order of their first job. */
async function browsersOf(jobs: number, limits: Partial<BrowserLimits>): Promise<readonly number[]> {
  await using browsers = openBrowsers(limits);
  const seen: Browser[] = [];
  const numbers: number[] = [];
  for (let job = 0; job < jobs; job += 1) {
    const browser = await browsers.run(20_000, async (each) => each);
    if (!seen.includes(browser)) seen.push(browser);
    numbers.push(seen.indexOf(browser) + 1);
  }
  return numbers;
}

/** Crashes the page's renderer process: the nesting overflows the stack of Chromium's selector parser. */
const CRASH = `<script>document.querySelector(':is('.repeat(1e5)+'a'+')'.repeat(1e5))</script>`;
async function show(browser: Browser, html: string): Promise<string> {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setContent(html);
  return page.content();
}

describe.skipIf(!hasChromium)('a browser', () => {
  test('is kept for a hundred jobs', async () =>
    expect(await browsersOf(102, {})).toEqual([...Array(100).fill(1), 2, 2]));
  test('is replaced after so many jobs', async () => expect(await browsersOf(5, { jobs: 2 })).toEqual([1, 1, 2, 2, 3]));
  test('is replaced when it holds more than it may with nothing to do', async () =>
    expect(await browsersOf(3, { idleMemory: 1 })).toEqual([1, 2, 3]));
  test('does not keep what its jobs returned', async () => {
    await using browsers = openBrowsers();
    const returned: WeakRef<object>[] = [];
    for (let job = 0; job < 3; job += 1)
      returned.push(new WeakRef(await browsers.run(20_000, async () => Buffer.alloc(100_000))));
    expect(await countKept(returned)).toBe(0);
  });
  test('is cleared of what a job opened before the next', async () => {
    await using browsers = openBrowsers();
    await browsers.run(20_000, (browser) => show(browser, 'x'));
    const contexts = await browsers.run(20_000, async (browser) => browser.browserContexts().length);
    // Only the context of the job itself.
    expect(contexts).toBe(1);
  });
  test('is replaced when a page crashes in it, and the page is shown once more', async () => {
    await using browsers = openBrowsers();
    const seen = new Set<Browser>();
    const shown = await browsers.run(20_000, (browser) => {
      seen.add(browser);
      return show(browser, seen.size === 1 ? CRASH : 'whole');
    });
    expect([seen.size, shown]).toEqual([2, expect.stringContaining('whole')]);
  });
  test('is not given a third time to a page that crashes', async () => {
    await using browsers = openBrowsers();
    let shown = 0;
    const crashing = browsers.run(60_000, (browser) => {
      shown += 1;
      return show(browser, CRASH);
    });
    await expect(crashing).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The page crashed while it was drawn.',
    });
    expect(shown).toBe(2);
  });
  test.skipIf(process.platform !== 'linux')('is late because of others where they have the processor', async () => {
    await using browsers = openBrowsers();
    await browsers.run(20_000, (browser) => show(browser, 'x'));
    // Each in a session of its own, as other services are: Linux shares processors out between sessions first.
    const others = Array.from({ length: 4 * availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', detached: true }),
    );
    try {
      const late = browsers.run(8_000, (browser) => show(browser, '<script>for (;;);</script>'));
      await expect(late).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
    } finally {
      for (const other of others) other.kill('SIGKILL');
    }
  });
  test('that a page crashed, and that cannot be replaced: the crash is what there is to say', async () => {
    await using folder = await temporaryFolder();
    await chmod(folder.path, 0o755);
    const chromiumPath = join(folder.path, 'chromium-headless-shell');
    await symlink(CHROMIUM?.path ?? '', chromiumPath);
    await using browsers = new Browsers({ chromiumPath, programFolders: [] });
    await browsers.run(20_000, async () => {});
    await unlink(chromiumPath);
    await expect(browsers.run(20_000, (browser) => show(browser, CRASH))).rejects.toThrow(
      /^The page crashed while it was drawn\.$/,
    );
  });
  test('that is not ready in time is the next job’s', async () => {
    await using browsers = openBrowsers();
    await expect(browsers.run(1, async () => {})).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
    expect(await browsers.run(20_000, (browser) => show(browser, 'x'))).toContain('x');
  });
});
