// Pairs each box with the matrix from its own coordinates to the canvas, for hit tests and handles at any depth.

import { IDENTITY, invert, type Matrix, multiply, type Point, type Rect, transformPoint } from '../geometry.ts';
import type { FrameBox, LayoutBox } from './box.ts';
import { matrixOf } from './box-matrix.ts';

export interface LocatedBox {
  readonly name: string;
  readonly box: LayoutBox;
  /** The border box, before its own rotation and those of the frames around it. */
  readonly rect: Rect;
  /** From the coordinates of `rect` to the canvas: its own rotation, then those of the frames around it. */
  readonly matrix: Matrix;
  /** As `matrix`, without its own rotation: in these coordinates a drag moves `rect`. */
  readonly outer: Matrix;
  /** The frame that it is in; null on the canvas. */
  readonly parent: LocatedBox | null;
  /** 0 on the canvas. */
  readonly depth: number;
}

/** In painting order, frames before their children. */
export function locateBoxes(boxes: readonly LayoutBox[]): readonly LocatedBox[] {
  const located: LocatedBox[] = [];
  const visit = (box: LayoutBox, outer: Matrix, parent: LocatedBox | null) => {
    const { node, rect } = box;
    const own = matrixOf(box);
    const matrix = own ? multiply(outer, own) : outer;
    const here = { name: node.name, box, rect, matrix, outer, parent, depth: parent ? parent.depth + 1 : 0 };
    located.push(here);
    if (box.kind === 'frame') for (const child of box.children) visit(child, matrix, here);
  };
  for (const box of boxes) visit(box, IDENTITY, null);
  return located;
}

/**
 * The boxes under a point of the canvas, front to back.
 *
 * @param slack px around a box that count as part of it, for thin boxes
 */
export function boxesAt(located: readonly LocatedBox[], point: Point, slack = 0): readonly LocatedBox[] {
  return located.filter((each) => holds(each, point, slack) && !isCutOff(each, point)).reverse();
}

function holds({ matrix, rect }: LocatedBox, point: Point, slack: number): boolean {
  const inverse = invert(matrix);
  if (!inverse) return false;
  const { x, y } = transformPoint(inverse, point);
  return (
    x >= rect.x - slack && x <= rect.x + rect.width + slack && y >= rect.y - slack && y <= rect.y + rect.height + slack
  );
}

/** Whether a frame around it clips it at the point. */
function isCutOff({ parent }: LocatedBox, point: Point): boolean {
  for (let frame = parent; frame; frame = frame.parent) {
    if ((frame.box as FrameBox).node.clip && !holds(frame, point, 0)) return true;
  }
  return false;
}
