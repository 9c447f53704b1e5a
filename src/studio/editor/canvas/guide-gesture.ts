// Drags a guide out of a ruler, moves it, or removes it when it is dropped back on the ruler.

import type { Point } from '#core/geometry.ts';
import { type Gesture, type GestureContext, NO_MARKS } from './gesture.ts';

export class GuideGesture implements Gesture {
  readonly #context: GestureContext;
  readonly #axis: 'x' | 'y';
  readonly #index: number;
  readonly #before;

  /** @param index of an existing guide; null = a new one */
  constructor(context: GestureContext, axis: 'x' | 'y', index: number | null) {
    const { guides } = context.editor.preferences;
    this.#context = context;
    this.#axis = axis;
    this.#before = guides.peek();
    this.#index = index ?? this.#before.length;
  }

  move(point: Point): void {
    const { editor, marks } = this.#context;
    const at = Math.round(this.#axis === 'x' ? point.x : point.y);
    const guides = [...this.#before];
    guides[this.#index] = { axis: this.#axis, at };
    editor.preferences.guides.value = guides;
    marks.value = { ...NO_MARKS, label: `${this.#axis} ${at}` };
  }

  end(): void {
    const { editor, marks, viewport } = this.#context;
    const { guides } = editor.preferences;
    const guide = guides.peek()[this.#index];
    marks.value = NO_MARKS;
    if (!guide) return;
    const inView = guide.at * viewport.zoom.peek() + viewport.offset.peek()[guide.axis];
    if (inView < 20) guides.value = guides.peek().filter((_, i) => i !== this.#index);
  }

  cancel(): void {
    this.#context.editor.preferences.guides.value = this.#before;
    this.#context.marks.value = NO_MARKS;
  }
}
