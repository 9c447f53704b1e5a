// Makes the text that layout itself adds at the end of a line: the hyphen of a broken word, the ellipsis of a cut text.

import { indexAt } from './index-at.ts';
import type { PreparedSpan, PreparedText } from './prepare-text.ts';
import { runWidth, type ShapedRun, shapeRun, spacingAfter } from './shape.ts';

/** A few characters that are not in the source text. */
export interface InsertedText {
  readonly kind: 'hyphen' | 'ellipsis';
  /** As it is read. */
  readonly text: string;
  /** The span whose style they have; null = the layer's own. */
  readonly span: number | null;
  readonly level: number;
  /** Offsets are into `text` above. */
  readonly runs: readonly ShapedRun[];
  /** Without trailing spacing, px at scale 1. */
  readonly width: number;
}

/**
 * The hyphen after the soft hyphen or letter at `offset`: U+2010 where the face has it (CSS hyphenate-character: auto).
 */
export function hyphenAt(text: PreparedText, offset: number): InsertedText {
  const span = indexAt(text.spans, offset);
  const { style, fallback } = text.spans[span] ?? raise();
  return insert(text, 'hyphen', { span, style, fallback }, text.bidi.levels[offset] ?? 0);
}

/**
 * The ellipsis of a line whose text is cut after `offset`, in the paragraph's direction and the layer's own style,
 * whatever the style of the spans before it: as in browsers.
 */
export function ellipsisAt(text: PreparedText, offset: number): InsertedText {
  const paragraph = text.bidi.paragraphs[indexAt(text.bidi.paragraphs, offset)];
  const { strut, spans } = text.node;
  const last = indexAt(text.spans, offset);
  // A last span of the same style is named, so that its decoration lines continue without a seam.
  const span = JSON.stringify(spans[last]?.style) === JSON.stringify(strut) ? last : null;
  return insert(text, 'ellipsis', { span, style: strut, fallback: text.strutFallback }, paragraph?.level ?? 0);
}

/** What a hyphen between the lines says, so that those who read the words put them together (ISO 32000-1, 14.8.2.2.3). */
const SOFT_HYPHEN = '\u00ad';

/** In order of preference; the last is used where the faces have none. */
const FORMS = { hyphen: ['\u2010', '-'], ellipsis: ['\u2026', '...'] } as const;

type Look = Pick<InsertedText, 'span'> & Pick<PreparedSpan, 'style' | 'fallback'>;

function insert(text: PreparedText, kind: InsertedText['kind'], look: Look, level: number): InsertedText {
  const { span, style, fallback } = look;
  const shaped = FORMS[kind].map((form): InsertedText => {
    const boundaries = new Uint8Array(form.length + 1).fill(1);
    const upright = text.orientation === 'upright';
    const run = { start: 0, end: form.length, level, script: 'Zyyy', emoji: false, upright, span: span ?? 0 };
    const runs = shapeRun(form, run, style, fallback, boundaries, upright);
    const last = runs.at(-1);
    const trailing = last ? spacingAfter(form, last, form.length - 1) : 0;
    const width = runs.reduce((sum, each) => sum + runWidth(form, each), -trailing);
    return { kind, text: kind === 'hyphen' ? SOFT_HYPHEN : form, span, level, runs, width };
  });
  const isDrawn = ({ runs }: InsertedText) => runs.every(({ glyphs }) => glyphs.every(({ id }) => id !== 0));
  return shaped.find(isDrawn) ?? shaped.at(-1) ?? raise();
}

function raise(): never {
  throw new Error('A text node has at least one span.');
}
