// Shows beside the template's name whether the changes are saved.

import type { Autosave, SaveState } from '../state/autosave.ts';
import './panels.css';

const WORDS: Readonly<Record<SaveState['kind'], string>> = {
  saved: 'Draft saved',
  unsaved: 'Saving…',
  saving: 'Saving…',
  failed: 'Not saved, trying again',
  changed: 'Not saved',
};

export function Saved({ autosave }: { autosave: Autosave }) {
  const state = autosave.state.value;
  const version = autosave.version.value;
  const isPublished = state.kind === 'saved' && !autosave.hasDraft.value && version > 0;
  return (
    <span
      class={`saved is-${state.kind}`}
      role="status"
      title={
        state.kind === 'failed'
          ? `${state.message} What you did is kept in this browser and saved as soon as it can be.`
          : isPublished
            ? `Version ${version} is live`
            : 'A draft: what is live does not change until you publish'
      }
    >
      {isPublished ? `Version ${version}` : WORDS[state.kind]}
    </span>
  );
}
