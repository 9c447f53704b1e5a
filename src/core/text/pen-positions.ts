// The pen's position before each character of a text.

import type { BidiParagraph } from './bidi.ts';
import type { ShapedRun } from './shape.ts';
import { advanceOf, spacingAfter } from './shape.ts';

export interface PenPositions {
  /** The pen position before each unit, px in logical order; a ligature's advance is divided among its graphemes. */
  readonly edges: Float64Array;
  /** Nonzero where a line may start or end without its run being shaped anew. */
  readonly safe: Uint8Array;
}

/**
 * Adds up the advances of all clusters.
 *
 * Tab stops are counted from the start of the paragraph: a tab after a soft break may miss its column.
 *
 * @param graphemes nonzero at each UTF-16 offset where a grapheme cluster starts
 */
export function penPositions(
  text: string,
  runs: readonly ShapedRun[],
  paragraphs: readonly BidiParagraph[],
  graphemes: Uint8Array,
): PenPositions {
  const advances = new Float64Array(text.length + 1);
  const safe = new Uint8Array(text.length + 1);
  for (const run of runs) addAdvances(text, run, graphemes, advances, safe);
  safe[text.length] = 1;
  limitUnsafe(safe, advances, graphemes);

  // Each edge overwrites the advance at the same index, which is not needed again.
  const edges = advances;
  let pen = 0;
  for (const { start, end } of paragraphs) {
    const origin = pen;
    for (let i = start; i < end; i++) {
      const advance = advances[i] ?? 0;
      const stop = TAB_SIZE * advance;
      edges[i] = pen;
      pen += text.charCodeAt(i) === TAB && stop > 0 ? stop - ((pen - origin) % stop) : advance;
    }
  }
  edges[text.length] = pen;
  return { edges, safe };
}

function limitUnsafe(safe: Uint8Array, advances: Float64Array, graphemes: Uint8Array): void {
  let last = 0;
  for (let i = 0; i < safe.length; i++) {
    // Graphemes without an advance, such as soft hyphens between joined letters, may go on without end too.
    if (i - last >= MAX_UNSAFE_LENGTH && (advances[i] || graphemes[i])) safe[i] = 1;
    if (safe[i]) last = i;
  }
}

/** Writes each cluster's advance to its first unit; a ligature's is divided among its graphemes. */
function addAdvances(
  text: string,
  run: ShapedRun,
  graphemes: Uint8Array,
  advances: Float64Array,
  safe: Uint8Array,
): void {
  const { glyphs, start, end, level } = run;
  const isRtl = level % 2 === 1;
  if (!isRtl && isOneToOne(run)) {
    for (let i = 0; i < glyphs.length; i++) {
      const glyph = glyphs[i];
      if (!glyph) break;
      advances[start + i] = spacingAfter(text, run, start + i) + advanceOf(run, glyph);
      safe[start + i] = i === 0 || !glyph.unsafeToBreak ? 1 : 0;
    }
    return;
  }
  let clusterEnd = end;
  for (let i = 0; i < glyphs.length; ) {
    // In reverse reading order, which is the glyph order of an rtl run.
    const at = isRtl ? i : glyphs.length - 1 - i;
    const offset = glyphs[at]?.cluster ?? 0;
    const cluster = start + offset;
    let advance = spacingAfter(text, run, cluster);
    let isUnsafe = false;
    for (let glyph = glyphs[at]; glyph?.cluster === offset; glyph = glyphs[isRtl ? i : glyphs.length - 1 - i]) {
      advance += advanceOf(run, glyph);
      isUnsafe ||= glyph.unsafeToBreak;
      i++;
    }
    safe[cluster] = cluster === start || !isUnsafe ? 1 : 0;
    let count = 1;
    for (let unit = cluster + 1; unit < clusterEnd; unit++) count += graphemes[unit] ? 1 : 0;
    advances[cluster] = advance / count;
    for (let unit = cluster + 1; unit < clusterEnd; unit++) if (graphemes[unit]) advances[unit] = advance / count;
    clusterEnd = cluster;
  }
}

/** CSS `tab-size`, in spaces. */
const TAB_SIZE = 8;

const TAB = 9;

/**
 * Longest stretch without a safe place, in UTF-16 units. Joined letters may go on without end, and each line would
 * reshape all of them; where such a stretch is broken after this length, letters keep the forms of the whole run.
 */
const MAX_UNSAFE_LENGTH = 200;

/** Whether each unit of an ltr run has a glyph of its own, as nearly all Latin text has. */
function isOneToOne({ glyphs, start, end }: ShapedRun): boolean {
  if (glyphs.length !== end - start) return false;
  for (let i = 0; i < glyphs.length; i++) if (glyphs[i]?.cluster !== i) return false;
  return true;
}
