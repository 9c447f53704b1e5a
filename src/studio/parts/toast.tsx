// Short messages at the bottom of the page, with one action such as Undo.

import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { withoutEnd } from '#core/without-end.ts';
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

/** The messages of a page, or of one editor in it. Its functions need no `this`. */
export class Messages {
  readonly shown = signal<readonly Shown[]>([]);
  #last = 0;

  readonly toast = (text: string, options: ToastOptions = {}): void => {
    const id = ++this.#last;
    // The same is said once, at the bottom, where it is newest.
    const others = this.shown.value.filter((one) => one.text !== text);
    this.shown.value = [...others.slice(-2), { ...options, id, text }];
    setTimeout(() => this.dismiss(id), options.lasts ?? (options.action ? 10_000 : 5_000));
  };

  /** Shows the error of a failed action. @param about what it is about, such as the name of a file */
  readonly toastError = (error: unknown, about?: string): void => {
    const reason = error instanceof Error ? error.message : String(error);
    const text = error instanceof ApiError ? reason : texts.value.parts.wentWrong(withoutEnd(reason, /[\s.]/));
    this.toast(about === undefined ? text : `${about}: ${text}`, { tone: 'bad', lasts: 8_000 });
  };

  dismiss(id: number): void {
    this.shown.value = this.shown.value.filter((one) => one.id !== id);
  }
}

const ofPage = new Messages();
export const { toast, toastError } = ofPage;

/** The messages of what a component is in: of the page, unless an editor has its own. */
export const MessagesContext = createContext(ofPage);
export const useMessages = (): Messages => useContext(MessagesContext);

/** Displays the messages; rendered once for each of them. */
export function Toasts() {
  const messages = useMessages();
  const { shown } = messages;
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
                messages.dismiss(id);
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
