// Applies the legacy `kern` table, which HarfBuzz's WebAssembly build leaves out.
//
// Follows HarfBuzz (hb-ot-kern-table, hb-kern): horizontal subtables of format 0; marks and invisible glyphs are
// skipped. Files are untrusted: every offset is checked, and pairs beyond the table's end are ignored.

import type { ShapedGlyph } from './shaped-glyph.ts';

/** Kerning of pairs in text that runs left to right or right to left, in font units. */
export class KernTable {
  readonly #subtables: readonly Subtable[];

  private constructor(subtables: readonly Subtable[]) {
    this.#subtables = subtables;
  }

  /** null where the table has nothing that can be applied. */
  static read(table: DataView | null): KernTable | null {
    const subtables = table === null ? [] : readSubtables(table);
    return subtables.length > 0 ? new KernTable(subtables) : null;
  }

  /**
   * Kerns neighbours in drawing order, left to right.
   *
   * @param isPassedOver true of the glyphs to skip: marks and invisible ones
   */
  apply(glyphs: readonly ShapedGlyph[], isPassedOver: (glyph: ShapedGlyph) => boolean): readonly ShapedGlyph[] {
    const kerned: Mutable<ShapedGlyph>[] = glyphs.map((glyph) => ({ ...glyph }));
    const places = kerned.flatMap((glyph, i) => (isPassedOver(glyph) ? [] : i));
    for (const subtable of this.#subtables) {
      for (let k = 1; k < places.length; k++) {
        const [i = 0, j = 0] = [places[k - 1], places[k]];
        const left = kerned[i];
        const right = kerned[j];
        if (!left || !right) break;
        const value = kerningOf(subtable, left.id, right.id);
        if (value === 0) continue;
        if (subtable.isCrossStream) right.yOffset = value;
        else {
          const half = value >> 1;
          left.xAdvance += half;
          right.xAdvance += value - half;
          right.xOffset += value - half;
        }
        forbidBreaks(kerned.slice(i, j + 1));
      }
    }
    // A cross-stream offset applies to all glyphs that follow, too.
    if (this.#subtables.some(({ isCrossStream }) => isCrossStream)) {
      let rise = 0;
      for (const glyph of kerned) {
        rise += glyph.yOffset;
        glyph.yOffset = rise;
      }
    }
    return kerned;
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Marks glyphs as unsafe to break: a line that starts or ends between them must be shaped anew. */
function forbidBreaks(glyphs: readonly Mutable<ShapedGlyph>[]): void {
  const first = Math.min(...glyphs.map(({ cluster }) => cluster));
  for (const glyph of glyphs) if (glyph.cluster !== first) glyph.unsafeToBreak = true;
}

/** Pairs in ascending order, six bytes each: left glyph, right glyph, value. */
interface Subtable {
  readonly pairs: DataView;
  /** Whether the right glyph is raised rather than moved closer. */
  readonly isCrossStream: boolean;
}

const PAIR = 6;

function kerningOf({ pairs }: Subtable, left: number, right: number): number {
  const wanted = left * 65_536 + right;
  let low = 0;
  let high = pairs.byteLength / PAIR - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = pairs.getUint32(middle * PAIR);
    if (found === wanted) return pairs.getInt16(middle * PAIR + 4);
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** No real table has more; each one is searched for each pair of glyphs. */
const MAX_SUBTABLES = 32;

/** OpenType's version 0, and Apple's 1.0 with its wider header. */
function readSubtables(table: DataView): readonly Subtable[] {
  if (table.byteLength < 8) return [];
  const isApple = table.getUint32(0) === 0x0001_0000;
  if (!isApple && table.getUint16(0) !== 0) return [];
  const count = isApple ? table.getUint32(4) : table.getUint16(2);
  const header = isApple ? 8 : 6;
  const subtables: Subtable[] = [];
  let offset = isApple ? 8 : 4;
  for (let i = 0; i < Math.min(count, MAX_SUBTABLES) && offset + header + 8 <= table.byteLength; i++) {
    const length = isApple ? table.getUint32(offset) : table.getUint16(offset + 2);
    const [format, coverage] = isApple
      ? [table.getUint8(offset + 5), table.getUint8(offset + 4)]
      : [table.getUint8(offset + 4), table.getUint8(offset + 5)];
    const isHorizontal = isApple ? (coverage & APPLE.vertical) === 0 : (coverage & OPEN_TYPE.horizontal) !== 0;
    const varies = isApple && (coverage & APPLE.variation) !== 0;
    if (format === 0 && isHorizontal && !varies) {
      const start = offset + header + 8;
      // The last subtable may be longer than its length field can hold.
      const end = i === count - 1 ? table.byteLength : Math.min(table.byteLength, offset + length);
      const most = Math.floor(Math.max(0, end - start) / PAIR);
      const pairs = Math.min(table.getUint16(offset + header), most);
      const isCrossStream = (coverage & (isApple ? APPLE.crossStream : OPEN_TYPE.crossStream)) !== 0;
      subtables.push({
        pairs: new DataView(table.buffer, table.byteOffset + start, pairs * PAIR),
        isCrossStream,
      });
    }
    if (length < header) break;
    offset += length;
  }
  return subtables;
}

/** Bits of the coverage byte. */
const OPEN_TYPE = { horizontal: 0x01, crossStream: 0x04 };
const APPLE = { vertical: 0x80, crossStream: 0x40, variation: 0x20 };
