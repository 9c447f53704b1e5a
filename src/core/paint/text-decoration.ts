// Places the decoration lines of a laid-out line, in the paragraph's own coordinates.

import type { Rect } from '../geometry.ts';
import type { CharacterStyle, TextDecoration, TextSpan } from '../resolve/scene.ts';
import type { FontMetrics } from '../text/font-face.ts';
import type { FontSet } from '../text/font-set.ts';
import type { Line, LineRun, Paragraph } from '../text/paragraph.ts';

export interface DecoratedText {
  readonly paragraph: Paragraph;
  readonly spans: readonly TextSpan[];
  /** The style of runs that are in no span. */
  readonly own: CharacterStyle;
  /** Whether letters may stand upright in vertical lines, which then have a central baseline. */
  readonly isCentred: boolean;
  readonly fonts: FontSet;
}

export function spanOf(
  { spans, own }: Pick<DecoratedText, 'spans' | 'own'>,
  index: number | null,
): TextSpan | undefined {
  return index === null ? { text: '', style: own, link: null, counter: null, image: null } : spans[index];
}

/** Neighbouring runs of one span, without markers, which a decoration line or a link covers without a break. */
export interface Stretch {
  readonly span: number | null;
  /** From the paragraph's left edge, px. */
  readonly start: number;
  readonly end: number;
  /** Of its letters, which may be raised. */
  readonly baseline: number;
  /** Whether it is a picture or a box, which has no lines (CSS Text Decoration 3, 2). */
  readonly isBox: boolean;
}

export function stretches(runs: readonly LineRun[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const run of runs) {
    if (run.isMarker) continue;
    const end = run.x + run.run.width;
    const last = found.at(-1);
    if (last?.span === run.span) found[found.length - 1] = { ...last, end };
    else found.push({ span: run.span, start: run.x, end, baseline: run.baseline, isBox: run.box !== null });
  }
  return found;
}

/** CSS Text Decoration 3 §2, with the metrics of the span's first face, so that a fallback does not break the line. */
export function decorationArea(
  { isCentred, fonts, paragraph }: DecoratedText,
  style: CharacterStyle,
  decoration: TextDecoration,
  { baseline }: Line,
  stretch: Stretch,
): Rect | null {
  const metrics = fonts.chain(style.font)[0]?.face.metrics;
  if (!metrics || stretch.isBox || stretch.end <= stretch.start) return null;
  const size = style.fontSize * paragraph.scale;
  if (decoration.offset !== undefined && decoration.thickness !== null && !isCentred) {
    const { thickness: height } = decoration;
    const above = {
      underline: -decoration.offset,
      overline: Math.round(metrics.ascent * size) + height,
      'line-through': (metrics.ascent * size) / 3 + height / 2,
    };
    // A line through letters is that of these, the others of the element that has them.
    const from = decoration.line === 'line-through' ? stretch.baseline : baseline - (decoration.raise ?? 0);
    const y = Math.round(from - above[decoration.line]);
    return { x: stretch.start, y, width: stretch.end - stretch.start, height };
  }
  const {
    line,
    centre,
    thickness: ownThickness,
  } = isCentred ? besideTheEm(decoration.line, style.lang, metrics) : alongTheBaseline(decoration.line, metrics);
  const thickness = decoration.thickness === null ? ownThickness * size : decoration.thickness * paragraph.scale;
  if (thickness <= 0) return null;
  // A thicker line grows away from the letters, a line through them in both directions.
  const growth = (thickness - ownThickness * size) / 2;
  const shift = { underline: growth, overline: -growth, 'line-through': 0 }[line];
  return {
    x: stretch.start,
    y: baseline - centre * size + shift - thickness / 2,
    width: stretch.end - stretch.start,
    height: thickness,
  };
}

/** A decoration line: its side, its centre above the baseline and its thickness as fractions of the font size. */
interface DecorationPlace {
  readonly line: TextDecoration['line'];
  readonly centre: number;
  readonly thickness: number;
}

function alongTheBaseline(line: TextDecoration['line'], metrics: FontMetrics): DecorationPlace {
  const { underlinePosition, underlineThickness, strikeoutPosition, strikeoutThickness, ascent } = metrics;
  switch (line) {
    case 'underline':
      return { line, centre: underlinePosition, thickness: underlineThickness };
    case 'line-through':
      return { line, centre: strikeoutPosition, thickness: strikeoutThickness };
    case 'overline':
      return { line, centre: ascent - underlineThickness / 2, thickness: underlineThickness };
  }
}

/**
 * In vertical lines (CSS Text Decoration 4 §2.6 and its default style sheet): the underline is right of Japanese and
 * Korean and left of other text, and the overline is on the opposite side.
 */
function besideTheEm(line: TextDecoration['line'], lang: string | null, metrics: FontMetrics): DecorationPlace {
  if (line === 'line-through') return { line, centre: 0, thickness: metrics.strikeoutThickness };
  const thickness = metrics.underlineThickness;
  const isRight = (line === 'underline') === /^(ja|ko)\b/i.test(lang ?? '');
  const centre = (1 + thickness) / 2;
  return isRight ? { line: 'overline', centre, thickness } : { line: 'underline', centre: -centre, thickness };
}
