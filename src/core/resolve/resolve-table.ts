// Resolves a table: its cells' styles once, and its rows, which are those of the header, of entries, groups and the footer.

import { quoted, ValidationError } from '../diagnostics.ts';
import { lazily } from '../lazily.ts';
import { asJson, PackedList } from '../packed-list.ts';
import { isPosition } from '../template/condition.ts';
import { formatOptions, NO_CURRENCY, needsCurrency, valueProblem } from '../template/format.ts';
import { isLength, pixels } from '../template/page-setup.ts';
import { isRightToLeft } from '../template/right-to-left.ts';
import { Href } from '../template/style.ts';
import {
  type CellStyle,
  cellObject,
  cellStyleOf,
  type Entries,
  MAX_CELLS,
  placeCells,
  plainValue,
  type RowObject,
  type Rows,
  rowsOf,
  type TableLayer,
} from '../template/table-layer.ts';
import { checkCode } from './check-code.ts';
import { holds } from './condition.ts';
import type { Locale } from './format-value.ts';
import type { NeedsSink } from './needs.ts';
import type { PLAIN_NODE } from './plain-node.ts';
import { printedValue } from './printed-digits.ts';
import { resolveBorder, resolveCorners, resolveFill } from './resolve-style.ts';
import type {
  CarriedRow,
  CharacterStyle,
  ColumnWidth,
  ListedHeading,
  TableCell,
  TableNode,
  TableRow,
  TableRowKind,
} from './scene.ts';
import { BETWEEN_SPANS, CellResolver, type ResolvedCell, spansOf } from './table-cells.ts';
import { TableRowList } from './table-row-list.ts';
import {
  type NamedCells,
  namedCells,
  pathOfValue,
  roundedRates,
  TableValues,
  textOfValue,
  unknownOperands,
  type ValueSource,
} from './table-values.ts';

/** What of a table's texts is in its own place in the input. */
interface Context {
  readonly needs: NeedsSink;
  readonly pathOf: (layer: TableLayer) => string;
  readonly locale: Locale;
  /** That of the frames around it; null = none of them has one. */
  readonly direction: 'ltr' | 'rtl' | null;
  /** The headings of the document, from its first page to its last. */
  readonly headings: () => readonly ListedHeading[];
}

/** Shown where a page is yet unknown: as wide as the highest number of a page. */
const UNKNOWN_PAGE = '0000';

type Specifics = Omit<TableNode, keyof typeof PLAIN_NODE | 'name'>;

/** @throws ValidationError naming the row and the cell, when a value is not what its format is for */
export function resolveTable(context: Context, stored: TableLayer): Specifics {
  const { contents } = stored;
  const headings = contents === null ? null : context.headings().filter(({ level }) => level <= contents);
  const layer = headings
    ? { ...stored, rows: headings.map(({ level, text }) => ({ level, text, page: UNKNOWN_PAGE })) }
    : stored;
  const widths = layer.columns.map((column) => (typeof column === 'object' ? column.width : column));
  const direction = layer.direction ?? context.direction;
  const isRtl = direction === null ? isRightToLeft(context.locale.lang ?? '') : direction === 'rtl';
  const resolver = new RowResolver(context, layer, headings, isRtl);
  const rows = resolver.rows();
  const carryHead = resolver.carried(layer.carryHeader);
  const carryFoot = resolver.carried(layer.carryFooter);
  for (const [style, { text }] of resolver.spanLetters) context.needs.addText(layer.name, { text, style });
  for (const [{ text }, letters] of resolver.letters) {
    context.needs.addText(layer.name, { text: letters.text, style: text.strut });
    if (text.hyphens === 'auto' && text.strut.lang !== null) context.needs.addHyphenation(text.strut.lang);
  }
  for (const [name, near] of unknownOperands(layer)) {
    const meant = near === null ? '.' : `; did you mean ${JSON.stringify(near)}?`;
    const message = `The table ${JSON.stringify(layer.name)} calculates with ${quoted(name)}, which nothing has${meant}`;
    context.needs.addWarning({ code: 'unknown-layer', layer: layer.name, message });
  }
  for (const [name, value] of roundedRates(layer)) {
    const message = `The table ${JSON.stringify(layer.name)} calculates with ${quoted(name)} of ${quoted(value, 40)}, and writes it with fewer digits; give its percent format \`maximumFractionDigits\`.`;
    context.needs.addWarning({ code: 'rate-rounded', layer: layer.name, message });
  }
  const isEmpty = layer.rows.length === 0;
  return {
    type: 'table',
    columns: widths.map(columnWidth),
    rows,
    carryHead,
    carryFoot,
    zebra: layer.zebra === null ? null : resolveFill(layer.zebra),
    rule: resolveBorder(layer.rule),
    headRule: resolveBorder(layer.headerRule),
    footRule: resolveBorder(layer.footerRule),
    columnRule: resolveBorder(layer.columnRule),
    border: resolveBorder(layer.border),
    radii: resolveCorners(layer.borderRadius),
    background: layer.background === null ? null : resolveFill(layer.background),
    collapses: resolver.hasBorders,
    isRtl,
    hideWhenEmpty: layer.hideWhenEmpty && isEmpty,
    repeatsHead: layer.repeatHeader && !(isEmpty && layer.empty !== null),
    repeatsGroupHead: layer.repeatGroupHeader,
    repeatsFoot: layer.repeatFooter,
    splitsRows: layer.splitRows,
    wide: layer.wide,
  };
}

