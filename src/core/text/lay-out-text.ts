// Lays out the spans of a text node as a Paragraph, by running the text steps in order.
//
// bidi → itemize → font fallback → shape → line break → fit and clamp → align. Each step is in the file of that name.

import type { TextList } from '../resolve/scene.ts';
import { type BrokenLine, breakLines, indentAt, lineTo, TOLERANCE } from './break-lines.ts';
import { isSymbol, markerText } from './counters.ts';
import type { GlyphRun } from './glyph-run.ts';
import { indexAt } from './index-at.ts';
import { ellipsisAt, type InsertedText } from './inserted-text.ts';
import { BREAK_MANDATORY } from './line-break.ts';
import { belowCentre, type LineMetrics, lineMetrics } from './line-metrics.ts';
import { textWidth } from './measure-text.ts';
import type { Line, LineRoom, LineRun, Paragraph } from './paragraph.ts';
import { type Expansion, type PlacedRun, placeRuns } from './place-runs.ts';
import { type PreparedText, prepareText } from './prepare-text.ts';
import { wrapText } from './wrap-text.ts';

export { isNumber, longestWord } from './break-lines.ts';
export { type PreparedText, prepareText } from './prepare-text.ts';

/**
 * Breaks, fits, clamps and aligns.
 *
 * @param width of the box along the lines, for wrapping and alignment, px; null = as wide as the longest paragraph (CSS
 *   max-content)
 * @param height of the box across the lines, for `autoFit`, `ellipsis` and `overflows`, px; null = unlimited
 */
export function layOutText(text: PreparedText, width: number | null, height: number | null): Paragraph {
  const mostWidth = width ?? Infinity;
  const mostHeight = height ?? Infinity;
  const scale = fitScale(text, mostWidth, mostHeight);
  const shown = clampLines(text, mostWidth, mostHeight, scale);

  const widest = shown.lines.reduce((most, line) => Math.max(most, line.width * scale), 0);
  const box = width ?? widest;
  const total = shown.lines.reduce((sum, { metrics }) => sum + metrics.before + metrics.height, 0);
  const lines: Line[] = [];
  const missing = new Set(text.missing);
  let [before, item, isItem] = [0, 0, false];
  for (const line of shown.lines) {
    const { height } = line.metrics;
    before += line.metrics.before;
    // Vertical lines have their upper side on the right, so lines that progress to the right are stacked upwards.
    const top = text.node.writingMode === 'vertical-lr' ? total - before - height : before;
    const laid = layOutLine(text, line, top, box, scale);
    before += height;
    const begins = text.node.list !== null && beginsItem(text, line.start);
    if (begins) isItem = line.shownEnd > line.start;
    if (!isItem) lines.push(laid);
    else if (!begins) lines.push({ ...laid, item });
    else {
      item += 1;
      const marker = layOutMarker(text, laid, item, box, scale);
      for (const grapheme of marker.missing) missing.add(grapheme);
      lines.push({ ...laid, item, runs: [...marker.runs, ...laid.runs] });
    }
  }
  const overflows = shown.cut || widest > mostWidth + TOLERANCE || total > mostHeight + TOLERANCE;
  const inked = lines.reduce((most, { box, start }) => Math.max(most, box.width + indentAt(text, start) * scale), 0);
  const size = { width: inked, height: total };
  return { lines, size, scale, overflows, missing: [...missing] };
}

const LINE_SEPARATOR = 0x2028;

/** Whether the line that starts there is the first of its paragraph, in which U+2028 begins lines too. */
const beginsItem = ({ text, breaks }: PreparedText, start: number): boolean =>
  start === 0 || (breaks[start] === BREAK_MANDATORY && text.charCodeAt(start - 1) !== LINE_SEPARATOR);

/** Between a sign and the space after it, in font sizes: by itself, that is narrow. */
const SIGN_GAP = 0.25;

/**
 * The marker of an item: outside of its lines, at the edge of the list's indent, however they are aligned (CSS Lists 3,
 * list-style-position), with the digits of one width that `::marker` has.
 */
