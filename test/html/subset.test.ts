import { expect, test } from 'vitest';
import { parseHtml } from '#html/parse-html.ts';
import { checkPage } from '#html/subset.ts';

const MEND = 'cannot be drawn with renderer "satori"; change it, or use renderer "chromium".';

function refuses(name: string, html: string, message: string, css = ''): void {
  test(`${name} is refused by name`, () => expect(() => checkPage(parseHtml(html), css)).toThrow(`${message} ${MEND}`));
}
function accepts(name: string, html: string, css = ''): void {
  test(`${name} is accepted`, () => expect(() => checkPage(parseHtml(html), css)).not.toThrow());
}

for (const element of [
  'table',
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
  'mask-image',
  '-webkit-mask',
  'backdrop-filter',
  'border-image',
  'perspective',
  'font-feature-settings',
  'font-variant',
  'font-stretch',
  'shape-outside',
  'unicode-bidi',
  'initial-letter',
  'zoom',
  'background-blend-mode',
  'nonsense',
]) {
  refuses(property, '<p>', `css, line 3: the property ${property}`, `p {\n color: red;\n ${property}: x }`);
}
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
