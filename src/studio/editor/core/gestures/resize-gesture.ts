// Resizes the selected layers by a side or a corner: a single layer in its own rotated coordinates, several together.

import { centreOf, type Point, type Rect } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import type { Patch } from '../document/edits.ts';
import { boundsOfAll, flows, paddingBox, tidy, unmirrored, vectorIn } from '../geometry/geometry-of.ts';
import { NOTHING_CAUGHT, type SnapTargets, snapRect } from '../geometry/snap.ts';
import { boxesIn, withResizedLayers } from '../state/resize.ts';
import { CATCH, DragGesture, type GestureContext, type Keys, NO_MARKS } from './gesture.ts';
import type { Handle } from './handle-zones.ts';
import { snapTargets } from './snap-targets.ts';

export class ResizeGesture extends DragGesture {
  readonly #handle: Handle;
  readonly #from: Point;
  readonly #boxes: readonly LocatedBox[];
  /** All boxes before the drag, by name. */
  readonly #before: ReadonlyMap<string, LocatedBox>;
  readonly #bounds: Rect;
  readonly #targets: SnapTargets;

  constructor(context: GestureContext, from: Point, handle: Handle, boxes: readonly LocatedBox[]) {
    super(context);
    this.#handle = handle;
    this.#from = from;
    this.#boxes = boxes;
    this.#before = boxesIn(context.editor, this.base);
    this.#bounds = boundsOfAll(boxes) ?? { ...from, width: 1, height: 1 };
    this.#targets = snapTargets(context.editor, new Set(boxes.map(({ name }) => name)));
  }

