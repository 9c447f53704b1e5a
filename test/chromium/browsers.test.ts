// When a browser is kept, and when it is replaced.

import type { Browser } from 'puppeteer-core';
import { describe, expect, test } from 'vitest';
import type { BrowserLimits } from '#chromium/browsers.ts';
import { hasChromium, openBrowsers } from './chromium.ts';

/** The browsers that jobs get one after the other, by number in the order of their first job. */
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

describe.skipIf(!hasChromium)('a browser', () => {
  test('is kept for a hundred jobs', async () =>
    expect(await browsersOf(102, {})).toEqual([...Array(100).fill(1), 2, 2]));
  test('is replaced after so many jobs', async () => expect(await browsersOf(5, { jobs: 2 })).toEqual([1, 1, 2, 2, 3]));
  test('is replaced when it holds more than it may with nothing to do', async () =>
    expect(await browsersOf(3, { idleMemory: 1 })).toEqual([1, 2, 3]));
});
