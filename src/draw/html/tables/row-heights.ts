// Computes the heights of a table's rows (CSS 2.2, section 17.5.3; CSS Tables 3, section 3.10).

/** The height that a cell needs: its border box, px. */
export interface CellHeight {
  readonly row: number;
  readonly span: number;
  readonly height: number;
}

/**
 * @param least of each row, px: by its own `height` and its cells on one baseline
 * @param isGiven for each row, whether it has a `height`
 * @param whole what all rows together should have, px; null = as much as they need
 * @param spacing between rows, px
 */
export function rowHeights(
  least: readonly number[],
  isGiven: readonly boolean[],
  cells: readonly CellHeight[],
  whole: number | null,
  spacing: number,
): readonly number[] {
  const heights = [...least];
  for (const { row, span, height } of cells) if (span === 1) heights[row] = Math.max(heights[row] ?? 0, height);
  const spanning = cells.filter(({ span }) => span > 1).toSorted((a, b) => a.span - b.span);
  for (const { row, span, height } of spanning) {
    const last = row + span - 1;
    const own = heights.slice(row, last + 1);
    const missing = height - spacing * (span - 1) - total(own);
    if (missing <= 0) continue;
    // As in Chromium: rows in which another such cell begins take it; else all in proportion to what they have.
    const begins = [...new Set(spanning.map((each) => each.row).filter((each) => each > row && each <= last))];
    if (begins.length > 0) for (const each of begins) heights[each] = (heights[each] ?? 0) + missing / begins.length;
    else if (total(own) > 0)
      for (const [i, each] of own.entries()) heights[row + i] = each + (missing * each) / total(own);
    else heights[last] = missing;
  }
  const spare = whole === null ? 0 : whole - total(heights) - spacing * Math.max(0, heights.length - 1);
  if (spare <= 0) return heights;
  const open = heights.map((height, row) => (isGiven[row] ? 0 : height));
  const weights = total(open) > 0 ? open : heights;
  const weight = total(weights);
  return heights.map(
    (height, row) => height + (weight > 0 ? (spare * (weights[row] ?? 0)) / weight : spare / heights.length),
  );
}

const total = (heights: readonly number[]): number => heights.reduce((sum, each) => sum + each, 0);
