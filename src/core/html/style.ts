// The computed style of an element: what the cascade says, what is inherited, and lengths in px. Elements that are styled alike
// have one `StyleKind`, which pages with the same style sheets share: so it knows of no element, but what is declared for it.

import { BLACK, type Color } from '../color.ts';
import type { Cascade, Declared } from '../css/cascade.ts';
import { parseCssColor } from '../css/css-color.ts';
import type { CssElement } from '../css/selectors.ts';
import type { Size } from '../geometry.ts';
import { type Mixed, parseMixed, parseNumber, parsePx, type Units } from './lengths.ts';
import { expandPending, splitValue, tableOf } from './shorthands.ts';

/** Properties that an element takes over from the one around it (CSS 2 and later modules, "Inherited: yes"). */
const INHERITED = new Set(
  `border-collapse border-spacing caption-side color direction empty-cells font-family font-feature-settings font-style
  font-variant font-variant-caps font-variant-east-asian font-variant-ligatures font-variant-numeric font-variant-position
  font-variation-settings font-weight font-kerning hyphens image-rendering letter-spacing line-break line-height list-style-image list-style-position list-style-type orphans
  overflow-wrap quotes tab-size text-align text-align-last text-indent text-orientation text-shadow text-transform
  text-underline-offset visibility white-space white-space-collapse text-wrap text-wrap-mode text-wrap-style widows
  word-break word-spacing writing-mode font-size -webkit-text-stroke-width -webkit-text-stroke-color font-synthesis
  text-decoration-skip-ink -webkit-text-fill-color text-underline-position font-size-adjust font-synthesis font-stretch
  font-variant-position font-variant-alternates text-emphasis-style text-spacing-trim hyphenate-character`.split(/\s+/),
);

const TAKES_OVER = new Set(['unset', 'revert', 'revert-layer']);
const IS_INITIAL = new Set(['initial', ...TAKES_OVER]);

const INITIAL = tableOf({
  display: 'inline',
  position: 'static',
  float: 'none',
  clear: 'none',
  visibility: 'visible',
  'white-space': 'normal',
  'text-align': 'start',
  direction: 'ltr',
  'font-family': 'serif',
  'list-style-type': 'disc',
  'list-style-position': 'outside',
  'vertical-align': 'baseline',
  'border-collapse': 'separate',
  'box-sizing': 'content-box',
  'overflow-x': 'visible',
  'overflow-y': 'visible',
});

const SIZES = tableOf({
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
});
const MEDIUM = 16;
const MOST_FONT_SIZE = 2_000;
/** CSS Fonts 4, 2.5: what `larger` and `smaller` are. */
const STEP = 1.2;

/** A word that is one of these, and `initial` for any other. */
export const keyword = <const T extends string, const U>(word: string, known: readonly T[], initial: U): T | U =>
  known.find((each) => each === word) ?? initial;

/** What is not drawn as it is written, each property with its first value. */
export class Losses {
  readonly all = new Map<string, string>();
  #heard: (readonly [property: string, value: string])[] | null = null;

  add(property: string, value: string): void {
    this.all.set(property, this.all.get(property) ?? value);
    this.#heard?.push([property, value]);
  }

  /** What is made, with what is lost while it is. */
  during<T>(make: () => T): Made<T> {
    const around = this.#heard;
    const lost: (readonly [string, string])[] = [];
    this.#heard = lost;
    const value = make();
    this.#heard = around;
    around?.push(...lost);
    return { value, lost };
  }
}

interface Made<T = unknown> {
  readonly value: T;
  readonly lost: readonly (readonly [property: string, value: string])[];
}

/** The kinds of styles of pages that have the same style sheets, on a canvas of one size. */
export class StyleKinds {
  readonly viewport: Size;
  readonly #roots = new Map<Declared, StyleKind>();
  /** About how many bytes they have. */
  weight = 0;

  constructor(viewport: Size) {
    this.viewport = viewport;
  }

