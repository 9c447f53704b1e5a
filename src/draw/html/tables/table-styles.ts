// Reads what a page declares for the parts of its tables, as far as satori does not know it or does not report it.

import { AppError } from '#base/errors.ts';
import { parseColor } from '#core/color.ts';
import { foldCalc } from '#core/css/calc.ts';
import type { Size } from '#core/geometry.ts';
import { Cascade } from '../cascade.ts';
import type { HtmlElement, HtmlNode } from '../parse-html.ts';

export const SIDES = ['top', 'right', 'bottom', 'left'] as const;
export type Side = (typeof SIDES)[number];

/** Properties of tables alone. */
const TABLE_PROPERTIES = /^(border-collapse|border-spacing|caption-side|empty-cells|table-layout)$/;

const READ =
  /^(display|position|visibility|width|height|min-width|max-width|vertical-align|text-align|white-space|text-wrap|text-wrap-mode|box-shadow|border-radius|flex-direction|flex-flow|align-items|align-self|justify-items|justify-self)$/;
const STYLES = /^(none|hidden|dotted|dashed|solid|double|groove|ridge|inset|outset)$/i;
const GENERIC_WIDTHS: Readonly<Record<string, number>> = { thin: 1, medium: 3, thick: 5 };

export interface Border {
  /** px */
  readonly width: number;
  readonly style: string;
  readonly color: string;
}

export interface Background {
  readonly color: string | null;
  /** `background-image`, or the whole `background` that has a picture. */
  readonly image: string | null;
}

export class TableStyles {
  readonly #cascade: Cascade;

  /** @throws AppError `invalid_request` naming a rule that is not supported */
  constructor(page: readonly HtmlNode[], css: string, canvas: Size) {
    this.#cascade = new Cascade(page, css, canvas, expand, 'skip');
  }

  /** null = nothing, or `auto` */
  declared(element: HtmlElement, property: string): string | null {
    const value = this.#cascade.declared(element, property);
    return value === null || /^(auto|inherit)$/i.test(value) ? null : value;
  }

  isAuto(element: HtmlElement, property: string): boolean {
    return /^auto$/i.test(this.#cascade.declared(element, property) ?? '');
  }

  inherited(element: HtmlElement, property: string): string | null {
    return this.#cascade.inherited(element, property);
  }

  parentOf(element: HtmlElement): HtmlElement | null {
    return this.#cascade.parentOf(element);
  }

  isShown(element: HtmlElement): boolean {
    return this.#cascade.declared(element, 'display')?.toLowerCase() !== 'none';
  }

  /** Of a length, or of a percentage: its number. */
  percent(element: HtmlElement, property: string): number | null {
    const [, number] = /^([\d.]+)%$/.exec(this.declared(element, property) ?? '') ?? [];
    return number === undefined ? null : Number(number);
  }

  /** Whether a size is given that is no percentage, whatever its unit. */
  hasLength(element: HtmlElement, property: string): boolean {
    const value = this.declared(element, property);
    return value !== null && !value.includes('%') && !/^(min-content|max-content|fit-content|none)/i.test(value);
  }

  verticalAlign(cell: HtmlElement): 'top' | 'middle' | 'bottom' | 'baseline' {
    for (let part: HtmlElement | null = cell; part && part.name !== 'table'; part = this.parentOf(part)) {
      const value = this.declared(part, 'vertical-align')?.toLowerCase();
      if (value === 'top' || value === 'middle' || value === 'bottom') return value;
      if (value !== undefined) return 'baseline';
    }
    return 'middle';
  }

  /** px between columns, and between rows. */
  spacing(table: HtmlElement): readonly [number, number] {
    const value = foldCalc(this.inherited(table, 'border-spacing') ?? '2px');
    const [across = 0, down = across] = value.split(/\s+/).map((length) => pixels(length, table, 'border-spacing'));
    return [across, down];
  }

  /** null = no style; a border with the style `hidden` removes those that meet it */
  border(element: HtmlElement, side: Side): Border | null {
    const style = this.#cascade.declared(element, `border-${side}-style`)?.toLowerCase() ?? 'none';
    if (style === 'none') return null;
    const width = this.#cascade.declared(element, `border-${side}-width`)?.toLowerCase() ?? 'medium';
    const color = this.#cascade.declared(element, `border-${side}-color`) ?? 'currentcolor';
    return { width: GENERIC_WIDTHS[width] ?? pixels(width, element, `border-${side}-width`), style, color };
  }

  /** The same as it is declared, with any unit. */
  borderText(element: HtmlElement, side: Side): string | null {
    const [width = 'medium', style = 'none', color = 'currentcolor'] = ['width', 'style', 'color'].map(
      (what) => this.#cascade.declared(element, `border-${side}-${what}`) ?? undefined,
    );
    return style === 'none'
      ? null
      : `${GENERIC_WIDTHS[width] === undefined ? width : `${GENERIC_WIDTHS[width]}px`} ${style} ${color}`;
  }

  /** Whether lines of an element's text may break at its spaces. */
  breaksAtSpaces(element: HtmlElement): boolean {
    for (let around: HtmlElement | null = element; around; around = this.parentOf(around)) {
      if (/^(pre|textarea|select|option)$/.test(around.name)) return false;
    }
    const known = ['white-space', 'text-wrap', 'text-wrap-mode'].map(
      (property) => this.inherited(element, property) ?? '',
    );
    return !known.some((value) => /nowrap|^pre\b|break-spaces/i.test(value));
  }

  background(element: HtmlElement): Background {
    const color = this.#cascade.declared(element, 'background-color');
    const image = this.#cascade.declared(element, 'background-image');
    const hasColor = color !== null && color.toLowerCase() !== 'transparent' && parseColor(color)?.a !== 0;
    return { color: hasColor ? color : null, image: image === null || image === 'none' ? null : image };
  }
}

function pixels(length: string, { line, name }: HtmlElement, property: string): number {
  const [, number, unit = 'px'] = /^([\d.]+)(px|pt|pc|in|cm|mm|rem)?$/i.exec(length) ?? [];
  const value = Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
  if (number !== undefined && Number.isFinite(value)) return value;
  const message = `html, line ${line}: ${property} of <${name}> is ${length.slice(0, 40)}, which renderer "satori" does not know for tables; write it in px, or use renderer "chromium".`;
  throw new AppError('invalid_request', message);
}

const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  rem: 16,
};

