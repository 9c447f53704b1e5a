// What a text is in a document: for a back end that tags its structure (ISO 32000-1, 14.8.4).

/** Of text outside these, there is none to tell. */
export type Role =
  | { readonly kind: 'heading'; readonly level: number }
  /** `table` is the name of its layer; `row` counts all its rows from 0, headers and footers too. */
  | {
      readonly kind: 'header-cell' | 'cell';
      readonly table: string;
      readonly row: number;
      readonly column: number;
      /** Columns, and lines of its row, that it spans. */
      readonly span: number;
      readonly lines: number;
    }
  /** Shown again on each page, or on many: no content of its own (14.8.2.2, pagination artifact). */
  | { readonly kind: 'artefact' };

export const ARTEFACT: Role = { kind: 'artefact' };
