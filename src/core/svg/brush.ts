// Writes brushes as SVG paint attributes and definitions.
//
// SVG has no conic gradient: it becomes a tile of thin wedges, drawn without antialiasing; the shape that is painted
// with the tile still has an antialiased edge.

import type { GradientStop } from '../color.ts';
import type { Point, Rect } from '../geometry.ts';
import type { Brush } from '../paint/display-list.ts';
import { conicTile } from './conic-tile.ts';
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
