// Guesses which styles may apply to an element, without computing the cascade. Used only for warnings, which may be
// wrong.

import type { Declaration } from '#core/css/css-text.ts';
import { readDeclarations, readStyleSheet } from '#core/css/css-text.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';

/** The last compound of a selector: a tag, classes and ids. */
interface Compound {
  /** '*' = any. */
  readonly tag: string;
  readonly classes: readonly string[];
  readonly ids: readonly string[];
}

/** Most selectors that are compared with each element; the rest is ignored. */
const MAX_COMPOUNDS = 2_000;

export class StyleGuess {
  readonly #rules: readonly Declaration[];
  /** By property and value that are asked for: selectors of the rules that say so. */
  readonly #asked = new Map<string, readonly Compound[]>();

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
    if (own.some(says)) return true;
    const question = `${properties.source} ${values.source}`;
    const compounds = this.#asked.get(question) ?? compoundsOf(this.#rules.filter(says));
    this.#asked.set(question, compounds);
    const classes = new Set((element.attributes.get('class') ?? '').split(/\s+/));
    return compounds.some((compound) => mayMatch(compound, element, classes));
  }
}

/** The selectors of rules, without duplicates: a rule is repeated for each of its declarations. */
function compoundsOf(rules: readonly Declaration[]): readonly Compound[] {
  const texts = [...new Set(rules.map(({ selectors }) => selectors))].flatMap(lastCompounds);
  return [...new Set(texts)].slice(0, MAX_COMPOUNDS).map((text) => {
    const names = (kind: RegExp) => [...new Set([...text.matchAll(kind)].map(([, name = '']) => name))];
    const [tag = '*'] = /^[\w-]+/.exec(text) ?? [];
    return { tag: tag.toLowerCase(), classes: names(/\.([\w-]+)/g), ids: names(/#([\w-]+)/g) };
  });
}

/** The last compound of each selector in a list, without what is in brackets. */
function lastCompounds(selectors: string): readonly string[] {
  const found: string[] = [];
  let last = '';
  let depth = 0;
  let isOver = false;
  for (const character of selectors) {
    if (character === ')' || character === ']') depth = Math.max(0, depth - 1);
    else if (character === '(' || character === '[') {
      if (depth === 0 && isOver) last = '';
      if (depth === 0) isOver = false;
      depth += 1;
    } else if (depth > 0) continue;
    else if (character === ',') {
      found.push(last);
      last = '';
    } else if (/[\s>+~]/.test(character)) isOver = true;
    else {
      last = isOver ? character : last + character;
      isOver = false;
    }
  }
  return [...found, last];
}

/** Whether a selector may match, judged by its last compound only. */
function mayMatch(
  { tag, classes, ids }: Compound,
  { name, attributes }: HtmlElement,
  own: ReadonlySet<string>,
): boolean {
  if (tag !== '*' && tag !== name) return false;
  return classes.every((each) => own.has(each)) && ids.every((each) => attributes.get('id') === each);
}
