// Measures leaves by their content: text, images, codes and outlines.
//
// Frames and absolute placement both use this, so a layer has the same size in a frame's flow and out of it.

import type { Rect, Size } from '../geometry.ts';
import { pathBounds } from '../path.ts';
import type {
  CharacterStyle,
  CodeModules,
  CodeNode,
  LeafNode,
  Outline,
  Placement,
  SceneNode,
  TableNode,
  TextNode,
} from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import type { FontMetrics } from '../text/font-face.ts';
import { inRoomyBox, layOutText, longestWord, type PreparedText, prepareText } from '../text/lay-out-text.ts';
import { isVertical } from '../text/line-space.ts';
import type { Paragraph } from '../text/paragraph.ts';
import { PlainLines } from '../text/plain-lines.ts';
import { transferred } from './axis.ts';
import { bordersAlong } from './border-box.ts';
import { captionText } from './code-box.ts';
import type { TableRows } from './table-rows.ts';
import type { fittedRows } from './wide-table.ts';

/** What is already known of a box: CSS's definite sizes, and the space available to sizes that are not given. */
export interface Constraint {
  /** px; null = the content decides. */
  readonly width: number | null;
  readonly height: number | null;
  /** Where text wraps whose width is not given, px; Infinity = nowhere (CSS max-content). */
  readonly maxWidth: number;
  /** The same for the height of vertical text; defaults to the canvas height. */
  readonly maxHeight?: number;
  /** Whether a height that is not given ignores the node's minimum and maximum. */
  readonly isUnbounded?: boolean;
}

/** CSS min- and max-width; the minimum wins. */
export function clampWidth({ minWidth, maxWidth }: Placement, width: number): number {
  return Math.max(minWidth ?? 0, Math.min(width, maxWidth ?? width));
}

/** CSS min- and max-height; the minimum wins. */
export function clampHeight({ minHeight, maxHeight }: Placement, height: number): number {
  return Math.max(minHeight ?? 0, Math.min(height, maxHeight ?? height));
}

/** Module width, bar width and bar height of a code that hugs, px. */
const MODULE = 4;
const BAR_WIDTH = 2;
const BAR_HEIGHT = 80;

/** The sizes and paragraphs of one render: each text is prepared once, and laid out once for each size asked for. */
export class ContentSizes {
  readonly #resources: Resources;
  readonly #fittedRows: typeof fittedRows | null;
  readonly #canvasHeight: number;
  #prepared = new Map<TextNode, PreparedText>();
  #paragraphs = new Map<TextNode, LaidOut[]>();
  readonly #captions = new Map<CodeNode, TextNode>();
  #originals = new Map<TextNode, TextNode>();
  readonly #tables = new Map<TableNode, TableRows[]>();
  /** By style, of which texts share the object: how many there were, and what lays them out. */
  readonly #plain = new Map<CharacterStyle, { count: number; found: { like: TextNode; lines: PlainLines }[] }>();
  /** Of texts that were laid out apart: the characters that no font has, by layer. */
  readonly missing = new Map<string, readonly string[]>();
  #isApart = false;

  /**
   * @param fitted lays out tables; null = it was not loaded
   * @param canvasHeight where vertical text in a frame wraps if nothing else limits it (CSS Writing Modes 4 §7.3)
   */
  constructor(resources: Resources, fitted: typeof fittedRows | null, canvasHeight: number) {
    this.#resources = resources;
    this.#fittedRows = fitted;
    this.#canvasHeight = canvasHeight;
  }

