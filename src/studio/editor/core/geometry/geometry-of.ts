// Geometry of located layers, and the conversion of canvas positions to a layer's x and y.

import {
  centreOf,
  IDENTITY,
  invert,
  type Matrix,
  multiply,
  type Point,
  type Rect,
  rotation,
  transformPoint,
  transformRect,
  union,
} from '#core/geometry.ts';
import { paddingBoxOf } from '#core/layout/border-box.ts';
import type { FrameBox } from '#core/layout/box.ts';
import { boxesAt, type LocatedBox } from '#core/layout/located-boxes.ts';
import { layersByName } from '../document/document.ts';
import type { Picture } from '../scene/compositor.ts';

/** The axis-aligned bounds of a possibly rotated box, canvas px. */
export const boundsOf = ({ matrix, rect }: LocatedBox): Rect => transformRect(matrix, rect);

/** The bounds of all boxes; null for an empty list. */
export const boundsOfAll = (boxes: readonly LocatedBox[]): Rect | null =>
  boxes.reduce<Rect | null>((around, box) => union(around, boundsOf(box)), null);

/** Converts a movement on the canvas into the local coordinates of `matrix`. */
export function vectorIn(matrix: Matrix, { x, y }: Point): Point {
  const inverse = invert(matrix) ?? IDENTITY;
  const origin = transformPoint(inverse, { x: 0, y: 0 });
  const end = transformPoint(inverse, { x, y });
  return { x: end.x - origin.x, y: end.y - origin.y };
}

/** The origin of the x and y of a frame's children, in the frame's own coordinates. */
export function paddingBox(frame: LocatedBox | null): Point {
  if (!frame) return { x: 0, y: 0 };
  const { node } = frame.box as FrameBox;
  return paddingBoxOf(node, frame.rect);
}

/** Whether the parent's layout places the layer. */
export function flows({ parent, box }: LocatedBox): boolean {
  return parent !== null && (parent.box as FrameBox).node.layout !== null && !box.node.placement.absolute;
}

/** The rotation of a matrix in degrees. */
const angleOf = ([a, b]: Matrix): number => (Math.atan2(b, a) * 180) / Math.PI;

/** Rounds to hundredths, the precision that a drag writes into the document. */
export const tidy = (value: number): number => Math.round(value * 100) / 100 + 0;

/** As its matrix, without its own mirroring: there its handles are, which keep their sides. */
export const unmirrored = ({ box: { node }, rect, outer, matrix }: LocatedBox): Matrix =>
  node.flip ? multiply(outer, rotation(node.rotation, centreOf(rect))) : matrix;

/** Whether what it shows is seen from behind. */
export const isMirrored = ([a, b, c, d]: Matrix): boolean => a * d - b * c < 0;

type Flip = NonNullable<LocatedBox['box']['node']['flip']>;
const FLIPS = { none: ['x', 'y'], x: [undefined, 'xy'], y: ['xy', undefined], xy: ['y', 'x'] } as const;

/** What a layer is mirrored by once it is mirrored across an axis too. */
export const flipped = (flip: Flip | undefined, axis: 'x' | 'y'): Flip | undefined =>
  FLIPS[flip ?? 'none'][axis === 'x' ? 0 : 1];

/** The place, rotation and mirroring that keep a box in place on the canvas when it moves into another frame. */
export function placeIn(frame: LocatedBox | null, box: LocatedBox) {
  const { rotation: turned, flip } = box.box.node;
  const outer = frame?.matrix ?? IDENTITY;
  const centre = transformPoint(box.outer, centreOf(box.rect));
  const inner = transformPoint(invert(outer) ?? IDENTITY, centre);
  const origin = paddingBox(frame);
  const into = multiply(invert(outer) ?? IDENTITY, box.outer);
  const [a, b, c, d, e, f] = into;
  const turn = isMirrored(into) ? angleOf([-a, -b, c, d, e, f]) - 2 * turned : angleOf(into);
  return {
    x: tidy(inner.x - box.rect.width / 2 - origin.x),
    y: tidy(inner.y - box.rect.height / 2 - origin.y),
    ...(Math.abs(turn) > 0.001 && { rotation: tidy(turned + turn) }),
    ...(isMirrored(into) && { flip: flipped(flip, 'x') }),
  };
}

/** The front frame at a point that is not in `without` and not inside a frame of it. */
export function frameAt(picture: Picture, point: Point, without: ReadonlySet<string>): LocatedBox | null {
  const isWithout = (box: LocatedBox | null): boolean =>
    box !== null && (without.has(box.name) || isWithout(box.parent));
  // The rows of a table are frames that hold no layers.
  const layers = layersByName(picture.document);
  const takesLayers = ({ name, box }: LocatedBox) => box.kind === 'frame' && layers.get(name)?.layer.type !== 'table';
  return boxesAt(picture.boxes, point).find((box) => takesLayers(box) && !isWithout(box)) ?? null;
}

/**
 * Finds where a dragged layer would be inserted into a frame's flow.
 *
 * @returns the name of the child, not in `moved`, before which it would go; null = at the end
 */
export function flowTarget(
  picture: Picture,
  frame: LocatedBox,
  point: Point,
  moved: ReadonlySet<string>,
): string | null {
  const { layout, direction } = (frame.box as FrameBox).node;
  const at = transformPoint(invert(frame.matrix) ?? IDENTITY, point);
  const isRow = layout?.type === 'grid' || (layout?.type === 'flex' && layout.direction.startsWith('row'));
  const isReverse = layout?.type === 'flex' && layout.direction.endsWith('reverse');
  const turned = isReverse !== (Boolean(isRow) && direction === 'rtl');
  for (const child of (frame.box as FrameBox).children) {
    const { name, placement } = child.node;
    if (moved.has(name) || placement.absolute || !picture.byName.has(name)) continue;
    const { rect } = child;
    const centre = centreOf(rect);
    const [line, start, end, along, middle] = isRow
      ? [at.y, rect.y, rect.y + rect.height, at.x, centre.x]
      : [at.x, rect.x, rect.x + rect.width, at.y, centre.y];
    const isAbove = isRow && line < start;
    const isIn = isRow ? line <= end : true;
    if (isAbove || (isIn && (turned ? along > middle : along < middle))) return name;
  }
  return null;
}
