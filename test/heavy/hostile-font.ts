// Makes a font whose only letter, "a", is a tangle of edges from top to bottom of the em that all cross each other.

import { writeFile } from 'node:fs/promises';
import opentype from 'opentype.js';
import type { FontRecord } from '#draw/fonts/own-fonts.ts';
import { inspectFont } from '#draw/fonts/user-fonts.ts';

const UNITS = 1000;

/**
 * Writes the font to `path` and returns its record, as a renderer gets it. The advance is tiny, so letters overlap
 * almost completely.
 */
export async function hostileFont(path: string, edges: number): Promise<FontRecord> {
  const outline = new opentype.Path();
  outline.moveTo(0, 0);
  let state = 1;
  for (let i = 0; i < edges; i += 1) {
    state = (state * 48_271) % 2_147_483_647;
    outline.lineTo(state % UNITS, i % 2 === 0 ? UNITS : 0);
  }
  outline.close();
  const glyph = (name: string, unicode: number, path = new opentype.Path()) =>
    new opentype.Glyph({ name, unicode, advanceWidth: UNITS / 100, path });
  const font = new opentype.Font({
    familyName: 'Tangle',
    styleName: 'Regular',
    unitsPerEm: UNITS,
    ascender: 800,
    descender: -200,
    glyphs: [glyph('.notdef', 0), glyph('space', 32), glyph('a', 97, outline)],
  });
  const bytes = new Uint8Array(font.toArrayBuffer());
  await writeFile(path, bytes);
  const face = await inspectFont(bytes, path);
  return { ...face, coverage: face.coverage.toString() };
}
