// Says what a template uses an older version of, and updates it after a look at both; and how many templates show an older
// version of it.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Note } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { ApiError, accountPath } from '../../shell/api.ts';
import type { NewerMaterial, TemplateDetail } from '../../shell/contract.ts';
import { plural } from '../../shell/format.ts';
import { mayDo } from '../../shell/session.ts';
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
    toast(`The template uses version ${newest} now`);
    onUpdated();
  };
  return (
    <>
      {template.newer.map((one) => (
        <div key={one.name} class="outdated-note">
          <Note>
            The {one.kind === 'brand' ? 'brand' : 'component'} <b>{one.title}</b> has version {one.newest}. The
            published template uses version {one.used}.{' '}
            {mayEdit && (
              <Button dense onClick={() => setLooked(one)}>
                Compare
              </Button>
            )}
          </Note>
        </div>
      ))}
      {outdatedUses > 0 && (
        <div class="outdated-note">
          <Note>
            {plural(outdatedUses, 'template')} {outdatedUses === 1 ? 'shows' : 'show'} an older version of this one.{' '}
            <a href={usesAddress}>See before and after</a>
          </Note>
        </div>
      )}
      {looked && (
        <ConfirmDialog
          title={`Version ${looked.newest} of ${looked.title}`}
          wide
          action={`Update to version ${looked.newest}`}
          onClose={() => setLooked(null)}
          onConfirm={() => update(looked)}
        >
          <BeforeAfter
            before={template.thumbnail}
            after={`${template.thumbnail}&with=${looked.name}@${looked.newest}`}
            used={looked.used}
            newest={looked.newest}
          />
          {template.draft && <p class="outdated-draft muted">The draft stays as it is.</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
