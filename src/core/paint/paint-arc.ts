// Places the clusters of a line of text around a circle.
//
// Each cluster is painted as on a straight line at the top (or bottom) of the circle, then rotated about the centre:
// letters keep their shapes, and a PDF its text.

import { type Matrix, type Point, rotation } from '../geometry.ts';
import type { TextArc } from '../resolve/scene.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import type { Line, LineRun } from '../text/paragraph.ts';
import type { Bend } from './bend-path.ts';
import type { PaintOp } from './display-list.ts';
import { keepBrushes } from './gradient.ts';
import { group } from './group.ts';

export interface Circle {
  readonly arc: TextArc;
  readonly centre: Point;
  /** The baseline of the paragraph's first line, px from the paragraph's top. */
  readonly firstBaseline: number;
  /** The part of a line's width that lies before `arc.angle`: 0 = it starts there, 0.5 = it is centred there. */
  readonly before: number;
}

/** The smallest radius, px: around a point, angles are infinite. */
const SMALLEST = 1e-6;

/** The bend of a straight line around the circle; null if the line's radius is not positive. */
export function bendOf(line: Line, { arc, centre, firstBaseline, before }: Circle): Bend | null {
  const outward = arc.side === 'outside' ? -1 : 1;
  const radius = arc.radius + outward * (line.baseline - firstBaseline);
  if (radius < SMALLEST) return null;
  const zero = line.box.x + before * line.box.width;
  const angleAt = (x: number) => (arc.angle * Math.PI) / 180 - (outward * (x - zero)) / radius;
  return { centre, radius, outward, baseline: line.baseline, angleAt };
}

/** @param paint draws a run with its origin at the given point */
export function paintOnArc(
  line: Line,
  bend: Bend,
  paint: (run: LineRun, origin: Point) => readonly PaintOp[],
): readonly PaintOp[] {
  return clustersOnArc(line, bend).flatMap(({ placed, turn, origin }) =>
    group({ transform: turn }, keepBrushes(paint(placed, origin), turn)),
  );
}

/** The clusters of a line, each with its origin at the top or bottom of the circle and its rotation from there. */
export function clustersOnArc(
  line: Line,
  { centre, radius, outward, angleAt }: Bend,
): readonly { readonly placed: LineRun; readonly turn: Matrix; readonly origin: Point }[] {
  return line.runs.flatMap((placed) =>
    clusterRuns(placed.run).map(({ run, x }) => {
      const turn = rotation((angleAt(placed.x + x + run.width / 2) * 180) / Math.PI, centre);
      const lift = line.baseline - placed.baseline;
      const origin = { x: centre.x - run.width / 2, y: centre.y + outward * radius - lift };
      return { placed: { ...placed, run }, turn, origin };
    }),
  );
}

/** A run cut into its HarfBuzz clusters, from left to right, each with its x in the run. */
function clusterRuns({ hangs: _, ...run }: GlyphRun): readonly { readonly run: GlyphRun; readonly x: number }[] {
  const starts = [...new Set(run.glyphs.map((glyph) => glyph.cluster))].sort((a, b) => a - b);
  const ends = new Map(starts.map((start, i) => [start, starts[i + 1] ?? run.text.length]));
  const pieces: { run: GlyphRun; x: number }[] = [];
  let pen = 0;
  for (let from = 0, to = 0; from < run.glyphs.length; from = to) {
    const cluster = run.glyphs[from]?.cluster ?? 0;
    while (run.glyphs[to]?.cluster === cluster) to++;
    const x = pen;
    const glyphs = run.glyphs.slice(from, to).map((glyph) => ({ ...glyph, cluster: 0, x: glyph.x - x }));
    const width = glyphs.reduce((sum, glyph) => sum + glyph.advance, 0);
    const text = run.text.slice(cluster, ends.get(cluster));
    pieces.push({ run: { ...run, text, glyphs, width }, x });
    pen += width;
  }
  return pieces;
}
