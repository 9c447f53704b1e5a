import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { isElement } from '#core/css/selectors.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { decodedAttribute, type HtmlNode, parsePage } from '#draw/html/parse-html.ts';
import { SATORI_LIMITS } from '#draw/html/subset.ts';

/** `div#a(text, b())`: element names, ids, text and nesting. */
function show(nodes: readonly HtmlNode[]): string {
  return nodes
    .map((node) => {
      if (!isElement(node)) return JSON.stringify(node);
      const attributes = [...node.attributes].map(([name, value]) => `[${name}=${value}]`).join('');
      return `${node.name}${attributes}(${show(node.children)})`;
    })
    .join(' ');
}
/** The body of a page. */
function bodyOf(text: string): readonly HtmlNode[] {
  const [, body] = parsePage(text, SATORI_LIMITS).html.children;
  return body && isElement(body) ? body.children : [];
}
const check = (html: string, expected: string) => expect(show(bodyOf(html))).toBe(expected);
const refuses = (html: string, message: string) => expect(() => bodyOf(html)).toThrow(message);

test('elements and text', () => check('<DIV id=a>x<b>y</b></DIV>', 'div[id=a]("x" b("y"))'));
test('attributes in quotes, without, and without a value', () =>
  check(`<p a="1 2" b='3' c=4 d e=/x>`, 'p[a=1 2][b=3][c=4][d=][e=/x]()'));
test('the first of two attributes counts', () => check('<p a=1 A=2>', 'p[a=1]()'));
test('elements without an end', () => check('<br>a<img src=x>b<hr/>', 'br() "a" img[src=x]() "b" hr()'));
test('a slash ends elements only in svg', () =>
  check('<div/>x</div><svg><path d="M0"/><g/></svg>', 'div("x") svg(path[d=M0]() g())'));
test('names in svg keep their case', () =>
  check('<svg viewBox="0 0 1 1"><linearGradient/></svg>', 'svg[viewBox=0 0 1 1](linearGradient())'));
test('references', () => check('<p a="&lt;&#65;">&amp;lt; &#x41; &copy;&nbsp;&', 'p[a=<A]("&lt; A ©\u00a0&")'));
test('references to C1 controls are to letters of windows-1252', () =>
  check('&#128;&#150;&#x9f;&#x81;&#160;', '"€–Ÿ\u0081\u00a0"'));
test('comments and doctypes are left out', () => check('<!doctype html>a<!-- <b> -->c', '"ac"'));
test('end tags that may be left out', () =>
  check('<ul><li>a<li>b</ul><p>c<p>d<div>e</div>', 'ul(li("a") li("b")) p("c") p("d") div("e")'));
test('end tags that may be left out in a table, which is refused as such later', () =>
  check(
    '<table><thead><tr><th>a<th>b<tbody><tr><td>c<tr><td>d</table>',
    'table(thead(tr(th("a") th("b"))) tbody(tr(td("c")) tr(td("d"))))',
  ));
test('a stray less-than sign', () => check('1 < 2', '"1 < 2"'));
test('what is written wrong is mended as browsers do', () => {
  check('<p>\n<b>x', 'p("\\n" b("x"))');
  check('x</div>', '"x"');
  check('<b><i>x</b>y</i>', 'b(i("x")) i("y")');
  check('&foo;', '"&foo;"');
});
test('values of attributes in markup', () => expect(decodedAttribute(`[&amp;_p]:a b'"c &lt;`)).toBe(`[&_p]:a b'"c <`));
test('too many elements', () => refuses('<br>'.repeat(1_501), 'more than 1500 elements'));
test('too many words, of which style sheets are none', () => {
  const words = (text: string) => parsePage(text, { elements: 9, depth: 9, words: 10 });
  expect(() => words('<p>12345<b>678901')).toThrow('html: the page has more than 10 characters between its tags.');
  words('<p>12345<b>67890<style>b{color:red}</style>');
  expect(() => parsePage(`<p>${'x'.repeat(500_001)}`)).toThrow('more than 500000 characters');
});
test('longer pages are for our own renderer', () => {
  const parsed = (renderer: string, length: number) =>
    HtmlTemplate.safeParse({ name: 'x', width: 9, height: 9, engine: 'html', renderer, html: 'x'.repeat(length) });
  expect(parsed('platen', 2_000_000).success).toBe(true);
  expect(parsed('platen', 2_000_001).success).toBe(false);
  for (const renderer of ['chromium', 'satori']) {
    expect(parsed(renderer, 500_000).success).toBe(true);
    expect(parsed(renderer, 500_001).error?.message).toContain(`of which renderer \\"${renderer}\\" takes 500000`);
  }
});
test('too deep', () => refuses('<b>'.repeat(61), 'more than 60 deep'));
test('a few tags that begin anew in each paragraph', () => {
  const bold = Array.from({ length: 50 }, (_, i) => `<b id=${i}>`).join('');
  refuses(`<p>${bold}${'</p><p>x'.repeat(100)}`, 'more than 1500 elements');
});
test('a hostile page is read in linear time', () => {
  const started = timeWorked();
  for (const html of [
    '<'.repeat(400_000),
    '<!--'.repeat(100_000),
    '&'.repeat(400_000),
    `<p ${'a '.repeat(90)}>`.repeat(1_000),
    `<p ${'='.repeat(400_000)}`,
  ]) {
    try {
      bodyOf(html);
    } catch {}
  }
  expect(timeWorked() - started).toBeLessThan(3_000);
});
