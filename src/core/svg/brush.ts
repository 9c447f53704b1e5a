// Brushes in, the attributes and definitions that paint with them out.
//
// SVG has no conic gradient: it becomes a tile of thin wedges, each of one colour, drawn without antialiasing so that
// neighbours neither overlap nor leave a seam; whoever paints with the tile smooths its own edge.

import type { Color, GradientStop } from '../color.ts';
import type { Rect } from '../geometry.ts';
import type { Brush } from '../paint/display-list.ts';
import type { Defs } from './defs.ts';
import { colorAttributes, factor, matrix, number } from './syntax.ts';

type Conic = Extract<Brush, { kind: 'conic' }>;

/**
 * ` fill="…"` or ` stroke="…"`.
 *
 * @param bounds of what will be painted; asked for only where a brush needs it
 */
export function brushAttributes(name: 'fill' | 'stroke', brush: Brush, bounds: () => Rect | null, defs: Defs): string {
  if (brush.kind === 'solid') return colorAttributes(name, brush.color);
  if (brush.kind !== 'conic') {
    return ` ${name}="url(#${defs.add(JSON.stringify(brush), (id) => gradient(brush, id))})"`;
  }
  const area = bounds();
  if (!area) return ` ${name}="none"`;
  const key = JSON.stringify([brush, area]);
  return ` ${name}="url(#${defs.add(key, (id) => conicTile(brush, area, id))})"`;
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

function conicTile({ centre, angle, stops: list }: Conic, bounds: Rect, id: string): string {
  // Whole px, and one more on each side, so that the tile's repetition is never sampled at an edge.
  const x = Math.floor(bounds.x) - 1;
  const y = Math.floor(bounds.y) - 1;
  const width = Math.ceil(bounds.x + bounds.width) + 1 - x;
  const height = Math.ceil(bounds.y + bounds.height) + 1 - y;
  const dx = Math.max(Math.abs(x - centre.x), Math.abs(x + width - centre.x));
  const dy = Math.max(Math.abs(y - centre.y), Math.abs(y + height - centre.y));
  const radius = Math.hypot(dx, dy);
  // A wedge is a triangle: its far side must still lie outside the tile in its middle.
  const reach = radius / Math.cos(Math.PI * WIDEST_WEDGE);
  // The content of a tile counts from the tile's own corner.
  const apex = `M${number(centre.x - x)} ${number(centre.y - y)}L`;
  const at = (turn: number) => {
    const radians = (angle / 180 + 2 * turn) * Math.PI;
    return `${number(centre.x - x + reach * Math.sin(radians))} ${number(centre.y - y - reach * Math.cos(radians))}`;
  };
  const wedges = wedgesOf(list, radius).map(
    ({ from, to, color }) => `<path d="${apex}${at(from)}L${at(to)}Z"${colorAttributes('fill', color)}/>`,
  );
  const area = `x="${x}" y="${y}" width="${width}" height="${height}"`;
  return `<pattern id="${id}" patternUnits="userSpaceOnUse" ${area}><g shape-rendering="crispEdges">${wedges.join('')}</g></pattern>`;
}

/** An eighth of a turn. */
const WIDEST_WEDGE = 1 / 8;
/** Device px per canvas px, at the most: a picture may be asked for at three times its size. */
const LARGEST_SCALE = 3;

interface Wedge {
  /** Turns from the gradient's angle, clockwise. */
  readonly from: number;
  readonly to: number;
  readonly color: Color;
}

function wedgesOf(list: readonly GradientStop[], radius: number): readonly Wedge[] {
  const wedges: Wedge[] = [];
  let from = 0;
  let start = list[0]?.color;
  for (const { offset, color } of [...list, { offset: 1, color: list.at(-1)?.color }]) {
    if (!start || !color) break;
    if (offset > from) {
      const turn = offset - from;
      const shades = Math.max(...(['r', 'g', 'b'] as const).map((c) => Math.abs(color[c] - (start?.[c] ?? 0))));
      const fades = Math.abs(color.a - start.a) * 255;
      const arc = 2 * Math.PI * radius * turn * LARGEST_SCALE;
      // One wedge a shade is as smooth as 8 bits can be; thinner than a device px at the rim would be wasted.
      const count = Math.ceil(Math.max(Math.min(Math.max(shades, fades), arc), turn / WIDEST_WEDGE));
      for (let i = 0; i < count; i++) {
        const mixed = mix(start, color, count === 1 ? 0.5 : i / (count - 1));
        wedges.push({ from: from + (turn * i) / count, to: from + (turn * (i + 1)) / count, color: mixed });
      }
      from = offset;
    }
    start = color;
  }
  return wedges;
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
