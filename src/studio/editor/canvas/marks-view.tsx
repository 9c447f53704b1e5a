// Draws the marks of a running gesture: snap lines, distances and gaps with their lengths, the marquee.

import type { Point } from '#core/geometry.ts';
import type { Distance } from './distances.ts';
import type { Marks } from './gesture.ts';
import type { Viewport } from './viewport.ts';

export function MarksView({
  marks,
  viewport,
  distances,
}: {
  marks: Marks;
  viewport: Viewport;
  distances: readonly Distance[];
}) {
  const zoom = viewport.zoom.value;
  const point = (axis: 'x' | 'y', along: number, across: number) =>
    viewport.toView(axis === 'x' ? { x: along, y: across } : { x: across, y: along });
  const measured = [...marks.distances, ...distances].map((one) => ({ ...one, length: one.to - one.from }));
  const gaps = marks.gaps.map((one) => ({ ...one, length: one.to - one.from }));
  return (
    <g>
      {marks.lines.map(({ axis, at: place, from, to }) => {
        const a = axis === 'x' ? viewport.toView({ x: place, y: from }) : viewport.toView({ x: from, y: place });
        const b = axis === 'x' ? viewport.toView({ x: place, y: to }) : viewport.toView({ x: to, y: place });
        return <EdgedLine key={`${axis}${place}`} className="snap-line" a={a} b={b} />;
      })}
      {[...measured, ...gaps].map(({ axis, from, to, at: place, length }) => {
        const a = point(axis, from, place);
        const b = point(axis, to, place);
        const text = String(Math.round(length * 100) / 100);
        const wide = text.length * 6.6 + 8;
        const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
        return (
          <g key={`${axis}${from}${to}${place}`} class="distance">
            <EdgedLine className="distance-line" a={a} b={b} />
            <rect x={middle.x - wide / 2} y={middle.y - 8} width={wide} height={16} rx={3} />
            <text x={middle.x} y={middle.y + 4}>
              {text}
            </text>
          </g>
        );
      })}
      {marks.marquee &&
        ['marquee-edge', 'marquee'].map((look) => (
          <rect
            key={look}
            class={look}
            {...viewport.toView(marks.marquee ?? { x: 0, y: 0 })}
            width={(marks.marquee?.width ?? 0) * zoom}
            height={(marks.marquee?.height ?? 0) * zoom}
          />
        ))}
    </g>
  );
}

/** A line with an edge that shows on every ground. */
function EdgedLine({ className, a, b }: { className: string; a: Point; b: Point }) {
  const ends = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
  return (
    <g>
      <line class="line-edge" {...ends} />
      <line class={className} {...ends} />
    </g>
  );
}
