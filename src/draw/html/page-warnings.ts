// Warns about constructs that are drawn differently from what a page's author may expect. They are not errors, and
// depend on more than the source text shows.

import type { Diagnostic } from '#core/diagnostics.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';
import { StyleGuess } from './style-guess.ts';

/** Most warnings of each kind. */
const MAX_WARNINGS = 5;

const SIZES = /^(width|height|inline-size|block-size|aspect-ratio|all)$/;

export function pageWarnings(page: readonly HtmlNode[], css: string): readonly Diagnostic[] {
  const elements = [...elementsOf(page)];
  const styles = new StyleGuess(page, css);
  const unsized = elements.filter(
    (element) => element.name === 'img' && element.attributes.get('src')?.trim() && !styles.says(element, SIZES),
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
        warning(element, 'the attribute tw (Tailwind CSS) was ignored; set "tailwind": true in the template.'),
      ),
  ];
}

/** A warning about one element of the page. */
export function warning({ line, attributes }: HtmlElement, sentence: string): Diagnostic {
  return {
    code: 'unknown-property',
    layer: attributes.get('data-layer') ?? null,
    message: `html, line ${line}: ${sentence}`,
  };
}
