// Converts a paragraph's own coordinates, along and across its lines, to canvas coordinates.
//
// Vertical text is rotated a quarter turn clockwise, so the upper side of its lines is the right one (CSS Writing Modes
// 4, line-over), whichever side the next line is on.

import type { Matrix, Point, Rect, Size } from '../geometry.ts';
import type { TextNode } from '../resolve/scene.ts';

/** The canvas position of a paragraph's (0, 0), and whether its lines run down from there. */
export interface LineSpace {
  readonly origin: Point;
  readonly vertical: boolean;
}

type Mode = Pick<TextNode, 'writingMode'>;

export function isVertical({ writingMode }: Mode): boolean {
  return writingMode !== 'horizontal-tb';
}

/** @param content the paragraph's rectangle on the canvas */
export function lineSpace(mode: Mode, { x, y, width }: Rect): LineSpace {
  const vertical = isVertical(mode);
  return { origin: { x: vertical ? x + width : x, y }, vertical };
}

export function pointOnCanvas({ origin, vertical }: LineSpace, { x, y }: Point): Point {
  return vertical ? { x: origin.x - y, y: origin.y + x } : { x: origin.x + x, y: origin.y + y };
}

export function rectOnCanvas({ origin, vertical }: LineSpace, { x, y, width, height }: Rect): Rect {
  return vertical
    ? { x: origin.x - y - height, y: origin.y + x, width: height, height: width }
    : { x: origin.x + x, y: origin.y + y, width, height };
}

export function canvasMatrix({ origin, vertical }: LineSpace): Matrix {
  return vertical ? [0, 1, -1, 0, origin.x, origin.y] : [1, 0, 0, 1, origin.x, origin.y];
}

/** A canvas size as width along the lines and height across them. */
export function lineSize(mode: Mode, { width, height }: Size): Size {
  return isVertical(mode) ? { width: height, height: width } : { width, height };
}