function layOutMarker(
  text: PreparedText,
  line: Line,
  item: number,
  box: number,
  scale: number,
): Pick<Paragraph, 'missing'> & Pick<Line, 'runs'> {
  const { node } = text;
  const { style: type, indent } = node.list as TextList;
  const span = indexAt(text.spans, line.start);
  const { style: own } = node.spans[span] ?? { style: node.strut };
  const plain = { textTransform: 'none', decorations: [], position: 'normal' } as const;
  const style = { ...own, ...plain, features: { tnum: 1, ...own.features } };
  const words = markerText(item, type);
  const isRtl = isRightToLeft(text, line.start);
  const alone = { textIndent: 0, list: null, direction: isRtl ? 'rtl' : 'ltr' } as const;
  const spans = [{ text: words, style, link: null, counter: null, image: null }];
  const marker = prepareText({ ...node, ...alone, spans, strut: style }, text.fonts);
  const { runs, width } = placeRuns(marker, lineTo(marker, 0, words.length), scale, null);
  const gap = isSymbol(type) ? SIGN_GAP * style.fontSize : 0;
  const whole = (textWidth(marker, 0, words.length) + gap) * scale;
  const x = isRtl ? box - indent * scale + whole - width : indent * scale - whole;
  const rise = text.spans[span]?.rise ? null : span;
  return {
    runs: runs.map((placed, i): LineRun => {
      const hangs = (isRtl ? i === 0 : i === runs.length - 1) ? ({ hangs: isRtl ? 'before' : 'after' } as const) : {};
      const baseline = line.baseline - runRise(text, { ...placed, span: rise }, scale);
      return { run: { ...placed.run, ...hangs }, span, x: x + placed.x, baseline, box: null, isMarker: true };
    }),
    missing: marker.missing,
  };
}

/**
 * Breaks and aligns lines beside floats.
 *
 * @param width of the box, px @param floats offsets of floats in the text
 * @param first the same text as it is in the first line, whose spans count on after those of the others
 */
export function layOutBeside(
  others: PreparedText,
  width: number,
  floats: readonly number[],
  room: LineRoom,
  first?: PreparedText,
): Paragraph {
  const hasFirst = first?.text.length === others.text.length;
  let text = hasFirst ? first : others;
  const lines: Line[] = [];
  const waiting = [...floats];
  let [start, top] = [0, 0];
  let widest = 0;
  while (lines.length === 0 || start < text.text.length) {
    let line = lineBeside(text, start, top, room);
    while (waiting[0] !== undefined && waiting[0] < line.end) {
      room.place(waiting.shift() as number, top);
      line = lineBeside(text, start, top, room);
    }
    const metrics = lineMetrics(text, line, 1);
    const { left, width: free, below } = room.beside(top, metrics.height);
    if (below !== null && line.width > free + TOLERANCE) {
      top = below;
      continue;
    }
    const own = layOutLine(text, { ...line, metrics }, top, free, 1);
    const from = text === others ? 0 : others.spans.length;
    const runs = own.runs.map(({ span, ...run }) => ({
      ...run,
      span: span === null ? null : span + from,
      x: run.x + left,
    }));
    lines.push({ ...own, runs, box: { ...own.box, x: own.box.x + left } });
    widest = Math.max(widest, left + own.box.width);
    top += metrics.height;
    start = line.end;
    text = others;
  }
  for (const offset of waiting) room.place(offset, top);
  const overflows = widest > width + TOLERANCE;
  return { lines, size: { width: widest, height: top }, scale: 1, overflows, missing: text.missing };
}

/** The line that fits between the floats, as high as it is. */
function lineBeside(text: PreparedText, start: number, top: number, room: LineRoom): BrokenLine {
  const broken = (width: number) => {
    let found: BrokenLine | null = null;
    breakLines(text, width, 1, start, (line) => {
      found = line;
      return false;
    });
    return found ?? lineTo(text, start, text.text.length);
  };
  const first = room.beside(top, 0).width;
  const line = broken(first);
  const { width } = room.beside(top, lineMetrics(text, line, 1).height);
  return width < first ? broken(width) : line;
}

