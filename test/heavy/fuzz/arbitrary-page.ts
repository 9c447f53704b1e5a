// Generates random html templates that are drawn without a browser: nested elements with styles from lists of CSS
// properties, with values in range and out of range, and markup that is unclosed or unknown.

import fc from 'fast-check';
import { OUTPUTS } from '#draw/output/formats.ts';
import { CASES } from '../../golden/cases.ts';
import type { FuzzCase } from './arbitrary-template.ts';

const often = <T>(common: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 12, arbitrary: common }, ...others);
const length = often(
  fc.constantFrom('0', '1px', '12px', '50%', '2em', 'auto', '1.5rem', '80px'),
  fc.constantFrom('-5px', '1e9px', 'calc(100% - 7px)', '3vw', 'min-content', '0.001px', 'x'),
);
const color = fc.constantFrom(
  '#f00',
  '#00f8',
  'rgb(1 2 3 / 50%)',
  'transparent',
  'currentColor',
  'oklch(0.6 0.2 30)',
  '-',
);
const words = fc.oneof(
  fc.constantFrom(
    'Plate',
    'one two three four five',
    'سلام 12',
    'क्षत्रिय',
    '漢字かな',
    '👩🏽‍🚀😀',
    '\u202ea',
    '&amp;&lt;&bogus;',
    ' ',
    '',
  ),
  fc
    .tuple(fc.constantFrom('a', 'word ', '😀', 'ب'), fc.integer({ min: 1, max: 400 }))
    .map(([unit, n]) => unit.repeat(n)),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const picture = fc.constantFrom(
  'photo.jpg',
  'logo.png',
  'drawing.svg',
  'anim.gif',
  'broken.png',
  'missing',
  'data:image/png;base64,AAAA',
);

const STYLES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  display: fc.constantFrom('flex', 'block', 'none', 'inline', 'grid', 'contents'),
  position: fc.constantFrom('relative', 'absolute', 'static', 'fixed'),
  'flex-direction': fc.constantFrom('row', 'column', 'row-reverse', 'column-reverse'),
  'flex-wrap': fc.constantFrom('wrap', 'nowrap', 'wrap-reverse'),
  'align-items': fc.constantFrom('center', 'stretch', 'flex-end', 'baseline'),
  'justify-content': fc.constantFrom('center', 'space-between', 'space-around', 'flex-end'),
  flex: fc.constantFrom('1', '1 1 0', 'none', '0 0 40px', '-1'),
  gap: length,
  width: length,
  height: length,
  'max-width': length,
  margin: length,
  padding: length,
  top: length,
  left: length,
  overflow: fc.constantFrom('hidden', 'visible', 'scroll'),
  color,
  background: fc.oneof(
    color,
    fc.constantFrom(
      'linear-gradient(30deg,#f00,#0f08 40%,#00f)',
      'radial-gradient(circle at 30% 40%,#ff0,#08f 60%,#000)',
      'repeating-linear-gradient(45deg,#222 0 6px,#fc0 6px 14px)',
      'linear-gradient(#f00)',
      'conic-gradient(#f00,#00f)',
    ),
    picture.map((source) => `url(${source}) 0 0/24px 24px`),
  ),
  border: fc.constantFrom('1px solid #000', '400px solid red', 'none', '3px dashed #0008', '2px wavy'),
  'border-radius': length,
  'box-shadow': fc.constantFrom('0 4px 12px #0008', 'inset 0 0 9px red', '0 0 1e6px #000', '1px 2px'),
  'text-shadow': fc.constantFrom('1px 1px 2px red', '0 0 500px #000'),
  opacity: fc.constantFrom('0', '0.5', '1', '7', '-1'),
  transform: fc.constantFrom(
    'rotate(30deg)',
    'scale(0)',
    'translate(50%,-9px) skewX(80deg)',
    'scale(1e9)',
    'matrix(1)',
  ),
  filter: fc.constantFrom('blur(3px)', 'grayscale(1)', 'blur(900px)'),
  'clip-path': fc.constantFrom('circle(20px)', 'polygon(0 0,100% 0,50% 100%)', 'inset(5px)'),
  font: fc.constantFrom('16px Inter', 'italic 800 22px Inter', '0 Inter', '900px serif', 'x'),
  'font-size': length,
  'font-family': fc.constantFrom('Inter', 'Noto Sans Arabic', 'Unknown, serif', ''),
  'line-height': fc.constantFrom('1', '0', '2.5', '-1', '1e6'),
  'letter-spacing': length,
  'text-align': fc.constantFrom('left', 'center', 'right', 'justify'),
  'text-overflow': fc.constantFrom('ellipsis', 'clip'),
  'white-space': fc.constantFrom('normal', 'nowrap', 'pre', 'pre-wrap'),
  'word-break': fc.constantFrom('normal', 'break-all', 'break-word'),
  'text-transform': fc.constantFrom('uppercase', 'capitalize'),
  'text-decoration': fc.constantFrom('underline', 'line-through dotted red'),
  'line-clamp': fc.constantFrom('1', '0', '99'),
  'object-fit': fc.constantFrom('cover', 'contain', 'fill'),
  unknown: fc.constantFrom('1'),
};

