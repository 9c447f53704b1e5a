// What of a page is drawn otherwise than its author may expect, told of as warnings: it is no mistake, and depends on
// more than its words show.

import type { Diagnostic } from '#core/diagnostics.ts';
import { type Declaration, readDeclarations, readStyleSheet } from './css-text.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';

/** Of each kind. */
const MAX_WARNINGS = 5;

const SIZES = /^(width|height|inline-size|block-size|aspect-ratio|all)$/;

export function pageWarnings(page: readonly HtmlNode[], css: string): readonly Diagnostic[] {
  const elements = [...elementsOf(page)];
  const sheets = [css, ...elements.filter(({ name }) => name === 'style').map(({ children }) => children.join(''))];
  const rules = sheets
    .flatMap((sheet) => readStyleSheet(sheet).declarations)
    .filter(({ property }) => SIZES.test(property));
  const unsized = elements.filter(
    (element) => element.name === 'img' && element.attributes.get('src')?.trim() && !isSized(element, rules),
  );
  const tailwind = elements.filter(({ attributes }) => attributes.has('tw'));
  return [
    ...unsized
      .slice(0, MAX_WARNINGS)
      .map((element) =>
        warning(element, '<img> has no width and no height, and is as wide as what it stands in; give it one of them.'),
      ),
    ...tailwind
      .slice(0, MAX_WARNINGS)
      .map((element) =>
        warning(element, 'the attribute tw (Tailwind CSS) was ignored; write the same as style or css.'),
      ),
  ];
}

function warning({ line, attributes }: HtmlElement, sentence: string): Diagnostic {
  return {
    code: 'unknown-property',
    layer: attributes.get('data-layer') ?? null,
    message: `html, line ${line}: ${sentence}`,
  };
}

/** Whether an attribute, its style, or a rule that may be about the element says how wide or high it is. */
function isSized(element: HtmlElement, rules: readonly Declaration[]): boolean {
  const { attributes } = element;
  if (attributes.has('width') || attributes.has('height')) return true;
  const own = readDeclarations(attributes.get('style') ?? '');
  return [...own, ...rules.filter(({ selectors }) => mayMatch(selectors, element))].some(({ property }) =>
    SIZES.test(property),
  );
}

/** Whether one of the selectors may match, as far as its last part tells: what stands before it is not looked at. */
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
