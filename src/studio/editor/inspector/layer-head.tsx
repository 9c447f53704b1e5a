// The head of the inspector: a layer's name, its visibility and lock, and buttons that align the selection.

import { useState } from 'preact/hooks';
import { IconButton } from '../../parts/button.tsx';
import { eye, eyeOff, lock, lockOpen } from '../../parts/icons.ts';
import { memo } from '../../parts/memo.ts';
import type { RawLayer } from '../document/document.ts';
import { renameLayer, renameProblem } from '../document/edits.ts';
import {
  alignBottom,
  alignLeftEdge,
  alignMiddleX,
  alignMiddleY,
  alignRightEdge,
  alignTop,
  distributeX,
  distributeY,
} from '../icons.ts';
import { align, distribute, toggleHidden, toggleLocked } from '../state/actions.ts';
import type { EditorState } from '../state/editor-state.ts';

export function NameField({ editor, layer }: { editor: EditorState; layer: RawLayer }) {
  // Of this layer as it is: a change of it, or another layer, has no problem yet.
  const [refused, setRefused] = useState<{ readonly layer: RawLayer; readonly problem: string | null } | null>(null);
  const problem = refused?.layer === layer ? refused.problem : null;
  return (
    <span class="json-field">
      <input
        key={layer.name}
        class="input is-dense inspector-name"
        aria-label="Name of the layer, which is its parameter"
        title="Name of the layer, which is its parameter"
        defaultValue={layer.name}
        spellcheck={false}
        data-property="name"
        onChange={(event) => {
          const to = event.currentTarget.value;
          setRefused({ layer, problem: renameProblem(editor.document.peek(), layer.name, to) });
          editor.rename(layer.name, to, renameLayer(layer.name, to));
          event.currentTarget.value = editor.selection.peek()[0] ?? layer.name;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
        aria-invalid={problem !== null}
        onFocus={() => setRefused(null)}
      />
      {problem && (
        <span class="field-error" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}

export function VisibleToggle({ editor, layer }: { editor: EditorState; layer: RawLayer }) {
  const isHidden = layer.visible === false;
  return (
    <span data-property="visible">
      <IconButton
        icon={isHidden ? eyeOff : eye}
        label={isHidden ? 'Show the layer' : 'Hide the layer'}
        dense
        aria-pressed={isHidden}
        onClick={() => toggleHidden(editor, [layer.name])}
      />
    </span>
  );
}

export function LockToggle({ editor, layer }: { editor: EditorState; layer: RawLayer }) {
  const isLocked = layer.locked === true;
  return (
    <span data-property="locked">
      <IconButton
        icon={isLocked ? lock : lockOpen}
        label={isLocked ? 'Unlock the layer' : 'Lock the layer'}
        dense
        aria-pressed={isLocked}
        onClick={() => toggleLocked(editor, [layer.name])}
      />
    </span>
  );
}

const ALIGNMENTS = [
  ['left', 'Align left', alignLeftEdge],
  ['centre', 'Align centers', alignMiddleX],
  ['right', 'Align right', alignRightEdge],
  ['top', 'Align top', alignTop],
  ['middle', 'Align middles', alignMiddleY],
  ['bottom', 'Align bottom', alignBottom],
] as const;

export const AlignBar = memo(function AlignBar({ editor, many }: { editor: EditorState; many: number }) {
  return (
    <div class="align-bar" role="toolbar" aria-label="Align">
      {ALIGNMENTS.map(([to, label, icon]) => (
        <IconButton key={to} icon={icon} label={label} dense onClick={() => align(editor, to)} />
      ))}
      <IconButton
        icon={distributeX}
        label="Distribute across"
        dense
        disabled={many < 3}
        onClick={() => distribute(editor, 'x')}
      />
      <IconButton
        icon={distributeY}
        label="Distribute down"
        dense
        disabled={many < 3}
        onClick={() => distribute(editor, 'y')}
      />
    </div>
  );
});
