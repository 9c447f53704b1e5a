// Gathers what is in a box: blocks, and lines between them (CSS 2, 9.2.1 and 9.2.2).

import { type CssElement, generated } from '../css/selectors.ts';
import type { NeedsCollector } from '../resolve/needs.ts';
import { PLAIN_FRAME, PLAIN_NODE } from '../resolve/plain-node.ts';
import { PLAIN_TEXT } from '../resolve/plain-text.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type {
  CharacterStyle,
  FrameNode,
  InlineAtom,
  Placement,
  SceneNode,
  TextNode,
  TextSpan,
} from '../resolve/scene.ts';
import type { BoxContext, BoxLook } from './box-context.ts';
import { InlineRun, type WordsOf } from './inline-run.ts';
import { IN_FLOW } from './placement.ts';
import type { Style } from './style.ts';

/** Letters of scripts that are written from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** What words are called in a scene. */
export const LETTERS = generated('text');

/** What a flow asks of whoever builds the page. */
export interface FlowBuilder {
  readonly needs: NeedsCollector;
  readonly ignoresStrut: boolean;
  nameOf(element: CssElement, context: Pick<BoxContext, 'prefix'>): string;
  textOf(context: BoxContext): CharacterStyle;
  lookOf(style: Style): BoxLook;
  wordsOf(context: BoxContext, around: BoxContext): WordsOf;
  lettersOf(span: TextSpan): string;
  firstLineOf(flow: BlockFlow, spans: readonly TextSpan[], strut: CharacterStyle): TextNode['firstLine'] | null;
  isBesideOthers(style: Style): boolean;
}

export class BlockFlow {
  readonly #builder: FlowBuilder;
  readonly context: BoxContext;
  readonly within: 'block' | 'flex' | 'grid';
  readonly orders = new Map<SceneNode, number>();
  readonly #nodes: SceneNode[] = [];
  #run = new InlineRun();
  /** The boxes around words that are open, with what opens them again after a block. */
  readonly #open: { readonly frame: FrameNode; readonly words: WordsOf; box: ReturnType<InlineRun['open']> }[] = [];
  #hasLines = false;
  readonly #keepsLine: boolean;

  /** @param keepsLine whether there is a line even if nothing is in it: that of a marker */
  constructor(builder: FlowBuilder, context: BoxContext, within: 'block' | 'flex' | 'grid', keepsLine = false) {
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
    if (clear && this.within === 'block') this.block({ ...PLAIN_FRAME, name: 'br', placement: { ...IN_FLOW, clear } });
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
    if (kind === 'float' && this.#run.endsInBreak) this.block(node);
    else if (this.#run.isFilled) {
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
        ...IN_FLOW,
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

/** Flex and grid items by `order`. */
export function ordered(nodes: readonly SceneNode[], orders: ReadonlyMap<SceneNode, number>): readonly SceneNode[] {
  if (orders.size === 0) return nodes;
  return nodes.toSorted((a, b) => (orders.get(a) ?? 0) - (orders.get(b) ?? 0));
}
