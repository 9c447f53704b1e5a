// Gives fields the brand of the document that is edited, and colour pickers its colours.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { type RawDocument, walk } from '../core/document/document.ts';
import { brandOf } from '../core/state/brand-names.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { BrandContext, SwatchesContext } from './inspector-context.ts';

export function DocumentContexts({ editor, children }: { editor: EditorState; children: ComponentChildren }) {
  const swatches = useMemo(() => () => swatchesOf(editor.document.peek()), [editor]);
  return (
    <BrandContext.Provider value={brandOf(editor)}>
      <SwatchesContext.Provider value={swatches}>{children}</SwatchesContext.Provider>
    </BrandContext.Provider>
  );
}

const MOST = 18;

/** The most frequent first. */
function swatchesOf(document: RawDocument): readonly string[] {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value === 'string' && /^#[0-9a-f]{3,8}$/i.test(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
    else if (Array.isArray(value)) value.forEach(count);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(count);
  };
  count(document.background);
  for (const { layer } of walk(document.layers)) {
    const { children: _children, src: _src, text: _text, ...own } = layer;
    count(Object.values(own));
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([color]) => color);
}
