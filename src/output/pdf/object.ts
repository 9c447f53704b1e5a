// PDF's objects as values, and as they are written in a file (ISO 32000-1, 7.3).

import { num } from './syntax.ts';

/** A value of a dictionary. A string is a name (and must be a valid one), bytes are a string. */
export type PdfValue = number | boolean | string | Uint8Array | PdfReference | readonly PdfValue[] | Dictionary;
export type Dictionary = { readonly [key: string]: PdfValue };

/** Stands for an object of its own in the file, which others may name before it is written. */
export class PdfReference {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/** Dictionaries are written with an entry a line. */
export function objectText(value: PdfValue): string {
  if (typeof value === 'string') return `/${value}`;
  if (typeof value === 'number') return num(value, 6);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof PdfReference) return `${value.number} 0 R`;
  if (value instanceof Uint8Array) return stringText(value);
  if (isArray(value)) return `[${value.map(objectText).join(' ')}]`;
  let entries = '';
  for (const key in value) entries += `/${key} ${objectText(value[key] as PdfValue)}\n`;
  return `<<\n${entries}>>`;
}

/** In parentheses where no character has to be escaped. */
function stringText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const characters = buffer.toString('latin1');
  return /^[ -'*-[\]-~]*$/.test(characters) ? `(${characters})` : `<${buffer.toString('hex')}>`;
}

/** `Array.isArray` does not tell a read-only array from what else a value may be. */
function isArray(value: readonly PdfValue[] | Dictionary): value is readonly PdfValue[] {
  return Array.isArray(value);
}
