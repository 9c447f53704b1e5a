// The left and right ends of the top bar, the same in the editor of layers and in that of html.

import type { ComponentChildren } from 'preact';
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { arrowLeft, code, download, messageSquare } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import type { Autosave } from '../core/state/autosave.ts';
import './panels.css';

interface BarStartProps {
  /** The address of the list of templates. */
  readonly base: string;
  readonly mayEdit: boolean;
  readonly autosave: Autosave;
  /** The name of the template. */
  readonly children: ComponentChildren;
}

export function BarStart({ base, mayEdit, autosave, children }: BarStartProps) {
  const label = texts.value.common.allTemplates;
  return (
    <div class="top-side">
      <a class="icon-button" href={base} aria-label={label} title={label}>
        <Icon of={arrowLeft} size={16} />
      </a>
      {children}
      {mayEdit ? <Saved autosave={autosave} /> : <span class="saved">{texts.value.common.viewOnly}</span>}
    </div>
  );
}

/** Whether the changes are saved. */
function Saved({ autosave }: { autosave: Autosave }) {
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

interface BarEndProps {
  readonly base: string;
  readonly templateId: string;
  readonly mayEdit: boolean;
  readonly onDownload: () => void;
  readonly onPublish: () => void;
  /** What comes before. */
  readonly children?: ComponentChildren;
}

export function BarEnd({ base, templateId, mayEdit, onDownload, onPublish, children }: BarEndProps) {
  const { review } = texts.value.panels;
  return (
    <div class="top-side is-end">
      {children}
      <IconButton icon={download} label={texts.value.commands.download} dense onClick={onDownload} />
      <a class="icon-button" href={`${base}/${templateId}/review`} aria-label={review} title={review}>
        <Icon of={messageSquare} size={16} />
      </a>
      <ButtonLink href={`${base}/${templateId}/use`} dense icon={code}>
        {texts.value.common.use}
      </ButtonLink>
      {mayEdit && (
        <Button dense look="main" onClick={onPublish}>
          {texts.value.commands.publish}
        </Button>
      )}
    </div>
  );
}
