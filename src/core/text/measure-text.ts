// How far the pen moves along prepared text, and how wide a stretch is when it stands on a line of its own.
//
// A stretch that starts or ends where HarfBuzz calls it unsafe to break (inside a ligature, a kerned pair, joined
// letters) is shaped anew as far as the next safe places, and only there.

import type { BidiParagraph } from './bidi.ts';
import { indexAt } from './index-at.ts';
import type { PreparedText } from './prepare-text.ts';
import { advanceOf, runWidth, type ShapedRun, shapePiece, spacingAfter } from './shape.ts';

export interface PenPositions {
  /** How far the pen has moved before each unit, px in logical order; inside a cluster, as at the cluster's end. */
  readonly edges: Float64Array;
  /** Nonzero where a line may start or end without its run being shaped anew. */
  readonly safe: Uint8Array;
}

/** CSS `tab-size`, in spaces. */
const TAB_SIZE = 8;
const TAB = 9;

/**
 * Adds up the advances of all clusters.
 *
 * Tab stops are counted from the start of the paragraph: a tab behind a soft break may stand off its column.
 */
export function penPositions(
  text: string,
  runs: readonly ShapedRun[],
  paragraphs: readonly BidiParagraph[],
): PenPositions {
  const advances = new Float64Array(text.length + 1);
  const safe = new Uint8Array(text.length + 1);
  for (const run of runs) {
    safe[run.start] = 1;
    let cluster = -1;
    for (const glyph of run.glyphs) {
      if (glyph.cluster !== cluster) {
        cluster = glyph.cluster;
        advances[cluster] = spacingAfter(text, run, cluster);
        if (cluster !== run.start) safe[cluster] = glyph.unsafeToBreak ? 0 : 1;
      }
      advances[cluster] = (advances[cluster] ?? 0) + advanceOf(run, glyph);
    }
  }
  safe[text.length] = 1;

  const edges = new Float64Array(text.length + 1);
  for (const paragraph of paragraphs) {
    const origin = edges[paragraph.start] ?? 0;
    for (let i = paragraph.start; i < paragraph.end; i++) {
      const pen = edges[i] ?? 0;
      const advance = advances[i] ?? 0;
      const stop = TAB_SIZE * advance;
      const toStop = text.charCodeAt(i) === TAB && stop > 0 ? stop - ((pen - origin) % stop) : advance;
      edges[i + 1] = pen + toStop;
    }
  }
  return { edges, safe };
}

/** Width of `start`–`end`, px at scale 1. */
export function textWidth(text: PreparedText, start: number, end: number): number {
  if (start >= end) return 0;
  let from = start;
  while (from < end && !text.safe[from]) from++;
  let to = end;
  while (to > from && !text.safe[to]) to--;
  return pieceWidth(text, start, from) + (text.edges[to] ?? 0) - (text.edges[from] ?? 0) + pieceWidth(text, to, end);
}

/** Width of a piece within one run, shaped on its own. */
export function pieceWidth(text: PreparedText, start: number, end: number): number {
  const run = text.runs[indexAt(text.runs, start)];
  if (start >= end || !run) return 0;
  return runWidth(text.text, { ...run, glyphs: shapePiece(text.text, run, start, end) });
}
