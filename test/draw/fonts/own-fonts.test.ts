import { expect, test, vi } from 'vitest';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { OwnFonts } from '#draw/fonts/own-fonts.ts';

test('the faces of a cached library are asked for again every minute, so that copies of their files are kept', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const fonts = new OwnFonts(await openFontLibrary({ folders: [] }));
  let asked = 0;
  const faces = async () => {
    asked += 1;
    return [];
  };
  const library = await fonts.libraryOf('a', faces);
  for (let second = 0; second < 150; second += 1) {
    expect(await fonts.libraryOf('a', faces)).toBe(library);
    vi.advanceTimersByTime(1_000);
  }
  expect(asked).toBe(3);
  vi.useRealTimers();
});
