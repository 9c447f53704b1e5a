// Computes the widths of a table's columns (CSS 2.2, section 17.5.2.2, and CSS Tables 3, section 3.8).
//
// Columns in px and percent have their width; those that hug lie between the longest word and the widest line of their
// cells; shares take what is left, but not less than their longest word, unless the table would be wider than its place
// then. Without shares, columns that hug take what is left in proportion to what they hold.

import type { ColumnWidth } from '../resolve/scene.ts';

/** The widths of a column's content with its padding, px. Computed when asked for: fixed columns need none. */
export interface ColumnContent {
  readonly min: number;
  readonly max: number;
}

/**
 * @param width of all columns together, px; null = as wide as they want to be
 * @param leastOf the least width of a share whose words are broken, px
 */
export function columnWidths(
  columns: readonly ColumnWidth[],
  width: number | null,
  contentOf: (column: number) => ColumnContent,
  leastOf: (column: number) => number = (column) => contentOf(column).min,
): readonly number[] {
  const fixed = columns.map((column) => fixedWidth(column, width));
  const flexible = columns.flatMap((column, index) => (fixed[index] === null ? [{ column, index }] : []));
  const widths = fixed.map((each) => each ?? 0);
  const left = width === null ? null : width - widths.reduce((sum, each) => sum + each, 0);
  const contents = new Map(flexible.map(({ index }) => [index, contentOf(index)]));
  const sum = (of: (content: ColumnContent) => number, kind: ColumnWidth['kind'] | null = null) =>
    flexible
      .filter(({ column }) => kind === null || column.kind === kind)
      .reduce((total, { index }) => total + of(contents.get(index) ?? NOTHING), 0);
  const hasShares = flexible.some(({ column }) => column.kind === 'fr');
  const [mins, maxs] = [sum(({ min }) => min), sum(({ max }) => max)];
  // What columns that hug give up, from their widest line to their longest word, so that all fit.
  const wanted = sum(({ max }) => max, 'hug') + sum(({ min }) => min, 'fr');
  const squeeze =
    left === null || left >= wanted || wanted <= mins ? 0 : Math.min(1, (wanted - left) / (wanted - mins));
  for (const { column, index } of flexible) {
    const { min, max } = contents.get(index) ?? NOTHING;
    if (left === null) widths[index] = max;
    else if (column.kind === 'fr') widths[index] = min;
    else widths[index] = max - squeeze * (max - min);
  }
  if (left === null) return widths;
  const spare = left - flexible.reduce((total, { index }) => total + (widths[index] ?? 0), 0);
  if (spare <= 0) return spare < 0 && hasShares ? narrowed(widths, flexible, -spare, leastOf) : widths;
  if (hasShares) return shared(widths, flexible, spare);
  for (const { index } of flexible) {
    const { max } = contents.get(index) ?? NOTHING;
    widths[index] = (widths[index] ?? 0) + (maxs > 0 ? (spare * max) / maxs : spare / flexible.length);
  }
  return widths;
}

const NOTHING: ColumnContent = { min: 0, max: 0 };

function fixedWidth(column: ColumnWidth, width: number | null): number | null {
  if (column.kind === 'px') return column.value;
  if (column.kind === 'percent' && width !== null) return (width * column.value) / 100;
  return null;
}

/** Gives shares what is left: each its fraction, unless its longest word needs more (CSS Grid 1, section 12.7.1). */
function shared(
  widths: readonly number[],
  flexible: readonly { readonly column: ColumnWidth; readonly index: number }[],
  spare: number,
): readonly number[] {
  const result = [...widths];
  let shares = flexible.filter(({ column }) => column.kind === 'fr');
  let room = spare + shares.reduce((sum, { index }) => sum + (widths[index] ?? 0), 0);
  for (;;) {
    const total = shares.reduce((sum, { column }) => sum + fractionOf(column), 0);
    const fraction = total > 0 ? room / total : 0;
    const tight = shares.filter(({ column, index }) => fractionOf(column) * fraction < (widths[index] ?? 0));
    if (tight.length === 0) {
      for (const { column, index } of shares) result[index] = fractionOf(column) * fraction;
      return result;
    }
    room -= tight.reduce((sum, { index }) => sum + (widths[index] ?? 0), 0);
    shares = shares.filter((share) => !tight.includes(share));
  }
}

/** Takes `over` px from shares, as far as their words can be broken. */
function narrowed(
  widths: readonly number[],
  flexible: readonly { readonly column: ColumnWidth; readonly index: number }[],
  over: number,
  leastOf: (column: number) => number,
): readonly number[] {
  const result = [...widths];
  const shares = flexible.flatMap(({ column, index }) => {
    const give = column.kind === 'fr' ? Math.max(0, (widths[index] ?? 0) - leastOf(index)) : 0;
    return give > 0 ? [{ index, give }] : [];
  });
  const most = shares.reduce((sum, { give }) => sum + give, 0);
  for (const { index, give } of shares) result[index] = (widths[index] ?? 0) - give * Math.min(1, over / most);
  return result;
}

const fractionOf = (column: ColumnWidth): number => (column.kind === 'hug' ? 0 : column.value);
