// Computes which declarations of some properties apply to the elements of a page: the part of CSS Cascade 5 that
// pages without scripts need. Satori computes all others; these are properties that it does not know.

import type { Size } from '#core/geometry.ts';
import { AppError } from '#errors';
import { type Declaration, isImportant, readDeclarations, readRules, withoutImportant } from './css-text.ts';
import { completePage, elementsOf, type HtmlElement, type HtmlNode, isElement } from './parse-html.ts';
import {
  matches,
  Page,
  parseSelectors,
  type Selector,
  type Surroundings,
  splitSelectors,
  UnreadSelector,
} from './selectors.ts';

/** What a declaration says of each property that it sets. */
export type Expand = (property: string, value: string) => readonly (readonly [property: string, value: string])[];

type UnreadRules = 'refuse' | 'skip' | 'ignore';

interface Rule {
  readonly selectors: readonly Selector[];
  readonly values: readonly Value[];
  /** Its cascade layer's place; without a layer, above all. */
  readonly layer: number;
}
interface Value {
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/** A custom property as `@property` registers it (CSS Properties and Values 1). Its syntax is not checked. */
interface Registered {
  readonly inherits: boolean;
  /** null = none. */
  readonly initial: string | null;
}
const UNREGISTERED: Registered = { inherits: true, initial: null };

/** Most nested references of custom properties. */
const MAX_DEPTH = 10;
const MAX_VALUE = 20_000;

export class Cascade {
  readonly #rules: readonly Rule[];
  readonly #page: Page;
  readonly #expand: Expand;
  readonly #values = new Map<HtmlElement, ReadonlyMap<string, string>>();
  readonly #registered: ReadonlyMap<string, Registered>;

  /**
   * @param expand the properties of interest that a declaration sets; custom properties are always of interest
   * @param unread what to do with rules for `::before` and other things that are no elements of the page, and (`ignore`)
   *   with all others that are not read
   * @throws AppError `invalid_request` naming a rule that sets such a property in a way that is not supported
   */
  constructor(page: readonly HtmlNode[], css: string, canvas: Size, expand: Expand, unread: UnreadRules = 'refuse') {
    this.#expand = expand;
    const places = placesOf(page);
    this.#page = new Page((element) => places.get(element) ?? { parent: null, siblings: [element], index: 0 });
    const sheets = [...elementsOf(page)].filter(({ name }) => name === 'style');
    const texts = [css, ...sheets.map(({ children }) => children.join(''))];
    this.#registered = new Map(texts.flatMap((text) => [...registeredIn(text)]));
    this.#rules = rulesOf(texts, canvas, unread, (declarations) =>
      declarations.flatMap((each) => this.#valuesOf(each)),
    );
  }

  #valuesOf({ property, value }: Declaration): readonly Value[] {
    const plain = withoutImportant(value);
    const set = property.startsWith('--') ? ([[property, plain]] as const) : this.#expand(property, plain);
    return set.map(([name, text]) => ({ property: name, value: text, isImportant: isImportant(value) }));
  }

  /** What is declared for the element itself, with custom properties in place; null = nothing. */
  declared(element: HtmlElement, property: string): string | null {
    const value = this.#valuesFor(element).get(property);
    const known = value === undefined ? null : this.#substituted(element, value, 0);
    return known === null || /^(initial|unset|revert|revert-layer)$/i.test(known) ? null : known;
  }

  /** The same for a property that is inherited. */
  inherited(element: HtmlElement, property: string): string | null {
    for (let around: HtmlElement | null = element; around; around = this.#page.of(around).parent) {
      const value = this.#valuesFor(around).get(property);
      if (value === undefined || /^(inherit|unset)$/i.test(value)) continue;
      return this.declared(around, property);
    }
    return null;
  }

  /** The properties that are declared for the element itself, in the order in which they take effect. */
  properties(element: HtmlElement): readonly string[] {
    return [...this.#valuesFor(element).keys()];
  }

  parentOf(element: HtmlElement): HtmlElement | null {
    return this.#page.of(element).parent;
  }

  #valuesFor(element: HtmlElement): ReadonlyMap<string, string> {
    let values = this.#values.get(element);
    if (!values) {
      values = this.#cascaded(element);
      this.#values.set(element, values);
    }
    return values;
  }

