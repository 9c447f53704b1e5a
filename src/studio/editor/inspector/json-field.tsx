// A field for any value as JSON, checked against its schema. For values without a better control, such as lists of
// points.

import type { z } from 'zod';
import { texts } from '../../texts/editor.ts';
import { misfit } from './schema.ts';
import { TypedField } from './typed-field.tsx';

interface JsonFieldProps {
  readonly label: string;
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onValue: (value: unknown) => void;
}

export function JsonField({ label, schema, value, isMixed, onValue }: JsonFieldProps) {
  const problemOf = (text: string) => {
    if (text.trim() === '') return null;
    const parsed = read(text);
    return parsed === null ? texts.value.inspector.isNotJson : misfit(schema, parsed.value);
  };
  return (
    <TypedField
      isMono
      aria-label={texts.value.inspector.asJsonOf(label)}
      title={label}
      placeholder={isMixed ? texts.value.common.mixed : '–'}
      shown={value === undefined || value === null ? '' : JSON.stringify(value)}
      problemOf={problemOf}
      onText={(text) => {
        if (text.trim() === '') onValue(misfit(schema, null) === null ? null : undefined);
        else onValue(read(text)?.value);
      }}
    />
  );
}

/** Reads JSON, or a bare word as a string. */
function read(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return /^[\w-]+$/.test(text.trim()) ? { value: text.trim() } : null;
  }
}
