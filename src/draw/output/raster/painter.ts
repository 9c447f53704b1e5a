// Paints a placed display list to pixels, one operation after the other.
//
// The pixels depend on the list alone. The painter yields after each operation, also within groups, so that its caller
// can do other work or stop, and waits for a picture where it needs one that is still being scaled. All lengths are in
// device px, except those of operations, which a matrix maps to device px.

import type { Color } from '#core/color.ts';
import {
  IDENTITY,
  inflate,
  intersection,
  isIdentity,
  type Matrix,
  multiply,
  type Rect,
  roundOut,
  transformRect,
} from '#core/geometry.ts';
import { filteredBounds, opsBounds } from '#core/paint/bounds.ts';
import type { Brush, Filter, GroupOp, PaintOp, Stroke } from '#core/paint/display-list.ts';
import { type FillRule, type PathData, pathBounds } from '#core/path.ts';
import { type BlurPlan, type BlurredPlane, blurredPixels, planBlur } from './blur.ts';
import { hiddenPart, without } from './hidden-parts.ts';
import { BLEND_NUMBERS } from './kernels.ts';
import { runsOf, type ShortSided, shortenSides } from './nine-patch.ts';
import { paintBrush, premultiplied } from './paint-brush.ts';
import { glyphsMask, type LetterOptions, type PlacedMask, paintGlyphs } from './paint-glyphs.ts';
import { addressIn, type PaintMemory, partOf, type Surface, touchedBy } from './paint-memory.ts';
import { type DeviceClip, paintPicture } from './paint-picture.ts';
import type { PaintSteps } from './paint-steps.ts';
import { pixelRect } from './pixel-rect.ts';
import type { ImageOp, PlacedImage } from './place-images.ts';
import type { ScaledPictures } from './scaled-pictures.ts';
import { strokedArea, strokeOutline } from './stroke-outline.ts';
import { uniformColor } from './uniform-color.ts';
import { uprightOutline } from './upright-outline.ts';

export interface PaintContext extends LetterOptions {
  readonly pictures: ScaledPictures;
  readonly placed: ReadonlyMap<ImageOp, PlacedImage>;
}

/** How a group is composited with its backdrop. */
interface Compositing {
  readonly clip: DeviceClip | null;
  /** Its light is the opacity; null = none. */
  readonly mask: { readonly ops: readonly PaintOp[]; readonly matrix: Matrix } | null;
  /** 0..255 */
  readonly opacity: number;
  readonly mode: number;
  /** The part of the surface that it may change. */
  readonly seen: Rect;
  /** The part of that which a later operation paints over. */
  readonly hidden: Rect | null;
}

export class Painter {
  readonly #memory: PaintMemory;
  readonly #context: PaintContext;

  constructor(memory: PaintMemory, context: PaintContext) {
    this.#memory = memory;
    this.#context = context;
  }

  /** @param ops of one surface; the one at `index` is painted */
  *paint(surface: Surface, ops: readonly PaintOp[], index: number, matrix: Matrix): PaintSteps {
    const op = ops[index];
    if (!op) return;
    const mark = this.#memory.mark();
    switch (op.kind) {
      case 'fill':
        yield* this.#fill(surface, op.path, op.rule, op.brush, matrix);
        break;
      case 'stroke':
        yield* this.#stroke(surface, op.path, op.stroke, op.brush, matrix);
        break;
      case 'glyphs':
        yield* paintGlyphs(this.#memory, surface, op, matrix, this.#context);
        break;
      case 'image':
        yield* this.#image(surface, op, matrix, null, 1);
        break;
      case 'group':
        yield* this.#group(surface, op, matrix, hiddenPart(ops, index, matrix));
        break;
      case 'link':
        return;
    }
    this.#memory.release(mark);
    yield;
  }

  *#all(surface: Surface, ops: readonly PaintOp[], matrix: Matrix): PaintSteps {
    for (const index of ops.keys()) yield* this.paint(surface, ops, index, matrix);
  }

  *#fill(surface: Surface, path: PathData, rule: FillRule, brush: Brush, matrix: Matrix): PaintSteps {
    const rect = pixelRect(path, matrix);
    const seen = rect ? intersection(rect, surface.area) : touchedBy(path, matrix, surface.area);
    if (!seen) return;
    const memory = this.#memory;
    const mask = rect ? null : yield* memory.coverInSteps(() => memory.write(path, matrix), rule, seen);
    paintBrush(this.#memory, surface, seen, brush, matrix, mask);
  }

  *#stroke(surface: Surface, path: PathData, stroke: Stroke, brush: Brush, matrix: Matrix): PaintSteps {
    const mask = yield* this.#strokeMask(path, stroke, matrix, surface.area);
    if (mask) paintBrush(this.#memory, surface, mask.area, brush, matrix, mask.address);
  }

