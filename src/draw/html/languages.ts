// Finds the language of each text of a satori page: the `lang` of the nearest enclosing element (HTML, 3.2.6.2).
//
// Satori's SVG does not tell from which element a text comes. So every element gets its inherited language, satori
// reports the boxes of all elements that have one, and a text has the language of the smallest box around its middle.

import type { Rect } from '#core/geometry.ts';
import type { XmlElement } from '#draw/images/xml.ts';
import { type HtmlNode, isElement } from './parse-html.ts';

/** A box of the page with its language. */
export interface LanguageArea extends Rect {
  /** Language of its content; '' = unknown. */
  readonly lang: string;
}

const TAG = /^[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8}){0,8}$/;

/**
 * Writes the inherited language of each element to its `lang` attribute, except inside `<svg>`.
 *
 * @returns every language once, in page order
 */
export function spreadLanguages(
  nodes: readonly HtmlNode[],
  around: string | null = null,
  found = new Set<string>(),
): readonly string[] {
  for (const node of nodes) {
    if (!isElement(node) || node.name === 'svg') continue;
    const said = node.attributes.get('lang')?.trim();
    const lang = said !== undefined && (said === '' || TAG.test(said)) ? said : around;
    if (lang === null) node.attributes.delete('lang');
    else node.attributes.set('lang', lang);
    if (lang) found.add(lang);
    spreadLanguages(node.children, lang, found);
  }
  return [...found];
}

/** The drawing, with the language of each `<text>` in its `lang` attribute. */
export function withLanguages(element: XmlElement, areas: readonly LanguageArea[]): XmlElement {
  const children = element.children.map((child) => (typeof child === 'string' ? child : withLanguages(child, areas)));
  const lang = element.name === 'text' ? languageAt(element, areas) : null;
  return { ...element, children, ...(lang && { attributes: new Map([...element.attributes, ['lang', lang]]) }) };
}

function languageAt({ attributes }: XmlElement, areas: readonly LanguageArea[]): string | null {
  const at = (name: string) => Number(attributes.get(name)) || 0;
  const [x, y] = [at('x') + at('width') / 2, at('y') - at('font-size') / 3];
  let nearest: LanguageArea | null = null;
  for (const area of areas) {
    if (x < area.x || y < area.y || x > area.x + area.width || y > area.y + area.height) continue;
    if (!nearest || area.width * area.height <= nearest.width * nearest.height) nearest = area;
  }
  return (nearest ?? areas[0])?.lang || null;
}
