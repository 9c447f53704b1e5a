// Pages on sheets of paper: sizes, margins, breaks, heads of tables, and boxes in the margins.
//
// A name that begins with that of a test shows what the test of web-platform-tests in css/CSS2/pagination, css/CSS2/page-box,
// css/css-page or css/css-break shows.

/** A sheet whose area is 260 by 160 px: eight lines. */
const CSS = '@page{size:300px 200px;margin:20px}html{font:16px/20px Inter}body{margin:0}p{margin:0}';

/** Lines by name: `a1`, `a2`, …. */
const LINES = (count: number, name = 'a') =>
  Array.from({ length: count }, (_, index) => `<div>${name}${index + 1}</div>`).join('');
/** The same as the lines of one paragraph. */
const TEXT = (count: number, name = 'a', style = '') =>
  `<p style="${style}">${Array.from({ length: count }, (_, index) => `${name}${index + 1}`).join('<br>')}</p>`;
const P = (text: string, style = '') => `<p style="${style}">${text}</p>`;
const SPACE = (lines: number) => `<div style="height:${lines * 20}px"></div>`;
const ROWS = (count: number, name = 'r') =>
  Array.from({ length: count }, (_, index) => `<tr><td>${name}${index + 1}`).join('');
const TABLE = (content: string, style = '') =>
  `<style>table{border-spacing:0}td,th{padding:0;text-align:left;font-weight:400}</style><table style="${style}">${content}</table>`;
const CORNERS = ['top-left-corner', 'top-right-corner', 'bottom-left-corner', 'bottom-right-corner'];
const EDGES = [
  ...['top-left', 'top-center', 'top-right', 'left-top', 'left-middle', 'left-bottom'],
  ...['right-top', 'right-middle', 'right-bottom', 'bottom-left', 'bottom-center', 'bottom-right'],
];
/** Margin boxes, with the initials of their names in them. */
const boxes = (names: readonly string[]) =>
  names.map((name) => `@${name}{content:"${name.replace(/(\w)\w*-?/g, '$1')}";font:9px/12px Inter}`).join('');

