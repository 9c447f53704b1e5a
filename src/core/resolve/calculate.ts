// What the layers of a template calculate over lists and tables, and the values that they show of each other, in decimal
// arithmetic. It is done once all layers have their own values: for those outside lists, and for those of each entry.

import { addDecimals, type Decimal, decimalText, parseDecimal, ZERO } from '../decimal.ts';
import { quoted, ValidationError } from '../diagnostics.ts';
import { type OfList, readOfList } from '../template/calculation.ts';
import { type ChartLayer, MAX_ENTRIES } from '../template/chart-layer.ts';
import { formatOptions, hasNamedTexts, type ValueSpan } from '../template/format.ts';
import type { Layer } from '../template/layer.ts';
import { askedOutside, type TableLayer } from '../template/table-layer.ts';
import type { TextLayer } from '../template/text-layer.ts';
import { storedValue } from './condition.ts';
import { evaluate, NOTHING, resultText, type Sum } from './evaluate.ts';
import { formattedText, type Locale } from './format-value.ts';
import { decimal } from './modify-layer.ts';
import { templateName } from './repeat.ts';
import { namedCells, namesInRow, TableValues, textOfValue } from './table-values.ts';

/** Of each frame that shows a list: the layers of every entry, also of those beyond its `max`. */
type Entries = ReadonlyMap<Layer, readonly (readonly Layer[])[]>;

/** What is around the layers that calculate. */
interface Surroundings {
  readonly entries: Entries;
  /** Texts that count nothing. */
  readonly withoutValue: ReadonlySet<Layer>;
  readonly locale: Locale;
  /** The path of a layer in the caller's input. */
  readonly pathOf: (layer: Layer) => string;
  /** What the caller gives a name; undefined = nothing. */
  readonly given: (name: string) => unknown;
  /** Where that is in the input; null = the caller gives nothing. */
  readonly pathOfGiven: (name: string) => string | null;
  /** Whether the caller sets the text or the data of a layer, so that nothing is calculated. */
  readonly isGiven: (layer: Layer, property: 'text' | 'data') => boolean;
  /** What the template has for a name of a layer elsewhere. */
  readonly stored: (name: string) => unknown;
  /** Warns that no entry of a list or table has a value of this name, which something calculates with or shows. */
  readonly lacks: (list: string, name: string, known: readonly string[]) => void;
}

/** The layers of one scope: those outside lists, or those of one entry. */
export class Completion {
  readonly #around: Surroundings;
  readonly #layers = new Map<string, Layer>();
  readonly #lists = new Map<string, (readonly Layer[])[]>();
  readonly #tables = new Map<string, TableLayer[]>();
  /** Lists that were not given. */
  readonly #missing = new Set<string>();
  readonly #texts = new Map<Layer, string | null>();
  readonly #finished = new Map<TableLayer, TableLayer>();
  readonly #values = new Map<TableLayer, TableValues>();
  /** Layers that are being calculated, each for the next. */
  readonly #asking: Layer[] = [];

  constructor(layers: readonly Layer[], around: Surroundings) {
    this.#around = around;
    for (const layer of walkEntries(layers, around.entries)) {
      const name = templateName(layer);
      const own = around.entries.get(layer);
      if (own) this.#lists.set(name, [...(this.#lists.get(name) ?? []), ...own]);
      else if (layer.type === 'table') this.#tables.set(name, [...(this.#tables.get(name) ?? []), layer]);
      else if (layer.type === 'frame' && layer.repeat !== false) this.#missing.add(name);
    }
    const visit = (inner: readonly Layer[]) => {
      for (const layer of inner) {
        this.#layers.set(templateName(layer), layer);
        if (layer.type === 'frame' && !around.entries.has(layer)) visit(layer.children);
      }
    };
    visit(layers);
  }

