// Writes brushes as SVG paint attributes and definitions.
//
// SVG has no conic gradient: it becomes a tile of thin wedges, drawn without antialiasing; the shape that is painted
// with the tile still has an antialiased edge.

import type { Color, GradientStop } from '../color.ts';
import { inflate, type Point, type Rect, roundOut } from '../geometry.ts';
import type { Brush } from '../paint/display-list.ts';
import type { Defs } from './defs.ts';
import { colorAttributes, factor, matrix, number } from './syntax.ts';

type Conic = Extract<Brush, { kind: 'conic' }>;

/**
 * Returns ` fill="…"` or ` stroke="…"`.
 *
 * @param bounds of the painted shape; called only if the brush needs it
 */
export function brushAttributes(name: 'fill' | 'stroke', brush: Brush, bounds: () => Rect | null, defs: Defs): string {
  if (brush.kind === 'solid') return colorAttributes(name, brush.color);
  if (brush.kind !== 'conic') {
    return ` ${name}="url(#${defs.add(JSON.stringify(brush), (id) => gradient(brush, id))})"`;
  }
  const area = bounds();
  if (!area) return ` ${name}="none"`;
  const key = JSON.stringify([brush, area]);
  return ` ${name}="url(#${defs.add(key, (id) => conicPattern(brush, area, id))})"`;
}

function gradient(brush: Exclude<Brush, { kind: 'solid' | 'conic' }>, id: string): string {
  if (brush.kind === 'linear') {
    const { from, to } = brush;
    const line = `x1="${number(from.x)}" y1="${number(from.y)}" x2="${number(to.x)}" y2="${number(to.y)}"`;
    return `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" ${line}>${stops(brush.stops)}</linearGradient>`;
  }
  const circle = `cx="0" cy="0" r="1" gradientTransform="${matrix(brush.transform)}"`;
  return `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" ${circle}>${stops(brush.stops)}</radialGradient>`;
}

function stops(list: readonly GradientStop[]): string {
  return list
    .map(({ offset, color }) => `<stop offset="${factor(offset)}"${colorAttributes('stop', color)}/>`)
    .join('');
}

function conicPattern(brush: Conic, bounds: Rect, id: string): string {
  const { area, apex, wedges } = conicTile(brush, bounds);
  const spelled = ({ x, y }: Point) => `${number(x)} ${number(y)}`;
  const paths = wedges.map(
    ({ from, to, color }) =>
      `<path d="M${spelled(apex)}L${spelled(from)}L${spelled(to)}Z"${colorAttributes('fill', color)}/>`,
  );
  const place = `x="${area.x}" y="${area.y}" width="${area.width}" height="${area.height}"`;
  return `<pattern id="${id}" patternUnits="userSpaceOnUse" ${place}><g shape-rendering="crispEdges">${paths.join('')}</g></pattern>`;
}

// Approximates a conic gradient over an area by a tile of thin wedges, each of one colour.
//
// Each wedge begins exactly where the one before it ends, so that drawn without antialiasing they neither overlap nor
// leave a seam.

interface ConicTile {
  /** Whole px. */
  readonly area: Rect;
  /** Where all wedges meet; may lie outside the tile. Relative to the tile's corner, like the wedges. */
  readonly apex: Point;
  /** Clockwise, once around; none is wider than an eighth of a turn. */
  readonly wedges: readonly Wedge[];
}

/** A triangle from the apex to two points beyond the tile. */
interface Wedge {
  readonly from: Point;
  readonly to: Point;
  readonly color: Color;
}

/** Rounds out to whole px plus one on each side, so that the tile's repetition is never sampled at an edge. */
function tileArea(bounds: Rect): Rect {
  return inflate(roundOut(bounds), 1);
}

/** @param bounds of the painted shape */
function conicTile({ centre, angle, stops }: Extract<Brush, { kind: 'conic' }>, bounds: Rect): ConicTile {
  const area = tileArea(bounds);
  const { x, y, width, height } = area;
  const dx = Math.max(Math.abs(x - centre.x), Math.abs(x + width - centre.x));
  const dy = Math.max(Math.abs(y - centre.y), Math.abs(y + height - centre.y));
  const radius = Math.hypot(dx, dy);
  // A wedge is a triangle: the middle of its far side must also lie outside the tile.
  const reach = radius / Math.cos(Math.PI * WIDEST_WEDGE);
  const apex = { x: centre.x - x, y: centre.y - y };
  const at = (turn: number) => {
    const radians = (angle / 180 + 2 * turn) * Math.PI;
    return { x: apex.x + reach * Math.sin(radians), y: apex.y - reach * Math.cos(radians) };
  };
  const wedges = shadesOf(stops, radius).map(({ from, to, color }) => ({ from: at(from), to: at(to), color }));
  return { area, apex, wedges };
}

/** An eighth of a turn. */
const WIDEST_WEDGE = 1 / 8;
/** The most device px per canvas px: a picture may be requested at three times its size. */
const LARGEST_SCALE = 3;

interface Shade {
  /** Turns from the gradient's angle, clockwise. */
  readonly from: number;
  readonly to: number;
  readonly color: Color;
}

function shadesOf(list: readonly GradientStop[], radius: number): readonly Shade[] {
  const shades: Shade[] = [];
  let from = 0;
  let start = list[0]?.color;
  for (const { offset, color } of [...list, { offset: 1, color: list.at(-1)?.color }]) {
    if (!start || !color) break;
    if (offset > from) {
      const turn = offset - from;
      const steps = Math.max(...(['r', 'g', 'b'] as const).map((c) => Math.abs(color[c] - (start?.[c] ?? 0))));
      const fades = Math.abs(color.a - start.a) * 255;
      const arc = 2 * Math.PI * radius * turn * LARGEST_SCALE;
      // One wedge per shade is as smooth as 8 bits allow; wedges thinner than a device px at the rim are useless.
      const count = Math.ceil(Math.max(Math.min(Math.max(steps, fades), arc), turn / WIDEST_WEDGE));
      for (let i = 0; i < count; i++) {
        const mixed = mix(start, color, count === 1 ? 0.5 : i / (count - 1));
        const end = i + 1 < count ? from + (turn * (i + 1)) / count : offset;
        shades.push({ from: from + (turn * i) / count, to: end, color: mixed });
      }
      from = offset;
    }
    start = color;
  }
  return shades;
}

function mix(a: Color, b: Color, t: number): Color {
  const between = (p: number, q: number) => p + (q - p) * t;
  return {
    r: Math.round(between(a.r, b.r)),
    g: Math.round(between(a.g, b.g)),
    b: Math.round(between(a.b, b.b)),
    a: between(a.a, b.a),
  };
}