  kindOf(element: CssElement, parent: StyleKind | null, cascade: Declarations): StyleKind {
    const declared = cascade.declarationsOf(element);
    const inside = parent ? parent.inside : this.#roots;
    let kind = inside.get(declared);
    if (!kind) {
      // In place, `var()` says what it says around the first of the kind: what is around all of them is declared alike.
      const finished = ([property, value]: readonly [string, string]) => {
        if (property.startsWith('--')) return [property, value] as const;
        const whole = cascade.computed(element, property);
        // What a variable leaves empty is invalid: as if nothing were declared (CSS Variables 1, 3.1).
        return [property, (whole && expandPending(property, whole)?.trim()) || null] as const;
      };
      const values = declared.hasVariables ? new Map([...declared.values].map(finished)) : declared.values;
      kind = new StyleKind(values, parent, element.name, this.viewport);
      inside.set(declared, kind);
      this.weight += 3_000 + (declared.hasVariables ? 100 * values.size : 0);
    }
    return kind;
  }
}

export class StyleKind {
  readonly parent: StyleKind | null;
  readonly inside = new Map<Declared, StyleKind>();
  readonly units: Units;
  /** px. */
  readonly fontSize: number;
  readonly color: Color;
  /** Whether a length says the size of the letters, here or around. */
  readonly isSizeGiven: boolean;
  /** What was made of all styles of the kind. */
  readonly made = new Map<string, Made>();
  readonly #name: string;
  readonly #values: ReadonlyMap<string, string | null>;
  readonly #known = new Map<string, string>();

  /** @param values what is declared, with `var()` in place; null = nothing, as it refers to nothing */
  constructor(values: ReadonlyMap<string, string | null>, parent: StyleKind | null, name: string, viewport: Size) {
    this.parent = parent;
    this.#name = name;
    this.#values = values;
    const around = parent?.fontSize ?? MEDIUM;
    const root = parent?.units.rootFontSize ?? MEDIUM;
    const units = { fontSize: around, rootFontSize: root, viewport };
    const size = this.#own('font-size');
    const isRelative = size === null || /^(inherit|smaller|larger)$/i.test(size) || /([^r]em|%)\)?$/i.test(size);
    this.isSizeGiven = isRelative ? (parent?.isSizeGiven ?? false) : SIZES.get(size.toLowerCase()) === undefined;
    this.fontSize = this.#fontSize(size, around, units) * this.#monospaced(size);
    this.units = { ...units, fontSize: this.fontSize, rootFontSize: parent ? root : this.fontSize };
    this.color = this.#color();
  }

  #fontSize(value: string | null, around: number, units: Units): number {
    if (value === null) return around;
    const word = value.toLowerCase();
    const named = SIZES.get(word);
    if (named !== undefined) return named;
    if (word === 'larger') return around * STEP;
    if (word === 'smaller') return around / STEP;
    const mixed = parseMixed(word, units);
    if (!mixed) return around;
    return Math.min(MOST_FONT_SIZE, Math.max(0, mixed.px + (mixed.percent / 100) * around));
  }

  /** Chromium's default size is 13 px in `monospace` alone, and 16 px in all else, where no length says it. */
  #monospaced(size: string | null): number {
    if (this.isSizeGiven) return 1;
    const isMonospaced = (kind: StyleKind | null) => /^monospace$/i.test(kind?.get('font-family').trim() ?? '');
    const [own, around] = [isMonospaced(this), isMonospaced(this.parent)];
    const isWord = SIZES.get(size?.toLowerCase() ?? '') !== undefined;
    if (own && (isWord || !around)) return 13 / 16;
    return !own && around && !isWord ? 16 / 13 : 1;
  }

  #color(): Color {
    const inherited = this.parent?.color ?? BLACK;
    const value = this.#own('color');
    return value === null ? inherited : (parseCssColor(value, inherited) ?? inherited);
  }

  /** What is declared for the element itself, or taken over because it says so; null = nothing is. */
  #own(property: string): string | null {
    let value = this.#values.get(property);
    if (value === undefined) value = this.#values.get('all');
    if (value === undefined || value === null) return null;
    const word = value.toLowerCase();
    if (word === 'inherit' || (TAKES_OVER.has(word) && INHERITED.has(property)))
      return this.parent ? (property === 'font-size' ? `${this.parent.fontSize}px` : this.parent.get(property)) : null;
    if (IS_INITIAL.has(word))
      return INITIAL.get(property) ?? (property === 'font-size' ? 'medium' : property === 'color' ? 'black' : null);
    return value;
  }

  get(property: string): string {
    const known = this.#known.get(property);
    if (known !== undefined) return known;
    const isSaid = this.#values.has(property) || INHERITED.has(property) || this.#values.has('all');
    if (!isSaid) return INITIAL.get(property) ?? '';
    const computed = this.#computed(property);
    this.#known.set(property, computed);
    return computed;
  }

  #computed(property: string): string {
    const own = this.#own(property);
    // HTML, 15.3.8: a heading of a table is centred where nothing around it is aligned.
    if (property === 'text-align' && own === '-platen-th') {
      const around = this.parent?.get(property) ?? 'start';
      return around === 'start' ? 'center' : around;
    }
    // HTML, 15.3.10: a table does not take over how the blocks around it are aligned.
    if (property === 'text-align' && own === null && this.#name === 'table') {
      const around = this.parent?.get(property) ?? '';
      return around.startsWith('-webkit-') ? 'start' : around;
    }
    if (own === null)
      return (INHERITED.has(property) ? this.parent?.get(property) : undefined) ?? INITIAL.get(property) ?? '';
    // CSS Logical 1, 2.2: by the direction of the block around it.
    if ((property === 'float' || property === 'clear') && /^inline-/i.test(own)) {
      const isRtl = (this.parent ?? this).get('direction').toLowerCase() === 'rtl';
      return /start$/i.test(own) === isRtl ? 'right' : 'left';
    }
    if (!INHERITED.has(property)) return own;
    // Relative lengths are of the element that says them.
    const px = (text: string) => {
      const mixed = parseMixed(text, this.units);
      return mixed ? `${mixed.px + (mixed.percent / 100) * this.fontSize}px` : text;
    };
    if (property === 'line-height' && parseNumber(own) === null) return px(own);
    if (property === 'letter-spacing' || property === 'word-spacing' || property === 'border-spacing')
      return splitValue(own).map(px).join(' ');
    if (property === 'text-indent') {
      const mixed = parseMixed(own, this.units);
      return mixed ? `calc(${mixed.px}px + ${mixed.percent}%)` : own;
    }
    return own;
  }

  /** Whether the element itself says something of it. */
  declares(property: string): boolean {
    return this.#own(property) !== null;
  }
}

