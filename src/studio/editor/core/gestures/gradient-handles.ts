// Handles on the canvas for the gradient whose panel is open: its direction, its centre and size, and each colour stop.

import { stopOffsets } from '#core/color.ts';
import { IDENTITY, invert, type Matrix, type Point, type Rect, transformPoint } from '#core/geometry.ts';
import { paddingBoxOf } from '#core/layout/border-box.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { brushFor } from '#core/paint/gradient.ts';
import type { RawDocument } from '../document/document.ts';
import { setDocument, setLayer } from '../document/edits.ts';
import { brandOf, resolved, withTextStyle } from '../state/brand-names.ts';
import type { EditorState, PanelHandles } from '../state/editor-state.ts';
import { CATCH, type Keys } from './gesture.ts';

export interface Stop {
  readonly color: string;
  readonly offset?: number;
}
export interface WrittenGradient {
  readonly type: 'linear' | 'radial' | 'conic';
  readonly angle?: number;
  readonly shape?: 'ellipse' | 'circle';
  readonly center?: { readonly x: number; readonly y: number };
  readonly radius?: number | null;
  readonly stops: readonly Stop[];
}

/** View px: how far beside the line the stops are, so that they are not on its ends. */
const BESIDE = 14;
/** Rotation step in degrees while Shift is held. */
const STEP = 15;
/** Lines that are drawn for a circle. */
const SIDES = 48;

const hundredths = (value: number) => Math.round(value * 100) / 100 + 0;
const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
const isGradient = (value: unknown): value is WrittenGradient => typeof value === 'object' && value !== null;

/** Stops of which one is moved; all have their places then. */
export function withStopAt(stops: readonly Stop[], index: number, to: number): readonly Stop[] {
  const offsets = stopOffsets(stops).with(index, hundredths(within(to, 0, 1)));
  return stops.map((stop, i) => ({ ...stop, offset: offsets[i] ?? 0 }));
}

/** What the gradient of a layer's property covers, in the layer's coordinates; null = that is not its box. */
function coveredBy({ box, rect }: LocatedBox, property: string): Rect | null {
  const { node } = box;
  if (box.kind === 'code') return property === 'color' ? box.area : rect;
  if (box.kind === 'frame') return property === 'background' && !box.node.tiles ? paddingBoxOf(box.node, rect) : null;
  const paints = node.type === 'shape' ? ['fill', 'stroke'] : node.type === 'text' ? ['color', 'stroke'] : [];
  return paints.includes(property) ? rect : null;
}

/** The handles of the gradient that a property of the selected layer is, or of the canvas if there is none. */
export function gradientHandles(editor: EditorState, property: string): (zoom: number) => PanelHandles | null {
  return (zoom) => {
    const [layer, ...others] = editor.selectedLayers.value;
    const [box] = editor.selectedBoxes.value;
    const document = editor.document.value;
    const brand = brandOf(editor);
    const value = resolved((layer ? withTextStyle(layer, brand) : document)[property], brand?.colors);
    if (!isGradient(value) || others.length > 0 || editor.isEditing.value) return null;
    if (layer ? editor.isLocked(layer.name) : document.page) return null;
    const canvas = { x: 0, y: 0, width: document.width, height: document.height };
    const rect = layer ? box && coveredBy(box, property) : canvas;
    if (!rect) return null;
    const write = (base: RawDocument, next: WrittenGradient) =>
      (layer ? setLayer(layer.name, { [property]: next }) : setDocument({ [property]: next }))(base);
    return handlesOver(value, rect, (layer && box?.matrix) ?? IDENTITY, zoom, write);
  };
}

