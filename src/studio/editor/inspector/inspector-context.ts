// What the fields of the inspector share.

import type { Viewport } from '../canvas/viewport.ts';
import type { EditorState } from '../state/editor-state.ts';
import type { Swatches } from './swatches.ts';

export interface DesignPanelProps {
  readonly editor: EditorState;
  readonly viewport: Viewport;
}

export interface InspectorContext extends DesignPanelProps {
  readonly swatches: Swatches;
}