  #cascaded(element: HtmlElement): ReadonlyMap<string, string> {
    const found = this.#rules.flatMap((rule, order) => {
      const specificity = specificityOf(rule, element, this.#page);
      return specificity === null
        ? []
        : rule.values.map((value) => ({ ...value, layer: rule.layer, specificity, order }));
    });
    const own = readDeclarations(element.attributes.get('style') ?? '')
      .flatMap((each) => this.#valuesOf(each))
      .map((value) => ({ ...value, layer: Infinity, specificity: Infinity, order: Infinity }));
    const all = [...found, ...own].toSorted(
      (a, b) =>
        Number(a.isImportant) - Number(b.isImportant) ||
        // Important declarations of a lower layer win.
        compare(a.layer, b.layer) * (a.isImportant ? -1 : 1) ||
        compare(a.specificity, b.specificity) ||
        compare(a.order, b.order),
    );
    const values = new Map<string, string>();
    for (const { property, value } of all) {
      values.delete(property);
      values.set(property, value);
    }
    return values;
  }

  #custom(element: HtmlElement, name: string, depth: number): string | null {
    const { initial, inherits } = this.#registered.get(name) ?? UNREGISTERED;
    for (let around: HtmlElement | null = element; around; around = this.#page.of(around).parent) {
      const value = this.#valuesFor(around).get(name);
      const isPassedOn =
        value === undefined ? inherits : /^inherit$/i.test(value) || (inherits && /^unset$/i.test(value));
      if (isPassedOn) continue;
      if (value === undefined || /^(initial|unset)$/i.test(value)) return initial;
      return this.#substituted(around, value, depth + 1);
    }
    return initial;
  }

  /** The value with each `var()` replaced; null where one has neither a value nor a fallback. */
  #substituted(element: HtmlElement, value: string, depth: number): string | null {
    const begin = /\bvar\(/i.exec(value)?.index;
    if (begin === undefined) return value.trim();
    if (depth > MAX_DEPTH || value.length > MAX_VALUE) return null;
    const end = closing(value, begin + 3);
    const [, name = '', fallback] = /^\s*(--[^\s,]+)\s*(?:,([\s\S]*))?$/.exec(value.slice(begin + 4, end)) ?? [];
    const known = this.#custom(element, name, depth) ?? fallback;
    if (known === undefined) return null;
    return this.#substituted(element, `${value.slice(0, begin)}${known}${value.slice(end + 1)}`, depth + 1);
  }
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

/** The index of the bracket that closes the one at `open`. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function* registeredIn(css: string): Generator<readonly [string, Registered]> {
  if (!/@property\b/i.test(css)) return;
  for (const { atRules, declarations } of readRules(css)) {
    const [, name] = /^@property\s+(--\S+)$/i.exec(atRules.at(-1) ?? '') ?? [];
    if (name === undefined) continue;
    const of = (property: string) => declarations.findLast((each) => each.property === property)?.value;
    yield [name, { inherits: !/^false$/i.test(of('inherits') ?? ''), initial: of('initial-value') ?? null }];
  }
}

function specificityOf({ selectors }: Rule, element: HtmlElement, page: Page): number | null {
  try {
    const found = selectors.filter((selector) => matches(element, selector, page));
    return found.length === 0 ? null : Math.max(...found.map(({ specificity }) => specificity));
  } catch (error) {
    if (error instanceof UnreadSelector) throw refusal(error.message);
    throw error;
  }
}

function rulesOf(
  texts: readonly string[],
  canvas: Size,
  unreadRules: UnreadRules,
  valuesOf: (declarations: readonly Declaration[]) => readonly Value[],
): readonly Rule[] {
  const layers: string[] = [];
  const layerOf = (name: string) => {
    if (!layers.includes(name)) layers.push(name);
    return layers.indexOf(name);
  };
  return texts.flatMap((text) =>
    readRules(text).flatMap(({ selectors, atRules, declarations }): Rule[] => {
      let layer = Infinity;
      let isShown = true;
      let unread: string | null = null;
      for (const rule of atRules) {
        const [, name = '', rest = ''] = /^@([\w-]+)\s*([\s\S]*)$/.exec(rule) ?? [];
        if (name === 'layer') for (const each of rest.split(',')) layer = layerOf(each.trim());
        else if (name === 'media') {
          const applies = mediaApplies(rest, canvas);
          isShown &&= applies !== false;
          if (applies === null) unread = rule;
        } else if (name !== 'supports' || /\bnot\b/i.test(rest)) unread = rule;
      }
      const values = isShown && selectors.length > 0 ? valuesOf(declarations) : [];
      if (values.length === 0 || atRules.some((rule) => /^@(property|keyframes|-webkit-keyframes|page)/i.test(rule)))
        return [];
      const first = declarations.find((each) => valuesOf([each]).length > 0);
      const what = first?.property ?? '';
      if (unread !== null) {
        if (what.startsWith('--') || unreadRules === 'ignore') return [];
        throw refusal(`${what} in ${unread.slice(0, 80)}`);
      }
      try {
        const read = without(unreadRules === 'refuse' ? NEVER_DRAWN : PARTS, nested(selectors));
        return read === '' ? [] : [{ selectors: parseSelectors(read), values, layer }];
      } catch (error) {
        if (!(error instanceof UnreadSelector)) throw error;
        // Custom properties of what is not drawn change nothing.
        if (unreadRules === 'ignore' || values.every(({ property }) => property.startsWith('--'))) return [];
        throw refusal(`${what} on ${error.message}`);
      }
    }),
  );
}

/** CSS Nesting 1: a selector inside a rule refers to the elements of the rule. */
const nested = (selectors: readonly string[]): string =>
  selectors.reduce((outer, inner) =>
    inner.includes('&') ? inner.replaceAll('&', `:is(${outer})`) : `:is(${outer}) :is(${inner})`,
  );

