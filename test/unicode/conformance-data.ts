// Reads the cases of a Unicode 15.0 conformance file: its lines without comments.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

export function conformanceCases(name: 'BidiCharacterTest' | 'LineBreakTest' | 'GraphemeBreakTest'): string[] {
  const file = join(import.meta.dirname, `${name}-15.0.0.txt.br`);
  return brotliDecompressSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .map((line) => line.replace(/\s*#.*/, ''))
    .filter((line) => line !== '');
}

/** A case of LineBreakTest or GraphemeBreakTest: `÷ 0061 × 0308 ÷`. */
export function parseBreaks(line: string): { text: string; boundaries: number[] } {
  let text = '';
  const boundaries: number[] = [];
  for (const token of line.split(' ')) {
    if (token === '÷') boundaries.push(text.length);
    else if (token !== '×') text += String.fromCodePoint(Number.parseInt(token, 16));
  }
  return { text, boundaries };
}
