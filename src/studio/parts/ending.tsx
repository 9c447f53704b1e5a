// Buttons and dialogs that export, suspend and delete an account, a member of it, or one's own sign-in.

import { useState } from 'preact/hooks';
import { onPasswordNeeded, post } from '../shell/api.ts';
import { STUDIO } from '../shell/base.ts';
import { session } from '../shell/session.ts';
import { texts } from '../texts/pages.ts';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { toast, toastError } from './toast.tsx';
import './ending.css';

interface EndingProps {
  readonly of: 'account' | 'person' | 'you';
  /** Of the API. */
  readonly path: string;
  /** What is typed to delete it. */
  readonly name: string;
  /** Null where it cannot be suspended here. */
  readonly isSuspended: boolean | null;
  readonly mayResume?: boolean;
  readonly onChanged: () => void;
}

/** A browser shows no question while it downloads, so the password is asked for before. */
async function download(path: string): Promise<void> {
  const until = Date.parse(session.value?.sudoUntil ?? '');
  if (until > Date.now() + 10_000 || (await onPasswordNeeded.handle())) location.assign(`${path}/export`);
}

export function Ending({ of, path, name, isSuspended, mayResume = true, onChanged }: EndingProps) {
  const [isDeleting, setDeleting] = useState(false);
  const { isBusy, run } = useAction(toastError);
  const change = async () => {
    await post(`${path}/${isSuspended ? 'resume' : 'suspend'}`);
    toast(isSuspended ? texts.value.ending.resumed(name) : texts.value.ending.suspended(name));
    onChanged();
  };
  return (
    <>
      <div class="ending">
        <p>{texts.value.endingExports[of]}</p>
        <Button onClick={() => void download(path).catch(toastError)}>{texts.value.ending.export}</Button>
      </div>
      {isSuspended !== null && of !== 'you' && (
        <div class="ending">
          <p>{isSuspended ? texts.value.ending.resumes : texts.value.endingSuspends[of]}</p>
          <Button busy={isBusy} disabled={isSuspended && !mayResume} onClick={() => void run(change)}>
            {isSuspended ? texts.value.ending.resume : texts.value.ending.suspend}
          </Button>
        </div>
      )}
      <div class="ending">
        <p>{texts.value.endingDeletes[of]}</p>
        <Button look="danger" onClick={() => setDeleting(true)}>
          {texts.value.common.delete}
        </Button>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={texts.value.ending.deleteTitle(name)}
          action={texts.value.common.delete}
          isDanger
          typed={name}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await post(`${path}/delete`, { confirm: name });
            if (of !== 'person') return location.assign(`${STUDIO}/`);
            toast(texts.value.ending.deleted(name));
            onChanged();
          }}
        >
          <p class="muted">{texts.value.endingDeletes[of]}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
