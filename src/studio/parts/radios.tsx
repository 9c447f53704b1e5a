// One of several choices, each drawn as the caller likes: native radio buttons, which arrow keys go through.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './radios.css';

interface Choice<Value> {
  readonly value: Value;
  /** What is shown of it. */
  readonly content: ComponentChildren;
  /** Its accessible name where that is not its content. */
  readonly label?: string | undefined;
  readonly title?: string | undefined;
}

interface RadiosProps<Value> {
  readonly label: string;
  /** The class of the group, and of each choice. */
  readonly look: string;
  readonly choiceLook?: string;
  readonly choices: readonly Choice<Value>[];
  readonly isChosen: (value: Value) => boolean;
  readonly onChoose: (value: Value, choice: HTMLElement) => void;
}

export function Radios<Value>({ label, look, choiceLook = '', choices, isChosen, onChoose }: RadiosProps<Value>) {
  const name = useId();
  return (
    <div class={look} role="radiogroup" aria-label={label}>
      {choices.map(({ value, content, label: own, title }, i) => (
        <label key={i} class={`radio ${choiceLook}`} title={title}>
          <input
            type="radio"
            name={name}
            aria-label={own}
            checked={isChosen(value)}
            onChange={(event) => onChoose(value, event.currentTarget)}
          />
          {content}
        </label>
      ))}
    </div>
  );
}
