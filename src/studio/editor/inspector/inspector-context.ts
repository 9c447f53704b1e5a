// What the fields of the inspector share.

import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { EditorParts } from '../core/open-editor.ts';
import type { BrandNames } from '../core/state/brand-names.ts';
import type { EditorState } from '../core/state/editor-state.ts';

export type InspectorContext = Pick<EditorParts, 'editor' | 'viewport'>;

/** null = the template has no brand; undefined = it is still loaded. */
export const BrandContext = createContext<BrandNames | null | undefined>(null);
export const useBrand = (): BrandNames | null | undefined => useContext(BrandContext);

/** The colours that pickers offer, computed when one opens, not at each edit. */
export const SwatchesContext = createContext((): readonly string[] => []);

/** Whose gradient a field edits, which has handles on the canvas then. */
export const FillContext = createContext<{ readonly editor: EditorState; readonly property: string } | null>(null);

// What was typed or chosen in a field and is not a value yet. It stays there to be completed, but only for the layers that
// it was meant for.

/** Names the layers that the fields show, so that a field notices that others were selected. */
export const ShownLayers = createContext('');

/** What was typed, or null where the field shows its value; and what sets it. */
export function useTyped<T = string>(): readonly [typed: T | null, setTyped: (typed: T | null) => void] {
  const layers = useContext(ShownLayers);
  const [given, setGiven] = useState<{ readonly typed: T; readonly layers: string } | null>(null);
  return [
    given?.layers === layers ? given.typed : null,
    (typed) => setGiven(typed === null ? null : { typed, layers }),
  ];
}
