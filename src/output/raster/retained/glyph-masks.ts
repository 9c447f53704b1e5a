// Letters as masks of alphas, each made once for a face, a size and a place within a pixel, and kept.

import type { Rect } from '#core/geometry.ts';
import { type PathData, type PathSegment, pathBounds } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { keptMemory } from '../../kept-memory.ts';
import { coverPath } from '../coverage.ts';
import { PHASES } from '../snap-glyphs.ts';

/** Alphas of a letter, row by row; `x` and `y` from the pixel that its origin lies in. */
export interface Mask extends Rect {
  readonly alphas: Uint8Array;
  /** Of each row, the first column that shows anything and the one after the last. */
  readonly spans: Int32Array;
}

/** Null: the letter shows nothing. By glyph and phase. */
type Masks = Map<number, Mask | null>;

const kept = keptMemory.of<Masks>('glyph masks');

/** The masks of one face at one size, on baselines that lie alike within a pixel. */
export class MaskSheet {
  readonly #key: string;
  readonly #run: GlyphRun;
  readonly #scale: number;
  readonly #phaseY: number;
  readonly #face: FontFace;
  readonly #masks: Masks;
  #isNew = false;

  /** @param phaseY where in its pixel the baseline lies, 0 to 1 */
  constructor(run: GlyphRun, scale: number, phaseY: number, face: FontFace) {
    this.#key = `${run.face} ${run.fontSize * scale} ${run.slant} ${phaseY}`;
    this.#run = run;
    this.#scale = scale;
    this.#phaseY = phaseY;
    this.#face = face;
    this.#masks = kept.get(this.#key) ?? new Map();
  }

  /** @param phaseX quarters of a pixel that the origin lies in its pixel */
  mask(glyph: number, phaseX: number): Mask | null {
    const key = glyph * PHASES + phaseX;
    let mask = this.#masks.get(key);
    if (mask === undefined) {
      mask = this.#make(glyph, phaseX / PHASES);
      this.#masks.set(key, mask);
      this.#isNew = true;
    }
    return mask;
  }

  /** Keeps what was made; nothing is, before. */
  keep(): void {
    if (!this.#isNew) return;
    let bytes = 0;
    for (const mask of this.#masks.values()) bytes += 200 + (mask ? mask.alphas.length + mask.spans.byteLength : 0);
    kept.set(this.#key, this.#masks, bytes);
  }

  #make(glyph: number, phaseX: number): Mask | null {
    const scale = this.#scale;
    const path = outlinePath(this.#run, this.#face, glyph);
    const bounds = pathBounds(path);
    if (!bounds || bounds.width * bounds.height === 0) return null;
    const x = Math.floor(bounds.x * scale + phaseX) - 1;
    const y = Math.floor(bounds.y * scale + this.#phaseY) - 1;
    const width = Math.ceil((bounds.x + bounds.width) * scale + phaseX) + 1 - x;
    const height = Math.ceil((bounds.y + bounds.height) * scale + this.#phaseY) + 1 - y;
    const area = { x, y, width, height };
    const alphas = coverPath(path, 'nonzero', { x: phaseX / scale, y: this.#phaseY / scale, scale }, area);
    return { ...area, alphas, spans: spansOf(alphas, width, height) };
  }
}

export function spansOf(alphas: Uint8Array, width: number, height: number): Int32Array {
  const spans = new Int32Array(2 * height);
  for (let row = 0; row < height; row++) {
    let [from, to] = [row * width, (row + 1) * width];
    while (from < to && alphas[from] === 0) from++;
    while (to > from && alphas[to - 1] === 0) to--;
    spans[2 * row] = from - row * width;
    spans[2 * row + 1] = to - row * width;
  }
  return spans;
}

/** A letter's outline about its own origin, canvas px, in thousandths as SVG text has it. */
export function outlinePath({ fontSize, slant }: GlyphRun, face: FontFace, glyph: number): PathData {
  const scale = (1000 * fontSize) / face.unitsPerEm;
  const x = (px: number, py: number) => Math.round((px + slant * py) * scale) / 1000;
  const y = (py: number) => Math.round(-py * scale) / 1000;
  return face.outline(glyph).map((segment): PathSegment => {
    if (segment[0] === 'Z') return segment;
    if (segment[0] !== 'C') return [segment[0], x(segment[1], segment[2]), y(segment[2])];
    const [, x1, y1, x2, y2, x3, y3] = segment;
    return ['C', x(x1, y1), y(y1), x(x2, y2), y(y2), x(x3, y3), y(y3)];
  });
}
