// The visible region in the current coordinate system, for culling, and a budget for the paint of one list.
//
// Invisible paint is left out before it is made: a text of 50,000 emoji on a card came to two gigabytes of operations,
// of which a hundred showed. The sum of what remains is limited, and the error names the layer that exceeds the limit.

import { ValidationError } from '../diagnostics.ts';
import { inflate, intersection, invert, type Matrix, type Rect, transformRect } from '../geometry.ts';
import type { Scene } from '../resolve/scene.ts';
import { formatPath } from '../template/validation.ts';
import type { FontSet } from '../text/font-set.ts';
import { opsBounds } from './bounds.ts';
import type { Brush, PaintOp } from './display-list.ts';

/**
 * The limit of one list, counted in segments and colour stops of colour glyphs and in runs of letters. Drawing a
 * segment takes some 8 microseconds; the limit allows some 1,000 emoji, of 110 to 800 segments each.
 */
const MOST_WORK = 250_000;
/** The work of a run of letters, whatever its length: each is an operation, and an element of an SVG. */
const RUN = 10;
/** The stops of a gradient that come with its fill; emoji have up to 13. */
const FREE_STOPS = 16;
/** Antialiasing, px. */
const EDGE = 1;
/** A box of this size or less may have none on whole px. */
const THIN = 1 / 16;

/** Maps each operation, anywhere in the list's tree, to the name of the layer that it was painted for. */
export type Owners = WeakMap<PaintOp, string>;

/** State shared by all views of one painting. */
interface Pass {
  /** Work done so far; at most `MOST_WORK`. */
  spent: number;
  readonly owners: Owners | null;
  readonly snaps: Scene['snaps'] | null;
}

export class View {
  /** null = nothing is visible. */
  readonly #seen: Rect | null;
  readonly #layer: string;
  readonly #pass: Pass;

  private constructor(seen: Rect | null, layer: string, pass: Pass) {
    this.#seen = seen;
    this.#layer = layer;
    this.#pass = pass;
  }

  /** @param owners receives the layer of each operation @param snaps what is painted on whole px */
  static of(canvas: Rect, owners: Owners | null = null, snaps: Scene['snaps'] | null = null): View {
    return new View(inflate(canvas, EDGE), '', { spent: 0, owners, snaps });
  }

  /** Where a box is painted. */
  placeOf(rect: Rect): Rect {
    return this.#pass.snaps ? snapped(rect) : rect;
  }

  get snapsText(): boolean {
    return this.#pass.snaps === 'all';
  }

  /** Shows everything; only the work is limited. */
  static all(): View {
    return View.of({ x: 0, y: 0, width: 0, height: 0 }).everywhere();
  }

  everywhere(): View {
    return new View({ x: -1e9, y: -1e9, width: 2e9, height: 2e9 }, this.#layer, this.#pass);
  }

  /** @param transform from the inner coordinates to these */
  within(transform: Matrix): View {
    const inverse = invert(transform);
    return new View(this.#seen && inverse && transformRect(inverse, this.#seen), this.#layer, this.#pass);
  }

  widened(by: number): View {
    return by > 0 && this.#seen ? new View(inflate(this.#seen, by), this.#layer, this.#pass) : this;
  }

  cutTo(box: Rect): View {
    return new View(this.#seen && intersection(this.#seen, inflate(box, EDGE)), this.#layer, this.#pass);
  }

  ofLayer(name: string): View {
    return new View(this.#seen, name, this.#pass);
  }

  shows(rect: Rect): boolean {
    return this.#seen !== null && meets(this.#seen, rect);
  }

  /**
   * Returns the operations, or none if nothing of them is visible.
   *
   * @param likely where most of them are: they are measured only if that is not visible
   */
  kept(ops: readonly PaintOp[], likely: Rect, fonts: FontSet): readonly PaintOp[] {
    if (ops.length === 0 || this.shows(likely)) return ops;
    const bounds = opsBounds(ops, fonts);
    return bounds && this.shows(bounds) ? ops : [];
  }

  /** Records the view's layer as the owner of operations that have none yet from a layer inside it. */
  owned(ops: readonly PaintOp[]): readonly PaintOp[] {
    const { owners } = this.#pass;
    if (owners) for (const op of ops) if (!owners.has(op)) owners.set(op, this.#layer);
    return ops;
  }

  /** Counts runs of letters. @throws ValidationError naming the layer, when a list exceeds the limit */
  spend(runs: number): void {
    this.#spend(runs * RUN);
  }

  /** The work done so far, in the units of the limit. */
  get spent(): number {
    return this.#pass.spent;
  }

  /** Counts the work of cached operations that are shown again. @throws as `spend` */
  spendAgain(work: number): void {
    this.#spend(work);
  }

  /**
   * Counts operations of a colour glyph.
   *
   * @param least the least that they come to, counted before they are painted: one glyph may be too many
   * @throws as `spend`
   */
  spendOn(least: number, paint: () => readonly PaintOp[]): readonly PaintOp[] {
    this.#spend(least);
    const ops = paint();
    this.#spend(Math.max(0, segmentsOf(ops) - least));
    return ops;
  }

  #spend(work: number): void {
    this.#pass.spent += work;
    if (this.#pass.spent <= MOST_WORK) return;
    throw new ValidationError(
      formatPath('layers', [this.#layer]),
      'shows too many emoji or pieces of text to be drawn; give it fewer, or less room',
    );
  }
}

/** Rounded as Chromium does it, each side by itself: what touches goes on to touch, and nothing vanishes. */
function snapped({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.round(x), Math.round(y)];
  const side = (end: number, begin: number, size: number) => Math.max(end - begin, size > THIN ? 1 : 0);
  const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
  return { x: left, y: top, width: side(right, left, width), height: side(bottom, top, height) };
}

/** Whether the rectangles share a point; one without a width may still show a stroke. */
function meets(a: Rect, b: Rect): boolean {
  return a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;
}

function segmentsOf(ops: readonly PaintOp[]): number {
  let count = 0;
  for (const op of ops) {
    if (op.kind === 'group') count += (op.clip?.path.length ?? 0) + segmentsOf(op.ops) + segmentsOf(op.mask ?? []) + 1;
    else if (op.kind === 'fill') count += op.path.length + 1 + extraStops(op.brush);
  }
  return count;
}

/** Colour stops of a gradient beyond those of any emoji. */
function extraStops(brush: Brush): number {
  return 'stops' in brush ? Math.max(0, brush.stops.length - FREE_STOPS) : 0;
}
