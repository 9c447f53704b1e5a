// Shows beside the template's name whether the changes are saved.

import type { Autosave } from '../state/autosave.ts';
import './panels.css';
import { texts } from '../../texts/editor.ts';

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
          ? texts.value.panels.workIsKept(state.message)
          : isPublished
            ? texts.value.panels.versionIsLive(version)
            : texts.value.panels.isDraft
      }
    >
      {isPublished ? texts.value.panels.version(version) : texts.value.saved[state.kind]}
    </span>
  );
}