/** What is declared for each element, or for what a pseudo-element makes of it. */
export type Declarations = Pick<Cascade<CssElement>, 'declarationsOf' | 'computed' | 'isEmpty'>;

export interface StyleContext {
  readonly cascade: Cascade<CssElement>;
  /** For elements whose words go from right to left, instead of each cascade; empty = there are none. */
  readonly fromRight: ReadonlyMap<Declarations, Declarations>;
  readonly kinds: StyleKinds;
  readonly losses: Losses;
}

export class Style {
  readonly element: CssElement;
  readonly parent: Style | null;
  readonly kind: StyleKind;
  readonly #context: StyleContext;
  readonly #cascade: Declarations;

  /** @param cascade that of a pseudo-element; by default that of elements */
  constructor(
    element: CssElement,
    parent: Style | null,
    context: StyleContext,
    cascade: Declarations = context.cascade,
  ) {
    this.element = element;
    this.parent = parent;
    this.#context = context;
    const around = parent?.kind ?? null;
    const kind = context.kinds.kindOf(element, around, cascade);
    const mirrored = context.fromRight.get(cascade);
    const isMirrored = mirrored !== undefined && kind.get('direction') === 'rtl';
    this.#cascade = isMirrored ? mirrored : cascade;
    this.kind = isMirrored ? context.kinds.kindOf(element, around, mirrored) : kind;
  }

  get units(): Units {
    return this.kind.units;
  }

  get fontSize(): number {
    return this.kind.fontSize;
  }

