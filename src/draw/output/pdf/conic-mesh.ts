// Writes a conic gradient as a free-form Gouraud triangle mesh (ISO 32000-1, 8.7.4.5.5), because PDF has no sweep
// shading.
//
// The mesh is a fan of narrow triangles around the centre. Their vertices carry positions along the gradient rather
// than colours, because readers draw such meshes without seams. Triangle boundaries coincide with stops, so a hard stop
// is a hard edge.

import { centreOf, type Rect } from '#core/geometry.ts';
import type { Brush } from '#core/paint/display-list.ts';
import type { PdfDocument } from './document.ts';
import { COLOR_SPACE, type Component, colorFunction, segments } from './gradient.ts';
import type { PdfReference } from './object.ts';

type Conic = Extract<Brush, { kind: 'conic' }>;

/** The widest triangle, as a fraction of a turn: 1.5°, where the chord is within 1/10,000 of the arc. */
const STEP = 1 / 240;
/** Flag, x, y, position along the gradient. */
const VERTEX_BYTES = 1 + 4 + 4 + 2;
const MAX_COORDINATE = 0xffffffff;
const MAX_PLACE = 0xffff;

/** @param area the area to cover, in the brush's coordinates */
export function conicShading(document: PdfDocument, brush: Conic, area: Rect, component: Component): PdfReference {
  const { centre } = brush;
  const radius = reach(brush, area);
  const wedges = fan(brush);
  const bytes = new Uint8Array(wedges.length * 3 * VERTEX_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;

  const coordinate = (offset: number) => Math.round(((offset / radius + 1) / 2) * MAX_COORDINATE);
  const vertex = (dx: number, dy: number, place: number) => {
    // The flag stays 0: triangles share no vertices, because adjacent ones have different colours at the centre.
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

/** Divides the turn from 0 to 1 at every stop, and between stops into triangles of at most STEP. */
function fan(brush: Conic): readonly { readonly from: number; readonly to: number }[] {
  return segments(brush.stops).flatMap((segment) => {
    const from = Math.max(0, segment.from);
    const to = Math.min(1, segment.to);
    const count = Math.ceil((to - from) / STEP);
    const cut = (i: number) => from + ((to - from) * i) / count;
    return Array.from({ length: Math.max(0, count) }, (_, i) => ({ from: cut(i), to: cut(i + 1) }));
  });
}

/**
 * The fan's radius that covers `area`. The chords are nearer to the centre than the vertices, so it is enlarged
 * accordingly.
 */
function reach({ centre }: Conic, area: Rect): number {
  const middle = centreOf(area);
  const half = Math.hypot(area.width, area.height) / 2;
  const farthest = Math.hypot(middle.x - centre.x, middle.y - centre.y) + half;
  return Math.max(1, farthest / Math.cos(Math.PI * STEP));
}
