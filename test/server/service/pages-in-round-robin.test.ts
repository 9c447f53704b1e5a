// Tests that the pages of one account leave a Chromium for those of another.

import { expect, test } from 'vitest';
import { openPages } from '#server/service/pages/pages.ts';
import { fairnessKeyOfJobs } from '#server/service/rendering/render.ts';
import { loadConfig } from '../../../src/server/config/config.ts';

test('endless pages of one account, of jobs and previews, leave room for a page of another', async () => {
  await using pages = openPages(loadConfig({ PLATEN_BROWSERS: '2' }));
  const over = Promise.withResolvers<void>();
  const begun: string[] = [];
  const draw = (fairnessKey: string) =>
    pages.gate.pass(
      AbortSignal.timeout(10_000),
      () => {
        begun.push(fairnessKey);
        return over.promise;
      },
      fairnessKey,
    );
  const batch = fairnessKeyOfJobs('acc_a');
  const drawn = [batch, batch, batch, 'acc_a', 'acc_a', 'acc_b'].map(draw);
  await Promise.resolve();
  expect(begun).toEqual([batch, batch, 'acc_a', 'acc_b']);
  over.resolve();
  await Promise.all(drawn);
  expect(begun).toHaveLength(6);
});
