// Places spans along a longer axis: what lies close together stays together, and the gaps between take the room.

/** A stretch of an axis, px. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

interface Block {
  readonly start: number;
  readonly end: number;
}

/** Spans nearer than this share of the axis belong together. */
const NEAR = 0.05;
/** How much of the room the margins take, beside the gaps between blocks. */
const MARGIN = 0.5;

/**
 * Where spans begin on an axis of the length `to`, when all are scaled by `by`, which is at most to / from.
 *
 * Those that stick out of an end keep their distance to it.
 */
export function spread(spans: readonly Span[], from: number, to: number, by: number): (span: Span) => number {
  const sticksOut = ({ start, length }: Span) => start < -from / 100 || start + length > from * 1.01;
  const blocks = blocksOf(
    spans.filter((span) => !sticksOut(span)),
    from * NEAR,
  );
  const starts = startsOf(blocks, from, to, by);
  return (span) => {
    if (sticksOut(span)) return span.start < 0 ? span.start * by : to - (from - span.start) * by;
    const index = blocks.findIndex(({ start, end }) => span.start >= start && span.start <= end);
    const block = blocks[index];
    return block ? (starts[index] ?? 0) + (span.start - block.start) * by : span.start * by;
  };
}

/** Stretches of spans that are nearer than `near` to each other, in order. */
export function blocksOf(spans: readonly Span[], near: number): readonly Block[] {
  const blocks: Block[] = [];
  for (const { start, length } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = blocks.at(-1);
    if (last && start - last.end <= near) {
      blocks[blocks.length - 1] = { start: last.start, end: Math.max(last.end, start + length) };
    } else {
      blocks.push({ start, end: start + length });
    }
  }
  return blocks;
}

/** The new starts of blocks; the room beyond what is scaled goes to the gaps between them and at the ends. */
function startsOf(blocks: readonly Block[], from: number, to: number, by: number): readonly number[] {
  const gaps = [...blocks.map(({ start }, i) => start - (blocks[i - 1]?.end ?? 0)), from - (blocks.at(-1)?.end ?? 0)];
  const isBleeding = (gap = 0) => gap <= from / 100;
  const isEnd = (i: number) => i === 0 || i === gaps.length - 1;
  // Beside a part that bleeds off one end, the other margin is a gap like others.
  const bleeds = isBleeding(gaps.at(0)) || isBleeding(gaps.at(-1));
  const weights = gaps.map((gap, i) => Math.max(0, gap) * (isEnd(i) && blocks.length > 1 && !bleeds ? MARGIN : 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const room = to - from * by;
  let end = 0;
  return blocks.map(({ start, end: last }, i) => {
    const share = total > 0 ? (weights[i] ?? 0) / total : 1 / gaps.length;
    const begin = end + (gaps[i] ?? 0) * by + room * share;
    end = begin + (last - start) * by;
    return begin;
  });
}

/**
 * Where spans begin when a picture at one end of the axis takes all the room: what lies on it moves with it, and what
 * lies beyond its edge keeps its distance to that.
 */
export function spreadBeside(picture: Span, from: number, to: number, by: number): (span: Span) => number {
  const room = to - from * by;
  const end = picture.start + picture.length;
  const isFirst = picture.start <= from - end;
  const grown = (picture.length * by + room) / picture.length;
  return ({ start, length }) => {
    const middle = start + length / 2;
    const isOn = isFirst ? middle <= end : middle >= picture.start;
    const moved = isFirst ? end * by + room + (middle - end) * by : middle * by;
    const along = picture.start * by + (middle - picture.start) * grown;
    return (isOn ? along : moved) - (length * by) / 2;
  };
}
