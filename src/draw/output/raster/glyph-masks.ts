// Rasterises letters as masks, once per face, size and subpixel position, and keeps them between renders.

import type { Matrix } from '#core/geometry.ts';
import { type PathData, transformPath } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { resourceCache } from '../resource-cache.ts';
import type { PaintMemory } from './paint-memory.ts';

/** A letter's coverage, without empty rows and columns at its edges. */
export interface GlyphMask {
  /** Relative to the pixel in which the letter's origin lies. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly alphas: Uint8Array;
}

/** Horizontal subpixel positions per pixel; a letter moves by at most an eighth of a pixel. */
export const PHASES = 4;
/** Vertical subpixel positions of the baseline per pixel. */
export const BASELINES = 1000;
/** Most pixels of one mask. */
const MOST_PIXELS = 1 << 18;

interface Sheet {
  /** By glyph and phase. 'large': too large for a mask. Null: the letter is blank. */
  readonly masks: Map<number, GlyphMask | null | 'large'>;
  /** The unused rest of the newest block. Masks lie side by side in blocks: an `ArrayBuffer` takes 300 B by itself. */
  room: Uint8Array;
  /** Bytes of all blocks. */
  bytes: number;
}

/** Bytes of the smallest and the largest block, but for masks that are larger. */
const LEAST_BLOCK = 512;
const LARGEST_BLOCK = 8192;
/** Approximate bytes of a mask beyond its pixels. */
const NOTED = 200;

const kept = resourceCache.of<Sheet>('glyph masks');

/** The masks of one face at one size, for one vertical subpixel position. */
class MaskSheet {
  readonly #key: string;
  readonly #face: FontFace;
  readonly #fontSize: number;
  readonly #slant: number;
  readonly #phaseY: number;
  readonly #sheet: Sheet;
  #isNew = false;

  /**
   * @param fontSize device px
   * @param phaseY subpixel position of the baseline, in units of 1 / `BASELINES`
   */
  constructor(face: FontFace, fontSize: number, slant: number, phaseY: number) {
    this.#key = `${face.key} ${fontSize} ${slant} ${phaseY}`;
    this.#face = face;
    this.#fontSize = fontSize;
    this.#slant = slant;
    this.#phaseY = phaseY;
    this.#sheet = kept.get(this.#key) ?? { masks: new Map(), room: new Uint8Array(0), bytes: 0 };
  }

  /** Whether it has the masks for these values of the constructor's parameters. */
  isOf(face: FontFace, fontSize: number, slant: number, phaseY: number): boolean {
    return face === this.#face && fontSize === this.#fontSize && slant === this.#slant && phaseY === this.#phaseY;
  }

  /** @param phaseX subpixel position of the origin, in units of 1 / `PHASES` */
  mask(glyph: number, phaseX: number, memory: PaintMemory): GlyphMask | null | 'large' {
    const key = glyph * PHASES + phaseX;
    let mask = this.#sheet.masks.get(key);
    if (mask === undefined) {
      mask = this.#make(glyph, phaseX / PHASES, memory);
      this.#sheet.masks.set(key, mask);
      this.#isNew = true;
    }
    return mask;
  }

  /** Stores new masks in the cache; until then nothing is stored. */
  keep(): void {
    if (!this.#isNew) return;
    kept.set(this.#key, this.#sheet, this.#sheet.bytes + NOTED * this.#sheet.masks.size);
    this.#isNew = false;
  }

  #make(glyph: number, originX: number, memory: PaintMemory): GlyphMask | null | 'large' {
    const outline = this.#face.outline(glyph);
    if (outline.length === 0) return null;
    const mark = memory.mark();
    const { from, to } = memory.write(outline);
    const scale = this.#fontSize / this.#face.unitsPerEm;
    const found = memory.kernels.coverLetter(
      from,
      to,
      scale,
      this.#slant,
      originX,
      this.#phaseY / BASELINES,
      MOST_PIXELS,
    );
    memory.release(mark);
    const [x = 0, y = 0, width = 0, height = 0] = new Int32Array(memory.bytes.buffer, found, 4);
    if (width <= 0) return width < 0 ? 'large' : null;
    const alphas = this.#room(width * height);
    alphas.set(memory.bytes.subarray(found + 16, found + 16 + alphas.length));
    return { x, y, width, height, alphas };
  }

  #room(bytes: number): Uint8Array {
    const sheet = this.#sheet;
    if (sheet.room.length < bytes) {
      const block = Math.max(LEAST_BLOCK, Math.min(LARGEST_BLOCK, sheet.bytes >> 1));
      sheet.room = new Uint8Array(Math.max(bytes, block));
      sheet.bytes += sheet.room.length;
    }
    const room = sheet.room.subarray(0, bytes);
    sheet.room = sheet.room.subarray(bytes);
    return room;
  }
}

/** The sheets of one picture: remembers the newest, which the words of a line share. */
export class MaskSheets {
  #newest: MaskSheet | null = null;

  /** The parameters are those of a sheet. */
  of(face: FontFace, fontSize: number, slant: number, phaseY: number): MaskSheet {
    if (!this.#newest?.isOf(face, fontSize, slant, phaseY)) {
      this.#newest?.keep();
      this.#newest = new MaskSheet(face, fontSize, slant, phaseY);
    }
    return this.#newest;
  }

  /** Stores what is new; the sheets before the newest have been stored when it was opened. */
  keep(): void {
    this.#newest?.keep();
  }
}

/** A letter's outline relative to its origin, y down, in px of the run. */
export function letterPath(run: GlyphRun, face: FontFace, glyph: number): PathData {
  return transformPath(face.outline(glyph), letterScale(run, face));
}

/** From font units, y up, to px of the run, y down. */
export function letterScale({ fontSize, slant }: GlyphRun, face: FontFace): Matrix {
  const scale = fontSize / face.unitsPerEm;
  return [scale, 0, slant * scale, -scale, 0, 0];
}
