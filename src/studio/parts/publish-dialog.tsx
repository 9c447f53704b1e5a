// The dialog that publishes a draft, with a note; over a version that was saved since the draft was begun only knowingly.

import { useEffect, useState } from 'preact/hooks';
import { ApiError, accountPath, get } from '../shell/api.ts';
import { STUDIO } from '../shell/base.ts';
import type { ListPage, Version } from '../shell/contract.ts';
import { ago } from '../shell/format.ts';
import { texts } from '../texts/shell.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Note } from './states.tsx';
import { toast, toastError } from './toast.tsx';

interface PublishDialogProps {
  readonly accountId: string;
  readonly templateId: string;
  /** The version that the draft is based on. */
  readonly baseVersion: number;
  /** Why the template cannot be drawn; null: it can be, or only the server knows. */
  readonly problem: string | null;
  /** Returns the version that it made. @param over the newer version that the draft knowingly replaces */
  readonly publish: (note: string, over: number | undefined) => Promise<number>;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

export function PublishDialog(props: PublishDialogProps) {
  const { accountId, templateId, baseVersion, problem, publish, onClose, onDone } = props;
  const [note, setNote] = useState('');
  const [newest, setNewest] = useState<Version | null>(null);
  const path = accountPath(accountId, 'templates', templateId, 'versions');
  const load = () => get<ListPage<Version>>(path, { limit: 1 }).then(({ items }) => setNewest(items[0] ?? null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, and again when publishing is refused.
  useEffect(() => {
    load().catch(toastError);
  }, []);
  const { isBusy, run } = useAction((err) => {
    // Somebody published while the dialog was open: it says so, and asks again.
    if (err instanceof ApiError && err.status === 409 && err.detail.version !== undefined) load().catch(toastError);
    else toastError(err);
  });
  const isOver = newest !== null && newest.version !== baseVersion;
  const send = async () => {
    const version = await publish(note.trim(), isOver ? newest.version : undefined);
    toast(texts.value.parts.versionIsLive(version));
    onDone?.();
    onClose();
  };
  return (
    <Dialog
      title={texts.value.parts.publish}
      onClose={onClose}
      onSubmit={() => void run(send)}
      submit={{
        children: isOver
          ? texts.value.parts.publishOver(newest.version)
          : texts.value.parts.publishVersion((newest?.version ?? baseVersion) + 1),
        busy: isBusy,
        disabled: problem !== null,
      }}
    >
      <p class="muted">{texts.value.parts.publishNote}</p>
      {problem && <p class="field-error">{texts.value.parts.notDrawn(problem)}</p>}
      {isOver && (
        <Note warn>
          {texts.value.parts.publishesOver(
            newest.author?.name ?? null,
            newest.version,
            ago(newest.createdAt),
            baseVersion,
            newest.version + 1,
          )}{' '}
          <a href={`${STUDIO}/a/${accountId}/templates/${templateId}/versions`} onClick={onClose}>
            {texts.value.parts.compare}
          </a>
        </Note>
      )}
      <TextField
        label={texts.value.parts.whatChanged}
        maxLength={500}
        placeholder={texts.value.parts.whatChangedExample}
        value={note}
        onText={setNote}
      />
    </Dialog>
  );
}
