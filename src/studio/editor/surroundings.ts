// What is around the editor: the studio, a page of another site, or the page that made it of `platen/editor`. The editor
// asks this interface alone; editor.tsx, ../embed and ../module implement it.

import type { ComponentType } from 'preact';
import type { EditLimits } from './core/host.ts';
import type { EditorParts } from './core/open-editor.ts';

export interface Surroundings {
  /** null = everything may be edited. */
  readonly limits: EditLimits | null;
  /** The bar above the canvas, and the dialogs that it opens. */
  readonly Bar: ComponentType<EditorParts>;
  /** What the canvas is in: the main part of the page, or a part of it. */
  readonly landmark: 'main' | 'section';
  /** In place of the inspector, where only texts and pictures may be changed. */
  readonly ContentPanel: ComponentType<EditorParts> | null;
  /** Asks how to publish; null: it cannot be published. */
  readonly publish: (() => void) | null;
  /** Asks for the file to download; null: there are no downloads. */
  readonly download: (() => void) | null;
  /** Called once the editor shows the document. Returns what ends it. */
  opened(parts: EditorParts): () => void;
}
