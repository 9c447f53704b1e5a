// Says what a template uses an older version of, and updates it after a look at both; and how many templates show an older
// version of it.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Note } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { ApiError, accountPath } from '../../shell/api.ts';
import type { NewerMaterial, TemplateDetail } from '../../shell/contract.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';
import { BeforeAfter } from './before-after.tsx';
import './outdated.css';
import { updateUses } from './update-uses.ts';

interface UpdateNotesProps {
  readonly accountId: string;
  readonly template: TemplateDetail;
  /** Of the list of templates that show an older version of it. */
  readonly usesAddress: string;
  readonly onUpdated: () => void;
}

export function UpdateNotes({ accountId, template, usesAddress, onUpdated }: UpdateNotesProps) {
  const { outdatedUses } = template;
  const mayEdit = mayDo(accountId, 'editor');
  const [looked, setLooked] = useState<NewerMaterial | null>(null);
  const update = async ({ kind, name, newest }: NewerMaterial) => {
    const path = accountPath(accountId, kind === 'brand' ? 'brands' : 'templates', name);
    const { problems } = await updateUses(path, [`${template.id}@${template.version}`], newest);
    const [problem] = problems.values();
    if (problem !== undefined) throw new ApiError(409, 'conflict', problem);
    toast(texts.value.outdated.nowUses(newest));
    onUpdated();
  };
  return (
    <>
      {template.newer.map((one) => (
        <div key={one.name} class="outdated-note">
          <Note>
            {one.kind === 'brand' ? texts.value.outdated.brandHas : texts.value.outdated.componentHas}{' '}
            <b>{one.title}</b> {texts.value.outdated.hasVersion(one.newest, one.used)}{' '}
            {mayEdit && (
              <Button dense onClick={() => setLooked(one)}>
                {texts.value.outdated.compare}
              </Button>
            )}
          </Note>
        </div>
      ))}
      {outdatedUses > 0 && (
        <div class="outdated-note">
          <Note>
            {texts.value.outdated.showOlder(outdatedUses)}{' '}
            <a href={usesAddress}>{texts.value.outdated.beforeAndAfter}</a>
          </Note>
        </div>
      )}
      {looked && (
        <ConfirmDialog
          title={texts.value.outdated.versionOf(looked.newest, looked.title)}
          wide
          action={texts.value.outdated.updateTo(looked.newest)}
          onClose={() => setLooked(null)}
          onConfirm={() => update(looked)}
        >
          <BeforeAfter
            before={template.thumbnail}
            after={`${template.thumbnail}&with=${looked.name}@${looked.newest}`}
            used={looked.used}
            newest={looked.newest}
          />
          {template.draft && <p class="outdated-draft muted">{texts.value.outdated.draftStays}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
