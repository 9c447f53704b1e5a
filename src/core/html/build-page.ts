// Makes the boxes of a page: elements with their styles → nodes of a scene, which layout places (CSS 2, 9.2; CSS Display 3).

import type { Cascade, Declared } from '../css/cascade.ts';
import { type CssElement, generated, isElement } from '../css/selectors.ts';
import type { Size } from '../geometry.ts';
import { NeedsCollector } from '../resolve/needs.ts';
import { PLAIN_FRAME, PLAIN_NODE, plainFlex } from '../resolve/plain-node.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type {
  CharacterStyle,
  Fill,
  FrameNode,
  Placement,
  SceneNode,
  Sides,
  TextNode,
  TextSpan,
} from '../resolve/scene.ts';
import { Counters } from '../text/counters.ts';
import { backgroundOnce, filledWith, fillOf, maskNodes, NO_BACKGROUND } from './backgrounds.ts';
import { BlockFlow, ordered } from './block-flow.ts';
import {
  type BoxContext,
  type BoxLook,
  type KnownText,
  NO_DECORATIONS,
  type PartCascades,
  type PlacedNodes,
  type Where,
} from './box-context.ts';
import { inColumns } from './column-frames.ts';
import { effectsOf } from './effects.ts';
import {
  dropOf,
  fieldEdges,
  fieldParts,
  fieldSize,
  fieldsetOf,
  fieldText,
  hintOf,
  isField,
  isOfWords,
} from './form-fields.ts';
import { firstLetter, generatedBy, type PageCount, quotesAround, stringsOf } from './generated-content.ts';
import type { WordsOf } from './inline-run.ts';
import { addMarker } from './list-markers.ts';
import { nameLost } from './name-lost.ts';
import { borderImageOf, bordersOf, clearBorders, isFilled, radiiOf, shadowsOf } from './paint-style.ts';
import { pictureNode } from './pictures.ts';
import {
  breaksOf,
  clearOf,
  columnsOf,
  flexOf,
  gridOf,
  IN_FLOW,
  innerBlock,
  insetOf,
  NO_CORNERS,
  NO_EDGES,
  paddingOf,
  placementOf,
  px,
  rigidOf,
  type Surroundings,
  sideWidths,
} from './placement.ts';
import { eachSide } from './shorthands.ts';
import { stackingLevel, stackingOf } from './stacking.ts';
import { type Declarations, Style, type StyleContext, type StyleKind } from './style.ts';
import { type CellWords, tableNode } from './table-boxes.ts';
import { displayOf, withTables } from './table-model.ts';
import {
  alignOf,
  bidiMarks,
  characterStyle,
  decorationsOf,
  linesOf,
  raiseOf,
  staysInLine,
  whiteSpaceOf,
} from './text-style.ts';
import { REPLACED, renderedChildren } from './user-agent.ts';

const HEADING = /^h([1-6])$/;
const VALID_LINK = /^(https?:\/\/|mailto:|tel:|#)[^\s\\]*$/i;

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
  /** Whether elements in lines have a box even where nothing of it is seen. */
  readonly tracesInlines: boolean;
  /** Whether the root and the body are at least as high as the canvas. */
  readonly fillsCanvas: boolean;
  readonly ignoresStrut: boolean;
  /** The names of the boxes that are linked to in a document, by what a link says. */
  readonly targets: ReadonlyMap<string, string>;
  /** From how many rows on a table's are packed. */
  readonly longTable: number;
  /** The address of what an element shows; null = it is no picture. */
  readonly sourceOf: (element: CssElement) => string | null;
}

export class PageBuilder {
  readonly needs = new NeedsCollector();
  readonly #context: StyleContext;
  /** The page's own rules, which the parts of drawings have, too. */
  readonly cascade: Cascade<CssElement>;
  readonly parts: PartCascades;
  readonly counters = new Counters();
  readonly #names = new Map<string, number>();
  /** Of masks that have nodes, which are of this page alone. */
  readonly #looks = new Map<StyleKind, BoxLook>();
  /** Of cells, by their kind, as they were last. */
  readonly cellWords = new Map<StyleKind, CellWords>();
  readonly #beside = new Map<Style, boolean>();
  readonly #styles = new Map<CssElement, Style>();
  /** The node of each element where inlines are traced, for tests and tools. */
  readonly boxes = new Map<CssElement, SceneNode>();

