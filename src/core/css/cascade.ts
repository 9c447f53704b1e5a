// Computes which declarations of some properties apply to the elements of a page or a drawing: the part of CSS Cascade 5
// that those without scripts need.

import type { Size } from '../geometry.ts';
import {
  closing,
  type Declaration,
  isImportant,
  readDeclarations,
  readRules,
  type StyleRule,
  withoutImportant,
} from './css-text.ts';
import {
  type CssElement,
  classesOf,
  isElement,
  Matching,
  matches,
  parseSelectors,
  type Selector,
  type Siblings,
  splitSelectors,
  UnreadSelector,
} from './selectors.ts';

/** What a declaration says of each property that it sets. */
export type Expand = (property: string, value: string) => readonly (readonly [property: string, value: string])[];

/** What is declared for an element before all rules. */
export interface Hints {
  readonly declarations: ReturnType<Expand>;
  /** What tells them from others that elements of the same name have. */
  readonly key: string;
}
const NO_HINTS: Hints = { declarations: [], key: '' };

interface Rule {
  readonly selectors: readonly Selector[];
  readonly values: readonly Value[];
  /** Its cascade layer's place; without a layer, above all. */
  readonly layer: number;
  readonly order: number;
}
interface Value {
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

export interface CascadeOptions {
  /** The properties of interest that a declaration sets; custom properties are always of interest. */
  readonly expand: Expand;
  /** Whether a property is one at all; absent = all are. Those that are none are told (`unknown`), and in effect all the same. */
  readonly isProperty?: ((name: string) => boolean) | undefined;
  /** Properties that attributes set, which all rules override (SVG 2 §6.6). */
  readonly hints?: (element: CssElement) => Hints;
  /** The pseudo-element of each element that is styled, `before` or the like; absent = the elements themselves. */
  readonly part?: string;
  /** Of pseudo-elements: the cascade of the elements, from which they take over custom properties. */
  readonly elements?: Cascade<CssElement>;
  /** Whether a condition of `@supports` holds; absent = it holds where it has no `not`. */
  readonly supports?: (condition: string) => boolean;
  /** Whether the page is printed; by default it is on a screen. */
  readonly isPrinted?: boolean;
  /** What was read of the same sheets for the same canvas with the same options before. */
  readonly compiled?: CompiledSheets | undefined;
  /** The error for selectors that take too long to match. */
  readonly refusal: (what: string) => Error;
}

/** A custom property as `@property` registers it (CSS Properties and Values 1). Its syntax is not checked. */
interface Registered {
  readonly inherits: boolean;
  /** null = none. */
  readonly initial: string | null;
}
const UNREGISTERED: Registered = { inherits: true, initial: null };

/** Most nested references of custom properties, and references of one value. */
const MAX_DEPTH = 20;
const MAX_REFERENCES = 100;
const MAX_VALUE = 20_000;

/** What is declared for all elements of a name to which the same rules, hints and `style` apply. */
export interface Declared {
  readonly values: ReadonlyMap<string, string>;
  /** Whether one refers to what another element may say otherwise. */
  readonly hasVariables: boolean;
  /** Of its `style`: properties that are none. */
  readonly unknown: readonly string[];
}
const NOTHING: Declared = { values: new Map(), hasVariables: false, unknown: [] };

/** What style sheets say, without a page: pages with the same sheets may share it. It knows nothing but what sheets and attributes say. */
export class CompiledSheets {
  /** By the key of one of their selectors. */
  readonly rules = new Map<string, Rule[]>();
  readonly registered: ReadonlyMap<string, Registered>;
  /** By name, id and classes: the rules of which a selector's last part may be such an element. */
  readonly candidates = new Map<string, readonly Rule[]>();
  readonly declared = new Map<string, Declared>();
  /** At-rules whose rules are left out, and properties that are none. */
  readonly leftOut: string[] = [];
  readonly unknown = new Set<string>();
  readonly #expand: Expand;
  readonly #isProperty: CascadeOptions['isProperty'];
  /** About how many bytes it has taken since it was read. */
  weight = 0;