/** What no still page has, or what another browser calls so. */
const NEVER_DRAWN = /::?-(moz|webkit|ms|o)-|::(backdrop|file-selector-button|placeholder|selection)\b/i;
/** What is no element of the page. */
const PARTS = /::|:(before|after|first-line|first-letter)\b|:-(moz|webkit|ms|o)-/i;

/** The selectors of a list that have nothing of the kind. */
const without = (kind: RegExp, list: string): string =>
  splitSelectors(list)
    .filter((each) => !kind.test(each))
    .join(',');

function refusal(what: string): AppError {
  const message = `${what} cannot be drawn with renderer "satori"; change it, or use renderer "chromium".`;
  return new AppError('invalid_request', message);
}

/** Whether a media query applies to a still picture on a screen; null = not known. */
export function mediaApplies(query: string, { width, height }: Size): boolean | null {
  const answers = query.split(',').map((each) => queryApplies(each.trim().toLowerCase(), width, height));
  return answers.includes(true) ? true : answers.includes(null) ? null : false;
}

function queryApplies(query: string, width: number, height: number): boolean | null {
  if (/^not\b/.test(query)) return null;
  let applies = true;
  for (const part of query.split(/\band\b/)) {
    const answer = featureApplies(part.trim().replace(/^only\s+/, ''), width, height);
    if (answer === null) return null;
    applies &&= answer;
  }
  return applies;
}

function featureApplies(feature: string, width: number, height: number): boolean | null {
  if (feature === 'screen' || feature === 'all') return true;
  if (feature === 'print') return false;
  const ranged = /^\(\s*(min-|max-)?(width|height)\s*(:|>=|<=|>|<)\s*([\d.]+)(px|em|rem)?\s*\)$/.exec(feature);
  if (ranged) {
    const [, bound, side, operator, number, unit = 'px'] = ranged;
    const limit = Number(number) * (unit === 'px' ? 1 : 16);
    const size = side === 'width' ? width : height;
    if (operator === '>=' || bound === 'min-') return size >= limit;
    if (operator === '<=' || bound === 'max-') return size <= limit;
    if (operator === '>') return size > limit;
    return operator === '<' ? size < limit : size === limit;
  }
  const [, name, value] = /^\(\s*([\w-]+)\s*(?::\s*([\w-]+)\s*)?\)$/.exec(feature) ?? [];
  switch (name) {
    case 'hover':
    case 'any-hover':
      return value !== 'none';
    case 'orientation':
      return value === (width > height ? 'landscape' : 'portrait');
    case 'prefers-color-scheme':
      return value === 'light';
    case 'prefers-reduced-motion':
    case 'prefers-contrast':
      return value === 'no-preference';
    default:
      return null;
  }
}

/** The place of each element of the completed page. */
function placesOf(page: readonly HtmlNode[]): ReadonlyMap<HtmlElement, Surroundings> {
  const places = new Map<HtmlElement, Surroundings>();
  const visit = (siblings: readonly HtmlElement[], parent: HtmlElement | null) => {
    for (const [index, element] of siblings.entries()) {
      places.set(element, { parent, siblings, index });
      visit(element.children.filter(isElement), element);
    }
  };
  visit([completePage(page)[0]], null);
  return places;
}
