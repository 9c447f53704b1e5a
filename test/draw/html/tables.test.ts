// Tests the tables of satori's pages, which our own engine draws, apart from their layout (chromium/): that this is said, and
// what is painted behind their cells.

import { expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { checkHtmlTemplate } from '#draw/html/check-template.ts';
import { composePage } from './pages.ts';

const template = (html: string, css = '') =>
  HtmlTemplate.parse({ name: 'T', width: 200, height: 100, engine: 'html', renderer: 'satori', html, css });

const nested = (levels: number): string => (levels === 0 ? 'x' : `<table><tr><td>${nested(levels - 1)}</table>`);

test.each([
  ['<p>a</p>\n<table><tr><td>b</table>', 'html, line 2: <table> is outside of what satori draws'],
  ['<table><td>b</td></table>', 'html, line 1: <table> is outside of what satori draws'],
])('%s is drawn by the layout of Platen, which is told', async (html, message) => {
  await expect(checkHtmlTemplate(template(html))).resolves.toBeUndefined();
  const { diagnostics } = await composePage(resolveHtml(template(html), {}));
  expect(diagnostics).toEqual([
    { code: 'satori-subset', layer: null, message: expect.stringContaining(`${message}, so that Platen's own layout`) },
  ]);
});

test('what is refused without a table is refused with one', async () => {
  const page = template('<table><tr><td>a</table>', 'p { columns: 2 }');
  const message = 'css, line 1: the property columns cannot be drawn with renderer "satori"';
  await expect(checkHtmlTemplate(page)).rejects.toThrow(message);
  await expect(composePage(resolveHtml(page, {}))).rejects.toThrow(message);
});

test('tables in each other are drawn', async () => {
  const css = 'body { font: 10px/12px Inter } td::before, td { content: ""; width: 20px }';
  const { list } = await composePage(resolveHtml(template(nested(4), css), {}));
  expect(list.ops.filter(({ kind }) => kind === 'glyphs')).toHaveLength(1);
});

/** The colours of the filled boxes, in their order. */
async function fills(html: string, css: string): Promise<readonly string[]> {
  const { list } = await composePage(resolveHtml(template(html, `table{border-spacing:0}${css}`), {}));
  return list.ops.flatMap((op) => {
    if (op.kind !== 'fill' || op.brush.kind !== 'solid') return [];
    const { r, g, b } = op.brush.color;
    return [`${r} ${g} ${b} at ${Math.round(op.path[0]?.[1] as number)}`];
  });
}

test('a cell has the colour of its own, or its column’s where its row and section have none', async () => {
  const html =
    '<table><colgroup><col><col class=c></colgroup><tbody><tr><td class=own>a<td>b<tbody class=s><tr class=r><td>a<td>b<tr><td>a<td>b</table>';
  const css = 'td{width:20px;padding:0}.own{background:#f00}.r{background:#0f0}.s{background:#00f}.c{background:#ff0}';
  const inColumn = css.replace('.c{', 'colgroup{');
  const rows = ['0 255 0 at 0', '0 0 255 at 0'];
  expect([await fills(html, css), await fills(html, inColumn)]).toEqual([
    ['255 0 0 at 0', '255 255 0 at 20', ...rows],
    ['255 0 0 at 0', '255 255 0 at 20', ...rows],
  ]);
});

test('what is behind a row shows in its cells, as far as these reach, and through them', async () => {
  const css =
    'table{border-spacing:4px}td{width:20px;padding:0;height:10px}.r{background:#0f0}.half{background:rgb(0 0 255/.5)}';
  const html = '<table><tr class=r><td rowspan=2>a<td>b<td class=half>c<tr><td>d<td>e</table>';
  expect(await fills(html, css)).toEqual(['0 255 0 at 4', '0 255 0 at 28', '0 127.5 127.5 at 52']);
});

test('a layer in a table takes text', async () => {
  const html = '<table><tr><td data-layer=a>x<td>y</table>';
  const { list } = await composePage(resolveHtml(template(html), { a: 'long words' }));
  const words = list.ops.flatMap((op) => (op.kind === 'glyphs' ? [op.run.text] : []));
  expect(words).toEqual(['long words', 'y']);
});
