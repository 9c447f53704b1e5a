// The record of how Chromium laid out a fixture. Vertical lines are recorded as if turned back to horizontal.

export interface RecordedLine {
  /** UTF-16 offsets into the text of all spans. */
  readonly start: number;
  readonly end: number;
  /** Top of the content area of the line's first character, px from the block's top. */
  readonly top: number;
  /** Left and right edge of the visible text, px from the block's left; null on a line without any. */
  readonly left: number | null;
  readonly right: number | null;
}

export interface Recorded {
  readonly height: number;
  readonly lines: readonly RecordedLine[];
}
