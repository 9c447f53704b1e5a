// What a text or picture is in a document: for a back end that tags its structure (ISO 32000-1, 14.8.4).
//
// Parts of one thing, such as the lines of a paragraph on two pages, have roles that are equal in what identifies it: the
// name of its layer, and the place of a cell. What has no role is decoration.

/** How the items of a list are marked: names of CSS Counter Styles 3. */
export const LIST_STYLES = [
  ...(['disc', 'circle', 'square', 'decimal', 'decimal-leading-zero'] as const),
  ...(['lower-alpha', 'upper-alpha', 'lower-roman', 'upper-roman'] as const),
] as const;
export type ListStyle = (typeof LIST_STYLES)[number];

/** What is said of a part of a text or of a whole picture. */
interface Inline {
  /** Where it leads, of its link. */
  readonly link?: string | undefined;
  /** BCP 47, where it is not that of the layer. */
  readonly lang?: string | undefined;
  /** Of a picture in a line of text: what it shows; null = nobody has said it. */
  readonly alt?: string | null | undefined;
  /** The number of the footnote that it is the mark of. */
  readonly note?: number | undefined;
}

/** A cell's place among the lines and columns of its row. */
export interface CellPlace {
  readonly column: number;
  /** Columns, and lines of its row, that it spans. */
  readonly span: number;
  readonly line: number;
  readonly lineSpan: number;
}

/** All cells of a row, also those without words. */
export interface RowRole {
  readonly cells: readonly CellPlace[];
  readonly lines: number;
  /** Of the table. */
  readonly columns: number;
}

/** `table` is the name of its layer; `row` counts all its rows from 0, headers and footers too. */
export interface CellRole extends Inline {
  readonly kind: 'header-cell' | 'cell';
  readonly table: string;
  readonly row: number;
  /** Among the cells of its row. */
  readonly index: number;
  readonly of: RowRole;
  /** The total of an e-invoice that it shows. */
  readonly total: string | null;
}

export type Role =
  | (Inline & {
      readonly kind: 'paragraph' | 'heading';
      readonly layer: string;
      /** 1 to 6 of a heading; 0 of other texts. */
      readonly level: number;
      /** BCP 47, of the layer; null = that of the document. */
      readonly language: string | null;
      /** The item of a list that its words or its marker are in, from 1; absent = it is none. */
      readonly item?: { readonly number: number; readonly style: ListStyle; readonly isLabel: boolean };
    })
  | CellRole
  /** `alt` says what a picture shows; null = nobody has said it, '' = it is decoration. */
  | (Omit<Inline, 'alt'> & {
      readonly kind: 'figure';
      readonly layer: string;
      readonly alt: string | null;
      /** Whether there is more to it than its `alt`: the labels of a chart. */
      readonly hasWords: boolean;
    })
  /** The area of a link whose words are none of its own. */
  | (Inline & { readonly kind: 'link'; readonly layer: string })
  /** A footnote, by the number of its mark. */
  | (Inline & { readonly kind: 'note'; readonly number: number })
  /** Shown again on each page, or on many: no content of its own (14.8.2.2, pagination artifact). */
  | { readonly kind: 'artefact' };

export const ARTEFACT: Role = { kind: 'artefact' };
