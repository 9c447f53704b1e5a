// Shown above the canvas when somebody else, or another tab, has saved. Nothing is overwritten; the user chooses.

import { useLocation } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { STUDIO } from '../../shell/base.ts';
import { clockTime } from '../../shell/format.ts';
import { person } from '../../shell/session.ts';
import { texts } from '../../texts/editor.ts';
import type { Autosave } from '../core/state/autosave.ts';

export function ChangedElsewhere({ autosave, accountId }: { autosave: Autosave; accountId: string }) {
  const { route } = useLocation();
  const state = autosave.state.value;
  if (state.kind !== 'changed') return null;
  const isOwn = state.by !== null && state.by.id === person.value?.id;
  const when = state.at === null ? null : clockTime(state.at);
  return (
    <div class="changed-elsewhere" role="alert">
      <Note warn>
        {isOwn ? texts.value.panels.changedByYou(when) : texts.value.panels.changedBy(state.by?.name ?? null, when)}{' '}
        {texts.value.panels.notSavedUntil}
        <div class="changed-buttons">
          <Button dense onClick={() => void autosave.loadTheirs().catch(toastError)}>
            {texts.value.panels.loadSaved}
          </Button>
          <Button
            dense
            onClick={() =>
              void autosave.saveAsCopy().then((id) => {
                toast(texts.value.panels.savedAsCopy);
                route(`${STUDIO}/a/${accountId}/templates/${id}/edit`);
              }, toastError)
            }
          >
            {texts.value.panels.keepCopy}
          </Button>
        </div>
      </Note>
    </div>
  );
}
