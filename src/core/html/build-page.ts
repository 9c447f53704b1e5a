// Makes the boxes of a page: elements with their styles → nodes of a scene, which layout places (CSS 2, 9.2; CSS Display 3).

import type { Cascade, Declared } from '../css/cascade.ts';
import { type CssElement, isElement } from '../css/selectors.ts';
import type { Radius, Size } from '../geometry.ts';
import { NeedsCollector } from '../resolve/needs.ts';
import { PLAIN_FRAME, PLAIN_NODE, plainFlex, unpackedCells } from '../resolve/plain-node.ts';
import { PLAIN_TEXT } from '../resolve/plain-text.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type {
  Border,
  CharacterStyle,
  Fill,
  Fragmentation,
  FrameNode,
  ImageNode,
  InlineAtom,
  NamedString,
  Placement,
  RowLayout,
  SceneNode,
  Sides,
  Strut,
  TextDecoration,
  TextNode,
  TextSpan,
  Tiles,
} from '../resolve/scene.ts';
import { Counters, counterText, isKnownStyle, isSymbol, markerText } from '../text/counters.ts';
import { inColumns } from './column-frames.ts';
import { effectsOf } from './effects.ts';
import { dropOf, fieldEdges, fieldParts, fieldSize, fieldText, isField, isHint, isOfWords } from './form-fields.ts';
import { InlineRun, loneWords, type WordsOf } from './inline-run.ts';
import { asLength, parsePx } from './lengths.ts';
import { nameLost } from './name-lost.ts';
import {
  asBorders,
  type Background,
  type BackgroundLayer,
  backgroundOf,
  borderImageOf,
  bordersOf,
  clearBorders,
  isFilled,
  isPixelated,
  positionOf,
  radiiOf,
  shadowsOf,
} from './paint-style.ts';
import {
  breaksOf,
  clearOf,
  columnsOf,
  flexOf,
  gridOf,
  NO_CORNERS,
  NO_EDGES,
  paddingOf,
  placementOf,
  rigidOf,
  type Surroundings,
} from './placement.ts';
import { splitValue } from './shorthands.ts';
import { type Stacking, stackingLevel, stackingOf } from './stacking.ts';
import { type Declarations, Style, type StyleContext, type StyleKind } from './style.ts';
import {
  collapsedBorders,
  displayOf,
  type PackedCell,
  packedCell,
  RowPacker,
  type TableCellModel,
  tableModel,
  withTables,
} from './table-model.ts';
import {
  alignOf,
  bidiMarks,
  cellAlignment,
  characterStyle,
  decorationsOf,
  linesOf,
  raiseOf,
  staysInLine,
  whiteSpaceOf,
} from './text-style.ts';
import { REPLACED, renderedChildren, wordsIn } from './user-agent.ts';

/** What an element hands on to what is in it. */
interface Context {
  readonly style: Style;
  readonly decorations: readonly TextDecoration[];
  /** What shows through letters without a colour of their own (CSS Backgrounds 4, 3.8, `background-clip: text`). */
  readonly behindLetters: Fill | null;
  readonly link: string | null;
  readonly lang: string | null;
  /** Of the names of its nodes: that of the list and entry around it. */
  readonly prefix: string;
  /** Receives what is placed in the nearest positioned box, and on the page. */
  readonly positioned: Placed;
  readonly fixed: Placed;
  /** 1 to 6, in a heading. */
  readonly heading: number | null;
}

/** What is placed in a box. */
interface Placed {
  readonly nodes: SceneNode[];
  /** Whether a stacking context stands between: then it is painted there, and only placed in the box. */
  readonly isApart: boolean;
}

/** What is read of a style once. */
interface Look extends Pick<FrameNode, 'radii' | 'shadows' | 'fragmentation' | 'padding'> {
  readonly borders: Pick<FrameNode, 'border' | 'sideBorders'>;
  readonly borderImage: FrameNode['borderImage'];
  readonly background: Background;
  readonly effects: ReturnType<typeof effectsOf>;
  readonly stacking: Stacking;
  readonly textShadows: FrameNode['shadows'];
  readonly lines: ReturnType<typeof linesOf>;
  readonly whiteSpace: string;
}

/** The letters of a kind of styles, as they were last. */
interface KnownText {
  readonly of: Pick<Context, 'decorations' | 'behindLetters' | 'lang'>;
  readonly style: CharacterStyle;
}

export interface PartCascades {
  readonly before: Cascade<CssElement>;
  readonly after: Cascade<CssElement>;
  readonly marker: Cascade<CssElement>;
  readonly firstLetter: Cascade<CssElement>;
  readonly firstLine: Cascade<CssElement>;
}

/** The first line of a block that has a style of its own there. */
interface FirstLine {
  readonly block: Style;
  readonly style: Style;
  /** What has the line; null = no words have come yet. */
  flow: BlockFlow | null;
  /** Of the elements in it, and of their words. */
  readonly inLine: Map<Style, Style>;
  readonly words: Map<CharacterStyle, CharacterStyle>;
}

/** What the page knows of its elements. */
export interface PageElements {
  /** The address of what an element shows; null = it is no picture. */
  sourceOf(element: CssElement): string | null;
  /** The element that one is in; null = it is the root. */
  parentOf(element: CssElement): CssElement | null;
}

