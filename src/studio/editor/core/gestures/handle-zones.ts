// Tells what a press on or around the selection takes hold of: a handle, a corner's radius, or the zone that rotates.
//
// The zones lie outside the selection, but for the radius handles of a large one and the ends of a line: a press inside
// a layer moves it.

import {
  centreOf,
  IDENTITY,
  invert,
  type Matrix,
  type Point,
  type Rect,
  type Size,
  transformPoint,
} from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { isPage } from '../document/hand-pages.ts';
import { boundsOfAll, unmirrored } from '../geometry/geometry-of.ts';
import type { EditorState, PanelHandles } from '../state/editor-state.ts';

/** In CSS's order: top left, top right, bottom right, bottom left. */
export type Corner = 0 | 1 | 2 | 3;
/** −1 = left or top, 1 = right or bottom, 0 = the middle. */
export interface Handle {
  readonly x: -1 | 0 | 1;
  readonly y: -1 | 0 | 1;
}

export type Zone =
  | { readonly kind: 'resize'; readonly handle: Handle }
  | { readonly kind: 'rotate' }
  | { readonly kind: 'radius'; readonly corner: Corner }
  | { readonly kind: 'arc' }
  | { readonly kind: 'panel'; readonly of: PanelHandles; readonly handle: number };

/** What is selected, as the zones see it. */
export interface HandleBox {
  readonly rect: Rect;
  /** From the coordinates of `rect` to the canvas. */
  readonly matrix: Matrix;
  /** View px per canvas px. */
  readonly zoom: number;
  /** The corner radii that can be dragged, canvas px; null = none. */
  readonly radii: readonly number[] | null;
  /** Of a text on an arc; null = it is none. */
  readonly arc: ArcHandle | null;
}

/** The circle of a text, and the point of it that `align` has its place at, canvas px. */
export interface ArcHandle {
  readonly centre: Point;
  readonly radius: number;
  readonly at: Point;
}

/** View px: the side of a drawn handle, and how far outside of the selection its zones reach. */
export const HANDLE_SIZE = 8;
const [CORNER_REACH, SIDE_REACH, ROTATE_REACH] = [HANDLE_SIZE, 5, 22];
/** View px: a side that is shorter has no zone of its own beside its corners. */
const LEAST_SIDE = 30;
/** View px: a radius handle's zone, its least distance from the corner, and the size from which on there are any. */
const [RADIUS_REACH, RADIUS_INSET, RADIUS_FROM] = [6, 14, 72];

/** Transforms leave rounding errors; less than a millionth of a pixel beyond an edge is on it. */
const CRUMB = 1e-6;

const INWARD = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
] as const;

/** The selection with its handles; null where nothing can be dragged by them. */
export function handleBoxOf(editor: EditorState, zoom: number): HandleBox | null {
  const boxes = editor.selectedBoxes.value;
  const [only, ...others] = boxes;
  if (!only || editor.isEditing.value || boxes.every(({ name }) => editor.isLocked(name))) return null;
  // The size of a page is that of the document.
  if (boxes.some(({ name }) => isPage(editor.layer(name)))) return null;
  const rect = others.length === 0 ? only.rect : boundsOfAll(boxes);
  if (!rect) return null;
  if (others.length > 0) return { rect, matrix: IDENTITY, zoom, radii: null, arc: null };
  return {
    rect,
    matrix: unmirrored(only),
    zoom,
    // The open panel's own would be among them.
    radii:
      !editor.panelHandles.value && hasRadius(only) && editor.layer(only.name)?.type !== 'table'
        ? seenFrom(only, radiiOf(editor.layer(only.name)?.borderRadius))
        : null,
    arc: arcHandle(only),
  };
}

function arcHandle({ box: { node }, rect, matrix }: LocatedBox): ArcHandle | null {
  if (node.type !== 'text' || !node.arc) return null;
  const { radius, angle, side } = node.arc;
  const middle = centreOf(rect);
  const outward = side === 'outside' ? -radius : radius;
  const turn = (angle * Math.PI) / 180;
  const at = { x: middle.x - outward * Math.sin(turn), y: middle.y + outward * Math.cos(turn) };
  return { centre: transformPoint(matrix, middle), radius, at: transformPoint(matrix, at) };
}

/** Whether the layer has corners that can be rounded. */
function hasRadius({ box: { node } }: LocatedBox): boolean {
  if (node.type === 'shape') return node.outline.kind === 'rect';
  return node.type === 'frame' || node.type === 'image';
}

/** The radius of each corner. */
export function radiiOf(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value.map(Number);
  const all = typeof value === 'number' ? value : 0;
  return [all, all, all, all];
}

/** The radii of a layer in the order in which they are seen where it is mirrored, and back. */
export function seenFrom({ box: { node } }: LocatedBox, radii: readonly number[]): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = radii;
  return node.flip === 'x' ? [b, a, d, c] : node.flip === 'y' ? [d, c, b, a] : node.flip ? [c, d, a, b] : radii;
}

const viewSize = ({ rect, zoom }: HandleBox): Size => ({ width: rect.width * zoom, height: rect.height * zoom });

