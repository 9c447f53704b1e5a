// What the cells of a table show: values of entries, and what is calculated of them, in decimal arithmetic.
//
// Sums of entries are kept at marks, so that each row of a long table asks for its own in a few steps. A calculation may
// take what a named cell beside it calculates.

import { addDecimals, type Decimal, decimalText, negated, parseDecimal, shortest, ZERO } from '../decimal.ts';
import { quoted, ValidationError } from '../diagnostics.ts';
import { nearestName } from '../nearest-name.ts';
import { type CellCalculation, namesInCalculation } from '../template/calculation.ts';
import { formatOptions, namesInTexts } from '../template/format.ts';
import {
  type Entry,
  namesIn,
  plainValue,
  ROW_PARTS,
  type RowObject,
  type Rows,
  rowsOf,
  type TableLayer,
} from '../template/table-layer.ts';
import type { CellSpan } from '../template/text-layer.ts';
import { formatPath } from '../template/validation.ts';
import { holds, type Place } from './condition.ts';
import { evaluate, NOTHING, resultText, type Sum } from './evaluate.ts';
import { formattedText, type Locale } from './format-value.ts';
import { decimal } from './modify-layer.ts';
import type { CellObject } from './table-cells.ts';

/** The names of the values that a table shows, calculates, groups by or has conditions about. */
export function valueNames(table: TableLayer): ReadonlySet<string> {
  const { rows, cells, calculated } = partsOf(table);
  const asked = [...rows, ...cells].flatMap(({ when }) => (typeof when === 'object' && when ? Object.keys(when) : []));
  const shown = cells.flatMap(({ name, spans, link }) => [
    name,
    ...namesInTexts(spans),
    ...[link, ...(spans ?? []).map((span) => span.link)].map((each) => Object(each).name as unknown),
  ]);
  const names = [...shown, ...calculated, ...asked, table.groupBy];
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** What the cells of a table's row calculate with. */
export const namesInRow = (table: TableLayer): readonly string[] => partsOf(table, ['row']).calculated;

function partsOf(table: TableLayer, parts: typeof ROW_PARTS | readonly ['row'] = ROW_PARTS) {
  const rows = parts.flatMap((part) => rowsOf(table[part]));
  const cells = rows.flatMap((row) => row.cells).filter((cell) => typeof cell === 'object');
  const runs = cells.flatMap((cell) => [cell, ...(cell.spans ?? [])]);
  const named = runs.flatMap(({ calculate }) => namesInCalculation(calculate));
  return { rows, cells, calculated: [...named, ...rows.flatMap(({ by }) => by ?? [])] };
}

/** What a table with entries calculates with or by, but with those of another, that neither its cells nor entries have, nor anything else, with the nearest name. */
export function unknownOperands(table: TableLayer): readonly (readonly [name: string, near: string | null])[] {
  const { cells, calculated } = partsOf(table);
  const ofOthers = table.totals === null ? [] : namesInRow(table);
  // Those of lists, `lines.total`, may not be given.
  const own = new Set([...cells.map(({ name }) => name), ...Object.keys(table.values), ...ofOthers]);
  const unknown = [...new Set(calculated)].filter((name) => !own.has(name) && !name.includes('.'));
  if (unknown.length === 0 || table.rows.length === 0) return [];
  const given = namesIn(table.rows);
  const known = [...own, ...given.keys()].filter((name) => name !== undefined);
  return unknown.filter((name) => !given.has(name)).map((name) => [name, nearestName(name, known)]);
}

/** The rates that a table writes with fewer digits than it calculates with, 8.1 % as 8 %: each with the first such value. */
export function* roundedRates(table: TableLayer): Generator<readonly [name: string, value: string]> {
  const { rows, cells } = partsOf(table);
  const runs = cells.flatMap((cell) => [cell, ...(cell.spans ?? [])]);
  const rates = new Set([
    ...rows.flatMap(({ by }) => by ?? []),
    ...runs.flatMap(({ calculate }) => Object(calculate).times as unknown),
  ]);
  for (const { name = '', format } of runs) {
    const options = format && formatOptions(format);
    if (options?.type !== 'percent' || !rates.delete(name)) continue;
    const most = 2 + (options.maximumFractionDigits ?? options.minimumFractionDigits ?? 0);
    for (const entry of table.rows) {
      const value = textOfValue(plainValue(entry[name]));
      if (shortest(parseDecimal(value) ?? ZERO).scale <= most) continue;
      yield [name, value];
      break;
    }
  }
}

/** A cell that gives its name to what it calculates. */
interface NamedCell {
  readonly calculate: CellCalculation;
  /** What its row is there once for each value of; null = it is there once. */
  readonly by: readonly string[] | null;
}
export type NamedCells = ReadonlyMap<string, NamedCell>;

/** The named cells of rows that calculate; the first of each name. */
export function namedCells(...parts: readonly Rows[]): NamedCells {
  const named = new Map<string, NamedCell>();
  for (const { cells, by } of parts.flatMap(rowsOf)) {
    for (const cell of cells) {
      if (typeof cell === 'string' || cell.name === undefined || cell.calculate === undefined) continue;
      if (!named.has(cell.name))
        named.set(cell.name, { calculate: cell.calculate, by: by === undefined ? null : [by].flat() });
    }
  }
  return named;
}

/** Entries that have the same values of some names. */
interface SameEntries {
  readonly by: readonly string[];
  /** Tells them from others. */
  readonly key: string;
  /** Of the first of them. */
  readonly values: Entry;
}

/** Where the values of rows come from. */
export interface ValueSource {
  /** Values by name. */
  readonly values: Entry;
  /** The entries that are calculated over: from the first to before the last. */
  readonly from: number;
  readonly to: number;
  /** Of these, those that are meant; null = all. */
  readonly only: SameEntries | null;
  /** What is calculated beside it. */
  readonly named: NamedCells;
  /** Whether it is one entry, whose values are meant, rather than those of all. */
  readonly isEntry: boolean;
  /** The entry that the values are of; null = of none. */
  readonly index: number | null;
  /** What conditions about places are about. */
  readonly place: Place | null;
  /** What `counter: "row"` shows. */
  readonly row: string;
}

export class TableValues {
  readonly #table: TableLayer;
  readonly #locale: Locale;
  readonly #path: string;
  readonly #named: NamedCells;
  readonly #rowNames: ReadonlySet<string>;
  #entryNames: ReadonlyMap<string, number> | null = null;
  /** By name. */
  readonly #sums = new Map<string, Sums>();
  readonly #groups = new Map<string, Groups>();
  /** Names that are being calculated, each for the next. */
  readonly #asking: string[] = [];

  /** @param path of the table in the input, or of its rows */
  constructor(table: TableLayer, locale: Locale, path: string) {
    this.#table = table;
    this.#locale = locale;
    this.#path = path;
    this.#named = namedCells(table.row);
    const cells = rowsOf(table.row).flatMap((row) => row.cells);
    this.#rowNames = new Set(cells.flatMap((cell) => (typeof cell === 'object' && cell.name ? [cell.name] : [])));
  }

  #pathOf(index: number | null, name: string): string {
    return pathOfValue(this.#path, index, name);
  }

  /** All entries, with the table's own values. */
  all(named: NamedCells): ValueSource {
    const { values, rows } = this.#table;
    return { values, from: 0, to: rows.length, only: null, named, isEntry: false, index: null, place: null, row: '' };
  }

  entry(index: number): ValueSource {
    const values = this.#table.rows.at(index) ?? {};
    const range = { from: index, to: index + 1, only: null };
    return { values, ...range, named: this.#named, isEntry: true, index, place: null, row: '' };
  }

  /** @throws ValidationError naming the value */
  textOf(cell: CellObject, source: ValueSource): string {
    if (cell.when !== null && !holds(cell.when, '', source.place, (name) => plainValue(source.values[name]))) return '';
    if (cell.counter === 'row') return source.row;
    const value = cell.name === undefined ? undefined : plainValue(source.values[cell.name]);
    const text =
      value !== undefined && value !== null
        ? textOfValue(value)
        : cell.calculate === undefined
          ? cell.text
          : this.calculated(cell.calculate, source, cell.name);
    return this.#formatted(text, cell, source);
  }

  /** The text of a run of a cell: a value, or what another cell beside it calculates. @throws as `textOf` */
  textOfSpan(span: CellSpan, source: ValueSource): string {
    const { name = '', text, calculate = source.named.get(name)?.calculate } = span;
    const value = plainValue(source.values[name]) ?? undefined;
    const own = value === undefined && calculate ? this.calculated(calculate, source, name) : undefined;
    return this.#formatted(own ?? textOfValue(value ?? plainValue(this.#table.values[name]) ?? text), span, source);
  }

  #formatted(
    text: string,
    { format, lang, name = '' }: Pick<CellSpan, 'format' | 'lang' | 'name'>,
    source: ValueSource,
  ) {
    if (!format || text === '') return text;
    const pathOf = () => this.#pathOf(source.index, name);
    return formattedText({ text, format, lang: lang ?? null }, this.#locale, pathOf);
  }

  /** Whether a row is there. */
  shows({ cells, when, hideWhenEmpty }: RowObject, source: ValueSource): boolean {
    if (when !== null && !holds(when, '', source.place, (name) => plainValue(source.values[name]))) return false;
    if (!hideWhenEmpty) return true;
    const asked = cells.flatMap((cell) => {
      if (typeof cell === 'string') return [];
      const isAsked = cell.name !== undefined || cell.calculate !== undefined;
      const spans = (cell.spans ?? []).filter(({ name }) => name !== undefined);
      return [...(isAsked ? [this.textOf(cell, source)] : []), ...spans.map((span) => this.textOfSpan(span, source))];
    });
    return asked.length === 0 || asked.some((text) => text.trim() !== '');
  }

  /** What a row shows that is there once for each value of some names: a source for each, in the order of the entries. */
  sources(by: readonly string[], source: ValueSource): readonly ValueSource[] {
    const { same } = this.#groupsOf(by, source);
    return same.map((only) => ({ ...source, only, values: { ...source.values, ...only.values } }));
  }

  /** The entries of a table of the sums of this one. @param named its cells */
  totals(by: readonly string[], named: NamedCells): Entry[] {
    return this.sources(by, this.all(named)).map((source) => {
      const calculated = Array.from(named, ([name, { calculate }]) => [name, this.calculated(calculate, source, name)]);
      return { ...source.only?.values, ...Object.fromEntries(calculated) };
    });
  }

  /** The sum of a value of all entries, or what a cell of its header or footer calculates. */
  total(name: string): Sum {
    const source = this.all(namedCells(this.#table.header, this.#table.footer));
    if (this.#isOfEntries(name, source)) return this.#entries(name, source);
    const value = this.#valueOf(name, source);
    return value ? { sum: value, count: 1 } : NOTHING;
  }

  /** Of all values: of entries, of cells that calculate, and its own. */
  names(): ReadonlySet<string> {
    const { header, footer, rows, values } = this.#table;
    this.#entryNames ??= namesIn(rows);
    const named = namedCells(header, footer).keys();
    return new Set([...this.#rowNames, ...named, ...Object.keys(values), ...this.#entryNames.keys()]);
  }

  /**
   * What a chart shows of each entry: its label as its cell writes it, and its values; null = it has none.
   *
   * @param path of what names them, for messages
   */
  points(label: string | null, names: readonly string[], path: string) {
    const { row, rows } = this.#table;
    const known = new Set([...this.#rowNames, ...namesIn(rows).keys()]);
    for (const name of [...names, ...(label === null ? [] : [label])]) {
      if (known.has(name)) continue;
      const near = nearestName(name, known);
      const meant = near === null ? '' : `; did you mean ${quoted(near)}?`;
      throw new ValidationError(path, `${quoted(name)} is no value of the entries of that table${meant}`);
    }
    const cells = rowsOf(row).flatMap((one) => one.cells);
    const cell = cells.find((one) => typeof one === 'object' && one.name === label);
    return Array.from({ length: rows.length }, (_, i) => {
      const text = textOfValue(plainValue(rows.at(i)?.[label ?? '']));
      const value = names.map((name) => this.#ofEntry(name, i, 'shown in a chart'));
      return {
        label: typeof cell === 'object' ? this.textOf(cell, this.entry(i)) : text,
        value: value.map((each) => each && Number(decimalText(each))),
      };
    });
  }

  /** @param own the name of the cell that calculates: for it, the name means the entries @returns empty if a factor is missing */
  calculated(calculation: CellCalculation, source: ValueSource, own?: string): string {
    const value = this.#inside(own ?? '', () => this.#calculated(calculation, source));
    return resultText(value, () => this.#pathOf(source.index, own ?? ''));
  }

  #calculated(calculation: CellCalculation, source: ValueSource): Decimal | null {
    if (calculation === 'count') {
      const { only, from, to } = source;
      return { digits: BigInt(only ? this.#sameSum(null, only, source).count : to - from), scale: 0 };
    }
    // Up to its entry, whatever that calculates beside.
    const added = 'running' in calculation ? { ...source, from: 0, isEntry: false, named: namedCells() } : source;
    const operands = {
      addend: (name: string) =>
        !added.isEntry && this.#isOfEntries(name, added) ? this.#entries(name, added).sum : this.#valueOf(name, added),
      factor: (name: string) => this.#valueOf(name, source),
      average: (name: string) => this.#entries(name, source),
    };
    return evaluate(calculation, operands, () => this.#pathOf(source.index, this.#asking.at(-1) ?? ''));
  }

  /** Whether a name means a value of each entry, rather than one of the row that it is in. */
  #isOfEntries(name: string, { named, values }: ValueSource): boolean {
    if (this.#rowNames.has(name) || this.#asking.at(-1) === name) return true;
    if (!named.has(name) && values[name] === undefined && this.#table.values[name] === undefined) return true;
    this.#entryNames ??= namesIn(this.#table.rows);
    return this.#entryNames.has(name);
  }

  #valueOf(name: string, source: ValueSource): Decimal | null {
    const given = this.#parsed(source.values[name], name, source.index);
    if (given) return given;
    const cell = source.named.get(name);
    if (!cell) return this.#parsed(this.#table.values[name], name, null);
    const { calculate, by } = cell;
    return this.#inside(name, () => {
      if (by === null || source.only) return this.#calculated(calculate, source);
      return this.sources(by, source)
        .map((each) => this.#calculated(calculate, each))
        .reduce<Decimal>((sum, each) => addDecimals(sum, each ?? ZERO), ZERO);
    });
  }

  #inside<Value>(name: string, ask: () => Value): Value {
    if (name !== '' && this.#asking.includes(name)) {
      const problem = `is calculated of itself: ${[...this.#asking.slice(this.#asking.indexOf(name)), name].map((each) => quoted(each)).join(' → ')}`;
      throw new ValidationError(this.#pathOf(null, name), problem);
    }
    this.#asking.push(name);
    try {
      return ask();
    } finally {
      this.#asking.pop();
    }
  }

  #parsed(
    value: Entry[string] | undefined,
    name: string,
    index: number | null,
    use = 'calculated with',
  ): Decimal | null {
    const text = textOfValue(plainValue(value)).trim();
    if (text === '') return null;
    const parsed = parseDecimal(text);
    if (parsed) return parsed;
    const problem = `must be a number such as 12.5, which is ${use}; this is ${quoted(text, 40)}`;
    throw new ValidationError(this.#pathOf(index, name), problem);
  }

  /** The sum of a value of the entries of a source. */
  #entries(name: string, source: ValueSource): Sum {
    if (source.only) return this.#sameSum(name, source.only, source);
    const [before, after] = [this.#sumOf(name, source.from), this.#sumOf(name, source.to)];
    return { sum: addDecimals(after.sum, negated(before.sum)), count: after.count - before.count };
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
      sum = this.#with(sum, name, at);
    }
    Object.assign(sums, { at, sum });
    return sum;
  }

  #with(before: Sum, name: string, index: number): Sum {
    const value = this.#ofEntry(name, index);
    return value ? { sum: addDecimals(before.sum, value), count: before.count + 1 } : before;
  }

  #ofEntry(name: string, index: number, use = 'added'): Decimal | null {
    const given = this.#parsed(this.#table.rows.at(index)?.[name], name, index, use);
    if (given || !this.#named.has(name)) return given;
    // What is being calculated beside the entries does not concern what is calculated in one.
    const asking = this.#asking.splice(0);
    const value = this.#valueOf(name, this.entry(index));
    this.#asking.push(...asking);
    return value;
  }

  /** @param name null = they are only counted */
  #sameSum(name: string | null, { by, key }: SameEntries, source: ValueSource): Sum {
    const groups = this.#groupsOf(by, source);
    let sums = groups.sums.get(name);
    if (!sums) {
      sums = new Map();
      for (let index = source.from; index < source.to; index += 1) {
        const { key } = this.#sameAs(by, index);
        const before = sums.get(key) ?? NOTHING;
        sums.set(key, name === null ? { ...before, count: before.count + 1 } : this.#with(before, name, index));
      }
      groups.sums.set(name, sums);
    }
    return sums.get(key) ?? NOTHING;
  }

  #groupsOf(by: readonly string[], { from, to }: ValueSource): Groups {
    const asked = JSON.stringify([by, from, to]);
    let groups = this.#groups.get(asked);
    if (groups) return groups;
    const same = new Map<string, SameEntries>();
    for (let index = from; index < to; index += 1) {
      const group = this.#sameAs(by, index);
      if (!same.has(group.key)) same.set(group.key, group);
      if (same.size > MOST_GROUPS) {
        const problem = `have more than ${MOST_GROUPS} different values here, by which they are added up`;
        throw new ValidationError(this.#pathOf(index, by[0] ?? ''), problem);
      }
    }
    groups = { same: [...same.values()], sums: new Map() };
    if (this.#groups.size >= MOST_GROUPS) this.#groups.clear();
    this.#groups.set(asked, groups);
    return groups;
  }

  #sameAs(by: readonly string[], index: number): SameEntries {
    const entry = this.#table.rows.at(index) ?? {};
    const texts = by.map((name) => {
      const given = textOfValue(plainValue(entry[name])).trim();
      const value = given === '' ? this.#ofEntry(name, index) : null;
      return value ? decimalText(value) : given;
    });
    // 19, 19.0 and "19.00" are one rate.
    const keys = texts.map((text) => {
      const number = parseDecimal(text);
      return number ? decimalText(shortest(number)) : text;
    });
    return { by, key: JSON.stringify(keys), values: Object.fromEntries(by.map((name, i) => [name, texts[i] ?? ''])) };
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

/** Entries that are told apart by some values, and the sums of each; null = how many there are. */
interface Groups {
  readonly same: readonly SameEntries[];
  readonly sums: Map<string | null, Map<string, Sum>>;
}

/** Values by which entries are told apart. */
const MOST_GROUPS = 100;
/** Where the value of an entry is in the input; null = of the table's own `values`. @param path of the table, or of its rows */
export const pathOfValue = (path: string, index: number | null, name: string): string =>
  index === null ? `${path}.values.${name}` : formatPath(path.replace(/\.rows$/, ''), [index, name]);

/** A value as text; nothing for what is not shown. */
export function textOfValue(value: ReturnType<typeof plainValue>): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? decimal(value) : value === true ? '✓' : '';
}
