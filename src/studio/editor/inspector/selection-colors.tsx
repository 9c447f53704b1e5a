// The colours of a selection of several layers, or of a frame with what is in it: each is changed everywhere at once.

import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { texts } from '../../texts/editor.ts';
import { outermost, type RawDocument } from '../document/document.ts';
import { colorsOf, replaceColor } from '../document/layer-colors.ts';
import type { EditorState } from '../state/editor-state.ts';
import { FillField } from './fill-field.tsx';
import { PanelSection } from './panel-section.tsx';
import type { Swatches } from './swatches.ts';

/** The most colours listed; a picture made of shapes may have thousands. */
const MOST = 24;

interface SelectionColorsProps {
  readonly editor: EditorState;
  readonly swatches: Swatches;
}

export function SelectionColors({ editor, swatches }: SelectionColorsProps) {
  const colors = useComputed(() => {
    const document = editor.document.value;
    const names = outermost(document, editor.selection.value);
    const layers = names.flatMap((name) => editor.layer(name) ?? []);
    const isMany = layers.length > 1 || layers.some(({ children = [] }) => children.length > 0);
    return isMany ? colorsOf(layers) : [];
  }).value;
  if (colors.length === 0) return null;
  return (
    <PanelSection title={texts.value.inspector.selectionColors}>
      {colors.slice(0, MOST).map(({ color, count }, i) => (
        <SelectionColor key={i} editor={editor} color={color} count={count} swatches={swatches} />
      ))}
      {colors.length > MOST && <p class="faint">{texts.value.inspector.andMore(colors.length - MOST)}</p>}
    </PanelSection>
  );
}

function SelectionColor({
  editor,
  swatches,
  color,
  count,
}: SelectionColorsProps & { readonly color: string; readonly count: number }) {
  // While a colour is dragged it may pass one that the selection has too, which must not change with it from then on.
  const change = useRef<{ readonly from: string; readonly before: RawDocument; after: RawDocument } | null>(null);
  const set = (next: string) => {
    const document = editor.document.peek();
    const names = editor.selection.peek();
    const { from, before } = change.current?.after === document ? change.current : { from: color, before: document };
    const after = replaceColor(names, from, next)(before);
    change.current = { from, before, after };
    editor.edit(() => after, { kind: `selection color ${from} ${names.join()}` });
  };
  return (
    <span class="removable">
      <FillField
        label={texts.value.inspector.color(color)}
        value={color}
        onFill={(next) => typeof next === 'string' && set(next)}
        swatches={swatches}
        solid
      />
      <span class="faint" title={texts.value.inspector.usedTimes(count)}>
        {count}×
      </span>
    </span>
  );
}
