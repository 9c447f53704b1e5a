// Breaks the items of a wrapping flex frame into lines (CSS Flexbox 1, section 9.3).

import { type FlexFrame, isRow, limits, rigidSize } from './axis.ts';
import type { AvailableSpace, FlexItem, FlexLine } from './flex-item.ts';
import type { BoxSize } from './fragment.ts';

/** The content box of a frame. */
export function availableSpaceIn(frame: FlexFrame, box: BoxSize): AvailableSpace {
  const rigid = { width: rigidSize(frame, true), height: rigidSize(frame, false) };
  const { min, max } = box.isUnbounded ? NO_LIMITS : limits(frame.placement, false);
  const minHeight = Math.max(0, (min ?? 0) - rigid.height);
  return {
    width: Math.max(0, box.width - rigid.width),
    height: box.height === null ? null : Math.max(0, box.height - rigid.height),
    minHeight,
    maxHeight: Math.max(minHeight, max - rigid.height),
    hugs: box.hugs,
  };
}

/**
 * Section 9.3: the lines, and the frame's main size. Computed in doubles: in yoga's floats, a frame that hugs three
 * thirds may find them too long by a millionth.
 */
export function breakFlexLines(
  frame: FlexFrame,
  room: AvailableSpace,
  items: readonly FlexItem[],
): { readonly main: number; readonly lines: readonly FlexLine[] } {
  const { layout } = frame;
  const row = isRow(frame);
  const gap = row ? layout.columnGap : layout.rowGap;
  const known = row ? room.width : room.height;
  const longest = layout.wrap === 'nowrap' ? Number.POSITIVE_INFINITY : (known ?? room.maxHeight);

  const lines: { start: number; end: number; length: number; taken: number }[] = [];
  let content = 0;
  for (let i = 0; i < items.length; i++) {
    const { hypothetical = 0, margins = 0 } = items[i] ?? {};
    const size = hypothetical + margins;
    const line = lines.at(-1);
    if (line && line.length + gap + size <= longest + TOLERANCE) {
      line.end = i + 1;
      line.length += gap + size;
      line.taken += gap + margins;
    } else lines.push({ start: i, end: i + 1, length: size, taken: margins });
    content = Math.max(content, lines.at(-1)?.length ?? 0);
  }
  const main = known ?? Math.max(room.minHeight, Math.min(content, room.maxHeight));
  return { main, lines: lines.map(({ start, end, taken }) => ({ start, end, room: main - taken })) };
}

const NO_LIMITS = { min: null, max: Number.POSITIVE_INFINITY };
/** Rounding error allowed when comparing sums, px. */
const TOLERANCE = 0.001;
