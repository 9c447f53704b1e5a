// Letters as masks of alphas, each made once for a face, a size and a place within a pixel, and kept.

import type { PathData, PathSegment } from '#core/path.ts';
import type { FontFace } from '#core/text/font-face.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { keptMemory } from '../../kept-memory.ts';
import { coverLetter, type Mask } from '../coverage.ts';
import { PHASES } from '../snap-glyphs.ts';

/** Null: the letter shows nothing. By glyph and phase; places are from the pixel that the letter's origin lies in. */
type Masks = Map<number, Mask | null>;

const kept = keptMemory.of<Masks>('glyph masks');

/** The masks of one face at one size, on baselines that lie alike within a pixel. */
export class MaskSheet {
  readonly #key: string;
  readonly #run: GlyphRun;
  readonly #phaseY: number;
  readonly #face: FontFace;
  readonly #masks: Masks;
  #isNew = false;

  /** @param phaseY where in its pixel the baseline lies, thousandths */
  constructor(run: GlyphRun, phaseY: number, face: FontFace) {
    this.#key = `${run.face} ${run.fontSize} ${run.slant} ${phaseY}`;
    this.#run = run;
    this.#phaseY = phaseY / 1000;
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
    for (const mask of this.#masks.values()) bytes += 200 + (mask ? mask.alphas.length : 0);
    kept.set(this.#key, this.#masks, bytes);
    this.#isNew = false;
  }

  #make(glyph: number, phaseX: number): Mask | null {
    const scale = thousandths(this.#run, this.#face);
    return coverLetter(this.#face.outline(glyph), scale, this.#run.slant, { x: phaseX, y: this.#phaseY });
  }
}

/** Thousandths of a px per font unit. */
function thousandths({ fontSize }: GlyphRun, { unitsPerEm }: FontFace): number {
  return (1000 * fontSize) / unitsPerEm;
}

/** A letter's outline about its own origin, px, in thousandths as SVG text has it. */
export function outlinePath(run: GlyphRun, face: FontFace, glyph: number): PathData {
  const scale = thousandths(run, face);
  const x = (px: number, py: number) => Math.round((px + run.slant * py) * scale) / 1000;
  const y = (py: number) => Math.round(-py * scale) / 1000;
  return face.outline(glyph).map((segment): PathSegment => {
    if (segment[0] === 'Z') return segment;
    if (segment[0] !== 'C') return [segment[0], x(segment[1], segment[2]), y(segment[2])];
    const [, x1, y1, x2, y2, x3, y3] = segment;
    return ['C', x(x1, y1), y(y1), x(x2, y2), y(y2), x(x3, y3), y(y3)];
  });
}
