// Writes values in SVG's syntax: numbers as short as possible, text escaped.

import { type Color, hex } from '../color.ts';
import type { Matrix } from '../geometry.ts';
import type { PathData } from '../path.ts';

/** At most three decimals: a thousandth of a px cannot be seen, even three times enlarged. */
export function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** At most seven decimals, for values that are multiplied: factors of a matrix, offsets, opacities. */
export function factor(value: number): string {
  return String(Math.round(value * 1e7) / 1e7);
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

export function matrix([a, b, c, d, e, f]: Matrix): string {
  if (a === 1 && b === 0 && c === 0 && d === 1) return `translate(${number(e)} ${number(f)})`;
  return `matrix(${factor(a)} ${factor(b)} ${factor(c)} ${factor(d)} ${number(e)} ${number(f)})`;
}

/** Returns ` name="#rrggbb"`, with ` name-opacity` if it is not 1; for `stop` the property is `stop-color`. */
export function colorAttributes(name: 'fill' | 'stroke' | 'stop', color: Color): string {
  const property = name === 'stop' ? 'stop-color' : name;
  const opacity = color.a === 1 ? '' : ` ${name}-opacity="${factor(color.a)}"`;
  return ` ${property}="${hex(color)}"${opacity}`;
}

export function pathString(path: PathData): string {
  let d = '';
  for (const segment of path) {
    switch (segment[0]) {
      case 'Z':
        d += 'Z';
        break;
      case 'C':
        d += `C${number(segment[1])} ${number(segment[2])} ${number(segment[3])} ${number(segment[4])} `;
        d += `${number(segment[5])} ${number(segment[6])}`;
        break;
      default:
        d += `${segment[0]}${number(segment[1])} ${number(segment[2])}`;
    }
  }
  return d;
}
