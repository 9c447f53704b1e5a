// Parses selectors and matches them with elements of a page or a drawing: the part of Selectors 4 that one without scripts
// needs.
//
// States that a still page never has (:hover) match nothing. What is not read is named, so that it can be refused.

import { closing } from './css-text.ts';

/** An element of HTML or XML, as its parser returns it. */
export interface CssElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (CssElement | string)[];
}

/** An element that is in no page: what is made of one. */
export const generated = (name: string, children: CssElement['children'] = []): CssElement => ({
  ...{ name, attributes: new Map(), children },
});

export const isElement = <E extends CssElement>(node: E | string): node is E => typeof node !== 'string';

/** All elements below, in the order of the document. */
export function* elementsOf<E extends CssElement>(nodes: readonly (E | string)[]): Generator<E> {
  const waiting: (E | string)[] = nodes.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let i = node.children.length - 1; i >= 0; i -= 1) waiting.push(node.children[i] as E | string);
  }
}

/** The same at once, which is quicker where all are wanted. */
export function allElements<E extends CssElement>(nodes: readonly (E | string)[]): readonly E[] {
  const found: E[] = [];
  const visit = (siblings: readonly (E | string)[]) => {
    for (const node of siblings) {
      if (!isElement(node)) continue;
      found.push(node);
      visit(node.children as readonly (E | string)[]);
    }
  };
  visit(nodes);
  return found;
}

/** The place of an element in its page, among those with the same parent. */
export interface Siblings {
  readonly parent: CssElement | null;
  /** The elements with the same parent, this one included. */
  readonly siblings: readonly CssElement[];
  readonly index: number;
}
export type SiblingsOf = (element: CssElement) => Siblings;

export interface Selector {
  /** From left to right; the first has no combinator. */
  readonly parts: readonly { readonly combinator: ' ' | '>' | '+' | '~' | null; readonly tests: readonly Test[] }[];
  /** Selectors 4 §17: ids, classes and types in base 1,000. */
  readonly specificity: number;
  /** What the element must be or have: `#id`, `.class` or a name in lower case; '' = it may be any. */
  readonly key: string;
}
type Test = (element: CssElement, page: Matching) => boolean;

/** Most steps of all matching of one page: a hostile selector could backtrack for long. */
const MAX_STEPS = 3_000_000;

/** The matching of the selectors of one page. */
export class Matching {
  readonly of: SiblingsOf;
  #steps = 0;

  constructor(of: SiblingsOf) {
    this.of = of;
  }

  /** @throws UnreadSelector when matching takes too long */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new UnreadSelector('selectors that take this long to match');
  }
}

/** A selector with a part that is not read; `message` names it. */
export class UnreadSelector extends Error {
  override readonly name = 'UnreadSelector';
}

/** @throws UnreadSelector */
export function parseSelectors(text: string): readonly Selector[] {
  return new Parser(text, 0).list();
}

export function matches(element: CssElement, one: Selector, page: Matching, last = one.parts.length - 1): boolean {
  page.step();
  const part = one.parts[last];
  if (!part) return false;
  for (const test of part.tests) if (!test(element, page)) return false;
  const { combinator } = part;
  if (combinator === null) return true;
  const { parent, siblings, index } = page.of(element);
  const rest = (other: CssElement | null | undefined) =>
    Boolean(other) && matches(other as CssElement, one, page, last - 1);
  if (combinator === '>') return rest(parent);
  if (combinator === '+') return rest(siblings[index - 1]);
  if (combinator === '~') {
    for (let before = 0; before < index; before += 1) if (rest(siblings[before])) return true;
    return false;
  }
  for (let around = parent; around; around = page.of(around).parent) if (rest(around)) return true;
  return false;
}

/** Selectors 4 §4.5: whether a relative selector, whose first part is the element itself, matches another element. */
function has(element: CssElement, { parts, specificity }: Selector, page: Matching): boolean {
  const itself: Test = (other) => other === element;
  const selector = { parts: [{ combinator: null, tests: [itself] }, ...parts.slice(1)], specificity, key: '' };
  for (const candidate of elementsOf(element.children)) if (matches(candidate, selector, page)) return true;
  const { siblings, index } = page.of(element);
  for (let after = index + 1; after < siblings.length; after += 1) {
    for (const candidate of elementsOf(siblings.slice(after, after + 1)))
      if (matches(candidate, selector, page)) return true;
  }
  return false;
}

