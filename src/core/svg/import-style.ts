// Reads the style of an SVG file's elements: presentation attributes, style sheets with simple selectors, `style`
// attributes, and what is inherited.

import { elementsIn, type SvgElement } from './read-attributes.ts';

/** Property → value, as written. */
export type SvgStyle = ReadonlyMap<string, string>;

const INHERITED = [
  ...['fill', 'fill-opacity', 'fill-rule', 'clip-rule', 'color', 'visibility', 'white-space'],
  ...['stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'letter-spacing', 'text-anchor', 'text-transform'],
] as const;
const OWN = [
  ...['opacity', 'display', 'clip-path', 'mask', 'mask-type', 'filter', 'mix-blend-mode', 'transform'],
  ...['stop-color', 'stop-opacity', 'flood-color', 'flood-opacity', 'text-decoration'],
] as const;
const KNOWN: ReadonlySet<string> = new Set([...INHERITED, ...OWN]);

interface Rule {
  /** `path`, `.cls-1` or `#logo`. */
  readonly selector: string;
  readonly declarations: SvgStyle;
}

export class SvgStyles {
  readonly #rules: readonly Rule[];

  constructor(root: SvgElement) {
    this.#rules = sheetsIn(root).flatMap(rulesOf);
  }

  /** @param around the style of the parent */
  of(element: SvgElement, around: SvgStyle): SvgStyle {
    const style = new Map<string, string>();
    for (const name of INHERITED) {
      const value = around.get(name);
      if (value !== undefined) style.set(name, value);
    }
    for (const [name, value] of element.attributes) if (KNOWN.has(name)) style.set(name, value.trim());
    const classes = (element.attributes.get('class') ?? '').split(/\s+/).map((name) => `.${name}`);
    const names = new Set([element.name, ...classes, `#${element.attributes.get('id')}`]);
    for (const { selector, declarations } of this.#rules) {
      if (names.has(selector)) for (const [name, value] of declarations) style.set(name, value);
    }
    for (const [name, value] of declarationsIn(element.attributes.get('style') ?? '')) style.set(name, value);
    return style;
  }
}

function sheetsIn(element: SvgElement): readonly string[] {
  return elementsIn(element).flatMap((child) =>
    child.name === 'style' ? child.children.filter((part) => typeof part === 'string') : sheetsIn(child),
  );
}

function rulesOf(css: string): readonly Rule[] {
  return css
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .split('}')
    .flatMap((rule) => {
      const [selectors = '', body = ''] = rule.split('{');
      const declarations = declarationsIn(body);
      return selectors.split(',').map((selector) => ({ selector: selector.trim(), declarations }));
    });
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
  return new Map(pairs.filter(([name]) => KNOWN.has(name)));
}

/** px of a length; a percentage of `whole`, and `em` of `em`. */
export function lengthOf(text: string | undefined, absent: number, whole = 1, em = 16): number {
  const [, number = '', unit = ''] =
    /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%|[a-z]*)\s*$/i.exec(text ?? '') ?? [];
  if (number === '') return absent;
  const factor = { '%': whole / 100, em, pt: 96 / 72, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4 }[
    unit.toLowerCase()
  ];
  return Number(number) * (factor ?? 1);
}
