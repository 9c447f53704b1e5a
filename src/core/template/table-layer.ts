// The schema of the table layer: columns, rows of cells, and a list that fills its body.
//
// A cell is not a layer: it has no place of its own, so a table can have many thousands. Names are those of CSS tables.

import { z } from 'zod';
import { asJson, type List, PackedList } from '../packed-list.ts';
import { CellCalculation, namesInCalculation, withNames } from './calculation.ts';
import { EntryCondition } from './condition.ts';
import { Format, namesInTexts } from './format.ts';
import { BARCODE_FORMATS, common, HideWhenEmpty, ImageFit } from './layer-properties.ts';
import { pagedBox } from './page.ts';
import { isLength, pixels } from './page-setup.ts';
import { Border, CornerRadii, Dimension, EdgeLengths, Fill, FontSize, LENGTHS, NonNegative } from './style.ts';
import { CellLink, CellSpan, MAX_TEXT_LENGTH, SpanStyle, TextLayer } from './text-layer.ts';

export const MAX_COLUMNS = 40;
/** Rows of the body, and cells of the whole table. */
export const MAX_ROWS = 50_000;
export const MAX_CELLS = 300_000;
const TOO_MANY_ROWS = `must have at most ${MAX_ROWS} rows; divide them among the items of a batch, which can merge their PDFs`;
/** Rows of a header, a footer or an entry; and those that are read before that is refused. */
const MAX_LINES = 100;
const MOST_READ = 10_000;

const { direction, hyphens, lineBreak, maxLines, overflow, overflowWrap, textWrap, wordBreak } = TextLayer.shape;

/** What a column and a cell may set; a cell's wins over its column's, and that over the table's. */
const cellStyle = {
  align: z.enum(['start', 'end', 'left', 'right', 'center', 'justify', 'decimal']).optional().meta({
    description: 'decimal: the decimal signs of a column are below each other, at its end.',
  }),
  verticalAlign: z.enum(['top', 'middle', 'bottom']).optional(),
  padding: EdgeLengths.optional(),
  background: Fill.nullable().optional(),
  direction: direction.unwrap().optional(),
  hyphens: hyphens.unwrap().optional(),
  lineBreak: lineBreak.unwrap().optional(),
  maxLines: maxLines.unwrap().optional(),
  overflow: overflow.unwrap().optional(),
  overflowWrap: overflowWrap.unwrap().optional().meta({
    description:
      'CSS overflow-wrap. A share is as narrow as its longest word, unless the table would then be wider than its place, or it is `anywhere`. A number is never broken.',
  }),
  textWrap: textWrap.unwrap().optional(),
  wordBreak: wordBreak.unwrap().optional(),
  border: Border.nullable().optional().meta({
    description:
      'Borders of cells collapse with those of their neighbours and of the table, as CSS `border-collapse` does.',
  }),
  borderTop: Border.nullable().optional().meta({ description: 'Instead of `border` on this side; null = none.' }),
  borderRight: Border.nullable().optional(),
  borderBottom: Border.nullable().optional(),
  borderLeft: Border.nullable().optional(),
  ...SpanStyle.shape,
};
const CellStyle = z
  .strictObject(cellStyle)
  .meta({ id: 'CellStyle', description: 'What is left out is as it is for the column, or the whole table.' });
export type CellStyle = z.infer<typeof CellStyle>;

/** A style without properties that are `undefined`. */
type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The styles that a column or a cell sets. */
export function cellStyleOf(given: object): Given<CellStyle> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && Object.hasOwn(cellStyle, name)),
  );
}

/** px. */
const MAX_WIDTH = 100_000;

const ColumnWidth = z
  .union(
    [
      z.number().min(0).max(MAX_WIDTH),
      z
        .string()
        .regex(/^(hug|fill|\d{1,3}(\.\d{1,4})?%|\d{1,6}(\.\d{1,4})?(fr|px|pt|pc|mm|cm|in))$/, { abort: true })
        .refine((width) => !isLength(width) || pixels(width) <= MAX_WIDTH, `must be at most ${MAX_WIDTH} px`),
    ],
    'must be a width in px or such as "8mm", a percentage such as "20%", "hug", "fill", or a share such as "2fr"',
  )
  .register(LENGTHS, { scale: 'column' })
  .meta({
    id: 'ColumnWidth',
    description:
      'Px or `8mm`, % of the table, `hug`: as its cells need, or a share of what is left, `2fr`; `fill` is `1fr`.',
  });