  *#strokeMask(path: PathData, stroke: Stroke, matrix: Matrix, area: Rect): PaintSteps<PlacedMask | null> {
    const bounds = pathBounds(path);
    const seen = bounds && strokedArea(bounds, stroke, matrix, area);
    if (!seen) return null;
    const { numbers, share } = strokeOutline(path, stroke, matrix, seen);
    if (numbers.length === 0) return null;
    const memory = this.#memory;
    const address = yield* memory.coverInSteps(() => memory.writeNumbers(numbers), 'nonzero', seen);
    if (share < 1) memory.lighten(address, seen, share);
    return { address, area: seen };
  }

  *#image(surface: Surface, op: ImageOp, matrix: Matrix, clip: DeviceClip | null, opacity: number): PaintSteps {
    const { pictures } = this.#context;
    yield pictures.coming(op);
    const picture = pictures.get(op);
    if (!picture) return;
    const isOnGrid = this.#context.placed.get(op)?.isOnGrid ?? false;
    paintPicture(this.#memory, surface, op, picture, matrix, { isOnGrid, clip, opacity });
  }

  *#group(surface: Surface, op: GroupOp, around: Matrix, hidden: Rect | null): PaintSteps {
    const matrix = isIdentity(op.transform) ? around : multiply(around, op.transform);
    const clip = op.clip && { ...op.clip, matrix };
    const seen = clip ? touchedBy(clip.path, matrix, surface.area) : surface.area;
    const opacity = Math.round(255 * op.opacity);
    if (!seen || opacity === 0) return;
    const mode = BLEND_NUMBERS[op.blend];
    const mask = op.mask ? { ops: op.mask, matrix } : null;
    const isPlain = opacity === 255 && mode === 0 && op.filters.length === 0 && mask === null;
    if (isPlain && !clip) {
      yield* this.#all(surface, op.ops, matrix);
      return;
    }
    const window = clip && isPlain ? pixelRect(clip.path, matrix) : null;
    if (window) {
      const inside = intersection(window, surface.area);
      if (inside) yield* this.#all(partOf(surface, inside), op.ops, matrix);
      return;
    }
    const compositing = { clip, mask, opacity, mode, seen, hidden };
    if (mode === 0 && !mask && (yield* this.#inOneStep(surface, op, matrix, compositing))) return;
    yield* this.#layer(surface, op, matrix, compositing);
  }

  /**
   * Paints a group that needs no layer: a shadow of one colour, or a picture that is only clipped and faded. Returns
   * whether it was one.
   */
  *#inOneStep(surface: Surface, op: GroupOp, matrix: Matrix, compositing: Compositing): PaintSteps<boolean> {
    const [filter, second] = op.filters;
    if (filter?.kind === 'blur' && !second) {
      const ink = uniformColor(op.ops);
      if (!ink) return false;
      yield* this.#shadow(surface, op.ops, matrix, filter.sigma, ink, compositing);
      return true;
    }
    if (filter) return false;
    const shown = lonePicture(op, matrix);
    if (!shown) return false;
    yield* this.#image(surface, shown.op, shown.matrix, shown.clip, shown.opacity);
    return true;
  }

  /** Paints one colour through a blurred mask. */
  *#shadow(
    surface: Surface,
    ops: readonly PaintOp[],
    matrix: Matrix,
    sigma: number,
    ink: Color,
    compositing: Compositing,
  ): PaintSteps {
    const memory = this.#memory;
    const plan = planBlur(sigma * evenScale(matrix));
    const short = this.#shortSided(ops, matrix, plan);
    const area = short
      ? inflate(roundOut(short.bounds), 1)
      : this.#contentArea(ops, matrix, inflate(compositing.seen, plan.reach));
    if (!area) return;
    const strip = (rows: Rect) =>
      short
        ? memory.coverInSteps(() => memory.write(short.path, IDENTITY), 'nonzero', rows)
        : this.#inkMask(ops, matrix, rows);
    const plane = yield* blurredPixels(memory, 'mask', area, plan, strip);
    this.#layShadow(surface, plane, ink, short, compositing);
  }

  /** The rectangle with shortened sides that a shadow of a single rectangle can be blurred from; else null. */
  #shortSided(ops: readonly PaintOp[], matrix: Matrix, plan: BlurPlan): ShortSided | null {
    const [op, second] = ops;
    const outline = op?.kind === 'fill' && !second ? uprightOutline(op.path, matrix) : null;
    return outline && shortenSides(outline, plan);
  }

  #layShadow(
    surface: Surface,
    plane: BlurredPlane,
    ink: Color,
    short: ShortSided | null,
    { clip, opacity, seen, hidden }: Compositing,
  ): void {
    const { across = null, down = null } = short ?? {};
    const [width, height] = [plane.area.width + (across?.by ?? 0), plane.area.height + (down?.by ?? 0)];
    const shown = intersection({ ...plane.area, width, height }, seen);
    if (!shown) return;
    const memory = this.#memory;
    const mask = clip ? memory.cover(clip.path, clip.rule, clip.matrix, shown) : 0;
    const color = premultiplied({ ...ink, a: 1 });
    const alpha = Math.round((32_767 * ink.a * opacity) / 255);
    for (const part of without(shown, hidden)) {
      for (const rows of runsOf(part.y, part.height, down)) {
        for (const columns of runsOf(part.x, part.width, across)) {
          const run = { x: columns.at, y: rows.at, width: columns.length, height: rows.length };
          memory.kernels.layBlurredMask(
            addressIn(surface, run),
            surface.stride,
            run.width,
            run.height,
            plane.address,
            plane.pitch,
            plane.shift,
            columns.from - plane.left,
            rows.from - plane.top,
            mask === 0 ? 0 : mask + (run.y - shown.y) * shown.width + run.x - shown.x,
            mask === 0 ? 0 : shown.width,
            color,
            alpha,
            plane.row,
          );
        }
      }
    }
  }

  /** The coverage of an area by operations of one colour. */
  *#inkMask(ops: readonly PaintOp[], matrix: Matrix, area: Rect): PaintSteps<number> {
    const mask = this.#memory.takeMask(area);
    yield* this.#addInk(mask, area, ops, matrix);
    return mask;
  }

  *#addInk(mask: number, area: Rect, ops: readonly PaintOp[], matrix: Matrix): PaintSteps {
    const memory = this.#memory;
    for (const op of ops) {
      const mark = memory.mark();
      const found = yield* this.#uniformColor(op, mask, area, matrix);
      if (found) {
        const to = mask + (found.area.y - area.y) * area.width + found.area.x - area.x;
        const { width, height } = found.area;
        memory.kernels.addMask(to, area.width, found.address, width, width, height);
      }
      memory.release(mark);
      yield;
    }
  }

  *#uniformColor(op: PaintOp, mask: number, area: Rect, matrix: Matrix): PaintSteps<PlacedMask | null> {
    switch (op.kind) {
      case 'fill': {
        const touched = touchedBy(op.path, matrix, area);
        if (!touched) return null;
        const memory = this.#memory;
        const write = () => memory.write(op.path, matrix);
        return { address: yield* memory.coverInSteps(write, op.rule, touched), area: touched };
      }
      case 'stroke':
        return yield* this.#strokeMask(op.path, op.stroke, matrix, area);
      case 'glyphs':
        return yield* glyphsMask(this.#memory, area, op, matrix, this.#context);
      case 'group':
        yield* this.#addInk(mask, area, op.ops, multiply(matrix, op.transform));
        return null;
      default:
        return null;
    }
  }

  /** Draws a group on its own layer, filters it, and composites it onto the surface. */
  *#layer(surface: Surface, op: GroupOp, matrix: Matrix, compositing: Compositing): PaintSteps {
    const memory = this.#memory;
    const scale = evenScale(matrix);
    const reach = op.filters.reduce(
      (sum, filter) => sum + (filter.kind === 'blur' ? planBlur(filter.sigma * scale).reach : 0),
      0,
    );
    const needed = inflate(compositing.seen, reach);
    const area = op.filters.some(makesPaint)
      ? this.#areaOf(filteredBounds(op, this.#context.fonts), matrix, needed)
      : this.#contentArea(op.ops, matrix, needed);
    if (!area) return;
    const filters = [...op.filters];
    let layer: Surface | null = null;
    if (filters[0]?.kind !== 'blur') {
      layer = memory.takeSurface(area);
      yield* this.#all(layer, op.ops, matrix);
    }
    for (const [i, filter] of filters.entries()) {
      if (filter.kind === 'color-matrix') {
        if (layer) recolor(memory, layer, filter.values);
        continue;
      }
      const source: Surface | null = layer;
      const strip = source
        ? function* (rows: Rect) {
            yield;
            return addressIn(source, rows);
          }
        : (rows: Rect) => this.#strip(rows, op.ops, matrix);
      const plan = planBlur(filter.sigma * scale);
      const plane = yield* blurredPixels(memory, 'pixels', source?.area ?? area, plan, strip);
      if (i === filters.length - 1 && compositing.mode === 0) {
        yield* this.#layPlane(surface, plane, compositing);
        return;
      }
      const shown = intersection(plane.area, needed);
      if (!shown) return;
      layer = memory.takeSurface(shown);
      yield* this.#layPlane(layer, plane, { clip: null, mask: null, opacity: 255, mode: 0, seen: shown, hidden: null });
    }
    if (layer) yield* this.#layLayer(surface, layer, compositing);
  }

  *#strip(rows: Rect, ops: readonly PaintOp[], matrix: Matrix): PaintSteps<number> {
    const strip = this.#memory.takeSurface(rows);
    yield* this.#all(strip, ops, matrix);
    return strip.start;
  }

  /** How much of each pixel of an area a group's clip and mask let through; 0 = all, everywhere. */
  *#coverage({ clip, mask }: Compositing, area: Rect): PaintSteps<number> {
    const memory = this.#memory;
    const cover = clip ? memory.cover(clip.path, clip.rule, clip.matrix, area) : 0;
    if (!mask) return cover;
    const lit = memory.takeSurface(area);
    yield* this.#all(lit, mask.ops, mask.matrix);
    const light = memory.maskOfLight(lit);
    if (cover !== 0) memory.kernels.intersectMasks(light, cover, area.width * area.height);
    return light;
  }

  *#layPlane(surface: Surface, plane: BlurredPlane, compositing: Compositing): PaintSteps {
    const { opacity, seen, hidden } = compositing;
    const shown = intersection(plane.area, seen);
    if (!shown) return;
    const mask = yield* this.#coverage(compositing, shown);
    for (const part of without(shown, hidden)) {
      this.#memory.kernels.layBlurredPixels(
        addressIn(surface, part),
        surface.stride,
        part.width,
        part.height,
        plane.address,
        plane.pitch,
        plane.shift,
        part.x - plane.left,
        part.y - plane.top,
        mask === 0 ? 0 : mask + (part.y - shown.y) * shown.width + part.x - shown.x,
        mask === 0 ? 0 : shown.width,
        opacity,
        plane.row,
      );
    }
  }

  *#layLayer(surface: Surface, layer: Surface, compositing: Compositing): PaintSteps {
    const { opacity, mode, seen } = compositing;
    const shown = intersection(layer.area, seen);
    if (!shown) return;
    const { kernels } = this.#memory;
    const mask = yield* this.#coverage(compositing, shown);
    const pitch = mask === 0 ? 0 : shown.width;
    const { width, height } = shown;
    const [to, from] = [addressIn(surface, shown), addressIn(layer, shown)];
    if (mode === 0) {
      kernels.layPixels(to, surface.stride, from, layer.stride, width, height, mask, pitch, opacity);
    } else {
      kernels.blend(mode, to, surface.stride, from, layer.stride, 0, width, height, mask, pitch, opacity);
    }
  }

  #contentArea(ops: readonly PaintOp[], matrix: Matrix, within: Rect): Rect | null {
    return this.#areaOf(opsBounds(ops, this.#context.fonts), matrix, within);
  }

  /** Whole device px, plus one on each side for antialiased edges and snapped letters. */
  #areaOf(bounds: Rect | null, matrix: Matrix, within: Rect): Rect | null {
    return bounds && intersection(inflate(roundOut(transformRect(matrix, bounds)), 1), roundOut(within));
  }
}

