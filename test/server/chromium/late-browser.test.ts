// Tests that a page is not blamed for a browser that starts late, on browsers that only this test makes.

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { overloaded } from '#base/concurrency/gate.ts';
import { AppError } from '#base/errors.ts';
import { Browsers, type BrowsersOptions } from '#server/chromium/browsers.ts';
import type { Confinement, RunningChromium } from '#server/chromium/launch.ts';

type Launch = NonNullable<BrowsersOptions['launch']>;

/** A browser without a process, so that the system tells of no waiting. */
function silent(): RunningChromium {
  let isKilled = false;
  const kill = async () => {
    isKilled = true;
  };
  return {
    browser: { connected: true, defaultBrowserContext: () => null, browserContexts: () => [] } as never,
    pid: 2 ** 30,
    ended: new Promise(() => {}),
    hasEnded: () => isKilled,
    ...{ onEnd: () => nothing, onPageCrash: () => nothing, kill, close: kill },
  };
}
const nothing: Disposable = { [Symbol.dispose]: () => {} };

const browsersStarting = (launch: Launch) =>
  new Browsers({ chromiumPath: process.execPath, programFolders: [], launch });
const startingIn =
  (ms: number): Launch =>
  () =>
    pause(ms, silent());
/** Afterwards a browser waits for its next page, also on a slow machine, where it takes a moment to be put back. */
async function haveOne(browsers: Browsers): Promise<void> {
  await browsers.run(60_000, async () => {});
  await pause(1_000);
}
const never = () => new Promise<never>(() => {});
const failing = (message: string) => async () => {
  await pause(150);
  throw new AppError('invalid_request', message);
};

describe('a page that is late', () => {
  test('by itself is told so', async () => {
    await using browsers = browsersStarting(startingIn(0));
    await haveOne(browsers);
    await expect(browsers.run(1_500, never)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'The page was not done in time.',
    });
  });
  test('after its browser had taken much of its time is none of its faults', async () => {
    // Once to find out how it is confined, and once for the page.
    await using browsers = browsersStarting(startingIn(200));
    await expect(browsers.run(800, never)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
  });
  test('and says for what it waited, where its browser started late', async () => {
    const waiting = failing('No element could be seen in time.');
    await using late = browsersStarting(startingIn(200));
    await expect(late.run(800, waiting)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
    // The next page finds a browser that is there.
    await haveOne(late);
    await expect(late.run(1_500, waiting)).rejects.toMatchObject({ code: 'invalid_request' });
  });
  test('is given no second browser', async () => {
    let started = 0;
    await using browsers = browsersStarting(async () => {
      started += 1;
      return pause(200, silent());
    });
    await haveOne(browsers);
    await expect(browsers.run(1_500, never)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(browsers.run(400, never)).rejects.toMatchObject({ code: 'overloaded' });
    expect(started).toBe(3);
  });
});

test('a browser without a processor at its start is no reason to confine it less', async () => {
  const confined: Confinement[] = [];
  await using browsers = browsersStarting(async (_, confinement) => {
    confined.push(confinement);
    if (confined.length === 1) throw overloaded();
    return silent();
  });
  await expect(browsers.run(60_000, async () => {})).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
  await browsers.run(60_000, async () => {});
  expect(confined.map(({ sandbox }) => sandbox)).toEqual([true, true, true]);
});
test('nor is one that lacks it later the server’s fault', async () => {
  let started = 0;
  await using browsers = browsersStarting(async () => {
    started += 1;
    if (started === 2) throw overloaded();
    return silent();
  });
  await expect(browsers.run(60_000, async () => {})).rejects.toMatchObject({ code: 'overloaded' });
  await browsers.run(60_000, async () => {});
});
