// The head of the inspector: a layer's name, its visibility and lock, and buttons that align the selection.

import { useState } from 'preact/hooks';
import { IconButton } from '../../parts/button.tsx';
import { Problem } from '../../parts/field.tsx';
import { eye, eyeOff, lock, lockOpen } from '../../parts/icons.ts';
import { memo } from '../../parts/memo.ts';
import { texts } from '../../texts/editor.ts';
import type { RawLayer } from '../core/document/document.ts';
import { renameLayer, renameProblem } from '../core/document/edits.ts';
import { align, distribute, toggleHidden, toggleLocked } from '../core/state/actions.ts';
import type { EditorState } from '../core/state/editor-state.ts';
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

function NameField({ editor, layer }: { editor: EditorState; layer: RawLayer }) {
  // Of this layer as it is: a change of it, or another layer, has no problem yet.
  const [refused, setRefused] = useState<{ readonly layer: RawLayer; readonly problem: string | null } | null>(null);
  const problem = refused?.layer === layer ? refused.problem : null;
  return (
    <span class="json-field">
      <input
        key={layer.name}
        class="input is-dense inspector-name"
        aria-label={texts.value.inspector.layerName}
        title={texts.value.inspector.layerName}
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
      <Problem of={problem} />
    </span>
  );
}

function LayerToggles({ editor, layer }: { editor: EditorState; layer: RawLayer }) {
  const { lockTheLayer, unlockTheLayer, hideTheLayer, showTheLayer } = texts.value.inspector;
  const isLocked = layer.locked === true;
  const isHidden = layer.visible === false;
  const toggles = [
    ['locked', isLocked, isLocked ? lock : lockOpen, isLocked ? unlockTheLayer : lockTheLayer, toggleLocked],
    ['visible', isHidden, isHidden ? eyeOff : eye, isHidden ? showTheLayer : hideTheLayer, toggleHidden],
  ] as const;
  return toggles.map(([property, isOn, icon, label, toggle]) => (
    <span key={property} data-property={property}>
      <IconButton icon={icon} label={label} dense aria-pressed={isOn} onClick={() => toggle(editor, [layer.name])} />
    </span>
  ));
}

const ALIGNMENTS = [
  ['left', alignLeftEdge],
  ['centre', alignMiddleX],
  ['right', alignRightEdge],
  ['top', alignTop],
  ['middle', alignMiddleY],
  ['bottom', alignBottom],
] as const;

const AlignBar = memo(function AlignBar({ editor, many }: { editor: EditorState; many: number }) {
  return (
    <div class="align-bar" role="toolbar" aria-label={texts.value.inspector.align}>
      {ALIGNMENTS.map(([to, icon]) => (
        <IconButton
          key={to}
          icon={icon}
          label={texts.value.commands[`align-${to}`]}
          dense
          onClick={() => align(editor, to)}
        />
      ))}
      <IconButton
        icon={distributeX}
        label={texts.value.commands['distribute-x']}
        dense
        disabled={many < 3}
        onClick={() => distribute(editor, 'x')}
      />
      <IconButton
        icon={distributeY}
        label={texts.value.commands['distribute-y']}
        dense
        disabled={many < 3}
        onClick={() => distribute(editor, 'y')}
      />
    </div>
  );
});

/** Above the properties of layers: the name of one, or how many they are, and what aligns them. */
export function InspectorHead({ editor, layers, count }: InspectorHeadProps) {
  const [only, ...others] = layers;
  return (
    <div class="inspector-head">
      {only && others.length === 0 ? (
        <span class="inspector-title">
          <NameField editor={editor} layer={only} />
          <LayerToggles editor={editor} layer={only} />
        </span>
      ) : (
        <span class="inspector-count">{count}</span>
      )}
      <AlignBar editor={editor} many={layers.length} />
    </div>
  );
}

interface InspectorHeadProps {
  readonly editor: EditorState;
  readonly layers: readonly RawLayer[];
  readonly count: string;
}
