// The dialog that publishes a draft, with a note; over a version that somebody else saved meanwhile only once the user has
// confirmed it.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { ApiError } from '../../shell/api.ts';
import type { Autosave } from '../state/autosave.ts';

interface PublishDialogProps {
  readonly autosave: Autosave;
  /** Why the template cannot be drawn; null: it can be, or only the server knows. */
  readonly problem: string | null;
  readonly onClose: () => void;
}

export function PublishDialog({ autosave, problem, onClose }: PublishDialogProps) {
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<{ readonly message: string; readonly version: number } | null>(null);
  const publish = () => {
    setBusy(true);
    autosave.publish(note.trim(), conflict?.version).then(
      (version) => {
        toast(`Version ${version} is live.`);
        onClose();
      },
      (error: unknown) => {
        setBusy(false);
        const { version } = (error instanceof ApiError ? error.detail : {}) as { readonly version?: number };
        if (error instanceof ApiError && error.status === 409 && version !== undefined)
          setConflict({ message: error.message, version });
        else toastError(error);
      },
    );
  };
  return (
    <Dialog
      title="Publish"
      onClose={onClose}
      onSubmit={publish}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={isBusy} disabled={problem !== null}>
            {conflict ? `Publish over version ${conflict.version}` : `Publish version ${autosave.version.value + 1}`}
          </Button>
        </>
      }
    >
      <p class="muted">
        Renders, signed URLs and jobs use the new version from now on. Those that name a version keep theirs.
      </p>
      {problem && <p class="field-error">The template cannot be drawn yet: {problem}</p>}
      {conflict && <p class="field-error">{conflict.message}</p>}
      <label class="field">
        <span class="field-label">What changed (optional)</span>
        <input
          class="input"
          value={note}
          maxLength={500}
          placeholder="New headline, larger logo"
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
