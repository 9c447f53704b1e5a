import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { urlsOf } from '#core/css/css-text.ts';
import { beyondSatori } from '#draw/html/beyond-satori.ts';
import { parsePage } from '#draw/html/parse-html.ts';
import { satoriTree } from '#draw/html/satori-tree.ts';
import { checkPage } from '#draw/html/subset.ts';

const pageOf = (html: string) => parsePage(html).html;

const TEMPLATE = { tailwind: false, width: 400, height: 300 };
const MEND = 'cannot be drawn with renderer "satori"; change it, or use renderer "chromium".';

function refuses(name: string, html: string, message: string, css = ''): void {
  test(`${name} is refused by name`, () => expect(() => checkPage(pageOf(html), css)).toThrow(`${message} ${MEND}`));
}
function accepts(name: string, html: string, css = ''): void {
  test(`${name} is accepted`, () => expect(checkPage(pageOf(html), css)).toEqual([]));
}

for (const element of [
  'iframe',
  'video',
  'audio',
  'canvas',
  'object',
  'math',
  'marquee',
  'progress',
  'ruby',
  'noscript',
  'fieldset',
]) {
  refuses(`<${element}>`, `<p>\n</p><${element}></${element}>`, `html, line 2: <${element}>`);
}
refuses('<embed>', '<embed>', 'html, line 1: <embed>');
refuses(
  'a linked style sheet',
  '<link rel=stylesheet href=a.css>',
  'html, line 1: <link rel="stylesheet"> (put its rules into css)',
);
refuses('text in a drawing', '<svg>\n<text>x</text></svg>', 'html, line 2: <text> inside <svg>');
for (const property of [
  'columns',
  'column-count',
  'writing-mode',
  'border-image',
  'perspective',
  'shape-outside',
  'unicode-bidi',
  'initial-letter',
  'zoom',
]) {
  refuses(property, '<p>', `css, line 3: the property ${property}`, `p {\n color: red;\n ${property}: x }`);
}
test.each([
  ['nonsense: 1', '"nonsense" is not a CSS property'],
  ['bakground: red', '"bakground" is not a CSS property; did you mean "background"?'],
  ['-webkit-box-reflect: below', '"-webkit-box-reflect" is not a property that renderer "satori" knows'],
  ['mix-blend-mode: plus-darker', 'mix-blend-mode: "plus-darker" is not a CSS value'],
  ['display: blok', 'display: "blok" is not a CSS value; did you mean "block"?'],
  ['width: 10pxx', 'width: "10pxx" has no CSS unit'],
])('%s, which browsers ignore, is warned of', (declaration, message) => {
  const [warning, ...others] = checkPage(pageOf('<p>'), `p { ${declaration} }`);
  expect([warning?.message.replace(/\.$/, ''), others]).toEqual([
    `css, line 1: ${message}${message.endsWith('?') ? '' : '.'} Browsers ignore that, and it was left out`,
    [],
  ]);
});
test('one warning names several words that browsers ignore', () => {
  const messages = checkPage(pageOf('<p style="colr:red"><i style="-x-y:1"></i>'), 'i{width:1.5e1px;color:grene}');
  expect(messages.map(({ message }) => message)).toEqual([
    'html, line 1: "colr" is not a CSS property; did you mean "color"?; html, line 1: "-x-y" is not a property that renderer "satori" knows; css, line 1: color: "grene" is not a color. Browsers ignore that, and it was left out.',
  ]);
});
refuses('plus-lighter', '<p style="mix-blend-mode:plus-lighter">', 'html, line 1: mix-blend-mode: plus-lighter');
refuses(
  'a property in a style attribute',
  '<b>\n<i style="color:red; columns: 2"></i></b>',
  'html, line 2: the property columns',
);
refuses(
  'a property in a style element',
  '<p>\n<style>\n.a { writing-mode: tb }</style>',
  'html, line 3: the property writing-mode',
);
refuses('a table of CSS', '<p style="display:table-cell">', 'html, line 1: display: table-cell');
refuses('image-set()', '<p>', 'css, line 1: background: image-set("a.png" 1x)', 'p{background:image-set("a.png" 1x)}');
refuses('a filter by address', '<p style="filter:url(#f)">', 'html, line 1: filter: url(#f)');
for (const rule of ['@font-face', '@import', '@namespace', '@counter-style', '@scope', '@starting-style']) {
  refuses(rule, '<p>', `css, line 1: ${rule}`, rule === '@import' ? '@import "a.css";' : `${rule} {}`);
}
for (const pseudo of ['::first-line', '::first-letter', '::marker']) {
  refuses(pseudo, '<p>', `css, line 2: ${pseudo}`, `\np${pseudo} { color: red }`);
}
accepts(
  'what a still picture does not show',
  '<p style="cursor:pointer;transition:color 1s">',
  '.a{animation:x 1s;-webkit-font-smoothing:antialiased;will-change:transform;user-select:none}',
);
accepts(
  'flexbox, grid, variables and calc()',
  '<div style="display:grid;gap:calc(1px + 1em);--x:1"><b style="z-index:2;position:sticky;float:left"></b></div>',
  ':root{--a:1px}@media (min-width:1px){.a:not(.b)>i::before{content:"{x:y;}";width:var(--a)}}',
);
accepts(
  'braces and semicolons in strings, comments and addresses',
  '<p>',
  'p{content:"; columns: 2}";/* ; columns: 2 */background:url(data:image/png;base64,aa==)}',
);

