// Letters as masks, each made once for a face, a size and a place within a pixel, and kept between renders.

import type { Matrix } from '#core/geometry.ts';
import { type PathData, transformPath } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { keptMemory } from '../kept-memory.ts';
import type { PaintMemory } from './paint-memory.ts';

/** What a letter covers, without the rows and columns at its edges that show nothing. */
export interface GlyphMask {
  /** From the pixel that the letter's origin lies in. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly alphas: Uint8Array;
}

/** Places of a letter within the width of a pixel: an eighth of one is the most that it is moved by. */
export const PHASES = 4;
/** Baselines that are told apart within a pixel. */
export const BASELINES = 1000;
/** Pixels of one mask, at most. */
const MOST_PIXELS = 1 << 18;

/** 'large': not to be had as a mask. Null: the letter shows nothing. By glyph and phase. */
type Masks = Map<number, GlyphMask | null | 'large'>;

const kept = keptMemory.of<Masks>('glyph masks');

/** The masks of one face at one size, on baselines that lie alike within a pixel. */
export class MaskSheet {
  readonly #key: string;
  readonly #face: FontFace;
  readonly #fontSize: number;
  readonly #slant: number;
  readonly #phaseY: number;
  readonly #masks: Masks;
  #isNew = false;

  /**
   * @param fontSize device px
   * @param phaseY where in its pixel the baseline lies, as `BASELINES` counts
   */
  constructor({ face, slant }: GlyphRun, fontSize: number, phaseY: number, loaded: FontFace) {
    this.#key = `${face} ${fontSize} ${slant} ${phaseY}`;
    this.#face = loaded;
    this.#fontSize = fontSize;
    this.#slant = slant;
    this.#phaseY = phaseY / BASELINES;
    this.#masks = kept.get(this.#key) ?? new Map();
  }

  /** @param phaseX where in its pixel the origin lies, as `PHASES` counts */
  mask(glyph: number, phaseX: number, memory: PaintMemory): GlyphMask | null | 'large' {
    const key = glyph * PHASES + phaseX;
    let mask = this.#masks.get(key);
    if (mask === undefined) {
      mask = this.#make(glyph, phaseX / PHASES, memory);
      this.#masks.set(key, mask);
      this.#isNew = true;
    }
    return mask;
  }

  /** Keeps what was made; nothing is, before. */
  keep(): void {
    if (!this.#isNew) return;
    let bytes = 0;
    for (const mask of this.#masks.values()) bytes += 200 + (typeof mask === 'object' ? (mask?.alphas.length ?? 0) : 0);
    kept.set(this.#key, this.#masks, bytes);
    this.#isNew = false;
  }

  #make(glyph: number, originX: number, memory: PaintMemory): GlyphMask | null | 'large' {
    const outline = this.#face.outline(glyph);
    if (outline.length === 0) return null;
    const mark = memory.mark();
    const { from, to } = memory.write(outline);
    const scale = this.#fontSize / this.#face.unitsPerEm;
    const found = memory.kernels.coverLetter(from, to, scale, this.#slant, originX, this.#phaseY, MOST_PIXELS);
    memory.release(mark);
    const [x = 0, y = 0, width = 0, height = 0] = new Int32Array(memory.bytes.buffer, found, 4);
    if (width <= 0) return width < 0 ? 'large' : null;
    return { x, y, width, height, alphas: memory.bytes.slice(found + 16, found + 16 + width * height) };
  }
}

/** A letter's outline about its own origin, y down, in the run's own px. */
export function letterPath(run: GlyphRun, face: FontFace, glyph: number): PathData {
  return transformPath(face.outline(glyph), letterScale(run, face));
}

/** From font units, y up, to the run's own px, y down. */
export function letterScale({ fontSize, slant }: GlyphRun, face: FontFace): Matrix {
  const scale = fontSize / face.unitsPerEm;
  return [scale, 0, slant * scale, -scale, 0, 0];
}