/** The rows of a table that are not of one entry, with the names of their properties. */
const fixedRows = (layer: TableLayer): readonly (readonly [string, readonly RowObject[]])[] =>
  (['header', 'footer', 'groupHeader', 'groupFooter', 'carryHeader', 'carryFooter'] as const).map((name) => [
    name,
    rowsOf(layer[name]),
  ]);

/** What of a table takes time, and what it needs. */
interface TableDemand {
  readonly cells: number;
  /** Of pictures. */
  readonly sources: readonly string[];
  /** Of codes. */
  readonly characters: number;
  readonly modules: number;
}

/**
 * Checks a table with its rows on the request's thread, without resolving its styles.
 *
 * @throws ValidationError as `resolveTable`
 */
export function checkTable(layer: TableLayer, locale: Locale, pathOf: (layer: TableLayer) => string): TableDemand {
  const body = rowsOf(layer.row);
  const cells = layer.rows.length * body.reduce((sum, row) => sum + row.cells.length, 0);
  if (cells > MAX_CELLS) {
    throw new ValidationError(`${pathOf(layer)}.rows`, `have more than ${MAX_CELLS} cells; send fewer rows`);
  }
  const count = layer.columns.length;
  for (const [name, rows] of [['row', body] as const, ...fixedRows(layer)]) {
    const cells = rows.map((row) => row.cells.map(cellObject));
    const spans = Math.max(0, ...placeCells(cells).flatMap((line) => line.map(({ column, span }) => column + span)));
    if (spans > count) throw new ValidationError(`${pathOf(layer)}.${name}`, `has ${spans} cells for ${count} columns`);
    const formatted = [...cells.flat(), ...cells.flat().flatMap(({ spans }) => spans ?? [])];
    if (locale.currency === undefined && formatted.some(({ format }) => format && needsCurrency(format))) {
      throw new ValidationError(`${pathOf(layer)}.${name}`, NO_CURRENCY);
    }
  }
  return { cells, ...checkValues(layer, pathOf) };
}

/** Checks the values of entries that are formatted, or shown as pictures or codes. */
function checkValues(layer: TableLayer, pathOf: (layer: TableLayer) => string): Omit<TableDemand, 'cells'> {
  const objects = rowsOf(layer.row).flatMap((row) => row.cells.map(cellObject));
  const all = objects.flatMap((cell) => [cell, ...(cell.spans ?? [])]);
  const asked = all.filter(({ name, format, image }) => name !== undefined && (format || image));
  const codes = objects.filter(({ name, code }) => name !== undefined && code);
  const sources: string[] = all.flatMap(({ image }) => (image && 'src' in image && image.src ? [image.src] : []));
  let [characters, modules, index] = [0, 0, -1];
  for (const entry of asked.length + codes.length > 0 ? layer.rows : []) {
    index += 1;
    for (const { name = '', format, image } of asked) {
      const text = textOfValue(plainValue(entry[name]));
      const problem = format ? valueProblem(formatOptions(format), text) : null;
      if (problem !== null) throw new ValidationError(pathOfValue(pathOf(layer), index, name), problem);
      if (image && text !== '') sources.push(text);
    }
    for (const { name = '', code } of codes) {
      const value = textOfValue(plainValue(entry[name]));
      if (!code || value === '') continue;
      const { format, errorCorrection, quietZone } = code;
      const size = checkCode(
        format === 'qr'
          ? { type: 'qr', value, errorCorrection, quietZone }
          : { type: 'barcode', value, format, quietZone },
        pathOfValue(pathOf(layer), index, name),
      );
      characters += size.characters;
      modules += size.modules;
    }
  }
  return { sources, characters, modules };
}