const Column = z
  .union([ColumnWidth, z.strictObject({ width: ColumnWidth.default('hug'), ...cellStyle })])
  .meta({ id: 'TableColumn' });

const CellText = z.string().max(MAX_TEXT_LENGTH);

const CellImage = z
  .strictObject({
    width: NonNegative.nullable().default(null).meta({ description: 'px; null = by the proportions, or as the cell.' }),
    height: NonNegative.nullable().default(null).meta({ description: 'px; null = by the picture’s proportions.' }),
    fit: ImageFit.default('contain'),
    borderRadius: CornerRadii.default(0),
    optional: z.boolean().default(false).meta({ description: 'Left out, with a warning, when it cannot be loaded.' }),
  })
  .meta({ id: 'CellImage', description: 'The value of the cell is the `src` of a picture, as of an image layer.' });

const CellCode = z
  .strictObject({
    format: z.enum(['qr', ...BARCODE_FORMATS]).default('qr'),
    width: NonNegative.default(64),
    height: NonNegative.default(64),
    color: Fill.default('#000000'),
    background: Fill.nullable().default(null),
    errorCorrection: z.enum(['L', 'M', 'Q', 'H']).default('M').meta({ description: 'Of a QR code.' }),
    quietZone: z.int().min(0).max(50).nullable().default(null),
    showText: z.boolean().default(false).meta({ description: 'Prints the value under the bars.' }),
  })
  .meta({ id: 'CellCode', description: 'The value of the cell is shown as a QR code or a barcode.' });

const CellObject = z.strictObject({
  name: z.string().min(1).max(100).optional().meta({
    description: 'The value of an entry that it shows; in a header or footer, of `values`.',
  }),
  text: CellText.default(''),
  counter: z.enum(['row']).optional().meta({ description: 'The number of the row instead of `text`.' }),
  calculate: CellCalculation.optional().meta({
    description:
      'A number made of others: of values of the entry, or of all entries in a header or footer, of the group in its rows, of those so far in what is carried. A cell that has a `name`, too, gives it to other calculations.',
  }),
  format: Format.nullable().optional(),
  total: z
    .enum(['LineTotalAmount', 'TaxBasisTotalAmount', 'TaxTotalAmount', 'GrandTotalAmount', 'DuePayableAmount'])
    .optional()
    .meta({ description: 'The total of `pdf.invoice` that the cell shows: another amount in the XML is an error.' }),
  spans: z.array(CellSpan).min(1).max(50).nullable().optional().meta({
    description: 'Instead of `text`: texts and values of the entry, each with a style of its own.',
  }),
  markup: z.enum(['none', 'markdown']).optional().meta({ description: 'As of a text layer.' }),
  link: CellLink.nullable().optional().meta({ description: 'A hyperlink of what it shows, in PDF.' }),
  image: CellImage.nullable().optional(),
  code: CellCode.nullable().optional(),
  continued: z.string().min(1).max(200).optional().meta({
    description:
      'In a group’s header: is written after the text where the header is shown again, as the group goes on: " (continued)".',
  }),
  leader: z.string().min(1).max(10).optional().meta({
    description: 'Is repeated from the end of the text to the end of the cell: "." leads to a page number.',
  }),
  columnSpan: z.int().min(1).max(MAX_COLUMNS).default(1),
  rowSpan: z.int().min(1).max(MAX_LINES).default(1).meta({ description: 'Rows of its header, footer or entry.' }),
  when: EntryCondition.meta({ description: 'Without it, the cell is empty.' }),
  ...cellStyle,
});

const Cell = z
  .union([CellText, CellObject], 'must be a text, or an object such as {"name": "total"}')
  .meta({ id: 'TableCell' });
export type Cell = z.infer<typeof Cell>;

const Row = z.array(Cell).max(MAX_COLUMNS);