for (const [declaration, color] of [
  ['color: grene', 'grene'],
  ['background-color: #12345', '#12345'],
  ['border-left-color: rgb(1, 2)', 'rgb(1, 2)'],
  ['border-color: red blue nonsense', 'nonsense'],
  ['-webkit-text-fill-color: 7px solid', 'solid'],
  ['box-shadow: inset 0 1px 2px #00g', '#00g'],
  ['text-shadow: 0 0 1px rgba(0,0,0,.5), 0 0 2px blak', 'blak'],
  ['-webkit-text-stroke: 1px blak', 'blak'],
  ['background: no-repeat linear-gradient(to right, red, whit 50%)', 'whit'],
  ['background-image: url(a.png), radial-gradient(circle at 50% top, rgb(0 0 0 / .5), #ggg)', '#ggg'],
] as const) {
  const [property = ''] = declaration.split(':');
  test(`${declaration} is warned of`, () => {
    const [warning] = checkPage(pageOf('<p>'), `p { ${declaration} !important }`);
    expect(warning?.message).toBe(
      `css, line 1: ${property}: ${JSON.stringify(color)} is not a color. Browsers ignore that, and it was left out.`,
    );
  });
}
refuses('a color of the system', '<p>', 'css, line 1: outline-color: ButtonFace', 'p{outline-color: ButtonFace}');
for (const declaration of [
  'color: currentColor',
  'color: inherit',
  'color: TRANSPARENT',
  'color: rgb(none 0 0 / 50%)',
  'color: oklch(70% .1 200deg)',
  'color: color-mix(in srgb, red 20%, blue)',
  'color: light-dark(red, blue)',
  'color: rgb(from red r g b)',
  'color: rgb(calc(1 + 2) 0 0)',
  'color: var(--brand, #fff)',
  'border-color: red #0000 hsl(1turn 50% 50%)',
  'box-shadow: inset 0 1px .5em -2px rgb(0 0 0 / .5), 0 0 0 1px CurrentColor',
  'box-shadow: none',
  '-webkit-text-stroke: thin #f00',
  'background: url("red wine.png") center / cover no-repeat, linear-gradient(45deg in oklab longer hue, red 0 10px, var(--b) 50%)',
  'background-image: repeating-radial-gradient(farthest-corner at left 10px, rgba(0,0,0,.1), transparent)',
  'background-image: conic-gradient(from 45deg at center, red, color-mix(in lab, red, blue) 90deg)',
  'list-style: square inside',
  'content: "a; linear-gradient(nonsense)"',
]) {
  accepts(declaration, '<p>', `p { ${declaration} }`);
}

