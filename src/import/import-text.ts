// Reads an SVG `<text>` as text layers: its lines, its styled words, its fonts.
//
// SVG places each line by its baseline. A layer is placed by the corner of its box, in which the baseline lies where the
// font has it; without the font at hand, where it lies in most.

import type { Point, Rect } from '#core/geometry.ts';
import type { SvgElement } from '#core/svg/read-attributes.ts';
import { type SvgStyle, styleLength, styleOf } from '#core/svg/style.ts';
import { withoutEnd } from '#core/without-end.ts';
import { colorIn, cssColor, opacityOf } from './import-paint.ts';

export interface ImportedText {
  /** Where its first baseline begins, or has its middle or end, in the element's coordinates. */
  readonly at: Point;
  /** Its box from there, canvas px, as far as it can be told without the font. */
  readonly box: Rect;
  readonly align: 'start' | 'center' | 'end';
  /** Of the layer: words, font, line height. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of its first words. */
  readonly style: SvgStyle;
  /** Families that were asked for and are not there. */
  readonly absentFamilies: readonly string[];
}

interface Run {
  readonly text: string;
  readonly style: SvgStyle;
}

interface Line {
  readonly at: Point;
  readonly runs: readonly Run[];
}

/** How far below the middle of a line its baseline lies, and how wide a letter is, em. */
const [BASELINE, LETTER] = [0.36, 0.62];
const MAX_TEXT = 10_000;

/** @param scale canvas px per unit */
export function textLayersOf(
  element: SvgElement,
  style: SvgStyle,
  scale: number,
  familyOf: (name: string) => string | null,
): readonly ImportedText[] {
  const lines = linesOf(element, style);
  const [first] = lines;
  if (!first) return [];
  const size = sizeOf(first.runs[0]?.style ?? style);
  const steps = lines.slice(1).map((line, i) => line.at.y - (lines[i]?.at.y ?? 0));
  const isOneText =
    lines.every(({ at }) => Math.abs(at.x - first.at.x) < 0.5) &&
    steps.every((step) => step > 0 && Math.abs(step - (steps[0] ?? step)) < 0.03 * size);
  const texts = isOneText ? [lines] : lines.map((line) => [line]);
  return texts.map((some) => textOf(some, isOneText ? (steps[0] ?? null) : null, scale, familyOf));
}

function textOf(
  lines: readonly Line[],
  step: number | null,
  scale: number,
  familyOf: (name: string) => string | null,
): ImportedText {
  const [first] = lines as [Line, ...Line[]];
  const style = first.runs[0]?.style ?? new Map();
  const size = sizeOf(style);
  const fontSize = Math.min(2_000, Math.max(1, tidy(size * scale)));
  const lineHeight = step === null ? 1.2 : Math.min(10, tidy(step / size, 3));
  const runs = lines.flatMap(({ runs: own }, i) => (i === 0 ? own : joined(own)));
  const absent = new Set<string>();
  const styleOf = (one: SvgStyle) => characterStyle(one, scale, familyOf, absent);
  const base = styleOf(style);
  const isPlain = runs.every(
    (run) => run.style === style || JSON.stringify([...run.style]) === JSON.stringify([...style]),
  );
  const text = runs.map((run) => run.text).join('');
  const spans = isPlain
    ? null
    : runs.map((run) => ({ text: run.text, ...differences(styleOf(run.style), base), ...colorOf(run.style, style) }));
  const anchor = style.get('text-anchor');
  const align = anchor === 'middle' ? 'center' : anchor === 'end' ? 'end' : 'start';
  const longest = Math.max(...text.split('\n').map((line) => line.length));
  const width = Math.ceil(longest * LETTER * fontSize) + 2;
  const height = tidy(lines.length * lineHeight * fontSize);
  const x = align === 'center' ? -width / 2 : align === 'end' ? -width : 0;
  const box = { x, y: -(lineHeight / 2 + BASELINE) * fontSize, width, height };
  return {
    at: first.at,
    box,
    align,
    properties: { ...(spans ? { spans } : { text }), ...base, fontSize, ...(lineHeight !== 1.2 && { lineHeight }) },
    style,
    absentFamilies: [...absent],
  };
}

/**
 * Finds families by CSS's names, which may be generic, and by PostScript's, such as `PlayfairDisplay-Bold`.
 *
 * @param generic families by CSS's generic names
 */
export function familyFinder(
  families: readonly string[],
  generic: ReadonlyMap<string, string>,
): (name: string) => string | null {
  const plain = (name: string) => name.toLowerCase().replace(/[\s_]+|variable$|vf$/g, '');
  const known = new Map(families.map((family) => [plain(family), family]));
  return (name) =>
    generic.get(name.toLowerCase()) ?? known.get(plain(name)) ?? known.get(plain(name.replace(/-\w+$/, ''))) ?? null;
}

/** A line after another one. */
const joined = (runs: readonly Run[]): readonly Run[] =>
  runs.map((run, i) => (i === 0 ? { ...run, text: `\n${run.text}` } : run));

