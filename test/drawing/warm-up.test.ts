import { expect, test } from 'vitest';
import { warmUp } from '#drawing/warm-up.ts';
import { openFontLibrary } from '#fonts/font-library.ts';
import { partThreads } from '#pixels/part-threads.ts';

test('a warm server has its threads and its faces, and nothing was amiss with the card', async () => {
  const library = await openFontLibrary({ folders: [] });
  const diagnostics: unknown[] = [];
  await warmUp({
    async load(needs) {
      const loaded = await library.load(needs);
      diagnostics.push(...loaded.diagnostics);
      return loaded;
    },
  });
  expect(diagnostics).toEqual([]);
  expect(partThreads()).not.toBeNull();
});
