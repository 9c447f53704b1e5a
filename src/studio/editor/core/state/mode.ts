// What the canvas is used for: one of these at a time, so that nothing of another is left to be reset.

import type { LayerType } from '#core/template/layer.ts';
import type { Shown } from '../design/shown-document.ts';
import type { Moment } from '../document/history.ts';
import type { CellPlace } from '../document/table-edits.ts';
import type { Range } from '../document/word-styles.ts';

/** The tools that create a layer: one for each type, and several for shapes. */
export type DrawingTool = Exclude<LayerType, 'shape'> | 'rect' | 'ellipse' | 'polygon' | 'star' | 'line';
export type Tool = 'select' | 'hand' | DrawingTool;

/** A mode that lasts until another begins. */
export type Task =
  | { readonly kind: 'select' }
  | { readonly kind: 'tool'; readonly tool: 'hand' | DrawingTool }
  /** The text of a layer is edited in place. */
  | {
      readonly kind: 'text';
      readonly layer: string;
      /** Selected, UTF-16 offsets; null = its field has not opened yet. */
      readonly range: Range | null;
      /** What the field is to select next; null = leave it as it is. */
      readonly wanted: Range | null;
      /** Whether the layer was just made: what is typed is its text, of which there may be translations later. */
      readonly isNew: boolean;
    }
  /** The crop of a picture is edited in place. */
  | { readonly kind: 'crop'; readonly layer: string }
  /** A cell of a table is edited in place. */
  | { readonly kind: 'cell'; readonly layer: string; readonly place: CellPlace }
  /** A dialog, or the page around, chooses a picture for a layer. */
  | { readonly kind: 'picture'; readonly layer: string };

export type Mode =
  | Task
  /** Something is dragged; all changes until its end are one step. Then the task goes on. */
  | {
      readonly kind: 'drag';
      readonly task: Task;
      /** What it was before, and what its document was made of; null = it is the stored one. */
      readonly before: Moment;
      readonly shown: Shown | null;
    };

export const SELECT: Task = { kind: 'select' };

/** Whether a layer is edited in place, which its selection must outlast. */
export const isInPlace = (task: Task): task is Extract<Task, { readonly kind: 'text' | 'crop' | 'cell' }> =>
  task.kind === 'text' || task.kind === 'crop' || task.kind === 'cell';

/** The parts of the library beside the canvas. */
export const LIBRARY_PARTS = ['components', 'brand', 'pictures', 'fonts'] as const;
export type LibraryPart = (typeof LIBRARY_PARTS)[number];
