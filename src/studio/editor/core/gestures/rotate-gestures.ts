// Gestures that rotate layers about their centre and round the corners of a layer.

import { centreOf, type Point, transformPoint } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { texts } from '../../../texts/editor.ts';
import { type Patch, setLayer, setLayers } from '../document/edits.ts';
import { boundsOfAll, paddingBox, tidy, vectorIn } from '../geometry/geometry-of.ts';
import { DragGesture, type GestureContext, type Keys, NO_MARKS } from './gesture.ts';
import { type Corner, radiiOf } from './handle-zones.ts';

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
      const rotation = normal(box.box.node.rotation + turn);
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
    this.#radii = radiiOf(context.editor.layer(box.name)?.borderRadius);
  }

  move(point: Point, keys: Keys): void {
    const { rect, matrix, name } = this.#box;
    const local = vectorIn(matrix, { x: point.x - this.#from.x, y: point.y - this.#from.y });
    const [sx, sy] = CORNER_SIDES[this.#corner];
    const most = Math.min(rect.width, rect.height) / 2;
    const before = Math.min(this.#radii[this.#corner] ?? 0, most);
    const radius = Math.round(Math.min(most, Math.max(0, before + (local.x * sx + local.y * sy) / 2)));
    const one = this.#radii.map((value, i) => (i === this.#corner ? radius : value));
    const isOne = one.every((value) => value === radius);
    this.context.marks.value = { ...NO_MARKS, label: texts.value.canvas.radius(radius) };
    this.context.editor.drag(setLayer(name, { borderRadius: keys.alt && !isOne ? one : radius })(this.base));
  }
}