const ValueName = z.string().min(1).max(100);
/** Values by which entries are told apart. */
const By = z.union([ValueName, z.array(ValueName).min(1).max(4)], 'must be a name or a list of at most 4');

/** A row that is not always there. */
const RowObject = z
  .strictObject({
    cells: Row,
    when: EntryCondition.meta({ description: 'Without it, the row is left out.' }),
    hideWhenEmpty: z.boolean().default(false).meta({
      description: 'Left out when its cells that have a `name` or `calculate` are all empty.',
    }),
    by: By.optional().meta({
      description:
        'In a header or footer, of a group too: is there once for each value of this name, such as a rate, and what it calculates is about the entries that have it.',
    }),
  })
  .meta({ id: 'TableRow' });
export type RowObject = z.infer<typeof RowObject>;

const Rows = z
  .union(
    [Row, z.array(z.union([Row, RowObject])).max(MOST_READ)],
    'must be a list of cells, or a list of rows: such lists, or objects with `cells`',
  )
  // A list that is longer than that has rows: a row has fewer cells.
  .refine((rows) => rows.length <= MAX_LINES, `must have at most ${MAX_LINES} rows; make more entries of them`)
  .default([]);
export type Rows = z.infer<typeof Rows>;

const Plain = z.union([CellText, z.number(), z.boolean(), z.null()]);
const StyledValue = z.strictObject({ value: Plain.default(null), ...cellStyle });
const Value = z
  .union(
    [Plain, StyledValue],
    'must be a text, a number, true, false or null, or an object of such a `value` and styles of its cell',
  )
  .meta({ id: 'TableValue', description: 'What a cell shows, and its own styles: {"value": -4, "color": "#c00"}.' });
const Entry = z.record(z.string().max(100), Value);
export type Entry = z.infer<typeof Entry>;
/** The entries of a body; those of a long one are packed. */
export type Entries = List<Entry>;
const Entries = z.array(Entry).max(MAX_ROWS, TOO_MANY_ROWS) as unknown as z.ZodType<Entries, z.input<typeof Entry>[]>;

/** Names of values that are remembered of a long body. */
const MOST_NAMES = 1_000;

class LongEntries extends PackedList<Entry> {
  readonly names = new Map<string, number>();

  override add(entry: Entry): void {
    for (const name of Object.keys(entry)) {
      if (!this.names.has(name) && this.names.size < MOST_NAMES) this.names.set(name, this.length);
    }
    super.add(entry);
  }
}

/** The names of the values that entries have, with the first entry that has each: of a long body the first thousand. */
export function namesIn(entries: Entries): ReadonlyMap<string, number> {
  if (entries instanceof LongEntries) return entries.names;
  const names = new Map<string, number>();
  let index = 0;
  for (const entry of entries) {
    for (const name of Object.keys(entry)) if (!names.has(name)) names.set(name, index);
    index += 1;
  }
  return names;
}

/** Entries of an array that are packed. */
const LONG = 1_000;

/** Parses the entries of a body one by one, so that those of a long one are never all there. @returns null if any is invalid */
export function parseEntries(list: Iterable<unknown>): Entries | null {
  if (Array.isArray(list) && list.length < LONG) return Entries.safeParse(list).data ?? null;
  const entries = new LongEntries(asJson());
  for (const each of list) {
    const { data } = Entry.safeParse(each);
    if (data === undefined || entries.length === MAX_ROWS) return null;
    entries.add(data);
  }
  return entries;
}

