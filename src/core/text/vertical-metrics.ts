// Reads the vertical metrics of glyphs from the tables vhea, vmtx and VORG: advances and vertical origins.
//
// HarfBuzz's WebAssembly build ignores these tables, and gives every glyph an advance of one em.

/** In font units, y up. */
export interface VerticalMetrics {
  /** Vertical advance, positive downwards. */
  advance(glyph: number): number;
  /** Height of the vertical origin above the baseline; null = derived from the top of the outline and `topBearing`. */
  originY(glyph: number): number | null;
  /** Distance from the vertical origin down to the top of the glyph's outline. */
  topBearing(glyph: number): number;
}

/** null where a font has no metrics for vertical lines, or broken ones. */
export function readVerticalMetrics(table: (tag: string) => DataView | null): VerticalMetrics | null {
  const vhea = table('vhea');
  const vmtx = table('vmtx');
  if (!vhea || vhea.byteLength < 36 || !vmtx) return null;
  const longCount = vhea.getUint16(34);
  if (longCount === 0 || vmtx.byteLength < 4 * longCount) return null;
  const origins = readOrigins(table('VORG'));
  return {
    advance: (glyph) => vmtx.getUint16(4 * Math.min(glyph, longCount - 1)),
    originY: (glyph) => (origins ? (origins.own.get(glyph) ?? origins.common) : null),
    topBearing: (glyph) => {
      const at = glyph < longCount ? 4 * glyph + 2 : 4 * longCount + 2 * (glyph - longCount);
      return at + 2 <= vmtx.byteLength ? vmtx.getInt16(at) : 0;
    },
  };
}

function readOrigins(vorg: DataView | null): { readonly common: number; readonly own: Map<number, number> } | null {
  if (!vorg || vorg.byteLength < 8) return null;
  const count = vorg.getUint16(6);
  if (vorg.byteLength < 8 + 4 * count) return null;
  const own = new Map<number, number>();
  for (let at = 8; at < 8 + 4 * count; at += 4) own.set(vorg.getUint16(at), vorg.getInt16(at + 2));
  return { common: vorg.getInt16(4), own };
}
