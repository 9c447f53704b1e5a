// Parses HTML text to a tree of elements and text: the part of HTML that handwritten and generated pages use.
//
// Where a browser would guess (mismatched tags, an unknown entity), this reports an error with the line, so that the
// result is never a different page than intended. Limited in elements and depth; runs in linear time.

import { AppError } from '#base/errors.ts';
import { isElement } from '#core/css/selectors.ts';
import { decodeReferences } from './character-references.ts';

export { elementsOf, isElement } from '#core/css/selectors.ts';

export interface HtmlElement {
  /** Lower case, except inside `<svg>`. */
  readonly name: string;
  /** Keyed by lower-case name, except inside `<svg>`. */
  readonly attributes: Map<string, string>;
  children: HtmlNode[];
  /** The line on which it begins, starting at 1. */
  readonly line: number;
}
export type HtmlNode = HtmlElement | string;

const MAX_ELEMENTS = 1_500;
/** Most nested elements: each takes several stack frames in the layout. */
const MAX_DEPTH = 60;
const MAX_ATTRIBUTES = 100;

/** Elements without content and end tag (HTML, 13.1.2). */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Elements whose content is raw text to the parser. */
const RAW_TEXT = new Set(['style', 'script', 'textarea', 'title']);
/** Start tags that end an open `<p>` (HTML, 13.1.2.4). */
const ENDS_PARAGRAPH = new Set(
  `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4
  h5 h6 header hgroup hr main menu nav ol p pre search section table ul`.split(/\s+/),
);
/** Elements whose end tag may be omitted before a sibling of these kinds, or at the end of their parent. */
const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['p', ENDS_PARAGRAPH],
  ['li', new Set(['li'])],
  ['dt', new Set(['dt', 'dd'])],
  ['dd', new Set(['dt', 'dd'])],
  ['option', new Set(['option', 'optgroup'])],
  ['head', new Set(['body'])],
  ...['td', 'th'].map((name) => [name, new Set('td th tr thead tbody tfoot'.split(' '))] as const),
  ['tr', new Set('tr thead tbody tfoot'.split(' '))],
  ...['thead', 'tbody', 'tfoot'].map((name) => [name, new Set('thead tbody tfoot'.split(' '))] as const),
  ['caption', new Set('colgroup thead tbody tfoot tr'.split(' '))],
  ['colgroup', new Set('colgroup thead tbody tfoot tr'.split(' '))],
]);
const MAY_BE_OPEN = new Set('p li dt dd option html head body td th tr thead tbody tfoot caption colgroup'.split(' '));

const TAG_NAME = /[A-Za-z][^\s/>]*/y;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;
const TAG_END = /\s*(\/?)>/y;

/** @throws AppError `invalid_request` saying what is wrong with the markup, and on which line */
export function parseHtml(text: string): HtmlNode[] {
  return new Parser(text).parse();
}

/** Elements that stand in the head if nothing else comes before them. */
const OF_HEAD = /^(head|style|title|meta|link|script|base)$/;

/**
 * The page with the `<html>`, `<head>` and `<body>` that an HTML parser puts around it (HTML, 13.2.6.4.3 to 7): style
 * sheets at its beginning stand in the head, so that they are no children of the body. A complete page stays as it is.
 */
export function completePage(page: readonly HtmlNode[]): [html: HtmlElement, head: HtmlElement, body: HtmlElement] {
  const named = (nodes: readonly HtmlNode[], name: string) =>
    nodes.find((node): node is HtmlElement => isElement(node) && node.name === name);
  const made = (name: string, children: HtmlNode[]): HtmlElement => ({
    name,
    attributes: new Map(),
    children,
    line: 1,
  });
  const html = named(page, 'html') ?? made('html', []);
  const nodes = [...html.children, ...page.filter((node) => node !== html)];
  const own = named(nodes, 'body');
  const first = nodes.findIndex((node) => (isElement(node) ? !OF_HEAD.test(node.name) : node.trim() !== ''));
  const end = own ? nodes.indexOf(own) : first < 0 ? nodes.length : first;
  const before = nodes.slice(0, end).filter(isElement);
  const head = named(before, 'head') ?? made('head', []);
  head.children = [...head.children, ...before.filter((element) => element !== head)];
  const body = own ?? made('body', []);
  body.children = [...body.children, ...nodes.slice(own ? end + 1 : end)];
  html.children = [head, body];
  return [html, head, body];
}