  constructor(texts: readonly string[], canvas: Size, options: CascadeOptions) {
    this.#expand = options.expand;
    this.#isProperty = options.isProperty;
    this.registered = new Map(texts.flatMap((text) => [...registeredIn(text)]));
    const valuesOf = (declarations: readonly Declaration[]) =>
      declarations.flatMap((each) => this.valuesOf(each, (name) => this.unknown.add(name)));
    for (const rule of rulesOf(texts.map(readRules), canvas, options, valuesOf, this.leftOut)) {
      for (const key of new Set(rule.selectors.map((selector) => selector.key))) {
        const known = this.rules.get(key);
        if (known) known.push(rule);
        else this.rules.set(key, [rule]);
      }
    }
  }

  valuesOf({ property, value }: Declaration, unknown: (name: string) => void): readonly Value[] {
    const plain = withoutImportant(value);
    const isCustom = property.startsWith('--');
    if (!isCustom && this.#isProperty?.(property) === false) unknown(property);
    const set = isCustom ? ([[property, plain]] as const) : this.#expand(property, plain);
    return set.map(([name, text]) => ({ property: name, value: text, isImportant: isImportant(value) }));
  }

  /** The rules of which a selector's last part may be the element, each once. */
  rulesFor({ name, attributes }: CssElement): readonly Rule[] {
    const of = attributes.size === 0 ? name : [name, attributes.get('id'), attributes.get('class')].join('\0');
    let found = this.candidates.get(of);
    if (!found) {
      const classes = [...classesOf(attributes)].map((one) => `.${one}`);
      const keys = ['', name.toLowerCase(), `#${attributes.get('id')}`, ...classes];
      found = [...new Set(keys.flatMap((key) => this.rules.get(key) ?? []))];
      this.candidates.set(of, found);
      this.weight += 2 * of.length + 8 * found.length + 100;
    }
    return found;
  }
}

interface Place extends Siblings {
  declared: Declared | null;
}

export class Cascade<E extends CssElement> {
  readonly compiled: CompiledSheets;
  readonly #places: ReadonlyMap<CssElement, Place>;
  readonly #page: Matching;
  readonly #options: CascadeOptions;
  /** Of pseudo-elements, and of elements that are not in the page. */
  readonly #declared = new Map<CssElement, Declared>();
  readonly #customs = new Map<CssElement, Map<string, string | null>>();
  /** Properties that are none, of the sheets and of elements so far. */
  readonly unknown: Set<string>;

  /**
   * @param roots the top elements of the page
   * @param texts its style sheets
   */
  constructor(roots: readonly E[], texts: readonly string[], canvas: Size, options: CascadeOptions) {
    this.#options = options;
    const places = options.elements ? options.elements.#places : placesOf(roots);
    this.#places = places;
    this.#page = new Matching((element) => places.get(element) ?? { parent: null, siblings: [element], index: 0 });
    this.compiled = options.compiled ?? new CompiledSheets(texts, canvas, options);
    this.unknown = new Set(this.compiled.unknown);
  }

  /** Whether no rule is for anything. */
  get isEmpty(): boolean {
    return this.compiled.rules.size === 0;
  }

  /** What is declared for the element itself, with custom properties in place; null = nothing. */
  declared(element: E, property: string): string | null {
    const known = this.computed(element, property);
    return known === null || /^(initial|unset|revert|revert-layer)$/i.test(known) ? null : known;
  }

  /** The same with `initial`, `unset` and the like. */
  computed(element: CssElement, property: string): string | null {
    const value = this.declarationsOf(element).values.get(property);
    return value === undefined ? null : this.#substituted(element, value, 0);
  }

  /** What is declared for an element; the same object for elements of one name for which the same is. */
  declarationsOf(element: CssElement): Declared {
    const place = this.#options.elements ? undefined : this.#places.get(element);
    let known = place ? place.declared : this.#declared.get(element);
    if (!known) {
      known = this.#cascaded(element);
      if (place) place.declared = known;
      else if (known !== NOTHING) this.#declared.set(element, known);
      for (const name of known.unknown) this.unknown.add(name);
    }
    return known;
  }

