// A conic gradient in, a free-form Gouraud triangle mesh out (ISO 32000-1, 8.7.4.5.5): PDF has no sweep shading.
//
// A fan of narrow triangles about the centre, whose corners carry not colours but places along the gradient, as readers
// draw such meshes without seams. Triangles end where stops do, so a hard stop is a hard edge.

import { centreOf, type Rect } from '#core/geometry.ts';
import type { Brush } from '#core/paint/display-list.ts';
import type { PdfDocument } from './document.ts';
import { COLOR_SPACE, type Component, colorFunction, segments } from './gradient.ts';
import type { PdfReference } from './object.ts';

type Conic = Extract<Brush, { kind: 'conic' }>;

/** The widest triangle, as a part of the turn: 1.5°, where the chord is within 1/10,000 of the arc. */
const STEP = 1 / 240;
/** Flag, x, y, place along the gradient. */
const VERTEX_BYTES = 1 + 4 + 4 + 2;
const MAX_COORDINATE = 0xffffffff;
const MAX_PLACE = 0xffff;

/** @param area what the gradient has to cover, in the brush's coordinates */
export function conicShading(document: PdfDocument, brush: Conic, area: Rect, component: Component): PdfReference {
  const { centre } = brush;
  const radius = reach(brush, area);
  const wedges = fan(brush);
  const bytes = new Uint8Array(wedges.length * 3 * VERTEX_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;

  const coordinate = (offset: number) => Math.round(((offset / radius + 1) / 2) * MAX_COORDINATE);
  const vertex = (dx: number, dy: number, place: number) => {
    // The flag stays 0: each triangle is whole in itself, for neighbours differ at the centre.
    view.setUint32(at + 1, coordinate(dx));
    view.setUint32(at + 5, coordinate(dy));
    view.setUint16(at + 9, Math.round(place * MAX_PLACE));
    at += VERTEX_BYTES;
  };
  const rim = (turn: number) => {
    const angle = turn * 2 * Math.PI + (brush.angle * Math.PI) / 180;
    vertex(radius * Math.sin(angle), -radius * Math.cos(angle), turn);
  };
  for (const { from, to } of wedges) {
    vertex(0, 0, (from + to) / 2);
    rim(from);
    rim(to);
  }

  return document.object(
    {
      ShadingType: 4,
      ColorSpace: COLOR_SPACE[component],
      BitsPerCoordinate: 32,
      BitsPerComponent: 16,
      BitsPerFlag: 8,
      Decode: [centre.x - radius, centre.x + radius, centre.y - radius, centre.y + radius, 0, 1],
      Function: colorFunction(segments(brush.stops), component),
    },
    bytes,
  );
}

/** The turn from 0 to 1, cut at every stop and into triangles' worth between them. */
function fan(brush: Conic): readonly { readonly from: number; readonly to: number }[] {
  return segments(brush.stops).flatMap((segment) => {
    const from = Math.max(0, segment.from);
    const to = Math.min(1, segment.to);
    const count = Math.ceil((to - from) / STEP);
    const cut = (i: number) => from + ((to - from) * i) / count;
    return Array.from({ length: Math.max(0, count) }, (_, i) => ({ from: cut(i), to: cut(i + 1) }));
  });
}

/** How far the fan must go to cover `area`, its chords being nearer than its corners. */
function reach({ centre }: Conic, area: Rect): number {
  const middle = centreOf(area);
  const half = Math.hypot(area.width, area.height) / 2;
  const farthest = Math.hypot(middle.x - centre.x, middle.y - centre.y) + half;
  return Math.max(1, farthest / Math.cos(Math.PI * STEP));
}
