// The viewport: zoom and offset, and the conversion between canvas px and view px.

import { signal } from '@preact/signals';
import type { Point, Rect, Size } from '#core/geometry.ts';

const [LEAST, MOST] = [0.02, 64];
/** View px: the breadth of the rulers. */
export const RULER = 20;
/** View px left free around fitted content. */
const MARGIN = 56;
/** Zoom steps of Mod + and −. */
const STEPS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8, 16, 32, 64];

export class Viewport {
  /** View px per canvas px. */
  readonly zoom = signal(1);
  /** The position of the canvas's corner, view px. */
  readonly offset = signal<Point>({ x: 0, y: 0 });
  /** The size of the view. */
  readonly size = signal<Size>({ width: 0, height: 0 });
  /** Whether the zoom follows the window's size; it does until the user zooms. */
  #fits = true;
  /** What was fitted last. */
  #fitted: Rect | null = null;

  toCanvas({ x, y }: Point): Point {
    const { offset, zoom } = this;
    return { x: (x - offset.peek().x) / zoom.peek(), y: (y - offset.peek().y) / zoom.peek() };
  }

  toView({ x, y }: Point): Point {
    const { offset, zoom } = this;
    return { x: x * zoom.value + offset.value.x, y: y * zoom.value + offset.value.y };
  }

  /** The part of the canvas that the view shows, canvas px. */
  inSight(): Rect {
    const { x, y } = this.toCanvas({ x: 0, y: 0 });
    const { width, height } = this.size.peek();
    const zoom = this.zoom.peek();
    return { x, y, width: width / zoom, height: height / zoom };
  }

  resize(size: Size, canvas: Size): void {
    this.size.value = size;
    if (!this.#fits) return;
    const { width, height } = this.#fitted ?? canvas;
    // Of a document, the page that was fitted.
    this.fit(
      this.#fitted && width === canvas.width && height === canvas.height ? this.#fitted : { x: 0, y: 0, ...canvas },
    );
  }

  /** Fits the rectangle into the view, at a zoom of at most `most`. */
  fit({ x, y, width, height }: Rect, most = 1): void {
    const view = this.size.peek();
    if (view.width === 0) return;
    this.#fitted = { x, y, width, height };
    const zoom = clamp(
      Math.min((view.width - 2 * MARGIN) / Math.max(1, width), (view.height - 2 * MARGIN) / Math.max(1, height), most),
    );
    this.zoom.value = zoom;
    this.offset.value = {
      x: Math.round((view.width - width * zoom) / 2 - x * zoom),
      y: Math.round((view.height - height * zoom) / 2 - y * zoom),
    };
    this.#fits = true;
  }

  /** @param at the view's point that stays fixed; default: its middle */
  zoomTo(zoom: number, at: Point = { x: this.size.peek().width / 2, y: this.size.peek().height / 2 }): void {
    const fixed = this.toCanvas(at);
    const next = clamp(zoom);
    this.#fits = false;
    this.zoom.value = next;
    this.offset.value = { x: at.x - fixed.x * next, y: at.y - fixed.y * next };
  }

  step(direction: 1 | -1): void {
    const now = this.zoom.peek();
    const next =
      direction > 0 ? STEPS.find((step) => step > now * 1.001) : STEPS.findLast((step) => step < now * 0.999);
    if (next !== undefined) this.zoomTo(next);
  }

  /** @param content of which some stays in sight, canvas px; null = it may be left */
  pan(dx: number, dy: number, content: Rect | null): void {
    const zoom = this.zoom.peek();
    const along = (axis: 'x' | 'y', side: 'width' | 'height', by: number) => {
      const now = this.offset.peek()[axis];
      if (content === null) return now + by;
      const most = this.size.peek()[side] - MARGIN - content[axis] * zoom;
      const least = MARGIN - (content[axis] + content[side]) * zoom;
      return by > 0 ? Math.min(now + by, Math.max(most, now)) : Math.max(now + by, Math.min(least, now));
    };
    this.#fits = false;
    this.offset.value = { x: along('x', 'width', dx), y: along('y', 'height', dy) };
  }
}

const clamp = (zoom: number) => Math.min(MOST, Math.max(LEAST, zoom));
