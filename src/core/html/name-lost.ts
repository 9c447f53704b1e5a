// Warns of each property of a style that is not drawn as it is written.

import { SIDES } from './shorthands.ts';
import type { Style } from './style.ts';
import { REPLACED } from './user-agent.ts';

/** Properties that are known, and not drawn unless they have one of these values. */
const NOT_DRAWN: Readonly<Record<string, RegExp>> = {
  zoom: /^(normal|1|100%)$/,
  'background-attachment': /^(scroll|local)(,\s?(scroll|local)){0,99}$/,
  'font-stretch': /^(normal|100%)$/,
  'align-items': /^(?!last)/,
  'align-self': /^(?!last)/,
  'corner-shape': /^(round\s?){1,4}$/,
  contain: /^(none|((layout|style)\s?){1,2})$/,
  'content-visibility': /^(visible|auto)$/,
  'image-orientation': /^from-image$/,
  ...{ 'text-underline-position': /^auto$/, 'hyphenate-character': /^auto$/ },
  perspective: /(^|\s)(none|0|0px)(\s|$)/,
  ...Object.fromEntries(
    `shape-outside text-emphasis text-emphasis-style initial-letter font-size-adjust font-variant-position
    font-variant-alternates text-box text-box-trim offset-path object-view-box -webkit-box-reflect`
      .split(/\s+/)
      .map((name) => [name, /^(none|normal)$/]),
  ),
  position: /^(static|relative|absolute|fixed|(-webkit-)?sticky)$/,
  'writing-mode': /^horizontal-tb$/,
  'background-blend-mode': /^normal$/,
};

/** Units of a face, which no style knows: parts of the font size stand for them. */
const OF_FACE = /\dr?(?:ch|ex|cap|ic)\b/;
const SIZES = 'width min-width max-width height min-height max-height text-indent letter-spacing'.split(' ');
/** Which words in a line do not have. */
const OF_BOXES = 'filter backdrop-filter mix-blend-mode clip-path mask-image border-image border-image-source'.split(
  ' ',
);

/** Names what a style asks for and does not get. */
export function nameLost(style: Style): void {
  for (const property of SIZES)
    if (style.declares(property) && OF_FACE.test(style.get(property))) style.lost(property, style.get(property));
  for (const [property, drawn] of Object.entries(NOT_DRAWN)) {
    if (style.declares(property) && !drawn.test(style.word(property))) style.lost(property, style.get(property));
  }
  for (const side of SIDES) {
    const line = style.word(`border-${side}-style`);
    if (/^(groove|ridge)$/.test(line) && style.element.name !== 'fieldset') style.lost(`border-${side}-style`, line);
  }
  const [across, down] = [style.word('overflow-x'), style.word('overflow-y')];
  if (across !== down && [across, down].includes('clip') && [across, down].includes('visible'))
    style.lost('overflow', `${across} ${down}`);
  const isOwnShadow = style.declares('text-shadow') && style.get('text-shadow') !== style.parent?.get('text-shadow');
  if (isOwnShadow && style.word('display') === 'inline') style.lost('text-shadow', 'of some words of a line');
  const { name, attributes } = style.element;
  const type = attributes.get('type')?.toLowerCase() ?? '';
  if (name === 'input' && /^(date|time|datetime-local|month|week|file)$/.test(type) && !attributes.get('value'))
    style.lost('appearance', `auto of <input type=${type}>`);
  if (name === 'select' && (attributes.has('multiple') || Number(attributes.get('size')) > 1))
    style.lost('appearance', 'auto of <select> of several rows');
  const animation = `${style.get('animation')} ${style.get('animation-fill-mode')}`.trim();
  if (/\b(forwards|both)\b/i.test(animation)) style.lost('animation', animation);
  if (name === 'ruby') style.lost('display', 'ruby');
  if (style.word('visibility') === 'collapse' && /^table-/.test(style.word('display')))
    style.lost('visibility', 'collapse of a row or column');
  if (!style.isInLine || REPLACED.test(style.element.name)) return;
  const align = style.word('vertical-align');
  if (/^(top|bottom|text-top|text-bottom)$/.test(align)) style.lost('vertical-align', `${align} of an inline element`);
  if (!/^(|none|0|0px)$/.test(style.word('outline-style'))) style.lost('outline', 'of an inline element');
  for (const name of OF_BOXES) if (!/^(|none|normal)$/.test(style.word(name))) style.lost(name, 'of an inline element');
  if (style.word('box-decoration-break') === 'clone') style.lost('box-decoration-break', 'clone of an inline element');
}
