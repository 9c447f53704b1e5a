// Gathers the words and boxes of lines: white space as CSS Text 3, 4.1 has it, and the boxes around words.

import type { CharacterStyle, FrameNode, InlineAtom, InlineBox, SceneNode, TextSpan } from '../resolve/scene.ts';

/** U+FFFC stands for what is no letter. */
const OBJECT = '\ufffc';

export interface WordsOf {
  readonly style: CharacterStyle;
  readonly whiteSpace: string;
  readonly link: string | null;
  readonly raise: number;
  readonly struts?: TextSpan['struts'];
}

/** Lines do not break there either between words and boxes. */
const wrapping = (whiteSpace: string): Pick<TextSpan, 'noWrap'> =>
  whiteSpace === 'nowrap' || whiteSpace === 'pre' ? { noWrap: true } : {};

const KEPT = /^(pre|pre-wrap|break-spaces)$/;

function collapsed(text: string, whiteSpace: string): string {
  const words = text.replace(/\r\n?/g, '\n');
  if (KEPT.test(whiteSpace)) return words;
  return whiteSpace === 'pre-line'
    ? words.replace(/[ \t\f]+/g, ' ').replace(/ ?\n ?/g, '\n')
    : words.replace(/[ \t\n\f]+/g, ' ');
}

/** What an `InlineRun` has to see where a text is all that is in it; '' = nothing. */
export function wordsAlone(text: string, whiteSpace: string): string {
  const words = collapsed(text, whiteSpace);
  return KEPT.test(whiteSpace)
    ? words
    : words.slice(words.startsWith(' ') ? 1 : 0, words.endsWith(' ') ? -1 : undefined);
}

export class InlineRun {
  readonly spans: TextSpan[] = [];
  readonly #open: InlineBox[] = [];
  readonly #wrappings = new Map<InlineBox, ReturnType<typeof wrapping>>();
  /** Whether a space that may go would be the first of a line, or follows one. */
  #endsInSpace = true;
  /** Whether there is something to see, or that takes a line. */
  isFilled = false;

  add(text: string, { style, whiteSpace, link, raise, struts }: WordsOf): void {
    const collapses = !KEPT.test(whiteSpace);
    let words = collapsed(text, whiteSpace);
    if (collapses && this.#endsInSpace && words.startsWith(' ')) words = words.slice(1);
    if (words === '') return;
    this.#endsInSpace = collapses && /[ \n]$/.test(words);
    if (!collapses || words !== ' ') this.isFilled = true;
    this.#push({ text: words, style, link, raise: raise || undefined, struts, ...wrapping(whiteSpace) });
  }

  /** A line ends here. */
  breakLine(words: WordsOf): void {
    this.#push({ text: '\n', style: words.style, link: null });
    this.#endsInSpace = true;
    this.isFilled = true;
  }

  box(
    node: SceneNode,
    align: Extract<InlineAtom, { kind: 'box' }>['align'],
    { style, link, raise, struts, whiteSpace }: WordsOf,
  ): void {
    this.#push({
      ...wrapping(whiteSpace),
      text: OBJECT,
      style,
      link,
      raise: raise || undefined,
      struts,
      atom: { kind: 'box', node, align, size: null },
    });
    this.#endsInSpace = false;
    this.isFilled = true;
  }

  /** What takes no place in the line. */
  beside(kind: 'float' | 'aside', node: SceneNode, style: CharacterStyle): void {
    this.#push({ text: OBJECT, style, link: null, atom: { kind, node } });
  }

  /** Begins a box around words. @param lengths of its margin, border and padding at its start, px */
  open(frame: FrameNode, { style, raise, whiteSpace }: WordsOf, length: number): InlineBox {
    const box = { frame, style, raise };
    this.#open.push(box);
    this.#wrappings.set(box, wrapping(whiteSpace));
    this.#edge(box, 'start', length);
    return box;
  }

  close(box: InlineBox, length: number): void {
    this.#edge(box, 'end', length);
    this.#open.splice(this.#open.indexOf(box), 1);
  }

  #edge(box: InlineBox, side: 'start' | 'end', length: number): void {
    if (length !== 0) this.isFilled = true;
    const atom = { kind: 'edge', side, box, length } as const;
    this.#push({ text: OBJECT, style: box.style, link: null, atom, ...this.#wrappings.get(box) });
  }

  /** What counts pages; the number of the page on which a box begins is as wide as two digits until it is known. */
  counter(counter: NonNullable<TextSpan['counter']>, { style, link, raise }: WordsOf): void {
    const isFar = typeof counter === 'object' && 'pageOf' in counter;
    const text = isFar ? '00' : '';
    this.#push({ text, style, link, raise: raise || undefined, ...(isFar && { noWrap: true }), counter });
    this.#endsInSpace = false;
    this.isFilled = true;
  }

  #push({ link, ...span }: Omit<TextSpan, 'counter' | 'image'> & Partial<Pick<TextSpan, 'counter'>>): void {
    const linked = link?.startsWith('#') ? { link: null, linksTo: link } : { link };
    const within = this.#open.length > 0 ? { within: [...this.#open] } : {};
    this.spans.push({ counter: null, image: null, ...span, ...linked, ...within });
  }

  /** Whether its last line is ended by force: what follows is in none of them. */
  get endsInBreak(): boolean {
    return this.spans.findLast(({ atom }) => atom?.kind !== 'edge')?.text.endsWith('\n') === true;
  }

  /** The spans without a space at their end that may go. */
  ended(): readonly TextSpan[] {
    const last = this.spans.findLastIndex(({ atom }) => !atom || atom.kind === 'box');
    const span = this.spans[last];
    if (this.#endsInSpace && span && !span.atom && span.text.endsWith(' ')) {
      const text = span.text.slice(0, -1);
      return text === '' ? this.spans.toSpliced(last, 1) : this.spans.with(last, { ...span, text });
    }
    return this.spans;
  }
}
