// What is different about the editor in a page of another site. The editor asks this interface alone; src/studio/embed
// implements it.

import type { ComponentType } from 'preact';
import type { Viewport } from './canvas/viewport.ts';
import type { Autosave } from './state/autosave.ts';
import type { EditLimits } from './state/edit-limits.ts';
import type { EditorState } from './state/editor-state.ts';

export interface EmbeddedParts {
  readonly accountId: string;
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly autosave: Autosave;
}

export interface Embedding {
  readonly limits: EditLimits;
  /** Whether the draft is saved on the server. */
  readonly isSaved: boolean;
  /** In place of the bar above the canvas. */
  readonly Bar: ComponentType<EmbeddedParts>;
  /** In place of the inspector, where only texts and pictures may be changed. */
  readonly ContentPanel: ComponentType<EmbeddedParts>;
  /** Called once the editor shows the document. */
  opened(parts: EmbeddedParts): void;
}