export const TableLayer = z
  .strictObject({
    ...common,
    type: z.literal('table'),
    width: Dimension.default('fill'),
    height: Dimension.default('hug'),
    columns: z.array(Column).min(1).max(MAX_COLUMNS),
    direction: z.enum(['ltr', 'rtl']).nullable().default(null).meta({
      description:
        'CSS direction: `rtl` has the first column at the right, where cells start. null = that of the frames around it, or else of the language.',
    }),
    header: Rows.meta({ description: 'Its rows are shown again on each page.' }),
    row: Rows.meta({ description: 'The cells of each entry of the body: a row, or several that stay together.' }),
    footer: Rows,
    groupBy: z.string().min(1).max(100).nullable().default(null).meta({
      description: 'The value by which entries that follow each other are a group, whether a cell shows it or not.',
    }),
    groupHeader: Rows.meta({ description: 'Above each group; a `name` shows the value of its first entry.' }),
    groupFooter: Rows.meta({ description: 'Below each group, such as its sub-total.' }),
    repeatGroupHeader: z.boolean().default(false).meta({
      description: 'Whether it is shown again where the group goes on on a page.',
    }),
    groupBreak: z.enum(['auto', 'avoid', 'page']).default('auto').meta({
      description: 'avoid: a group stays on one page, if it fits. page: each begins on a page of its own.',
    }),
    carryFooter: Rows.meta({
      description: 'At the foot of each page from which the table goes on: what is calculated so far, carried forward.',
    }),
    carryHeader: Rows.meta({ description: 'At the head of the page after it: the same, brought forward.' }),
    keepWithNext: EntryCondition.meta({
      description:
        'Entries after which no page should end: {"kind": "title"}. At the end of a group, its footer stays.',
    }),
    rows: Entries.default([]).meta({
      description: 'The entries of the body, which a list as a modification replaces: {"lines": [{"item": "Hinge"}]}.',
    }),
    contents: z.int().min(1).max(6).nullable().default(null).meta({
      description:
        'A table of contents: instead of `rows`, the headings of the document up to this level, with the values `text`, `level` and `page`. Each row is a link to its heading.',
    }),
    totals: z
      .strictObject({
        of: z.string().min(1).max(100).meta({ description: 'The name of another table.' }),
        by: By,
      })
      .nullable()
      .default(null)
      .meta({
        description:
          'Sums of another table instead of `rows`: an entry for each value of `by` among its entries, about which the cells of `row` calculate.',
      }),
    values: Entry.default({}).meta({
      description: 'What named cells of header and footer show, and calculations take that entries do not have.',
    }),
    empty: CellText.nullable().default(null).meta({ description: 'The text of a body without rows.' }),
    cell: CellStyle.default({}).meta({ description: 'The style of all cells.' }),
    headerCell: CellStyle.default({}),
    footerCell: CellStyle.default({}),
    groupHeaderCell: CellStyle.default({}),
    groupFooterCell: CellStyle.default({}),
    carryCell: CellStyle.default({}),
    zebra: Fill.nullable().default(null).meta({ description: 'The background of every second row of the body.' }),
    rule: Border.nullable().default(null).meta({ description: 'The line below each row of the body.' }),
    headerRule: Border.nullable().default(null).meta({ description: 'The line below the header.' }),
    footerRule: Border.nullable().default(null).meta({ description: 'The line above the footer.' }),
    columnRule: Border.nullable().default(null).meta({ description: 'The line between two columns.' }),
    border: Border.nullable().default(null),
    borderRadius: CornerRadii.default(0),
    background: Fill.nullable().default(null),
    repeatHeader: z.boolean().default(true).meta({ description: 'Whether the header is on each page.' }),
    repeatFooter: z.boolean().default(false),
    hideWhenEmpty: HideWhenEmpty.meta({ description: 'Takes no room when it has no entries.' }),
    boxDecorationBreak: pagedBox.boxDecorationBreak,
    splitRows: z.boolean().default(false).meta({ description: 'Whether a page may end within a row.' }),
    wide: z
      .union(
        [
          z.strictObject({ shrinkTo: FontSize }),
          z.strictObject({
            keyColumns: z
              .int()
              .min(0)
              .max(MAX_COLUMNS - 1),
          }),
        ],
        'must be {"shrinkTo": 8}, the least font size, or {"keyColumns": 1}, the first columns that are on each sheet',
      )
      .nullable()
      .default(null)
      .meta({
        description:
          'Where its words need more than its width. `shrinkTo`: columns, letters and pictures get smaller, down to this font size, with a warning. `keyColumns`: in what flows over pages, the columns are divided among sheets, each with so many of the first ones again: all rows with some columns, then, from a new page on, all rows with the next.',
      }),
  })
  .meta({ id: 'TableLayer', description: 'Rows of cells in columns, of which a list may have many thousands.' });
