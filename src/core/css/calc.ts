// Computes `calc()`, `min()` and their like (CSS Values 4, 10), of lengths for pages and of numbers with one unit for drawings.

/** A value while it is computed: a length with a share of what percentages are of, or a number, which is its `px`. */
export interface CalcTerm {
  readonly px: number;
  readonly percent: number;
  readonly isNumber: boolean;
}

/** What `calc(infinity * 1px)` becomes: larger than any box. */
const MOST = 1_000_000;
export const limited = (value: number): number => Math.min(MOST, Math.max(-MOST, value));

const CONSTANTS: Readonly<Record<string, number>> = { infinity: MOST, pi: Math.PI, e: Math.E };
const TOKEN =
  /\s*(?:([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)|([a-z-]+)\(|([+-]?)(infinity|pi|e)\b|([-+*/(),]))/iy;
const FUNCTIONS: ReadonlyMap<string, (...numbers: number[]) => number> = new Map([
  ['min', Math.min],
  ['max', Math.max],
  ['abs', Math.abs],
  ['clamp', (least: number, value: number, most: number) => Math.max(least, Math.min(value, most))],
  ['round', (value: number, step: number) => Math.round(value / (step || 1)) * step],
]);
/** Tokens of one value, at most. */
const MOST_TOKENS = 500;

/** @param termOf what a number is with its unit, which is in lower case; null = the value is none */
export function computeCalc(text: string, termOf: (number: number, unit: string) => CalcTerm | null): CalcTerm | null {
  const tokens: (CalcTerm | string)[] = [];
  TOKEN.lastIndex = 0;
  let end = 0;
  for (let found = TOKEN.exec(text); found && tokens.length < MOST_TOKENS; found = TOKEN.exec(text)) {
    const [, number, unit = '', name, sign, constant, mark] = found;
    end = TOKEN.lastIndex;
    const before = tokens.at(-1);
    const isOperand = typeof before === 'object' || before === ')';
    if (number !== undefined) {
      // `1 -2` is no sum; `1 - 2` is: a sign belongs to its number unless a value is before it.
      if (isOperand && /^[+-]/.test(number)) return null;
      const term = termOf(Number(number), unit.toLowerCase());
      if (!term) return null;
      tokens.push(term);
    } else if (name !== undefined) tokens.push(name.toLowerCase(), '(');
    else if (constant !== undefined) {
      const value = CONSTANTS[constant.toLowerCase()] ?? 0;
      tokens.push({ px: sign === '-' ? -value : value, percent: 0, isNumber: true });
    } else if (mark !== undefined) tokens.push(mark);
  }
  return text.slice(end).trim() === '' ? new Calculation(tokens).whole() : null;
}

class Calculation {
  readonly #tokens: readonly (CalcTerm | string)[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly (CalcTerm | string)[]) {
    this.#tokens = tokens;
  }

  whole(): CalcTerm | null {
    const result = this.#sum();
    return this.#at === this.#tokens.length ? result : null;
  }

  #take(mark: string): boolean {
    if (this.#tokens[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #sum(): CalcTerm | null {
    let left = this.#product();
    for (;;) {
      const sign = this.#take('+') ? 1 : this.#take('-') ? -1 : 0;
      if (sign === 0 || !left) return left;
      const right = this.#product();
      if (!right || right.isNumber !== left.isNumber) return null;
      left = { px: left.px + sign * right.px, percent: left.percent + sign * right.percent, isNumber: left.isNumber };
    }
  }

  #product(): CalcTerm | null {
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

  #factor(): CalcTerm | null {
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
  #inside(): readonly (CalcTerm | null)[] {
    const values = [this.#sum()];
    while (this.#take(',')) values.push(this.#sum());
    return this.#take(')') ? values : [null];
  }

  #call(name: string): CalcTerm | null {
    if (!this.#take('(')) return null;
    const values = this.#inside();
    if (values.some((value) => value === null)) return null;
    const terms = values as readonly CalcTerm[];
    const [first] = terms;
    if (!first) return null;
    const isMixed = terms.some(({ percent, px }) => percent !== 0 && px !== 0);
    const isPercent = terms.every(({ px }) => px === 0);
    const isPx = terms.every(({ percent }) => percent === 0);
    if (name === 'calc') return terms.length === 1 ? first : null;
    // Percentages and lengths can be compared once it is known what the percentages are of.
    if (isMixed || (!isPercent && !isPx)) return null;
    const value = FUNCTIONS.get(name)?.(...terms.map(({ px, percent }) => px + percent));
    if (value === undefined || Number.isNaN(value)) return null;
    return { px: isPx ? value : 0, percent: isPx ? 0 : value, isNumber: first.isNumber };
  }
}

/** The value with each `calc()` that has only numbers, and of one unit, as its result; others are left as they are. */
export function foldCalc(value: string): string {
  if (!/\bcalc\(/i.test(value)) return value;
  return value.replace(/\bcalc\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/gi, (whole) => {
    let known = '';
    const result = computeCalc(whole, (px, unit) => {
      if (unit !== '' && known !== '' && unit !== known) return null;
      known ||= unit;
      return { px, percent: 0, isNumber: unit === '' };
    });
    return result ? `${Number(limited(result.px).toFixed(6))}${result.isNumber ? '' : known}` : whole;
  });
}
