// The fonts of one document: faces as they come into use, embedded subsets at the end.

import type { FontSet } from '#core/text/font-set.ts';
import type { PdfDocument } from './document.ts';
import { type FontSource, INVISIBLE, sourceOf } from './font-source.ts';
import { FontSubset, MAX_CODES } from './font-subset.ts';
import { writeType0Font } from './type0-font.ts';

export class EmbeddedFonts {
  readonly #document: PdfDocument;
  readonly #fonts: FontSet;
  readonly #open = new Map<FontSource, FontSubset>();
  readonly #subsets: FontSubset[] = [];

  constructor(document: PdfDocument, fonts: FontSet) {
    this.#document = document;
    this.#fonts = fonts;
  }

  /** The subset of a face that takes further glyphs. */
  face(key: string): FontSubset {
    return this.#subset(sourceOf(this.#fonts.face(key)));
  }

  /** The font without a mark. Its units are thousandths of the font size. */
  invisible(): FontSubset {
    return this.#subset(INVISIBLE);
  }

  /** Writes every font that was used. */
  finish(): void {
    for (const subset of this.#subsets) writeType0Font(this.#document, subset);
  }

  #subset(source: FontSource): FontSubset {
    const open = this.#open.get(source);
    // Half is kept free, so that a run which starts in a subset also ends in it.
    if (open && open.glyphs.length < MAX_CODES / 2) return open;
    const reference = this.#document.reserve();
    const name = this.#document.resource('Font', reference, () => reference);
    const subset = new FontSubset(source, name, reference);
    this.#open.set(source, subset);
    this.#subsets.push(subset);
    return subset;
  }
}
