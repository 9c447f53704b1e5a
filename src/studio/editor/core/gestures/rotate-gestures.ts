// Gestures that rotate layers about their centre, round the corners of a layer, bend a text on an arc, and drag what an open
// panel has on the canvas.

import { centreOf, IDENTITY, invert, type Point, transformPoint } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { texts } from '../../../texts/editor.ts';
import { type Patch, setLayer, setLayers } from '../document/edits.ts';
import { boundsOfAll, flows, isMirrored, paddingBox, tidy, unmirrored, vectorIn } from '../geometry/geometry-of.ts';
import type { PanelHandles } from '../state/editor-state.ts';
import { DragGesture, type GestureContext, type Keys, NO_MARKS } from './gesture.ts';
import { type Corner, radiiOf, seenFrom } from './handle-zones.ts';

/** Rotation step in degrees while Shift is held. */
const STEP = 15;

export class RotateGesture extends DragGesture {
  readonly #boxes: readonly LocatedBox[];
  readonly #centre: Point;
  readonly #start: number;

  constructor(context: GestureContext, from: Point, boxes: readonly LocatedBox[]) {
    super(context);
    this.#boxes = boxes;
    const [only, ...others] = boxes;
    const around = boundsOfAll(boxes) ?? { ...from, width: 0, height: 0 };
    this.#centre = only && others.length === 0 ? transformPoint(only.outer, centreOf(only.rect)) : centreOf(around);
    this.#start = angleAbout(this.#centre, from);
  }

  move(point: Point, keys: Keys): void {
    let turn = angleAbout(this.#centre, point) - this.#start;
    const first = this.#boxes[0]?.box.node.rotation ?? 0;
    if (keys.shift) turn = Math.round((first + turn) / STEP) * STEP - first;
    else if (!keys.mod) turn = Math.round(first + turn) - first;
    const radians = (turn * Math.PI) / 180;
    const patches = new Map<string, Patch>();
    for (const box of this.#boxes) {
      const rotation = normal(box.box.node.rotation + (isMirrored(box.outer) ? -turn : turn));
      if (this.#boxes.length === 1) {
        patches.set(box.name, { rotation: rotation === 0 ? undefined : rotation });
        continue;
      }
      const centre = transformPoint(box.outer, centreOf(box.rect));
      const [dx, dy] = [centre.x - this.#centre.x, centre.y - this.#centre.y];
      const to = {
        x: this.#centre.x + dx * Math.cos(radians) - dy * Math.sin(radians),
        y: this.#centre.y + dx * Math.sin(radians) + dy * Math.cos(radians),
      };
      const by = vectorIn(box.outer, { x: to.x - centre.x, y: to.y - centre.y });
      const origin = paddingBox(box.parent);
      patches.set(box.name, {
        rotation: rotation === 0 ? undefined : rotation,
        x: tidy(box.rect.x + by.x - origin.x),
        y: tidy(box.rect.y + by.y - origin.y),
      });
    }
    this.context.marks.value = { ...NO_MARKS, label: `${normal(first + turn)}°` };
    this.context.editor.drag(setLayers(patches)(this.base));
  }
}

const angleAbout = (centre: Point, { x, y }: Point) => (Math.atan2(y - centre.y, x - centre.x) * 180) / Math.PI;

/** Normalises degrees to the range above −180 up to 180, in tenths. */
function normal(degrees: number): number {
  const turned = (((degrees + 180) % 360) + 360) % 360;
  return Math.round((turned === 0 ? 180 : turned - 180) * 10) / 10 + 0;
}

const CORNER_SIDES = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
] as const;

export class RadiusGesture extends DragGesture {
  readonly #box: LocatedBox;
  readonly #corner: Corner;
  readonly #from: Point;
  readonly #radii: readonly number[];

  constructor(context: GestureContext, from: Point, box: LocatedBox, corner: Corner) {
    super(context);
    this.#box = box;
    this.#corner = corner;
    this.#from = from;
    this.#radii = seenFrom(box, radiiOf(context.editor.layer(box.name)?.borderRadius));
  }

  move(point: Point, keys: Keys): void {
    const { rect, name } = this.#box;
    const local = vectorIn(unmirrored(this.#box), { x: point.x - this.#from.x, y: point.y - this.#from.y });
    const [sx, sy] = CORNER_SIDES[this.#corner];
    const most = Math.min(rect.width, rect.height) / 2;
    const before = Math.min(this.#radii[this.#corner] ?? 0, most);
    const radius = Math.round(Math.min(most, Math.max(0, before + (local.x * sx + local.y * sy) / 2)));
    const one = this.#radii.map((value, i) => (i === this.#corner ? radius : value));
    const isOne = one.every((value) => value === radius);
    this.context.marks.value = { ...NO_MARKS, label: texts.value.canvas.radius(radius) };
    this.context.editor.drag(
      setLayer(name, { borderRadius: keys.alt && !isOne ? seenFrom(this.#box, one) : radius })(this.base),
    );
  }
}

/** Bends the words of a text on an arc, by their distance from its middle, and turns them about it, 5° at a time. */
export class ArcGesture extends DragGesture {
  readonly #box: LocatedBox;
  readonly #from: Polar;

  constructor(context: GestureContext, from: Point, box: LocatedBox) {
    super(context);
    this.#box = box;
    this.#from = polarIn(box, from);
  }

  move(point: Point, keys: Keys): void {
    const { box, rect, parent, name } = this.#box;
    const layer = this.context.editor.layer(name);
    if (box.node.type !== 'text' || !box.node.arc || !layer) return;
    const { arc } = box.node;
    const to = polarIn(this.#box, point);
    const radius = Math.max(1, Math.round(arc.radius + to.distance - this.#from.distance));
    const step = keys.mod ? 1 : 5;
    const angle = normal(arc.angle + Math.round((to.angle - this.#from.angle) / step) * step);
    // A box that hugs the circle grows about its middle.
    const origin = paddingBox(parent);
    const grown = arc.radius - radius;
    const place = flows(this.#box)
      ? {}
      : {
          ...(typeof layer.width !== 'number' && { x: tidy(rect.x + grown - origin.x) }),
          ...(typeof layer.height !== 'number' && { y: tidy(rect.y + grown - origin.y) }),
        };
    const label = angle === arc.angle ? texts.value.canvas.radius(radius) : `${angle}°`;
    this.context.marks.value = { ...NO_MARKS, label };
    const textPath = { ...(layer.textPath as object), radius, angle };
    this.context.editor.drag(setLayer(name, { textPath, ...place })(this.base));
  }
}

/** Drags a handle of the open panel. */
export class PanelGesture extends DragGesture {
  readonly #change: ReturnType<PanelHandles['drag']>;

  constructor(context: GestureContext, of: PanelHandles, handle: number) {
    super(context);
    this.#change = of.drag(handle, this.base);
  }

  move(point: Point, keys: Keys): void {
    const { document, label } = this.#change(point, keys);
    this.context.marks.value = { ...NO_MARKS, label };
    this.context.editor.drag(document);
  }
}

/** A point by its distance from the middle of a box, px, and its angle about it, degrees. */
interface Polar {
  readonly distance: number;
  readonly angle: number;
}

function polarIn({ rect, matrix }: LocatedBox, point: Point): Polar {
  const centre = centreOf(rect);
  const at = transformPoint(invert(matrix) ?? IDENTITY, point);
  return { distance: Math.hypot(at.x - centre.x, at.y - centre.y), angle: angleAbout(centre, at) };
}
