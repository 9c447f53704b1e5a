// Shown above the canvas when somebody else, or another tab, has saved. Nothing is overwritten; the user chooses.

import { useLocation } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { person } from '../../shell/session.ts';
import type { Autosave } from '../state/autosave.ts';

export function ChangedElsewhere({ autosave, accountId }: { autosave: Autosave; accountId: string }) {
  const { route } = useLocation();
  const state = autosave.state.value;
  if (state.kind !== 'changed') return null;
  const who = state.by === null ? 'Someone' : state.by.id === person.value?.id ? 'You, in another tab,' : state.by.name;
  const when = state.at === null ? '' : ` at ${new Date(state.at).toLocaleTimeString()}`;
  return (
    <div class="changed-elsewhere" role="alert">
      <Note warn>
        {who} saved this template{when}. What you do here is not saved until you choose.
        <div class="changed-buttons">
          <Button dense onClick={() => void autosave.loadTheirs().catch(toastError)}>
            Load what was saved
          </Button>
          <Button
            dense
            onClick={() =>
              void autosave.saveAsCopy().then((id) => {
                toast('Saved as a copy.');
                route(`/studio/a/${accountId}/templates/${id}/edit`);
              }, toastError)
            }
          >
            Keep mine as a copy
          </Button>
        </div>
      </Note>
    </div>
  );
}
