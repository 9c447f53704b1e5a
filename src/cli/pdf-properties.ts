// Parses `--pdf property=value` options into the `pdf` object of a request, and `--sheet …` into a sheet of labels.

import { RequestedDocument } from '#core/template/document-properties.ts';
import { parse } from '#core/template/validation.ts';
import { LabelSheet } from '#design/label-sheet.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';

/** Properties whose values stay text even if they look like numbers: a title may be "42". */
const WORDS = [
  'title',
  'author',
  'subject',
  'language',
  'pageLabel.prefix',
  'pageLabel.style',
  'viewer.printScaling',
  'bleed',
];

/** Properties that have properties of their own. */
const GROUPS = ['pageLabel', 'pageNumbers', 'viewer'];

/**
 * @throws ValidationError naming the property
 */
export function readPdfProperties(assignments: readonly NamedValue[]): RequestedDocument | undefined {
  if (assignments.length === 0) return undefined;
  const values: Record<string, unknown> = {};
  for (const [name, text] of assignments) {
    const [group = '', property, ...deeper] = name.split('.');
    const isGroup = property !== undefined && deeper.length === 0 && GROUPS.includes(group);
    if (isGroup) values[group] = { ...(values[group] as object | undefined), [property]: typedValue(name, text) };
    else values[name] = typedValue(name, text);
  }
  return parse(RequestedDocument, values, 'pdf');
}

function typedValue(name: string, text: string): unknown {
  if (name === 'keywords' || name === 'conforms') return text.split(',');
  if (WORDS.includes(name)) return name === 'pageLabel.style' && text === 'null' ? null : text;
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** @returns null where none is wanted @throws ValidationError naming the property */
export function readLabelSheet(assignments: readonly NamedValue[]): LabelSheet | null {
  if (assignments.length === 0) return null;
  const values: Record<string, unknown> = {};
  for (const [name, text] of assignments) {
    const [group = '', side] = name.split('.');
    if (group === 'margin' && side)
      values.margin = { ...(values.margin as object | undefined), [side]: cellValue(text) };
    else values[name] = cellValue(text);
  }
  return parse(LabelSheet, values, '--sheet');
}

function cellValue(text: string): unknown {
  if (text.includes(',')) return text.split(',').map((part) => cellValue(part.trim()));
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
