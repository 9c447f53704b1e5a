// Compares golden/<area>/<case>.png and .pdf.txt, the accepted results, with a fresh render.
//
// Nothing here decides that a picture is right: the person who accepts it does. A golden that is missing, too large, or
// has lost its fixture is as wrong as one that differs.

import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CASES, ROOT } from './cases.ts';
import { comparePictures } from './compare-pictures.ts';
import { pageText } from './pdf-page-text.ts';
import { decodePicture, encodePicture, type Picture } from './picture.ts';
import { poppler, wordsOf } from './poppler.ts';

export const GOLDEN = join(ROOT, 'golden');
/** Where failures write their pictures; never committed. */
export const OUT = join(GOLDEN, '.out');
/** The maximum size of a golden, bytes. A larger one tests more than one thing, or has too large a canvas. */
export const MAX_GOLDEN_BYTES = 48 * 1024;

/** What is wrong with one golden, with all that a report shows about it. */
export interface Finding {
  readonly name: string;
  readonly kind: 'missing' | 'different';
  readonly message: string;
  readonly pictures: {
    readonly expected: Picture | null;
    readonly difference: Picture | null;
    readonly actual: Picture;
  } | null;
  readonly texts: { readonly expected: string | null; readonly actual: string } | null;
}

const accept = (name: string) => `Look at the picture, then run: npm run golden -- ${name}`;

/** Returns null if the PNG matches its golden. */
export async function judgePicture(name: string, png: Uint8Array, folder = GOLDEN): Promise<Finding | null> {
  const path = join(folder, `${name}.png`);
  const actual = await decodePicture(png);
  if (!existsSync(path)) {
    const message = `golden/${name}.png is missing. ${accept(name)}`;
    return { name, kind: 'missing', message, pictures: { expected: null, difference: null, actual }, texts: null };
  }
  const expected = await decodePicture(readFileSync(path));
  const difference = comparePictures(expected, actual);
  if (difference === null) return null;
  return {
    name,
    kind: 'different',
    message: `${name}: ${difference.summary}. See golden/.out/${name}.png`,
    pictures: { expected, difference: difference.picture, actual },
    texts: null,
  };
}

const WORDS = 'words\n';
const indent = (text: string) => text.replace(/^(?=.)/gm, '  ');

/** Returns a PDF's golden: its words, if poppler is there to read them, then its page as operators. */
export function pdfText(pdf: Uint8Array): string {
  const words = poppler ? `${WORDS}${indent(wordsOf(pdf))}\n\n` : '';
  return words + pageText(pdf);
}

const withoutWords = (text: string) => text.slice(Math.max(0, text.search(/^page \[/m)));

/** Returns null if the PDF's words and operators match its golden. */
export function judgePdfText(name: string, actual: string, folder = GOLDEN): Finding | null {
  const path = join(folder, `${name}.pdf.txt`);
  if (!existsSync(path)) {
    const message = `golden/${name}.pdf.txt is missing. ${accept(name)}`;
    return { name, kind: 'missing', message, pictures: null, texts: { expected: null, actual } };
  }
  const accepted = readFileSync(path, 'utf8');
  const expected = actual.startsWith(WORDS) ? accepted : withoutWords(accepted);
  if (expected === actual) return null;
  const lines = firstDifference(expected, actual);
  const message = `${name}.pdf.txt differs ${lines}. See golden/.out/report.html`;
  return { name, kind: 'different', message, pictures: null, texts: { expected, actual } };
}

function firstDifference(expected: string, actual: string): string {
  const [a, b] = [expected.split('\n'), actual.split('\n')];
  const line = b.findIndex((text, index) => text !== a[index]);
  const at = line === -1 ? b.length : line;
  return `from line ${at + 1}: expected ${JSON.stringify(a[at] ?? '')}, got ${JSON.stringify(b[at] ?? '')}`;
}

/** Writes the actual result as the new golden. Returns its path relative to the root. */
export async function acceptFinding({ name, pictures, texts }: Finding, folder = GOLDEN): Promise<string> {
  const file = pictures ? `${name}.png` : `${name}.pdf.txt`;
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, pictures ? await encodePicture(pictures.actual) : (texts?.actual ?? ''));
  return `golden/${file}`;
}

/** Writes expected | difference | actual side by side to golden/.out/<name>.png. */
export async function leavePicture({ name, pictures }: Finding): Promise<void> {
  if (!pictures) return;
  const path = join(OUT, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  const row = [pictures.expected, pictures.difference, pictures.actual].filter((picture) => picture !== null);
  writeFileSync(path, await encodePicture(sideBySide(row)));
}

const GUTTER = 8;

function sideBySide(row: readonly Picture[]): Picture {
  const width = row.reduce((sum, picture) => sum + picture.width + GUTTER, -GUTTER);
  const height = Math.max(...row.map((picture) => picture.height));
  const pixels = new Uint8Array(4 * width * height);
  let left = 0;
  for (const picture of row) {
    for (let y = 0; y < picture.height; y++) {
      const line = picture.pixels.subarray(4 * y * picture.width, 4 * (y + 1) * picture.width);
      pixels.set(line, 4 * (y * width + left));
    }
    left += picture.width + GUTTER;
  }
  return { width, height, pixels };
}

/** The files under golden/, without the output of a failing run. */
export function goldenFiles(): string[] {
  return globSync('*/*.*', { cwd: GOLDEN })
    .filter((file) => !file.startsWith('.'))
    .sort();
}

/** Goldens whose fixture is gone. */
export function deadGoldens(files: readonly string[]): string[] {
  const alive = new Set(CASES.flatMap(({ name }) => [`${name}.png`, `${name}.pdf.txt`]));
  return files.filter((file) => !alive.has(file));
}
