// What the cells of a table show: values of entries, and sums, averages and counts over some of them.

import { addDecimals, averageText, type Decimal, decimalText, parseDecimal, ZERO } from '../decimal.ts';
import { quoted, ValidationError } from '../diagnostics.ts';
import {
  type Entries,
  type Entry,
  plainValue,
  type RowObject,
  rowsOf,
  type TableLayer,
} from '../template/table-layer.ts';
import { holds, type Place } from './condition.ts';
import { formattedText, type Locale } from './format-value.ts';
import { decimal } from './modify-layer.ts';
import type { CellObject } from './table-cells.ts';

/** The names of the values that a table shows, calculates, groups by or has conditions about. */
export function valueNames(table: TableLayer): ReadonlySet<string> {
  const parts = [table.row, table.header, table.footer, table.groupHeader, table.groupFooter];
  const rows = [...parts, table.carryHeader, table.carryFooter].flatMap(rowsOf);
  const cells = rows.flatMap((row) => row.cells).filter((cell) => typeof cell === 'object');
  const asked = [...rows, ...cells].flatMap(({ when }) => (typeof when === 'object' && when ? Object.keys(when) : []));
  const calculated = cells.flatMap(({ calculate }) =>
    typeof calculate === 'object' ? ['sum' in calculate ? calculate.sum : calculate.average] : [],
  );
  const shown = cells.map(({ name }) => name);
  const names = [...shown, ...calculated, ...asked, table.groupBy];
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** Where the values of rows come from. */
export interface ValueSource {
  /** Values by name. */
  readonly values: Entry;
  /** The entries that are calculated over: from the first to before the last. */
  readonly from: number;
  readonly to: number;
  /** What conditions about places are about. */
  readonly place: Place | null;
  /** What `counter: "row"` shows. */
  readonly row: string;
}

export class TableValues {
  readonly #rows: Entries;
  readonly #locale: Locale;
  readonly #pathOf: (index: number | null, name: string) => string;
  /** By name. */
  readonly #sums = new Map<string, Sums>();

  /** @param pathOf where the value of an entry is in the input; null = of the table's own `values` */
  constructor(rows: Entries, locale: Locale, pathOf: (index: number | null, name: string) => string) {
    this.#rows = rows;
    this.#locale = locale;
    this.#pathOf = pathOf;
  }

  /** @param index of the entry that the values are of; null = of none @throws ValidationError naming the value */
  textOf(cell: CellObject, source: ValueSource, index: number | null): string {
    if (cell.when !== null && !holds(cell.when, '', source.place, (name) => plainValue(source.values[name]))) return '';
    if (cell.counter === 'row') return source.row;
    const value = cell.name === undefined ? undefined : plainValue(source.values[cell.name]);
    const text =
      value !== undefined && value !== null
        ? textOfValue(value)
        : cell.calculate === undefined
          ? cell.text
          : this.#calculated(cell.calculate, source);
    if (!cell.format || text === '') return text;
    const pathOf = () => this.#pathOf(index, cell.name ?? '');
    return formattedText({ text, format: cell.format, lang: cell.lang ?? null }, this.#locale, pathOf);
  }

  /** Whether a row is there. */
  shows({ cells, when, hideWhenEmpty }: RowObject, source: ValueSource, index: number | null): boolean {
    if (when !== null && !holds(when, '', source.place, (name) => plainValue(source.values[name]))) return false;
    if (!hideWhenEmpty) return true;
    const asked = cells.filter((cell): cell is CellObject => {
      return typeof cell === 'object' && (cell.name !== undefined || cell.calculate !== undefined);
    });
    return asked.length === 0 || asked.some((cell) => this.textOf(cell, source, index).trim() !== '');
  }

  #calculated(calculate: NonNullable<CellObject['calculate']>, { from, to }: ValueSource): string {
    if (calculate === 'count') return String(to - from);
    const name = 'sum' in calculate ? calculate.sum : calculate.average;
    const [before, after] = [this.#sumOf(name, from), this.#sumOf(name, to)];
    const sum = addDecimals(after.sum, { ...before.sum, digits: -before.sum.digits });
    const count = after.count - before.count;
    if ('sum' in calculate) return decimalText(sum);
    return averageText(sum, count);
  }

  /** The sum of the entries before the one at `to`: from the last sum, or a mark, on. */
  #sumOf(name: string, to: number): Sum {
    // Does not move the last sum, so that sums of all entries so far, which are asked for row by row, go on from there.
    if (to === 0) return NOTHING;
    const sums = this.#sums.get(name) ?? { marks: [NOTHING], at: 0, sum: NOTHING };
    this.#sums.set(name, sums);
    const { marks } = sums;
    const mark = Math.min(Math.floor(to / BETWEEN_MARKS), marks.length - 1);
    const isNear = sums.at <= to && sums.at >= mark * BETWEEN_MARKS;
    let [at, sum] = isNear ? [sums.at, sums.sum] : [mark * BETWEEN_MARKS, marks[mark] ?? NOTHING];
    for (; at < to; at += 1) {
      if (at === marks.length * BETWEEN_MARKS) marks.push(sum);
      sum = this.#added(sum, this.#rows.at(at) ?? {}, at, name);
    }
    Object.assign(sums, { at, sum });
    return sum;
  }

  #added(before: Sum, entry: Entry, index: number, name: string): Sum {
    const text = textOfValue(plainValue(entry[name])).trim();
    if (text === '') return before;
    const value = parseDecimal(text);
    if (!value) {
      const problem = `must be a number such as 12.5, which is added; this is ${quoted(text, 40)}`;
      throw new ValidationError(this.#pathOf(index, name), problem);
    }
    return { sum: addDecimals(before.sum, value), count: before.count + 1 };
  }
}

/** Sums so far: where one was asked for last, and at every so many entries. */
interface Sums {
  readonly marks: Sum[];
  at: number;
  sum: Sum;
}

/** Entries between two sums that are kept. */
const BETWEEN_MARKS = 64;

interface Sum {
  readonly sum: Decimal;
  readonly count: number;
}

const NOTHING: Sum = { sum: ZERO, count: 0 };

/** A value as text; nothing for what is not shown. */
export function textOfValue(value: ReturnType<typeof plainValue>): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? decimal(value) : value === true ? '✓' : '';
}