function linesOf(element: SvgElement, style: SvgStyle): readonly Line[] {
  const lines: { at: Point; runs: Run[] }[] = [];
  let length = 0;
  let at = placeOf(element, { x: 0, y: 0 });
  let isNew = true;
  const add = (text: string, own: SvgStyle) => {
    const room = MAX_TEXT - length;
    const words = text.slice(0, Math.max(0, room));
    if (words === '') return;
    length += words.length;
    const last = lines.at(-1);
    if (isNew || !last) {
      if (words.trim() === '') return;
      const before = lines.find((line) => line === last && Math.abs(line.at.y - at.y) < 0.01);
      if (before) before.runs.push({ text: words, style: own });
      else lines.push({ at, runs: [{ text: words, style: own }] });
    } else last.runs.push({ text: words, style: own });
    isNew = false;
  };
  const visit = (parent: SvgElement, around: SvgStyle, keeps: boolean) => {
    for (const child of parent.children) {
      if (typeof child === 'string') add(keeps ? withoutEnd(child, /[\r\n]/) : child.replace(/\s+/g, ' '), around);
      else if (child.name === 'tspan') {
        if (child.attributes.has('x') || child.attributes.has('y') || child.attributes.has('dy')) {
          at = placeOf(child, at);
          isNew = true;
        }
        visit(child, styleOf(child, around), keeps || isPreserved(child, around));
      }
    }
  };
  visit(element, style, isPreserved(element, style));
  return lines.flatMap(({ at: place, runs }) => trimmed(place, runs));
}

const isPreserved = ({ attributes }: SvgElement, style: SvgStyle): boolean =>
  /^pre/.test(attributes.get('{http://www.w3.org/XML/1998/namespace}space') ?? attributes.get('xml:space') ?? '') ||
  /^pre/.test(style.get('white-space') ?? '');

function trimmed(at: Point, runs: readonly Run[]): readonly Line[] {
  const whole = runs.map((run, i) => {
    const start = i === 0 ? run.text.trimStart() : run.text;
    return { ...run, text: i === runs.length - 1 ? start.trimEnd() : start };
  });
  const left = whole.filter(({ text }) => text !== '');
  return left.length > 0 ? [{ at, runs: left }] : [];
}

function placeOf(element: SvgElement, before: Point): Point {
  // Of a list of places, one for each letter, only the first is read.
  const number = (name: string) => {
    const text = element.attributes
      .get(name)
      ?.trim()
      .split(/[\s,]+/)[0];
    return text === undefined ? null : styleLength(text, 0);
  };
  const y = number('y') ?? before.y;
  return { x: (number('x') ?? before.x) + (number('dx') ?? 0), y: y + (number('dy') ?? 0) };
}

const tidy = (value: number, digits = 2): number => Number(value.toFixed(digits)) + 0;
const sizeOf = (style: SvgStyle): number => styleLength(style.get('font-size'), 16);

function characterStyle(
  style: SvgStyle,
  scale: number,
  familyOf: (name: string) => string | null,
  absent: Set<string>,
): Record<string, unknown> {
  const families = (style.get('font-family') ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^["']|["']$/g, ''))
    .filter((name) => name !== '');
  const family = families.map(familyOf).find((name) => name !== null);
  const [wanted] = families;
  if (wanted !== undefined && familyOf(wanted) === null) absent.add(wanted);
  const weight =
    { normal: 400, bold: 700, bolder: 700, lighter: 300 }[style.get('font-weight') ?? ''] ??
    Number(style.get('font-weight') ?? 400);
  const size = sizeOf(style);
  const spacing = styleLength(style.get('letter-spacing'), 0, 1, size) * scale;
  const decoration = style.get('text-decoration') ?? 'none';
  const line = /line-through/.test(decoration) ? 'line-through' : /underline/.test(decoration) ? 'underline' : null;
  const transform = style.get('text-transform');
  return {
    ...(family !== undefined && { fontFamily: family }),
    ...(weight !== 400 && Number.isFinite(weight) && { fontWeight: Math.min(1_000, Math.max(1, Math.round(weight))) }),
    ...(/italic|oblique/.test(style.get('font-style') ?? '') && { fontStyle: 'italic' }),
    ...(Math.abs(spacing) > 0.005 && { letterSpacing: tidy(Math.min(1_000, Math.max(-200, spacing))) }),
    ...(line && { textDecoration: line }),
    ...(transform && /^(upper|lower)case$|^capitalize$/.test(transform) && { textTransform: transform }),
    fontSize: Math.min(2_000, Math.max(1, tidy(size * scale))),
  };
}

/** What a span sets: where it differs from the layer. */
function differences(own: Readonly<Record<string, unknown>>, base: Readonly<Record<string, unknown>>) {
  const initial: Readonly<Record<string, unknown>> = {
    fontWeight: 400,
    fontStyle: 'normal',
    letterSpacing: 0,
    textDecoration: 'none',
    textTransform: 'none',
  };
  const names = new Set([...Object.keys(own), ...Object.keys(base)]);
  const changed = [...names].filter((name) => own[name] !== base[name]);
  return Object.fromEntries(changed.map((name) => [name, own[name] ?? initial[name] ?? base[name]]));
}

function colorOf(own: SvgStyle, base: SvgStyle) {
  const fill = own.get('fill') ?? '#000000';
  if (fill === (base.get('fill') ?? '#000000') && own.get('fill-opacity') === base.get('fill-opacity')) return {};
  const color = colorIn(fill, own, opacityOf(own.get('fill-opacity')));
  return color ? { color: cssColor(color) } : {};
}
