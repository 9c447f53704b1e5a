// A text field for a property: checked while typing, written when valid.

import { useState } from 'preact/hooks';
import { texts } from '../../texts/editor.ts';
import type { Shown } from './field-look.ts';
import { propertyOf } from './schema.ts';

export function TextInput({ label, shown, schema, isMixed, onValue, look = {} }: Shown) {
  const [typed, setTyped] = useState<string | null>(null);
  const { isNullable, isOptional } = propertyOf(schema);
  const text = typeof shown === 'string' ? shown : '';
  const problem = typed !== null && typed !== '' && !schema.safeParse(typed).success;
  const set = (next: string) => {
    if (next === '' && (isNullable || isOptional)) onValue(isNullable ? null : undefined);
    else if (schema.safeParse(next).success) onValue(next);
  };
  const attributes = {
    class: 'input is-dense',
    'aria-label': label,
    title: label,
    'aria-invalid': problem,
    placeholder: isMixed ? texts.value.common.mixed : (look.placeholder ?? ''),
    spellcheck: false,
    value: typed ?? text,
  } as const;
  const commit = () => setTyped(null);
  if (look.multiline)
    return (
      <textarea
        {...attributes}
        rows={3}
        data-lines={look.multiline}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          set(event.currentTarget.value);
        }}
        onBlur={commit}
      />
    );
  return (
    <input
      {...attributes}
      type="text"
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== null) set(typed);
        commit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || typed === null) return;
        set(typed);
        commit();
      }}
    />
  );
}
