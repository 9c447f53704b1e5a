// Tests the font library as a render uses it: it loads the fonts that a scene needs and reports diagnostics.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { FontQuery } from '#core/text/font-set.ts';
import { findPackage } from '#draw/fonts/catalog.ts';
import { type FontLibraryOptions, openFontLibrary } from '#draw/fonts/font-library.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-library-'));
afterAll(() => rmSync(folder, { recursive: true }));
const mono = join(findPackage('@expo-google-fonts/jetbrains-mono') ?? '', '400Regular/JetBrainsMono_400Regular.ttf');

const library = (options: Partial<FontLibraryOptions> = {}) => openFontLibrary({ folders: [], ...options });

function query(families: string, weight = 400, style: FontQuery['style'] = 'normal'): FontQuery {
  return { families: families.split(', '), weight, style, variations: {}, lang: null };
}

function need(font: FontQuery, text = 'a', layer = 'title') {
  return { query: font, text, layer };
}

test('a chain holds opened faces with their bytes', async () => {
  const fonts = await library();
  const title = query('Playfair Display', 700, 'italic');
  const loaded = await fonts.load([need(title, 'aא')]);
  const chain = loaded.fonts.chain(title);
  expect(chain.map(({ face }) => face.key)).toEqual(['Playfair Display 700 italic', 'Noto Sans Hebrew 700']);
  expect(chain.map(({ slant }) => slant.toFixed(3))).toEqual(['0.000', '0.249']);
  expect(chain[0]?.face.file).toMatchObject({ family: 'Playfair Display', weight: 700, style: 'italic' });
  expect([...(chain[0]?.face.file.bytes.subarray(0, 4) ?? [])]).toEqual([0, 1, 0, 0]);
  expect(loaded.diagnostics).toEqual([]);
});

test('equal chains are one object in all renders, and a named family is no fallback', async () => {
  const fonts = await library();
  const chain = async (families: string) => {
    const font = query(families);
    return (await fonts.load([need(font, 'aא')])).fonts.chain(font);
  };
  const withFallback = await chain('Inter');
  expect(await chain('Inter')).toBe(withFallback);
  const named = await chain('Inter, Noto Sans Hebrew');
  expect(named.map(({ face }) => face)).toEqual(withFallback.map(({ face }) => face));
  expect([withFallback, named].map(([, second]) => second?.isFallback ?? false)).toEqual([true, false]);
});

test('colour faces are never slanted', async () => {
  const fonts = await library();
  const smile = query('Noto Color Emoji', 400, 'italic');
  expect((await fonts.load([need(smile, '😀')])).fonts.chain(smile)[0]?.slant).toBe(0);
});

test('an unknown family is reported once a layer, with the nearest name', async () => {
  const fonts = await library();
  const { diagnostics } = await fonts.load([need(query('Plaifair Display')), need(query('Zapf'), 'a', 'price')]);
  expect(diagnostics).toEqual([
    {
      code: 'unknown-family',
      layer: 'title',
      message: expect.stringMatching(
        /^Font family "Plaifair Display" is not known; did you mean "Playfair Display"\? There are "Inter", ".+ and \d+ more\.$/,
      ),
    },
    {
      code: 'unknown-family',
      layer: 'price',
      message: expect.stringMatching(
        /^Font family "Zapf" is not known; there are "Inter", "(?!Noto).+ and \d+ more\.$/,
      ),
    },
  ]);
  // A warning has at most 300 characters.
  expect(diagnostics.map(({ message }) => message.length > 200 && message.length <= 300)).toEqual([true, true]);
});

test('a package that is not installed is missing, and its family explained', async () => {
  const fonts = await library({ findPackage: (name) => (name.endsWith('-jp') ? null : findPackage(name)) });
  expect(fonts.missing).toEqual(['Noto Sans JP (Japanese) is not installed: platen fonts add cjk']);
  expect(fonts.families).not.toContain('Noto Sans JP');
  const { diagnostics } = await fonts.load([need(query('Noto Sans JP'))]);
  expect(diagnostics[0]?.message).toBe(
    'Font family "Noto Sans JP" is not installed on this server: platen fonts add cjk',
  );
});

test('text whose fonts are not installed is told with the command that installs them, once a layer', async () => {
  const fonts = await library({ findPackage: (name) => (/-(jp|kr|sc|thai)$/.test(name) ? null : findPackage(name)) });
  const font = query('Inter');
  const warnings = async (text: string) =>
    (await fonts.load([need(font, text)])).diagnostics.map(({ code, message }) => `${code}: ${message}`);
  const cjk =
    'font-not-installed: Layer "title": the fonts for Chinese, Japanese and Korean text are not installed on this server: platen fonts add cjk';
  expect(await warnings('Hello, 世界')).toEqual([cjk]);
  expect(await warnings('こんにちは 한국어')).toEqual([cjk]);
  expect(await warnings('ไทย')).toEqual([
    'font-not-installed: Layer "title": the fonts for the script of Noto Sans Thai are not installed on this server: platen fonts add "Noto Sans Thai"',
  ]);
  // No warning: these fonts are installed, or no family of the catalogue has the characters.
  expect(await warnings('Hello, שלום 😀 \u{10ffff} \u{13000}')).toEqual([]);
});

test('the user’s own fonts can be asked for, and the broken are listed', async () => {
  copyFileSync(mono, join(folder, 'own.ttf'));
  writeFileSync(join(folder, 'broken.ttf'), 'nothing that a font would say');
  const fonts = await library({
    folders: [folder],
    findPackage: (name) => (name.endsWith('mono') ? null : findPackage(name)),
  });
  const code = query('JetBrains Mono');
  const chain = (await fonts.load([need(code)])).fonts.chain(code);
  expect(chain[0]?.face.key).toMatch(/^JetBrains Mono 400 normal [0-9a-f]{32}$/);
  expect(fonts.skipped).toEqual([
    `${join(folder, 'broken.ttf')}: The file is not a TrueType, OpenType, WOFF or WOFF2 font.`,
  ]);
});

/** Loads Inter twice in parallel and once more; returns how many faces were opened. */
async function interFaces(options: Partial<FontLibraryOptions>): Promise<number> {
  const fonts = await library(options);
  const inter = query('Inter');
  const load = async () => (await fonts.load([need(inter)])).fonts.chain(inter)[0]?.face;
  return new Set([...(await Promise.all([load(), load()])), await load()]).size;
}

test('renders share one read and one face', async () => expect(await interFaces({})).toBe(1));
test('faces beyond the bound are opened anew', async () => expect(await interFaces({ memory: 1024 })).toBe(2));
