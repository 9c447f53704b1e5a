// The computed style of an element: what the cascade says, what is inherited, and lengths in px.

import { BLACK, type Color } from '../color.ts';
import type { Cascade } from '../css/cascade.ts';
import { parseCssColor } from '../css/css-color.ts';
import type { CssElement } from '../css/selectors.ts';
import type { Size } from '../geometry.ts';
import { type Mixed, parseMixed, parseNumber, parsePx, type Units } from './lengths.ts';
import { expandPending, splitValue } from './shorthands.ts';

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

const INITIAL: Readonly<Record<string, string>> = {
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
};

const SIZES: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
};
const MEDIUM = 16;
const MOST_FONT_SIZE = 2_000;
/** CSS Fonts 4, 2.5: what `larger` and `smaller` are. */
const STEP = 1.2;

export interface StyleContext {
  readonly cascade: Cascade<CssElement>;
  /** For elements whose words go from right to left, instead of each cascade; empty = there are none. */
  readonly fromRight: ReadonlyMap<Cascade<CssElement>, Cascade<CssElement>>;
  readonly viewport: Size;
  /** The first style of each kind: by that of what it is in, and what is declared. */
  readonly alike: Map<Style | null, Map<ReadonlyMap<string, string>, Style>>;
  /** Receives what is not supported: a property with its value. */
  readonly lost: (property: string, value: string) => void;
}

export class Style {
  readonly element: CssElement;
  readonly parent: Style | null;
  readonly units: Units;
  /** px. */
  readonly fontSize: number;
  readonly color: Color;
  /** Whether a length says the size of the letters, here or around. */
  readonly isSizeGiven: boolean;
  readonly #context: StyleContext;
  #cascade: Cascade<CssElement>;
  #declared: ReadonlyMap<string, string>;
  /** Of the first style of its kind. */
  #known: Map<string, string> | null = null;
  /** The first style that says the same in the same surroundings, which computes for all of them. */
  readonly shared: Style;