  /** What a layer gets that calculates, or shows values of others; null = it stays. @throws ValidationError naming a value */
  of(layer: Layer): Partial<Layer> | null {
    switch (layer.type) {
      case 'text': {
        const text = layer.calculate === null ? null : this.#textOf(layer);
        if (text !== null) return { text };
        return hasNamedTexts(layer.spans)
          ? { spans: this.filled(layer.spans, layer.lang, `${this.#path(layer)}.spans`) }
          : null;
      }
      case 'qr':
      case 'barcode': {
        if (!layer.spans || !layer.visible) return null;
        // A code is read by machines, whatever the language is.
        const value = this.filled(layer.spans.map(ungrouped), 'en-US', `${this.#path(layer)}.spans`).map(
          ({ text }) => text,
        );
        if (value.join('') === '')
          throw new ValidationError(
            `${this.#path(layer)}.spans`,
            'have no value to encode; a span with a name may have a `text`, which it shows when nothing else has a value',
          );
        return { value: value.join(''), spans: null };
      }
      case 'table': {
        const table = this.#table(layer);
        return table === layer ? null : { rows: table.rows, values: table.values };
      }
      case 'chart':
        return layer.from === null || this.#around.isGiven(layer, 'data')
          ? null
          : { data: this.#points(layer, layer.from) };
      case 'image':
      case 'shape':
      case 'frame':
        return null;
    }
  }

  #points(layer: ChartLayer, { table: name, label, values }: NonNullable<ChartLayer['from']>): ChartLayer['data'] {
    const path = `${this.#path(layer)}.from`;
    const tables = this.#tables.get(name);
    if (!tables) throw new ValidationError(`${path}.table`, `there is no table ${quoted(name)} beside the chart`);
    const names = [values].flat();
    const points = tables.flatMap((table) => this.#valuesOf(this.#table(table)).points(label, names, path));
    if (points.length <= MAX_ENTRIES) return points;
    throw new ValidationError(path, `the table has ${points.length} entries, and a chart shows at most ${MAX_ENTRIES}`);
  }

  /** Texts with the values that they name. */
  filled<Span extends ValueSpan>(spans: readonly Span[], lang: string | null, path: string): Span[] {
    const { locale, pathOfGiven } = this.#around;
    return spans.map((span, i) => {
      const { name, format, ...rest } = span;
      if (name === undefined) return span;
      const where = pathOfGiven(name) ?? `${path}[${i}].text`;
      const value = this.#value(name) ?? this.#sumNamed(name) ?? span.text;
      if (typeof value === 'object') throw new ValidationError(where, 'must be a text or a number, which a text shows');
      const text = textOfValue(value as string | number | boolean);
      const own = 'lang' in span && typeof span.lang === 'string' ? span.lang : lang;
      const shown = format ? formattedText({ text, format, lang: own }, locale, () => where) : text;
      return { ...(rest as Span), text: shown };
    });
  }

  #path = (layer: Layer): string => this.#around.pathOf(layer);

  /** What a name has here; undefined = nothing. */
  #value(name: string): unknown {
    const given = this.#around.given(name);
    const layer = this.#layers.get(name);
    // Whether a layer is shown says nothing of its value.
    if (given !== undefined && (layer === undefined || typeof given !== 'boolean')) return given;
    if (layer?.type === 'text' && layer.calculate !== null) return this.#textOf(layer) ?? layer.text;
    return layer ? storedValue({ ...layer, visible: true }) : this.#around.stored(name);
  }

