// Resolves the cells of a table: their styles, each kind of row once, and their places among the spans of others.

import { lazily } from '../lazily.ts';
import {
  type Cell,
  type CellStyle,
  cellObject,
  cellStyleOf,
  placeCells,
  type RowObject,
  type TableLayer,
} from '../template/table-layer.ts';
import { TextLayer } from '../template/text-layer.ts';
import { PLAIN_NODE } from './plain-node.ts';
import { PLAIN_TEXT } from './plain-text.ts';
import { resolveBorder, resolveEdges, resolveFill } from './resolve-style.ts';
import { resolveCharacterStyle } from './resolve-text.ts';
import type { Sides, TableCell } from './scene.ts';

export type CellObject = Exclude<Cell, string>;

/** A cell as it is written, and as it is drawn. */
export interface ResolvedCell {
  readonly given: CellObject;
  readonly cell: TableCell;
}

export class CellResolver {
  readonly #layer: TableLayer;
  readonly #lang: string | null;
  readonly #isRtl: boolean;
  readonly #styled = new Map<string, TableCell>();

  constructor(layer: TableLayer, lang: string | null, isRtl: boolean) {
    this.#layer = layer;
    this.#lang = lang;
    this.#isRtl = isRtl;
  }

  /** The cells of lines that stay together. @param style of all of them, which wins over their columns' */
  row(lines: readonly RowObject[], style: CellStyle): readonly ResolvedCell[] {
    const cells = lines.map((line) => line.cells.map(cellObject));
    return placeCells(cells).flatMap((places, line) =>
      places.map((place, index) => {
        const given = cells[line]?.[index] as CellObject;
        return { given, cell: { ...this.#cell(given, style, place.column), ...place } };
      }),
    );
  }

  /** A cell with styles of its own in one row. */
  restyled({ given, cell }: ResolvedCell, ofRow: CellStyle, own: CellStyle): TableCell {
    const { column, span, line, lineSpan } = cell;
    const key = JSON.stringify([given, column, line, ofRow, own]);
    let styled = this.#styled.get(key);
    if (!styled) {
      styled = { ...this.#cell({ ...given, ...own }, ofRow, column), column, span, line, lineSpan };
      this.#styled.set(key, styled);
    }
    return styled;
  }

  /** Sides of which the left is the start. */
  #fromStart<T>(sides: Sides<T>): Sides<T> {
    return this.#isRtl ? { ...sides, left: sides.right, right: sides.left } : sides;
  }

  #cell(cell: CellObject, ofRow: CellStyle, column: number): Omit<TableCell, 'column' | 'span' | 'line' | 'lineSpan'> {
    const given = this.#layer.columns[column];
    const ofColumn = typeof given === 'object' ? cellStyleOf(given) : {};
    const style = {
      ...cellStyleOf(this.#layer.cell),
      ...ofColumn,
      ...cellStyleOf(ofRow),
      ...cellStyleOf(cell),
    };
    const { align = 'start', verticalAlign = 'top', padding = 4, background = null, ...rest } = style;
    const { border = null, borderTop, borderRight, borderBottom, borderLeft, ...text } = rest;
    const { direction = 'auto', hyphens = 'manual', maxLines = null, overflow = 'visible', ...lines } = text;
    const {
      lineBreak = 'auto',
      overflowWrap = 'break-word',
      textWrap = 'wrap',
      wordBreak = 'normal',
      ...letters
    } = lines;
    const side = (own: typeof borderTop) => resolveBorder(own === undefined ? border : own);
    const borders = this.#fromStart({
      top: side(borderTop),
      right: side(borderRight),
      bottom: side(borderBottom),
      left: side(borderLeft),
    });
    const strut = resolveCharacterStyle({ ...plainLetters(), ...letters, lang: letters.lang ?? this.#lang });
    return {
      text: {
        ...PLAIN_NODE,
        ...PLAIN_TEXT,
        placement: FLOWING,
        ...{ direction, hyphens, lineBreak, maxLines, overflow, overflowWrap, textWrap, wordBreak, verticalAlign },
        name: this.#layer.name,
        align: this.#isRtl ? (AT_RIGHT[align] ?? align) : align,
        keepsNumbers: true,
        strut,
        spans: [{ text: '', style: strut, link: null, counter: null, image: null }],
      },
      padding: this.#fromStart(resolveEdges(padding)),
      background: background === null ? null : resolveFill(background),
      leader: cell.leader ?? null,
      total: cell.total ?? null,
      borders: Object.values(borders).some((each) => each !== null) ? borders : null,
    };
  }
}

/** Where texts start and end in a table from right to left, whatever their own direction is. */
const AT_RIGHT: Partial<Record<TextLayer['align'], TextLayer['align']>> = { start: 'right', end: 'left' };

/** The character styles of a text layer without any. */
const plainLetters = /* @__PURE__ */ lazily(() => TextLayer.parse({ type: 'text', name: 'cell', fontSize: 12 }));

const FLOWING = { ...PLAIN_NODE.placement, absolute: false };
