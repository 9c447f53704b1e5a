// The form of the lists of pages that others wrote. Of the pages only names are kept.

export interface PageList {
  /** The width at which the pages are drawn, px. */
  readonly width: number;
  /** By repository of GitHub, then by path in it. */
  readonly pages: Readonly<Record<string, Readonly<Record<string, Verdict>>>>;
}

/**
 * By eye, beside Chromium: `same`; or what is drawn otherwise, or why the page is refused, after a colon. A page that is
 * `same` may have edges of letters, and lines, that stand a px elsewhere.
 */
export type Verdict = 'same' | `different: ${string}` | `refused: ${string}`;