function handlesOver(
  gradient: WrittenGradient,
  rect: Rect,
  matrix: Matrix,
  zoom: number,
  write: (base: RawDocument, next: WrittenGradient) => RawDocument,
): PanelHandles | null {
  const { type, stops } = gradient;
  const shared = { stops: [], center: { x: 0.5, y: 0.5, ...gradient.center } };
  const shape = gradient.shape ?? 'ellipse';
  const angle = gradient.angle ?? (type === 'linear' ? 180 : 0);
  const brush = brushFor({ ...shared, kind: type, angle, shape, radius: gradient.radius ?? null }, rect);
  const centre = { x: rect.x + shared.center.x * rect.width, y: rect.y + shared.center.y * rect.height };
  const round = Math.min(rect.width, rect.height) * 0.4;
  const onCanvas = (point: Point) => transformPoint(matrix, point);
  const around = (turn: number, rx: number, ry: number): Point => ({
    x: centre.x + rx * Math.sin(turn * 2 * Math.PI),
    y: centre.y - ry * Math.cos(turn * 2 * Math.PI),
  });
  const circle = (rx: number, ry: number) => Array.from({ length: SIDES + 1 }, (_, i) => around(i / SIDES, rx, ry));
  const [rx, ry] = brush.kind === 'radial' ? [brush.transform[0], brush.transform[3]] : [round, round];
  const start = brush.kind === 'linear' ? brush.from : type === 'conic' ? around(angle / 360, rx, ry) : centre;
  const end = brush.kind === 'linear' ? brush.to : type === 'radial' ? { x: centre.x + rx, y: centre.y } : centre;
  const [from, to] = [onCanvas(start), onCanvas(end)];
  const offsets = stopOffsets(stops);
  const beside = (offset: number): Point => {
    const on = type === 'conic' ? onCanvas(around(angle / 360 + offset, rx, ry)) : mixed(from, to, offset);
    const middle = onCanvas(centre);
    // Outside of the circle, or at the right of the line.
    const [x, y] = type === 'conic' ? [on.x - middle.x, on.y - middle.y] : [from.y - to.y, to.x - from.x];
    const by = BESIDE / zoom / (Math.hypot(x, y) || 1);
    return { x: on.x + x * by, y: on.y + y * by };
  };
  const inside = (point: Point) => transformPoint(invert(matrix) ?? IDENTITY, point);

  const turned = (to: Point, { shift, mod }: Keys, half: number) => {
    const { x, y } = inside(to);
    const degrees = (Math.atan2(x - centre.x, centre.y - y) * 180) / Math.PI + half;
    const step = shift ? STEP : mod ? 0.1 : 1;
    const next = (Math.round((Math.round(degrees / step) * step + 720) * 10) / 10) % 360;
    return { next: { ...gradient, angle: next }, label: `${next}°` };
  };
  const centred = (to: Point, { mod }: Keys) => {
    const point = inside(to);
    const [x = 0, y = 0] = (['x', 'y'] as const).map((axis) => {
      const side = axis === 'x' ? rect.width : rect.height;
      const share = within((point[axis] - rect[axis]) / (side || 1), -2, 3);
      const caught = [0, 0.5, 1].find((line) => Math.abs(line - share) * side * zoom <= CATCH);
      return hundredths(mod ? share : (caught ?? share));
    });
    return { next: { ...gradient, center: { x, y } }, label: `${Math.round(x * 100)} %, ${Math.round(y * 100)} %` };
  };
  const sized = (to: Point) => {
    const point = inside(to);
    const longer = Math.max(rect.width, rect.height);
    const [width, height] = shape === 'circle' ? [longer, longer] : [rect.width, rect.height];
    const reach = Math.hypot((point.x - centre.x) / (width || 1), (point.y - centre.y) / (height || 1));
    const radius = hundredths(within(reach * 2, 0, 10));
    return { next: { ...gradient, radius }, label: `${Math.round(radius * 100)} %` };
  };
  const stopped = (to: Point, index: number) => {
    const point = inside(to);
    const [x, y] = [end.x - start.x, end.y - start.y];
    const along = ((point.x - start.x) * x + (point.y - start.y) * y) / (x * x + y * y || 1);
    const turn = Math.atan2(point.x - centre.x, centre.y - point.y) / (2 * Math.PI) - angle / 360;
    // From the last stop on the way leads over the end, not back to the beginning.
    const near = turn - Math.round(turn - (offsets[index] ?? 0));
    const next = withStopAt(stops, index, type === 'conic' ? near : along);
    return { next: { ...gradient, stops: next }, label: `${Math.round((next[index]?.offset ?? 0) * 100)} %` };
  };
  const turning = { at: from, change: (to: Point, keys: Keys) => turned(to, keys, type === 'linear' ? 180 : 0) };
  const ends: readonly { readonly at: Point; readonly change: Change }[] =
    type === 'linear'
      ? [turning, { at: to, change: (to, keys) => turned(to, keys, 0) }]
      : [{ at: onCanvas(centre), change: centred }, type === 'radial' ? { at: to, change: sized } : turning];
  const handles = [
    ...ends.map((one) => ({ ...one, color: null })),
    ...stops.map(({ color }, i) => ({ at: beside(offsets[i] ?? 0), color, change: (to: Point) => stopped(to, i) })),
  ];
  return {
    lines: [[from, to], ...(type === 'linear' ? [] : [circle(rx, ry).map(onCanvas)])],
    handles,
    drag: (index, base) => (to, keys) => {
      const { next, label } = handles[index]?.change(to, keys) ?? { next: gradient, label: '' };
      return { document: write(base, next), label };
    },
  };
}

type Change = (to: Point, keys: Keys) => { readonly next: WrittenGradient; readonly label: string };

const mixed = (a: Point, b: Point, share: number): Point => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});
