// Parses SVG path data (the `d` attribute) to our four absolute commands.
//
// SVG 2 §9.3, all commands, relative ones too; quadratics are converted to cubics, arcs approximated by cubics of at
// most a quarter turn each (SVG 2 appendix B.2.4; the radial error of such an arc is below 0.03 %).

import type { Point } from './geometry.ts';
import type { PathData, PathSegment } from './path.ts';

/** `at` is the offset of the first character that is not path data. */
export type ParsedPath = { readonly path: PathData } | { readonly at: number };

const PARAMETERS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
const SEPARATOR = /[\s,]*/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const FLAG = /[01]/y;

/** Refuses the whole path if it has an error, does not start with a moveto, or has a number beyond ±1e6. */
export function parsePathData(d: string): ParsedPath {
  let at = 0;
  const read = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(d)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };

  const path: PathSegment[] = [];
  let current: Point = { x: 0, y: 0 };
  let start: Point = current;
  /** The control points that S and T reflect; null when the last command had none of that kind. */
  let cubicControl: Point | null = null;
  let quadraticControl: Point | null = null;

  const lineTo = (p: Point) => {
    path.push(['L', p.x, p.y]);
    current = p;
  };
  const cubicTo = (a: Point, b: Point, end: Point) => {
    path.push(['C', a.x, a.y, b.x, b.y, end.x, end.y]);
    current = end;
  };
  const reflect = (control: Point | null): Point =>
    control ? { x: 2 * current.x - control.x, y: 2 * current.y - control.y } : current;

  read(SEPARATOR);
  let command = '';
  while (at < d.length) {
    const here = at;
    const letter = d.charAt(at);
    if (PARAMETERS[letter.toUpperCase()] !== undefined) {
      command = letter;
      at += 1;
    } else if (command === '' || command.toUpperCase() === 'Z') {
      return { at: here };
    } else if (command.toUpperCase() === 'M') {
      // Coordinate pairs after a moveto are linetos.
      command = command === 'M' ? 'L' : 'l';
    }
    if (path.length === 0 && command.toUpperCase() !== 'M') return { at: here };

    const upper = command.toUpperCase();
    const values: number[] = [];
    for (let i = 0; i < (PARAMETERS[upper] ?? 0); i++) {
      read(SEPARATOR);
      const text = read(upper === 'A' && (i === 3 || i === 4) ? FLAG : NUMBER);
      if (text === null || Math.abs(Number(text)) > 1e6) return { at };
      values.push(Number(text));
    }
    read(SEPARATOR);

    const base = command === upper ? { x: 0, y: 0 } : current;
    const v = (i: number) => values[i] ?? 0;
    const point = (i: number): Point => ({ x: base.x + v(i), y: base.y + v(i + 1) });
    let nextCubic: Point | null = null;
    let nextQuadratic: Point | null = null;
    switch (upper) {
      case 'M':
        current = start = point(0);
        path.push(['M', current.x, current.y]);
        break;
      case 'L':
        lineTo(point(0));
        break;
      case 'H':
        lineTo({ x: base.x + v(0), y: current.y });
        break;
      case 'V':
        lineTo({ x: current.x, y: base.y + v(0) });
        break;
      case 'C':
        nextCubic = point(2);
        cubicTo(point(0), nextCubic, point(4));
        break;
      case 'S':
        nextCubic = point(0);
        cubicTo(reflect(cubicControl), nextCubic, point(2));
        break;
      case 'Q':
      case 'T': {
        const control: Point = upper === 'Q' ? point(0) : reflect(quadraticControl);
        const end = point(upper === 'Q' ? 2 : 0);
        nextQuadratic = control;
        const toward = (p: Point) => ({ x: p.x + (2 / 3) * (control.x - p.x), y: p.y + (2 / 3) * (control.y - p.y) });
        cubicTo(toward(current), toward(end), end);
        break;
      }
      case 'A':
        for (const [a, b, end] of arcToCubics(current, v(0), v(1), v(2), v(3) === 1, v(4) === 1, point(5))) {
          cubicTo(a, b, end);
        }
        current = point(5);
        break;
      default:
        path.push(['Z']);
        current = start;
    }
    cubicControl = nextCubic;
    quadraticControl = nextQuadratic;
  }
  return { path };
}

/** An elliptical arc as cubics, by SVG 2 appendix B.2.4: centre parameterisation, radii scaled up when too small. */
function* arcToCubics(
  from: Point,
  radiusX: number,
  radiusY: number,
  rotationDegrees: number,
  largeArc: boolean,
  sweep: boolean,
  to: Point,
): Generator<readonly [Point, Point, Point]> {
  if (from.x === to.x && from.y === to.y) return;
  let rx = Math.abs(radiusX);
  let ry = Math.abs(radiusY);
  if (rx === 0 || ry === 0) {
    yield [from, to, to];
    return;
  }
  const phi = (rotationDegrees * Math.PI) / 180;
  const cos = Math.cos(phi);
  const sin = Math.sin(phi);
  const dx = (from.x - to.x) / 2;
  const dy = (from.y - to.y) / 2;
  const x1 = cos * dx + sin * dy;
  const y1 = -sin * dx + cos * dy;
  const lambda = (x1 / rx) ** 2 + (y1 / ry) ** 2;
  if (lambda > 1) {
    rx *= Math.sqrt(lambda);
    ry *= Math.sqrt(lambda);
  }
  const numerator = rx ** 2 * ry ** 2 - rx ** 2 * y1 ** 2 - ry ** 2 * x1 ** 2;
  const root = Math.sqrt(Math.max(0, numerator / (rx ** 2 * y1 ** 2 + ry ** 2 * x1 ** 2)));
  const factor = largeArc === sweep ? -root : root;
  const cx1 = (factor * rx * y1) / ry;
  const cy1 = (-factor * ry * x1) / rx;
  const cx = cos * cx1 - sin * cy1 + (from.x + to.x) / 2;
  const cy = sin * cx1 + cos * cy1 + (from.y + to.y) / 2;

  const startAngle = Math.atan2((y1 - cy1) / ry, (x1 - cx1) / rx);
  let turn = Math.atan2((-y1 - cy1) / ry, (-x1 - cx1) / rx) - startAngle;
  if (sweep && turn < 0) turn += 2 * Math.PI;
  if (!sweep && turn > 0) turn -= 2 * Math.PI;

  const pieces = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9));
  const step = turn / pieces;
  const handle = (4 / 3) * Math.tan(step / 4);
  const onEllipse = (x: number, y: number): Point => ({
    x: cx + cos * rx * x - sin * ry * y,
    y: cy + sin * rx * x + cos * ry * y,
  });
  for (let i = 0; i < pieces; i++) {
    const a = startAngle + i * step;
    const b = a + step;
    const last = i === pieces - 1;
    yield [
      onEllipse(Math.cos(a) - handle * Math.sin(a), Math.sin(a) + handle * Math.cos(a)),
      onEllipse(Math.cos(b) + handle * Math.sin(b), Math.sin(b) - handle * Math.cos(b)),
      last ? to : onEllipse(Math.cos(b), Math.sin(b)),
    ];
  }
}
