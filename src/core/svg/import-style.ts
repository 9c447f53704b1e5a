// Reads the style of an SVG file's elements: presentation attributes, style sheets with simple selectors, `style`
// attributes, and what is inherited.

import { elementsIn, type SvgElement } from './read-attributes.ts';

/** Property → value, as written. */
export type SvgStyle = ReadonlyMap<string, string>;

/** Properties that are inherited. */
export const INHERITED = [
  ...['fill', 'fill-opacity', 'fill-rule', 'clip-rule', 'color', 'visibility', 'white-space'],
  ...['stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-miterlimit', 'stroke-dashoffset', 'paint-order'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'letter-spacing', 'text-anchor', 'text-transform'],
  ...['dominant-baseline', 'direction', 'word-spacing', 'writing-mode', 'font-variant', 'font-stretch'],
] as const;
/** Properties that are not. */
export const OWN = [
  ...['opacity', 'display', 'clip-path', 'mask', 'mask-type', 'filter', 'mix-blend-mode', 'transform'],
  ...['stop-color', 'stop-opacity', 'flood-color', 'flood-opacity', 'text-decoration'],
  ...['alignment-baseline', 'baseline-shift'],
] as const;
const KNOWN: ReadonlySet<string> = new Set([...INHERITED, ...OWN]);

interface Declared {
  readonly value: string;
  /** Of two that apply, the one with the higher weight; of equal ones the later. */
  readonly weight: number;
}

/** Property → declaration, of one selector. */
type Rule = Map<string, Declared>;

const SIMPLE = /^(\*|[\w-]*(?:[.#][\w-]+)?)$/;

export class SvgStyles {
  readonly #rules = new Map<string, Rule>();
  /** Whether a style sheet has selectors that are not read, such as those with a combinator. */
  readonly hasOtherSelectors: boolean = false;

  constructor(root: SvgElement) {
    for (const [order, { selector, declarations }] of sheetsIn(root).flatMap(rulesOf).entries()) {
      if (/:(hover|active|focus)/.test(selector)) continue;
      if (!SIMPLE.test(selector)) this.hasOtherSelectors = true;
      // A sheet has fewer rules than this, so that an id outweighs all classes, and a class all names.
      const weight = order + 1e7 * (selector.includes('#') ? 3 : selector.includes('.') ? 2 : selector === '*' ? 0 : 1);
      const rule = this.#rules.get(selector) ?? new Map();
      for (const [name, value] of declarations) rule.set(name, { value, weight });
      this.#rules.set(selector, rule);
    }
  }

  /** @param around the style of the parent */
  of(element: SvgElement, around: SvgStyle): SvgStyle {
    const style = new Map<string, string>();
    for (const name of INHERITED) {
      const value = around.get(name);
      if (value !== undefined) style.set(name, value);
    }
    const own = new Map<string, string>();
    for (const [name, value] of element.attributes) if (KNOWN.has(name)) own.set(name, value.trim());
    for (const [name, { value }] of this.#declared(element)) own.set(name, value);
    for (const [name, value] of declarationsIn(element.attributes.get('style') ?? '')) own.set(name, value);
    for (const [name, value] of own) if (value !== 'inherit') style.set(name, value);
    const size = own.get('font-size');
    if (size !== undefined && /(%|em)$/.test(size)) {
      const before = lengthOf(around.get('font-size'), 16);
      style.set('font-size', String(lengthOf(size, before, before, before)));
    }
    return style;
  }

  #declared(element: SvgElement): Rule {
    const winning: Rule = new Map();
    if (this.#rules.size === 0) return winning;
    const parts = (element.attributes.get('class') ?? '').split(/\s+/).map((name) => `.${name}`);
    if (element.attributes.has('id')) parts.push(`#${element.attributes.get('id')}`);
    for (const selector of ['*', element.name, ...parts.flatMap((part) => [part, `${element.name}${part}`])]) {
      for (const [name, declared] of this.#rules.get(selector) ?? []) {
        if (declared.weight >= (winning.get(name)?.weight ?? 0)) winning.set(name, declared);
      }
    }
    return winning;
  }
}

function sheetsIn(element: SvgElement): readonly string[] {
  return elementsIn(element).flatMap((child) =>
    child.name === 'style' ? child.children.filter((part) => typeof part === 'string') : sheetsIn(child),
  );
}

function rulesOf(css: string): readonly { readonly selector: string; readonly declarations: SvgStyle }[] {
  return css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .split('}')
    .flatMap((rule) => {
      const [selectors = '', body = ''] = rule.split('{');
      const declarations = declarationsIn(body);
      return selectors.split(',').map((selector) => ({ selector: selector.trim(), declarations }));
    })
    .filter(({ selector }) => selector !== '');
}

function declarationsIn(css: string): SvgStyle {
  const pairs = css.split(';').map((declaration) => {
    const colon = declaration.indexOf(':');
    return [
      declaration.slice(0, colon).trim(),
      declaration
        .slice(colon + 1)
        .replace(/!important\s*$/, '')
        .trim(),
    ] as const;
  });
  return new Map(
    pairs.flatMap(([name, value]) => (name === 'font' ? fontIn(value) : KNOWN.has(name) ? [[name, value]] : [])),
  );
}

/** The parts of CSS's `font`: `italic 700 12px/1.2 "Inter", sans-serif`. */
export function fontIn(value: string): (readonly [string, string])[] {
  const words = value.trim().split(/\s+/);
  // The size is followed by the families, and a weight by the size.
  const at = words.findIndex((word, i) => /^\.?\d/.test(word) && /^\D/.test(words[i + 1] ?? ''));
  const [size] = /^[\w.%]+/.exec(words[at] ?? '') ?? [];
  if (size === undefined) return [];
  const [before, families] = [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
  const weight = /\b(bold|[1-9]00)\b/.exec(before)?.[1] ?? 'normal';
  const style = /\b(italic|oblique)\b/.exec(before)?.[1] ?? 'normal';
  return [
    ['font-style', style],
    ['font-weight', weight],
    ['font-size', size],
    ['font-family', families],
  ];
}

/** px of a length; a percentage of `whole`, and `em` of `em`. */
export function lengthOf(text: string | undefined, absent: number, whole = 1, em = 16): number {
  const [, number = '', unit = ''] =
    /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*(?:(%|[a-z]+)\s*)?$/i.exec(text ?? '') ?? [];
  if (number === '') return absent;
  const factor = { '%': whole / 100, em, pt: 96 / 72, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4 }[
    unit.toLowerCase()
  ];
  return Number(number) * (factor ?? 1);
}
