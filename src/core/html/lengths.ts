// Reads CSS lengths, percentages and what `calc()` makes of them (CSS Values 4, 5, 6 and 10).

import type { Length } from '../resolve/scene.ts';
import { splitValue } from './shorthands.ts';

/** px, and of what percentages are of, 50 = half; both together are what `calc()` may give. */
export interface Mixed {
  readonly px: number;
  readonly percent: number;
}

export function asLength({ px, percent }: Mixed): Length {
  if (percent === 0) return { kind: 'px', value: px };
  return { kind: 'percent', value: percent, ...(px !== 0 && { plus: px }) };
}

/** What relative units are of, px. */
export interface Units {
  readonly fontSize: number;
  readonly rootFontSize: number;
  readonly viewport: { readonly width: number; readonly height: number };
}

const PX_PER_INCH = 96;
const ABSOLUTE: Readonly<Record<string, number>> = {
  px: 1,
  in: PX_PER_INCH,
  cm: PX_PER_INCH / 2.54,
  mm: PX_PER_INCH / 25.4,
  q: PX_PER_INCH / 101.6,
  pt: PX_PER_INCH / 72,
  pc: PX_PER_INCH / 6,
};
/** Of the font size, where no face is known yet: what most faces have. */
const EX = 0.5;
const CAP = 0.7;

/** px of one; null = no unit. */
function pxOfUnit(unit: string, { fontSize, rootFontSize, viewport }: Units): number | null {
  const known = ABSOLUTE[unit];
  if (known !== undefined) return known;
  const { width, height } = viewport;
  switch (unit.replace(/^[sld](?=v)/, '')) {
    case 'em':
      return fontSize;
    case 'rem':
      return rootFontSize;
    case 'ex':
    case 'ch':
      return fontSize * EX;
    case 'rex':
    case 'rch':
      return rootFontSize * EX;
    case 'cap':
      return fontSize * CAP;
    case 'rcap':
      return rootFontSize * CAP;
    case 'ic':
      return fontSize;
    case 'ric':
      return rootFontSize;
    case 'rlh':
      return rootFontSize * 1.2;
    case 'lh':
      return fontSize * 1.2;
    case 'vw':
    case 'vi':
      return width / 100;
    case 'vh':
    case 'vb':
      return height / 100;
    case 'vmin':
      return Math.min(width, height) / 100;
    case 'vmax':
      return Math.max(width, height) / 100;
    default:
      return null;
  }
}

/** A value while it is computed: a number has no unit. */
interface Term extends Mixed {
  readonly isNumber: boolean;
}

