// What Chromium was seen to do with a fixture. Along and across its lines: vertical ones as if turned back.

export interface RecordedLine {
  /** UTF-16 offsets into the text of all spans. */
  readonly start: number;
  readonly end: number;
  /** Top of the content area of the line's first character, px from the block's top. */
  readonly top: number;
  /** Of what is visible, px from the block's left; null on a line without. */
  readonly left: number | null;
  readonly right: number | null;
}

export interface Recorded {
  readonly height: number;
  readonly lines: readonly RecordedLine[];
}
