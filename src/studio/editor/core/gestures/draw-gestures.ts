// Gestures that draw a rectangle on the canvas: for a new layer, or as a selection marquee.

import { type Point, type Rect, rectContains, rectsOverlap } from '#core/geometry.ts';
import { isPage } from '../document/hand-pages.ts';
import { boundsOf, frameAt } from '../geometry/geometry-of.ts';
import { type SnapTargets, snapPoint } from '../geometry/snap.ts';
import { insertNew } from '../state/insert-new.ts';
import type { DrawingTool } from '../state/mode.ts';
import { newLayer } from '../state/new-layer.ts';
import { isOutermost } from '../state/page-actions.ts';
import { CATCH, type Gesture, type GestureContext, type Keys, NO_MARKS } from './gesture.ts';
import { NO_TARGETS, snapTargets } from './snap-targets.ts';

function rectBetween(a: Point, b: Point): Rect {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

export class MarqueeGesture implements Gesture {
  readonly #context: GestureContext;
  readonly #from: Point;
  readonly #before: readonly string[];

  /** @param adds keeps the current selection and adds to it */
  constructor(context: GestureContext, from: Point, adds: boolean) {
    this.#context = context;
    this.#from = from;
    this.#before = adds ? context.editor.selection.peek() : [];
  }

  move(point: Point, keys: Keys): void {
    const { editor, marks } = this.#context;
    const marquee = rectBetween(this.#from, point);
    marks.value = { ...NO_MARKS, marquee };
    const boxes = editor.picture.peek()?.boxes ?? [];
    const own = { x: 0, y: 0, width: editor.document.peek().width, height: editor.document.peek().height };
    const met = boxes.filter((box) => {
      if (editor.isLocked(box.name) || (!keys.mod && !isOutermost(editor, box))) return false;
      if (isPage(editor.layer(box.name)) || editor.layer(box.name)?.flow === true) return false;
      const bounds = boundsOf(box);
      const canvas = box.parent ? boundsOf(box.parent) : own;
      // A background that covers the canvas is selected only if the marquee contains all of it.
      return rectContains(bounds, canvas) ? rectContains(marquee, bounds) : rectsOverlap(marquee, bounds);
    });
    editor.select([...new Set([...this.#before, ...met.map(({ name }) => name)])]);
  }

  end(): void {
    this.#context.marks.value = NO_MARKS;
  }

  cancel(): void {
    this.#context.marks.value = NO_MARKS;
    this.#context.editor.select(this.#before);
  }
}

/** Draws a layer of the tool's kind; a click without a drag makes one of default size. */
export class DrawGesture implements Gesture {
  readonly #context: GestureContext;
  readonly #tool: DrawingTool;
  readonly #from: Point;
  readonly #targets: SnapTargets;
  #to: Point;

  constructor(context: GestureContext, from: Point, tool: DrawingTool) {
    this.#context = context;
    this.#tool = tool;
    this.#targets = context.editor.preferences.snap.peek() ? snapTargets(context.editor, new Set()) : NO_TARGETS;
    this.#from = this.#caught(from);
    this.#to = this.#from;
  }

  move(point: Point, keys: Keys): void {
    let to = this.#caught(point);
    if (keys.shift) {
      const side = Math.max(Math.abs(to.x - this.#from.x), Math.abs(to.y - this.#from.y));
      const sign = (value: number) => (value < 0 ? -1 : 1);
      to = { x: this.#from.x + side * sign(to.x - this.#from.x), y: this.#from.y + side * sign(to.y - this.#from.y) };
    }
    this.#to = to;
    const marquee = rectBetween(this.#from, to);
    this.#context.marks.value = {
      ...NO_MARKS,
      marquee,
      label: `${Math.round(marquee.width)} × ${Math.round(marquee.height)}`,
    };
  }

  end(): void {
    const { editor, marks, viewport } = this.#context;
    marks.value = NO_MARKS;
    const drawn = rectBetween(this.#from, this.#to);
    const isClick = Math.max(drawn.width, drawn.height) * viewport.zoom.peek() < 4;
    const layer = newLayer(this.#tool, isClick ? null : drawn, this.#from, this.#to);
    const picture = editor.picture.peek();
    const frame = picture ? frameAt(picture, this.#from, new Set()) : null;
    insertNew(editor, layer, frame, isClick ? this.#from : drawn);
  }

  cancel(): void {
    this.#context.marks.value = NO_MARKS;
    this.#context.editor.leave();
  }

  #caught(point: Point): Point {
    const caught = snapPoint(point, this.#targets, CATCH / this.#context.viewport.zoom.peek());
    return { x: Math.round(point.x + caught.dx), y: Math.round(point.y + caught.dy) };
  }
}
