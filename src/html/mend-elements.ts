// Sets declarations on elements whose computed values satori reads otherwise than browsers: shadows with `calc()`, and
// the least width of pictures in flexbox.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import { foldCalc } from './calc.ts';
import { Cascade } from './cascade.ts';
import { warning } from './page-warnings.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';
import { setDeclaration } from './style-attribute.ts';

const OF_INTEREST = /^(box-shadow|display|width|max-width|min-width|flex-direction|flex-flow)$/;

/** Most warnings. */
const MAX_WARNINGS = 5;

/**
 * Changes the elements of the page in place.
 *
 * @returns a warning for each that is drawn otherwise and cannot be helped
 */
export function mendElements(page: readonly HtmlNode[], css: string, canvas: Size): readonly Diagnostic[] {
  const elements = [...elementsOf(page)];
  const texts = [
    css,
    ...elements.map(({ name, attributes, children }) =>
      name === 'style' ? children.join('') : (attributes.get('style') ?? ''),
    ),
  ];
  const says = (what: RegExp) => texts.some((text) => what.test(text));
  const pictures = says(/\bflex\b/i) ? elements.filter(({ name }) => name === 'img') : [];
  const shadowed = says(/box-shadow/i) && says(/\bcalc\(/i) ? elements : [];
  const narrow = says(/\bwidth\s*:\s*min-content/i) ? elements : [];
  if (pictures.length + shadowed.length + narrow.length === 0) return [];
  const expand = (property: string, value: string) =>
    OF_INTEREST.test(property) ? ([[property, value]] as const) : [];
  const cascade = new Cascade(page, css, canvas, expand, 'ignore');
  for (const element of shadowed) {
    const shadow = cascade.declared(element, 'box-shadow');
    if (shadow?.includes('calc(')) {
      setDeclaration(element.attributes, 'box-shadow', `${foldCalc(shadow)} !important`);
    }
  }
  for (const element of pictures) {
    const least = leastWidth(element, cascade);
    if (least !== null) setDeclaration(element.attributes, 'min-width', least);
  }
  const low = narrow.filter(
    (element) =>
      /^min-content$/i.test(cascade.declared(element, 'width') ?? '') && flexOf(element, cascade) === 'column',
  );
  const sentence = 'in a column of flexbox, width: min-content makes it as high as one line; give it a width in px.';
  return low.slice(0, MAX_WARNINGS).map((element) => warning(element, sentence));
}

/** The direction of the flexbox that an element stands in; null = it stands in none. */
function flexOf(element: HtmlElement, cascade: Cascade): 'row' | 'column' | null {
  const parent = cascade.parentOf(element);
  if (!parent || !/^(inline-)?flex$/i.test(cascade.declared(parent, 'display') ?? '')) return null;
  const said = ['flex-direction', 'flex-flow'].map((property) => cascade.declared(parent, property) ?? '');
  return /column/i.test(said.join(' ')) ? 'column' : 'row';
}

/** The automatic minimum of a picture in a row (CSS Flexbox 1 §4.5): the width that it is given. Satori has none. */
function leastWidth(element: HtmlElement, cascade: Cascade): string | null {
  if (flexOf(element, cascade) !== 'row') return null;
  if (!/^(auto)?$/i.test(cascade.declared(element, 'min-width') ?? '')) return null;
  const width = cascade.declared(element, 'width');
  if (width === null || !/\d/.test(width) || width.includes('%')) return null;
  const most = cascade.declared(element, 'max-width');
  return most !== null && /\d/.test(most) && !most.includes('%') ? `min(${width}, ${most})` : width;
}
