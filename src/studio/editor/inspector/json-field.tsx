// A field for any value as JSON, checked against its schema. For values without a better control, such as lists of
// points.

import type { z } from 'zod';
import { texts } from '../../texts/editor.ts';
import { misfit } from './schema.ts';
import { useTyped } from './typed-text.ts';

interface JsonFieldProps {
  readonly label: string;
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly onValue: (value: unknown) => void;
}

export function JsonField({ label, schema, value, isMixed, onValue }: JsonFieldProps) {
  const [typed, setTyped] = useTyped();
  const text = value === undefined || value === null ? '' : JSON.stringify(value);
  const parsed = typed === null ? null : read(typed);
  const problem =
    typed === null || typed.trim() === ''
      ? null
      : parsed === null
        ? texts.value.inspector.isNotJson
        : misfit(schema, parsed.value);
  const commit = () => {
    if (typed === null) return;
    if (typed.trim() === '') onValue(misfit(schema, null) === null ? null : undefined);
    else if (parsed && problem === null) onValue(parsed.value);
    else if (problem !== null) return;
    setTyped(null);
  };
  return (
    <span class="json-field">
      <input
        class="input is-dense is-mono"
        aria-label={texts.value.inspector.asJsonOf(label)}
        title={label}
        spellcheck={false}
        placeholder={isMixed ? texts.value.common.mixed : '–'}
        aria-invalid={problem !== null}
        value={typed ?? text}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') setTyped(null);
        }}
      />
      {problem && <span class="field-error">{problem}</span>}
    </span>
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
