// Drags a guide out of a ruler, moves it, or removes it when it is dropped back on the ruler.

import type { Point } from '#core/geometry.ts';
import { guidesOf } from '../document/document.ts';
import { setGuides } from '../document/edits.ts';
import { RULER } from '../geometry/viewport.ts';
import { DragGesture, type GestureContext, NO_MARKS } from './gesture.ts';

export class GuideGesture extends DragGesture {
  readonly #axis: 'x' | 'y';
  readonly #index: number;
  #at: number | null = null;

  /** @param index of an existing guide; null = a new one */
  constructor(context: GestureContext, axis: 'x' | 'y', index: number | null) {
    super(context);
    this.#axis = axis;
    this.#index = index ?? guidesOf(this.base).length;
  }

  move(point: Point): void {
    const { editor, marks } = this.context;
    this.#at = Math.round(this.#axis === 'x' ? point.x : point.y);
    const guides = [...guidesOf(this.base)];
    guides[this.#index] = { axis: this.#axis, at: this.#at };
    editor.drag(setGuides(guides)(this.base));
    marks.value = { ...NO_MARKS, label: `${this.#axis} ${this.#at}` };
  }

  override end(): void {
    const { editor, viewport } = this.context;
    if (this.#at !== null) {
      const inView = this.#at * viewport.zoom.peek() + viewport.offset.peek()[this.#axis];
      const left = guidesOf(this.base).filter((_, i) => i !== this.#index);
      if (inView < RULER) editor.drag(setGuides(left)(this.base));
    }
    super.end();
  }
}
