// Rewrites declarations that satori ignores, or reads otherwise than browsers, as others that mean the same, and leaves
// out those that browsers ignore.

import { foldCalc } from '#core/css/calc.ts';
import { mapDeclarations, withoutImportant } from '#core/css/css-text.ts';
import { elementsOf, type HtmlNode } from './parse-html.ts';
import { isIgnored } from './subset.ts';

const MENDED = /opacity\s*:\s*[\d.]+%|text-wrap(-mode)?\s*:\s*nowrap|transform-origin\s*:\s*-?[\d.]|\bcalc\(/i;
/** Properties whose `calc()` satori does not compute. */
const WITHOUT_CALC =
  /^(--|(backdrop-)?filter$|(box|text)-shadow$|opacity$|rotate$|scale$|transform$|background(-image)?$|mask(-image)?$)/;

/** Changes the page in place. @returns its style sheet */
export function mendPage(page: readonly HtmlNode[], css: string): string {
  for (const element of elementsOf(page)) {
    const style = element.attributes.get('style');
    if (style !== undefined) element.attributes.set('style', mendCss(style));
    if (element.name === 'style') element.children = [mendCss(element.children.join(''))];
  }
  return mendCss(css);
}

/** @param css a style sheet, or a `style` attribute */
function mendCss(css: string): string {
  const isMended = MENDED.test(css);
  return mapDeclarations(css, ({ property, value }) => {
    if (isIgnored({ property, value })) return [];
    if (!isMended) return null;
    const plain = withoutImportant(value);
    const mark = plain === value.trimEnd() ? '' : ' !important';
    if (property === 'opacity' && /^[\d.]+%$/.test(plain))
      return [[property, `${Number.parseFloat(plain) / 100}${mark}`]];
    if (property === 'transform-origin' && /^-?[\d.]+[a-z%]*$/i.test(plain)) return [[property, `${plain} 50%${mark}`]];
    if (/^text-wrap(-mode)?$/.test(property) && plain === 'nowrap') {
      return [
        [property, value],
        ['white-space', `nowrap${mark}`],
      ];
    }
    return WITHOUT_CALC.test(property) || /\binfinity\b/.test(value) ? [[property, foldCalc(value)]] : null;
  });
}