  /** @param cascade that of a pseudo-element; by default that of elements */
  constructor(element: CssElement, parent: Style | null, context: StyleContext, cascade = context.cascade) {
    this.element = element;
    this.parent = parent;
    this.#context = context;
    this.#cascade = cascade;
    this.#declared = cascade.declarationsOf(element);
    const mirrored = context.fromRight.get(cascade);
    if (mirrored && (this.#own('direction') ?? parent?.get('direction')) === 'rtl') {
      this.#cascade = mirrored;
      this.#declared = mirrored.declarationsOf(element);
    }
    const inside = context.alike.get(parent?.shared ?? null) ?? new Map<ReadonlyMap<string, string>, Style>();
    context.alike.set(parent?.shared ?? null, inside);
    const twin = inside.get(this.#declared);
    this.shared = twin ?? this;
    if (twin) {
      this.isSizeGiven = twin.isSizeGiven;
      this.fontSize = twin.fontSize;
      this.units = twin.units;
      this.color = twin.color;
      return;
    }
    inside.set(this.#declared, this);
    const around = parent?.fontSize ?? MEDIUM;
    const root = parent?.units.rootFontSize ?? MEDIUM;
    const units = { fontSize: around, rootFontSize: root, viewport: context.viewport };
    const size = this.#own('font-size');
    const isRelative = size === null || /^(inherit|smaller|larger)$/i.test(size) || /([^r]em|%)\)?$/i.test(size);
    this.isSizeGiven = isRelative ? (parent?.isSizeGiven ?? false) : SIZES[size.toLowerCase()] === undefined;
    this.fontSize = this.#fontSize(around, units) * this.#monospaced();
    this.units = { ...units, fontSize: this.fontSize, rootFontSize: parent ? root : this.fontSize };
    this.color = this.#color();
  }

  #fontSize(around: number, units: Units): number {
    const value = this.#own('font-size');
    if (value === null) return around;
    const word = value.toLowerCase();
    const named = SIZES[word];
    if (named !== undefined) return named;
    if (word === 'larger') return around * STEP;
    if (word === 'smaller') return around / STEP;
    const mixed = parseMixed(word, units);
    if (!mixed) return around;
    return Math.min(MOST_FONT_SIZE, Math.max(0, mixed.px + (mixed.percent / 100) * around));
  }

  /** Chromium's default size is 13 px in `monospace` alone, and 16 px in all else, where no length says it. */
  #monospaced(): number {
    if (this.isSizeGiven) return 1;
    const isMonospaced = (style: Style | null) => /^monospace$/i.test(style?.get('font-family').trim() ?? '');
    const [own, around] = [isMonospaced(this), isMonospaced(this.parent)];
    const isWord = SIZES[this.#own('font-size')?.toLowerCase() ?? ''] !== undefined;
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
    const name = this.#declared.has(property) ? property : this.#declared.has('all') ? 'all' : null;
    const declared = name === null ? null : this.#cascade.computed(this.element, name);
    const value = declared === null ? null : expandPending(property, declared);
    // What a variable leaves empty is invalid, and so as if nothing were declared (CSS Variables 1, 3.1).
    if (value === null || value.trim() === '') return null;
    const word = value.toLowerCase();
    const takesOver = word === 'inherit' || (/^(unset|revert|revert-layer)$/.test(word) && INHERITED.has(property));
    if (takesOver)
      return this.parent ? (property === 'font-size' ? `${this.parent.fontSize}px` : this.parent.get(property)) : null;
    if (/^(initial|unset|revert|revert-layer)$/.test(word))
      return INITIAL[property] ?? (property === 'font-size' ? 'medium' : property === 'color' ? 'black' : null);
    return value;
  }

  /** The computed value as a text; '' = nothing is declared. Lengths that are inherited are px. */
  get(property: string): string {
    if (this.shared !== this) return this.shared.get(property);
    this.#known ??= new Map();
    let known = this.#known.get(property);
    if (known === undefined) {
      const isSaid = INHERITED.has(property) || this.#declared.has(property) || this.#declared.has('all');
      if (!isSaid) return INITIAL[property] ?? '';
      known = this.#computed(property);
      this.#known.set(property, known);
    }
    return known;
  }

  #computed(property: string): string {
    const own = this.#own(property);
    // HTML, 15.3.8: a heading of a table is centred where nothing around it is aligned.
    if (property === 'text-align' && own === '-platen-th') {
      const around = this.parent?.get(property) ?? 'start';
      return around === 'start' ? 'center' : around;
    }
    // HTML, 15.3.10: a table does not take over how the blocks around it are aligned.
    if (property === 'text-align' && own === null && this.element.name === 'table') {
      const around = this.parent?.get(property) ?? '';
      return around.startsWith('-webkit-') ? 'start' : around;
    }
    if (own === null)
      return (INHERITED.has(property) ? this.parent?.get(property) : undefined) ?? INITIAL[property] ?? '';
    // CSS Logical 1, 2.2: by the direction of the block around it.
    if ((property === 'float' || property === 'clear') && /^inline-/i.test(own)) {
      const isRtl = (this.parent ?? this).word('direction') === 'rtl';
      return /start$/i.test(own) === isRtl ? 'right' : 'left';
    }
    if (!INHERITED.has(property)) return own;
    // Relative lengths are of the element that says them.
    if (property === 'line-height' && parseNumber(own) === null) {
      const mixed = parseMixed(own, this.units);
      return mixed ? `${mixed.px + (mixed.percent / 100) * this.fontSize}px` : own;
    }
    if (/^(letter-spacing|word-spacing|border-spacing)$/.test(property))
      return splitValue(own)
        .map((each) => {
          const mixed = parseMixed(each, this.units);
          return mixed ? `${mixed.px + (mixed.percent / 100) * this.fontSize}px` : each;
        })
        .join(' ');
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

  /** Whether it is a box of words in a line. */
  get isInLine(): boolean {
    const isItem = /(flex|grid)$/.test(this.parent?.word('display') ?? '');
    const isInFlow = !/^(left|right)$/.test(this.word('float')) && !/^(absolute|fixed)$/.test(this.word('position'));
    return isInFlow && !isItem && this.word('display') === 'inline';
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
    this.#context.lost(property, value);
  }

  /** The same style in other surroundings. */
  under(parent: Style): Style {
    return new Style(this.element, parent, this.#context, this.#cascade);
  }

  /** The style of what a pseudo-element makes of words of this style; null = nothing. @param of the block that has it */
  firstOf(cascade: Cascade<CssElement>, of: Style): Style | null {
    if (cascade.isEmpty || cascade.declarationsOf(of.element).size === 0) return null;
    return new Style(of.element, this, this.#context, cascade);
  }

  /** The style of a pseudo-element; null = it is not there. */
  part(cascade: Cascade<CssElement>): Style | null {
    const declared = cascade.declarationsOf(this.element);
    if (!declared.has('content') && !declared.has('all')) return null;
    const style = new Style(this.element, this, this.#context, cascade);
    const content = style.get('content');
    return content === '' || /^(none|normal)$/i.test(content) || style.word('display') === 'none' ? null : style;
  }
}
