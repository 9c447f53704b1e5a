// The dialog that asks before something is done that cannot be undone, or that others see.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../texts/shell.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { ErrorPanel } from './states.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** The button's verb. */
  readonly action: string;
  /** Something is lost by it. */
  readonly isDanger?: boolean;
  readonly wide?: boolean;
  /** What has to be typed first, such as the name of what is deleted. */
  readonly typed?: string;
  readonly children: ComponentChildren;
  /** A failure is shown in the dialog, which stays open. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function ConfirmDialog({ action, isDanger, typed, children, onConfirm, ...dialog }: ConfirmDialogProps) {
  const { isBusy, error, run } = useAction();
  const [text, setText] = useState('');
  return (
    <Dialog
      {...dialog}
      onSubmit={() => void run(() => onConfirm().then(dialog.onClose))}
      submit={{
        children: action,
        look: isDanger ? 'danger' : 'main',
        busy: isBusy,
        disabled: text.trim() !== (typed ?? '').trim(),
      }}
    >
      <div>{children}</div>
      {typed !== undefined && (
        <TextField label={texts.value.common.typeToConfirm(typed)} autofocus value={text} onText={setText} />
      )}
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}
