// PDF objects as values, and their text in a file (ISO 32000-1, 7.3).

import { latin1Of } from '#base/runtime.ts';
import { num } from './syntax.ts';

/** A dictionary value. A JavaScript string is a PDF name (and must be a valid one); bytes are a PDF string. */
export type PdfValue = number | boolean | string | Uint8Array | PdfReference | readonly PdfValue[] | Dictionary;
export type Dictionary = { readonly [key: string]: PdfValue };

/** Refers to an indirect object, which may be named before it is written. */
export class PdfReference {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/** The text of a value. Dictionaries have one entry per line. */
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

/** A literal string where no character needs escaping, otherwise a hexadecimal string. */
function stringText(bytes: Uint8Array): string {
  const characters = latin1Of(bytes);
  if (/^[ -'*-[\]-~]*$/.test(characters)) return `(${characters})`;
  return `<${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}>`;
}

/** `Array.isArray` does not narrow a read-only array out of the union. */
function isArray(value: readonly PdfValue[] | Dictionary): value is readonly PdfValue[] {
  return Array.isArray(value);
}
