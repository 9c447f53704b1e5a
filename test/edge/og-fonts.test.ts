// Tests the forms that the fonts of `platen/og` may have.

import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { loadFonts } from '#edge/og/given-fonts.ts';
import { renderElement } from '../../src/og.ts';

const FILE = new Uint8Array(
  readFileSync(new URL(import.meta.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'))),
);
const BOLD = { name: 'Inter', weight: 700, style: 'normal', data: FILE };

afterEach(() => void vi.unstubAllGlobals());

test('a list of @vercel/og stays the same object', async () => {
  const fonts = [{ name: 'Inter', data: FILE }];
  expect(await loadFonts(fonts)).toBe(fonts);
});

test('a file without a description has the name, weight and style that it says', async () =>
  expect(await loadFonts([FILE])).toEqual([BOLD]));

test('what is described wins over the file, and data may be loaded later', async () => {
  const fonts = Promise.resolve([
    { weight: 400, data: async () => FILE },
    { name: 'Mine', data: () => FILE.buffer },
  ]);
  const [first, second] = await loadFonts(fonts);
  expect(first).toEqual({ ...BOLD, weight: 400 });
  expect(second).toEqual({ name: 'Mine', data: FILE.buffer });
  expect(await loadFonts(fonts)).toBe(await loadFonts(fonts));
});

test('an address is fetched once, and again after a failure', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return asked.length === 1 ? new Response('busy', { status: 503 }) : new Response(FILE);
  });
  const load = () => loadFonts(['https://fonts.test/inter.ttf']);
  await expect(load()).rejects.toThrow('fonts[0]: Font https://fonts.test/inter.ttf: the server answered 503.');
  expect([await load(), await load()]).toEqual([[BOLD], [BOLD]]);
  expect(asked).toHaveLength(2);
});

test('what is no font is refused by its place', async () => {
  const div = { type: 'div', props: { children: 'x' } };
  await expect(loadFonts(['file:///etc/passwd'])).rejects.toThrow(
    'fonts[0]: Font file:///etc/passwd: must be an http: or https: address.',
  );
  await expect(loadFonts([FILE, { data: () => 'x' as never }])).rejects.toThrow(
    'fonts[1]: data must be an ArrayBuffer or a Uint8Array.',
  );
  await expect(loadFonts([new Uint8Array(9)])).rejects.toThrow(/^fonts\[0\]: /);
  await expect(renderElement(div, { css: [{ a: 1 } as never] })).rejects.toThrow(
    'css: must be a style sheet or a list',
  );
});
