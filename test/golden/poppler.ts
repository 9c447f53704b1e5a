// Reads PDFs with other programs: words and pixels by poppler, and validation by qpdf.
//
// If a tool is absent, `poppler` or `qpdf` is false, and the tests that need it are skipped by name.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Picture } from './picture.ts';

const has = (tool: string, ...args: string[]) => spawnSync(tool, args).error === undefined;

export const poppler = has('pdftotext', '-v') && has('pdftoppm', '-v') && has('pdffonts', '-v');
export const qpdf = has('qpdf', '--version');

/** Runs a tool on a PDF, which it reads from standard input unless `args` name a file. */
function run(tool: string, args: readonly string[], pdf?: Uint8Array): Buffer {
  const { status, stdout, stderr, error } = spawnSync(tool, args, { input: pdf, maxBuffer: 1 << 29 });
  if (error) throw error;
  // qpdf exits with 3 for a file with warnings; poppler prints an error and continues, and also reports pages without words.
  const errors = stderr.toString('utf8').replace(/^no word list\n/gm, '');
  if (status !== 0 || errors !== '') throw new Error(`${tool} ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}

/**
 * Returns the words in reading order, as a reader would copy them, with one space between words and lines kept. The
 * direction marks that poppler puts around right-to-left text are removed, as its versions differ in them.
 */
export function wordsOf(pdf: Uint8Array): string {
  const lines = run('pdftotext', ['-enc', 'UTF-8', '-', '-'], pdf)
    .toString('utf8')
    .split(/[\n\f]+/);
  return lines
    .map((line) =>
      line
        .replace(/[\u200e\u200f\u202a-\u202e]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');
}

export interface PlacedWord {
  readonly text: string;
  /** Canvas px from the top left. This is poppler's box, as high as the font's ascent and descent. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns each word with its box. */
export const placedWordsOf = (pdf: Uint8Array): PlacedWord[] => placedWordsByPage(pdf).flatMap(({ words }) => words);

/** Returns the size of each page in px, and its words with their boxes. */
export function placedWordsByPage(pdf: Uint8Array): { width: number; height: number; words: PlacedWord[] }[] {
  const pages = run('pdftotext', ['-bbox', '-enc', 'UTF-8', '-', '-'], pdf).toString('utf8').split('<page ').slice(1);
  const word = /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/g;
  return pages.map((page) => {
    const [, width, height] = /^width="([\d.]+)" height="([\d.]+)"/.exec(page) ?? [];
    const words = [...page.matchAll(word)].map(([, left, top, right, bottom, text]) => {
      const [x, y, x2, y2] = [left, top, right, bottom].map((pt) => Number(pt) / 0.75) as [
        number,
        number,
        number,
        number,
      ];
      return { text: unescapeHtml(text ?? ''), x, y, width: x2 - x, height: y2 - y };
    });
    return { width: Number(width) / 0.75, height: Number(height) / 0.75, words };
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescapeHtml = (text: string) => text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** Returns the size of each page, in whole px. */
export function sizesOf(pdf: Uint8Array): { width: number; height: number }[] {
  const sizes = run('pdfinfo', ['-l', '9999', '-'], pdf)
    .toString('utf8')
    .matchAll(/^Page +\d+ size: +([\d.]+) x ([\d.]+)/gm);
  return [...sizes].map(([, width, height]) => ({
    width: Math.round(Number(width) / 0.75),
    height: Math.round(Number(height) / 0.75),
  }));
}

/** Returns what the file says of itself, by name, as pdfinfo shows it: `Title`, `Author`, `Producer`, …. */
export function propertiesOf(pdf: Uint8Array): Readonly<Record<string, string>> {
  const lines = run('pdfinfo', ['-enc', 'UTF-8', '-'], pdf)
    .toString('utf8')
    .matchAll(/^([A-Z]\w+): +(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

export interface PdfFont {
  readonly name: string;
  readonly embedded: boolean;
  readonly subset: boolean;
  readonly hasUnicode: boolean;
}

export function fontsOf(pdf: Uint8Array): PdfFont[] {
  const rows = run('pdffonts', ['-'], pdf).toString('utf8').split('\n').slice(2);
  return rows
    .filter((row) => row.trim() !== '')
    .map((row) => {
      const flags = /\b(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+\s*$/.exec(row);
      return {
        name: row.split(/\s/)[0] ?? '',
        embedded: flags?.[1] === 'yes',
        subset: flags?.[2] === 'yes',
        hasUnicode: flags?.[3] === 'yes',
      };
    });
}

/**
 * Rasterises the page at 96 dpi, on white.
 *
 * It is sampled finer and averaged: at 96 dpi poppler snaps glyphs to whole px vertically, and large ones horizontally
 * too, which would look like an error of ours.
 *
 * @param fineness samples per px in each direction; glyphs are snapped to 1 / fineness px
 */
export function rasterizePdf(pdf: Uint8Array, fineness = 8, page = 1): Picture {
  const only = String(page);
  const ppm = run('pdftoppm', ['-r', String(96 * fineness), '-f', only, '-l', only, '-'], pdf);
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.toString('latin1', 0, 64));
  if (!header) throw new Error('pdftoppm wrote no PPM');
  const [width, height] = [Number(header[1]) / fineness, Number(header[2]) / fineness].map(Math.round) as [
    number,
    number,
  ];
  const fine = ppm.subarray(header[0].length);
  const stride = 3 * Number(header[1]);
  const pixels = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let v = 0; v < fineness; v++) {
          const row = (y * fineness + v) * stride + 3 * x * fineness + c;
          for (let u = 0; u < fineness; u++) sum += fine[row + 3 * u] ?? 255;
        }
        pixels[4 * (y * width + x) + c] = Math.round(sum / fineness ** 2);
      }
      pixels[4 * (y * width + x) + 3] = 255;
    }
  }
  return { width, height, pixels };
}

/** Throws an error with qpdf's findings if the file's structure is wrong. */
export function checkPdf(pdf: Uint8Array): void {
  const folder = mkdtempSync(join(tmpdir(), 'platen-qpdf-'));
  try {
    const path = join(folder, 'page.pdf');
    writeFileSync(path, pdf);
    run('qpdf', ['--check', path]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
