// Manages the fonts of one document: subsets of faces, created as they come into use.

import type { FontSet } from '#core/text/font-set.ts';
import type { PdfDocument } from './document.ts';
import { type FontSource, sourceOf, UNDRAWN_FONT } from './font-source.ts';
import { FontSubset, MAX_CODES } from './font-subset.ts';

export class EmbeddedFonts {
  readonly #document: PdfDocument;
  readonly #fonts: FontSet;
  readonly #open = new Map<FontSource, FontSubset>();
  readonly #subsets: FontSubset[] = [];
  #latest: FontSubset | null = null;

  constructor(document: PdfDocument, fonts: FontSet) {
    this.#document = document;
    this.#fonts = fonts;
  }

  /** The subset of a face to which further glyphs are added. */
  face(key: string): FontSubset {
    return this.#subset(sourceOf(this.#fonts.face(key)));
  }

  /** The font with blank glyphs. Its units are thousandths of the font size. */
  invisible(): FontSubset {
    return this.#subset(UNDRAWN_FONT);
  }

  /** The subset that was used last; the blank one when there is none. */
  latest(): FontSubset {
    return this.#latest ?? this.invisible();
  }

  /** Every font that was used; the caller writes them. */
  get subsets(): readonly FontSubset[] {
    return this.#subsets;
  }

  #subset(source: FontSource): FontSubset {
    const open = this.#open.get(source);
    // A subset that is half full takes no new run, so that a run which starts in a subset also fits in it.
    if (open && open.glyphs.length < MAX_CODES / 2) {
      this.#latest = open;
      return open;
    }
    const reference = this.#document.reserve();
    const subset = new FontSubset(
      source,
      this.#document.resource('Font', reference, () => reference),
    );
    this.#open.set(source, subset);
    this.#subsets.push(subset);
    this.#latest = subset;
    return subset;
  }
}