function layOutLine(text: PreparedText, line: ShownLine, top: number, box: number, scale: number): Line {
  const { metrics, start, end, inserted } = line;
  const { x: left, expansion, isRtl } = alignLine(text, line, box, line.width * scale);
  const x = isRtl ? left : left + indentAt(text, start) * scale;
  const placed = placeRuns(text, line, scale, expansion);
  const baseline = top + metrics.baseline;
  const isBlank = line.shownEnd < end && end < text.text.length && !inserted;
  const last = placed.runs.length - 1;
  return {
    runs: placed.runs.map((placedRun, i) => {
      const { span } = placedRun;
      const isBefore = isBlank && isRtl && i === 0;
      const isAfter = isBlank && i === last;
      const hangs = isBefore && isAfter ? 'around' : isBefore ? 'before' : 'after';
      const run: GlyphRun = isBefore || isAfter ? { ...placedRun.run, hangs } : placedRun.run;
      const box = span === null ? null : text.spans[span]?.box;
      const size = box ? { width: box.width * scale, height: box.height * scale } : null;
      return { run, span, x: x + placedRun.x, baseline: baseline - runRise(text, placedRun, scale), box: size };
    }),
    box: { x, y: top, width: placed.width, height: metrics.height },
    baseline,
    ascent: metrics.ascent,
    descent: metrics.descent,
    start,
    end,
    ellipsized: inserted?.kind === 'ellipsis',
  };
}

/**
 * The layout of a text in a box if it all fits on one line, derived from the unlimited layout; otherwise null.
 *
 * @param free the text laid out without limits
 * @param width of the box along the lines, px
 */
export function inRoomyBox(text: PreparedText, free: Paragraph, width: number): Paragraph | null {
  const [only] = free.lines;
  const isOneLine = free.lines.length === 1 && only?.end === text.text.length && !free.overflows && free.scale === 1;
  if (text.node.autoFitMax !== null || text.node.list) return null;
  // With negative spacing, the start of a line may be longer than the whole line.
  if (!only || !isOneLine || text.isSpaced) return null;
  const line = lineTo(text, 0, text.text.length);
  if (line.width > width + TOLERANCE) return null;
  const { x } = alignLine(text, line, width, line.width);
  if (x === 0) return free;
  const runs = only.runs.map((run) => ({ ...run, x: x + run.x }));
  return { ...free, lines: [{ ...only, runs, box: { ...only.box, x: x + only.box.x } }] };
}

/** How far above the line's baseline a run's origin lies, px. */
function runRise(text: PreparedText, { run, span }: PlacedRun, scale: number): number {
  const prepared = span === null ? null : text.spans[span];
  const rise = (prepared?.rise ?? 0) * scale;
  if (text.orientation === 'turned' || prepared?.box) return rise;
  // Letters are on the alphabetic baseline of the whole span; upright ones are centred about their own middle.
  const metrics = prepared?.metrics ?? text.strut;
  const { fontSize } = (span === null ? null : text.node.spans[span]?.style) ?? text.node.strut;
  const alphabetic = rise - belowCentre(metrics, fontSize * scale);
  const isUpright = run.direction === 'ttb' || run.direction === 'btt';
  return isUpright
    ? alphabetic + belowCentre(metrics, (prepared?.style ?? text.node.strut).fontSize * scale)
    : alphabetic;
}

// Aligns a line in its box and finds the space that justification adds (CSS text-align, text-justify: auto).

interface LineAlignment {
  /** Left edge of the line, px from that of the box; negative where a line overflows on the left. */
  readonly x: number;
  /** Space to add, or null. */
  readonly expansion: Expansion | null;
  /** Whether the line starts on the right. */
  readonly isRtl: boolean;
}

/** Chromium widens a line not only at spaces but also around Han, kana and their punctuation, though not Hangul. */
const CJK = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u;
const SPACE = /[ \t\u00a0]/;

