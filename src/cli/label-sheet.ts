// Parses `--sheet property=value` options into a sheet of labels.

import { parse } from '#core/template/validation.ts';
import { LabelSheet } from '#design/label-sheet.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';

/** @returns null where none is wanted @throws ValidationError naming the property */
export function readLabelSheet(assignments: readonly NamedValue[]): LabelSheet | null {
  if (assignments.length === 0) return null;
  const values: Record<string, unknown> = {};
  for (const [name, text] of assignments) {
    const [group = '', side] = name.split('.');
    if (group === 'margin' && side)
      values.margin = { ...(values.margin as object | undefined), [side]: typedValue(text) };
    else values[name] = typedValue(text);
  }
  return parse(LabelSheet, values, '--sheet');
}

function typedValue(text: string): unknown {
  if (text.includes(',')) return text.split(',').map((part) => typedValue(part.trim()));
  if (text === 'true' || text === 'false') return text === 'true';
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