  /** The names of the properties that are declared for an element, in the order in which they take effect. */
  namesOf(element: CssElement): Iterable<string> {
    return this.declarationsOf(element).values.keys();
  }

  /** The same for a property that is inherited. */
  inherited(element: E, property: string): string | null {
    for (let around: CssElement | null = element; around; around = this.#page.of(around).parent) {
      const value = this.declarationsOf(around).values.get(property);
      if (value === undefined || /^(inherit|unset)$/i.test(value)) continue;
      return this.declared(around as E, property);
    }
    return null;
  }

  parentOf(element: E): E | null {
    return this.#page.of(element).parent as E | null;
  }

  #cascaded(element: CssElement): Declared {
    const { compiled } = this;
    const hints = this.#options.hints?.(element) ?? NO_HINTS;
    const own = this.#options.part === undefined ? element.attributes.get('style') : undefined;
    const rules = compiled.rulesFor(element);
    // Elements of which all of this is the same share one map, by which others know that they are alike. NUL is in no page.
    let key = `${element.name}\0${hints.key}\0`;
    const unmatched = key.length;
    for (const rule of rules) {
      const specificity = this.#specificityOf(rule, element);
      if (specificity !== null) key += `${rule.order} ${specificity},`;
    }
    if (this.#options.part !== undefined && key.length === unmatched) return NOTHING;
    if (own !== undefined) key += `\0${own}`;
    const known = compiled.declared.get(key);
    if (known) return known;
    const all: (Value & Pick<Rule, 'layer' | 'order'> & { readonly specificity: number })[] = [];
    for (const [property, value] of hints.declarations)
      all.push({ property, value, isImportant: false, layer: -1, specificity: 0, order: 0 });
    for (const rule of rules) {
      const specificity = this.#specificityOf(rule, element);
      if (specificity === null) continue;
      for (const value of rule.values) all.push({ ...value, layer: rule.layer, specificity, order: rule.order });
    }
    const unknown: string[] = [];
    for (const declaration of own ? readDeclarations(own) : [])
      for (const value of compiled.valuesOf(declaration, (name) => unknown.push(name)))
        all.push({ ...value, layer: Infinity, specificity: Infinity, order: Infinity });
    all.sort(
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
    const hasVariables = [...values.values()].some((value) => /\b(var|env)\(/i.test(value));
    const made = { values, hasVariables, unknown };
    compiled.declared.set(key, made);
    compiled.weight += 3 * key.length + 100 * values.size + 200;
    return made;
  }

  #specificityOf({ selectors }: Rule, element: CssElement): number | null {
    try {
      let most: number | null = null;
      for (const selector of selectors)
        if (matches(element, selector, this.#page)) most = Math.max(most ?? 0, selector.specificity);
      return most;
    } catch (error) {
      if (error instanceof UnreadSelector) throw this.#options.refusal(error.message);
      throw error;
    }
  }

  /** The value of a custom property; each is computed once for an element. */
  #custom(element: CssElement, name: string, depth: number): string | null {
    const known = this.#customs.get(element) ?? new Map<string, string | null>();
    this.#customs.set(element, known);
    const before = known.get(name);
    if (before !== undefined) return before;
    // A custom property that depends on itself has no value.
    known.set(name, null);
    const { initial, inherits } = this.compiled.registered.get(name) ?? UNREGISTERED;
    const value = this.declarationsOf(element).values.get(name);
    const isPassedOn =
      value === undefined ? inherits : /^inherit$/i.test(value) || (inherits && /^unset$/i.test(value));
    const { parent } = this.#page.of(element);
    let computed = initial;
    const { elements } = this.#options;
    if (isPassedOn && elements) computed = elements.#custom(element, name, depth);
    else if (isPassedOn) computed = parent ? this.#custom(parent, name, depth) : initial;
    else if (value !== undefined && !/^(initial|unset)$/i.test(value))
      computed = this.#substituted(element, value, depth + 1);
    known.set(name, computed);
    return computed;
  }

  /** The value with each `var()` replaced; null where one has neither a value nor a fallback. */
  #substituted(element: CssElement, text: string, depth: number): string | null {
    let value = text;
    for (let count = 0; ; count += 1) {
      const begin = /\bvar\(/i.exec(value)?.index;
      if (begin === undefined) return value.trim();
      if (depth > MAX_DEPTH || count > MAX_REFERENCES || value.length > MAX_VALUE) return null;
      const end = closing(value, begin + 3);
      const [, name = '', fallback] = /^\s*(--[^\s,]+)\s*(?:,([\s\S]*))?$/.exec(value.slice(begin + 4, end)) ?? [];
      const known = this.#custom(element, name, depth) ?? fallback;
      if (known === undefined) return null;
      value = `${value.slice(0, begin)}${known}${value.slice(end + 1)}`;
    }
  }
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

function* registeredIn(css: string): Generator<readonly [string, Registered]> {
  if (!/@property\b/i.test(css)) return;
  for (const { atRules, declarations } of readRules(css)) {
    const [, name] = /^@property\s+(--\S+)$/i.exec(atRules.at(-1) ?? '') ?? [];
    if (name === undefined) continue;
    const of = (property: string) => declarations.findLast((each) => each.property === property)?.value;
    yield [name, { inherits: !/^false$/i.test(of('inherits') ?? ''), initial: of('initial-value') ?? null }];
  }
}

function rulesOf(
  sheets: readonly (readonly StyleRule[])[],
  canvas: Size,
  { part, isPrinted = false, supports }: CascadeOptions,
  valuesOf: (declarations: readonly Declaration[]) => readonly Value[],
  leftOut: string[],
): readonly Rule[] {
  const layers = new Map<string, number>();
  let rules = 0;
  const layerOf = (name: string) => {
    const place = layers.get(name) ?? layers.size;
    layers.set(name, place);
    return place;
  };
  return sheets.flatMap((sheet) =>
    sheet.flatMap(({ selectors, atRules, declarations }): Rule[] => {
      let layer = Infinity;
      let isShown = selectors.length > 0;
      let isOfElements = true;
      let unread: string | null = null;
      for (const rule of atRules) {
        const [, name = '', rest = ''] = /^@([\w-]+)\s*([\s\S]*)$/.exec(rule) ?? [];
        if (/^(property|(-webkit-)?keyframes|page)$/i.test(name)) isOfElements = false;
        if (name === 'layer') for (const each of rest.split(',')) layer = layerOf(each.trim());
        else if (name === 'media') {
          const applies = mediaApplies(rest, canvas, isPrinted);
          isShown &&= applies !== false;
          if (applies === null) unread = rule;
        } else if (name === 'supports' && supports) isShown &&= supports(rest);
        else if (name !== 'supports' || /\bnot\b/i.test(rest)) unread = rule;
      }
      const values = isShown ? valuesOf(declarations) : [];
      if (values.length === 0 || !isOfElements) return [];
      if (unread !== null) {
        leftOut.push(unread);
        return [];
      }
      try {
        const all = nested(selectors);
        const read = part === undefined ? ofElements(all) : ofPart(part, all);
        return read === '' ? [] : [{ selectors: parseSelectors(read), values, layer, order: rules++ }];
      } catch (error) {
        if (error instanceof UnreadSelector) return [];
        throw error;
      }
    }),
  );
}

/** Most characters of selectors with those of the rules around them, which `&` may multiply. */
const MAX_SELECTORS = 10_000;

/** CSS Nesting 1: a selector inside a rule refers to the elements of the rule. '' = they are too long. */
function nested([first = '', ...others]: readonly string[]): string {
  let outer = first;
  for (const inner of others) {
    const each = splitSelectors(inner);
    if ((each.length + inner.split('&').length) * outer.length > MAX_SELECTORS) return '';
    const refers = (one: string) => (one.includes('&') ? one : `& ${one}`).replaceAll('&', `:is(${outer})`);
    outer = each.map(refers).join(',');
  }
  return outer;
}

/** What is no element of the page. */
const PARTS = /::|:(before|after|first-line|first-letter)\b|:-(moz|webkit|ms|o)-/i;

/** The selectors of a list that are of elements. */
const ofElements = (list: string): string =>
  splitSelectors(list)
    .filter((each) => !PARTS.test(each))
    .join(',');

/** The selectors of a list that end in a pseudo-element of this name, as those of its elements. */
const ofPart = (part: string, list: string): string =>
  splitSelectors(list)
    .flatMap((each) => {
      const [, element] = new RegExp(`^(.*?)::?${part}$`, 'is').exec(each.trim()) ?? [];
      return element === undefined ? [] : [element === '' || /[\s>+~]$/.test(element) ? `${element}*` : element];
    })
    .join(',');

/** Whether a media query applies to a still picture on a screen, or on paper; null = not known. */
export function mediaApplies(query: string, canvas: Size, isPrinted = false): boolean | null {
  return any(query.split(',').map((each) => queryApplies(each.trim().toLowerCase(), canvas, isPrinted)));
}

type Answer = boolean | null;
const any = (answers: readonly Answer[]): Answer =>
  answers.includes(true) ? true : answers.includes(null) ? null : false;

function queryApplies(query: string, canvas: Size, isPrinted: boolean): Answer {
  const applies = (part: string) => queryApplies(part.trim(), canvas, isPrinted);
  if (/^not\b/.test(query)) {
    const opposite = applies(query.slice(3));
    return opposite === null ? null : !opposite;
  }
  if (/\)\s*or\s*\(/.test(query)) return any(query.split(/\bor\b/).map(applies));
  const all = query
    .split(/\band\b/)
    .map((part) => featureApplies(part.trim().replace(/^only\s+/, ''), canvas, isPrinted));
  return all.includes(null) ? null : !all.includes(false);
}

function featureApplies(feature: string, canvas: Size, isPrinted: boolean): Answer {
  if (feature === 'all') return true;
  if (feature === 'screen' || feature === 'print') return isPrinted === (feature === 'print');
  const ranged = /^\(\s*(min-|max-)?(?:device-)?(width|height)\s*(:|>=|<=|>|<)\s*([\d.]+)(px|em|rem)?\s*\)$/.exec(
    feature,
  );
  if (ranged) {
    const [, bound, side, operator, number, unit = 'px'] = ranged;
    const limit = Number(number) * (unit === 'px' ? 1 : 16);
    const size = canvas[side as 'width' | 'height'];
    if (operator === '>=' || bound === 'min-') return size >= limit;
    if (operator === '<=' || bound === 'max-') return size <= limit;
    if (operator === '>') return size > limit;
    return operator === '<' ? size < limit : size === limit;
  }
  const [, name = '', value] = /^\(\s*([\w-]+)\s*(?::\s*([\w-]+)\s*)?\)$/.exec(feature) ?? [];
  if (/^(any-)?hover$/.test(name)) return value !== 'none';
  if (name === 'orientation') return value === (canvas.width > canvas.height ? 'landscape' : 'portrait');
  if (name === 'color') return true;
  if (name === 'prefers-color-scheme') return value === 'light';
  return /^prefers-(reduced-motion|contrast)$/.test(name) ? value === 'no-preference' : null;
}

function placesOf<E extends CssElement>(roots: readonly E[]): ReadonlyMap<CssElement, Place> {
  const places = new Map<CssElement, Place>();
  const visit = (siblings: readonly CssElement[], parent: CssElement | null) => {
    for (let index = 0; index < siblings.length; index += 1) {
      const element = siblings[index] as CssElement;
      places.set(element, { parent, siblings, index, declared: null });
      const { children } = element;
      // Of most elements they are all words, or all elements.
      if (children.some(isElement)) visit(children.every(isElement) ? children : children.filter(isElement), element);
    }
  };
  visit(roots, null);
  return places;
}