const TOKEN =
  /\s*(?:([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)|([a-z-]+)\(|(infinity|pi|e)\b|([-+*/(),]))/iy;
const MOST = 1_000_000;
/** Tokens of one value, at most. */
const MOST_TOKENS = 500;

/** @returns null where it is no length, or one that only layout could compare (`min(50%, 10px)`) */
export function parseMixed(text: string, units: Units): Mixed | null {
  const plain = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/i.exec(text);
  const found = plain ? termOf(Number(plain[1]), (plain[2] ?? '').toLowerCase(), units) : compute(text, units);
  if (!found || (found.isNumber && found.px !== 0)) return null;
  const limited = (value: number) => Math.min(MOST, Math.max(-MOST, value));
  return { px: limited(found.px), percent: limited(found.percent) };
}

/** A length between others that only layout can compare with it: `min(100%, 600px)`. */
export interface Compared {
  readonly value: Mixed;
  /** px; null = no limit. */
  readonly least: number | null;
  readonly most: number | null;
}

/** @returns null where a value does not compare a share with lengths */
export function parseCompared(text: string, units: Units): Compared | null {
  const [, name = '', inside = ''] = /^(min|max|clamp)\((.*)\)$/is.exec(text.trim()) ?? [];
  if (name === '') return null;
  const parts = splitValue(inside, ',').map((part) => parseMixed(/[-+*/]/.test(part) ? `calc(${part})` : part, units));
  const shares = parts.filter((part) => part && part.percent !== 0);
  const [value] = shares;
  if (!value || shares.length !== 1 || parts.some((part) => !part)) return null;
  const at = parts.indexOf(value);
  const px = (i: number) => parts[i]?.px ?? null;
  if (name.toLowerCase() === 'clamp')
    return at === 1 && parts.length === 3 ? { value, least: px(0), most: px(2) } : null;
  const others = parts.flatMap((part, i) => (i === at || !part ? [] : [part.px]));
  return name.toLowerCase() === 'min'
    ? { value, least: null, most: Math.min(...others) }
    : { value, least: Math.max(...others), most: null };
}

/** px; null for anything else. */
export function parsePx(text: string, units: Units): number | null {
  const found = parseMixed(text, units);
  return found && found.percent === 0 ? found.px : null;
}

/** A number, also one that `calc()` gives. */
export function parseNumber(text: string): number | null {
  const found = compute(text, { fontSize: 0, rootFontSize: 0, viewport: { width: 0, height: 0 } });
  return found?.isNumber ? found.px : null;
}

function termOf(number: number, unit: string, units: Units): Term | null {
  if (unit === '') return { px: number, percent: 0, isNumber: true };
  if (unit === '%') return { px: 0, percent: number, isNumber: false };
  const px = pxOfUnit(unit, units);
  return px === null ? null : { px: number * px, percent: 0, isNumber: false };
}

function compute(text: string, units: Units): Term | null {
  const tokens: (Term | string)[] = [];
  TOKEN.lastIndex = 0;
  let end = 0;
  for (let found = TOKEN.exec(text); found && tokens.length < MOST_TOKENS; found = TOKEN.exec(text)) {
    const [, number, unit = '', name, constant, mark] = found;
    end = TOKEN.lastIndex;
    const before = tokens.at(-1);
    const isOperand = typeof before === 'object' || before === ')';
    if (number !== undefined) {
      // `1 -2` is no sum; `1 - 2` is: a sign belongs to its number unless a value is before it.
      if (isOperand && /^[+-]/.test(number)) return null;
      const term = termOf(Number(number), unit.toLowerCase(), units);
      if (!term) return null;
      tokens.push(term);
    } else if (name !== undefined) tokens.push(name.toLowerCase(), '(');
    else if (constant !== undefined) {
      const values: Readonly<Record<string, number>> = { infinity: MOST, pi: Math.PI, e: Math.E };
      tokens.push({ px: values[constant.toLowerCase()] ?? 0, percent: 0, isNumber: true });
    } else if (mark !== undefined) tokens.push(mark);
  }
  if (text.slice(end).trim() !== '') return null;
  const parser = new Calculation(tokens);
  return parser.whole();
}

class Calculation {
  readonly #tokens: readonly (Term | string)[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly (Term | string)[]) {
    this.#tokens = tokens;
  }

  whole(): Term | null {
    const result = this.#sum();
    return this.#at === this.#tokens.length ? result : null;
  }

  #take(mark: string): boolean {
    if (this.#tokens[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #sum(): Term | null {
    let left = this.#product();
    for (;;) {
      const sign = this.#take('+') ? 1 : this.#take('-') ? -1 : 0;
      if (sign === 0 || !left) return left;
      const right = this.#product();
      if (!right || right.isNumber !== left.isNumber) return null;
      left = { px: left.px + sign * right.px, percent: left.percent + sign * right.percent, isNumber: left.isNumber };
    }
  }

  #product(): Term | null {
    let left = this.#factor();
    for (;;) {
      const isProduct = this.#take('*');
      if (!left || (!isProduct && !this.#take('/'))) return left;
      const right = this.#factor();
      if (!right || (isProduct ? !left.isNumber && !right.isNumber : !right.isNumber || right.px === 0)) return null;
      const [value, by] = isProduct && left.isNumber ? [right, left.px] : [left, isProduct ? right.px : 1 / right.px];
      left = { px: value.px * by, percent: value.percent * by, isNumber: value.isNumber };
    }
  }

  #factor(): Term | null {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (typeof token === 'object') return token;
    this.#depth += 1;
    if (this.#depth > 32 || token === undefined) return null;
    const result = token === '(' ? this.#inside()[0] : token === '-' || token === '+' ? null : this.#call(token);
    this.#depth -= 1;
    return result ?? null;
  }

  /** The values between brackets, of which the first is open already. */
  #inside(): readonly (Term | null)[] {
    const values = [this.#sum()];
    while (this.#take(',')) values.push(this.#sum());
    return this.#take(')') ? values : [null];
  }

  #call(name: string): Term | null {
    if (!this.#take('(')) return null;
    const values = this.#inside();
    if (values.some((value) => value === null)) return null;
    const terms = values as readonly Term[];
    const [first, second, third] = terms;
    if (!first) return null;
    const isMixed = terms.some(({ percent, px }) => percent !== 0 && px !== 0);
    const isPercent = terms.every(({ px }) => px === 0);
    const isPx = terms.every(({ percent }) => percent === 0);
    if (name === 'calc') return terms.length === 1 ? first : null;
    // Percentages and lengths can be compared once it is known what the percentages are of.
    if (isMixed || (!isPercent && !isPx)) return null;
    const numbers = terms.map(({ px, percent }) => px + percent);
    const of = (value: number): Term => ({
      px: isPx ? value : 0,
      percent: isPx ? 0 : value,
      isNumber: first.isNumber,
    });
    switch (name) {
      case 'min':
        return of(Math.min(...numbers));
      case 'max':
        return of(Math.max(...numbers));
      case 'clamp':
        return second && third ? of(Math.max(numbers[0] ?? 0, Math.min(numbers[1] ?? 0, numbers[2] ?? 0))) : null;
      case 'abs':
        return of(Math.abs(numbers[0] ?? 0));
      case 'round':
        return second ? of(Math.round((numbers[0] ?? 0) / (numbers[1] || 1)) * (numbers[1] ?? 1)) : null;
      default:
        return null;
    }
  }
}
