// Converts the values of a chart, which may be given in several ways, to rows. Without zod, because pages in the browser
// that have no schemas use it.

/** Largest number of a chart, and smallest with a minus. */
export const MOST_VALUE = 1e15;

type Value = number | null;

/** `"3, 5, 8"`, a number, or a list of numbers and entries with a label. */
export type ChartData =
  | Value
  | string
  | readonly (
      | Value
      | { readonly label: string; readonly value: Value | readonly Value[]; readonly color?: string | undefined }
    )[];

/** An entry with one value for each series. */
export interface ChartRow {
  readonly label: string;
  readonly values: readonly Value[];
  /** A CSS colour; null = one of the chart's. */
  readonly color: string | null;
}

export function chartRows(data: ChartData): readonly ChartRow[] {
  const entries = typeof data === 'string' ? (numbersIn(data) ?? []) : Array.isArray(data) ? data : [data];
  return entries.map((entry) => {
    if (typeof entry !== 'object' || entry === null) return { label: '', values: [entry], color: null };
    return { label: entry.label, values: [entry.value].flat(), color: entry.color ?? null };
  });
}

/** The numbers of a text; an empty place is null; null = it has anything else. */
export function numbersIn(text: string): readonly Value[] | null {
  if (text.trim() === '') return [];
  const parts = text.split(/[,;]/).map((part) => part.trim());
  const isNumber = (part: string) =>
    part === '' || (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(part) && Math.abs(Number(part)) <= MOST_VALUE);
  return parts.every(isNumber) ? parts.map((part) => (part === '' ? null : Number(part))) : null;
}
