// Drags a guide out of a ruler, moves it, or removes it when it is dropped back on the ruler.

import type { Point } from '#core/geometry.ts';
import { guidesOf, type RawDocument } from '../document/document.ts';
import { setGuides } from '../document/edits.ts';
import { type Gesture, type GestureContext, NO_MARKS } from './gesture.ts';
import { RULER } from './rulers.tsx';

export class GuideGesture implements Gesture {
  readonly #context: GestureContext;
  readonly #axis: 'x' | 'y';
  readonly #index: number;
  readonly #before: RawDocument;
  #at: number | null = null;

  /** @param index of an existing guide; null = a new one */
  constructor(context: GestureContext, axis: 'x' | 'y', index: number | null) {
    this.#context = context;
    this.#axis = axis;
    this.#before = context.editor.startDrag();
    this.#index = index ?? guidesOf(this.#before).length;
  }

  move(point: Point): void {
    const { editor, marks } = this.#context;
    this.#at = Math.round(this.#axis === 'x' ? point.x : point.y);
    const guides = [...guidesOf(this.#before)];
    guides[this.#index] = { axis: this.#axis, at: this.#at };
    editor.drag(setGuides(guides)(this.#before));
    marks.value = { ...NO_MARKS, label: `${this.#axis} ${this.#at}` };
  }

  end(): void {
    const { editor, marks, viewport } = this.#context;
    marks.value = NO_MARKS;
    if (this.#at !== null) {
      const inView = this.#at * viewport.zoom.peek() + viewport.offset.peek()[this.#axis];
      const left = guidesOf(this.#before).filter((_, i) => i !== this.#index);
      if (inView < RULER) editor.drag(setGuides(left)(this.#before));
    }
    editor.endDrag();
  }

  cancel(): void {
    this.#context.marks.value = NO_MARKS;
    this.#context.editor.cancelDrag();
  }
}