  #number(name: string): Decimal | null {
    const value = this.#value(name);
    const text = typeof value === 'number' ? decimal(value) : typeof value === 'string' ? value.trim() : '';
    if (text === '') return null;
    const number = parseDecimal(text);
    if (number) return number;
    const layer = this.#layers.get(name);
    const where = this.#around.pathOfGiven(name) ?? (layer ? `${this.#path(layer)}.text` : `layers.${name}`);
    throw new ValidationError(
      where,
      `must be a number such as 12.5, which is calculated with; this is ${quoted(text, 40)}`,
    );
  }

  /** What a text calculates; null = nothing, as a list was not given or the caller gives the text. */
  #textOf(layer: TextLayer): string | null {
    let text = this.#texts.get(layer);
    if (text === undefined) {
      text =
        this.#around.isGiven(layer, 'text') || layer.calculate === null
          ? null
          : this.#inside(layer, () => this.#calculated(layer));
      this.#texts.set(layer, text);
    }
    return text;
  }

  #calculated(layer: TextLayer): string | null {
    const { calculate } = layer;
    if (calculate === null) return null;
    if ('count' in calculate) {
      const [list, tables] = [this.#lists.get(calculate.count), this.#tables.get(calculate.count)];
      if (!list && !tables) return null;
      return String((list ?? []).length + (tables ?? []).reduce((sum, each) => sum + this.#table(each).rows.length, 0));
    }
    let isMissing = false;
    const of = (name: string): Sum | null => {
      const found = this.#ofList(name, 'average' in calculate ? 'average' : 'sum');
      if (found === 'missing') isMissing = true;
      return found === 'missing' ? NOTHING : found;
    };
    const value = (name: string) => {
      const found = of(name);
      return found ? found.sum : this.#number(name);
    };
    const pathOf = () => `${this.#path(layer)}.calculate`;
    const operands = { addend: value, factor: value, average: (name: string) => of(name) ?? NOTHING };
    const result = evaluate(calculate, operands, pathOf);
    return isMissing ? null : resultText(result, pathOf);
  }

  /** `lines.total` as a text; undefined = the name is of no list that was given. */
  #sumNamed(name: string): string | undefined {
    const found = this.#ofList(name);
    return found && found !== 'missing' ? decimalText(found.sum) : undefined;
  }

  /** The sum of a value of a list or table; null = the name is of none, `missing` = of one that was not given. */
  #ofList(path: string, kind = 'sum'): Sum | 'missing' | null {
    const found = readOfList(
      path,
      (name) => this.#lists.has(name) || this.#tables.has(name) || this.#missing.has(name),
    );
    if (!found) return null;
    const [list, tables] = [this.#lists.get(found.list), this.#tables.get(found.list)];
    if (tables) {
      const values = tables.map((table) => this.#valuesOf(this.#table(table)));
      const known = values.flatMap((each) => [...each.names()]);
      if (!known.includes(found.layer) && tables.some((table) => this.#table(table).rows.length > 0)) {
        this.#around.lacks(found.list, found.layer, known);
        return null;
      }
      return values
        .map((each) => each.total(found.layer))
        .reduce((a, b) => ({ sum: addDecimals(a.sum, b.sum), count: a.count + b.count }));
    }
    if (!list) return 'missing';
    const texts = [...walkEntries(list.flat(), this.#around.entries)].filter(({ type }) => type === 'text');
    if (list.length > 0 && texts.every((text) => templateName(text) !== found.layer)) {
      this.#around.lacks(found.list, found.layer, [...new Set(texts.map(templateName))]);
      return null;
    }
    return this.#sumIn(list, found, kind);
  }

  /** @param kind what they are added for */
  #sumIn(list: readonly (readonly Layer[])[], { layer: name }: OfList, kind: string): Sum {
    const { entries, withoutValue } = this.#around;
    let [sum, count] = [ZERO, 0];
    for (const layer of walkEntries(list.flat(), entries)) {
      if (layer.type !== 'text' || templateName(layer) !== name || layer.text.trim() === '') continue;
      if (withoutValue.has(layer)) continue;
      const value = parseDecimal(layer.text);
      if (!value) {
        const problem = `must be a number such as 12.5, for the ${kind}; this is ${quoted(layer.text, 40)}`;
        throw new ValidationError(`${this.#path(layer)}.text`, problem);
      }
      sum = addDecimals(sum, value);
      count += 1;
    }
    return { sum, count };
  }

  /** A table with the entries that are sums of another's, and the values of others that it calculates with. */
  #table(table: TableLayer): TableLayer {
    const known = this.#finished.get(table);
    if (known) return known;
    const finished = this.#inside(table, () => this.#finish(table));
    this.#finished.set(table, finished);
    return finished;
  }

  #finish(table: TableLayer): TableLayer {
    const { totals } = table;
    const isGiven = Array.isArray(this.#around.given(templateName(table)));
    const [first, ...others] = (totals && !isGiven && this.#tables.get(totals.of)) || [];
    let { rows, values } = table;
    if (first && totals) {
      const own = this.#table(first);
      const rest = others.flatMap((each) => [...this.#table(each).rows]);
      const all = rest.length > 0 ? { ...own, rows: [...own.rows, ...rest] } : own;
      const source = this.#valuesOf(all);
      rows = source.totals([totals.by].flat(), namedCells(table.row));
      const known = [...source.names(), ...namedCells(table.row).keys()];
      for (const name of rows.length > 0 ? namesInRow(table) : []) {
        if (!known.includes(name) && !name.includes('.')) this.#around.lacks(totals.of, name, known);
      }
    }
    for (const name of askedOutside(table)) {
      if (values[name] !== undefined) continue;
      const found = this.#ofList(name);
      const value = found === 'missing' ? undefined : found ? decimalText(found.sum) : this.#value(name);
      if (typeof value === 'string' || typeof value === 'number') values = { ...values, [name]: value };
    }
    return rows === table.rows && values === table.values ? table : { ...table, rows, values };
  }

  #valuesOf(table: TableLayer): TableValues {
    let values = this.#values.get(table);
    if (!values) {
      values = new TableValues(table, this.#around.locale, this.#path(table));
      this.#values.set(table, values);
    }
    return values;
  }

  #inside<Value>(layer: Layer, ask: () => Value): Value {
    if (this.#asking.includes(layer)) {
      const way = [...this.#asking.slice(this.#asking.indexOf(layer)), layer]
        .map(({ name }) => quoted(name))
        .join(' → ');
      throw new ValidationError(this.#path(layer), `is calculated of itself: ${way}`);
    }
    this.#asking.push(layer);
    try {
      return ask();
    } finally {
      this.#asking.pop();
    }
  }
}

function ungrouped<Span extends ValueSpan>(span: Span): Span {
  const options = span.format && formatOptions(span.format);
  return options && 'useGrouping' in options ? { ...span, format: { ...options, useGrouping: false } } : span;
}

/** All layers in `layers`, with those of entries that are not shown. */
function* walkEntries(layers: readonly Layer[], entries: Entries): Generator<Layer> {
  for (const layer of layers) {
    yield layer;
    if (layer.type !== 'frame') continue;
    const own = entries.get(layer);
    if (own) for (const entry of own) yield* walkEntries(entry, entries);
    else yield* walkEntries(layer.children, entries);
  }
}
