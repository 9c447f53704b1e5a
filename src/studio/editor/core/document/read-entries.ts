// Reads the entries of a table: JSON, or a sheet whose first row names the values.

import { MAX_ROWS } from '#core/template/table-layer.ts';
import { texts } from '../../../texts/editor.ts';
import { readSheet, textOfSheet } from './sheet.ts';
import type { RawEntry } from './table-edits.ts';

export interface Entries {
  /** The names of values, in the order in which they first come. */
  readonly names: readonly string[];
  readonly rows: readonly RawEntry[];
}

/** @throws Error with a sentence for the user */
export function readEntries(text: string): Entries {
  const { names, rows } = /^\s*[[{]/.test(text) ? fromJson(text) : fromSheet(text);
  if (rows.length > MAX_ROWS) throw new Error(texts.value.document.tooManyRows(rows.length, MAX_ROWS));
  return { names, rows };
}

/** The entries of a text that somebody pastes, or what is wrong with it; null = there is no text yet. */
export function tryEntries(text: string): Entries | { readonly problem: string } | null {
  if (text.trim() === '') return null;
  try {
    return readEntries(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The largest file of rows that is read, in bytes. */
const MOST_BYTES = 20_000_000;

export const isRowsFile = ({ name, type }: File): boolean =>
  /\.(csv|tsv|json)$/i.test(name) || /^(text\/(csv|tab-separated-values)|application\/json)$/.test(type);

/** The rows of a CSV, TSV or JSON file. @throws Error with a sentence for the user */
export async function readRowsFile(file: File): Promise<Entries> {
  return readEntries(await textOfRowsFile(file));
}

/** @throws Error with a sentence for the user */
export async function textOfRowsFile(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error(texts.value.document.fileTooLarge);
  return textOfSheet(file);
}

function fromSheet(text: string): Entries {
  // A table takes more rows than a batch has files, and says itself how many.
  const { columns, rows } = readSheet(text, Number.POSITIVE_INFINITY);
  const names = columns.filter((name) => name !== '');
  return {
    names,
    rows: rows.map((cells) =>
      Object.fromEntries(columns.flatMap((name, i) => (name === '' ? [] : [[name, cells[i] ?? '']]))),
    ),
  };
}

function fromJson(text: string): Entries {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(texts.value.document.notJson(error instanceof Error ? error.message : String(error)));
  }
  // An object with one list in it, as modifications are.
  const list = Array.isArray(value) ? value : Object.values(value as object).find(Array.isArray);
  if (!list || list.length === 0) throw new Error(texts.value.document.jsonNoList);
  const names = new Set<string>();
  const rows = list.map((row: unknown, i): RawEntry => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw new Error(texts.value.document.rowNoObject(i + 1));
    }
    for (const [name, one] of Object.entries(row)) {
      if (typeof one === 'object' && one !== null) {
        throw new Error(texts.value.document.noScalar(name, i + 1));
      }
      names.add(name);
    }
    return row as RawEntry;
  });
  return { names: [...names], rows };
}
