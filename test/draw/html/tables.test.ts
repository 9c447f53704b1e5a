// Tests the tables of pages without a browser, apart from their layout (chromium/): how they are completed, what is
// painted behind their cells, and what is refused.

import { expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { checkHtmlTemplate } from '#draw/html/check-template.ts';
import { composeHtml } from '#draw/html/compose-html.ts';
import { type HtmlNode, isElement, parseHtml } from '#draw/html/parse-html.ts';
import { completeTables } from '#draw/html/tables/table-markup.ts';
import { loadNeeds } from './pages.ts';

const template = (html: string, css = '') =>
  HtmlTemplate.parse({ name: 'T', width: 200, height: 100, engine: 'html', renderer: 'satori', html, css });

const show = (nodes: readonly HtmlNode[]): string =>
  nodes.map((node) => (isElement(node) ? `${node.name}(${show(node.children)})` : JSON.stringify(node))).join(' ');

test.each([
  ['<table> <tr><td>a</table>', 'table(tbody(tr(td("a"))))'],
  ['<table><td>a<td>b<tr><td>c</table>', 'table(tbody(tr(td("a") td("b")) tr(td("c"))))'],
  ['<table><col><tr><th>a</table>', 'table(colgroup(col()) tbody(tr(th("a"))))'],
  ['<table><caption>c<tr><td>a</table>', 'table(caption("c") tbody(tr(td("a"))))'],
  ['<table><tfoot><tr><td>f<tbody><tr><td>b</table>', 'table(tfoot(tr(td("f"))) tbody(tr(td("b"))))'],
])('%s is completed', (html, tree) => {
  const nodes = parseHtml(html);
  completeTables(nodes);
  expect(show(nodes)).toBe(tree);
});

const nested = (levels: number): string => (levels === 0 ? 'x' : `<table><tr><td>${nested(levels - 1)}</table>`);

test.each([
  ['<table>\n<p>a</p></table>', '', 'html, line 2: <p> stands in <table> outside its cells; put it into a <td>'],
  ['<table><tr>words</table>', '', 'html, line 1: "words" stands in <tr> outside its cells'],
  ['<div><td>a</td></div>', '', '<td> stands outside the part of a <table> that may have it'],
  [nested(4), '', 'html, line 1: a table in 3 others cannot be drawn with renderer "satori"'],
  ['<table><tr><td colspan=201>a</table>', '', 'html, line 1: the table has more than 200 columns.'],
  ['<table><tr><td>a</table>', 'td { display: flex }', '<td> with display: flex cannot be drawn'],
  ['<table><tr><td>a</table>', 'table { border-spacing: 1em }', 'border-spacing of <table> is 1em'],
  [
    '<table><tr><td>a</table>',
    'tr { background: linear-gradient(red, blue) }',
    'a picture or gradient behind <tr> with border-spacing or rowspan cannot be drawn',
  ],
  [
    '<table><col><tr><td>a</table>',
    'col { background: linear-gradient(red, blue) }',
    'a picture or gradient behind <col> cannot be drawn with renderer "satori"; give it to the table or the cells.',
  ],
])('%s with %s is refused when it is saved', async (html, css, message) => {
  await expect(checkHtmlTemplate(template(html, css))).rejects.toThrow(message);
});

test('three tables in each other are drawn, and a rule for ::before of a cell is no obstacle', async () => {
  const css = 'body { font: 10px/12px Inter } td::before, td { content: ""; width: 20px }';
  const { list, diagnostics } = await composeHtml(resolveHtml(template(nested(3), css), {}), loadNeeds);
  expect(diagnostics).toEqual([]);
  expect(list.ops.filter(({ kind }) => kind === 'glyphs')).toHaveLength(1);
});

/** The colours of the filled boxes, in their order. */
async function fills(html: string, css: string): Promise<readonly string[]> {
  const { list } = await composeHtml(resolveHtml(template(html, `table{border-spacing:0}${css}`), {}), loadNeeds);
  return list.ops.flatMap((op) => {
    if (op.kind !== 'fill' || op.brush.kind !== 'solid') return [];
    const { r, g, b, a } = op.brush.color;
    if (a === 0) return [];
    return [[r, g, b].map((value) => Math.round(value * (r > 1 || g > 1 || b > 1 ? 1 : 255))).join(' ')];
  });
}

test('a cell has the colour of its own, else of its row, its section, its column', async () => {
  const html =
    '<table><col><col class=c><tbody><tr><td class=own>a<td>b<tbody class=s><tr class=r><td>a<td>b<tr><td>a<td>b</table>';
  const css = '.own{background:#ff0000}.r{background:#00ff00}.s{background:#0000ff}.c{background:#ffff00}';
  expect(await fills(html, css)).toEqual(['255 0 0', '255 255 0', '0 255 0', '0 255 0', '0 0 255', '0 0 255']);
});

test('a layer in a table takes text', async () => {
  const html = '<table><tr><td data-layer=a>x<td>y</table>';
  const { list } = await composeHtml(resolveHtml(template(html), { a: 'long words' }), loadNeeds);
  const words = list.ops.flatMap((op) => (op.kind === 'glyphs' ? [op.run.text] : []));
  expect(words).toEqual(['long words', 'y']);
});

test('properties of tables may stand in style attributes, and be !important', async () => {
  const style =
    'border-collapse:collapse;border-spacing:2px 3px;table-layout:fixed;caption-side:bottom;empty-cells:hide';
  const html = `<table style="${style}"><caption>c</caption><tr><td style="width:20px!important">x<td>y</table>`;
  const css = 'td { width: 50px !important; padding: 0 !important; position: static !important }';
  const { list, diagnostics } = await composeHtml(resolveHtml(template(html, css), {}), loadNeeds);
  const words = list.ops.flatMap((op) => (op.kind === 'glyphs' ? [`${op.run.text} ${Math.round(op.origin.x)}`] : []));
  expect([diagnostics, words[1], words[2]]).toEqual([[], 'x 0', 'y 20']);
});