/**
 * Aligns one line.
 *
 * @param box width of the box @param width of the line, px
 */
function alignLine(text: PreparedText, line: BrokenLine, box: number, width: number): LineAlignment {
  const { align: usual, alignLast } = text.node;
  const align = (line.forced && alignLast) || usual;
  const isRtl = isRightToLeft(text, line.start);
  const free = box - width;
  if (align === 'justify' && (!line.forced || alignLast) && free > 0) {
    const gaps = expansionOpportunities(text, line);
    if (gaps.size > 0) return { x: 0, expansion: (cluster) => (gaps.has(cluster) ? free / gaps.size : 0), isRtl };
  }
  // A line that is too wide overflows at its end, however it is aligned (CSS Text 3, text-align).
  if (free < 0) return { x: isRtl ? free : 0, expansion: null, isRtl };
  if (align === 'center') return { x: free / 2, expansion: null, isRtl };
  const toRight = align === 'right' || (align === 'end' ? !isRtl : align !== 'left' && isRtl);
  return { x: toRight ? free : 0, expansion: null, isRtl };
}

/** Whether the paragraph begins on the right that has this offset. */
const isRightToLeft = ({ bidi: { paragraphs } }: PreparedText, offset: number): boolean =>
  paragraphs[indexAt(paragraphs, offset)]?.level === 1;

/** First offsets of the clusters after which a line may be widened; never its last cluster. */
function expansionOpportunities(text: PreparedText, { start, shownEnd }: BrokenLine): ReadonlySet<number> {
  const opportunities = new Set<number>();
  let previous = -1;
  let previousIsCjk = false;
  for (let at = start; at < shownEnd; at++) {
    if (!text.clusters[at]) continue;
    const character = String.fromCodePoint(text.text.codePointAt(at) ?? 0);
    const isCjk = CJK.test(character);
    if (previous >= 0 && (previousIsCjk || isCjk || SPACE.test(text.text.charAt(previous))))
      opportunities.add(previous);
    previous = at;
    previousIsCjk = isCjk;
  }
  return opportunities;
}

// Finds the largest font size at which a text fits its box and `maxLines` (`autoFit`), by laying out its lines.
//
// All spans shrink together, with their spacing. Sizes are multiples of 1/8 px, so that equal input always gives an
// equal size.

const STEPS_PER_PX = 8;

/**
 * The scale for all of a text's sizes; when nothing fits, that of `autoFitMin`. A text grows only in a known width: the
 * width of a box that hugs comes from the text.
 *
 * @param width @param height px, Infinity where there is no limit
 */
function fitScale(text: PreparedText, width: number, height: number): number {
  const { autoFitMin, autoFitMax } = text.node;
  if (autoFitMin === null) return 1;
  const largest = Math.max(...text.node.spans.map((span) => span.style.fontSize));
  const grows = autoFitMax !== null && autoFitMax > largest && width < Number.POSITIVE_INFINITY;
  if (!grows && autoFitMin >= largest) return 1;
  const isRoomy = fits(text, width, height, 1);
  if (isRoomy ? !grows : autoFitMin >= largest) return 1;

  // Invariant: `low` is the largest size known to fit (or the smallest allowed), `high` the smallest known not to, or one
  // step above the largest allowed.
  const [least, most] = isRoomy ? [largest, autoFitMax ?? largest] : [autoFitMin, largest];
  let low = Math.floor(least * STEPS_PER_PX);
  let high = Math.ceil(most * STEPS_PER_PX) + (isRoomy ? 1 : 0);
  const scaleAt = (step: number) => Math.max(least, Math.min(most, step / STEPS_PER_PX)) / largest;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(text, width, height, scaleAt(middle))) low = middle;
    else high = middle;
  }
  return scaleAt(low);
}

