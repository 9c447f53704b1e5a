// Parses inline Markdown into stretches of plain text with their marks. It never fails: invalid markup is plain text.
//
// CommonMark's inline rules (spec 0.31.2 §6: code spans, emphasis and strong emphasis, links, backslash escapes),
// GFM's `~~strikethrough~~`, and Pandoc's bracketed spans, only as `[words]{color=red}`. No blocks, images, HTML or
// entities; a line feed is a line break, as in any text.

import { parseColor } from '../color.ts';
import { Href } from '../template/style.ts';

/** Text under one set of marks. */
export interface MarkedText {
  readonly text: string;
  readonly strong: boolean;
  readonly emphasis: boolean;
  readonly strikethrough: boolean;
  readonly code: boolean;
  /** The address of the link that it is part of, or null. */
  readonly link: string | null;
  /** A CSS colour, or null. */
  readonly color: string | null;
}

/** Delimiters and brackets beyond this many are plain characters: matching them takes quadratic time. */
const MAX_MARKS = 1_000;
/** The longest destination of a link: an address of maximum length with spaces and line feeds. */
const MAX_DESTINATION_LENGTH = 2_200;

/** Parses a text; adjacent stretches differ in their marks, none is empty, and empty text has none. */
export function parseInlineMarkdown(source: string): readonly MarkedText[] {
  return new InlineParser(source).parse();
}

/** The text of one token; a delimiter run loses the characters that are used as marks. */
interface Piece {
  text: string;
  readonly code: boolean;
}

interface Delimiter {
  /** Index of its piece. */
  readonly piece: number;
  readonly character: string;
  /** Length of the whole run, including used characters. */
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

interface Bracket {
  readonly piece: number;
  /** How many delimiters precede it. */
  readonly delimiters: number;
  /** False within a link: links do not nest. */
  active: boolean;
}

/** A mark on the pieces between the indices `after` and `before`, both exclusive. */
interface Mark {
  readonly kind: 'strong' | 'emphasis' | 'strikethrough';
  readonly after: number;
  readonly before: number;
}

interface Link extends Omit<Mark, 'kind'> {
  readonly href: string;
}

interface Colored extends Omit<Mark, 'kind'> {
  readonly color: string;
}

class InlineParser {
  readonly #source: string;
  readonly #pieces: Piece[] = [];
  readonly #marks: Mark[] = [];
  readonly #links: Link[] = [];
  readonly #colored: Colored[] = [];
  readonly #delimiters: Delimiter[] = [];
  readonly #brackets: Bracket[] = [];
  /** Offsets of backtick runs by their length, in descending order. */
  readonly #backticks: ReadonlyMap<number, number[]>;
  #at = 0;
  #room = MAX_MARKS;

  constructor(source: string) {
    this.#source = source;
    this.#backticks = backtickRuns(source);
  }