  /** All that named strings say. */
  readonly strings: string[] = [];
  readonly ignoresStrut: boolean;
  readonly longTable: number;
  readonly options: BuildOptions;

  constructor(context: StyleContext, parts: PartCascades, options: BuildOptions) {
    this.options = options;
    this.ignoresStrut = options.ignoresStrut;
    this.longTable = options.longTable;
    this.#context = context;
    this.cascade = context.cascade;
    this.parts = parts;
  }

  told(element: CssElement, node: SceneNode): void {
    if (this.options.tracesInlines) this.boxes.set(element, node);
  }

  /** The page as one frame, with what its canvas is filled with. */
  build(html: CssElement, isPaged: boolean): BuiltPage {
    this.#isPaged = isPaged;
    const { width, height } = this.#context.kinds.viewport;
    const [fixed, initial]: [SceneNode[], SceneNode[]] = [[], []];
    const style = this.styleOf(html, null);
    const context = this.#outermost(style, html, initial, fixed);
    const flow = new BlockFlow(this, context, 'block');
    const body = html.children.find((child): child is CssElement => typeof child !== 'string' && child.name === 'body');
    // CSS Backgrounds 3, 2.11.2: the canvas has the background of the root, or else of the body.
    const canvasOf = [style, ...(body ? [this.styleOf(body, style)] : [])].find((each) =>
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
    const own = canvasOf ? backgroundOnce(canvasOf) : NO_BACKGROUND;
    // It has no border and no padding.
    const layers = own.layers.map((layer) => ({ ...layer, clip: 'border-box', origin: 'padding-box' }) as const);
    const { fill, behind } = filledWith(this.needs, { ...own, layers }, 'canvas', NO_CORNERS);
    if (!isPaged) {
      const sheets = { initial: [], fixed: [] };
      if (behind.length === 0) return { root, background: fill, ...sheets };
      return {
        root: { ...root, background: fill, children: [...behind, ...root.children] },
        background: null,
        ...sheets,
      };
    }
    const placement = { ...PLAIN_NODE.placement, inset: eachSide(() => px(0)) };
    const canvas: FrameNode = { ...PLAIN_FRAME, name: 'canvas', background: fill, children: behind, placement };
    return { root, background: null, initial, fixed, canvas: canvasOf ? canvas : null };
  }

  /** A box in the margins of sheets, which is in no element; null = it has no content (CSS Page 3, 5). */
  marginBox(name: string, html: CssElement, cascade: Cascade<CssElement>): FrameNode | null {
    const style = this.styleOf(html, null).pseudo(cascade);
    if (/^(|none|normal)$/i.test(style.get('content'))) return null;
    const context = this.#outermost(style, html);
    const flow = new BlockFlow(this, context, 'block');
    const element = generated('::margin', this.generatedBy(style, true));
    this.children(element, style, flow, context);
    const content = innerBlock(`${name} content`, flow.ended());
    const align = style.word('vertical-align');
    const justify = align === 'top' ? 'start' : align === 'bottom' ? 'safe end' : 'safe center';
    const layout = { ...plainFlex('column'), justify } as const;
    const shown = this.nameOf({ ...element, name }, context);
    return this.framed(style, shown, layout, [content], context, { within: 'flex', fills: false });
  }

  /** A sheet's own box; null = nothing of it is seen. */
  sheetBox(html: CssElement, { width, height }: Size, cascade: Cascade<CssElement>): FrameNode | null {
    const style = this.styleOf(html, null).pseudo(cascade);
    if (!isFilled(this.lookOf(style).background)) return null;
    const [context, where] = [this.#outermost(style, html), { within: 'block', fills: false } as const];
    const frame = this.framed(style, '@page', { type: 'block', isRoot: true }, [], context, where);
    return { ...frame, placement: { ...PLAIN_NODE.placement, width: px(width), height: px(height) } };
  }

  /** Of what is in no box of the page. @param initial receives what is placed in it, and `fixed` what is fixed */
  #outermost(style: Style, html: CssElement, initial: SceneNode[] = [], fixed: SceneNode[] = []): BoxContext {
    return {
      ...{ style, decorations: NO_DECORATIONS, behindLetters: null, link: null, prefix: '', heading: null },
      ...{ positioned: { nodes: initial, isApart: false }, fixed: { nodes: fixed, isApart: false } },
      lang: html.attributes.get('lang') ?? null,
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

  get isInFirstLine(): boolean {
    return this.#line !== null;
  }

  /** The place of the next box among all of the page. */
  nextOrder(): number {
    this.#count += 1;
    return this.#count;
  }

  generatedBy(style: Style, isInMargins = false): (CssElement | string)[] {
    return generatedBy(style, this.counters, this.options.targets, isInMargins);
  }

  #isPaged = false;
  #canvas: Style | null = null;
  /** Of the elements that have boxes so far. */
  #count = 0;
  /** The block of which the first letter has not come yet, if it has a style of its own. */
  #letterOf: Style | null = null;
  #line: FirstLine | null = null;

  styleOf(element: CssElement, parent: Style | null): Style {
    let known = this.#styles.get(element);
    if (!known) {
      known = new Style(element, parent, this.#context);
      this.#styles.set(element, known);
    }
    return known;
  }

  nameOf(element: CssElement, { prefix }: Pick<BoxContext, 'prefix'>): string {
    const layer = element.attributes.get('data-layer') ?? this.options.targets.get(`#${element.attributes.get('id')}`);
    const base = layer ?? element.name;
    const count = (this.#names.get(prefix + base) ?? 0) + 1;
    this.#names.set(prefix + base, count);
    return `${prefix}${base}${layer !== undefined && count === 1 ? '' : ` ${count}`}`;
  }

  textOf(context: BoxContext): CharacterStyle {
    const { style, behindLetters } = context;
    return this.knownText(context, ({ decorations, lang }) => {
      const own = characterStyle(style, decorations, lang);
      const isClear = own.fill.kind === 'solid' && own.fill.color.a === 0 && style.word('visibility') === 'visible';
      return behindLetters && isClear ? { ...own, fill: behindLetters } : own;
    });
  }

  knownText({ style, decorations, behindLetters, lang }: BoxContext, make: (of: KnownText['of']) => CharacterStyle) {
    const latest = style.once('text', (): { known: KnownText | null } => ({ known: null }));
    const of = latest.known?.of;
    if (!of || of.decorations !== decorations || of.behindLetters !== behindLetters || of.lang !== lang) {
      const own = { decorations, behindLetters, lang };
      latest.known = { of: own, style: make(own) };
    }
    return (latest.known as KnownText).style;
  }

  /** What a box looks like, and how its lines are, once for all that are alike. */
  lookOf(style: Style): BoxLook {
    if (/^(none)?$/i.test(style.get('mask-image'))) return style.once('look', (one) => this.#look(one));
    const known = this.#looks.get(style.kind) ?? this.#look(style);
    this.#looks.set(style.kind, known);
    return known;
  }

  #look(style: Style): BoxLook {
    nameLost(style);
    return {
      ...fieldEdges(style, { padding: paddingOf(style), borders: bordersOf(style), radii: radiiOf(style) }),
      borderImage: borderImageOf(style),
      background: backgroundOnce(style),
      effects: effectsOf(style, (layers) => maskNodes(this.needs, layers, style)),
      stacking: stackingOf(style),
      shadows: shadowsOf(style, 'box-shadow'),
      textShadows: shadowsOf(style, 'text-shadow').map((shadow) => ({
        ...{ ...shadow, inset: false, spread: 0, ofLetters: true },
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

  contextOf(element: CssElement, style: Style, around: BoxContext): BoxContext {
    const own = style.once('decorations', decorationsOf);
    const href = element.name === 'a' ? element.attributes.get('href')?.trim() : undefined;
    const isApart = /^inline-|^table/.test(style.word('display')) || style.isFloat || style.isOut;
    const passed = isApart ? NO_DECORATIONS : around.decorations;
    const [, level] = HEADING.exec(element.name) ?? [];
    return {
      ...around,
      style,
      decorations: !own ? passed : passed.length === 0 ? own : [...passed, ...own],
      ...(style.word('background-clip') === 'text' && {
        behindLetters: fillOf(this.lookOf(style).background, style),
      }),
      link:
        (href?.startsWith('#') ? this.options.targets.get(href) : href && VALID_LINK.test(href) && href) || around.link,
      lang: element.attributes.get('lang') ?? around.lang,
      heading: level === undefined ? around.heading : Number(level),
    };
  }

  /** Adds the boxes of an element to what it is in. */
  element(element: CssElement, flow: BlockFlow, around: BoxContext): void {
    const style = this.styleOf(element, around.style);
    if (style.word('display') === 'none') return;
    this.counters.enter(style);
    this.#enterList(element, style);
    const context = this.contextOf(element, style, around);
    if (element.name === 'br') {
      const isOwn = style.declares('line-height') || style.declares('font-size');
      flow.breakLine(this.wordsOf(isOwn ? context : around, flow.context), clearOf(style));
    } else if ('counter' in element) flow.counter((element as PageCount).counter, this.wordsOf(context, flow.context));
    else if (element.name === 'wbr') flow.words('\u200b', this.wordsOf(context, flow.context));
    else if (style.word('display') === 'contents') this.children(element, style, flow, context);
    else this.#box(element, style, flow, context);
    this.counters.leave();
  }

  #enterList(element: CssElement, style: Style): void {
    const number = (name: string) => {
      const value = element.attributes.get(name);
      return value !== undefined && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : null;
    };
    if (/^(ol|ul|menu|dir)$/.test(element.name)) this.counters.reset('list-item', (number('start') ?? 1) - 1);
    if (style.word('display') === 'list-item') {
      const value = element.name === 'li' ? number('value') : null;
      if (value === null) this.counters.increment('list-item', 1);
      else this.counters.set('list-item', value);
    }
  }

  /** The children of an element, with what is generated around them. */
  children(element: CssElement, style: Style, flow: BlockFlow, context: BoxContext): void {
    const isGenerated = element.name.startsWith('::');
    const quotes = element.name === 'q' ? quotesAround(style, context.lang) : null;
    if (!isGenerated) this.#generated(style, this.parts.before, flow, context);
    if (quotes) flow.words(quotes[0], this.wordsOf(context, flow.context));
    for (const child of withTables(renderedChildren(element), (one) => displayOf(this.styleOf(one, style)))) {
      if (typeof child === 'string') this.#words(child, flow, context);
      else if (child.name === '::table') this.anonymousTable(child, style, flow, context);
      else this.element(child, flow, context);
    }
    if (quotes) flow.words(quotes[1], this.wordsOf(context, flow.context));
    if (!isGenerated) this.#generated(style, this.parts.after, flow, context);
  }

  #words(text: string, flow: BlockFlow, context: BoxContext): void {
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
    const style = around.firstOf(this.parts.firstLetter, block);
    const letter = generated('::first-letter', [text.slice(start, end)]);
    if (style) {
      this.#styles.set(letter, style);
      flow.words(text.slice(0, start), this.wordsOf(context, flow.context));
      this.#box(letter, style, flow, this.contextOf(letter, style, context));
    }
    flow.words(text.slice(style ? end : 0), this.wordsOf(context, flow.context));
  }

  /** Builds what is in a block: its first letter and line are also those of blocks around, unless it keeps to itself. */
  inBlock<T>({ name }: CssElement, style: Style, isApart: boolean, build: () => T): T {
    const of = (cascade: Cascade<CssElement>) => (name.startsWith('::') ? null : style.firstOf(cascade, style));
    const [letterOf, line] = [this.#letterOf, this.#line];
    this.#letterOf = of(this.parts.firstLetter) ? style : isApart ? null : letterOf;
    const inLine = of(this.parts.firstLine);
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
  anonymousTable(element: CssElement, around: Style, flow: BlockFlow, context: BoxContext): void {
    const style = new Style(element, around, this.#context, OF_TABLES);
    const isInline = flow.within === 'block' && around.word('display') === 'inline';
    const within = isInline ? 'line' : flow.within;
    const node = tableNode(this, element, style, { ...context, style }, { within, fills: false });
    if (isInline) flow.atom(node, 'baseline', this.wordsOf(context, flow.context));
    else flow.block(node);
  }

  #generated(of: Style, cascade: Cascade<CssElement>, flow: BlockFlow, around: BoxContext): void {
    if (cascade.isEmpty) return;
    const style = of.part(cascade);
    if (!style) return;
    this.counters.enter(style);
    const children = this.generatedBy(style);
    const element = generated(cascade === this.parts.before ? '::before' : '::after', children);
    this.#styles.set(element, style);
    this.#box(element, style, flow, { ...this.contextOf(element, style, around) });
    this.counters.leave();
  }

  wordsOf(context: BoxContext, around: BoxContext): WordsOf {
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
    const struts: NonNullable<TextSpan['struts']>[number][] = [];
    for (let each = inner.parent; each && each !== block && staysInLine(each); each = each.parent) {
      const raise = raiseOf(each, block);
      if (hasWords && hasLinesOf(each, inner) && raise === raiseOf(inner, block)) continue;
      if (hasLinesOf(each, block) && raise === 0) continue;
      struts.push({ style: each.once('strut', (one) => characterStyle(one, NO_DECORATIONS, null)), raise });
    }
    return struts.length > 0 ? struts : undefined;
  }

  #box(element: CssElement, style: Style, flow: BlockFlow, context: BoxContext): void {
    const { isOut } = style;
    const isFloat = !isOut && flow.within === 'block' && style.isFloat;
    const isInFlow = !isOut && !isFloat && flow.within === 'block';
    const display = style.word('display');
    const isWhole = REPLACED.test(element.name) || isField(element);
    if (isInFlow && display === 'inline' && !isWhole) {
      this.#inline(element, style, flow, context);
      return;
    }
    const isInLine = isInFlow && display.startsWith('inline');
    const within = isInLine ? 'line' : isOut || isFloat ? 'block' : flow.within;
    const fills = isInFlow && !isInLine && !isWhole && display !== 'table';
    const node = this.#node(element, style, context, { within, fills });
    if (!node) return;
    if (isOut) this.#place(node, style, flow, context);
    else if (isFloat) flow.beside('float', node, this.textOf(context));
    else if (!isInFlow) flow.item(node, Number.parseInt(style.get('order'), 10) || 0);
    else if (!isInLine) flow.block(node);
    else {
      this.#letterOf = null;
      if (this.#line) this.#line.flow ??= flow;
      const veil = style.parent?.veil ?? 1;
      flow.atom(veil < 1 ? { ...node, opacity: node.opacity * veil } : node, alignOf(style), {
        ...this.wordsOf({ ...context, style: flow.context.style }, flow.context),
        raise: raiseOf(style, flow.context.style) - (alignOf(style) === 'baseline' ? dropOf(style) : 0),
        struts: this.#strutsIn(style, flow.context.style),
        link: context.link,
      });
    }
  }

  /** Puts what is out of the flow into the box that its sides are measured from. */
  #place(node: SceneNode, style: Style, flow: BlockFlow, context: BoxContext): void {
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

  #inline(element: CssElement, style: Style, flow: BlockFlow, context: BoxContext): void {
    const { padding, borders, background, radii, shadows } = this.lookOf(style);
    const margin = { ...NO_EDGES, left: style.px('margin-left'), right: style.px('margin-right') };
    const widths = sideWidths(borders);
    const marks = bidiMarks(style);
    const isSticky = style.word('position') === 'sticky';
    const isRelative = isSticky || style.word('position') === 'relative';
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
    if (!this.options.tracesInlines && (!isBoxed || background.isText)) {
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
        background: fillOf(background, style),
      },
      ...{ shadows, opacity: style.veil },
      placement: {
        ...PLAIN_NODE.placement,
        margin,
        ...(isRelative && { isContaining: 'positioned', inset: isSticky ? null : insetOf(style) }),
      },
    };
    this.told(element, frame);
    const words = this.wordsOf(context, flow.context);
    const along = (name: 'left' | 'right') => margin[name] + widths[name] + padding[name];
    const [first, last] =
      flow.context.style.word('direction') === 'rtl' ? (['right', 'left'] as const) : (['left', 'right'] as const);
    flow.openBox(frame, words, along(first));
    inside();
    flow.closeBox(along(last));
  }

  /** The node of an element that is a box of its own. */
  #node(element: CssElement, style: Style, context: BoxContext, where: Where): SceneNode | null {
    const order = this.nextOrder();
    const made = REPLACED.test(element.name)
      ? pictureNode(this, element, style, context, where)
      : /^(inline-)?table$/.test(style.word('display'))
        ? tableNode(this, element, style, context, where)
        : this.frame(element, style, context, where);
    if (!made) return null;
    const filled = this.options.fillsCanvas && /^(html|body)$/.test(element.name) ? this.#filling(made) : made;
    const strings = stringsOf(element, style, this.counters);
    if (strings) this.strings.push(...Object.values(strings));
    const saying = strings ? { ...filled, fragmentation: { ...(filled.fragmentation ?? WHOLE), strings } } : filled;
    const node = aligned(this.raised(saying, style, where.within, order), style, where.within);
    this.told(element, node);
    return node;
  }

  raised<Node extends SceneNode>(
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
  containing(
    style: Style,
    around: BoxContext,
    within: Surroundings['within'] | 'row',
    positions: SceneNode[],
  ): BoxContext {
    const { stacking } = this.lookOf(style);
    const { contains } = stacking;
    const isContext = stackingLevel(stacking, /^(flex|grid)$/.test(within), 0)?.isContext ?? false;
    if (!contains && !isContext) return around;
    const own: PlacedNodes = { nodes: positions, isApart: false };
    const passed = ({ nodes, isApart }: PlacedNodes): PlacedNodes => ({ nodes, isApart: isApart || isContext });
    return {
      ...around,
      positioned: contains ? own : passed(around.positioned),
      // On sheets it is on each of them.
      fixed: contains === 'fixed' ? own : this.#isPaged ? around.fixed : passed(around.fixed),
    };
  }

  /** Quirks, 3.5 and 3.6: at least as high as the canvas within its margins. */
  #filling(node: SceneNode): SceneNode {
    const { margin, height, minHeight } = node.placement;
    if (height.kind !== 'hug' || minHeight !== null) return node;
    const least = Math.max(0, this.#context.kinds.viewport.height - margin.top - margin.bottom);
    return { ...node, placement: { ...node.placement, minHeight: least } };
  }

  frame(element: CssElement, style: Style, around: BoxContext, where: Where): FrameNode {
    const display = style.word('display');
    const isFlex = /flex$|^-webkit-(inline-)?box$/.test(display);
    const isClamped = display.startsWith('-webkit-') && style.get('line-clamp') !== '';
    const isGrid = /grid$/.test(display);
    const positions: SceneNode[] = [];
    const context = this.containing(style, around, where.within, positions);
    const name = this.nameOf(element, around);
    const isEntry = display === 'list-item';
    const isNamed = isEntry && element.name !== 'summary';
    const own: BoxContext = isNamed ? { ...context, prefix: `${context.prefix}${this.#entryOf()}` } : context;
    const within = isFlex && !isClamped ? 'flex' : isGrid ? 'grid' : 'block';
    const flow = new BlockFlow(this, own, within, isEntry && style.word('list-style-type') !== 'none');
    const legendOf = element.name === 'fieldset' && !isFlex && !isGrid ? this.#legendIn(element, style) : null;
    const legendStyle = legendOf && this.styleOf(legendOf, style);
    const legend =
      legendStyle &&
      this.#node(legendOf, legendStyle, this.contextOf(legendOf, legendStyle, own), { within: 'flex', fills: false });
    const rest = legend ? { ...element, children: element.children.filter((child) => child !== legendOf) } : element;
    const isRoot =
      where.within !== 'block' ||
      /^(flow-root|inline-block)$/.test(display) ||
      style.word('overflow-x') !== 'visible' ||
      style.isFloat ||
      style.isOut ||
      element.name === 'html' ||
      element.name === 'fieldset' ||
      style.once('columns', columnsOf) !== null;
    const nodes = this.inBlock(element, style, isRoot || isFlex || isGrid, () => {
      if (isEntry) addMarker(this, style, flow, own);
      this.#content(rest, style, flow, own);
      return flow.ended();
    });
    if (legend) {
      const { topLeft, topRight } = this.lookOf(style).radii;
      if (topLeft !== 0 || topRight !== 0) style.lost('border-radius', 'beside a <legend>');
      const frame = this.framed(style, this.nameOf(element, own), plainFlex('column'), [], own, where);
      return fieldsetOf(frame, this.lookOf(style), legend, nodes, positions);
    }
    const columns = isFlex || isGrid ? null : style.once('columns', columnsOf);
    const ofItems = within === 'flex' ? style.once('flex', flexOf) : within === 'grid' && style.once('grid', gridOf);
    const layout = ofItems || ({ type: 'block', isRoot } as const);
    const children = columns ? inColumns(nodes, columns, name, style) : ordered(nodes, flow.orders);
    const parts = fieldParts(style);
    // A field that has a share of the width around it asks for as much as one without.
    const share = isField(element) && style.mixed('width')?.percent ? fieldSize(style).width : null;
    if (isOfWords(element)) {
      // What a field shows is in the middle of its height.
      const inside = innerBlock(`${name} content`, share ? [...children, roomOf(share)] : children);
      const all = [{ ...inside, clip: element.name === 'input' }, ...parts, ...positions];
      return this.framed(style, name, { ...plainFlex('column'), justify: 'center' }, all, context, where);
    }
    return this.framed(style, name, layout, [...children, ...parts, ...positions], context, where);
  }

  /** The legend that stands in the border of a fieldset (HTML, 15.3.13); null = there is none. */
  #legendIn(element: CssElement, style: Style): CssElement | null {
    const isLegend = (child: CssElement) => {
      const own = this.styleOf(child, style);
      return child.name === 'legend' && !own.isOut && !own.isFloat && own.word('display') !== 'none';
    };
    return element.children.filter(isElement).find(isLegend) ?? null;
  }

  /** The name of the entry of a list, by which its words are one entry of the list in a PDF. */
  #entryOf(): string {
    const count = (this.#names.get(' list') ?? 0) + 1;
    this.#names.set(' list', count);
    return `list[${this.counters.of('list-item').at(-1) ?? count}].`;
  }

  /** What stands in a box: its children, or what a field of a form shows. */
  #content(element: CssElement, style: Style, flow: BlockFlow, context: BoxContext): void {
    const hint = hintOf(element);
    const words = hint ?? fieldText(element);
    if (words !== null) {
      const of = hint === null ? style : style.pseudo(OF_HINTS).pseudo(this.parts.placeholder);
      flow.words(words === '' ? '\u200b' : words, this.wordsOf({ ...context, style: of }, flow.context));
      return;
    }
    this.children(element, style, flow, context);
  }

  framed(
    style: Style,
    name: string,
    layout: FrameNode['layout'],
    children: readonly SceneNode[],
    context: BoxContext,
    where: Where,
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
    // CSS Overflow 3, 3.3: that of the body is for the canvas, unless the root has one.
    const ofCanvas =
      /^(html|body)$/.test(style.element.name) && (style.parent?.word('overflow-x') ?? 'visible') === 'visible';
    const isClipped =
      !ofCanvas && ['overflow-x', 'overflow-y'].some((axis) => /^(hidden|clip|auto|scroll)$/.test(style.word(axis)));
    const isHidden = style.word('visibility') === 'hidden';
    const { fill, behind: under } = filledWith(this.needs, background, name, radii, { padding, ...borders });
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
              inset: outside(sideWidths(borders)),
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
      // Of words, each has its own.
      link: style.element.name === 'a' ? context.link : null,
      fragmentation,
      children: isHidden ? children : [...behind, ...children],
    };
  }

  /** The style of a part of a table, which inherits from what it is in. */
  styleIn(child: CssElement, table: Style): Style {
    const known = this.#styles.get(child);
    if (known) return known;
    const around = this.cascade.parentOf(child);
    const outer = table.element.name === '::table' && table.parent ? table.parent : table;
    return this.styleOf(child, around && around !== outer.element ? this.styleIn(around, table) : outer);
  }
}

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

const outside = (by: Sides<number>) => eachSide((side) => px(-by[side]));

/** Whether the words of two styles have lines of one height. */
const hasLinesOf = (one: Style, other: Style): boolean =>
  one.fontSize === other.fontSize && ['line-height', 'font-family'].every((name) => one.get(name) === other.get(name));

const roomOf = (width: number): FrameNode => ({
  ...PLAIN_FRAME,
  name: 'room',
  placement: { ...IN_FLOW, width: px(width), height: px(0) },
});

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