/** Whether no word is broken, and the lines exceed neither `maxLines` nor the box. */
function fits(text: PreparedText, width: number, height: number, scale: number): boolean {
  const maxLines = text.node.maxLines ?? Infinity;
  const limit = width / scale;
  let bottom = 0;
  let count = 0;
  let isFit = true;
  wrapText(text, limit, Infinity, (line) => {
    const { before, height: own } = lineMetrics(text, line, scale);
    bottom += before + own;
    count++;
    const tooMuch = count > maxLines || bottom > height + TOLERANCE;
    isFit = !(line.emergency || line.width > limit + TOLERANCE || tooMuch);
    return isFit;
  });
  return isFit;
}

// Limits the lines of a text to those that are shown, by `maxLines` and by the height of the box.
//
// `maxLines` applies whatever `overflow` is. `overflow` decides whether a cut shows an ellipsis, and what a fixed
// height does: `visible` nothing, `clip` drops lines entirely below it, `ellipsis` drops lines that do not fit
// entirely.

interface ShownLine extends BrokenLine {
  readonly metrics: LineMetrics;
}

interface ShownLines {
  /** At least one. */
  readonly lines: readonly ShownLine[];
  /** Whether visible text follows after the last line. */
  readonly cut: boolean;
}

/** @param width @param height px, Infinity where there is no limit */
function clampLines(text: PreparedText, width: number, height: number, scale: number): ShownLines {
  const { overflow, maxLines } = text.node;
  const limit = width / scale;
  const measured = (line: BrokenLine): ShownLine => ({ ...line, metrics: lineMetrics(text, line, scale) });

  const lines: ShownLine[] = [];
  let bottom = 0;
  wrapText(text, limit, maxLines ?? Infinity, (line) => {
    const shown = measured(line);
    bottom += shown.metrics.before;
    const mustFit = overflow === 'ellipsis' ? bottom + shown.metrics.height : bottom;
    if (overflow !== 'visible' && lines.length > 0 && mustFit > height + TOLERANCE) return false;
    bottom += shown.metrics.height;
    lines.push(shown);
    return true;
  });

  const last = lines.at(-1);
  const cut = last !== undefined && (text.trimmed[text.text.length] ?? 0) > last.end;
  if (cut && overflow === 'ellipsis') lines.splice(-1, 1, measured(ellipsize(text, last, limit + TOLERANCE)));
  return { lines, cut };
}

/**
 * Adds an ellipsis to a line after which text is left out, and fills the line with as much text as still fits. The cut
 * is between grapheme clusters, not between words.
 *
 * @param limit px at scale 1; if it is narrower than the ellipsis, the line is the ellipsis alone
 */
function ellipsize(text: PreparedText, line: BrokenLine, limit: number): BrokenLine {
  const { start } = line;
  const { clusters, edges, trimmed } = text;
  const indent = indentAt(text, start);
  let end = start + 1;
  while (end < text.text.length && text.breaks[end] !== BREAK_MANDATORY) end++;

  // `edges` estimates how much fits; from there backwards, each cut that the estimate accepts is measured.
  const reach = (offset: number) => indent + (edges[offset] ?? 0) - (edges[start] ?? 0);
  let cut = start;
  for (let at = start; at <= end && reach(at) <= limit; at++) if (clusters[at]) cut = at;
  let ellipsis: InsertedText | null = null;
  let span = -1;
  for (;;) {
    // In browsers, a space stays before it.
    const shownEnd = text.node.keepsSpacing ? cut : Math.max(start, trimmed[cut] ?? cut);
    const last = Math.max(start, shownEnd - 1);
    if (!ellipsis || span !== indexAt(text.spans, last)) ellipsis = ellipsisAt(text, last);
    span = indexAt(text.spans, last);
    if (shownEnd === start || reach(shownEnd) + ellipsis.width <= limit) {
      const width = indent + textWidth(text, start, shownEnd) + ellipsis.width;
      if (shownEnd === start || width <= limit) {
        return { ...line, end: shownEnd, shownEnd, width, inserted: ellipsis, forced: true };
      }
    }
    do cut--;
    while (cut > start && !clusters[cut]);
  }
}