function columnWidth(width: number | string): ColumnWidth {
  if (typeof width === 'number' || isLength(width)) return { kind: 'px', value: pixels(width) };
  if (width === 'hug') return { kind: 'hug' };
  if (width === 'fill') return { kind: 'fr', value: 1 };
  return { kind: width.endsWith('%') ? 'percent' : 'fr', value: Number.parseFloat(width) };
}

/** Lines that stay together; rows alike have the same. */
interface Lines {
  readonly cells: readonly ResolvedCell[];
  /** As they are drawn. */
  readonly drawn: readonly TableCell[];
}

/** A row, and how many entries come before it. */
interface PlacedRow {
  readonly row: TableRow;
  readonly before: number;
}

/** Consecutive entries: from the first to before the last. */
interface Group {
  readonly from: number;
  readonly to: number;
}

class RowResolver {
  readonly #layer: TableLayer;
  readonly #cells: CellResolver;
  readonly #values: TableValues;
  readonly #known = new Map<string, Lines>();
  readonly #ids = new Map<object, number>();
  readonly #styled = new Map<string, readonly TableCell[]>();
  readonly #body: readonly RowObject[];
  /** Lines of which one has to show for an entry to be there; none = all entries are. */
  readonly #deciding: readonly RowObject[];
  /** The entries so far that are there, which are counted and striped. */
  #count = 0;
  /** How many entries come before each row, if sums are carried. */
  readonly #before: number[] = [];
  readonly letters = new Map<TableCell, Letters>();
  /** Of runs that have a style of their own. */
  readonly spanLetters = new Map<CharacterStyle, Letters>();
  readonly #needs: NeedsSink;
  readonly #path: string;
  /** The formats of codes of which one is needed. */
  readonly #codes = new Set<string>();
  /** What cells calculate that have names. */
  readonly #named: Readonly<Record<'fixed' | 'group' | 'carried', NamedCells>>;

  readonly #headings: ReturnType<Context['headings']> | null;

