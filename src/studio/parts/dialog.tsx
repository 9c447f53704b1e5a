// A dialog: the browser's `<dialog>`, which keeps the focus inside and closes on Escape.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { submits } from './action.ts';
import { Button, type ButtonProps, IconButton } from './button.tsx';
import './dialog.css';
import { texts } from '../texts/shell.ts';
import { x } from './icons.ts';
import { rootOf } from './ui-root.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons; the last is the primary action. */
  readonly foot?: ComponentChildren;
  /** The button of a form, which then has Cancel beside it, instead of `foot`. */
  readonly submit?: ButtonProps;
  readonly wide?: boolean;
  /** Called on Enter and by a button of `type="submit"`; absent: the dialog is not a form. */
  readonly onSubmit?: () => void;
}

/** The dialog is open as long as it is rendered. */
export function Dialog({ title, onClose, children, foot, submit, wide, onSubmit }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isPressedOutside = useRef(false);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const root = rootOf(dialog);
    const opener = root.activeElement;
    dialog.showModal();
    // The first focusable element is Close, which should not have the initial focus. What has it should send the form
    // on Enter, as a select does not.
    if (root.activeElement?.closest('.dialog-head')) {
      const target =
        dialog.querySelector<HTMLElement>('.dialog-form .dialog-body :is(input, textarea):enabled') ??
        dialog.querySelector<HTMLElement>('.dialog-form [type="submit"]:enabled:not(.button-danger)') ??
        root.getElementById(id);
      target?.focus();
    }
    return () => (opener instanceof HTMLElement ? opener.focus() : undefined);
  }, [id]);
  const content = (
    <>
      <div class="dialog-body">{children}</div>
      {foot && <footer class="dialog-foot">{foot}</footer>}
      {submit && (
        <footer class="dialog-foot">
          <Button onClick={onClose}>{texts.value.common.cancel}</Button>
          <Button look="main" type="submit" {...submit} />
        </footer>
      )}
    </>
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={ref}
      class={wide ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === ref.current;
      }}
      onClick={(event) => {
        // Not if a selection of text in the dialog merely ends outside: a secret in it is shown once.
        if (event.target === ref.current && isPressedOutside.current) onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon={x} label={texts.value.parts.close} dense onClick={onClose} />
      </header>
      {onSubmit ? (
        <form class="dialog-form" onSubmit={submits(() => onSubmit())}>
          {content}
        </form>
      ) : (
        content
      )}
    </dialog>
  );
}
