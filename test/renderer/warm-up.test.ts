import { expect, test } from 'vitest';
import { partThreads } from '#encoders/part-threads.ts';
import { openFontLibrary } from '#fonts/font-library.ts';
import { warmUp } from '#renderer/warm-up.ts';

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
