// The cascade of a page: its style sheets and the `style` of its elements. Satori computes most properties; these are
// properties that it does not know.

import { AppError } from '#base/errors.ts';
import { type CascadeOptions, Cascade as CssCascade, type Expand } from '#core/css/cascade.ts';
import type { Size } from '#core/geometry.ts';
import { completePage, elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';

export class Cascade extends CssCascade<HtmlElement> {
  /**
   * @param expand the properties of interest that a declaration sets
   * @throws AppError `invalid_request` naming a rule that sets such a property in a way that is not supported
   */
  constructor(
    page: readonly HtmlNode[],
    css: string,
    canvas: Size,
    expand: Expand,
    unread: CascadeOptions['unread'] = 'refuse',
  ) {
    const sheets = [...elementsOf(page)].filter(({ name }) => name === 'style');
    const texts = [css, ...sheets.map(({ children }) => children.join(''))];
    super([completePage(page)[0]], texts, canvas, { expand, unread, refusal });
  }
}

function refusal(what: string): AppError {
  const message = `${what} cannot be drawn with renderer "satori"; change it, or use renderer "chromium".`;
  return new AppError('invalid_request', message);
}
