// What differs of the selected layers in the size that is shown, to be made like the others again.

import type { ComponentProps } from 'preact';
import { Icon } from '../../parts/icon.tsx';
import { rotateCcw } from '../../parts/icons.ts';
import type { RawLayer } from '../core/document/document.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { TextButton } from '../inspector/controls.tsx';
import { PanelSection } from '../inspector/panel-section.tsx';
import './design.css';
import { propertyLabel, texts } from '../../texts/editor.ts';
import { resetChange } from '../core/design/size-edits.ts';
import { patchOf } from '../core/design/view.ts';
import { sizesOf } from '../core/document/document.ts';

/** The properties of a layer that differ in the size that is shown. */
export function differing(editor: EditorState, layer: RawLayer): readonly string[] {
  const { size } = editor.view.value;
  const change = size === null ? undefined : sizesOf(editor.stored.value)[size]?.changes?.[layer.name];
  return change === undefined ? [] : Object.keys(patchOf(layer, change));
}

/** A property that differs, which a press makes like the others. */
export function Difference({ of: property, ...rest }: DifferenceProps) {
  return (
    <button type="button" class="difference" {...rest}>
      {propertyLabel(property)}
      <Icon of={rotateCcw} size={12} />
    </button>
  );
}

interface DifferenceProps extends Pick<ComponentProps<'button'>, 'title' | 'aria-label' | 'onClick'> {
  readonly of: string;
}

export function Differences({ editor, layers }: { editor: EditorState; layers: readonly RawLayer[] }) {
  const { size } = editor.view.value;
  const keys = [...new Set(layers.flatMap((layer) => differing(editor, layer)))];
  if (size === null || keys.length === 0) return null;
  const reset = (key: string | null) =>
    editor.editStored((document) =>
      layers.reduce((before, { name }) => resetChange(size, name, key)(before), document),
    );
  return (
    <PanelSection title={texts.value.design.differsIn(size)}>
      <div class="differences">
        {keys.map((key) => (
          <Difference
            key={key}
            of={key}
            title={texts.value.design.makeLikeOthersOf(propertyLabel(key))}
            aria-label={texts.value.design.resetOne(propertyLabel(key))}
            onClick={() => reset(key)}
          />
        ))}
      </div>
      {keys.length > 1 && (
        <TextButton onClick={() => reset(null)}>
          <Icon of={rotateCcw} size={14} />
          {texts.value.design.resetAll}
        </TextButton>
      )}
    </PanelSection>
  );
}
