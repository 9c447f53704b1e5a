// Runs in pages of the studio that a test opens. Gives them `platenEditor`: the parts of the open editor, which it finds
// in Preact's tree, and the functions that edit and describe documents. The studio itself exposes nothing.

import { describeLayout } from '#core/layout/describe-layout.ts';
import * as edits from '#studio/editor/core/document/edits.ts';
import type { EditorParts } from '#studio/editor/core/open-editor.ts';

/** The part that is read of what Preact keeps of an element. Its builds all have this name for the children. */
interface Rendered {
  readonly props: object | string | null;
  readonly __k: readonly (Rendered | null)[] | null;
}

declare global {
  /** Read it in pages only; undefined while no editor is open there. */
  var platenEditor: EditorParts & { readonly edits: typeof edits; readonly describeLayout: typeof describeLayout };
}

/** The first component, outer before inner, that is given the parts of an editor. */
function partsIn(rendered: Rendered | null | undefined): EditorParts | undefined {
  const props = rendered?.props;
  if (typeof props === 'object' && props !== null && 'autosave' in props && 'commands' in props)
    return props as EditorParts;
  for (const child of rendered?.__k ?? []) {
    const parts = partsIn(child);
    if (parts) return parts;
  }
  return undefined;
}

Object.defineProperty(globalThis, 'platenEditor', {
  get() {
    const parts = partsIn((document.body as unknown as { readonly __k?: Rendered }).__k);
    return parts && { ...parts, edits, describeLayout };
  },
});
