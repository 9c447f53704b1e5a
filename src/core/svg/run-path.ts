// Writes a glyph run as the path data of its letters: one path per run, so that a run is one element.
//
// The outline of a glyph at one size is written once, in relative commands, and cached; a run only adds a moveto for
// each glyph. Relative numbers are differences of rounded points, so rounding errors do not add up along an outline.

import type { Point } from '../geometry.ts';
import type { FontFace } from '../text/font-face.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import { number } from './syntax.ts';

/** Cached outlines per face; at about 300 bytes each, some 3 MB. */
const KEPT_PER_FACE = 10_000;

const spelled = new WeakMap<FontFace, Map<string, string>>();

export function runPathString(run: GlyphRun, origin: Point, face: FontFace): string {
  let ofFace = spelled.get(face);
  if (!ofFace) {
    ofFace = new Map();
    spelled.set(face, ofFace);
  }
  let d = '';
  for (const glyph of run.glyphs) {
    const key = `${glyph.id} ${run.fontSize} ${run.slant}`;
    let outline = ofFace.get(key);
    if (outline === undefined) {
      if (ofFace.size >= KEPT_PER_FACE) ofFace.clear();
      outline = relativeOutline(run, face, glyph.id);
      ofFace.set(key, outline);
    }
    if (outline !== '') d += `M${number(origin.x + glyph.x)} ${number(origin.y + glyph.y)}${outline}`;
  }
  return d;
}

/** A glyph's outline about its own origin, all commands relative. */
function relativeOutline(run: GlyphRun, face: FontFace, glyph: number): string {
  // In thousandths of a px: the pen's position, and the start of the current subpath.
  let [penX, penY, startX, startY] = [0, 0, 0, 0];
  const scale = (1000 * run.fontSize) / face.unitsPerEm;
  const toX = (x: number, y: number) => Math.round((x + run.slant * y) * scale);
  const toY = (y: number) => Math.round(-y * scale);
  let d = '';
  for (const segment of face.outline(glyph)) {
    if (segment[0] === 'Z') {
      d += 'z';
      [penX, penY] = [startX, startY];
      continue;
    }
    const points: number[] = [];
    for (let i = 1; i < segment.length; i += 2) {
      const [x, y] = [Number(segment[i]), Number(segment[i + 1])];
      points.push(toX(x, y), toY(y));
    }
    d += segment[0].toLowerCase() + packed(points.map((value, i) => value - (i % 2 === 0 ? penX : penY)));
    [penX = 0, penY = 0] = points.slice(-2);
    if (segment[0] === 'M') [startX, startY] = [penX, penY];
  }
  return d;
}

/** Writes numbers given in thousandths, without separators that SVG's grammar does not need. */
function packed(thousandths: readonly number[]): string {
  let text = '';
  for (const value of thousandths) {
    const short = String(value / 1000).replace(/^(-?)0\./, '$1.');
    text += text === '' || short.startsWith('-') ? short : ` ${short}`;
  }
  return text;
}
