// The schema of the table layer: columns, rows of cells, and a list that fills its body.
//
// A cell is not a layer: it has no place of its own, so a table can have many thousands. Names are those of CSS tables.

import { z } from 'zod';
import { Format } from './format.ts';
import { common } from './layer-properties.ts';
import { Border, CornerRadii, Dimension, EdgeLengths, Fill } from './style.ts';
import { MAX_TEXT_LENGTH, SpanStyle } from './text-layer.ts';

export const MAX_COLUMNS = 40;
/** Rows of the body, and cells of the whole table. */
export const MAX_ROWS = 50_000;
export const MAX_CELLS = 300_000;
const MAX_HEADS = 20;

/** What a column and a cell may set; a cell's wins over its column's, and that over the table's. */
const cellStyle = {
  align: z.enum(['start', 'end', 'left', 'right', 'center', 'justify']).optional(),
  verticalAlign: z.enum(['top', 'middle', 'bottom']).optional(),
  padding: EdgeLengths.optional(),
  background: Fill.nullable().optional(),
  ...SpanStyle.shape,
};
const CellStyle = z.strictObject(cellStyle);
export type CellStyle = z.infer<typeof CellStyle>;

/** A style without properties that are `undefined`. */
type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The styles that a column or a cell sets. */
export function cellStyleOf(given: object): Given<CellStyle> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== undefined && Object.hasOwn(cellStyle, name)),
  );
}

const ColumnWidth = z
  .union(
    [
      z.number().min(0).max(100_000),
      z.string().regex(/^(hug|fill|\d{1,3}(\.\d{1,4})?%|\d{1,4}(\.\d{1,4})?fr)$/, { abort: true }),
    ],
    'must be a width in px, a percentage such as "20%", "hug", "fill", or a share such as "2fr"',
  )
  .meta({
    id: 'ColumnWidth',
    description: 'Px, % of the table, `hug`: as its cells need, or a share of what is left, `2fr`; `fill` is `1fr`.',
  });

const Column = z
  .union([ColumnWidth, z.strictObject({ width: ColumnWidth.default('hug'), ...cellStyle })])
  .meta({ id: 'TableColumn' });

const CellText = z.string().max(MAX_TEXT_LENGTH);

const CellObject = z.strictObject({
  name: z.string().min(1).max(100).optional().meta({
    description: 'The value of an entry that it shows; in a header or footer, of `values`.',
  }),
  text: CellText.default(''),
  counter: z.enum(['row']).optional().meta({ description: 'The number of the row instead of `text`.' }),
  calculate: z
    .union(
      [
        z.strictObject({ sum: z.string().min(1).max(100) }),
        z.strictObject({ average: z.string().min(1).max(100) }),
        z.literal('count'),
      ],
      'must be {"sum": "name of a cell"}, {"average": "…"} or "count"',
    )
    .optional()
    .meta({
      description: 'In a footer or header: the sum or average of a cell of all rows, or how many rows there are.',
    }),
  format: Format.nullable().optional(),
  columnSpan: z.int().min(1).max(MAX_COLUMNS).default(1),
  ...cellStyle,
});

const Cell = z
  .union([CellText, CellObject], 'must be a text, or an object such as {"name": "total"}')
  .meta({ id: 'TableCell' });
export type Cell = z.infer<typeof Cell>;

const Row = z.array(Cell).max(MAX_COLUMNS);
const Rows = z.union([Row, z.array(Row).max(MAX_HEADS)], 'must be a list of cells, or a list of such rows').default([]);

const Value = z.union([CellText, z.number(), z.boolean(), z.null()], 'must be a text, a number, true, false or null');
const Entry = z.record(z.string().max(100), Value);
export type Entry = z.infer<typeof Entry>;

export const TableLayer = z
  .strictObject({
    ...common,
    type: z.literal('table'),
    width: Dimension.default('fill'),
    height: Dimension.default('hug'),
    columns: z.array(Column).min(1).max(MAX_COLUMNS),
    header: Rows.meta({ description: 'Its rows are shown again on each page.' }),
    row: Row.default([]).meta({ description: 'The cells of each row of the body.' }),
    footer: Rows,
    rows: z.array(Entry).max(MAX_ROWS).default([]).meta({
      description: 'The entries of the body, which a list as a modification replaces: {"lines": [{"item": "Hinge"}]}.',
    }),
    values: Entry.default({}).meta({ description: 'What named cells of header and footer show.' }),
    empty: CellText.nullable().default(null).meta({ description: 'The text of a body without rows.' }),
    cell: CellStyle.default({}).meta({ description: 'The style of all cells.' }),
    headerCell: CellStyle.default({}),
    footerCell: CellStyle.default({}),
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
    splitRows: z.boolean().default(false).meta({ description: 'Whether a page may end within a row.' }),
  })
  .meta({ id: 'TableLayer', description: 'Rows of cells in columns, of which a list may have many thousands.' });
export type TableLayer = z.infer<typeof TableLayer>;

/** The rows of a header or footer. */
export const rowsOf = (rows: TableLayer['header']): readonly (readonly Cell[])[] =>
  rows.length === 0 ? [] : Array.isArray(rows[0]) ? (rows as Cell[][]) : [rows as Cell[]];

/** A cell as an object. */
export const cellObject = (cell: Cell): Exclude<Cell, string> =>
  typeof cell === 'string' ? { text: cell, columnSpan: 1 } : cell;
