// Tests that Chromium, which runs as another user when Platen is root, has the fonts of folders that only root may read.

import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { drawHtml } from '#server/chromium/draw-html.ts';
import { readableFolders, unreadableFolders } from '#server/chromium/readable-fonts.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { guardFor } from '../net/servers.ts';
import { digest, hasChromium, openBrowsers } from './chromium.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };
/** A family that no system brings. */
const FAMILY = 'Playfair Display';
const library = await openFontLibrary({ folders: [] });
const face = library.faces.find(({ family }) => family === FAMILY);

/** Draws words in the family, from the font of one folder. */
async function drawnWith(folder: string): Promise<string> {
  await using browsers = openBrowsers({}, { folders: [folder], generic: new Map() });
  const html = `<p style="font:40px '${FAMILY}'">Hello</p>`;
  const template = HtmlTemplate.parse({ name: 'T', width: 200, height: 100, engine: 'html', html });
  const page = resolveHtml(template, {});
  const { bytes } = await browsers.run(20_000, (browser) =>
    drawHtml(browser, guardFor([]), page, 'png', DEFAULT_EXPORT, 5_000),
  );
  return digest(bytes);
}

/** A folder with the font, below one of the given mode. */
async function fontsBelow(mode: number) {
  const home = await temporaryFolder();
  const folder = join(home.path, 'fonts');
  await mkdir(folder);
  await copyFile(face?.path ?? '', join(folder, 'font.ttf'));
  await chmod(home.path, mode);
  return { folder, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}

const ownFolders = async () => {
  const mark = `${hostname().replaceAll(/[^A-Za-z0-9]/g, '')}-${process.pid}-fonts-`;
  return (await readdir(tmpdir())).filter((name) => name.includes(mark));
};

test.runIf(isRoot && hasChromium)('a page has the letters of fonts below a folder of mode 700', async () => {
  expect(face).toBeDefined();
  await using open = await fontsBelow(0o755);
  await using shut = await fontsBelow(0o700);
  const right = await drawnWith(open.folder);
  expect(await drawnWith(shut.folder)).toBe(right);
  // The check itself: without the font the letters are others.
  expect(await drawnWith('/nowhere')).not.toBe(right);
  expect(await ownFolders()).toEqual([]);
});

test.runIf(isRoot)('only unreadable folders are replaced, by links, and files of mode 600 by copies', async () => {
  await using open = await fontsBelow(0o755);
  await using shut = await fontsBelow(0o700);
  await using secret = await fontsBelow(0o755);
  await chmod(join(secret.folder), 0o700);
  await chmod(join(secret.folder, 'font.ttf'), 0o600);
  const all = [open.folder, shut.folder, secret.folder];
  expect(await unreadableFolders(all, NOBODY)).toEqual([shut.folder, secret.folder]);
  const readable = await readableFolders(all, NOBODY);
  expect(readable.folders[0]).toBe(open.folder);
  expect(await unreadableFolders(readable.folders, NOBODY)).toEqual([]);
  for (const folder of readable.folders) expect(await readdir(folder)).toEqual(['font.ttf']);
  await readable[Symbol.asyncDispose]();
  await expect(readdir(dirname(readable.folders[1] ?? ''))).rejects.toThrow('ENOENT');
});
