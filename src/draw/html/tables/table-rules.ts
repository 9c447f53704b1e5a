// Writes the style sheet of tables that is below a page's own: HTML's default rules, what the attributes of the page
// mean, and the box of a table with a caption.

import { parseColor } from '#core/color.ts';
import { type HtmlElement, isElement } from '../parse-html.ts';
import { SIDES } from './table-styles.ts';

/**
 * The rules of HTML's default style sheet for tables, and those that the attributes of the page mean, in a cascade layer
 * below the page's rules. Gives each element with such attributes one that the rules name.
 */
export function tableRules(elements: Iterable<HtmlElement>): string {
  const rules: string[] = [];
  const set = (element: HtmlElement, declarations: readonly string[]) => {
    if (declarations.length === 0) return;
    const hint = String(rules.length);
    element.attributes.set(HINT, hint);
    rules.push(`[${HINT}="${hint}"]{${declarations.join(';')}}`);
  };
  /** Tables in cells with `align="center"`, which centres blocks too. */
  const centred = new Set<HtmlElement>();
  for (const element of elements) {
    if (/^t[dh]$/.test(element.name) && /^center$/i.test(element.attributes.get('align')?.trim() ?? '')) {
      for (const child of element.children) if (isElement(child) && child.name === 'table') centred.add(child);
    }
    if (element.name === 'table') {
      const { attributes } = element;
      if (element.children.some((child) => isElement(child) && child.name === 'caption')) attributes.set(CAPTIONED, '');
      const margins = centred.has(element) ? ['margin-left:auto', 'margin-right:auto', 'text-align:start'] : [];
      set(element, [...margins, ...hintsOf(element)]);
      const [border, padding] = [length(attributes.get('border')), length(attributes.get('cellpadding'))];
      const cells = [border && border !== '0px' ? 'border:1px inset gray' : '', padding ? `padding:${padding}` : ''];
      for (const cell of cellsOf(element)) set(cell, [...cells.filter((each) => each !== ''), ...hintsOf(cell)]);
    } else if (/^(col|colgroup|thead|tbody|tfoot|tr|caption)$/.test(element.name)) set(element, hintsOf(element));
  }
  return `@layer platen-tables{table{box-sizing:border-box;border-collapse:separate;border-spacing:2px}td,th{padding:1px}th{font-weight:bold}caption{text-align:center}${GRID_BOX}${rules.join('')}}`;
}

const HINT = 'platen-hint';
const CAPTIONED = 'platen-captioned';
const GRID_BOX = `[${CAPTIONED}]::before{content:"";display:block;position:absolute;box-sizing:border-box;left:0;width:100%;top:var(--platen-top);height:var(--platen-height);background:var(--platen-background);border-radius:var(--platen-radius);box-shadow:var(--platen-shadow);${SIDES.map((side) => `border-${side}:var(--platen-border-${side})`).join(';')}}`;

/** The cells of a table, without those of tables inside it. */
function cellsOf(table: HtmlElement): readonly HtmlElement[] {
  return table.children.flatMap((child) => {
    if (!isElement(child)) return [];
    return /^t[dh]$/.test(child.name) ? [child] : /^(thead|tbody|tfoot|tr)$/.test(child.name) ? cellsOf(child) : [];
  });
}

/** The declarations that the attributes of a part mean (HTML, 15.3.8 and 15.3.9). */
function hintsOf({ name, attributes }: HtmlElement): readonly string[] {
  const found: string[] = [];
  const add = (property: string, value: string | null | undefined) => {
    if (value) found.push(`${property}:${value}`);
  };
  const isOne = (value: string | undefined, words: RegExp) =>
    value !== undefined && words.test(value.trim()) ? value.trim().toLowerCase() : null;
  add('width', length(attributes.get('width'), true));
  if (/^(table|tr|td|th)$/.test(name)) add('height', length(attributes.get('height'), true));
  const color = attributes.get('bgcolor')?.trim() ?? '';
  if (color !== '' && parseColor(color)) add('background-color', color);
  if (name === 'table') {
    add('border-spacing', length(attributes.get('cellspacing')));
    const border = length(attributes.get('border'));
    if (border && border !== '0px') add('border', `${border} outset gray`);
    const align = isOne(attributes.get('align'), /^(center|left|right)$/i);
    if (align === 'center') found.push('margin-left:auto', 'margin-right:auto');
    else add('float', align);
  } else {
    add('text-align', isOne(attributes.get('align'), /^(left|center|right|justify)$/i));
    add('vertical-align', isOne(attributes.get('valign'), /^(top|middle|bottom|baseline)$/i));
    if (attributes.has('nowrap')) found.push('white-space:nowrap');
  }
  return found;
}

function length(value: string | undefined, orPercent = false): string | null {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)(%?)/.exec(value ?? '') ?? [];
  if (number === undefined) return null;
  return unit === '%' ? (orPercent ? `${number}%` : null) : `${number}px`;
}
