// Collects the licences of bundled packages in one text.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const MARKER = 'node_modules/';

/**
 * @param files the bundled files, relative to `root`
 * @throws if a package has neither a licence text nor the name of a licence
 */
export async function licencesOf(files: readonly string[], root: string): Promise<string> {
  const packages = [...new Set(files.flatMap((file) => packageOf(file) ?? []))].sort();
  const texts = await Promise.all(packages.map((folder) => licenceOf(join(root, folder))));
  return ['These packages are part of the files in this folder, each under its own licence.', ...texts].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}

/** `node_modules/koa` for `node_modules/koa/lib/application.js`; null for files outside packages. */
function packageOf(file: string): string | null {
  const at = file.lastIndexOf(MARKER);
  if (at < 0) return null;
  const parts = file.slice(at + MARKER.length).split('/');
  return file.slice(0, at + MARKER.length) + parts.slice(0, parts[0]?.startsWith('@') ? 2 : 1).join('/');
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license, author, homepage } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((each) => /^(licen[cs]e|copying)/i.test(each));
  const heading = `${name} ${version} (${license})`;
  if (file !== undefined) return `${heading}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`;
  if (typeof license !== 'string') throw new Error(`${name} says of no licence.`);
  const who = typeof author === 'string' ? author : (author?.name ?? 'its authors');
  return `${heading}\n\nCopyright ${who}. ${homepage ?? ''} Its package holds no text of the licence.`.trim();
}
