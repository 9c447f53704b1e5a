// A one-line field that sets its value when its text is valid; an invalid text stays in it, with the error below.

import type { ComponentProps } from 'preact';
import { parseColor } from '#core/color.ts';
import { Problem } from '../../parts/field.tsx';
import { texts } from '../../texts/editor.ts';
import { useTyped } from './inspector-context.ts';

interface TypedFieldProps extends Pick<ComponentProps<'input'>, 'aria-label' | 'title' | 'placeholder' | 'maxLength'> {
  /** The value as text. */
  readonly shown: string;
  /** For values of code, such as JSON. */
  readonly isMono?: boolean;
  /** What is wrong with a text; null: nothing. */
  readonly problemOf?: (text: string) => string | null;
  /** Called with a text without a problem, by Enter and when the field is left. */
  readonly onText: (text: string) => void;
}

export function TypedField({ shown, isMono, problemOf = () => null, onText, ...attributes }: TypedFieldProps) {
  const [typed, setTyped] = useTyped();
  const problem = problemOf(typed ?? '');
  const commit = () => {
    if (typed === null || problem !== null) return;
    onText(typed);
    setTyped(null);
  };
  return (
    <span class="json-field">
      <input
        {...attributes}
        class={isMono ? 'input is-dense is-mono' : 'input is-dense'}
        spellcheck={false}
        aria-invalid={problem !== null}
        value={typed ?? shown}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') setTyped(null);
        }}
      />
      <Problem of={problem} />
    </span>
  );
}

/** A colour as CSS writes it: designers leave out the `#`. */
const codeOf = (text: string) => (/^[0-9a-f]{3,8}$/i.test(text.trim()) ? `#${text.trim()}` : text.trim());

export function CssField({ label, value, onColor }: { label: string; value: string; onColor: (css: string) => void }) {
  return (
    <TypedField
      isMono
      aria-label={texts.value.inspector.asCss(label)}
      shown={value}
      problemOf={(text) => (text.trim() === '' || parseColor(codeOf(text)) ? null : texts.value.inspector.noColor)}
      onText={(text) => {
        if (text.trim() !== '') onColor(codeOf(text));
      }}
    />
  );
}