class Parser {
  readonly #text: string;
  readonly #top: HtmlNode[] = [];
  readonly #open: HtmlElement[] = [];
  #at = 0;
  #elements = 0;
  /** The line number at `#counted`. */
  #line = 1;
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): HtmlNode[] {
    const text = this.#text;
    while (this.#at < text.length) {
      const tag = text.indexOf('<', this.#at);
      if (tag !== this.#at) this.#addText(text.slice(this.#at, tag < 0 ? text.length : tag));
      else if (text.startsWith('<!--', tag)) this.#skipTo('-->', 4);
      else if (text.startsWith('<!', tag)) this.#skipTo('>', 2);
      else if (text.startsWith('</', tag)) this.#endTag();
      else if (/[A-Za-z]/.test(text[tag + 1] ?? '')) this.#startTag();
      else this.#addText('<');
    }
    const unclosed = this.#open.findLast(({ name }) => !MAY_BE_OPEN.has(name));
    if (unclosed) this.#refuse(`<${unclosed.name}> is never closed`, unclosed.line);
    return this.#top;
  }

  /** Adds text after decoding its character references. */
  #addText(written: string): void {
    const line = this.#lineHere();
    this.#at += written.length;
    const text = decodeReferences(written, (reference) =>
      this.#refuse(`${reference} is no character that Platen knows by name; write the character itself`, line),
    );
    this.#add(text);
  }

  #add(text: string): void {
    const siblings = this.#siblings();
    const last = siblings.at(-1);
    if (typeof last === 'string') siblings[siblings.length - 1] = last + text;
    else siblings.push(text);
  }

  #siblings(): HtmlNode[] {
    return this.#open.at(-1)?.children ?? this.#top;
  }

  #skipTo(terminator: string, from: number): void {
    const end = this.#text.indexOf(terminator, this.#at + from);
    if (end < 0) this.#refuse(`"${this.#text.slice(this.#at, this.#at + 4)}" is never closed`);
    this.#at = end + terminator.length;
  }

  #startTag(): void {
    const line = this.#lineHere();
    this.#at += 1;
    const written = this.#match(TAG_NAME)?.[0] ?? '';
    const isForeign = this.#open.some(({ name }) => name === 'svg');
    const name = isForeign ? written : written.toLowerCase();
    const attributes = new Map<string, string>();
    for (let found = this.#match(ATTRIBUTE); found; found = this.#match(ATTRIBUTE)) {
      const [, as = '', double, single, bare] = found;
      const key = isForeign || name === 'svg' ? as : as.toLowerCase();
      const value = decodeReferences(double ?? single ?? bare ?? '', (reference) => reference);
      if (!attributes.has(key)) attributes.set(key, value);
      if (attributes.size > MAX_ATTRIBUTES) this.#refuse(`<${name}> has more than ${MAX_ATTRIBUTES} attributes`, line);
    }
    const end = this.#match(TAG_END) ?? this.#refuse(`<${name}> is not written as a tag should be`, line);

    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) this.#refuse(`the page has more than ${MAX_ELEMENTS} elements`, line);
    this.#closeBefore(name);
    const element: HtmlElement = { name, attributes, children: [], line };
    this.#siblings().push(element);
    if (VOID.has(name) || (end[1] === '/' && (isForeign || name === 'svg'))) return;
    this.#open.push(element);
    if (this.#open.length > MAX_DEPTH) this.#refuse(`the page nests more than ${MAX_DEPTH} elements`, line);
    if (RAW_TEXT.has(name) && !isForeign) this.#rawText(element);
  }

  /** Closes elements whose end tag was omitted, such as `<li>` before `<li>`. */
  #closeBefore(name: string): void {
    while (ENDED_BY.get(this.#open.at(-1)?.name ?? '')?.has(name)) this.#open.pop();
  }

  #rawText(element: HtmlElement): void {
    const end = new RegExp(`</${element.name}\\s*>`, 'gi');
    end.lastIndex = this.#at;
    const found = end.exec(this.#text) ?? this.#refuse(`<${element.name}> is never closed`, element.line);
    const text = this.#text.slice(this.#at, found.index);
    element.children = [/^(textarea|title)$/.test(element.name) ? decodeReferences(text, (same) => same) : text];
    this.#open.pop();
    this.#at = end.lastIndex;
  }

  #endTag(): void {
    const end = this.#text.indexOf('>', this.#at);
    const written = this.#text.slice(this.#at + 2, end < 0 ? undefined : end).trim();
    if (end < 0) this.#refuse(`"</${written.slice(0, 20)}" is never closed`);
    const isSame = ({ name }: HtmlElement) => name === written || name === written.toLowerCase();
    const index = this.#open.findLastIndex(isSame);
    const between = this.#open.slice(index + 1).find(({ name }) => !MAY_BE_OPEN.has(name));
    if (index < 0) this.#refuse(`</${written.slice(0, 20)}> closes nothing`);
    if (between) this.#refuse(`</${written}> comes before <${between.name}> of line ${between.line} is closed`);
    this.#open.length = index;
    this.#at = end + 1;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found;
  }

  #lineHere(): number {
    for (; this.#counted < this.#at; this.#counted += 1) if (this.#text[this.#counted] === '\n') this.#line += 1;
    return this.#line;
  }

  #refuse(problem: string, line = this.#lineHere()): never {
    throw new AppError('invalid_request', `html, line ${line}: ${problem}.`);
  }
}
