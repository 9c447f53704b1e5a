// Deletes a font, and offers to undo it; asks before an image or a font is deleted that templates use, and names them.

import { Dialog } from '../../parts/dialog.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, post, remove } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { TemplateUse } from '../../shell/contract.ts';
import { forget } from '../../shell/load.ts';
import { tellUploadsChanged } from '../../shell/uploads.ts';
import { texts } from '../../texts/pages.ts';

interface DeletedFont {
  readonly accountId: string;
  readonly id: string;
  /** What the message calls it. */
  readonly name: string;
  readonly onGone: () => void;
  /** Called when the deletion was undone. */
  readonly onBack: () => void;
}

/** @returns whether it was deleted */
export async function deleteFont({ accountId, id, name, onGone, onBack }: DeletedFont): Promise<boolean> {
  const list = accountPath(accountId, 'fonts');
  const path = accountPath(accountId, 'fonts', id);
  const undo = async () => {
    await post(`${path}/undelete`);
    forget(list);
    tellUploadsChanged(accountId);
    onBack();
    toast(texts.value.uploads.isBack(name));
  };
  try {
    await remove(path);
  } catch (err) {
    toastError(err);
    return false;
  }
  forget(list);
  tellUploadsChanged(accountId);
  onGone();
  toast(texts.value.ending.deleted(name), {
    action: { label: texts.value.common.undo, onSelect: () => void undo().catch(toastError) },
  });
  return true;
}

interface TemplateLinksProps {
  readonly accountId: string;
  readonly templates: readonly TemplateUse[];
}

/** The templates that use an upload, each a link to its editor. */
export function TemplateLinks({ accountId, templates }: TemplateLinksProps) {
  return (
    <ul>
      {templates.map((template) => (
        <li key={template.id}>
          <a href={`${STUDIO}/a/${accountId}/templates/${template.id}/edit`}>{template.name}</a>
          {template.inDraft && <span class="faint"> {texts.value.uploads.draft}</span>}
        </li>
      ))}
    </ul>
  );
}

interface ConfirmDeletionProps extends TemplateLinksProps {
  readonly title: string;
  /** What becomes of the templates. */
  readonly outcome: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDeletion({ accountId, templates, title, outcome, onConfirm, onClose }: ConfirmDeletionProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onConfirm}
      submit={{ children: texts.value.common.delete, look: 'danger' }}
    >
      {templates.length === 0 ? (
        <p>{texts.value.uploads.notUsed}</p>
      ) : (
        <>
          <p>{texts.value.uploads.usedBy(templates.length)}</p>
          <TemplateLinks accountId={accountId} templates={templates} />
          <p>{texts.value.uploads.canUndo(outcome)}</p>
        </>
      )}
    </Dialog>
  );
}
