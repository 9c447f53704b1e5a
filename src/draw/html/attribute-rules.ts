// Writes the rules that attributes of old pages mean (HTML, 15.3), in a cascade layer below the page's rules: colours of
// `<body>`, and `<font>`. Those of tables are in tables/table-rules.ts.

import { parseColor } from '#core/color.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';

const ATTRIBUTE = 'platen-attributes';
const SIZES = ['x-small', 'small', 'medium', 'large', 'x-large', 'xx-large', 'xxx-large'];

/** Gives each element with such attributes one that the rules name. @returns the rules on one line; '' = none */
export function attributeRules(page: readonly HtmlNode[]): string {
  const rules: string[] = [];
  for (const element of elementsOf(page)) {
    const declarations = declarationsOf(element);
    const link = element.name === 'body' ? colorOf(element, 'link') : null;
    if (declarations.length === 0 && link === null) continue;
    const selector = `[${ATTRIBUTE}="${rules.length}"]`;
    element.attributes.set(ATTRIBUTE, String(rules.length));
    rules.push(`${selector}{${declarations.join(';')}}${link === null ? '' : `${selector} a[href]{color:${link}}`}`);
  }
  return rules.length === 0 ? '' : `@layer ${ATTRIBUTE}{${rules.join('')}}`;
}

function declarationsOf(element: HtmlElement): readonly string[] {
  const add = (property: string, value: string | null | undefined) => (value ? [`${property}:${value}`] : []);
  if (element.name === 'body') {
    return [...add('background-color', colorOf(element, 'bgcolor')), ...add('color', colorOf(element, 'text'))];
  }
  if (element.name !== 'font') return [];
  const [, sign, digits] = /^\s*([+-]?)(\d+)/.exec(element.attributes.get('size') ?? '') ?? [];
  const size = sign === '+' ? 3 + Number(digits) : sign === '-' ? 3 - Number(digits) : Number(digits);
  const face = element.attributes.get('face') ?? '';
  return [
    ...add('color', colorOf(element, 'color')),
    ...add('font-size', digits && SIZES[Math.min(7, Math.max(1, size)) - 1]),
    ...add('font-family', /^[\w ,'-]{1,200}$/.test(face) ? face : null),
  ];
}

/** The name of a colour, or its six digits with or without `#`. */
function colorOf({ attributes }: HtmlElement, name: string): string | null {
  const value = attributes.get(name)?.trim() ?? '';
  const color = /^[\da-f]{6}$/i.test(value) ? `#${value}` : value;
  return /^#?\w{1,30}$/.test(color) && parseColor(color) ? color : null;
}