const MANY = 100_000;
const spaces = ' '.repeat(MANY);
for (const [name, declaration] of Object.entries({
  'white space in a value': `width:1${spaces}1`,
  'white space in an address': `background:url(${spaces}"`,
  'digits in a color': `color:rgb(${'1'.repeat(MANY)})`,
  'gradients that never end': `background:${'repeating-radial-gradient(circle '.repeat(MANY / 25)}`,
  'brackets beside an address': `background:url(a.svg)${')'.repeat(MANY)}`,
  'white space before a declaration': `${spaces}${spaces}width:1px`,
})) {
  test(`${name}, many of them, are read in linear time`, () => {
    const started = timeWorked();
    const page = pageOf(`<p style='${declaration}'>x</p>`);
    for (const read of [
      () => checkPage(page, ''),
      () => checkPage(pageOf(''), `p{${declaration}`),
      () => beyondSatori(page, `p{${declaration}`, TEMPLATE),
      () => satoriTree(page, declaration, new Map()),
      () => urlsOf(declaration),
    ]) {
      try {
        read();
      } catch {}
    }
    // Some 50 ms, where quadratic time would be half a minute.
    expect(timeWorked() - started).toBeLessThan(8_000);
  });
}
test.each([
  ['<p style="mask-image:linear-gradient(red,#0000)">', '', 'html, line 1: mask-image is'],
  ['<p>', 'p{\n-webkit-mask:url(a.png)}', 'css, line 2: -webkit-mask is'],
  ['<p>', 'p{font-feature-settings:"tnum"}', 'css, line 1: font-feature-settings is'],
  ['<p style="font:small-caps 9px Inter">', '', 'html, line 1: font is'],
  ['<style>\np{image-rendering:pixelated}</style>', '', 'html, line 2: image-rendering is'],
  ['<svg></svg>', 'path{fill:red}', 'css, line 1: fill is'],
  ['<div style="fill:red"><svg></svg></div>', '', 'html, line 1: fill is'],
  ['<svg><path style="fill:red"/></svg>', '', 'html, line 1: fill is'],
  ['<svg><path fill="red"/></svg>', '', null],
  ['<p>', 'path{fill:red}', null],
  ['<p>', 'p{background:radial-gradient(red 1em, blue)}', 'css, line 1: background is'],
  ['<p>', 'p{--a:repeating-radial-gradient(circle, red, blue 20%)}', 'css, line 1: --a is'],
  ['<p>', 'p{background:radial-gradient(red 10%, blue)}', null],
  ['<img style="object-fit:none">', '', 'html, line 1: object-fit is'],
  ['<img style="object-position:right 5px top 5px">', '', 'html, line 1: object-position is'],
  ['<img style="object-position:10.5% 0">', '', 'html, line 1: object-position is'],
  ['<img style="object-position:10.5% top">', '', null],
  ['<p style="opacity:50%">', '', 'html, line 1: opacity is'],
  ['<p style="text-wrap:nowrap">', '', 'html, line 1: text-wrap is'],
  ['<p style="transform-origin:0">', '', 'html, line 1: transform-origin is'],
  ['<p style="filter:blur(calc(1px + 2px))">', '', 'html, line 1: filter is'],
  ['<p style="width:calc(1px + 2px)">', '', null],
  ['<img style="aspect-ratio:2;object-fit:cover">', '', 'css: aspect-ratio with object-fit is'],
  ['<p>a<br>b\n<q>c</q>', '', 'html, line 2: <q> is'],
  ['<body bgcolor="red">', '', 'html, line 1: the attribute bgcolor is'],
  ['<html lang="en"><p lang="en">a', '', null],
  ['<html lang="en"><p lang="ja">a', '', 'html, line 1: another language is'],
  ['<p>a <b>b</b>', '', null],
  ['<h1>a <b>b</b>', '', 'html, line 1: <b> in text that is not of weight 400 is'],
  ['<p>a <b>b</b>', 'p{font:300 9px Inter}', 'html, line 1: <b> in text that is not of weight 400 is'],
  ['<p>a', 'p{box-shadow:0 0 9px #000}', null],
  ['<div><p>a', 'div{overflow:hidden}p{box-shadow:0 0 9px #000}', 'html, line 1: box-shadow inside overflow is'],
  ['<p>a', ':root{--s:inset 0 0 9px}p{box-shadow:var(--s)}', 'css, line 1: --s is'],
  ['<p>a', 'p{line-height:9px;font-size:9px}', null],
  ['<div><p>a', 'div{line-height:9px}p{font-size:9px}', 'html, line 1: an inherited line-height with a unit is'],
  ['<div><p>a', 'div{line-height:1.2}p{font-size:9px}', null],
  ['<p>a', 'p{text-shadow:0 0 9px red}', null],
  [
    '<p>a',
    'p{text-shadow:0 0 9px red;color:#0008}',
    'html, line 1: text-shadow of translucent letters, or of a part of a text, is',
  ],
  ['<p>a <i>b</i>', 'p{text-overflow:ellipsis}', 'html, line 1: an element in text that is cut by an ellipsis is'],
  ['<p>a', 'p{line-clamp:2}', null],
  ['<img src="a.png">', '', 'html, line 1: <img> without a size is'],
  ['<img src="a.png" class="a">', '.a{width:9px}', null],
  ['<div style="display:flex"><svg width="9"></svg></div>', '', 'html, line 1: <svg> that flexbox stretches is'],
  ['<div style="display:flex;align-items:center"><svg width="9"></svg></div>', '', null],
  [
    '<div style="display:flex"><img src="a.png" style="width:9px;height:9px"></div>',
    '',
    'html, line 1: <img> of a width in a row of flexbox is',
  ],
  ['<div style="display:flex;flex-direction:column"><img src="a.png" style="width:9px;height:9px"></div>', '', null],
  ['<p>', 'p{background:url(a.png)}', null],
  ['<p>', 'p{background:url(a.svg)}', 'css, line 1: background is'],
  ['<p style="color:red!important">', '', null],
  [
    '<p style="color:red!important">',
    'p{color:blue!important}',
    'css: !important in both style sheets and style attributes is',
  ],
  ['<p>a', 'body{margin:9px}', null],
  ['<p>a', 'body{margin:0;background:red;width:400px;height:300px}', null],
  ['<p>a', 'body{margin:9px;background:red}', 'css: a background of a body that does not fill the canvas is'],
  ['<p>a', 'html{background:red}body{margin:9px}', null],
  ['<p style="mask:none;font-variant:normal;image-rendering:auto">', '', null],
])('%s with %s: what satori does not draw', (html, css, reason) => {
  expect(beyondSatori(pageOf(html), css, TEMPLATE)).toBe(reason);
});
test('classes of Tailwind are not satori’s', () => {
  expect(beyondSatori(pageOf(''), '', { ...TEMPLATE, tailwind: true })).toContain('Tailwind');
});
