// Computes `calc()` of numbers with one unit (CSS Values 4 §10), for places where satori does not.

interface Quantity {
  readonly value: number;
  /** '' = a number. */
  readonly unit: string;
}

/** What `calc(infinity * 1px)` becomes: larger than any box. */
const MOST = 1_000_000;
const TOKEN =
  /\s*(?:([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)|([+-]?)(infinity)\b|([-+*/)])|(?:calc)?(\())/iy;

/** The value with each `calc()` that has only numbers, and of one unit, as its result; others are left as they are. */
export function foldCalc(value: string): string {
  if (!/\bcalc\(/i.test(value)) return value;
  return value.replace(/\bcalc\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)/gi, (whole) => {
    const result = compute(whole);
    if (!result || Number.isNaN(result.value)) return whole;
    const number = Math.min(MOST, Math.max(-MOST, result.value));
    return `${Number(number.toFixed(6))}${result.unit}`;
  });
}

function compute(text: string): Quantity | null {
  const tokens: (Quantity | string)[] = [];
  TOKEN.lastIndex = 0;
  let end = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const [, number, unit = '', sign, infinity, other, operator = other] = found;
    // `1 -2` is no difference, and `1 - 2` is: a sign belongs to its number unless a number or a bracket is before it.
    if (number !== undefined) tokens.push({ value: Number(number), unit: unit.toLowerCase() });
    else if (infinity !== undefined) tokens.push({ value: sign === '-' ? -Infinity : Infinity, unit: '' });
    else if (operator !== undefined) tokens.push(operator);
    end = TOKEN.lastIndex;
  }
  if (text.slice(end).trim() !== '') return null;
  let at = 0;
  const factor = (): Quantity | null => {
    const token = tokens[at];
    at += 1;
    if (typeof token === 'object') return token;
    if (token !== '(') return null;
    const inside = sum();
    return tokens[at++] === ')' ? inside : null;
  };
  const product = (): Quantity | null => {
    let left = factor();
    while (left && (tokens[at] === '*' || tokens[at] === '/')) {
      const isProduct = tokens[at++] === '*';
      const right = factor();
      if (!right || (left.unit !== '' && right.unit !== '') || (!isProduct && right.unit !== '')) return null;
      left = { value: isProduct ? left.value * right.value : left.value / right.value, unit: left.unit || right.unit };
    }
    return left;
  };
  const sum = (): Quantity | null => {
    let left = product();
    while (left && (tokens[at] === '+' || tokens[at] === '-')) {
      const isSum = tokens[at++] === '+';
      const right = product();
      if (!right || right.unit !== left.unit) return null;
      left = { value: isSum ? left.value + right.value : left.value - right.value, unit: left.unit };
    }
    return left;
  };
  const result = sum();
  return at === tokens.length ? result : null;
}