/** The scale of a matrix, as the geometric mean of both directions. */
function evenScale([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c));
}

/** Whether a filter makes transparent pixels visible. */
function makesPaint(filter: Filter): boolean {
  return filter.kind === 'color-matrix' && (filter.values[19] ?? 0) > 0;
}

function recolor(memory: PaintMemory, { start, area }: Surface, values: readonly number[]): void {
  const mark = memory.mark();
  const columns = Array.from({ length: 5 }, (_, column) => [0, 5, 10, 15].map((row) => values[row + column] ?? 0));
  memory.kernels.recolor(start, area.width * area.height, memory.takeFloats(columns.flat()));
  memory.release(mark);
}

// Finds the single picture of which a group consists; such a group needs no layer.

/** The picture inside nested groups that only transform it, clip it at most once and set its opacity; else null. */
function lonePicture(
  group: GroupOp,
  matrix: Matrix,
): { op: ImageOp; matrix: Matrix; clip: DeviceClip | null; opacity: number } | null {
  let clip: DeviceClip | null = group.clip && { ...group.clip, matrix };
  let { opacity } = group;
  let toDevice = matrix;
  let inner = group.ops.length === 1 ? group.ops[0] : undefined;
  while (inner?.kind === 'group') {
    if (inner.filters.length > 0 || inner.blend !== 'normal' || inner.mask || inner.ops.length !== 1) return null;
    toDevice = multiply(toDevice, inner.transform);
    if (inner.clip && clip) return null;
    if (inner.clip) clip = { ...inner.clip, matrix: toDevice };
    opacity *= inner.opacity;
    inner = inner.ops[0];
  }
  return inner?.kind === 'image' ? { op: inner, matrix: toDevice, clip, opacity } : null;
}