  parse(): readonly MarkedText[] {
    const plain = /[^\\`*_~[\]]+/y;
    while (this.#at < this.#source.length) {
      plain.lastIndex = this.#at;
      const letters = plain.exec(this.#source)?.[0];
      if (letters) this.#text(letters, letters.length);
      else this.#special(this.#source.charAt(this.#at));
    }
    this.#matchDelimiters(0);
    return this.#marked();
  }

  #special(character: string): void {
    const next = this.#source.charAt(this.#at + 1);
    if (character === '\\') {
      if (next === '\n' || ASCII_PUNCTUATION.test(next)) this.#text(next, 2);
      else this.#text('\\', 1);
    } else if (character === '`') this.#codeSpan();
    else if (this.#room <= 0) this.#text(character, 1);
    else if (character === '[') {
      this.#brackets.push({ piece: this.#pieces.length, delimiters: this.#delimiters.length, active: true });
      this.#room--;
      this.#text('[', 1);
    } else if (character === ']') this.#closeBracket();
    else this.#delimiterRun(character);
  }

  #text(text: string, length: number): void {
    this.#pieces.push({ text, code: false });
    this.#at += length;
  }

  /** §6.1 */
  #codeSpan(): void {
    const start = this.#at;
    const length = runLength(this.#source, start);
    const ahead = this.#backticks.get(length) ?? [];
    while ((ahead.at(-1) ?? Infinity) <= start) ahead.pop();
    const close = ahead.at(-1);
    if (close === undefined) {
      this.#text(this.#source.slice(start, start + length), length);
      return;
    }
    const code = this.#source.slice(start + length, close).replaceAll('\n', ' ');
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && /[^ ]/.test(code);
    this.#pieces.push({ text: isPadded ? code.slice(1, -1) : code, code: true });
    this.#at = close + length;
  }

  /** §6.2: whether a run can open or close depends on the characters on its two sides. */
  #delimiterRun(character: string): void {
    const start = this.#at;
    const length = runLength(this.#source, start);
    const before = lastCharacter(this.#source.slice(Math.max(0, start - 2), start)) || '\n';
    const after = String.fromCodePoint(this.#source.codePointAt(start + length) ?? 10);
    const isLeft = !SPACE.test(after) && (!PUNCTUATION.test(after) || SPACE.test(before) || PUNCTUATION.test(before));
    const isRight = !SPACE.test(before) && (!PUNCTUATION.test(before) || SPACE.test(after) || PUNCTUATION.test(after));
    const inWords = character !== '_';
    if (character !== '~' || length === 2) {
      this.#room--;
      this.#delimiters.push({
        piece: this.#pieces.length,
        character,
        length,
        canOpen: isLeft && (inWords || !isRight || PUNCTUATION.test(before)),
        canClose: isRight && (inWords || !isLeft || PUNCTUATION.test(after)),
      });
    }
    this.#text(character.repeat(length), length);
  }

  /** §6.3: an inline link, if its address is one that may go into a PDF; or a span with a colour. */
  #closeBracket(): void {
    const opener = this.#brackets.pop();
    const color = opener ? this.#color(this.#at + 1) : null;
    if (opener && color) {
      this.#colored.push({ after: opener.piece, before: this.#endBracket(opener), color: color.color });
      this.#text('', color.end - this.#at);
      return;
    }
    const target = opener?.active ? this.#destination(this.#at + 1) : null;
    if (!opener || !target) {
      this.#text(']', 1);
      return;
    }
    this.#links.push({ after: opener.piece, before: this.#endBracket(opener), href: target.href });
    for (const outer of this.#brackets) outer.active = false;
    this.#text('', target.end - this.#at);
  }

  /** Closes the content of a pair of brackets and removes the opening one. Returns the index of the closing piece. */
  #endBracket({ piece, delimiters }: Bracket): number {
    this.#matchDelimiters(delimiters);
    const bracket = this.#pieces[piece];
    if (bracket) bracket.text = '';
    return this.#pieces.length;
  }

  #color(start: number): { readonly color: string; readonly end: number } | null {
    const found = COLOR.exec(this.#source.slice(start, start + MAX_COLOR_LENGTH));
    const color = found?.[1] ?? found?.[2] ?? '';
    return found && parseColor(color) ? { color, end: start + found[0].length } : null;
  }