  get color(): Color {
    return this.kind.color;
  }

  /** The computed value as a text; '' = nothing is declared. Lengths that are inherited are px. */
  get(property: string): string {
    return this.kind.get(property);
  }

  /** Whether the element itself says something of it. */
  declares(property: string): boolean {
    return this.kind.declares(property);
  }

  /** What is made of all styles of this kind alike, by name: nothing of the page may be in it but its style. */
  once<T>(name: string, make: (style: Style) => T): T {
    const { made } = this.kind;
    const { losses } = this.#context;
    const known = made.get(name) as Made<T> | undefined;
    if (known) {
      for (const [property, value] of known.lost) losses.add(property, value);
      return known.value;
    }
    const found = losses.during(() => make(this));
    made.set(name, found);
    this.#context.kinds.weight += 1_000;
    return found.value;
  }

  /** In lower case, for keywords. */
  word(property: string): string {
    return this.get(property).toLowerCase();
  }

  mixed(property: string): Mixed | null {
    const value = this.get(property);
    if (value === '' || /^(auto|none|normal)$/i.test(value)) return null;
    const found = parseMixed(value, this.units);
    if (!found && !/^(min-content|max-content|fit-content.*|stretch|-webkit-.*|-moz-.*|content)$/i.test(value))
      this.lost(property, value);
    return found;
  }

  /** px; percentages and what is no length are 0. */
  px(property: string): number {
    const value = this.get(property);
    return value === '' ? 0 : (parsePx(value, this.units) ?? 0);
  }

  number(property: string): number | null {
    const value = this.get(property);
    return value === '' ? null : parseNumber(value);
  }

  /** 0 to 1. */
  get opacity(): number {
    const value = this.get('opacity');
    const amount = /%$/.test(value) ? Number.parseFloat(value) / 100 : (parseNumber(value || '1') ?? 1);
    return Math.min(1, Math.max(0, amount));
  }

  get isOut(): boolean {
    return /^(absolute|fixed)$/.test(this.word('position'));
  }

  get isFloat(): boolean {
    return /^(left|right)$/.test(this.word('float'));
  }

  /** Whether it is a box of words in a line. */
  get isInLine(): boolean {
    const isItem = /(flex|grid)$/.test(this.parent?.word('display') ?? '');
    return !this.isOut && !this.isFloat && !isItem && this.word('display') === 'inline';
  }

  /** What the opacity of inline elements leaves of what is in their lines, 0 to 1: they are no group of their own. */
  get veil(): number {
    return this.isInLine ? this.opacity * (this.parent?.veil ?? 1) : 1;
  }

  /** A colour as it is in lines. */
  veiled(color: Color): Color {
    const { veil } = this;
    return veil < 1 ? { ...color, a: color.a * veil } : color;
  }

  colorOf(property: string): Color | null {
    const value = this.get(property);
    if (value === '') return null;
    const found = parseCssColor(value, this.color);
    if (!found) this.lost(property, value);
    return found;
  }

  lost(property: string, value: string): void {
    this.#context.losses.add(property, value);
  }

  /** The same style in other surroundings. */
  under(parent: Style): Style {
    return new Style(this.element, parent, this.#context, this.#cascade);
  }

  /** The style of a pseudo-element of its own. */
  pseudo(cascade: Declarations): Style {
    return new Style(this.element, this, this.#context, cascade);
  }

  /** The style of what a pseudo-element makes of words of this style; null = nothing. @param of the block that has it */
  firstOf(cascade: Declarations, of: Style): Style | null {
    if (cascade.isEmpty || cascade.declarationsOf(of.element).values.size === 0) return null;
    return new Style(of.element, this, this.#context, cascade);
  }

  /** The style of a pseudo-element; null = it is not there. */
  part(cascade: Declarations): Style | null {
    const { values: declared } = cascade.declarationsOf(this.element);
    if (!declared.has('content') && !declared.has('all')) return null;
    const style = this.pseudo(cascade);
    const content = style.get('content');
    return content === '' || /^(none|normal)$/i.test(content) || style.word('display') === 'none' ? null : style;
  }
}
