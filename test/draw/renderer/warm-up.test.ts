import { expect, test } from 'vitest';
import { partThreads } from '#draw/encoders/part-threads.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { warmUp } from '#draw/renderer/warm-up.ts';

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

test('requests are drawn first', async () => {
  const library = await openFontLibrary({ folders: [] });
  let loads = 0;
  let asked = 0;
  const fonts: typeof library.load = (...needs) => {
    loads++;
    return library.load(...needs);
  };
  let loadsWhileBusy = 0;
  await warmUp({ load: fonts }, () => {
    if (++asked > 5) return false;
    loadsWhileBusy = loads;
    return true;
  });
  // The first card's faces are loaded before the first pause.
  expect(loadsWhileBusy).toBe(1);
  expect(loads).toBeGreaterThan(1);
});
