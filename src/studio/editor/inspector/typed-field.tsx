// A one-line field that sets its value when its text is valid; an invalid text stays in it, with the error below.

import type { ComponentProps } from 'preact';
import { Problem } from '../../parts/field.tsx';
import { useTyped } from './typed-text.ts';

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
