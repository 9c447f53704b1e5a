// Fills a parsed page with the layers' values: as text, attributes and CSS values.
//
// Changes the tree in place. Nothing is parsed here, so no value can become markup. It does the same to this tree as
// server/chromium/page-scripts.ts does in a browser.

import { withoutImportant } from '#core/css/css-text.ts';
import { allElements } from '#core/css/selectors.ts';
import type { LayerValues } from '#core/resolve/resolve-html.ts';
import type { HtmlElement, HtmlNode } from './parse-html.ts';
import { declarationOf, setDeclaration } from './style-attribute.ts';

/** Elements whose text is code or a document, which cannot be layers. */
const CODE = /^(script|style|iframe|object|embed|link|meta|base|template|noscript|xmp|plaintext|frame|frameset)$/i;

/** @returns the names of all layers in the page */
export function fillLayers(page: readonly HtmlNode[], fills: readonly LayerValues[]): string[] {
  const layers = allElements(page).filter(({ name, attributes }) => attributes.has('data-layer') && !CODE.test(name));
  const names = layers.map(({ attributes }) => attributes.get('data-layer') ?? '');
  for (const fill of fills) {
    for (const [index, element] of layers.entries()) if (names[index] === fill.name) fillElement(element, fill);
  }
  return [...new Set(names)];
}

function fillElement(element: HtmlElement, { value, text, src, href, style, hidden }: LayerValues): void {
  const { name, attributes } = element;
  const isImage = name === 'img' || name === 'image';
  const source = src ?? (isImage ? value : undefined);
  const words = text ?? (isImage ? undefined : value);
  if (words !== undefined) element.children = [words];
  if (source !== undefined && isImage) {
    attributes.delete('srcset');
    attributes.set(name === 'image' ? 'href' : 'src', source);
  }
  if (href !== undefined && name === 'a') attributes.set('href', href);
  for (const [property, wish] of Object.entries(style ?? {})) setDeclaration(attributes, property, wish);
  if (hidden === true) setDeclaration(attributes, 'display', 'none !important');
  else if (hidden === false) {
    attributes.delete('hidden');
    if (/^none$/i.test(withoutImportant(declarationOf(attributes, 'display') ?? '')))
      setDeclaration(attributes, 'display', null);
  }
}
