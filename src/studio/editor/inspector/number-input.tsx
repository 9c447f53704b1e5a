// A number field: typed, computed from an expression, stepped by arrow keys, or dragged by its prefix.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDrag } from '../../parts/use-drag.ts';
import { texts } from '../../texts/editor.ts';
import { useTyped } from './inspector-context.ts';

export interface NumberInputProps {
  readonly label: string;
  /** A letter or an icon at the left, which can be dragged. */
  readonly prefix?: ComponentChildren;
  readonly unit?: string;
  /** null = several values, or none. */
  readonly value: number | null;
  readonly placeholder?: string;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly step?: number;
  readonly isInt?: boolean;
  readonly disabled?: boolean;
  /** Whether a text is a keyword rather than a number, such as `hug`. */
  readonly words?: (text: string) => boolean;
  readonly shown?: string;
  readonly onNumber: (value: number) => void;
  readonly onWord?: (word: string) => void;
  readonly onEmpty?: () => void;
  readonly after?: ComponentChildren;
}

/** Pointer movement for one step, px. */
const DRAG = 2;

export function NumberInput(props: NumberInputProps) {
  const { label, prefix, unit, value, placeholder, min, max, step = 1, isInt, disabled, shown, after } = props;
  const text = shown ?? (value === null ? '' : show(value));
  const [typed, setTyped] = useTyped();
  const [isWrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drag = useDrag<{ readonly x: number; readonly from: number; moved: boolean }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is forgotten when the value changes.
  useEffect(() => setTyped(null), [text]);
  const shownAsWrong = isWrong && typed !== null;

  const fitted = (number: number) => {
    const bound = Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, number));
    return isInt ? Math.round(bound) : Math.round(bound * 1000) / 1000;
  };
  const commit = () => {
    // What Escape put back is in the field before it is in the state.
    const given = input.current?.value ?? text;
    if (typed === null || given === text) return setTyped(null);
    const trimmed = given.trim();
    if (trimmed === '') props.onEmpty?.();
    else if (props.words?.(trimmed)) props.onWord?.(trimmed);
    else {
      const number = evaluate(trimmed.replace(/(px|°|%)$/, ''), value ?? 0);
      // It stays in the field to be corrected.
      setWrong(number === null);
      if (number === null) return;
      props.onNumber(fitted(number));
    }
    setTyped(null);
  };
  const nudge = (by: number) => {
    const base = (typed === null ? value : evaluate(typed, value ?? 0)) ?? 0;
    setTyped(null);
    props.onNumber(fitted(base + by));
  };
  return (
    <span class={disabled ? 'number is-disabled' : 'number'}>
      {prefix !== undefined && (
        <span
          class="number-prefix"
          aria-hidden="true"
          {...drag({
            start: (event) => {
              if (disabled) return null;
              event.preventDefault();
              return { x: event.clientX, from: value ?? 0, moved: false };
            },
            move: (start, event) => {
              const by =
                Math.round((event.clientX - start.x) / DRAG) * step * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1);
              if (by !== 0) start.moved = true;
              if (start.moved) props.onNumber(fitted(start.from + by));
            },
            end: ({ moved }) => {
              if (!moved) input.current?.select();
            },
            cancel: ({ moved, from }) => {
              if (moved) props.onNumber(fitted(from));
            },
          })}
        >
          {prefix}
        </span>
      )}
      <input
        ref={input}
        class="number-input"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        title={label}
        disabled={disabled}
        placeholder={placeholder}
        aria-invalid={shownAsWrong}
        value={typed ?? text}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          setWrong(false);
          setTyped(event.currentTarget.value);
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          else if (event.key === 'Escape') {
            setTyped(null);
            event.currentTarget.value = text;
            event.currentTarget.blur();
          } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            event.preventDefault();
            const size = step * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1);
            nudge(event.key === 'ArrowUp' ? size : -size);
          }
        }}
      />
      {unit && typed === null && value !== null && <span class="number-unit">{unit}</span>}
      {after}
      {shownAsWrong && (
        <span class="number-error" role="alert">
          {texts.value.inspector.noNumber}
        </span>
      )}
    </span>
  );
}

const show = (value: number): string => String(Math.round(value * 1000) / 1000);

// Evaluates expressions in number fields: `120/2+8`, `(3 + 4) * 2`; a leading `+`, `*` or `/` applies to the current
// value.

/** @returns null if the text is neither a number nor an expression */
export function evaluate(text: string, current = 0): number | null {
  const trimmed = text.trim().replaceAll(',', '.').replaceAll('×', '*').replaceAll('÷', '/').replaceAll('−', '-');
  if (trimmed === '') return null;
  // A leading minus is a negative number, as designers type it; `-=8` subtracts.
  const source = /^[+*/]/.test(trimmed)
    ? `${current}${trimmed}`
    : trimmed.startsWith('-=')
      ? `${current}-${trimmed.slice(2)}`
      : trimmed;
  const tokens = source.match(/\d+\.?\d*|\.\d+|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const take = (token: string) => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const sum = (): number => {
    let value = product();
    for (;;) {
      if (take('+')) value += product();
      else if (take('-')) value -= product();
      else return value;
    }
  };
  const product = (): number => {
    let value = factor();
    for (;;) {
      if (take('*')) value *= factor();
      else if (take('/')) value /= factor();
      else return value;
    }
  };
  const factor = (): number => {
    const token = tokens[at++] ?? '';
    if (token === '-') return -factor();
    if (token === '+') return factor();
    if (token === '(') {
      const value = sum();
      return tokens[at++] === ')' ? value : Number.NaN;
    }
    return /^[\d.]/.test(token) ? Number(token) : Number.NaN;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
