import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { type HtmlNode, isElement, parseHtml } from '#draw/html/parse-html.ts';

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
const check = (html: string, expected: string) => expect(show(parseHtml(html))).toBe(expected);
const refuses = (html: string, message: string) => expect(() => parseHtml(html)).toThrow(message);

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
test('elements named like keys of every object', () =>
  check('<constructor><b>x</b></constructor><toString><i/></i></toString>', 'constructor(b("x")) tostring(i())'));
test('comments and doctypes are left out', () => check('<!doctype html>a<!-- <b> -->c', '"ac"'));
test('styles and scripts are text', () =>
  check(
    '<style>a > b { content: "</p>" }</style><script>1 < 2</script>',
    'style("a > b { content: \\"</p>\\" }") script("1 < 2")',
  ));
test('end tags that may be left out', () =>
  check('<ul><li>a<li>b</ul><p>c<p>d<div>e</div>', 'ul(li("a") li("b")) p("c") p("d") div("e")'));
test('end tags that may be left out in a table, which is refused as such later', () =>
  check(
    '<table><thead><tr><th>a<th>b<tbody><tr><td>c<tr><td>d</table>',
    'table(thead(tr(th("a") th("b"))) tbody(tr(td("c")) tr(td("d"))))',
  ));
test('a stray less-than sign', () => check('1 < 2', '"1 < 2"'));
test('what is never closed', () => refuses('<p>\n<b>x', 'html, line 2: <b> is never closed.'));
test('what closes nothing', () => refuses('x</div>', 'html, line 1: </div> closes nothing.'));
test('what is closed in the wrong order', () => refuses('<b><i></b></i>', '</b> comes before <i> of line 1 is closed'));
test('an unknown reference', () => refuses('&foo;', 'html, line 1: &foo; is no character'));
test('a broken tag', () => refuses('<p a="1', 'html, line 1: <p> is not written as a tag should be.'));
test('too many elements', () => refuses('<br>'.repeat(1_501), 'more than 1500 elements'));
test('too deep', () => refuses('<b>'.repeat(61), 'nests more than 60 elements'));
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
      parseHtml(html);
    } catch {}
  }
  expect(timeWorked() - started).toBeLessThan(3_000);
});
