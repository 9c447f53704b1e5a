// Tests that a page is the same whether or not pages with the same style sheets were made before it, which it shares what was
// made of their styles with.

import { expect, test } from 'vitest';
import { sceneOfPage } from '#core/html/page-scene.ts';
import { pictureOf } from '#draw/html/page-pictures.ts';
import { parsePage } from '#draw/html/parse-html.ts';

const SHEET = `:root{--space:4px}p{padding:var(--space);color:rebeccapurple}.dark{--space:9px;color:white}
p::before{content:attr(title) counter(p);counter-increment:p}a{text-decoration:underline wavy}i{mix-blend-mode:multiply}
.mask{mask-image:url(a.png),linear-gradient(red,transparent)}li::marker{color:red}b{width:5foo;paint:x}
td{border:1px solid;vertical-align:top}table{border-collapse:collapse}q,ruby,span{display:inline}`;

const PAGES = [
  '<p title=a>one <a href="#x">two</a> <i>three</i><ul><li>a<li>b</ul>',
  '<div class=dark><p title=b>one <a href="#x">two</a></p><ruby>a<rt>b</rt></ruby></div><input><div class=mask>x</div>',
  '<p style="--space:1px;color:currentcolor">x<input checked><progress></progress><span>y</span><q lang=fr>z</q>',
  '<div class=mask>x</div><img src=b.png><div class=mask>y</div><p dir=rtl>x<b>y</b><p style="direction:rtl;margin:inherit">z',
  '<table border=1 cellpadding=3><tr><td>a<td><b>b</b><tr><td bgcolor=red>c<td>d</table><table><tr><td>e</table>',
];

const made = (html: string, sheet: string) => {
  const { html: page, isQuirky, isOld } = parsePage(`<!doctype html>${html}`);
  const source = {
    html: page,
    isQuirky,
    isOld,
    sheets: [sheet],
    page: null,
    width: 400,
    height: 300,
    sourceOf: pictureOf,
  };
  const isProperty = (name: string) => name !== 'paint';
  const { scene } = sceneOfPage({ ...source, isProperty });
  return JSON.parse(JSON.stringify(scene));
};

test('a page is the same after others with its sheets', () => {
  const alone = PAGES.map((html, i) => made(html, `${SHEET}/* ${i} */`));
  expect(alone.some(({ diagnostics }) => diagnostics.length > 0)).toBe(true);
  for (const order of [PAGES, PAGES.toReversed(), PAGES])
    for (const html of order) expect(made(html, SHEET), html).toEqual(alone[PAGES.indexOf(html)]);
});

test('margin boxes are those of the sheet, not of one of the same width before it', () => {
  const { html } = parsePage('<!doctype html><p>x');
  const sheet = '@page{@top-left{content:"a"}}@page wide{@top-left{content:"b"}@top-right{content:"c"}}p{page:wide}';
  const on = (margin: number, css: string) => {
    const size: [number, number] = [400, 300];
    const page = { size, landscape: false, margin: { top: margin, right: 9, bottom: 9, left: 9 } };
    const source = { html, sheets: [css], page: { ...page, mirrored: false, cover: false }, width: 1, height: 1 };
    return JSON.stringify(sceneOfPage({ ...source, sourceOf: pictureOf }).scene);
  };
  for (const margin of [40, 0, 20]) expect(on(margin, sheet)).toBe(on(margin, `${sheet}/* ${margin} */`));
});
test('nor does it matter that what is known of its sheets became too much to be kept', () => {
  const [first = ''] = PAGES;
  const alone = made(first, `${SHEET}/* alone */`);
  for (let i = 0; i < 60; i += 1) {
    made(Array.from({ length: 20 }, (_, k) => `<p style="width:${i * 20 + k}px">x`).join(''), SHEET);
    expect(made(first, SHEET)).toEqual(alone);
  }
});
