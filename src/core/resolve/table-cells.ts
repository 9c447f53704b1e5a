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
import { parseInlineMarkdown } from './inline-markdown.ts';
import { PLAIN_NODE } from './plain-node.ts';
import { PLAIN_TEXT } from './plain-text.ts';
import { captionOf, SQUARE } from './printed-digits.ts';
import { resolveBorder, resolveCorners, resolveEdges, resolveFill } from './resolve-style.ts';
import { markedSpan, resolveCharacterStyle } from './resolve-text.ts';
import type { CharacterStyle, Sides, TableCell, TextSpan } from './scene.ts';

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
  readonly #path: string;
  readonly #styled = new Map<string, TableCell>();

  /** @param path of the table in the input */
  constructor(layer: TableLayer, lang: string | null, isRtl: boolean, path: string) {
    this.#layer = layer;
    this.#path = path;
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

  #content(cell: CellObject, letter: ReturnType<typeof plainLetters>, strut: CharacterStyle): TableCell['content'] {
    const { name } = this.#layer;
    if (cell.image) {
      const { width, height, fit, borderRadius } = cell.image;
      const own = {
        image: '',
        fit,
        zoom: 1,
        focus: { x: 0.5, y: 0.5 },
        isPixelated: false,
        border: null,
        sideBorders: null,
      };
      const node = { ...PLAIN_NODE, name, type: 'image', ...own, radii: resolveCorners(borderRadius) } as const;
      return { kind: 'image', node, width, height };
    }
    if (cell.code) {
      const { format, width, height, color, background, errorCorrection, quietZone, showText } = cell.code;
      const caption = showText && format !== 'qr' ? captionOf({ format, value: '', color, height }) : null;
      const fill = { fill: resolveFill(color), background: background === null ? null : resolveFill(background) };
      const square = format === 'qr' || SQUARE.includes(format);
      const node = { ...PLAIN_NODE, name, type: 'code', code: '', square, ...fill, caption, digits: null } as const;
      const need = { format, errorCorrection: format === 'qr' ? errorCorrection : null, path: this.#path };
      return {
        kind: 'code',
        node,
        need: { ...need, quietZone: quietZone ?? (format === 'qr' ? 4 : null) },
        size: { width, height },
      };
    }
    if (cell.markup === 'markdown' && !cell.spans) return { kind: 'markdown', style: letter };
    const spans = cell.spans ?? (cell.link ? [{ text: '', link: cell.link }] : []);
    if (spans.length === 0) return null;
    return {
      kind: 'spans',
      spans: spans.map(({ text: _, name: __, format: ___, link = cell.link, image = null, ...own }) => {
        const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
        const picture = image && { image: '', width: image.width, height: image.height, align: image.verticalAlign };
        return {
          ...{ text: '', counter: null, image: picture, isLinked: typeof link === 'object' && link !== null },
          style: Object.keys(given).length === 0 ? strut : resolveCharacterStyle({ ...letter, ...given }),
          link: typeof link === 'string' ? link : null,
        };
      }),
    };
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
    const letter = { ...plainLetters(), ...letters, lang: letters.lang ?? this.#lang };
    const strut = resolveCharacterStyle(letter);
    const isDecimal = align === 'decimal';
    const aligned = isDecimal ? 'right' : this.#isRtl ? (AT_RIGHT[align] ?? align) : align;
    return {
      text: {
        ...PLAIN_NODE,
        ...PLAIN_TEXT,
        placement: FLOWING,
        ...{ direction, hyphens, lineBreak, maxLines, overflow, overflowWrap, textWrap, wordBreak, verticalAlign },
        name: this.#layer.name,
        align: aligned,
        keepsNumbers: true,
        strut,
        spans: [{ text: '', style: strut, link: null, counter: null, image: null }],
      },
      padding: this.#fromStart(resolveEdges(padding)),
      background: background === null ? null : resolveFill(background),
      leader: cell.leader ?? null,
      total: cell.total ?? null,
      continued: cell.continued ?? null,
      content: this.#content(cell, letter, strut),
      decimal: isDecimal ? decimalSign(letter.lang) : null,
      borders: Object.values(borders).some((each) => each !== null) ? borders : null,
    };
  }
}

/** By the style of a cell and its marks: one object for each, so that letters are told of each once. */
const markedStyles = new WeakMap<object, Map<string, CharacterStyle>>();

/** Between the texts of a cell's spans, in a row; values do not have it. */
export const BETWEEN_SPANS = '\u001e';

/** What a cell shows in a row. @param text that it has there */
export function spansOf({ text: node, content }: TableCell, text: string): readonly TextSpan[] {
  const [plain] = node.spans;
  if (!plain) return [];
  let spans: readonly TextSpan[] = [];
  if (content?.kind === 'markdown') {
    const { style } = content;
    const known = markedStyles.get(style) ?? new Map<string, CharacterStyle>();
    markedStyles.set(style, known);
    spans = parseInlineMarkdown(text).map((marked) => {
      const { text: _, ...marks } = marked;
      const key = JSON.stringify({ ...marks, link: marks.link !== null });
      const span = markedSpan(style, marked);
      if (!known.has(key)) known.set(key, span.style);
      return { ...span, style: known.get(key) ?? span.style };
    });
  } else if (content?.kind === 'spans') {
    const parts = text.split(BETWEEN_SPANS)[Symbol.iterator]();
    const next = (): string => parts.next().value ?? '';
    spans = content.spans.flatMap(({ isLinked, image, ...span }) => {
      const own = next();
      const link = isLinked ? next() || null : span.link;
      if (own === '') return [];
      return [
        image
          ? { ...span, link, text: '\ufffc', image: { ...image, image: own } }
          : { ...span, link, text: own, image },
      ];
    });
  }
  if (spans.length > 0) return spans;
  return [content?.kind === 'spans' ? plain : { ...plain, text }];
}

/** Of a language: the point of `1.5`. */
function decimalSign(lang: string | null): string {
  const parts = new Intl.NumberFormat([lang ?? 'en-US', 'en-US'], { minimumFractionDigits: 1 }).formatToParts(1);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}

/** Where texts start and end in a table from right to left, whatever their own direction is. */
const AT_RIGHT: Partial<Record<TextLayer['align'], TextLayer['align']>> = { start: 'right', end: 'left' };

/** The character styles of a text layer without any. */
const plainLetters = /* @__PURE__ */ lazily(() => TextLayer.parse({ type: 'text', name: 'cell', fontSize: 12 }));

const FLOWING = { ...PLAIN_NODE.placement, absolute: false };