const FIXTURES_OF_BODY: Readonly<Record<string, string>> = {
  'one sheet': P('only'),
  'lines fill sheets': LINES(20),
  'a paragraph over sheets': TEXT(20),
  'margins at the ends of sheets': Array.from({ length: 9 }, (_, index) => P(`p${index}`, 'margin:10px 0')).join(''),
  'a margin at the top of the first sheet': P('first', 'margin-top:30px'),
  'padding and borders over sheets': `<section style="padding:10px;border:5px solid">${LINES(12)}</section>${P('after')}`,
  'box-decoration-break: clone': `<section style="padding:10px;border:5px solid;box-decoration-break:clone;-webkit-box-decoration-break:clone">${LINES(12)}</section>${P('after')}`,
  'a picture that does not fit': `${LINES(6)}<img src="data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="80"/>')}" style="display:block">${P('after')}`,
  'a picture higher than a sheet': `${LINES(2)}<img src="data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="250"/>')}" style="display:block">${P('after')}`,
  'an empty block over sheets': `${P('before')}<div style="height:400px"></div>${P('after')}`,
  'a float over sheets': `<div style="float:left;width:60px">${LINES(12, 'f')}</div>${LINES(4)}`,
  'columns of a flex box over sheets': `<div style="display:flex"><div style="width:80px">${LINES(12, 'a')}</div><div>${LINES(10, 'b')}</div></div>${P('after')}`,
  'a grid over sheets': `<div style="display:grid;grid-template-columns:80px 80px">${Array.from({ length: 24 }, (_, index) => `<div>g${index}</div>`).join('')}</div>${P('after')}`,
  'a list over sheets': `<ul style="margin:0">${Array.from({ length: 11 }, (_, index) => `<li>i${index}`).join('')}</ul>`,
  'fixed boxes are on each sheet': `<div style="position:fixed;right:0;bottom:0">fix</div>${LINES(10)}`,
  'an absolute box on the second sheet': `<div style="position:relative">${LINES(12)}<div style="position:absolute;bottom:0;right:0">abs</div></div>`,
  'absolute boxes at the end of the first sheet': `${P('one')}<div style="position:absolute;bottom:0">abs</div>${P('two')}<table style="position:absolute;bottom:40px;border-spacing:0"><tr><td style="padding:0">table</table>${LINES(10)}`,
  'an absolute box that the viewport holds': `<div style="position:absolute;bottom:0;right:0">abs</div>${LINES(10)}`,
  'break-before: page': `${P('one')}${P('two', 'break-before:page')}`,
  'break-after: page': `${P('one', 'break-after:page')}${P('two')}`,
  'a break in nested blocks': `${P('one')}<div><div>${P('two', 'break-before:page')}</div></div>`,
  'break-before: page of the first box': `${P('one', 'break-before:page')}${P('two')}`,
  'break-inside: avoid': `${LINES(6)}<div style="break-inside:avoid">${LINES(4, 'b')}</div>`,
  'break-inside: avoid of one higher than a sheet': `${LINES(2)}<div style="break-inside:avoid">${LINES(10, 'b')}</div>`,
  'break-after: avoid': `${LINES(7)}${P('head', 'break-after:avoid')}${TEXT(3, 'b')}`,
  'break-before: avoid': `${LINES(8)}${P('b1', 'break-before:avoid')}${P('b2')}`,
  'headings stay with what follows': `${LINES(6)}<h3 style="margin:0;font-size:16px">head</h3>${TEXT(4, 'b')}`,
  'orphans and widows': `${LINES(5)}${TEXT(5, 'b', 'orphans:4;widows:2')}`,
  widows: `${LINES(2)}${TEXT(8, 'b', 'orphans:1;widows:4')}`,
  'a table over sheets': TABLE(ROWS(14)),
  'a head on each sheet': TABLE(`<thead><tr><th>head</thead>${ROWS(16)}`),
  'head and foot on each sheet': TABLE(`<thead><tr><th>head</thead><tfoot><tr><td>foot</tfoot>${ROWS(16)}`),
  'a row that is not broken': TABLE(
    `${ROWS(6)}<tr style="break-inside:avoid"><td>${TEXT(4, 'x')}</td></tr>${ROWS(2, 's')}`,
  ),
  'a row that is broken': TABLE(`${ROWS(6)}<tr><td>${TEXT(5, 'x')}<td>${TEXT(2, 'y')}</tr>${ROWS(2, 's')}`),
  'a break before a row': TABLE(`${ROWS(2)}<tr style="break-before:page"><td>next${ROWS(2, 's')}`),
  'a caption and a head': TABLE(`<caption>cap</caption><thead><tr><th>head</thead>${ROWS(10)}`),
  'a cell over rows': TABLE(`${ROWS(7)}<tr><td rowspan=3 style="padding-right:30px">span<td>s1<tr><td>s2<tr><td>s3`),
  'spacing of a table over sheets': `<style>td{padding:3px}</style><table style="border-spacing:4px">${ROWS(10)}</table>`,
  'columns over sheets': `<div style="columns:2;column-gap:20px;orphans:1;widows:1">${LINES(22)}</div>${P('after')}`,
  'overflow: hidden over sheets': `<div style="overflow:hidden">${LINES(12)}</div>${P('after')}`,
  'the padding at the end of a block stays with its last line': `${SPACE(6)}<div style="padding:10px 0;border:1px solid"><div style="display:flex"><p>a1</p><p>a2</p></div></div>${P('after')}`,
  'the padding at the end of several boxes': `${SPACE(3)}<section style="padding-bottom:10px"><div style="border-bottom:5px solid">${LINES(4)}</div></section>${P('after')}`,
  'a margin above the padding is no gap': `${SPACE(5)}<div style="padding:10px 0">${P('a1', 'margin-bottom:12px')}<div style="display:flex;margin-bottom:12px">${P('a2')}</div></div>${P('after')}`,
  'a margin at the end of a block that has no padding': `${SPACE(6)}<div>${P('a1')}${P('a2', 'margin-bottom:12px')}</div>${P('after')}`,
  'a page ends in the gap above the padding': `${SPACE(6)}<div style="padding:10px 0;height:60px">a1</div>${P('after')}`,
  'a picture in a box with padding': `${SPACE(4)}<div style="padding:15px"><img src="data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"/>')}" style="display:block"></div>${P('after')}`,
  'widows in a flex box': `${SPACE(6)}<div style="display:flex"><div>${TEXT(3)}</div><div>${LINES(3, 'b')}</div></div>`,
  'widows in a column of a flex box': `${SPACE(4)}<div style="display:flex;flex-direction:column">${P('z')}${P('y')}${TEXT(3)}</div>`,
  'widows in a grid': `${SPACE(6)}<div style="display:grid"><div>${TEXT(3)}</div></div>`,
  'widows in a cell': `${SPACE(6)}${TABLE(`<tr><td>${TEXT(3)}`)}`,
  'orphans in a flex box': `${SPACE(7)}<div style="display:flex">${TEXT(3)}</div>`,
  'an inline block is not broken': `${LINES(6)}<span style="display:inline-block">${LINES(4, 'b')}</span>`,
  // css/CSS2/pagination
  'page-break-after-000: always': `${P('one', 'page-break-after:always')}${P('two')}`,
  'page-break-after-001: auto': `${P('one', 'page-break-after:always;page-break-after:auto')}${P('two')}`,
  'page-break-after-002: of an inline': `${P('one', 'page-break-after:always')}${P('two', 'page-break-after:always;display:inline')}${P('three')}`,
  'page-break-after-003: is not inherited': `<div style="page-break-after:always">${P('one')}<span>two</span></div>${P('three')}`,
  'page-break-after-004: wrong values': `${P('one', 'page-break-after:always;page-break-after:auto auto')}${P('two', 'page-break-after:left always')}${P('three')}`,
  'page-break-after-008: right': `<style>p{page-break-after:right}</style>${P('one')}${P('two')}`,
  'page-break-after-009: avoid': `<style>p{orphans:1;widows:1}</style>${SPACE(6)}${P('a', 'page-break-after:avoid')}${TEXT(4, 'b')}`,
  'page-break-after-010: left': `<style>p{page-break-after:left}</style>${P('one')}${P('two')}${P('three')}`,
  'page-break-before-002: of an inline': `${P('one')}<p style="display:inline;page-break-before:always">two</p>`,
  'page-break-before-004: is not inherited': `<div style="page-break-before:always">${P('one')}${P('two')}</div>`,
  'page-break-before-005: right': `${P('one', 'page-break-after:always')}${P('two', 'page-break-before:right')}${P('three', 'page-break-before:left')}`,
  'page-break-before-009: avoid': `<style>p{orphans:1;widows:1}</style>${SPACE(7)}${P('a')}${P('b', 'page-break-before:avoid')}${P('c')}`,
  'page-break-inside-001: avoid': `<style>p{orphans:1;widows:1}</style>${SPACE(6)}${TEXT(3, 'a', 'page-break-inside:avoid')}`,
  'page-break-inside-002: of an inline': `<style>p{orphans:1;widows:1}</style>${SPACE(6)}<p><span style="page-break-inside:avoid">a<br>b<br>c</span></p>`,
  'page-break-inside-005: is not inherited': `<style>p{orphans:1;widows:1}</style><div style="page-break-inside:avoid;height:300px">${SPACE(5)}${TEXT(3)}${TEXT(3, 'b')}</div>`,
  'page-break-margins-001: a margin after a forced break': `${P('one')}${P('two', 'margin-top:40px;page-break-before:always')}`,
  'page-break-margins-002: margins at a forced break': `${P('one', 'page-break-after:always;margin-bottom:300px')}<div style="margin-top:50px">two</div>`,
  'page-break-margins-003: margins at a break that is not forced': `${SPACE(6)}${P('one', 'margin-bottom:60px')}${P('two', 'margin-top:60px')}`,
  'page-breaks-100: a margin below the last box': `<div>${P('one', 'margin-bottom:400px')}</div>`,
  'orphans-001: two by default': `${SPACE(7)}${TEXT(4)}`,
  'orphans-003: inherited': `<style>html{orphans:5}</style>${SPACE(4)}${TEXT(7)}`,
  'orphans-004a: wrong values': `${SPACE(5)}${TEXT(5, 'a', 'orphans:3;orphans:2.0;orphans:-2;orphans:0')}`,
  'widows-001: two by default': `${SPACE(4)}${TEXT(5)}`,
  'widows-003: inherited': `<style>html{widows:5}</style>${SPACE(2)}${TEXT(7)}`,
  'allowed-page-breaks-003: more than can be kept': `<div style="page-break-inside:avoid">${['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => P(name, 'page-break-before:avoid;page-break-after:avoid')).join('')}</div>`,
  'allowed-page-breaks-005: between blocks': `${SPACE(7)}${P('a', 'border:4px solid;margin:8px')}${P('b', 'border:4px solid;margin:8px')}`,
  'allowed-page-breaks-007a: a block higher than its lines': `<div style="height:200px">a</div><div>b</div>`,
  'forced-page-breaks-000: of several boxes': `<div>${P('one')}${P('two', 'page-break-before:left')}</div>${P('three', 'page-break-before:always;page-break-after:always')}${P('four', 'page-break-before:always')}${P('more', 'page-break-after:always')}${P('five')}`,
  'forced-page-breaks-001: one break of two': `${P('one', 'page-break-after:always')}<div style="page-break-before:right">two</div>`,
  // css/CSS2/page-box and css/css-page
  'first-page-selectors-001: the first sheet is on the right': `<style>@page:first{margin-top:60px}@page:right{margin-left:100px}@page:left{margin:5px}</style>${P('x')}`,
  'page-selectors-002: first, right and left': `<style>@page:first{margin-top:80px}@page:right{margin-left:120px}@page:left{margin-right:120px}p{page-break-after:always}</style>${P('one')}${P('two')}${P('three')}${P('four')}`,
  'page-selectors-003: they win over all': `<style>@page{margin:30px}@page :right{margin-left:120px}@page :left{margin-right:120px}p{page-break-after:always;text-align:right}</style>${P('one')}${P('two')}${P('three')}`,
  'page-selectors-004: first wins over right': `<style>@page :first{margin:30px 120px 10px 15px}@page :right{margin-left:120px}</style>${P('one')}`,
  'page-margin-001: percent': `<style>@page{margin-top:50%;margin-right:50%}</style><p style="text-align:right">x</p>`,
  'page-margin-003: em of the sheet': `<style>@page{font-size:30px;margin:2em}</style>${P('x')}`,
  'page-container-001: an absolute box is of the first sheet': `<div style="position:absolute;top:0;left:0;width:40%">tl</div><div style="position:absolute;bottom:0;right:0">br</div>`,
  'page-container-002: percent of the sheet': `<style>html{height:50%}body{height:100%}</style><div style="position:relative;height:100%"><div style="position:absolute;bottom:0">x</div></div>`,
  'page-container-003: fixed on three sheets': `<div style="position:fixed;top:0;left:0">fix</div>${['one', 'two', 'three'].map((name) => P(name, 'padding-top:40px;break-after:page')).join('')}`,
  'page-container-010: heights in percent': `<style>html,body{height:100%}</style><div style="height:50%">a</div><div style="height:25%">b</div><div>c</div>`,
  'page-size-000: landscape': `<style>@page{size:A5 landscape;margin:20px}</style>${P('x')}`,
  'page-size-001: portrait': `<style>@page{size:A5 portrait;margin:20px}</style>${P('x')}`,
  'page-size-002: A5': `<style>@page{size:A5;margin:20mm}</style>${P('x')}`,
  'page-size-003: A4': `<style>@page{size:A4;margin:20mm}</style>${P('x')}`,
  'page-size-005: B5': `<style>@page{size:B5;margin:20mm}</style>${P('x')}`,
  'page-size-007: letter': `<style>@page{size:letter;margin:1in}</style>${P('x')}`,
  'page-size-008: legal': `<style>@page{size:legal;margin:1in}</style>${P('x')}`,
  'page-size-009: ledger': `<style>@page{size:ledger;margin:2in}</style>${P('x')}`,
  'page-size-010: two lengths': `<style>@page{size:3in 2in;margin:.5in}</style>${P('x')}`,
  'one length': `<style>@page{size:50mm;margin:5mm}</style>${P('x')}`,
  'page-name-000: named sheets': `<style>@page wide{size:400px 150px}.w{page:wide}</style>${P('one')}<p class=w>two</p><p class=w>three</p>${P('four')}`,
  'names in names': `<style>@page a{margin-left:60px}@page b{margin-left:90px}</style><div style="page:a">${P('one')}<div style="page:b">${P('two')}</div>${P('three')}</div>${P('four')}`,
  'the first of named sheets': `<style>@page n{margin-left:60px}@page n:first{margin-left:90px}</style>${P('one', 'page:n')}${P('two', 'page:n;break-before:page')}`,
  'page-counters-000: numbers of sheets': `<style>@page{@bottom-center{content:counter(page) "/" counter(pages);font:10px Inter}}</style>${LINES(18)}`,
  'a number that is set': `<style>@page:first{counter-reset:page 4}@page{@bottom-center{content:counter(page);font:10px Inter}}</style>${LINES(18)}`,
  'the corners': `<style>@page{margin:40px;${boxes(CORNERS)}}</style>${P('x')}`,
  'the edges': `<style>@page{margin:40px;${boxes(EDGES)}}</style>${P('x')}`,
  alignment: `<style>@page{margin:40px;@top-left{content:"left";font:9px/12px Inter;vertical-align:top}@top-right{content:"right";font:9px/12px Inter;vertical-align:bottom;text-align:left;width:60px}}</style>${P('x')}`,
  'not on the first sheet': `<style>@page{@top-center{content:"head";font:9px/12px Inter}}@page:first{@top-center{content:none}}</style>${LINES(10)}`,
  'in the margins of named sheets': `<style>@page{@bottom-right{content:"p" counter(page);font:9px/12px Inter}}@page :first{margin-top:60px}@page wide{size:400px 150px;@top-left{content:"wide";font:9px/12px Inter}}.w{page:wide}</style>${P('one')}<p class=w>two</p>${P('three')}`,
  'in the margins of the first sheet': `<style>@page{margin-top:40px;@top-left{content:"all";font:9px/12px Inter}}@page:first{margin-top:80px}</style>${LINES(10)}`,
  'in the margins of left and right sheets': `<style>@page:left{margin-left:60px;@bottom-left{content:"l";font:9px/12px Inter}}@page:right{margin-right:60px;@bottom-right{content:"r";font:9px/12px Inter}}</style>${LINES(18)}`,
  'wide content': `<style>@page{margin:40px 20px;@top-left{content:"some words that need room";font:9px/12px Inter}@top-center{content:"mid";font:9px/12px Inter}@top-right{content:"r";font:9px/12px Inter}}</style>${P('x')}`,
  'sizes, borders and padding in the margins': `<style>@page{margin:40px;letter-spacing:1px;@top-left{content:"page " counter(page);width:100px;height:20px;text-align:center;border:2px solid;padding:3px}@top-right{content:"right";vertical-align:bottom;border-bottom:1px solid}@right-middle{content:"rm";width:20px;height:30px;margin-left:4px}@bottom-center{content:"mid";width:100%;height:14px;background:#dfd}}</style>${P('x')}`,
  'the root hands its style on to the margins': `<style>:root{--size:9px}html{font:12px/14px "JetBrains Mono";letter-spacing:1px}@page{margin:40px;@top-left{content:"a b"}@top-right{content:"c";font-size:var(--size)}@bottom-left{content:attr(lang) "d"}}</style>${P('x')}`,
  'in the margins beside the middle': `<style>@page{margin:40px;font:9px/12px Inter;@top-left{content:"left";border:1px solid}@top-center{content:"mid";border:1px solid;width:60px}@top-right{content:"right"}@bottom-center{content:"some words"}@bottom-right{content:"r";width:50px}}</style>${P('x')}`,
  'a box wider than the sheets makes all smaller': `<style>@page{margin:30px;@top-left{content:"head";font:9px/12px Inter}@bottom-right{content:counter(page);font:9px/12px Inter}}</style><div style="width:320px;text-align:right">wide</div>${LINES(18)}<p style="text-align:right">right</p>`,
  'more than twice as wide': `<div style="width:700px;text-align:right">wide</div>${LINES(18)}`,
  'wide in a box that cuts it off': `<div style="overflow:hidden"><div style="width:320px">wide</div></div>${LINES(10)}`,
  'a long word makes all smaller': `<p>${'longword'.repeat(5)}</p>${LINES(10)}`,
  'a sheet that is turned': `<style>@page{page-orientation:rotate-left}</style>${P('x')}`,
  'page-properties-000: width and height of a sheet': `<style>@page{width:100px;height:100px}</style>${P('some words that are wider than that')}`,
  'page-borders-000: padding of a sheet': `<style>@page{padding:15px;border:5px solid}</style>${P('x')}`,
  'a style for print': `<style>@media print{p{margin-left:30px}}@media screen{p{margin-left:90px}}</style>${P('x')}`,
};

/** By name, whole documents. */
export const FIXTURES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FIXTURES_OF_BODY).map(([name, body]) => [name, `<!doctype html><style>${CSS}</style>${body}`]),
);
