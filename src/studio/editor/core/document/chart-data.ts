// The data of a chart as a sheet, as people type or paste it: a label and its values in each line, and the names of the
// series above them.

import type { ChartRow } from '#core/template/chart-rows.ts';
import { texts } from '../../../texts/editor.ts';
import { parseCsv } from './sheet.ts';

export interface ChartSheet {
  readonly data: readonly ({ readonly label: string; readonly value: unknown } | number | null)[];
  /** null = the sheet names none. */
  readonly series: readonly string[] | null;
}

export function writeChartSheet(rows: readonly ChartRow[], series: readonly string[]): string {
  const hasLabels = rows.some(({ label }) => label !== '');
  const head = series.length > 0 ? [['', ...series]] : [];
  const body = rows.map(({ label, values }) => {
    const numbers = values.map((value) => (value === null ? '' : String(value)));
    return hasLabels || series.length > 0 ? [label, ...numbers] : numbers;
  });
  return [...head, ...body].map(lineOf).join('\n');
}

/** What a sheet changes in a chart. Entries keep a colour of their own by their label. @throws Error as `readChartSheet` */
export function patchOfSheet(text: string, before: readonly ChartRow[]) {
  const { data, series } = readChartSheet(text);
  const colors = new Map(before.flatMap(({ label, color }) => (color === null ? [] : [[label, color] as const])));
  const entries = data.map((entry) => {
    const color = typeof entry === 'object' && entry !== null ? colors.get(entry.label) : undefined;
    return color === undefined || typeof entry !== 'object' ? entry : { ...entry, color };
  });
  return { data: entries, ...(series && { series }) };
}

/** Why a text is no sheet, or null. */
export function problemInSheet(text: string): string | null {
  try {
    readChartSheet(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Quotes begin right after a comma. */
const lineOf = (cells: readonly string[]): string =>
  cells
    .map((cell) => (/[",;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .reduce((line, cell) => `${line},${cell.startsWith('"') ? '' : ' '}${cell}`);

/** @throws Error with a sentence for the user */
export function readChartSheet(text: string): ChartSheet {
  const isByComma = !/[;\t]/.test(text);
  const lines = parseCsv(text).map((cells) => cells.map((cell) => cell.trim()));
  const numberIn = (cell: string) => Number(isByComma ? cell : cell.replace(',', '.'));
  const isNumber = (cell: string) => cell !== '' && Number.isFinite(numberIn(cell));
  const [first = []] = lines;
  const isHead = lines.length > 1 && first.length > 1 && first.slice(1).every((cell) => cell !== '' && !isNumber(cell));
  const rows = isHead ? lines.slice(1) : lines;
  // Without labels, the first cells are values, too.
  const hasLabels = isHead || rows.some(([label = '', ...values]) => values.length > 0 && !isNumber(label));
  const data = rows.map((cells, i) => {
    const [label = '', ...rest] = hasLabels ? cells : ['', ...cells];
    const values = rest.map((cell) => {
      if (cell !== '' && !isNumber(cell))
        throw new Error(texts.value.inspector.notANumber(i + 1 + (isHead ? 1 : 0), cell));
      return cell === '' ? null : numberIn(cell);
    });
    const value = values.length > 1 ? values : (values[0] ?? null);
    return hasLabels || Array.isArray(value) ? { label, value } : value;
  });
  return { data, series: isHead ? first.slice(1) : null };
}