/** A declaration; few per element, as a page beyond satori's subset is refused before layout. */
const declaration = fc
  .constantFrom(...Object.keys(STYLES))
  .chain((name) => (STYLES[name] ?? fc.constant('')).map((value) => `${name}:${value}`));
const style = fc.array(declaration, { maxLength: 3 }).map((all) => ['display:flex', ...all].join(';'));

const LAYERS = ['title', 'photo', 'box'];
const TAGS = ['div', 'div', 'div', 'p', 'span', 'b', 'h1', 'ul', 'li', 'a', 'section'];
const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc.tuple(picture, style).map(([src, css]) => `<img src="${src}" width="30" height="20" style="${css}">`),
    fc
      .tuple(
        fc.constantFrom(...TAGS),
        style,
        fc.option(fc.constantFrom(...LAYERS)),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(([tag, css, layer, inner]) => {
        const named = layer === null ? '' : ` data-layer="${layer}"`;
        return `<${tag}${named} style="${css}">${inner.join('')}</${tag}>`;
      }),
    fc.constantFrom('<br>', '<hr>', '<svg viewBox="0 0 9 9"><path d="M0 0L9 9"/></svg>'),
    // Rare, as a page that is not well-formed is refused at once.
    often(fc.constant('word'), fc.constantFrom('<p>open', '</div>', '<x-y>', '<!-- a')),
  ),
}));

const made = fc.record({
  name: fc.constant('Fuzz'),
  width: fc.integer({ min: 1, max: 300 }),
  height: fc.integer({ min: 1, max: 300 }),
  engine: fc.constant('html'),
  renderer: fc.constant('satori'),
  html: fc.array(node, { minLength: 1, maxLength: 4 }).map((nodes) => nodes.join('') || ' '),
  css: often(
    fc.constant(''),
    fc
      .tuple(fc.constantFrom('body', 'p', '.a > b', 'div:first-child', '@media print'), style)
      .map(([of, css]) => `${of}{${css}}`),
  ),
});
const fixture = fc.constantFrom(
  ...CASES.map(({ template }) => template).filter((template) =>
    JSON.stringify(template).includes('"renderer":"satori"'),
  ),
);

const value = fc.oneof(
  words,
  fc.integer(),
  fc.record({ text: words, style: fc.record({ color, width: length }), hidden: fc.boolean() }, { requiredKeys: [] }),
);

/** A random page that is drawn without a browser. */
export const anyPage: fc.Arbitrary<FuzzCase> = fc.record({
  template: fc.oneof({ weight: 6, arbitrary: made }, { weight: 1, arbitrary: fixture }),
  modifications: fc.dictionary(fc.constantFrom('nobody', '__proto__', ...LAYERS), value, { maxKeys: 2 }),
  output: fc.constantFrom(...OUTPUTS),
  scale: fc.constantFrom(1, 1, 1, 0.1, 0.37, 2, 3),
});