type Pairs = readonly (readonly [property: string, value: string])[];

function expand(property: string, value: string): Pairs {
  if (TABLE_PROPERTIES.test(property) || READ.test(property)) return [[property, value]];
  if (property === 'inline-size' || property === 'block-size') {
    return [[property === 'inline-size' ? 'width' : 'height', value]];
  }
  if (/^(margin|padding)(-|$)/.test(property)) return expandSides(property, value);
  if (/^background(-color|-image)?$/.test(property)) return expandBackground(property, value);
  return /^border(-|$)/.test(property) ? expandBorder(property, value) : [];
}

const LOGICAL: Readonly<Record<string, readonly Side[]>> = {
  inline: ['left', 'right'],
  'inline-start': ['left'],
  'inline-end': ['right'],
  block: ['top', 'bottom'],
  'block-start': ['top'],
  'block-end': ['bottom'],
};

function sidesOf(name: string | undefined): readonly Side[] | null {
  if (name === undefined) return SIDES;
  const side = SIDES.find((each) => each === name);
  return side ? [side] : (LOGICAL[name] ?? null);
}

/** One to four values, those left out being that of the opposite side. */
function eachSide(sides: readonly Side[], value: string, nameOf: (side: Side) => string): Pairs {
  const [first = '', second = first, third = first, fourth = second] = wordsOf(value);
  const four = { top: first, right: second, bottom: third, left: fourth };
  if (sides.length === 4) return sides.map((side) => [nameOf(side), four[side]]);
  return sides.map((side, i) => [nameOf(side), i === 0 ? first : second]);
}

function expandSides(property: string, value: string): Pairs {
  const [, name = '', of] = /^(margin|padding)(?:-(.+))?$/.exec(property) ?? [];
  const sides = sidesOf(of);
  return sides ? eachSide(sides, value, (side) => `${name}-${side}`) : [];
}

function expandBorder(property: string, value: string): Pairs {
  const [, of, what] =
    /^border(?:-(top|right|bottom|left|(?:inline|block)(?:-start|-end)?))?(?:-(width|style|color))?$/.exec(property) ??
    [];
  const sides =
    /^border/.test(property) && (of !== undefined || what !== undefined || property === 'border') ? sidesOf(of) : null;
  if (!sides) return [];
  if (what !== undefined) return eachSide(sides, value, (side) => `border-${side}-${what}`);
  // A `var()` may hold any of the three, and is not known here.
  let [width, style, color] = ['medium', 'none', 'currentcolor'];
  for (const word of wordsOf(value)) {
    if (STYLES.test(word)) style = word;
    else if (/^[\d.]/.test(word) || word.toLowerCase() in GENERIC_WIDTHS) width = word;
    else color = word;
  }
  return sides.flatMap(
    (side): Pairs => [
      [`border-${side}-width`, width],
      [`border-${side}-style`, style],
      [`border-${side}-color`, color],
    ],
  );
}

function expandBackground(property: string, value: string): Pairs {
  if (property !== 'background') return [[property, value]];
  if (/url\(|gradient\(/i.test(value)) {
    return [
      ['background-image', value],
      ['background-color', 'transparent'],
    ];
  }
  const color = wordsOf(value).find((word) => /^var\(/i.test(word) || parseColor(word)) ?? 'transparent';
  return [
    ['background-image', 'none'],
    ['background-color', color],
  ];
}

/** The words of a value; a function is one word. */
function wordsOf(value: string): readonly string[] {
  const words: string[] = [];
  let depth = 0;
  let word = '';
  for (const character of value) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth <= 0 && /\s/.test(character)) {
      if (word !== '') words.push(word);
      word = '';
    } else word += character;
  }
  return word === '' ? words : [...words, word];
}
