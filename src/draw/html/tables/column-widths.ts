// Computes the widths of a table's columns as browsers do (CSS 2.2, section 17.5.2; CSS Tables 3, sections 3.8 and 3.9).

/** The widths that a cell, or a column, may have: border boxes, px. */
export interface WidthBounds {
  readonly min: number;
  readonly max: number;
  /** Its width in percent of the table, 0..100; null = not given in percent. */
  readonly percent: number | null;
  /** Whether its width was given in px. */
  readonly isGiven: boolean;
}

export interface SpanningBounds extends WidthBounds {
  readonly column: number;
  readonly span: number;
}

type Column = { -readonly [key in keyof WidthBounds]: WidthBounds[key] };

/** As wide as a table may want to be, px: with columns of 100 % beside others it has no bound. */
const MAX_WIDTH = 1_000_000;

/**
 * The bounds of each column, from those of its cells: first those in one column, then those that span, the narrowest
 * first.
 *
 * @param given bounds by `<col>` elements; null = none
 * @param spacing between columns, px
 */
export function columnBounds(
  given: readonly (WidthBounds | null)[],
  cells: readonly SpanningBounds[],
  spacing: number,
): readonly WidthBounds[] {
  const columns = given.map((each): Column => ({ ...(each ?? NOTHING) }));
  for (const cell of cells) {
    const column = columns[cell.column];
    if (cell.span === 1 && column) encompass(column, cell);
  }
  for (const cell of cells.filter(({ span }) => span > 1).toSorted((a, b) => a.span - b.span)) {
    const spanned = columns.slice(cell.column, cell.column + cell.span);
    const between = spacing * (spanned.length - 1);
    if (cell.percent !== null) {
      const left = cell.percent - sum(spanned, ({ percent }) => percent ?? 0);
      const without = spanned.filter(({ percent }) => percent === null);
      const total = sum(without, ({ max }) => max);
      if (left > 0) {
        for (const column of without) {
          column.percent = total > 0 ? (left * column.max) / total : left / without.length;
        }
      }
    }
    const mins = distribute(spanned, cell.min - between);
    const maxs = distribute(spanned, cell.max - between);
    for (const [i, column] of spanned.entries()) {
      column.min = Math.max(column.min, mins[i] ?? 0);
      column.max = Math.max(column.max, column.min, maxs[i] ?? 0);
    }
  }
  let left = 100;
  for (const column of columns) {
    if (column.percent === null) continue;
    column.percent = Math.min(column.percent, left);
    left -= column.percent;
  }
  return columns;
}

function encompass(column: Column, cell: WidthBounds): void {
  column.min = Math.max(column.min, cell.min);
  // A width in px counts more than what other cells of the column want.
  if (cell.isGiven === column.isGiven) column.max = Math.max(column.max, cell.max);
  else if (cell.isGiven) column.max = Math.max(cell.max, column.min);
  column.max = Math.max(column.max, column.min);
  column.isGiven ||= cell.isGiven;
  if (cell.percent !== null) column.percent = Math.max(column.percent ?? 0, cell.percent);
}

/** The least and the preferred width of all columns together, without spacing, px. */
export function boundsOfAll(columns: readonly WidthBounds[]): { readonly min: number; readonly max: number } {
  const min = sum(columns, (each) => each.min);
  let max = sum(columns, (each) => each.max);
  const percents = columns.filter(({ percent }) => percent !== null && percent > 0);
  for (const { percent, max: own } of percents) max = Math.max(max, (own * 100) / (percent ?? 100));
  const rest = sum(columns, (each) => (each.percent === null ? each.max : 0));
  const left = 100 - sum(percents, ({ percent }) => percent ?? 0);
  if (percents.length > 0 && rest > 0) max = Math.max(max, left > 0 ? (rest * 100) / left : MAX_WIDTH);
  return { min, max: Math.min(Math.max(min, max), MAX_WIDTH) };
}

/** The widths of columns of `table-layout: auto` that are `target` px wide together, or their least if that is more. */
export function distribute(columns: readonly WidthBounds[], target: number): readonly number[] {
  const percentOf = ({ percent, min }: WidthBounds) => Math.max(min, ((percent ?? 0) * Math.max(0, target)) / 100);
  const inPercent = (column: WidthBounds) => column.percent !== null;
  // From the least to the most that columns may want (CSS Tables 3, section 3.9.3.1).
  const guesses = [
    columns.map(({ min }) => min),
    columns.map((column) => (inPercent(column) ? percentOf(column) : column.min)),
    columns.map((column) => (inPercent(column) ? percentOf(column) : column.isGiven ? column.max : column.min)),
    columns.map((column) => (inPercent(column) ? percentOf(column) : column.max)),
  ];
  let below = guesses[0] ?? [];
  if (target <= total(below)) return below;
  for (const guess of guesses.slice(1)) {
    const [from, to] = [total(below), total(guess)];
    if (target <= to && to > from) {
      const share = (target - from) / (to - from);
      return below.map((width, i) => width + ((guess[i] ?? width) - width) * share);
    }
    below = guess;
  }
  const spare = target - total(below);
  const kinds: readonly (readonly [(column: WidthBounds) => boolean, (column: WidthBounds) => number])[] = [
    [(column) => !inPercent(column) && !column.isGiven, ({ max }) => max],
    [(column) => !inPercent(column), ({ max }) => max],
    [inPercent, ({ percent }) => percent ?? 0],
  ];
  for (const [isOne, weightOf] of kinds) {
    const takers = columns.filter(isOne);
    const weight = sum(takers, weightOf);
    if (takers.length === 0 || (weight === 0 && takers.length < columns.length)) continue;
    return columns.map((column, i) => {
      const share = weight > 0 ? weightOf(column) / weight : 1 / takers.length;
      return (below[i] ?? 0) + (isOne(column) ? spare * share : 0);
    });
  }
  return columns.map((_, i) => (below[i] ?? 0) + spare / columns.length);
}

/**
 * The widths of columns of `table-layout: fixed`.
 *
 * @param given widths by columns and by the cells of the first row, px or percent; null = none
 */
export function distributeFixed(
  given: readonly ({ readonly px: number } | { readonly percent: number } | null)[],
  target: number,
): readonly number[] {
  const px = given.map((each) => (each === null ? 0 : 'px' in each ? each.px : (each.percent * target) / 100));
  const spare = target - total(px);
  const open = given.filter((each) => each === null).length;
  if (open > 0) return given.map((each, i) => (each === null ? Math.max(0, spare) / open : (px[i] ?? 0)));
  if (spare <= 0) return px;
  const takers = given.map((each) => each !== null && 'px' in each);
  const isTaker = (i: number) => takers[i] === true || !takers.includes(true);
  const weight = total(px.filter((_, i) => isTaker(i)));
  return px.map((width, i) =>
    isTaker(i) ? width + (weight > 0 ? (spare * width) / weight : spare / px.length) : width,
  );
}

const NOTHING: WidthBounds = { min: 0, max: 0, percent: null, isGiven: false };

const total = (widths: readonly number[]): number => widths.reduce((all, each) => all + each, 0);

function sum<T>(all: readonly T[], of: (each: T) => number): number {
  return all.reduce((result, each) => result + of(each), 0);
}