/** Where the radius handles are, in the coordinates of `rect`; none of a small selection. */
export function radiusHandles(box: HandleBox): readonly Point[] {
  const { rect, zoom, radii } = box;
  const { width, height } = viewSize(box);
  if (!radii || width <= RADIUS_FROM || height <= RADIUS_FROM) return [];
  const most = Math.min(rect.width, rect.height) / 2;
  return INWARD.map(([sx, sy], corner) => {
    const inward = Math.min(most, Math.max(RADIUS_INSET / zoom, radii[corner] ?? 0));
    return {
      x: rect.x + (sx > 0 ? 0 : rect.width) + sx * inward,
      y: rect.y + (sy > 0 ? 0 : rect.height) + sy * inward,
    };
  });
}

/** The zone at a point of the canvas; null where a press is on what lies there. */
export function zoneAt(box: HandleBox, point: Point): Zone | null {
  const inverse = invert(box.matrix);
  if (!inverse) return null;
  const { rect, zoom, arc } = box;
  if (arc && Math.hypot(arc.at.x - point.x, arc.at.y - point.y) * zoom <= RADIUS_REACH) return { kind: 'arc' };
  const local = transformPoint(inverse, point);
  const radius = radiusHandles(box).findIndex(
    (handle) => Math.hypot(handle.x - local.x, handle.y - local.y) * zoom <= RADIUS_REACH,
  );
  if (radius >= 0) return { kind: 'radius', corner: radius as Corner };

  const { width, height } = viewSize(box);
  const x = alongAxis((local.x - rect.x) * zoom, width);
  const y = alongAxis((local.y - rect.y) * zoom, height);
  const isOutside = x.beyond > CRUMB || y.beyond > CRUMB;
  const isThick = Math.min(width, height) >= HANDLE_SIZE - CRUMB;
  if (!isOutside && isThick) return null;

  const nearest = Math.max(x.toEnd, y.toEnd);
  // A line is pressed on itself, also at its ends; most of a short one still moves it.
  const reach = isOutside ? CORNER_REACH : Math.min(CORNER_REACH, Math.max(width, height) / 4);
  if (nearest <= reach) return { kind: 'resize', handle: { x: x.end, y: y.end } };
  // Of a line or a thin layer the long sides are the layer itself.
  if (isThick && x.beyond <= CRUMB && width >= LEAST_SIDE && y.beyond <= SIDE_REACH) {
    return { kind: 'resize', handle: { x: 0, y: y.end } };
  }
  if (isThick && y.beyond <= CRUMB && height >= LEAST_SIDE && x.beyond <= SIDE_REACH) {
    return { kind: 'resize', handle: { x: x.end, y: 0 } };
  }
  const turnReach = Math.min(ROTATE_REACH, CORNER_REACH + Math.min(width, height) / 2);
  return isOutside && Math.hypot(x.toEnd, y.toEnd) <= turnReach ? { kind: 'rotate' } : null;
}

/** The handle of the open panel nearest to a point of the canvas; it lies on whatever is there. A finger is less exact. */
export function panelZoneAt(of: PanelHandles | null, { x, y }: Point, zoom: number, isTouch: boolean): Zone | null {
  const distances = of?.handles.map(({ at }) => Math.hypot(at.x - x, at.y - y) * zoom) ?? [];
  const nearest = Math.min(...distances);
  if (!of || nearest > (RADIUS_REACH + 1) * (isTouch ? 3 : 1)) return null;
  return { kind: 'panel', of, handle: distances.lastIndexOf(nearest) };
}

/** Where a coordinate is along an axis of the selection from 0 to `length`, view px. */
function alongAxis(at: number, length: number) {
  const isFirst = at < length / 2;
  const end = isFirst ? (-1 as const) : (1 as const);
  /** How far beyond the nearer end; negative inside. */
  const beyond = isFirst ? -at : at - length;
  return { end, beyond, toEnd: Math.abs(beyond) };
}

/** Cursors for directions in steps of 45°, clockwise from the right. */
const CURSORS = ['ew-resize', 'nwse-resize', 'ns-resize', 'nesw-resize'] as const;

/** A bent arrow with two heads; browsers have none. */
const ROTATE = `url("data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="M5 15a9 9 0 0 1 14 0M4 10l.6 5.4 5.2-1M20 10l-.6 5.4-5.2-1" stroke="#fff" stroke-width="4.5"/><path d="M5 15a9 9 0 0 1 14 0M4 10l.6 5.4 5.2-1M20 10l-.6 5.4-5.2-1" stroke="#000" stroke-width="2"/></svg>',
)}") 12 12, alias`;

export function cursorOf(zone: Zone, { matrix }: HandleBox): string {
  if (zone.kind === 'rotate') return ROTATE;
  if (zone.kind !== 'resize') return 'pointer';
  const turn = Math.atan2(matrix[1], matrix[0]);
  const step = Math.round((Math.atan2(zone.handle.y, zone.handle.x) + turn) / (Math.PI / 4));
  return CURSORS[((step % 4) + 4) % 4] ?? 'move';
}
