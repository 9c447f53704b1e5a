// Counters of a page (CSS Lists 3): what `counter-reset`, `counter-set` and `counter-increment` make of them; and how numbers
// are written by them and by the lists of texts (CSS Counter Styles 3).

export class Counters {
  readonly #values = new Map<string, { value: number; readonly depth: number }[]>();
  #depth = 0;

  /** Begins an element: its counters are seen by what is in it and by what follows it in its parent. */
  enter(style: { get(property: string): string }): void {
    this.#depth += 1;
    const [reset, set, increment] = [
      style.get('counter-reset'),
      style.get('counter-set'),
      style.get('counter-increment'),
    ];
    // Of most elements, none is.
    if (reset !== '') for (const [name, value] of pairsOf(reset, 0)) this.reset(name, value);
    if (set !== '') for (const [name, value] of pairsOf(set, 0)) this.set(name, value);
    if (increment !== '') for (const [name, value] of pairsOf(increment, 1)) this.increment(name, value);
  }

  leave(): void {
    if (this.#values.size > 0)
      for (const stack of this.#values.values()) while ((stack.at(-1)?.depth ?? 0) > this.#depth) stack.pop();
    this.#depth -= 1;
  }

  reset(name: string, value: number): void {
    const stack = this.#values.get(name) ?? [];
    if (stack.at(-1)?.depth === this.#depth) stack.pop();
    stack.push({ value, depth: this.#depth });
    this.#values.set(name, stack);
  }

  set(name: string, value: number): void {
    const last = this.#values.get(name)?.at(-1);
    if (last) last.value = value;
    else this.reset(name, value);
  }

  increment(name: string, by: number): void {
    const last = this.#values.get(name)?.at(-1);
    if (last) last.value += by;
    else this.reset(name, by);
  }

  /** From the outermost to the innermost. */
  of(name: string): readonly number[] {
    const values = (this.#values.get(name) ?? []).map(({ value }) => value);
    return values.length > 0 ? values : [0];
  }
}

function pairsOf(value: string, initial: number): readonly (readonly [string, number])[] {
  if (/^none$/i.test(value)) return [];
  const found: [string, number][] = [];
  for (const word of value.split(/\s+/)) {
    const last = found.at(-1);
    if (/^[+-]?\d+$/.test(word) && last) last[1] = Number(word);
    else found.push([word, initial]);
  }
  return found;
}

const ROMAN: readonly (readonly [number, string])[] = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
  ] as const),
  ...([
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
];
const GREEK = 'αβγδεζηθικλμνξοπρστυφχψω';

function letters(number: number, alphabet: readonly string[]): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / alphabet.length))
    text = (alphabet[(rest - 1) % alphabet.length] ?? '') + text;
  return text;
}

function roman(number: number): string {
  let [text, rest] = ['', number];
  for (const [value, sign] of ROMAN) while (rest >= value) [text, rest] = [text + sign, rest - value];
  return text;
}

/** CSS Counter Styles 3: a number as one of the predefined styles writes it; symbols are those of bullets. */
export function counterText(number: number, type: string): string {
  switch (type.toLowerCase()) {
    case 'none':
      return '';
    case 'disc':
      return '•';
    case 'circle':
      return '◦';
    case 'square':
      return '▪';
    case 'disclosure-open':
      return '▾';
    case 'disclosure-closed':
      return '▸';
    case 'decimal-leading-zero':
      return `${number < 0 ? '-' : ''}${String(Math.abs(number)).padStart(2, '0')}`;
    case 'lower-alpha':
    case 'lower-latin':
      return number > 0 ? letters(number, [...LATIN]) : String(number);
    case 'upper-alpha':
    case 'upper-latin':
      return number > 0 ? letters(number, [...LATIN]).toUpperCase() : String(number);
    case 'lower-roman':
      return number > 0 && number < 4_000 ? roman(number) : String(number);
    case 'upper-roman':
      return number > 0 && number < 4_000 ? roman(number).toUpperCase() : String(number);
    case 'lower-greek':
      return number > 0 ? letters(number, [...GREEK]) : String(number);
    default:
      return String(number);
  }
}

/** Whether `counterText` writes a style as CSS has it. */
export const isKnownStyle = (type: string): boolean =>
  /^(none|disc|circle|square|disclosure-(open|closed)|decimal(-leading-zero)?|(lower|upper)-(alpha|latin|roman)|lower-greek)$/i.test(
    type,
  );
const LATIN = 'abcdefghijklmnopqrstuvwxyz';

/** What the marker of an item says, as `::marker` does. */
export const markerText = (number: number, type: string): string =>
  `${counterText(number, type)}${isSymbol(type) ? '' : '.'} `;

/** All letters that the markers of a style may have. */
export const markerLetters = (type: string): string =>
  isSymbol(type) ? markerText(1, type) : `${type.startsWith('upper') ? LATIN.toUpperCase() : LATIN}0123456789. `;

/** Whether a list style is a sign, which is the same for all entries. */
export const isSymbol = (type: string): boolean => /^(disc|circle|square|disclosure-(open|closed))$/i.test(type);
