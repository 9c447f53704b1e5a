// Makes a page of a checkout one text: its pictures, fonts and style sheets become data in it.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  woff: 'font/woff',
  woff2: 'font/woff2',
  css: 'text/css',
};

const typeOf = (file: string): string | undefined => TYPES[file.split('.').at(-1)?.toLowerCase() ?? ''];

/** The file of an address in a file of the checkout. Null: elsewhere, or not there. */
export function fileOf(address: string, from: string, checkout: string): string | null {
  const [path = ''] = address.split(/[?#]/);
  if (path === '' || path.startsWith('//') || /^[a-z]+:/i.test(path)) return null;
  const file = path.startsWith('/') ? join(checkout, path) : resolve(dirname(from), path);
  return existsSync(file) && statSync(file).isFile() ? file : null;
}

function dataOf(file: string, checkout: string): string {
  const type = typeOf(file) ?? 'application/octet-stream';
  const bytes =
    type === 'text/css' ? Buffer.from(inlineFiles(readFileSync(file, 'utf8'), file, checkout)) : readFileSync(file);
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** The text of `from`, with the files that it names as data. */
export const inlineFiles = (text: string, from: string, checkout: string): string =>
  text
    .replace(/url\(\s*["']?([^"')\s]+)["']?\s*\)/g, (whole, address) => {
      const file = fileOf(address, from, checkout);
      return file ? `url("${dataOf(file, checkout)}")` : whole;
    })
    .replace(/\b(src|href|background)="([^"]*)"/g, (whole, name, address) => {
      const file = typeOf(address.split(/[?#]/)[0] ?? '') ? fileOf(address, from, checkout) : null;
      return file ? `${name}="${dataOf(file, checkout)}"` : whole;
    });
