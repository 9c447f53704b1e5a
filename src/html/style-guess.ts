// Guesses which styles may apply to an element, without computing the cascade. Used only for warnings, which may be
// wrong.

import type { Declaration } from './css-text.ts';
import { readDeclarations, readStyleSheet } from './css-text.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';

export class StyleGuess {
  readonly #rules: readonly Declaration[];

  constructor(page: readonly HtmlNode[], css: string) {
    const sheets = [...elementsOf(page)].filter(({ name }) => name === 'style');
    const texts = [css, ...sheets.map(({ children }) => children.join(''))];
    this.#rules = texts.flatMap((text) => readStyleSheet(text).declarations);
  }

  /** Whether an attribute, the element's style, or a rule that may match it sets such a property to such a value. */
  says(element: HtmlElement, properties: RegExp, values = /(?:)/): boolean {
    const attributes = ['width', 'height'].filter((name) => element.attributes.has(name));
    if (attributes.some((name) => properties.test(name))) return true;
    const own = readDeclarations(element.attributes.get('style') ?? '');
    const says = ({ property, value }: Declaration) => properties.test(property) && values.test(value);
    return own.some(says) || this.#rules.some((rule) => says(rule) && mayMatch(rule.selectors, element));
  }
}

/** Whether one of the selectors may match, judged by its last compound selector only. */
function mayMatch(selectors: string, { name, attributes }: HtmlElement): boolean {
  const classes = (attributes.get('class') ?? '').split(/\s+/);
  return selectors.split(/,(?![^(]*\))/).some((selector) => {
    const [last = ''] = /(?:[^\s>+~([]|\([^)]*\)|\[[^\]]*\])*$/.exec(selector.trim()) ?? [];
    const plain = last.replace(/\([^)]*\)|\[[^\]]*\]/g, '');
    const [tag = '*'] = /^[\w-]+/.exec(plain) ?? [];
    if (tag !== '*' && tag.toLowerCase() !== name) return false;
    const wanted = [...plain.matchAll(/([.#])([\w-]+)/g)];
    return wanted.every(([, kind, word = '']) =>
      kind === '.' ? classes.includes(word) : attributes.get('id') === word,
    );
  });
}