export type TableLayer = z.infer<typeof TableLayer>;

/** The properties of a table that are rows of cells. */
export const ROW_PARTS = [
  'row',
  'header',
  'footer',
  'groupHeader',
  'groupFooter',
  'carryHeader',
  'carryFooter',
] as const satisfies readonly (keyof TableLayer)[];

/** Rows whose calculations take values of other names. */
export const withCalculations = (rows: Rows, named: (name: string) => string): Rows =>
  rowsOf(rows).map((row) => ({
    ...row,
    cells: row.cells.map((cell) =>
      typeof cell === 'object' && cell.calculate !== undefined
        ? { ...cell, calculate: withNames(cell.calculate, named) }
        : cell,
    ),
  }));

/**
 * The names of values that a table may take from elsewhere: of a list, as `lines.total`, or of a layer or the caller where
 * one value is meant, unless its own cells have them.
 */
export function askedOutside(table: TableLayer): ReadonlySet<string> {
  const asked = new Set<string>();
  const own = new Set<string | undefined>();
  for (const part of ROW_PARTS) {
    for (const cell of rowsOf(table[part]).flatMap((row) => row.cells)) {
      if (typeof cell === 'string') continue;
      const { name, text, calculate, spans } = cell;
      if (part === 'header' || part === 'footer') for (const each of namesInTexts(spans)) asked.add(each);
      if (calculate !== undefined || part === 'row') own.add(name);
      else if (name !== undefined && text === '' && (part === 'header' || part === 'footer')) asked.add(name);
      for (const each of namesInCalculation(calculate)) if (each.includes('.')) asked.add(each);
      // A single name of a sum is that of entries.
      const { sum, running, average: _, ...rest } = Object(calculate) as Record<string, unknown>;
      const single = { ...rest, ...(Array.isArray(sum) && { sum }), ...(Array.isArray(running) && { running }) };
      for (const each of namesInCalculation(single)) asked.add(each);
    }
  }
  for (const name of own) if (name !== undefined) asked.delete(name);
  return asked;
}

/** The rows of a header, a footer or an entry. */
export function rowsOf(rows: Rows): readonly RowObject[] {
  if (rows.length === 0) return [];
  const isList = rows.every((row) => Array.isArray(row) || (typeof row === 'object' && 'cells' in row));
  const list = (isList ? rows : [rows]) as readonly (readonly Cell[] | RowObject)[];
  return list.map((row) => ('cells' in row ? row : { cells: row as Cell[], when: null, hideWhenEmpty: false }));
}

/** A cell as an object. */
export const cellObject = (cell: Cell): Exclude<Cell, string> =>
  typeof cell === 'string' ? { text: cell, columnSpan: 1, rowSpan: 1, when: null } : cell;

interface CellSpans {
  readonly columnSpan?: number | undefined;
  readonly rowSpan?: number | undefined;
}

export interface CellArea {
  readonly column: number;
  /** Columns. */
  readonly span: number;
  readonly line: number;
  /** Lines, of those that there are. */
  readonly lineSpan: number;
}

/**
 * The column of each cell: the first that no cell of its row, or one that spans from a row above, has (HTML, section
 * 4.9.12.1). Rows below the last are cut off their spans.
 */
export function placeCells(rows: readonly (readonly CellSpans[])[]): readonly (readonly CellArea[])[] {
  const taken = new Set<string>();
  return rows.map((cells, line) => {
    let column = 0;
    return cells.map(({ columnSpan = 1, rowSpan = 1 }) => {
      while (taken.has(`${line} ${column}`)) column += 1;
      const area = { column, span: columnSpan, line, lineSpan: Math.min(rowSpan, rows.length - line) };
      for (let y = 0; y < area.lineSpan; y += 1) {
        for (let x = 0; x < area.span; x += 1) taken.add(`${line + y} ${column + x}`);
      }
      column += area.span;
      return area;
    });
  });
}

/** A value without the styles that it may come with. */
export const plainValue = (value: Entry[string] | undefined): string | number | boolean | null | undefined =>
  typeof value === 'object' && value !== null ? value.value : value;
