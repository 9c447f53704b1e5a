// What the fields of the inspector share.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Viewport } from '../core/geometry/viewport.ts';
import type { BrandNames } from '../core/state/brand-names.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import type { Swatches } from './swatches.ts';

export interface DesignPanelProps {
  readonly editor: EditorState;
  readonly viewport: Viewport;
}

export interface InspectorContext extends DesignPanelProps {
  readonly swatches: Swatches;
}

/** null = the template has no brand; undefined = it is still loaded. */
export const BrandContext = createContext<BrandNames | null | undefined>(null);
export const useBrand = (): BrandNames | null | undefined => useContext(BrandContext);

/** Whose gradient a field edits, which has handles on the canvas then. */
export const FillContext = createContext<{ readonly editor: EditorState; readonly property: string } | null>(null);