const HEADING = /^h([1-6])$/;
/** Letters of scripts that are written from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
/** One object, by which texts of one style are known to be alike. */
const NO_DECORATIONS: Context['decorations'] = [];
const VALID_LINK = /^(https?:\/\/|mailto:|tel:|#)[^\s\\]*$/i;

export interface BuiltPage {
  readonly root: FrameNode;
  /** Of the canvas. */
  readonly background: Fill | null;
  /** On sheets, what is behind all that is within their margins; absent = nothing is. */
  readonly canvas?: FrameNode | null;
  /** On sheets: what is placed on the first of them, and on each. */
  readonly initial: readonly SceneNode[];
  readonly fixed: readonly SceneNode[];
}

export interface BuildOptions {
  readonly tracesInlines: boolean;
  /** Whether the root and the body are at least as high as the canvas. */
  readonly fillsCanvas: boolean;
  readonly ignoresStrut: boolean;
  /** The names of the boxes that are linked to in a document, by what a link says. */
  readonly targets: ReadonlyMap<string, string>;
  /** From how many rows on a table's are packed. */
  readonly longTable: number;
}

export class PageBuilder {
  readonly needs = new NeedsCollector();
  readonly #context: StyleContext;
  readonly #parts: PartCascades;
  readonly #elements: PageElements;
  readonly #counters = new Counters();
  readonly #names = new Map<string, number>();
  /** Of masks that have nodes, which are of this page alone. */
  readonly #looks = new Map<StyleKind, Look>();
  /** Of cells, by their kind, as they were last. */
  readonly #cellWords = new Map<
    StyleKind,
    { readonly context: Context; readonly strut: CharacterStyle; readonly whiteSpace: string }
  >();
  readonly #beside = new Map<Style, boolean>();
  readonly #styles = new Map<CssElement, Style>();
  /** The node of each element where inlines are traced, for tests and tools. */
  readonly boxes = new Map<CssElement, SceneNode>();

  /** Whether elements in lines have a box even where nothing of it is seen. */
  readonly #tracesInlines: boolean;
  readonly #fillsCanvas: boolean;
  readonly ignoresStrut: boolean;
  readonly #targets: BuildOptions['targets'];
  /** All that named strings say. */
  readonly strings: string[] = [];
  readonly #longTable: number;

  constructor(context: StyleContext, parts: PartCascades, elements: PageElements, options: BuildOptions) {
    this.#tracesInlines = options.tracesInlines;
    this.#fillsCanvas = options.fillsCanvas;
    this.ignoresStrut = options.ignoresStrut;
    this.#targets = options.targets;
    this.#longTable = options.longTable;
    this.#context = context;
    this.#parts = parts;
    this.#elements = elements;
  }

  #told(element: CssElement, node: SceneNode): void {
    if (this.#tracesInlines) this.boxes.set(element, node);
  }

  /** The page as one frame, with what its canvas is filled with. */
  build(html: CssElement, isPaged: boolean): BuiltPage {
    this.#isPaged = isPaged;
    const { width, height } = this.#context.kinds.viewport;
    const [fixed, initial]: [SceneNode[], SceneNode[]] = [[], []];
    const style = this.#styleOf(html, null);
    const context: Context = {
      ...{
        style,
        decorations: NO_DECORATIONS,
        behindLetters: null,
        link: null,
        prefix: '',
        positioned: { nodes: initial, isApart: false },
        fixed: { nodes: fixed, isApart: false },
        heading: null,
      },
      lang: html.attributes.get('lang') ?? null,
    };
    const flow = new BlockFlow(this, context, 'block');
    const body = html.children.find((child): child is CssElement => typeof child !== 'string' && child.name === 'body');
    // CSS Backgrounds 3, 2.11.2: the canvas has the background of the root, or else of the body.
    const canvasOf = [style, ...(body ? [this.#styleOf(body, style)] : [])].find((each) =>
      isFilled(backgroundOnce(each)),
    );
    if (canvasOf) this.#canvas = canvasOf;
    this.element(html, flow, context);
    const nodes = flow.ended();
    const root: FrameNode = {
      ...PLAIN_FRAME,
      ...{ name: this.nameOf(html, context), layout: { type: 'block', isRoot: true } },
      placement: {
        ...PLAIN_NODE.placement,
        width: { kind: 'px', value: width },
        height: isPaged ? { kind: 'hug' } : { kind: 'px', value: height },
        // CSS 2, 10.1: the initial containing block.
        isContaining: 'fixed',
      },
      children: isPaged ? nodes : [...nodes, ...initial, ...fixed],
    };
    const onSheets = isPaged ? { initial, fixed } : { initial: [], fixed: [] };
    const { color, layers } = canvasOf ? backgroundOnce(canvasOf) : { color: null, layers: [] };
    const fills = layers.flatMap((layer) => (layer.kind === 'fill' && !layer.tiles ? [layer.fill] : []));
    const isOneFill = layers.length === 0 || (layers.length === 1 && fills.length === 1 && !color);
    const background: Fill | null = isOneFill ? (fills[0] ?? (color && { kind: 'solid', color })) : null;
    if (!isPaged && isOneFill) return { root, background, ...onSheets };
    const behind = isOneFill || !canvasOf ? [] : this.#backgroundNodes(backgroundOnce(canvasOf), 'canvas', NO_CORNERS);
    const behindAll = isOneFill ? background : color && ({ kind: 'solid', color } as const);
    if (!isPaged)
      return {
        root: { ...root, background: behindAll, children: [...behind, ...root.children] },
        background: null,
        ...onSheets,
      };
    const placement = { ...PLAIN_NODE.placement, inset: sidesOf(() => px(0)) };
    const canvas: FrameNode = { ...PLAIN_FRAME, name: 'canvas', background: behindAll, children: behind, placement };
    return { root, background: null, ...onSheets, canvas: canvasOf ? canvas : null };
  }

  /** A box in the margins of sheets, which is in no element; null = it has no content (CSS Page 3, 5). */
  marginBox(name: string, html: CssElement, cascade: Cascade<CssElement>): FrameNode | null {
    const style = new Style(html, this.#styleOf(html, null), this.#context, cascade);
    if (/^(|none|normal)$/i.test(style.get('content'))) return null;
    const context = this.#contextOnSheets(style, html);
    const flow = new BlockFlow(this, context, 'block');
    const element = { name: '::margin', attributes: new Map(), children: this.#contentOf(style, true) };
    this.children(element, style, flow, context);
    const placement = { ...PLAIN_NODE.placement, absolute: false };
    const content: FrameNode = {
      ...{ ...PLAIN_FRAME, name: `${name} content`, layout: { type: 'block', isRoot: true }, placement },
      children: flow.ended(),
    };
    const justify = { top: 'start', bottom: 'safe end' }[style.word('vertical-align')] as
      | 'start'
      | 'safe end'
      | undefined;
    const layout = { ...plainFlex('column'), justify: justify ?? 'safe center' } as const;
    const shown = this.nameOf({ ...element, name }, context);
    return this.#framed(style, shown, layout, [content], context, { within: 'flex', fills: false });
  }

  /** A sheet's own box; null = nothing of it is seen. */
  sheetBox(html: CssElement, { width, height }: Size, cascade: Cascade<CssElement>): FrameNode | null {
    const style = new Style(html, this.#styleOf(html, null), this.#context, cascade);
    if (!isFilled(this.lookOf(style).background)) return null;
    const [context, where] = [this.#contextOnSheets(style, html), { within: 'block', fills: false } as const];
    const frame = this.#framed(style, '@page', { type: 'block', isRoot: true }, [], context, where);
    return { ...frame, placement: { ...PLAIN_NODE.placement, width: px(width), height: px(height) } };
  }

  #contextOnSheets(style: Style, html: CssElement): Context {
    const placed: Placed = { nodes: [], isApart: false };
    return {
      ...{ style, decorations: NO_DECORATIONS, behindLetters: null, link: null, prefix: '', heading: null },
      ...{ positioned: placed, fixed: placed, lang: html.attributes.get('lang') ?? null },
    };
  }

  /** Whether a block is in an item of a flex box or grid, or in a cell, where Chromium ends a page against `widows`. */
  isBesideOthers(style: Style): boolean {
    const known = this.#beside.get(style);
    if (known !== undefined) return known;
    const { parent } = style;
    const isItem = /(flex|grid|-box)$/.test(parent?.word('display') ?? '') || style.word('display') === 'table-cell';
    const found = isItem || (parent !== null && this.isBesideOthers(parent));
    this.#beside.set(style, found);
    return found;
  }

  /** All letters that a span may show. */
  lettersOf({ text, atom, counter }: TextSpan): string {
    if (atom) return '';
    if (counter === null) return text;
    return typeof counter === 'object' && 'stringOf' in counter ? this.strings.join('') : '0123456789';
  }

  #isPaged = false;
  #canvas: Style | null = null;
  /** Of the elements that have boxes so far. */
  #count = 0;
  /** The block of which the first letter has not come yet, if it has a style of its own. */
  #letterOf: Style | null = null;
  #line: FirstLine | null = null;

  #styleOf(element: CssElement, parent: Style | null): Style {
    let known = this.#styles.get(element);
    if (!known) {
      known = new Style(element, parent, this.#context);
      this.#styles.set(element, known);
    }
    return known;
  }

  nameOf(element: CssElement, { prefix }: Pick<Context, 'prefix'>): string {
    const layer = element.attributes.get('data-layer') ?? this.#targets.get(`#${element.attributes.get('id')}`);
    const base = layer ?? element.name;
    const count = (this.#names.get(prefix + base) ?? 0) + 1;
    this.#names.set(prefix + base, count);
    return `${prefix}${base}${layer !== undefined && count === 1 ? '' : ` ${count}`}`;
  }

  textOf(context: Context): CharacterStyle {
    const { style, behindLetters } = context;
    return this.#knownText(context, ({ decorations, lang }) => {
      const own = characterStyle(style, decorations, lang);
      const isClear = own.fill.kind === 'solid' && own.fill.color.a === 0 && style.word('visibility') === 'visible';
      return behindLetters && isClear ? { ...own, fill: behindLetters } : own;
    });
  }

  #knownText({ style, decorations, behindLetters, lang }: Context, make: (of: KnownText['of']) => CharacterStyle) {
    const latest = style.once('text', (): { known: KnownText | null } => ({ known: null }));
    const of = latest.known?.of;
    if (!of || of.decorations !== decorations || of.behindLetters !== behindLetters || of.lang !== lang) {
      const own = { decorations, behindLetters, lang };
      latest.known = { of: own, style: make(own) };
    }
    return (latest.known as KnownText).style;
  }

  /** What a box looks like, and how its lines are, once for all that are alike. */
  lookOf(style: Style): Look {
    if (/^(none)?$/i.test(style.get('mask-image'))) return style.once('look', (one) => this.#look(one));
    const known = this.#looks.get(style.kind) ?? this.#look(style);
    this.#looks.set(style.kind, known);
    return known;
  }

  #look(style: Style): Look {
    nameLost(style);
    return {
      ...fieldEdges(style, { padding: paddingOf(style), borders: bordersOf(style), radii: radiiOf(style) }),
      borderImage: borderImageOf(style),
      background: backgroundOnce(style),
      effects: effectsOf(style, (layers) => this.#maskNodes(layers, style)),
      stacking: stackingOf(style),
      shadows: shadowsOf(style, 'box-shadow'),
      textShadows: shadowsOf(style, 'text-shadow').map((shadow) => ({
        ...shadow,
        inset: false,
        spread: 0,
        ofLetters: true,
      })),
      fragmentation: breaksOf(style),
      lines: linesOf(style),
      whiteSpace: whiteSpaceOf(style),
    };
  }

  placementOf(style: Style, where: Surroundings): Placement {
    const { within, fills, rigid } = where;
    return style.once(`placement ${within} ${fills} ${rigid.width} ${rigid.height}`, (one) => placementOf(one, where));
  }

  contextOf(element: CssElement, style: Style, around: Context): Context {
    const own = style.once('decorations', decorationsOf);
    const href = element.name === 'a' ? element.attributes.get('href')?.trim() : undefined;
    const isApart =
      /^inline-|^table/.test(style.word('display')) ||
      style.word('float') === 'left' ||
      style.word('float') === 'right' ||
      /^(absolute|fixed)$/.test(style.word('position'));
    const passed = isApart ? NO_DECORATIONS : around.decorations;
    const [, level] = HEADING.exec(element.name) ?? [];
    return {
      ...around,
      style,
      decorations: !own ? passed : passed.length === 0 ? own : [...passed, ...own],
      ...(style.word('background-clip') === 'text' && {
        behindLetters: this.#fillOf(this.lookOf(style).background, style),
      }),
      link: (href?.startsWith('#') ? this.#targets.get(href) : href && VALID_LINK.test(href) && href) || around.link,
      lang: element.attributes.get('lang') ?? around.lang,
      heading: level === undefined ? around.heading : Number(level),
    };
  }

  /** Adds the boxes of an element to what it is in. */
  element(element: CssElement, flow: BlockFlow, around: Context): void {
    const style = this.#styleOf(element, around.style);
    if (style.word('display') === 'none') return;
    this.#counters.enter(style);
    this.#enterList(element, style);
    const context = this.contextOf(element, style, around);
    if (element.name === 'br') flow.breakLine(this.wordsOf(context, flow.context), clearOf(style));
    else if (element.name === '::page') flow.counter(counterOf(element), this.wordsOf(context, flow.context));
    else if (element.name === 'wbr') flow.words('\u200b', this.wordsOf(context, flow.context));
    else if (style.word('display') === 'contents') this.children(element, style, flow, context);
    else this.#box(element, style, flow, context);
    this.#counters.leave();
  }

  #enterList(element: CssElement, style: Style): void {
    const number = (name: string) => {
      const value = element.attributes.get(name);
      return value !== undefined && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : null;
    };
    if (/^(ol|ul|menu|dir)$/.test(element.name)) this.#counters.reset('list-item', (number('start') ?? 1) - 1);
    if (style.word('display') === 'list-item') {
      const value = element.name === 'li' ? number('value') : null;
      if (value === null) this.#counters.increment('list-item', 1);
      else this.#counters.set('list-item', value);
    }
  }

  /** The children of an element, with what is generated around them. */
  children(element: CssElement, style: Style, flow: BlockFlow, context: Context): void {
    const isGenerated = element.name.startsWith('::');
    const quotes = element.name === 'q' ? this.#quotesAround(style, context) : null;
    if (!isGenerated) this.#generated(style, this.#parts.before, flow, context);
    if (quotes) flow.words(quotes[0], this.wordsOf(context, flow.context));
    for (const child of withTables(renderedChildren(element), (one) => displayOf(this.#styleOf(one, style)))) {
      if (typeof child === 'string') this.#words(child, flow, context);
      else if (child.name === '::table') this.#anonymousTable(child, style, flow, context);
      else this.element(child, flow, context);
    }
    if (quotes) flow.words(quotes[1], this.wordsOf(context, flow.context));
    if (!isGenerated) this.#generated(style, this.#parts.after, flow, context);
  }

  #words(text: string, flow: BlockFlow, context: Context): void {
    const isBlank = text.trim() === '';
    if (this.#line && !isBlank) this.#line.flow ??= flow;
    const block = isBlank ? null : this.#letterOf;
    if (!block) {
      flow.words(text, this.wordsOf(context, flow.context));
      return;
    }
    this.#letterOf = null;
    const start = text.length - text.trimStart().length;
    const end = start + firstLetter(text.slice(start));
    // In the first line, it takes over what that has.
    const around = this.#line ? this.#styleInLine(context.style, this.#line) : context.style;
    const style = around.firstOf(this.#parts.firstLetter, block);
    const letter: CssElement = { name: '::first-letter', attributes: new Map(), children: [text.slice(start, end)] };
    if (style) {
      this.#styles.set(letter, style);
      flow.words(text.slice(0, start), this.wordsOf(context, flow.context));
      this.#box(letter, style, flow, this.contextOf(letter, style, context));
    }
    flow.words(text.slice(style ? end : 0), this.wordsOf(context, flow.context));
  }

  /** Builds what is in a block: its first letter and line are also those of blocks around, unless it keeps to itself. */
  #inBlock<T>({ name }: CssElement, style: Style, isApart: boolean, build: () => T): T {
    const of = (cascade: Cascade<CssElement>) => (name.startsWith('::') ? null : style.firstOf(cascade, style));
    const [letterOf, line] = [this.#letterOf, this.#line];
    this.#letterOf = of(this.#parts.firstLetter) ? style : isApart ? null : letterOf;
    const inLine = of(this.#parts.firstLine);
    if (inLine && isFilled(backgroundOnce(inLine))) inLine.lost('background', 'of ::first-line');
    const own = { block: style, flow: null, inLine: new Map(), words: new Map() };
    this.#line = inLine ? { ...own, style: inLine } : isApart ? null : line;
    const built = build();
    this.#letterOf = !isApart && this.#letterOf === null ? null : letterOf;
    if (line && !isApart) line.flow ??= this.#line?.flow ?? null;
    this.#line = line;
    return built;
  }

  /** The style of an element in the first line of a block around it. */
  #styleInLine(style: Style, line: FirstLine): Style {
    let known = style === line.block ? line.style : line.inLine.get(style);
    if (!known) {
      known = style.parent ? style.under(this.#styleInLine(style.parent, line)) : style;
      line.inLine.set(style, known);
    }
    return known;
  }

  /** The styles of words in the first line of a flow; null = they are those of the other lines. */
  firstLineOf(flow: BlockFlow, spans: readonly TextSpan[], strut: CharacterStyle): TextNode['firstLine'] | null {
    if (!this.#line || this.#line.flow !== flow) return null;
    this.wordsOf(flow.context, flow.context);
    const { words } = this.#line;
    return { styles: spans.map(({ style }) => words.get(style) ?? style), strut: words.get(strut) ?? strut };
  }

  /** CSS 2, 17.2.1: the table around rows and cells that are in none. */
  #anonymousTable(element: CssElement, around: Style, flow: BlockFlow, context: Context): void {
    const style = new Style(element, around, this.#context, OF_TABLES);
    const isInline = flow.within === 'block' && around.word('display') === 'inline';
    const within = isInline ? 'line' : flow.within;
    const node = this.#table(element, style, { ...context, style }, { within, fills: false });
    if (isInline) flow.atom(node, 'baseline', this.wordsOf(context, flow.context));
    else flow.block(node);
  }

  /** HTML, 15.3.6: by language, and others in quotations. */
  #quotesAround(style: Style, { lang }: Context): readonly [string, string] | null {
    if (/^none$/i.test(style.get('quotes'))) return null;
    const given = splitValue(style.get('quotes')).map((each) => unescaped(each.replace(/^["']|["']$/g, '')));
    let depth = 0;
    for (let each = style.parent; each; each = each.parent) if (each.element.name === 'q') depth += 1;
    if (given.length >= 2) {
      const at = 2 * Math.min(depth, Math.floor(given.length / 2) - 1);
      return [given[at] ?? '', given[at + 1] ?? ''];
    }
    const [outer, inner] = QUOTES[lang?.split('-')[0]?.toLowerCase() ?? ''] ?? ['“”', '‘’'];
    const [open = '', close = ''] = (depth % 2 === 0 ? outer : inner) ?? '';
    return [open, close];
  }

  #generated(of: Style, cascade: Cascade<CssElement>, flow: BlockFlow, around: Context): void {
    if (cascade.isEmpty) return;
    const style = of.part(cascade);
    if (!style) return;
    this.#counters.enter(style);
    const children = this.#contentOf(style);
    const element: CssElement = {
      name: cascade === this.#parts.before ? '::before' : '::after',
      attributes: new Map(),
      children,
    };
    this.#styles.set(element, style);
    this.#box(element, style, flow, { ...this.contextOf(element, style, around) });
    this.#counters.leave();
  }

  /**
   * CSS Content 3: strings, attributes, counters, quotes and pictures.
   *
   * @param isInMargins whether it is of a sheet's margins, where pages are counted, and strings of the page shown (CSS GCPM 3)
   */
  #contentOf(style: Style, isInMargins = false): (CssElement | string)[] {
    const found: (CssElement | string)[] = [];
    const onPage = (attributes: readonly (readonly [string, string])[]) =>
      found.push({ name: '::page', attributes: new Map(attributes), children: [] });
    for (const part of splitValue(splitValue(style.get('content'), '/')[0] ?? '')) {
      const [, text = ''] = /^["'](.*)["']$/s.exec(part) ?? [];
      const [, name, inside = ''] = /^([a-z-]+)\((.*)\)$/is.exec(part) ?? [];
      const values = splitValue(inside, ',');
      if (/^["']/.test(part)) found.push(unescaped(text));
      else if (/^attr$/i.test(name ?? '')) found.push(style.element.attributes.get(inside.trim().toLowerCase()) ?? '');
      else if (isInMargins && /^counter$/i.test(name ?? '') && /^pages?$/i.test(values[0] ?? '')) {
        if (values[1] && !/^decimal$/i.test(values[1])) style.lost('content', part);
        onPage([['counter', values[0]?.toLowerCase() ?? '']]);
      } else if (isInMargins && /^string$/i.test(name ?? ''))
        onPage([
          ['string', values[0] ?? ''],
          ['which', values[1]?.toLowerCase() ?? 'first'],
        ]);
      else if (/^counter$/i.test(name ?? ''))
        found.push(counterText(this.#counters.of(values[0] ?? '').at(-1) ?? 0, values[1] ?? 'decimal'));
      else if (/^counters$/i.test(name ?? '')) {
        const between = unescaped((values[1] ?? '').replace(/^["']|["']$/g, ''));
        found.push(
          this.#counters
            .of(values[0] ?? '')
            .map((value) => counterText(value, values[2] ?? 'decimal'))
            .join(between),
        );
      } else if (/^target-counter$/i.test(name ?? '') && /^page$/i.test(values[1] ?? '')) {
        const [, attribute] = /^attr\(\s*([\w-]+)(?:[^)\w-][^)]*)?\)$/i.exec(values[0] ?? '') ?? [];
        const href = attribute
          ? style.element.attributes.get(attribute.toLowerCase())
          : values[0]?.replace(/^url\(|\)$|["']/gi, '');
        const target = this.#targets.get(href ?? '');
        if (target) onPage([['of', target]]);
        else style.lost('content', `${part}, of which nothing has the id`);
      } else if (/^url$/i.test(name ?? ''))
        found.push({ name: 'img', attributes: new Map([['src', inside.replace(/^["']|["']$/g, '')]]), children: [] });
      else if (/^open-quote$/i.test(part)) found.push('“');
      else if (/^close-quote$/i.test(part)) found.push('”');
      else if (!/^no-(open|close)-quote$/i.test(part)) style.lost('content', part);
    }
    return found;
  }

  wordsOf(context: Context, around: Context): WordsOf {
    const { style, link } = context;
    const own = this.textOf(context);
    const line = this.#line;
    if (line && !line.words.has(own)) {
      const decorations = [...context.decorations, ...(decorationsOf(line.style) ?? [])];
      line.words.set(own, this.textOf({ ...context, decorations, style: this.#styleInLine(style, line) }));
    }
    return {
      style: own,
      whiteSpace: this.lookOf(style).whiteSpace,
      link,
      raise: raiseOf(style, around.style),
      struts: this.#strutsIn(style, around.style, true),
    };
  }

  /** Of the inline elements that a style is in, up to the block around them. @param hasWords whether it has a line's height itself */
  #strutsIn(inner: Style, block: Style, hasWords = false): TextSpan['struts'] {
    if (inner === block || inner.parent === block || this.ignoresStrut) return undefined;
    const struts: Strut[] = [];
    for (let each = inner.parent; each && each !== block && staysInLine(each); each = each.parent) {
      const raise = raiseOf(each, block);
      if (hasWords && hasLinesOf(each, inner) && raise === raiseOf(inner, block)) continue;
      if (hasLinesOf(each, block) && raise === 0) continue;
      struts.push({ style: each.once('strut', (one) => characterStyle(one, NO_DECORATIONS, null)), raise });
    }
    return struts.length > 0 ? struts : undefined;
  }

  #box(element: CssElement, style: Style, flow: BlockFlow, context: Context): void {
    const display = style.word('display');
    const isOut = /^(absolute|fixed)$/.test(style.word('position'));
    const isFloat = !isOut && flow.within === 'block' && /^(left|right)$/.test(style.word('float'));
    const isReplaced = this.#isReplaced(element);
    if (isOut) {
      const node = this.#node(element, style, context, { within: 'block', fills: false });
      this.#place(node, style, flow, context);
    } else if (isFloat) {
      const node = this.#node(element, style, context, { within: 'block', fills: false });
      if (node) flow.beside('float', node, this.textOf(context));
    } else if (flow.within !== 'block') {
      const node = this.#node(element, style, context, { within: flow.within, fills: false });
      if (node) flow.item(node, Number.parseInt(style.get('order'), 10) || 0);
    } else if (display === 'inline' && !isReplaced && !isField(element)) this.#inline(element, style, flow, context);
    else if (display.startsWith('inline') || ((isReplaced || isField(element)) && display === 'inline')) {
      const node = this.#node(element, style, context, { within: 'line', fills: false });
      if (node) this.#letterOf = null;
      if (node && this.#line) this.#line.flow ??= flow;
      const veil = style.parent?.veil ?? 1;
      if (node)
        flow.atom(veil < 1 ? { ...node, opacity: node.opacity * veil } : node, alignOf(style), {
          ...this.wordsOf({ ...context, style: flow.context.style }, flow.context),
          raise: raiseOf(style, flow.context.style) - (alignOf(style) === 'baseline' ? dropOf(style) : 0),
          struts: this.#strutsIn(style, flow.context.style),
          link: context.link,
        });
    } else {
      const fills = !isReplaced && display !== 'table' && !isField(element);
      const node = this.#node(element, style, context, { within: 'block', fills });
      if (node) flow.block(node);
    }
  }

  /** Puts what is out of the flow into the box that its sides are measured from. */
  #place(node: SceneNode | null, style: Style, flow: BlockFlow, context: Context): void {
    if (!node) return;
    const { inset } = node.placement;
    // What names no side of an axis stands where it would be in the flow.
    const isStatic =
      !inset || (inset.top === null && inset.bottom === null) || (inset.left === null && inset.right === null);
    const isFar = style.word('position') === 'fixed' ? 'fixed' : 'positioned';
    const far: SceneNode = { ...node, placement: { ...node.placement, isFar } };
    const isInLine = flow.within === 'block' && style.word('display').startsWith('inline');
    if (isStatic && isInLine) flow.beside('aside', far, this.textOf(flow.context));
    else if (isStatic || context[isFar].isApart) flow.aside(far);
    else context[isFar].nodes.push(node);
  }

  #inline(element: CssElement, style: Style, flow: BlockFlow, context: Context): void {
    const { padding, borders, background, radii, shadows } = this.lookOf(style);
    const margin = { ...NO_EDGES, left: style.px('margin-left'), right: style.px('margin-right') };
    const side = (name: 'left' | 'right') =>
      (borders.sideBorders ? borders.sideBorders[name] : borders.border)?.width ?? 0;
    const marks = bidiMarks(style);
    const isRelative = /^(relative|sticky)$/.test(style.word('position'));
    const placed: SceneNode[] = [];
    const within = isRelative ? { ...context, positioned: { nodes: placed, isApart: false } } : context;
    const inside = () => {
      const words = this.wordsOf(context, flow.context);
      if (marks) flow.words(marks[0], words);
      this.children(element, style, flow, within);
      for (const node of placed)
        flow.beside('aside', { ...node, placement: { ...node.placement, isFar: 'positioned' } }, words.style);
      if (marks) flow.words(marks[1], words);
    };
    const isBoxed =
      isRelative ||
      isFilled(background) ||
      borders.border ||
      borders.sideBorders ||
      Object.values({ ...padding, l: margin.left, r: margin.right }).some((each) => each !== 0);
    if (!this.#tracesInlines && (!isBoxed || background.isText)) {
      inside();
      return;
    }
    if (style.opacity < 1 && isFilled(background)) style.lost('opacity', 'of words over their background in a line');
    const frame: FrameNode = {
      ...PLAIN_FRAME,
      ...borders,
      ...{
        name: this.nameOf(element, context),
        padding,
        radii,
        background: this.#fillOf(background, style),
      },
      ...{ shadows, opacity: style.veil },
      placement: {
        ...PLAIN_NODE.placement,
        margin,
        ...(isRelative && { isContaining: 'positioned', inset: this.placementOf(style, IN_LINE).inset }),
      },
    };
    this.#told(element, frame);
    const words = this.wordsOf(context, flow.context);
    const along = (name: 'left' | 'right') => margin[name] + side(name) + padding[name];
    const [first, last] =
      flow.context.style.word('direction') === 'rtl' ? (['right', 'left'] as const) : (['left', 'right'] as const);
    flow.openBox(frame, words, along(first));
    inside();
    flow.closeBox(along(last));
  }

  #fillOf(background: Background, style: Style): Fill | null {
    const { color, layers } = background;
    const [layer] = layers;
    if (layer?.kind === 'image' || layer?.tiles || layers.length > 1)
      style.lost('background-image', 'of an inline element');
    return layer?.kind === 'fill' ? layer.fill : color && { kind: 'solid', color };
  }

  #isReplaced(element: CssElement): boolean {
    return REPLACED.test(element.name);
  }

  /** The node of an element that is a box of its own. */
  #node(
    element: CssElement,
    style: Style,
    context: Context,
    where: Pick<Surroundings, 'within' | 'fills'>,
  ): SceneNode | null {
    this.#count += 1;
    const order = this.#count;
    const made = this.#isReplaced(element)
      ? this.#picture(element, style, context, where)
      : /^(inline-)?table$/.test(style.word('display'))
        ? this.#table(element, style, context, where)
        : this.#frame(element, style, context, where);
    if (!made) return null;
    const filled = this.#fillsCanvas && /^(html|body)$/.test(element.name) ? this.#filling(made) : made;
    const strings = this.#stringsOf(element, style);
    const saying = strings ? { ...filled, fragmentation: { ...(filled.fragmentation ?? WHOLE), strings } } : filled;
    const node = aligned(this.#raised(saying, style, where.within, order), style, where.within);
    this.#told(element, node);
    return node;
  }

  #raised<Node extends SceneNode>(
    node: Node,
    style: Style,
    within: Surroundings['within'] | 'row',
    order: number,
  ): Node {
    const { stacking } = this.lookOf(style);
    const layer = stackingLevel(stacking, /^(flex|grid)$/.test(within), order);
    if (!layer) return node;
    return { ...node, placement: { ...node.placement, layer, isContaining: stacking.contains ?? undefined } };
  }

  /** What is in a box: what is placed in it or in those around. @param positions receives the former */
  #containing(style: Style, around: Context, within: Surroundings['within'] | 'row', positions: SceneNode[]): Context {
    const { stacking } = this.lookOf(style);
    const { contains } = stacking;
    const isContext = stackingLevel(stacking, /^(flex|grid)$/.test(within), 0)?.isContext ?? false;
    if (!contains && !isContext) return around;
    const own: Placed = { nodes: positions, isApart: false };
    const passed = ({ nodes, isApart }: Placed): Placed => ({ nodes, isApart: isApart || isContext });
    return {
      ...around,
      positioned: contains ? own : passed(around.positioned),
      // On sheets it is on each of them.
      fixed: contains === 'fixed' ? own : this.#isPaged ? around.fixed : passed(around.fixed),
    };
  }

  /** CSS GCPM 3, 1.1: `string-set`. */
  #stringsOf(element: CssElement, style: Style): Fragmentation['strings'] {
    const given = style.get('string-set');
    if (given === '' || /^none$/i.test(given)) return undefined;
    const strings = splitValue(given, ',').map((each) => {
      const [name = '', ...parts] = splitValue(each.trim());
      const words = parts.map((part) => {
        const [, text] = /^["'](.*)["']$/s.exec(part) ?? [];
        const [, attribute] = /^attr\(\s*([\w-]+)\s*\)$/i.exec(part) ?? [];
        const [, counter, type = 'decimal'] = /^counter\(\s*([\w-]+)\s*(?:,\s*([\w-]+)\s*)?\)$/i.exec(part) ?? [];
        if (text !== undefined) return unescaped(text);
        if (attribute) return element.attributes.get(attribute.toLowerCase()) ?? '';
        if (counter) return counterText(this.#counters.of(counter).at(-1) ?? 0, type);
        if (!/^content\(\s*(?:text\s*)?\)$/i.test(part)) style.lost('string-set', part);
        return wordsIn(element).replace(/\s+/g, ' ').trim();
      });
      return [name, words.join('')] as const;
    });
    this.strings.push(...strings.map(([, words]) => words));
    return Object.fromEntries(strings);
  }

  /** Quirks, 3.5 and 3.6: at least as high as the canvas within its margins. */
  #filling(node: SceneNode): SceneNode {
    const { margin, height, minHeight } = node.placement;
    if (height.kind !== 'hug' || minHeight !== null) return node;
    const least = Math.max(0, this.#context.kinds.viewport.height - margin.top - margin.bottom);
    return { ...node, placement: { ...node.placement, minHeight: least } };
  }

  #frame(element: CssElement, style: Style, around: Context, where: Pick<Surroundings, 'within' | 'fills'>): FrameNode {
    const display = style.word('display');
    const isFlex = /flex$|^-webkit-(inline-)?box$/.test(display);
    const isClamped = display.startsWith('-webkit-') && style.get('line-clamp') !== '';
    const isGrid = /grid$/.test(display);
    const positions: SceneNode[] = [];
    const context = this.#containing(style, around, where.within, positions);
    const name = this.nameOf(element, around);
    const inside = context.prefix;
    const isEntry = display === 'list-item';
    const own: Context =
      isEntry && element.name !== 'summary' ? { ...context, prefix: `${inside}${this.#entryOf()}` } : context;
    const flow = new BlockFlow(
      this,
      own,
      isFlex && !isClamped ? 'flex' : isGrid ? 'grid' : 'block',
      isEntry && style.word('list-style-type') !== 'none',
    );
    const legendOf = element.name === 'fieldset' && !isFlex && !isGrid ? this.#legendIn(element, style) : null;
    const legendStyle = legendOf && this.#styleOf(legendOf, style);
    const legend =
      legendStyle &&
      this.#node(legendOf, legendStyle, this.contextOf(legendOf, legendStyle, own), { within: 'flex', fills: false });
    const rest = legend ? { ...element, children: element.children.filter((child) => child !== legendOf) } : element;
    const isRoot =
      where.within !== 'block' ||
      /^(flow-root|inline-block)$/.test(display) ||
      style.word('overflow-x') !== 'visible' ||
      /^(left|right)$/.test(style.word('float')) ||
      /^(absolute|fixed)$/.test(style.word('position')) ||
      element.name === 'html' ||
      element.name === 'fieldset' ||
      style.once('columns', columnsOf) !== null;
    const nodes = this.#inBlock(element, style, isRoot || isFlex || isGrid, () => {
      if (isEntry) this.#marker(style, flow, own);
      this.#content(rest, style, flow, own);
      return flow.ended();
    });
    if (legend) return this.#fieldset(element, style, [legend, nodes, positions], own, where);
    const columns = isFlex || isGrid ? null : style.once('columns', columnsOf);
    const layout =
      isFlex && !isClamped
        ? style.once('flex', flexOf)
        : isGrid
          ? style.once('grid', gridOf)
          : ({ type: 'block', isRoot } as const);
    const children = columns
      ? inColumns(nodes, columns, name, style)
      : layout.type === 'block'
        ? nodes
        : ordered(nodes, flow.orders);
    const parts = fieldParts(style);
    if (isOfWords(element)) {
      // What a field shows is in the middle of its height.
      const inside: FrameNode = {
        ...PLAIN_FRAME,
        name: `${name} content`,
        layout: { type: 'block', isRoot: true },
        clip: element.name === 'input',
        children,
        placement: { ...PLAIN_NODE.placement, absolute: false },
      };
      return this.#framed(
        style,
        name,
        { ...plainFlex('column'), justify: 'center' },
        [inside, ...parts, ...positions],
        context,
        where,
      );
    }
    return this.#framed(style, name, layout, [...children, ...parts, ...positions], context, where);
  }

  /** The legend that stands in the border of a fieldset (HTML, 15.3.13); null = there is none. */
  #legendIn(element: CssElement, style: Style): CssElement | null {
    const isLegend = (child: CssElement) => {
      const own = this.#styleOf(child, style);
      const isOut = /^(absolute|fixed)$/.test(own.word('position')) || /^(left|right)$/.test(own.word('float'));
      return child.name === 'legend' && !isOut && own.word('display') !== 'none';
    };
    return element.children.filter(isElement).find(isLegend) ?? null;
  }

  /** Above what is in it, a row with the legend between two pieces of the border, which its sides go up to. */
  #fieldset(
    element: CssElement,
    style: Style,
    [legend, nodes, positions]: readonly [SceneNode, readonly SceneNode[], readonly SceneNode[]],
    context: Context,
    where: Pick<Surroundings, 'within' | 'fills'>,
  ): FrameNode {
    const { padding, borders, radii } = this.lookOf(style);
    const lines = borders.sideBorders ?? evenly(borders.border);
    const frame = this.#framed(style, this.nameOf(element, context), plainFlex('column'), [], context, where);
    const { margin, autoMargins } = legend.placement;
    const part = (name: string, sideBorders: FrameNode['sideBorders'], own: Partial<Placement>): FrameNode => ({
      ...{ ...PLAIN_FRAME, name, sideBorders },
      placement: { ...PLAIN_NODE.placement, absolute: false, ...own },
    });
    const width = lines.top?.width ?? 0;
    const beside = { alignSelf: 'center', height: px(width), margin: { ...margin, left: 0, right: 0 } } as const;
    const piece = (own: Partial<Placement>) =>
      part('border', { ...evenly(null), top: lines.top }, { ...beside, ...own });
    const top = { kind: 'percent', value: 50, plus: (margin.top - margin.bottom - width) / 2 } as const;
    const around = { absolute: true, layer: 'background', inset: { ...evenly(px(0)), top } } as const;
    const { background } = frame;
    const { left, right } = sidesOf((side) => padding[side] + (lines[side]?.width ?? 0));
    const isAtEnd = autoMargins?.left && !autoMargins.right;
    const row: FrameNode = {
      ...{ ...part('legend', null, {}), layout: plainFlex('row') },
      children: [
        { ...part('sides', { ...lines, top: null, bottom: null }, around), background },
        piece(autoMargins?.left ? { flexGrow: 1, minWidth: left } : { width: px(left) }),
        { ...legend, placement: { ...legend.placement, flexShrink: 1, autoMargins: null } },
        piece({ flexGrow: isAtEnd ? 0 : 1, minWidth: right }),
      ],
    };
    const body: FrameNode = {
      ...{ ...part('content', { ...lines, top: null }, { flexGrow: 1 }), background, padding },
      ...{ layout: { type: 'block', isRoot: true }, radii: { ...radii, topLeft: 0, topRight: 0 }, children: nodes },
    };
    return {
      ...{ ...frame, border: null, sideBorders: null, background: null, shadows: [], padding: NO_EDGES },
      children: [row, body, ...positions],
    };
  }

  /** The name of the entry of a list, by which its words are one entry of the list in a PDF. */
  #entryOf(): string {
    const count = (this.#names.get(' list') ?? 0) + 1;
    this.#names.set(' list', count);
    return `list[${this.#counters.of('list-item').at(-1) ?? count}].`;
  }

  /** What stands in a box: its children, or what a field of a form shows. */
  #content(element: CssElement, style: Style, flow: BlockFlow, context: Context): void {
    const words = fieldText(element);
    if (words !== null) {
      const of = isHint(element) ? new Style(element, style, this.#context, OF_HINTS) : style;
      flow.words(words === '' ? '\u200b' : words, this.wordsOf({ ...context, style: of }, flow.context));
      return;
    }
    this.children(element, style, flow, context);
  }

  #framed(
    style: Style,
    name: string,
    layout: FrameNode['layout'],
    children: readonly SceneNode[],
    context: Context,
    where: Pick<Surroundings, 'within' | 'fills'>,
    borders = this.lookOf(style).borders,
    padding: Sides<number> = this.lookOf(style).padding,
  ): FrameNode {
    const isCanvas = style === this.#canvas;
    const look = this.lookOf(style);
    const { radii, shadows, fragmentation } = look;
    const background = isCanvas ? NO_BACKGROUND : look.background;
    const rigid = rigidOf(padding, borders);
    const placement = this.placementOf(style, { ...where, rigid });
    const { translate, ...effects } = look.effects;
    const isClipped = ['overflow-x', 'overflow-y'].some((axis) => /^(hidden|clip|auto|scroll)$/.test(style.word(axis)));
    const isHidden = style.word('visibility') === 'hidden';
    const [only] = background.layers;
    const isOne =
      background.layers.length === 0 ||
      (background.layers.length === 1 && only?.kind === 'fill' && isWhole(only) && !background.color);
    const fill: Fill | null =
      isOne && only?.kind === 'fill' ? only.fill : background.color && { kind: 'solid', color: background.color };
    const under = isOne ? [] : this.#backgroundNodes(background, name, radii, { padding, ...borders });
    // What goes on under a border that can be seen through has the border above it.
    const isUnder = under.some(({ placement: { inset } }) => inset?.top?.kind === 'px' && inset.top.value < 0);
    const shown = isUnder ? clearBorders(borders) : borders;
    const behind = isUnder
      ? [
          ...under,
          {
            ...PLAIN_FRAME,
            ...borders,
            name: `${name} border`,
            radii,
            placement: {
              ...PLAIN_NODE.placement,
              layer: 'background' as const,
              inset: sidesOf((side) =>
                px(-((borders.sideBorders ? borders.sideBorders[side] : borders.border)?.width ?? 0)),
              ),
            },
          },
        ]
      : under;
    const field = isField(style.element) ? fieldSize(style) : null;
    return {
      ...PLAIN_FRAME,
      ...effects,
      ...(isHidden ? { border: null, sideBorders: null } : shown),
      ...(!isHidden && borders === look.borders && look.borderImage && { borderImage: look.borderImage }),
      ...{ name, layout, padding, radii, direction: style.word('direction') === 'rtl' ? 'rtl' : 'ltr' },
      placement: {
        ...placement,
        ...(field?.width && placement.width.kind === 'hug' && { width: px(field.width + rigid.width) }),
        ...(field?.height && placement.height.kind === 'hug' && { height: px(field.height + rigid.height) }),
        ...(translate && { translate }),
      },
      clip: isClipped,
      background: isHidden || background.isText ? null : fill,
      shadows: isHidden ? [] : shadows,
      link: context.link !== null && isLinkedBox(style) ? context.link : null,
      fragmentation,
      children: isHidden ? children : [...behind, ...children],
    };
  }

  /** Frames and pictures over a box's whole padding box, behind what is in it. */
  #backgroundNodes(
    { layers, isPixelated }: Background,
    name: string,
    outer: FrameNode['radii'],
    edges: Pick<FrameNode, 'padding' | 'border' | 'sideBorders'> = PLAIN_FRAME,
    isMask = false,
  ): readonly SceneNode[] {
    const lines = edges.sideBorders ?? evenly(edges.border);
    const widths = sidesOf((side) => lines[side]?.width ?? 0);
    // A mask is in the border box.
    const border = isMask ? NO_EDGES : widths;
    const isCovered =
      !isMask && SIDES.every((side) => !lines[side] || (lines[side].style === 'solid' && lines[side].color.a === 1));
    /** How far inside the padding box an area begins, or of a mask, inside the border box. */
    const depth = (area: BackgroundLayer['clip']): Sides<number> => {
      const inside =
        area === 'border-box' ? sidesOf((side) => -widths[side]) : area === 'content-box' ? edges.padding : NO_EDGES;
      return isMask ? sidesOf((side) => inside[side] + widths[side]) : inside;
    };
    return layers.map((layer, i): SceneNode => {
      const clip = depth(isCovered && layer.clip === 'border-box' ? 'padding-box' : layer.clip);
      const origin = depth(layer.origin);
      const area = sidesOf((side) => origin[side] - clip[side]);
      const isOffset = SIDES.some((side) => area[side] !== 0);
      const whole = layer.kind === 'fill' && layer.isOnce ? ONE_TILE : WHOLE_TILE;
      const tiles = isOffset ? { ...(layer.tiles ?? whole), area } : layer.tiles;
      const inner = sidesOf((side) => clip[side] + border[side]);
      const radii = {
        topLeft: radiusInside(outer.topLeft, inner, 'left', 'top'),
        topRight: radiusInside(outer.topRight, inner, 'right', 'top'),
        bottomRight: radiusInside(outer.bottomRight, inner, 'right', 'bottom'),
        bottomLeft: radiusInside(outer.bottomLeft, inner, 'left', 'bottom'),
      };
      const inside = {
        ...PLAIN_NODE.placement,
        inset: sidesOf((side) => px(clip[side])),
        layer: 'background' as const,
      };
      const frame = { ...PLAIN_FRAME, name: `${name} background ${i + 1}`, placement: inside, radii };
      if (layer.kind === 'fill') return { ...frame, background: layer.fill, ...(tiles && { tiles }) };
      const key = this.needs.addImage({ sources: [layer.source], layer: name, optional: true, focus: null });
      const side = (from: 'left' | 'top', to: 'right' | 'bottom') =>
        ({
          kind: 'percent',
          value: 100,
          ...(clip[from] + clip[to] !== 0 && { plus: -clip[from] - clip[to] }),
        }) as const;
      const placement: Placement = { ...inside, width: side('left', 'right'), height: side('top', 'bottom') };
      return {
        ...imageNode(`${name} picture ${i + 1}`, key),
        isPixelated,
        tiles: tiles ?? WHOLE_TILE,
        radii,
        placement,
      };
    });
  }

  #maskNodes(layers: Background, style: Style): readonly SceneNode[] {
    const edges = { padding: paddingOf(style), ...bordersOf(style) };
    return this.#backgroundNodes(layers, `${style.element.name} mask`, NO_CORNERS, edges, true);
  }

  #picture(
    element: CssElement,
    style: Style,
    context: Context,
    where: Pick<Surroundings, 'within' | 'fills'>,
  ): SceneNode | null {
    const source = this.#elements.sourceOf(element.name === 'svg' ? this.#styledDrawing(element, style) : element);
    const name = this.nameOf(element, context);
    if (source === null) {
      // What shows nothing still takes its place.
      const frame = this.#framed(style, name, { type: 'block', isRoot: true }, [], context, { ...where, fills: false });
      if (!/^(video|canvas|iframe|object|embed)$/.test(element.name)) return frame;
      const { placement } = frame;
      const { padding, borders } = this.lookOf(style);
      const rigid = rigidOf(padding, borders);
      const side = (own: Placement['width'], initial: number) => (own.kind === 'hug' ? px(initial) : own);
      return {
        ...frame,
        clip: true,
        placement: {
          ...placement,
          width: side(placement.width, 300 + rigid.width),
          height: side(placement.height, 150 + rigid.height),
        },
      };
    }
    const { padding, borders, borderImage, background, shadows, radii, fragmentation, ...look } = this.lookOf(style);
    const { translate, ...effects } = look.effects;
    const isFramed =
      isFilled(background) ||
      Object.values(padding).some((side) => side > 0) ||
      shadows.length > 0 ||
      effects.filters !== null;
    const optional = !element.attributes.has('data-required');
    const key = this.needs.addImage({ sources: [source], layer: name, optional, focus: null });
    const fit = style.word('object-fit');
    const position = style.get('object-position') || '50% 50%';
    const [x, y] = positionOf(position, style);
    const own = this.placementOf(style, { ...where, rigid: rigidOf(isFramed ? padding : NO_EDGES, borders) });
    const placement = where.within === 'flex' ? unshrunk(own, style) : own;
    const alt = element.attributes.get('alt');
    // What stands in a drawing without a `viewBox` is where it says.
    const isBare = element.name === 'svg' && ![...element.attributes.keys()].some((each) => /^viewbox$/i.test(each));
    const image: ImageNode = {
      ...imageNode(name, key),
      ...effects,
      ...borders,
      isReplaced: true,
      radii,
      opacity: style.word('visibility') === 'hidden' ? 0 : effects.opacity,
      fit: isBare ? 'none' : /^(cover|contain|none|scale-down)$/.test(fit) ? (fit as ImageNode['fit']) : 'fill',
      focus: isBare ? { x: 0, y: 0 } : { x: x.percent / 100, y: y.percent / 100 },
      ...((x.px !== 0 || y.px !== 0) && { shift: { x: x.px, y: y.px } }),
      isPixelated: isPixelated(style),
      link: context.link,
      alt: alt ?? null,
      fragmentation,
      placement: {
        ...placement,
        ...(translate && { translate }),
      },
    };
    if (borderImage) style.lost('border-image', 'of a picture');
    if (!isFramed) return image;
    const inner: ImageNode = {
      ...image,
      ...PLAIN_NODE,
      ...{ alt: image.alt, link: image.link, opacity: style.word('visibility') === 'hidden' ? 0 : 1 },
      ...{ border: null, sideBorders: null, radii: NO_CORNERS, fragmentation: null },
      placement: {
        ...PLAIN_NODE.placement,
        absolute: false,
        width: placement.width.kind === 'hug' ? { kind: 'hug' } : { kind: 'percent', value: 100 },
        height: placement.height.kind === 'hug' ? { kind: 'hug' } : { kind: 'percent', value: 100 },
      },
    };
    const frame = this.#framed(style, name, { type: 'block', isRoot: true }, [inner], context, {
      ...where,
      fills: false,
    });
    const { minWidth, minHeight } = placement;
    return { ...frame, placement: { ...frame.placement, minWidth, minHeight } };
  }

  /** A drawing in the page with what the page's style sheets say of its parts, and the colour around it. */
  #styledDrawing(element: CssElement, style: Style): CssElement {
    const { cascade } = this.#context;
    const styled = (each: CssElement): CssElement => {
      const attributes = new Map(each.attributes);
      const own = [...cascade.namesOf(each)].flatMap((name) => {
        const value = PAINTED.test(name) ? cascade.declared(each, name) : null;
        return value === null ? [] : [`${name}:${value}`];
      });
      if (own.length > 0) attributes.set('style', [...own, each.attributes.get('style') ?? ''].join(';'));
      return {
        ...each,
        attributes,
        children: each.children.map((child) => (isElement(child) ? styled(child) : child)),
      };
    };
    const { r, g, b, a } = style.color;
    const root = styled(element);
    const given = INHERITED_PAINT.flatMap((name) => {
      const value = cascade.inherited(element, name);
      return value === null ? [] : [`${name}:${value}`];
    });
    const around = [`color:rgb(${r} ${g} ${b} / ${a})`, ...given, root.attributes.get('style') ?? ''].join(';');
    return { ...root, attributes: new Map([...root.attributes, ['style', around]]) };
  }

  /** The marker of an entry, before its words or beside them. */
  #marker(style: Style, flow: BlockFlow, context: Context): void {
    const type = style.get('list-style-type') || 'disc';
    const picture = /^url\(\s*["']?([^"')]+)/i.exec(style.get('list-style-image'))?.[1];
    const quotedText = /^["'](.*)["']$/s.exec(type)?.[1];
    const part = new Style(style.element, style, this.#context, this.#parts.marker);
    const content = part.get('content');
    if (/^none$/i.test(content) || (type === 'none' && !picture && (content === '' || /^normal$/i.test(content))))
      return;
    const own = { ...context, style: part };
    const number = this.#counters.of('list-item').at(-1) ?? 0;
    const isSign = isSymbol(type);
    if (quotedText === undefined && !picture && !isKnownStyle(type)) style.lost('list-style-type', type);
    const words =
      content !== '' && !/^normal$/i.test(content)
        ? this.#contentOf(part).join('')
        : quotedText !== undefined
          ? unescaped(quotedText)
          : isSign
            ? counterText(number, type)
            : markerText(number, type);
    const isInside = style.word('list-style-position') === 'inside';
    const character = this.#knownText(own, ({ decorations, lang }) => characterStyle(part, decorations, lang, true));
    const inLine = this.wordsOf(own, context);
    const size = bulletSize(character.fontSize);
    const isTriangle = type.startsWith('disclosure-');
    const { side, above, gap } = isTriangle ? { side: character.fontSize * 0.66, above: 0, gap: 0 } : size;
    const sign = isSign && quotedText === undefined && content === '' ? bulletOf(type, part, side) : null;
    const gapped = (node: SceneNode, right: number): SceneNode => ({
      ...node,
      placement: {
        ...PLAIN_NODE.placement,
        absolute: false,
        margin: { ...NO_EDGES, right, bottom: node === sign ? above : 0 },
        ...(node === sign && { width: px(side), height: px(side) }),
      },
    });
    if (isInside) {
      if (picture) {
        const key = this.needs.addImage({
          sources: [picture],
          layer: `${context.prefix}marker`,
          optional: true,
          focus: null,
        });
        flow.atom(gapped({ ...imageNode(`${context.prefix}marker`, key), alt: '' }, 7), 'baseline', inLine);
      } else if (sign)
        flow.atom(gapped(sign, isTriangle ? character.fontSize * 0.4 : character.fontSize + 1), 'baseline', inLine);
      else flow.words(words, { ...inLine, whiteSpace: 'pre-wrap' });
      return;
    }
    const placed = (gap: number): Placement => ({
      ...PLAIN_NODE.placement,
      isMarker: true,
      inset:
        style.word('direction') === 'rtl'
          ? { top: null, bottom: null, right: null, left: { kind: 'percent', value: 100, plus: gap } }
          : { top: null, bottom: null, left: null, right: { kind: 'percent', value: 100, plus: gap } },
    });
    const name = `${context.prefix}marker`;
    if (picture) {
      const key = this.needs.addImage({ sources: [picture], layer: name, optional: true, focus: null });
      flow.aside({
        ...imageNode(name, key),
        alt: '',
        placement: placed(7),
      });
      return;
    }
    const run = new InlineRun();
    if (sign) run.box(gapped(sign, 0), 'baseline', inLine);
    else run.add(words.replace(/ $/, '\u00a0'), { ...inLine, whiteSpace: 'pre' });
    this.needs.addText(name, { text: sign ? '' : words, style: character });
    const direction = style.word('direction') === 'rtl' ? 'rtl' : 'ltr';
    const line = { ...PLAIN_NODE, ...PLAIN_TEXT, direction, name, spans: run.ended(), strut: character } as const;
    const placement = { ...PLAIN_NODE.placement, absolute: false };
    flow.aside(
      sign
        ? {
            ...{ ...PLAIN_FRAME, name, layout: { type: 'block', isRoot: true }, placement: placed(gap) },
            children: [{ ...line, placement }],
          }
        : { ...line, strut: this.textOf(context), placement: placed(0) },
    );
  }

  #table(element: CssElement, style: Style, around: Context, where: Pick<Surroundings, 'within' | 'fills'>): FrameNode {
    const positions: SceneNode[] = [];
    const context = this.#containing(style, around, where.within, positions);
    const model = tableModel(element.children, (child) => this.#styleIn(child, style));
    const isCollapsed = style.word('border-collapse') === 'collapse';
    const collapsed = isCollapsed ? collapsedBorders(style, model) : null;
    const [across = 0, down = across] = splitValue(style.get('border-spacing') || '0').map((each) =>
      Math.max(0, parsePx(each, style.units) ?? 0),
    );
    const name = this.nameOf(element, around);
    // What is behind a row shows in its cells alone: where something is between them, or they reach beyond the row, they have it.
    const isBroken =
      (!isCollapsed && across > 0) || model.rows.some(({ cells }) => cells.some(({ rowSpan }) => rowSpan > 1));
    const packer = model.rows.length < this.#longTable ? null : new RowPacker();
    /** A row as the one before it, without its name and cells, and by what it is that. */
    let latest: { readonly alike: readonly unknown[]; readonly row: FrameNode } | null = null;
    const rows = model.rows.map((row, index): FrameNode => {
      const isNewGroup = row.group !== model.rows[index - 1]?.group;
      if (isNewGroup && row.group) this.#counters.enter(row.group);
      if (row.style) this.#counters.enter(row.style);
      const own = row.style;
      const fill = [own, row.group].map((each) => each && backgroundOnce(each)).find((each) => each && isFilled(each));
      const isInCells = isBroken && fill?.layers.length === 0;
      if (isBroken && fill && fill.layers.length > 0)
        (own ?? style).lost('background-image', 'of a row whose cells are apart or over several rows');
      this.#count += 1;
      const order = this.#count;
      const placed: SceneNode[] = [];
      const inRow = own ? this.#containing(own, context, 'row', placed) : context;
      const look = own && this.lookOf(own).effects;
      const { translate: _, ...effects } = look ?? { translate: null };
      if (isCollapsed && look && look.opacity < 1) own?.lost('opacity', 'of a row with borders that collapse');
      const around = own ?? row.group ?? style;
      const packing = row.kind === 'body' && row.cells.every(({ rowSpan }) => rowSpan === 1) ? packer : null;
      const cells = row.cells.map((cell) => {
        const behind = fill ? (isInCells ? fill : undefined) : model.behind[cell.column];
        const borders = collapsed?.of(cell) ?? null;
        const quick = packing && this.#quickCell(packing, cell, inRow, [borders, behind]);
        if (quick) return quick;
        const node = this.#cell(cell, around, inRow, borders, behind);
        const isTarget = cell.style?.element.attributes.has('id');
        return (!isTarget && packing?.packed(node, cell.style, [borders, behind])) || node;
      });
      const packed = packing ? cells.filter((cell) => 'form' in cell) : [];
      if (own) this.#counters.leave();
      if (row.group && row.group !== model.rows[index + 1]?.group) this.#counters.leave();
      const rowLike = (): FrameNode => {
        const height = own?.mixed('height');
        const layout: RowLayout = {
          type: 'row',
          cells: row.cells.map(({ style: of, column, span, rowSpan }) => ({
            ...{ column, span, rowSpan, align: cellAlignment(of) },
          })),
        };
        return {
          ...PLAIN_FRAME,
          ...effects,
          name: '',
          layout,
          background: !fill || isInCells || own?.word('visibility') === 'hidden' ? null : this.#fillOf(fill, style),
          placement: {
            ...PLAIN_NODE.placement,
            absolute: false,
            ...(height && { height: asLength(height) }),
          },
          fragmentation: {
            ...(own ? breaksOf(own) : WHOLE),
            avoidsInside: true,
            repeatAt: row.kind === 'head' ? 'top' : row.kind === 'foot' ? 'bottom' : null,
          },
        };
      };
      const places = row.cells.flatMap((cell) => [cell.column, cell.span, cell.rowSpan, cellAlignment(cell.style)]);
      const alike = [own?.kind, row.group, fill, row.kind, ...places];
      if (!latest || latest.alike.length !== alike.length || alike.some((each, i) => each !== latest?.alike[i]))
        latest = { alike, row: rowLike() };
      const rowName = own ? this.nameOf(own.element, context) : `${name} row ${index + 1}`;
      const children = () => cells.flatMap((cell) => ('form' in cell ? unpackedCells(cell) : [cell]));
      const made =
        packing && packed.length === cells.length && placed.length === 0
          ? packing.row(latest.row, rowName, packed)
          : { ...latest.row, name: rowName, children: [...children(), ...placed] };
      const shown = own ? this.#raised(made, own, 'row', order) : made;
      if (own) this.#told(own.element, shown);
      return shown;
    });
    const width = style.mixed('width');
    const hasCaptions = model.captions.length > 0;
    const layout = {
      type: 'cells',
      columns: model.columns,
      isFixed: style.word('table-layout') === 'fixed' && width !== null,
      spacing: isCollapsed ? { width: 0, height: 0 } : { width: across, height: down },
    } as const;
    const borders = collapsed ? asBorders(collapsed.table) : this.lookOf(style).borders;
    const frame = this.#framed(
      style,
      name,
      layout,
      [...rows, ...positions],
      context,
      { ...where, fills: false },
      borders,
      isCollapsed ? NO_EDGES : undefined,
    );
    if (!hasCaptions) return frame;
    const captions = model.captions.map((caption) => {
      const own = this.contextOf(caption.element, caption, context);
      const node = this.#frame(caption.element, caption, own, { within: 'block', fills: true });
      this.#told(caption.element, node);
      return { node, isBelow: caption.word('caption-side') === 'bottom' };
    });
    const { placement } = frame;
    const inner: FrameNode = {
      ...frame,
      placement: {
        ...PLAIN_NODE.placement,
        absolute: false,
        width: { kind: 'fill' },
        height: placement.height,
      },
    };
    const of = (isBelow: boolean) => captions.filter((each) => each.isBelow === isBelow).map(({ node }) => node);
    return {
      ...PLAIN_FRAME,
      name: `${name} with its caption`,
      layout: { type: 'block', isRoot: true, isCaptioned: true },
      placement: { ...placement, height: { kind: 'hug' } },
      children: [...of(false), inner, ...of(true)],
    };
  }

  /** The style of a part of a table, which inherits from what it is in. */
  #styleIn(child: CssElement, table: Style): Style {
    const known = this.#styles.get(child);
    if (known) return known;
    const around = this.#elements.parentOf(child);
    const outer = table.element.name === '::table' && table.parent ? table.parent : table;
    return this.#styleOf(child, around && around !== outer.element ? this.#styleIn(around, table) : outer);
  }

  /** A cell of words alone that looks like one before; null = none did, or it has more in it. */
  #quickCell(
    packer: RowPacker,
    { style, content }: TableCellModel,
    context: Context,
    around: readonly unknown[],
  ): PackedCell | null {
    const { before, after, firstLetter, firstLine } = this.#parts;
    const [text = ''] = content;
    if (!style || content.length > 1 || typeof text !== 'string' || context.heading || this.#line) return null;
    const { attributes } = style.element;
    if (attributes.has('data-layer') || attributes.has('id') || !firstLetter.isEmpty || !firstLine.isEmpty) return null;
    if ([before, after].some((part) => !part.isEmpty && style.part(part))) return null;
    let known = this.#cellWords.get(style.kind);
    if (!known || known.context !== context || attributes.size > 0) {
      const strut = this.textOf(this.contextOf(style.element, style, context));
      known = { context, strut, whiteSpace: this.lookOf(style).whiteSpace };
      this.#cellWords.set(style.kind, known);
    }
    const { strut, whiteSpace } = known;
    const words = loneWords(text, whiteSpace);
    const form = packer.formOf(style, [
      ...around,
      words === '' ? null : [strut, strut, context.link, undefined, undefined],
    ]);
    if (!form) return null;
    this.#counters.enter(style);
    this.#counters.leave();
    const name = this.nameOf(style.element, context);
    const [span] = form.text?.spans ?? [];
    const textName = span ? this.nameOf(LETTERS, context) : '';
    if (span) this.needs.addText(textName, { ...span, text: words });
    return packedCell(form, [name, textName, words]);
  }

  #cell(
    { style, content }: TableCellModel,
    around: Style,
    context: Context,
    collapsed: { readonly room: Sides<Border | null>; readonly lines: FrameNode['lines'] } | null,
    behind: Background = NO_BACKGROUND,
  ): FrameNode {
    const own = style
      ? this.contextOf(style.element, style, { ...context, style: around })
      : { ...context, style: around };
    const positions: SceneNode[] = [];
    const inside = style ? this.#containing(style, own, 'row', positions) : own;
    this.#count += 1;
    const order = this.#count;
    const flow = new BlockFlow(this, inside, 'block');
    const name = style ? this.nameOf(style.element, context) : `${context.prefix}cell`;
    if (style) this.#counters.enter(style);
    const found = style
      ? this.#inBlock(style.element, style, true, () => {
          this.children(style.element, style, flow, inside);
          return flow.ended();
        })
      : null;
    if (!found)
      for (const child of withTables(content, (one) => displayOf(this.#styleOf(one, around)))) {
        if (typeof child === 'string') flow.words(child, this.wordsOf(inside, inside));
        else if (child.name === '::table') this.#anonymousTable(child, around, flow, inside);
        else this.element(child, flow, inside);
      }
    if (style) this.#counters.leave();
    const columns = style?.once('columns', columnsOf);
    const nodes = found ?? flow.ended();
    const children = [...(style && columns ? inColumns(nodes, columns, name, style) : nodes), ...positions];
    if (!style)
      return {
        ...PLAIN_FRAME,
        name,
        layout: { type: 'block', isRoot: true },
        children,
        placement: { ...PLAIN_NODE.placement, absolute: false },
      };
    const frame = this.#framed(
      style,
      name,
      { type: 'block', isRoot: true },
      children,
      own,
      { within: 'cells', fills: false },
      collapsed ? asBorders(collapsed.room) : undefined,
    );
    const isEmpty = children.length === 0 && style.word('empty-cells') === 'hide' && !collapsed;
    const cell: FrameNode = {
      ...frame,
      ...(collapsed && style.word('visibility') !== 'hidden' && { lines: collapsed.lines }),
      background: inFront(frame.background, this.#fillOf(behind, style)),
      ...(isEmpty && { background: null, border: null, sideBorders: null }),
      placement: { ...frame.placement, margin: NO_EDGES, autoMargins: null },
    };
    const node = this.#raised(cell, style, 'row', order);
    this.#told(style.element, node);
    return node;
  }
}

/** What words are called in a scene. */
const LETTERS: CssElement = { name: 'text', attributes: new Map(), children: [] };
/** Where this is declared of an element, and nothing else. */
function declaring(property: string, value: string): Declarations {
  const declared: Declared = { values: new Map([[property, value]]), hasVariables: false, unknown: [] };
  return {
    computed: (_: CssElement, name: string) => declared.values.get(name) ?? null,
    declarationsOf: () => declared,
    isEmpty: false,
  };
}
const OF_TABLES = declaring('display', 'table');
/** CSS Pseudo-Elements 4, 4.4, `::placeholder`. */
const OF_HINTS = declaring('color', '#757575');

/** Whether the words of two styles have lines of one height. */
const hasLinesOf = (one: Style, other: Style): boolean =>
  one.fontSize === other.fontSize && ['line-height', 'font-family'].every((name) => one.get(name) === other.get(name));

const IN_LINE: Surroundings = { within: 'line', fills: false, rigid: { width: 0, height: 0 } };

/** The radius of a box that lies so many px inside of one with this radius. */
function radiusInside(radius: Radius, by: Sides<number>, x: 'left' | 'right', y: 'top' | 'bottom'): Radius {
  if (by[x] === by[y] && typeof radius === 'number') return Math.max(0, radius - by[x]);
  const { ofWidth = 0, ofHeight = 0, ...px } = typeof radius === 'number' ? { x: radius, y: radius } : radius;
  // Shares are of the outer box.
  const across = px.x + ofWidth * (by.left + by.right) - by[x];
  return { x: across, y: px.y + ofHeight * (by.top + by.bottom) - by[y], ofWidth, ofHeight };
}

/** One fill as it is seen before another; of what is no colour, the one in front. */
function inFront(front: Fill | null, behind: Fill | null): Fill | null {
  if (front?.kind !== 'solid' || behind?.kind !== 'solid') return front ?? behind;
  const [above, below] = [front.color, behind.color];
  const a = above.a + below.a * (1 - above.a);
  const mixed = (channel: 'r' | 'g' | 'b') =>
    (above[channel] * above.a + below[channel] * below.a * (1 - above.a)) / Math.max(a, 1e-9);
  return { kind: 'solid', color: { r: mixed('r'), g: mixed('g'), b: mixed('b'), a } };
}

/** CLDR's quotation marks, of languages that have others than English. */
const QUOTES: Readonly<Record<string, readonly [string, string]>> = {
  de: ['„“', '‚‘'],
  fr: ['«»', '«»'],
  es: ['«»', '“”'],
  it: ['«»', '“”'],
  pl: ['„”', '«»'],
  ru: ['«»', '„“'],
  ja: ['「」', '『』'],
};

/** How long the first letter of a text is, with the punctuation before and after it (CSS Pseudo-Elements 4, 2.2). */
function firstLetter(text: string): number {
  const characters = Array.from(text.slice(0, 40));
  const isBeside = (at: number) => /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]/u.test(characters[at] ?? '');
  let end = 0;
  while (isBeside(end)) end += 1;
  if (/\S/.test(characters[end] ?? ' ')) end += 1;
  while (/\p{M}/u.test(characters[end] ?? '')) end += 1;
  while (isBeside(end)) end += 1;
  return characters.slice(0, end).join('').length;
}

const px = (value: number) => ({ kind: 'px', value }) as const;
const SIDES = ['top', 'right', 'bottom', 'left'] as const;
const sidesOf = <T>(of: (side: (typeof SIDES)[number]) => T): Sides<T> => ({
  ...{ top: of('top'), right: of('right'), bottom: of('bottom'), left: of('left') },
});
const evenly = <T>(each: T): Sides<T> => sidesOf(() => each);
/** A gradient once in its area, and on around it. */
const WHOLE_TILE: Tiles = { size: [null, null], position: [px(0), px(0)], repeat: ['repeat', 'repeat'] };
const ONE_TILE: Tiles = { ...WHOLE_TILE, repeat: ['no-repeat', 'no-repeat'] };
const isWhole = ({ clip, origin, ...layer }: Extract<BackgroundLayer, { kind: 'fill' }>): boolean =>
  !layer.tiles && clip === 'border-box' && origin === 'padding-box';
/** Of a style that may have no box. */
const backgroundOnce = (style: Style): Background => style.once('background', (one) => backgroundOf(one));
const NO_BACKGROUND: Background = { color: null, layers: [], isText: false, isPixelated: false };

const imageNode = (name: string, image: string): ImageNode => ({
  ...PLAIN_NODE,
  ...{ name, type: 'image', image, fit: 'fill', zoom: 1, focus: { x: 0.5, y: 0.5 }, isPixelated: false },
  ...{ radii: NO_CORNERS, border: null, sideBorders: null },
});

/** What a part of `content` counts, or shows, of pages. */
function counterOf({ attributes }: CssElement): NonNullable<TextSpan['counter']> {
  const [counter, stringOf] = [attributes.get('counter'), attributes.get('string')];
  if (counter !== undefined) return counter as 'page' | 'pages';
  if (stringOf !== undefined) return { stringOf, which: attributes.get('which') as NamedString['which'] };
  return { pageOf: attributes.get('of') ?? '' };
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-9a-f]{1,6})\s?|\\\n|\\(.)/gis, (_, code, character) =>
    code ? String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16) || 0xfffd)) : (character ?? ''),
  );

/** Whether a link is the whole box: of words, each has its own. */
const isLinkedBox = (style: Style): boolean => style.element.name === 'a';

/** `-webkit-center` and its like: blocks in such a block stand in its middle, or at its end, too. */
function aligned(node: SceneNode, style: Style, within: Surroundings['within']): SceneNode {
  const [, side] = /^-webkit-(center|right)$/.exec(style.parent?.word('text-align') ?? '') ?? [];
  const { placement } = node;
  if (!side || within !== 'block' || placement.absolute || placement.float || placement.autoMargins) return node;
  return {
    ...node,
    placement: { ...placement, autoMargins: { top: false, bottom: false, left: true, right: side === 'center' } },
  };
}

/** CSS Flexbox 1, 4.5: a picture does not shrink below the size that is given, unless a minimum is, too. */
function unshrunk(placement: Placement, style: Style): Placement {
  const least = (own: number | null, side: 'width' | 'height', most: number | null) => {
    const size = placement[side];
    if (own !== null || size.kind !== 'px' || !/^(|auto)$/.test(style.word(`min-${side}`))) return own;
    return most === null ? size.value : Math.min(size.value, most);
  };
  return {
    ...placement,
    minWidth: least(placement.minWidth, 'width', placement.maxWidth),
    minHeight: least(placement.minHeight, 'height', placement.maxHeight),
  };
}

/** What style sheets say of the parts of a drawing (SVG 2, 6.6). */
const PAINTED =
  /^(fill|stroke|stop|flood|lighting)(-[a-z]+)*$|^(color|opacity|display|visibility|paint-order|clip-rule|text-anchor|font-(family|size|weight|style)|letter-spacing|transform|transform-origin|transform-box)$/;
const INHERITED_PAINT = ['fill', 'stroke', 'stroke-width'];

/** Flex and grid items by `order`. */
function ordered(nodes: readonly SceneNode[], orders: ReadonlyMap<SceneNode, number>): readonly SceneNode[] {
  if (orders.size === 0) return nodes;
  return nodes.toSorted((a, b) => (orders.get(a) ?? 0) - (orders.get(b) ?? 0));
}

/**
 * A sign as Chromium measures it by the ascent of its font, which here is the size of its letters, px: its side, how far it is
 * above the baseline, and from the words if it is outside.
 */
function bulletSize(fontSize: number): { readonly side: number; readonly above: number; readonly gap: number } {
  const ascent = Math.round(fontSize);
  const high = Math.floor((ascent * 2) / 3);
  const side = Math.floor((high + 1) / 2);
  return { side, above: ascent - Math.floor((3 * (ascent - high)) / 2) - side, gap: high + 7 - side };
}

/** The signs of what opens and closes, as Chromium draws them, in a square. */
const TRIANGLES: Readonly<Record<string, readonly number[]>> = {
  'disclosure-open': [0, 0.07, 0.5, 0.93, 1, 0.07],
  'disclosure-closed': [0.07, 0, 0.93, 0.5, 0.07, 1],
};

/** @param side px */
function bulletOf(type: string, { color }: Style, side: number): SceneNode {
  const isOpen = type === 'circle';
  const at = TRIANGLES[type]?.map((share) => share * side);
  const triangle = at && [0, 2, 4].map((i) => ({ x: at[i] ?? 0, y: at[i + 1] ?? 0 }));
  return {
    ...PLAIN_NODE,
    ...{
      name: 'bullet',
      type: 'shape',
      outline: triangle
        ? { kind: 'polygon', points: triangle }
        : type === 'square'
          ? { kind: 'rect', radii: NO_CORNERS }
          : { kind: 'ellipse' },
    },
    ...{ fill: isOpen ? null : { kind: 'solid', color }, fillRule: 'nonzero' },
    stroke: isOpen ? { fill: { kind: 'solid', color }, width: 1, dash: [], cap: 'butt', join: 'miter' } : null,
  };
}

/** Gathers what is in a box: blocks, and lines between them. */
export class BlockFlow {
  readonly #builder: PageBuilder;
  readonly context: Context;
  readonly within: 'block' | 'flex' | 'grid';
  readonly orders = new Map<SceneNode, number>();
  readonly #nodes: SceneNode[] = [];
  #run = new InlineRun();
  /** The boxes around words that are open, with what opens them again after a block. */
  readonly #open: { readonly frame: FrameNode; readonly words: WordsOf; box: ReturnType<InlineRun['open']> }[] = [];
  #hasLines = false;
  readonly #keepsLine: boolean;

  /** @param keepsLine whether there is a line even if nothing is in it: that of a marker */
  constructor(builder: PageBuilder, context: Context, within: 'block' | 'flex' | 'grid', keepsLine = false) {
    this.#keepsLine = keepsLine;
    this.#builder = builder;
    this.context = context;
    this.within = within;
  }

  words(text: string, words: WordsOf): void {
    this.#run.add(text, words);
  }

  counter(counter: NonNullable<TextSpan['counter']>, words: WordsOf): void {
    this.#run.counter(counter, words);
  }

  /** @param clear which floats what follows is below */
  breakLine(words: WordsOf, clear: Placement['clear']): void {
    this.#run.breakLine(words);
    if (clear && this.within === 'block')
      this.block({ ...PLAIN_FRAME, name: 'br', placement: { ...PLAIN_NODE.placement, absolute: false, clear } });
  }

  atom(node: SceneNode, align: Extract<InlineAtom, { kind: 'box' }>['align'], words: WordsOf): void {
    this.#run.box(node, align, words);
  }

  openBox(frame: FrameNode, words: WordsOf, length: number): void {
    this.#open.push({ frame, words, box: this.#run.open(frame, words, length) });
  }

  closeBox(length: number): void {
    const last = this.#open.pop();
    if (last) this.#run.close(last.box, length);
  }

  /** A block ends the lines before it; boxes around words go on after it. */
  block(node: SceneNode): void {
    this.#endRun();
    this.#nodes.push(node);
  }

  /** An item of a flex box or a grid. */
  item(node: SceneNode, order: number): void {
    this.block(node);
    if (order !== 0) this.orders.set(node, order);
  }

  /** What is no part of the lines, but placed by them. */
  beside(kind: 'float' | 'aside', node: SceneNode, style: CharacterStyle): void {
    if (this.#run.isFilled) {
      this.#builder.needs.addText(node.name, { text: '', style });
      this.#run.beside(kind, node, style);
    } else this.#nodes.push(node);
  }

  /** What is out of the flow, where it would be in it. */
  aside(node: SceneNode): void {
    if (this.#run.isFilled) this.#asides.push(node);
    else this.#nodes.push(node);
  }

  #asides: SceneNode[] = [];

  #endRun(): void {
    for (const each of this.#open.toReversed()) this.#run.close(each.box, 0);
    if (this.#run.isFilled) this.#nodes.push(this.#text());
    this.#nodes.push(...this.#asides);
    this.#asides = [];
    this.#run = new InlineRun();
    for (const each of this.#open) each.box = this.#run.open(each.frame, each.words, 0);
  }

  #text(): TextNode {
    const { style, prefix, heading } = this.context;
    const strut = this.#builder.textOf(this.context);
    const name = this.#builder.nameOf(heading ? { ...LETTERS, name: `h${heading}` } : LETTERS, { prefix });
    const spans = this.#run.ended();
    for (const span of spans) {
      this.#builder.needs.addText(name, { ...span, text: this.#builder.lettersOf(span) });
      for (const each of span.struts ?? []) this.#builder.needs.addText(name, { text: '', style: each.style });
    }
    this.#builder.needs.addText(name, { text: '', style: strut });
    const { lines, textShadows } = this.#builder.lookOf(style);
    if (lines.overflow === 'ellipsis' && lines.direction === 'rtl' && !spans.some(({ text }) => FROM_RIGHT.test(text)))
      style.lost('text-overflow', 'ellipsis of words from the left in lines from the right');
    const isFirst = !this.#hasLines;
    const firstLine = isFirst ? this.#builder.firstLineOf(this, spans, strut) : null;
    for (const [i, { text, atom }] of (firstLine ? spans : []).entries())
      this.#builder.needs.addText(name, { text: atom ? '' : text, style: firstLine?.styles[i] ?? strut });
    this.#hasLines = true;
    if (lines.hyphens === 'auto' && this.context.lang) this.#builder.needs.addHyphenation(this.context.lang);
    const orphans = style.number('orphans') ?? 2;
    const widows = this.#builder.isBesideOthers(style) ? 1 : (style.number('widows') ?? 2);
    return {
      ...PLAIN_NODE,
      ...PLAIN_TEXT,
      ...lines,
      ...{ name, spans, strut, textIndent: isFirst ? lines.textIndent : 0 },
      ...(firstLine && { firstLine }),
      keepsSpacing: true,
      ...(this.#builder.ignoresStrut && { ignoresStrut: true as const }),
      shadows: textShadows,
      fragmentation: { ...WHOLE, orphans, widows, heading },
      placement: {
        ...PLAIN_NODE.placement,
        absolute: false,
        width: this.within === 'block' ? { kind: 'fill' } : { kind: 'hug' },
        flexShrink: 1,
      },
    };
  }

  /** All of it, in order. */
  ended(): readonly SceneNode[] {
    if (this.#keepsLine && !this.#run.isFilled && this.#nodes.every(({ placement }) => placement.absolute))
      this.words('\u200b', this.#builder.wordsOf(this.context, this.context));
    this.#endRun();
    return this.#nodes;
  }
}