  move(point: Point, keys: Keys): void {
    const [only, ...others] = this.#boxes;
    if (!only) return;
    const delta = { x: point.x - this.#from.x, y: point.y - this.#from.y };
    const patches =
      others.length > 0 ? this.#resizeAll(delta, keys) : new Map([[only.name, this.#resizeOne(only, delta, keys)]]);
    this.context.editor.drag(withResizedLayers(this.base, patches, this.#before));
  }

  #resizeOne(box: LocatedBox, delta: Point, keys: Keys): Patch {
    const { rect } = box;
    // In the box's own, possibly rotated, coordinates.
    const matrix = unmirrored(box);
    const local = vectorIn(matrix, delta);
    const [a, b, c, d] = matrix;
    const isUpright = Math.abs(b) < 1e-9 && Math.abs(c) < 1e-9 && a > 0 && d > 0;
    const next = this.#snapped(resized(rect, this.#handle, local, keys), keys, isUpright);
    this.#label(next);
    // A layer rotates about its centre, which moves. This correction keeps the opposite corner in place on the canvas.
    const turn = (box.box.node.rotation * Math.PI) / 180;
    const shift = { x: centreOf(next).x - centreOf(rect).x, y: centreOf(next).y - centreOf(rect).y };
    const centre = {
      x: centreOf(rect).x + shift.x * Math.cos(turn) - shift.y * Math.sin(turn),
      y: centreOf(rect).y + shift.x * Math.sin(turn) + shift.y * Math.cos(turn),
    };
    const origin = paddingBox(box.parent);
    const sizes = this.#sizes(box, next);
    if (flows(box)) return sizes;
    return { ...sizes, x: tidy(centre.x - next.width / 2 - origin.x), y: tidy(centre.y - next.height / 2 - origin.y) };
  }

  /** Text that hugs its height keeps hugging it, and takes the new width. */
  #sizes(box: LocatedBox, next: Rect): Patch {
    const layer = this.context.editor.layer(box.name);
    const hugs = box.box.kind === 'text' && typeof layer?.height !== 'number';
    const width = this.#handle.x !== 0 || next.width !== box.rect.width;
    const height = (this.#handle.y !== 0 || next.height !== box.rect.height) && !(hugs && this.#handle.x !== 0);
    return { ...(width && { width: tidy(next.width) }), ...(height && { height: tidy(next.height) }) };
  }

  #resizeAll(delta: Point, keys: Keys): ReadonlyMap<string, Patch> {
    const before = this.#bounds;
    const next = this.#snapped(resized(before, this.#handle, delta, keys), keys, true);
    this.#label(next);
    const [sx, sy] = [next.width / Math.max(before.width, 1e-6), next.height / Math.max(before.height, 1e-6)];
    return new Map(
      this.#boxes.map((box): [string, Patch] => {
        const { rect } = box;
        const origin = paddingBox(box.parent);
        const size = { width: tidy(rect.width * sx), height: tidy(rect.height * sy) };
        const sizes = this.#sizes(box, { ...rect, ...size });
        if (flows(box)) return [box.name, sizes];
        const centre = {
          x: next.x + (centreOf(rect).x - before.x) * sx,
          y: next.y + (centreOf(rect).y - before.y) * sy,
        };
        return [
          box.name,
          {
            ...sizes,
            x: tidy(centre.x - size.width / 2 - origin.x),
            y: tidy(centre.y - size.height / 2 - origin.y),
          },
        ];
      }),
    );
  }

  #snapped(rect: Rect, keys: Keys, isUpright: boolean): Rect {
    const { editor, viewport, marks } = this.context;
    const { x: hx, y: hy } = this.#handle;
    const isFree = !isUpright || keys.mod || keys.alt || keys.shift || !editor.preferences.snap.peek();
    const parts = {
      x: hx < 0 ? (['start'] as const) : hx > 0 ? (['end'] as const) : [],
      y: hy < 0 ? (['start'] as const) : hy > 0 ? (['end'] as const) : [],
    };
    const caught = isFree ? NOTHING_CAUGHT : snapRect(rect, this.#targets, CATCH / viewport.zoom.peek(), parts);
    marks.value = { ...NO_MARKS, lines: caught.lines };
    const held = { x: hx < 0 ? rect.x : rect.x + rect.width, y: hy < 0 ? rect.y : rect.y + rect.height };
    const to = {
      x: caught.lines.some(({ axis }) => axis === 'x') || caught.dx !== 0 ? held.x + caught.dx : Math.round(held.x),
      y: caught.lines.some(({ axis }) => axis === 'y') || caught.dy !== 0 ? held.y + caught.dy : Math.round(held.y),
    };
    if (keys.alt || keys.shift)
      return { ...rect, width: Math.max(1, Math.round(rect.width)), height: Math.max(1, Math.round(rect.height)) };
    const next = { ...rect };
    if (hx < 0) next.width = Math.max(1, rect.x + rect.width - to.x);
    if (hx < 0) next.x = rect.x + rect.width - next.width;
    if (hx > 0) next.width = Math.max(1, to.x - rect.x);
    if (hy < 0) next.height = Math.max(1, rect.y + rect.height - to.y);
    if (hy < 0) next.y = rect.y + rect.height - next.height;
    if (hy > 0) next.height = Math.max(1, to.y - rect.y);
    return next;
  }

  #label({ width, height }: Rect): void {
    const { marks } = this.context;
    marks.value = { ...(marks.peek() ?? NO_MARKS), label: `${Math.round(width)} × ${Math.round(height)}` };
  }
}

/** The rectangle after a handle was dragged by `delta`, in its own coordinates. */
export function resized(rect: Rect, { x: hx, y: hy }: Handle, delta: Point, { alt, shift }: Keys): Rect {
  const factor = alt ? 2 : 1;
  let width = rect.width + delta.x * hx * factor;
  let height = rect.height + delta.y * hy * factor;
  if (shift && rect.width > 0 && rect.height > 0) {
    const ratio = rect.width / rect.height;
    if (hx === 0) width = height * ratio;
    else if (hy === 0) height = width / ratio;
    else if (Math.abs(width / rect.width - 1) > Math.abs(height / rect.height - 1)) height = width / ratio;
    else width = height * ratio;
  }
  width = Math.max(1, width);
  height = Math.max(1, height);
  const centre = centreOf(rect);
  if (alt) return { x: centre.x - width / 2, y: centre.y - height / 2, width, height };
  return {
    x: hx < 0 ? rect.x + rect.width - width : hx > 0 ? rect.x : shift ? centre.x - width / 2 : rect.x,
    y: hy < 0 ? rect.y + rect.height - height : hy > 0 ? rect.y : shift ? centre.y - height / 2 : rect.y,
    width,
    height,
  };
}
