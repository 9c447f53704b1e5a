// The dialog that asks before something is done that cannot be undone, or that others see.

import type { ComponentChildren } from 'preact';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { ErrorPanel } from './states.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** The button's verb. */
  readonly action: string;
  /** Something is lost by it. */
  readonly isDanger?: boolean;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
  /** A failure is shown in the dialog, which stays open. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function ConfirmDialog({
  title,
  action,
  isDanger,
  wide = false,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { isBusy, error, run } = useAction();
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      onSubmit={() => void run(() => onConfirm().then(onClose))}
      submit={{ children: action, look: isDanger ? 'danger' : 'main', busy: isBusy }}
    >
      <div>{children}</div>
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}
