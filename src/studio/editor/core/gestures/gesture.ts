// A gesture starts with a press on the canvas. It receives each movement until the button is released or Escape cancels
// it.

import type { signal } from '@preact/signals';
import type { Point } from '#core/geometry.ts';
import type { RawDocument } from '../document/document.ts';
import type { Distance } from '../geometry/distances.ts';
import type { GapMark, SnapLine } from '../geometry/snap.ts';
import type { Viewport } from '../geometry/viewport.ts';
import type { EditorState } from '../state/editor-state.ts';

export interface Keys {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly mod: boolean;
}

export interface Gesture {
  /** @param point canvas px */
  move(point: Point, keys: Keys): void;
  end(): void;
  cancel(): void;
}

/** Marks shown over the canvas during a gesture. */
export interface Marks {
  readonly lines: readonly SnapLine[];
  readonly gaps: readonly GapMark[];
  readonly distances: readonly Distance[];
  readonly marquee: { readonly x: number; readonly y: number; readonly width: number; readonly height: number } | null;
  /** Shown beside the pointer: a size or an angle. */
  readonly label: string | null;
  /** The frame that would receive the dragged layer. */
  readonly into: string | null;
}

export const NO_MARKS: Marks = { lines: [], gaps: [], distances: [], marquee: null, label: null, into: null };

export interface GestureContext {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly marks: ReturnType<typeof signal<Marks>>;
}

/** Snapping distance, view px. */
export const CATCH = 6;

/** A gesture that edits layers: its end keeps the change, and to cancel it takes the change back. */
export abstract class DragGesture implements Gesture {
  protected readonly context: GestureContext;
  /** The document before the drag. */
  protected readonly base: RawDocument;

  constructor(context: GestureContext) {
    this.context = context;
    this.base = context.editor.startDrag();
  }

  abstract move(point: Point, keys: Keys): void;

  end(): void {
    this.context.marks.value = NO_MARKS;
    this.context.editor.endDrag();
  }

  cancel(): void {
    this.context.marks.value = NO_MARKS;
    this.context.editor.cancelDrag();
  }
}
