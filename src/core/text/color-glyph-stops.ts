// Counts the colour stops of a colour glyph's longest gradient (a ColorLine of COLR version 1) before it is drawn.
//
// The binding reads all stops of a gradient into objects before it calls back, each time the gradient is used, and
// cannot be stopped: one letter may use a line of 65,535 stops 8,000 times.

const COLR = 0x434f4c52;
const HEADER = 34;
/** The most paints of one glyph that are looked at; HarfBuzz follows some 16,000. */
const MAX_PAINTS = 50_000;

/** Paint formats (OpenType 1.9). Those from `firstGradient` to `lastGradient` have a ColorLine, transforms a paint. */
const FORMAT = {
  colrLayers: 1,
  firstGradient: 4,
  lastGradient: 9,
  glyph: 10,
  colrGlyph: 11,
  firstTransform: 12,
  lastTransform: 31,
  composite: 32,
} as const;

/** The gradients of a font's colour glyphs. What lies outside the table is passed over, as HarfBuzz does. */
export class ColorLines {
  readonly #view: DataView;
  /** Offsets of the paints of each base glyph: all of them, if a damaged table has several. */
  readonly #roots = new Map<number, number[]>();
  readonly #layerList: number = 0;

  /** @param sfnt with a valid table directory */
  constructor(sfnt: Uint8Array) {
    this.#view = tableOf(sfnt);
    if (!this.#has(0, HEADER) || this.#view.getUint16(0) === 0) return;
    this.#layerList = this.#view.getUint32(18);
    const list = this.#view.getUint32(14);
    if (list === 0 || !this.#has(list, 4)) return;
    const count = this.#view.getUint32(list);
    for (let i = 0, at = list + 4; i < count && this.#has(at, 6); i++, at += 6) {
      const glyph = this.#view.getUint16(at);
      const roots = this.#roots.get(glyph);
      const root = list + this.#view.getUint32(at + 2);
      if (roots) roots.push(root);
      else this.#roots.set(glyph, [root]);
    }
  }

  /** The most stops in any gradient of a glyph; Infinity if it has more paints than any glyph. */
  longest(glyph: number): number {
    const seen = new Set<number>();
    const open: number[] = [];
    const visit = (paint: number) => {
      if (seen.has(paint) || seen.size > MAX_PAINTS || !this.#has(paint, 1)) return;
      seen.add(paint);
      open.push(paint);
    };
    const visitGlyph = (id: number) => {
      for (const root of this.#roots.get(id) ?? []) visit(root);
    };
    visitGlyph(glyph);
    let longest = 0;
    for (let paint = open.pop(); paint !== undefined; paint = open.pop()) {
      const format = this.#view.getUint8(paint);
      if (format === FORMAT.colrLayers && this.#has(paint, 6)) {
        const first = this.#layerList + 4 + 4 * this.#view.getUint32(paint + 2);
        for (let at = first; at < first + 4 * this.#view.getUint8(paint + 1) && this.#has(at, 4); at += 4) {
          visit(this.#layerList + this.#view.getUint32(at));
        }
      } else if (format >= FORMAT.firstGradient && format <= FORMAT.lastGradient) {
        const line = paint + this.#uint24(paint + 1);
        if (this.#has(line, 3)) longest = Math.max(longest, this.#view.getUint16(line + 1));
      } else if (format === FORMAT.colrGlyph && this.#has(paint, 3)) {
        visitGlyph(this.#view.getUint16(paint + 1));
      } else if (format === FORMAT.glyph || (format >= FORMAT.firstTransform && format <= FORMAT.lastTransform)) {
        visit(paint + this.#uint24(paint + 1));
      } else if (format === FORMAT.composite) {
        visit(paint + this.#uint24(paint + 1));
        visit(paint + this.#uint24(paint + 5));
      }
    }
    return seen.size > MAX_PAINTS ? Number.POSITIVE_INFINITY : longest;
  }

  #has(at: number, length: number): boolean {
    return at + length <= this.#view.byteLength;
  }

  #uint24(at: number): number {
    return this.#has(at, 3) ? this.#view.getUint8(at) * 0x10000 + this.#view.getUint16(at + 1) : 0;
  }
}

function tableOf(sfnt: Uint8Array): DataView {
  const file = new DataView(sfnt.buffer, sfnt.byteOffset, sfnt.byteLength);
  for (let record = 12; record < 12 + 16 * file.getUint16(4); record += 16) {
    if (file.getUint32(record) !== COLR) continue;
    return new DataView(sfnt.buffer, sfnt.byteOffset + file.getUint32(record + 8), file.getUint32(record + 12));
  }
  return new DataView(new ArrayBuffer(0));
}
