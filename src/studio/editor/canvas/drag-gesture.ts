// The base class of gestures that edit layers while the pointer is dragged, such as moving, resizing and rotating.

import type { Point } from '#core/geometry.ts';
import type { RawDocument } from '../document/document.ts';
import { type Gesture, type GestureContext, type Keys, NO_MARKS } from './gesture.ts';

/** Its end keeps the change, and to cancel it takes the change back. */
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