  /** Does some work with texts of which nothing is kept. */
  apart<Result>(work: () => Result): Result {
    const before = [this.#prepared, this.#paragraphs, this.#originals, this.#isApart] as const;
    [this.#prepared, this.#paragraphs, this.#originals, this.#isApart] = [new Map(), new Map(), new Map(), true];
    const result = work();
    [this.#prepared, this.#paragraphs, this.#originals, this.#isApart] = before;
    return result;
  }

  /** False for nodes that take no space: an image that was left out, and what is hidden because it is empty. */
  has(node: SceneNode): boolean {
    if (node.type === 'frame') return !node.hideWhenEmpty || node.children.some((child) => this.has(child));
    if (node.type === 'table') return !node.hideWhenEmpty;
    return node.type !== 'image' || this.#resources.images.has(node.image);
  }

  /** The border box of a leaf, px; minimum, maximum and aspect ratio are respected. */
  measure(node: LeafNode, given: Constraint): Size {
    if (node.type === 'text' && isVertical(node)) return this.#measureVertical(node, given);
    if (node.type === 'table') return this.#measureTable(node, given);
    const p = node.placement;
    const ratio = this.#ratio(node);
    const width =
      given.width ??
      clampWidth(
        p,
        ratio && given.height !== null
          ? Math.max(0, given.height - ratio.around.height) * ratio.value + ratio.around.width
          : this.#widthByRatio(node, ratio, this.#freeWidth(node, given.maxWidth)),
      );
    if (given.height !== null) return { width, height: given.height };
    const height = ratio
      ? Math.max(0, width - ratio.around.width) / ratio.value + ratio.around.height
      : this.#freeHeight(node, width);
    return { width, height: given.isUnbounded ? height : clampHeight(p, height) };
  }

  #measureTable(node: TableNode, given: Constraint): Size {
    const p = node.placement;
    const width = given.width ?? clampWidth(p, Math.min(this.table(node, null).width, given.maxWidth));
    if (given.height !== null) return { width, height: given.height };
    const { height } = this.table(node, width);
    return { width, height: given.isUnbounded ? height : clampHeight(p, height) };
  }

  /** The rows of a table at a width, px; null = as wide as its columns want to be. */
  table(node: TableNode, width: number | null): TableRows {
    const known = remember(this.#tables, node, newList<TableRows>);
    const fits = known.find((rows) => width === null || rows.width === width);
    if (fits && width !== null) return fits;
    if (!this.#fittedRows) throw new Error('The layout of tables was not loaded.');
    const rows = this.#fittedRows(node, width, this.#resources);
    if (width !== null) known.push(rows);
    return rows;
  }

  /** Min- and max-content of a table, px. */
  tableWidths(node: TableNode): { readonly min: number; readonly max: number } {
    return { min: this.table(node, 0).columns.reduce((sum, each) => sum + each, 0), max: this.table(node, null).width };
  }

  /** Clamps a content width by the height limits, if the node has a ratio to keep. */
  #widthByRatio({ placement }: LeafNode, ratio: Ratio | null, width: number): number {
    if (!ratio) return width;
    const { value, around } = ratio;
    const room = (height: number | null) => (height === null ? null : Math.max(0, height - around.height));
    const inner = { ...placement, minHeight: room(placement.minHeight), maxHeight: room(placement.maxHeight) };
    return transferred(inner, value, width - around.width) + around.width;
  }

  /** Measures the height first: it limits the length of the lines, and their number makes the width. */
  #measureVertical(node: TextNode, given: Constraint): Size {
    const p = node.placement;
    const ratio = p.aspectRatio;
    const byWidth = ratio !== null && given.width !== null ? given.width / ratio : null;
    const height =
      given.height ?? clampHeight(p, byWidth ?? this.#freeLength(node, given.maxHeight ?? this.#canvasHeight));
    const byRatio = ratio === null ? null : height * ratio;
    const width = given.width ?? clampWidth(p, byRatio ?? this.paragraph(node, { width: null, height }).size.height);
    return { width, height };
  }

  /** Wraps and fits the text of a node in a box of this size (see layOutText). Results are cached by size. */
  paragraph(node: TextNode, box: { readonly width: number | null; readonly height: number | null }): Paragraph {
    const original = this.#originals.get(node);
    if (original) return this.paragraph(original, box);
    const isTurned = isVertical(node);
    const width = isTurned ? box.height : box.width;
    const height = isTurned ? box.width : box.height;
    const known = remember(this.#paragraphs, node, newList<LaidOut>);
    for (const each of known) if (each.width === width && each.height === height) return each.paragraph;
    const paragraph = this.#layOut(node, width, height, known);
    if (this.#isApart && paragraph.missing.length > 0) this.missing.set(node.name, paragraph.missing);
    known.push({ width, height, paragraph });
    return paragraph;
  }

  #layOut(node: TextNode, width: number | null, height: number | null, known: readonly LaidOut[]): Paragraph {
    const plain = height === null ? this.plainLines(node)?.layOut(node.spans[0]?.text ?? '', width) : null;
    if (plain) return plain;
    const text = this.#prepare(node);
    const free = width !== null && height === null && known.find((each) => each.width === null && each.height === null);
    return (free && inRoomyBox(text, free.paragraph, width)) || layOutText(text, width, height);
  }

  /**
   * What lays out the texts of a style that many have, where they may be plain; null = each is laid out by itself.
   *
   * @param many how many texts of the style there have to be
   */
  plainLines(node: TextNode, many = MANY): PlainLines | null {
    const [span] = node.spans;
    if (span?.style !== node.strut || node.spans.length > 1 || node.list || node.firstLine) return null;
    if (span.raise || span.struts || span.atom || span.counter) return null;
    const known = remember(this.#plain, node.strut, () => ({ count: 0, found: [] }));
    known.count += 1;
    if (known.count < many) return null;
    let own = known.found.find(({ like }) => LINE_PROPERTIES.every((name) => like[name] === node[name]));
    if (!own) {
      own = { like: node, lines: new PlainLines(node, this.#resources.fonts) };
      known.found.push(own);
    }
    return own.lines;
  }

  /** Says that two nodes have the same text, so that it is laid out once for both. */
  sharesText(copy: TextNode, original: TextNode): void {
    this.#originals.set(copy, original);
  }

  /** A text as it is before it is broken into lines. */
  prepared(node: TextNode): PreparedText {
    return this.#prepare(node);
  }

  /** Of the first face of a style. */
  metrics(style: CharacterStyle): FontMetrics {
    const [first] = this.#resources.fonts.chain(style.font);
    if (!first) throw new Error('A style has no face.');
    return first.face.metrics;
  }

  #prepare(given: TextNode): PreparedText {
    const node = this.#originals.get(given) ?? given;
    return remember(this.#prepared, node, () =>
      prepareText(node, this.#resources.fonts, this.#resources.images, this.#resources.hyphenators),
    );
  }

  /** The width of a text's widest unbreakable piece at the smallest size that `autoFit` may use, px. */
  longestWord(node: TextNode): number {
    const plain = this.plainLines(node)?.contentWidths(node.spans[0]?.text ?? '', 0);
    if (plain) return Math.ceil(plain.min * 64) / 64;
    const prepared = this.#prepare(node);
    return Math.ceil(longestWord(prepared) * smallestScale(node) * 64) / 64;
  }

  /** A code's caption as one centred line that shrinks rather than wraps; null when it has none. */
  caption(node: CodeNode): TextNode | null {
    const { caption } = node;
    return caption && remember(this.#captions, node, () => captionText(node, caption));
  }

  /** Whether a picture of a page has neither a size nor one of its own, but proportions alone: it is as wide as its block. */
  isAsWideAsBlock(node: SceneNode): boolean {
    return this.#hasOnlyRatio(node) && node.placement.width.kind === 'hug';
  }

  #hasOnlyRatio(node: SceneNode): boolean {
    if (node.type !== 'image' || !node.isReplaced || node.placement.height.kind !== 'hug') return false;
    return this.#resources.images.get(node.image)?.hasNoSize === true;
  }

  /** The size of a picture, px; null = it was not loaded. */
  pictureSize(image: string): Size | null {
    return this.#resources.images.get(image) ?? null;
  }

  /** The modules of a code. @throws Error when it was not loaded */
  modules(node: CodeNode): CodeModules {
    const modules = this.#resources.codes.get(node.code);
    if (!modules) throw new Error(`The code ${node.code} was not loaded.`);
    return modules;
  }

  /** Whether the node has proportions to keep: from its aspect ratio, its image or its modules. */
  keepsRatio(node: LeafNode): boolean {
    return this.#ratio(node) !== null;
  }

  /** Width over height of the content, and the space around it in the box; null when the sides are independent. */
  #ratio(node: LeafNode): Ratio | null {
    if (node.placement.aspectRatio !== null) return { value: node.placement.aspectRatio, around: NOTHING };
    if (node.type === 'code' && node.square) {
      const { columns, rows } = this.modules(node);
      return { value: columns / rows, around: this.#around(node) };
    }
    if (node.type !== 'image') return null;
    const image = this.#resources.images.get(node.image);
    if (!image || !(image.width > 0 && image.height > 0)) return null;
    return { value: image.width / image.height, around: this.#around(node) };
  }

  #around(node: LeafNode): Size {
    if (node.type === 'image' && (node.border || node.sideBorders)) {
      return { width: bordersAlong(node, true), height: bordersAlong(node, false) };
    }
    const caption = node.type === 'code' ? this.caption(node) : null;
    return caption ? { width: 0, height: this.paragraph(caption, FREE).size.height } : NOTHING;
  }

  #freeWidth(node: LeafNode, maxWidth: number): number {
    if (this.isAsWideAsBlock(node)) return Number.isFinite(maxWidth) ? maxWidth : 0;
    if (node.placement.width.kind === 'percent' && this.#hasOnlyRatio(node)) return WITHOUT_SIZE;
    if (node.type !== 'text') return this.#natural(node as Natural).width + this.#around(node).width;
    return this.#freeLength(node, maxWidth);
  }

  /** The length of a text's longest line where only `most` limits it, px. */
  #freeLength(node: TextNode, most: number): number {
    // Sixty-fourths, browsers' layout unit: a line that fitted when measured still fits after sums and differences.
    const maxContent = Math.ceil(this.paragraph(node, FREE).size.width * 64) / 64;
    return Math.min(maxContent, Math.max(0, most));
  }

  #freeHeight(node: LeafNode, width: number): number {
    if (node.type === 'text') return this.paragraph(node, { width, height: null }).size.height;
    return this.#natural(node as Natural).height + this.#around(node).height;
  }

  /** The natural size of the content, without border and caption, px. */
  #natural(node: Exclude<LeafNode, TextNode | TableNode>): Size {
    switch (node.type) {
      case 'image':
        return this.#resources.images.get(node.image) ?? NOTHING;
      case 'code': {
        const { columns, rows } = this.modules(node);
        return rows === 1
          ? { width: columns * BAR_WIDTH, height: BAR_HEIGHT }
          : { width: columns * MODULE, height: rows * MODULE };
      }
      case 'shape':
        return outlineExtent(node.outline);
      case 'chart':
        return CHART;
    }
  }
}

/** Texts of one style from which on it is worth the time to look whether they are plain. */
const MANY = 50;
/** What lines of one style may differ in. */
const LINE_PROPERTIES = [
  ...([
    'align',
    'alignLast',
    'direction',
    'writingMode',
    'arc',
    'hyphens',
    'textIndent',
    'lineBreak',
    'wordBreak',
  ] as const),
  ...(['overflowWrap', 'autoFitMin', 'autoFitMax'] as const),
] as const;

/** Of a chart that hugs. */
const CHART: Size = { width: 320, height: 200 };

/** What has a size of its own. */
type Natural = Exclude<LeafNode, TextNode | TableNode>;

interface Ratio {
  readonly value: number;
  readonly around: Size;
}

/** A paragraph and its limits, px: `width` along its lines, `height` across them; null = no limit. */
interface LaidOut {
  readonly width: number | null;
  readonly height: number | null;
  readonly paragraph: Paragraph;
}

const newList = <T>(): T[] => [];

function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The smallest scale that `autoFit` may use. */
function smallestScale({ spans, autoFitMin }: TextNode): number {
  if (autoFitMin === null) return 1;
  return Math.min(1, autoFitMin / Math.max(...spans.map(({ style }) => style.fontSize)));
}

const FREE = { width: null, height: null };
/** CSS 2, 10.3.2: how wide a picture is that has no width, px. */
const WITHOUT_SIZE = 300;
const NOTHING: Size = { width: 0, height: 0 };

/** The extent of an outline with its own coordinates, from the top left of its box, px. */
function outlineExtent(outline: Outline): Size {
  switch (outline.kind) {
    case 'line':
    case 'polygon':
      return reach(pathBounds((outline.points ?? []).map(({ x, y }) => ['L', x, y])));
    case 'path':
      return outline.viewBox ?? reach(pathBounds(outline.path));
    default:
      return NOTHING;
  }
}

function reach(bounds: Rect | null): Size {
  if (bounds === null) return NOTHING;
  return { width: Math.max(0, bounds.x + bounds.width), height: Math.max(0, bounds.y + bounds.height) };
}