  #destination(start: number): { readonly href: string; readonly end: number } | null {
    const source = this.#source.slice(start, start + MAX_DESTINATION_LENGTH);
    for (const destination of DESTINATIONS) {
      const [begin = '', written = ''] = destination.exec(source) ?? [];
      DESTINATION_END.lastIndex = begin.length;
      if (written === '' && !begin.endsWith('>')) continue;
      if (!DESTINATION_END.test(source)) continue;
      const href = written.replace(/\\([!-/:-@[-`{-~])/g, '$1');
      return Href.safeParse(href).success ? { href, end: start + DESTINATION_END.lastIndex } : null;
    }
    return null;
  }

  /** §6.2, "process emphasis": pairs the delimiters from `bottom` on and removes them. */
  #matchDelimiters(bottom: number): void {
    const open = this.#delimiters;
    for (let at = bottom; at < open.length; ) {
      const closer = open[at];
      const from = closer?.canClose ? this.#openerOf(closer, at, bottom) : -1;
      const opener = open[from];
      const closing = closer && this.#pieces[closer.piece];
      const opening = opener && this.#pieces[opener.piece];
      if (!closer || !opener || !closing || !opening) {
        at++;
        continue;
      }
      const used = closing.text.length >= 2 && opening.text.length >= 2 ? 2 : 1;
      const kind = closer.character === '~' ? 'strikethrough' : used === 2 ? 'strong' : 'emphasis';
      this.#marks.push({ kind, after: opener.piece, before: closer.piece });
      opening.text = opening.text.slice(used);
      closing.text = closing.text.slice(used);
      // Delimiters in between can no longer pair with anything outside.
      const keepsOpener = opening.text !== '';
      open.splice(keepsOpener ? from + 1 : from, at - from - (keepsOpener ? 1 : 0));
      at = keepsOpener ? from + 1 : from;
      if (closing.text === '') open.splice(at, 1);
    }
    open.length = bottom;
  }

  /** The index of the nearest run before `at` that a closing run pairs with; -1 if there is none. */
  #openerOf(closer: Delimiter, at: number, bottom: number): number {
    for (let from = at - 1; from >= bottom; from--) {
      const opener = this.#delimiters[from];
      if (!opener?.canOpen || opener.character !== closer.character) continue;
      const bothWays = opener.canClose || closer.canOpen;
      const isOdd = (opener.length + closer.length) % 3 === 0 && (opener.length % 3 !== 0 || closer.length % 3 !== 0);
      if (!(bothWays && isOdd)) return from;
    }
    return -1;
  }

  #marked(): readonly MarkedText[] {
    const size = this.#pieces.length + 1;
    const depth = { strong: new Int16Array(size), emphasis: new Int16Array(size), strikethrough: new Int16Array(size) };
    for (const { kind, after, before } of this.#marks) {
      const changes = depth[kind];
      changes[after + 1] = (changes[after + 1] ?? 0) + 1;
      changes[before] = (changes[before] ?? 0) - 1;
    }
    // Brackets nest, so the active colours are a stack.
    const begins = new Map<number, Colored[]>();
    for (const span of this.#colored) begins.set(span.after, [...(begins.get(span.after) ?? []), span]);
    const colors: Colored[] = [];
    const marked: MarkedText[] = [];
    let [strong, emphasis, strikethrough, link] = [0, 0, 0, 0];
    for (const [index, { text, code }] of this.#pieces.entries()) {
      strong += depth.strong[index] ?? 0;
      emphasis += depth.emphasis[index] ?? 0;
      strikethrough += depth.strikethrough[index] ?? 0;
      while ((colors.at(-1)?.before ?? Infinity) <= index) colors.pop();
      colors.push(...(begins.get(index) ?? []));
      while ((this.#links[link]?.before ?? Infinity) <= index) link++;
      if (text === '') continue;
      const around = this.#links[link];
      const marks = {
        strong: strong > 0,
        emphasis: emphasis > 0,
        strikethrough: strikethrough > 0,
        code,
        link: around && around.after < index ? around.href : null,
        color: colors.at(-1)?.color ?? null,
      };
      const last = marked.at(-1);
      if (last && isSame(last, marks)) marked[marked.length - 1] = { ...last, text: last.text + text };
      else marked.push({ text, ...marks });
    }
    return marked;
  }
}

/** `{color=red}`, `{color="rgb(0 0 0 / 50%)"}`. */
const COLOR = /^\{color=(?:"([^"{}\n]*)"|([^\s"{}]+))\}/;
const MAX_COLOR_LENGTH = 100;
const ASCII_PUNCTUATION = /^[!-/:-@[-`{-~]$/;
const PUNCTUATION = /^[\p{P}\p{S}]$/u;
const SPACE = /^[\t\n\f\r\p{Zs}]$/u;
/** `(<address>` or `(address`, where a bracket or space that belongs to the address is escaped. */
const DESTINATIONS = [/^\([ \t\n]*<([^<>\n]*)>/, /^\([ \t\n]*((?:\\\S|[^\s()\\]|\([^\s()]*\))*\\?)/];
/** What may follow it: a title, which is ignored, and the closing bracket. */
const DESTINATION_END = /(?:[ \t\n]+(?:(?:"[^"]*"|'[^']*')[ \t\n]*)?)?\)/y;

function isSame(a: MarkedText, b: Omit<MarkedText, 'text'>): boolean {
  return (
    a.strong === b.strong &&
    a.emphasis === b.emphasis &&
    a.strikethrough === b.strikethrough &&
    a.code === b.code &&
    a.link === b.link &&
    a.color === b.color
  );
}

function runLength(source: string, start: number): number {
  const character = source.charAt(start);
  let end = start + 1;
  while (source.charAt(end) === character && end < source.length) end++;
  return end - start;
}

function lastCharacter(text: string): string {
  return [...text].at(-1) ?? '';
}

function backtickRuns(source: string): ReadonlyMap<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { index, 0: run } of [...source.matchAll(/`+/g)].reverse()) {
    const starts = runs.get(run.length);
    if (starts) starts.push(index);
    else runs.set(run.length, [index]);
  }
  return runs;
}