/** The list inside `:has()`; the first part of each is a placeholder for the element. */
const relative = (text: string): string =>
  splitSelectors(text)
    .map((each) => (/^\s*[>+~]/.test(each) ? `*${each}` : `* ${each.trim()}`))
    .join(',');

/** The selectors of a list, divided at commas outside brackets. */
export function splitSelectors(list: string): readonly string[] {
  const selectors = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth -= 1;
    if (character === ',' && depth === 0) selectors.push('');
    else selectors[selectors.length - 1] += character;
  }
  return selectors;
}

/** A part of a name, which `#name` puts together: in one expression, escapes could be read in several ways. */
const NAME_PART = /[\w\x80-\uffff-]+|\\[0-9a-f]{1,6}\s?|\\[^\n0-9a-f]/iy;
const ATTRIBUTE = /\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*([is]\s*)?)?\]/iy;
const COMBINATOR = /\s*([>+~])\s*|\s+/y;
const NTH = /^(?:(even|odd)|([+-]?\d*)n(?:\s*([+-])\s*(\d+))?|([+-]?\d+))$/i;
const NEVER =
  /^(hover|active|focus|focus-visible|focus-within|visited|target|checked|disabled|indeterminate|invalid|user-invalid|user-valid|required|autofill|open|popover-open|modal|fullscreen|playing|paused)$/;

/** Most selectors in one another. */
const MAX_NESTED = 30;

class Parser {
  readonly #text: string;
  /** In how many others it is. */
  readonly #depth: number;
  #at = 0;
  #specificity = 0;
  #key = '';

  constructor(text: string, depth: number) {
    this.#text = text.trim();
    this.#depth = depth;
    if (depth > MAX_NESTED) this.#fail();
  }

