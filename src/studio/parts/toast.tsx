// Short messages at the bottom of the page, with one action such as Undo.

import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError } from '../shell/api.ts';
import { Icon } from './icon.tsx';
import { circleAlert } from './icons.ts';
import './toast.css';
import { texts } from '../texts/shell.ts';

interface ToastOptions {
  readonly tone?: 'neutral' | 'bad';
  readonly action?: { readonly label: string; readonly onSelect: () => void };
  /** How long the message stays, ms. Default: 5 s; 10 s with an action. */
  readonly lasts?: number;
}

interface Shown extends ToastOptions {
  readonly id: number;
  readonly text: string;
}

const shown = signal<readonly Shown[]>([]);
let last = 0;

export function toast(text: string, options: ToastOptions = {}): void {
  const id = ++last;
  shown.value = [...shown.value.slice(-2), { ...options, id, text }];
  setTimeout(() => dismiss(id), options.lasts ?? (options.action ? 10_000 : 5_000));
}

/** Shows the error of a failed action. @param about what it is about, such as the name of a file */
export function toastError(error: unknown, about?: string): void {
  const text =
    error instanceof ApiError
      ? error.message
      : texts.value.parts.wentWrong(error instanceof Error ? error.message : String(error));
  toast(about === undefined ? text : `${about}: ${text}`, { tone: 'bad', lasts: 8_000 });
}

const dismiss = (id: number) => {
  shown.value = shown.value.filter((one) => one.id !== id);
};

/** Displays the messages; rendered once per page. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  const newest = shown.value.at(-1)?.id;
  // A popover that is shown anew lies above every dialog that is open, and above its scrim.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `newest` asks for it.
  useLayoutEffect(() => {
    ref.current?.hidePopover();
    ref.current?.showPopover();
  }, [newest]);
  return (
    <div ref={ref} class="toasts" role="status" aria-live="polite" popover="manual">
      {shown.value.map(({ id, text, tone, action }) => (
        <div key={id} class={tone === 'bad' ? 'toast is-bad' : 'toast'}>
          {tone === 'bad' && <Icon of={circleAlert} />}
          <span class="toast-text">{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                dismiss(id);
                action.onSelect();
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