  /** @param headings that the entries are; null = they are none */
  constructor(
    { locale, pathOf, needs }: Context,
    layer: TableLayer,
    headings: ReturnType<Context['headings']> | null,
    isRtl: boolean,
  ) {
    this.#layer = layer;
    this.#needs = needs;
    this.#path = pathOf(layer);
    this.#headings = headings;
    this.#body = rowsOf(layer.row);
    // Conditions about places are about the entries that are there for other reasons.
    const deciding = this.#body.filter(({ when }) => !isPosition(when));
    this.#deciding = deciding.some(({ when, hideWhenEmpty }) => when === null && !hideWhenEmpty) ? [] : deciding;
    this.#cells = new CellResolver(layer, locale.lang ?? null, isRtl, this.#path);
    this.#values = new TableValues(layer, locale, this.#path);
    this.#named = {
      fixed: namedCells(layer.header, layer.footer),
      group: namedCells(layer.groupHeader, layer.groupFooter),
      carried: namedCells(layer.carryHeader, layer.carryFooter),
    };
  }

  /** Whether any cell has a border. */
  get hasBorders(): boolean {
    return [...this.letters.keys()].some(({ borders }) => borders !== null);
  }

  rows(): TableRowList {
    const { header, footer, headerCell, footerCell, rows: entries, empty, columns, groupBy } = this.#layer;
    const all = this.#values.all(this.#named.fixed);
    const isCarried = this.#layer.carryHeader.length + this.#layer.carryFooter.length > 0;
    const rows = new TableRowList();
    const add = (some: Iterable<PlacedRow>) => {
      for (const { row, before } of some) {
        if (isCarried) this.#before.push(before);
        rows.add(row);
      }
    };
    add(this.#fixed('head', header, headerCell, all, null));
    if (entries.length === 0 && empty !== null) {
      const cells = [{ text: empty, columnSpan: columns.length, rowSpan: 1, when: null }];
      add(this.#fixed('head', [cells], {}, all, null));
    }
    let isFirst = true;
    for (const group of groupsOf(entries, groupBy)) {
      add(this.#group(group, rows.length, isFirst));
      isFirst = false;
    }
    add(this.#fixed('foot', footer, footerCell, all, null));
    return rows;
  }

  /** A row that carries what is calculated so far to the next page. */
  carried(given: Rows): CarriedRow | null {
    const all = this.#values.all(this.#named.carried);
    const lines = rowsOf(given).filter((line) => this.#values.shows(line, all));
    if (lines.length === 0) return null;
    const { cells, drawn } = this.#resolved('carry', lines, this.#layer.carryCell);
    const texts = new PackedList<readonly string[]>(asJson());
    for (const to of [...this.#before, all.to]) {
      const source = { ...all, to };
      const isShown = lines.some((line) => this.#values.shows(line, source));
      const own = isShown ? cells.map((each) => this.#textOf(each, source)) : [];
      this.#note(cells, own);
      texts.add(own);
    }
    return { cells: drawn, lines: lines.length, texts };
  }

  /** The rows of a group. @param start where it begins @param isFirst of the table */
  *#group(group: Group, start: number, isFirst: boolean): Generator<PlacedRow> {
    const { groupBy, groupBreak } = this.#layer;
    const breaks = groupBy === null ? 'auto' : groupBreak;
    let before: TableRow['before'] | null = breaks === 'page' && !isFirst ? 'page' : null;
    let last: PlacedRow | null = null;
    for (const each of this.#rowsIn(group, groupBy === null ? null : start)) {
      if (last) yield breaks === 'avoid' ? { ...last, row: { ...last.row, after: 'avoid' } } : last;
      last = before ? { ...each, row: { ...each.row, before } } : each;
      before = null;
    }
    if (last) yield last;
  }

  *#rowsIn({ from, to }: Group, group: number | null): Generator<PlacedRow> {
    const { groupHeader, groupFooter, groupHeaderCell, groupFooterCell, rows: entries } = this.#layer;
    const values = entries.at(from) ?? {};
    const source = { ...this.#values.all(this.#named.group), values, from, to, index: from };
    if (group !== null) yield* this.#fixed('group-head', groupHeader, groupHeaderCell, source, group);
    for (let i = from; i < to; i += 1) {
      const row = this.#entry(i, group);
      if (row) yield { row, before: i };
    }
    if (group !== null) yield* this.#fixed('group-foot', groupFooter, groupFooterCell, source, group);
  }

  /** Whether an entry is there, wherever it stands. */
  #isThere(index: number): boolean {
    if (this.#deciding.length === 0) return true;
    const { rows } = this.#layer;
    const place = { index, count: rows.length };
    const source = { ...this.#values.entry(index), place };
    return this.#deciding.some((line) => this.#values.shows(line, source));
  }

  /** How many entries are there: counted only if a condition asks for the last of them. */
  readonly #total = lazily(() => {
    const { rows, keepWithNext } = this.#layer;
    const asked = this.#body.flatMap(({ when, cells }) => [when, ...cells.map((cell) => cellObject(cell).when)]);
    const isAsked = [...asked, keepWithNext].includes('last');
    if (!isAsked || this.#deciding.length === 0) return rows.length;
    let total = 0;
    for (let i = 0; i < rows.length; i += 1) if (this.#isThere(i)) total += 1;
    return total;
  });

  #entry(index: number, group: number | null): TableRow | null {
    const { rows: entries, keepWithNext } = this.#layer;
    if (!this.#isThere(index)) return null;
    const number = this.#count;
    this.#count += 1;
    const values = entries.at(index) ?? {};
    const place = { index: number, count: this.#total() };
    const source = { ...this.#values.entry(index), place, row: String(number + 1) };
    const lines = this.#body.filter((line) => this.#values.shows(line, source));
    if (lines.length === 0) return null;
    const { cells, drawn } = this.#resolved('row', lines, {});
    const own = cells.map((each) => {
      const value = each.given.name === undefined ? undefined : values[each.given.name];
      const style = typeof value === 'object' && value !== null ? cellStyleOf(value) : {};
      return Object.keys(style).length > 0 ? { ...each, cell: this.#cells.restyled(each, {}, style) } : each;
    });
    const isPlain = own.every((each, i) => each === cells[i]);
    const texts = cells.map((each) => this.#textOf(each, source));
    this.#note(own, texts);
    const heading = this.#headings?.[index];
    const pages = cells.flatMap(({ given }, i) => (given.name === 'page' ? [i] : []));
    if (heading) for (const i of pages) this.#note(own.slice(i, i + 1), ['0123456789']);
    return {
      kind: 'body',
      index,
      cells: isPlain ? drawn : this.#together(own.map(({ cell }) => cell)),
      lines: lines.length,
      texts,
      isStriped: number % 2 === 1,
      before: 'auto',
      after:
        keepWithNext !== null && holds(keepWithNext, '', place, (name) => plainValue(values[name])) ? 'avoid' : 'auto',
      group,
      lists: heading ? { heading, cells: pages } : null,
    };
  }

  /** Rows that are not of one entry; those that a span joins are one row of several lines. */
  #fixed(kind: TableRowKind, given: Rows, style: CellStyle, source: ValueSource, group: number | null): PlacedRow[] {
    const lines = rowsOf(given).flatMap((line): readonly FixedLine[] => {
      const sources = line.by === undefined ? [source] : this.#values.sources([line.by].flat(), source);
      return sources.flatMap((each) => (this.#values.shows(line, each) ? [{ ...line, source: each }] : []));
    });
    const isAtEnd = kind === 'foot' || kind === 'group-foot';
    const rows: PlacedRow[] = [];
    for (const part of joinedBySpans(lines)) {
      const { cells, drawn } = this.#resolved(kind, part, style);
      const texts = cells.map((each) => this.#textOf(each, part[each.cell.line]?.source ?? source));
      this.#note(cells, texts);
      const row = {
        ...{ kind, index: 0, cells: drawn, lines: part.length, texts, isStriped: false, group, lists: null },
        before: isAtEnd ? 'avoid' : 'auto',
        after: isAtEnd ? 'auto' : 'avoid',
      } as const;
      rows.push({ row, before: isAtEnd ? source.to : source.from });
    }
    return rows;
  }

  /** The same for lines that have been resolved before. */
  #resolved(kind: string, lines: readonly RowObject[], style: CellStyle): Lines {
    const key = `${kind} ${lines.map((line) => this.#idOf(line.cells)).join(' ')}`;
    let known = this.#known.get(key);
    if (!known) {
      const cells = this.#cells.row(lines, style);
      known = { cells, drawn: cells.map(({ cell }) => cell) };
      this.#known.set(key, known);
    }
    return known;
  }

  /** Rows alike have the same list of cells. */
  #together(cells: readonly TableCell[]): readonly TableCell[] {
    const key = cells.map((cell) => this.#idOf(cell)).join(' ');
    const known = this.#styled.get(key) ?? cells;
    this.#styled.set(key, known);
    return known;
  }

  #idOf(object: object): number {
    const id = this.#ids.get(object) ?? this.#ids.size;
    this.#ids.set(object, id);
    return id;
  }

  /** What a cell shows in a row, as `TableCell.content` says. */
  #textOf({ given, cell }: ResolvedCell, source: ValueSource): string {
    const { content } = cell;
    const plain = this.#values.textOf(given, source);
    if (content === null || content.kind === 'markdown' || content.kind === 'code') return plain;
    const { image, link, when } = given;
    if (content.kind === 'image') return this.#picture(plain, image?.optional ?? false, null);
    if (when !== null && !this.#values.shows({ cells: [], when, hideWhenEmpty: false }, source)) return '';
    const spans = given.spans ?? [{ text: plain, link }];
    const parts = spans.flatMap((span) => {
      const text = this.#values.textOfSpan(span, source).replaceAll(BETWEEN_SPANS, ' ');
      const { image, link: own = link } = span;
      const shown = image ? this.#picture(text || image.src, image.optional, image.fallback) : text;
      return typeof own === 'object' && own !== null ? [shown, this.#address(own.name, source)] : [shown];
    });
    return parts.join(BETWEEN_SPANS);
  }

  /** The key of a picture; empty = there is none. */
  #picture(src: string, optional: boolean, fallback: string | null): string {
    if (src.trim() === '') return '';
    const sources = fallback === null ? [src] : [src, fallback];
    return this.#needs.addImage({ sources, layer: this.#layer.name, optional, focus: null });
  }

  #address(name: string, source: ValueSource): string {
    const address = this.#values.textOfSpan({ text: '', name }, source).trim();
    if (address === '') return '';
    const { error } = Href.safeParse(address);
    if (error) throw new ValidationError(pathOfValue(this.#path, source.index, name), error.issues[0]?.message ?? '');
    return address;
  }

  #noteSpan(style: CharacterStyle, text: string): void {
    const letters = this.spanLetters.get(style) ?? new Letters();
    this.spanLetters.set(style, letters);
    letters.add(text);
  }

  #noteContent(cell: TableCell, text: string): void {
    const { content } = cell;
    if (content?.kind === 'code' && text !== '') {
      const { need, node } = content;
      if (!this.#codes.has(need.format)) this.#needs.addCode({ ...need, value: text });
      this.#codes.add(need.format);
      if (node.caption && need.format !== 'qr') this.#noteSpan(node.caption.style, printedValue(need.format, text));
    }
    if (content?.kind !== 'spans' && content?.kind !== 'markdown') return;
    for (const { style, text: own, image } of spansOf(cell, text)) if (!image) this.#noteSpan(style, own);
  }

  #note(cells: readonly ResolvedCell[], texts: readonly string[]): void {
    for (const [i, { cell }] of cells.entries()) {
      if (cell.content !== null) this.#noteContent(cell, texts[i] ?? '');
      let letters = this.letters.get(cell);
      if (!letters) {
        letters = new Letters();
        this.letters.set(cell, letters);
      }
      if (cell.content === null) letters.add(texts[i] ?? '');
      letters.add((cell.leader ?? '') + (cell.continued ?? ''));
    }
  }
}

/** Characters that no neighbour joins: Latin letters, and the signs and spaces of numbers. */
const SINGLE = /^[ -~\u00a0-\u02af\u2010-\u2027\u202f-\u205e\u20a0-\u20bf\u2212]*$/;

/** The letters of the texts of a cell, each once: a long table repeats few. */
class Letters {
  readonly #single = new Set<string>();
  #words = '';

  add(text: string): void {
    if (SINGLE.test(text)) for (const letter of text) this.#single.add(letter);
    else this.#words += ` ${text}`;
  }

  get text(): string {
    return [...this.#single].join('') + this.#words;
  }
}

/** Entries that follow each other and have one value; all are one group without a name. */
function* groupsOf(entries: Entries, name: string | null): Generator<Group> {
  let from = 0;
  let last: string | null = null;
  for (let to = 0; to < entries.length && name !== null; to += 1) {
    const value = textOfValue(plainValue(entries.at(to)?.[name]));
    if (value !== last && to > from) {
      yield { from, to };
      from = to;
    }
    last = value;
  }
  if (from < entries.length) yield { from, to: entries.length };
}

/** A line of a header or footer, and what it shows. */
interface FixedLine extends RowObject {
  readonly source: ValueSource;
}

/** Lines, divided where no cell spans from one to the next. */
function joinedBySpans(lines: readonly FixedLine[]): readonly (readonly FixedLine[])[] {
  const parts: FixedLine[][] = [];
  let end = 0;
  for (const [index, line] of lines.entries()) {
    if (index >= end) parts.push([]);
    parts.at(-1)?.push(line);
    for (const cell of line.cells) end = Math.max(end, index + cellObject(cell).rowSpan);
    end = Math.max(end, index + 1);
  }
  return parts;
}