  list(): readonly Selector[] {
    const found = [this.#selector()];
    while (this.#text[this.#at] === ',') {
      this.#at += 1;
      this.#take(/\s*/y);
      found.push(this.#selector());
    }
    if (this.#at < this.#text.length) this.#fail();
    return found;
  }

  #selector(): Selector {
    this.#specificity = 0;
    const parts: Selector['parts'][number][] = [{ combinator: null, tests: this.#compound() }];
    for (;;) {
      const found = this.#take(COMBINATOR);
      if (!found) break;
      if (this.#at === this.#text.length || this.#text[this.#at] === ',') {
        if (found[1] !== undefined) this.#fail();
        break;
      }
      parts.push({ combinator: (found[1] ?? ' ') as ' ', tests: this.#compound() });
    }
    return { parts, specificity: this.#specificity, key: this.#key };
  }

  #compound(): readonly Test[] {
    const tests: Test[] = [];
    const begin = this.#at;
    const name = this.#name().toLowerCase();
    this.#key = name;
    if (name !== '') {
      this.#specificity += 1;
      tests.push((element) => element.name.toLowerCase() === name);
    } else if (this.#text[this.#at] === '*') this.#at += 1;
    for (;;) {
      const mark = this.#text[this.#at];
      if (mark === '.' || mark === '#') {
        this.#at += 1;
        const word = unescaped(this.#name() || this.#fail());
        this.#specificity += mark === '.' ? 1_000 : 1_000_000;
        this.#key = `${mark}${word}`;
        tests.push(
          mark === '.'
            ? ({ attributes }) => classesOf(attributes).has(word)
            : ({ attributes }) => attributes.get('id') === word,
        );
      } else if (mark === '[') tests.push(this.#attribute());
      else if (mark === ':') tests.push(this.#pseudo());
      else break;
    }
    return this.#at === begin ? this.#fail() : tests;
  }

  #attribute(): Test {
    const found = this.#take(ATTRIBUTE) ?? this.#fail();
    const [, name = '', operator, double, single, bare, flag] = found;
    const fold = (text: string) => (flag?.trim().toLowerCase() === 'i' ? text.toLowerCase() : text);
    const wanted = fold(double ?? single ?? bare ?? '');
    this.#specificity += 1_000;
    return ({ attributes }) => {
      const raw = attributes.get(name) ?? attributes.get(name.toLowerCase());
      if (raw === undefined) return false;
      const value = fold(raw);
      if (operator === undefined) return true;
      if (operator === '=') return value === wanted;
      if (operator === '~=') return value.split(/\s+/).includes(wanted);
      if (operator === '|=') return value === wanted || value.startsWith(`${wanted}-`);
      if (wanted === '') return false;
      if (operator === '^=') return value.startsWith(wanted);
      return operator === '$=' ? value.endsWith(wanted) : value.includes(wanted);
    };
  }

  #pseudo(): Test {
    const [whole = '', colons = '', raw = ''] = this.#take(/(::?)([\w-]+)/y) ?? this.#fail();
    const name = raw.toLowerCase();
    if (colons === '::' || /^(before|after|first-letter|first-line)$/.test(name)) throw new UnreadSelector(whole);
    const inside = this.#text[this.#at] === '(' ? this.#brackets() : null;
    if (inside === null) this.#specificity += 1_000;
    if (inside === null && NEVER.test(name)) return () => false;
    switch (name) {
      case 'not':
      case 'is':
      case 'where':
      case 'matches': {
        const inner = this.#inner(inside ?? '');
        if (name !== 'where') this.#specificity += Math.max(...inner.map(({ specificity }) => specificity));
        return (element, page) => inner.some((each) => matches(element, each, page)) !== (name === 'not');
      }
      case 'has': {
        const inner = this.#inner(relative(inside ?? ''));
        this.#specificity += Math.max(...inner.map(({ specificity }) => specificity));
        return (element, page) => inner.some((each) => has(element, each, page));
      }
      // A page has no shadow tree.
      case 'host':
      case 'enabled':
        return () => false;
      case 'root':
        return (element, page) => page.of(element).parent === null && /^(html|svg)$/.test(element.name);
      case 'link':
      case 'any-link':
        return (element) => element.name === 'a' && element.attributes.has('href');
      case 'empty':
        return ({ children }) => children.every((child) => !isElement(child) && child === '');
      case 'first-child':
        return (element, page) => page.of(element).index === 0;
      case 'last-child':
        return (element, page) => isLast(page.of(element));
      case 'only-child':
        return (element, page) => page.of(element).siblings.length === 1;
      case 'nth-child':
      case 'nth-last-child':
      case 'nth-of-type':
      case 'nth-last-of-type':
      case 'first-of-type':
      case 'last-of-type':
        return this.#nth(name, inside, whole);
      default:
        throw new UnreadSelector(whole);
    }
  }

  #nth(name: string, inside: string | null, whole: string): Test {
    const found = NTH.exec(/^(first|last)-/.test(name) ? '1' : (inside ?? '').trim());
    if (!found) throw new UnreadSelector(whole);
    if (inside !== null) this.#specificity += 1_000;
    const [, word, step, sign, offset, only] = found;
    const a = word ? 2 : step === undefined ? 0 : step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step);
    const b = word ? Number(word.toLowerCase() === 'odd') : Number(only ?? `${sign ?? ''}${offset ?? 0}`);
    const isLast = name.includes('last');
    return (element, page) => {
      const { siblings, index } = page.of(element);
      let place = isLast ? siblings.length - index : index + 1;
      if (name.endsWith('type')) {
        place = 1;
        for (let at = isLast ? index + 1 : 0; at < (isLast ? siblings.length : index); at += 1) {
          page.step();
          if (siblings[at]?.name === element.name) place += 1;
        }
      }
      return a === 0 ? place === b : (place - b) % a === 0 && (place - b) / a >= 0;
    };
  }

  #inner(text: string): readonly Selector[] {
    return new Parser(text, this.#depth + 1).list();
  }

  /** The text between a pair of brackets. */
  #brackets(): string {
    const begin = this.#at + 1;
    const end = closing(this.#text, this.#at);
    this.#at = end + 1;
    return this.#text.slice(begin, end);
  }

  /** '' = none. */
  #name(): string {
    const begin = this.#at;
    while (this.#take(NAME_PART));
    return this.#text.slice(begin, this.#at);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #fail(): never {
    throw new UnreadSelector(`the selector ${this.#text.slice(0, 80)}`);
  }
}

const isLast = ({ siblings, index }: Siblings) => index === siblings.length - 1;

const classes = new WeakMap<
  ReadonlyMap<string, string>,
  { readonly text: string; readonly names: ReadonlySet<string> }
>();

/** The classes of an element. */
export function classesOf(attributes: ReadonlyMap<string, string>): ReadonlySet<string> {
  const text = attributes.get('class') ?? '';
  let known = classes.get(attributes);
  if (known?.text !== text) {
    known = { text, names: new Set(text.split(/\s+/)) };
    classes.set(attributes, known);
  }
  return known.names;
}

/** A name without escapes (CSS Syntax 3 §4.3.7). */
function unescaped(name: string): string {
  return name.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex, character) =>
    hex ? String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(hex, 16))) : character,
  );
}
