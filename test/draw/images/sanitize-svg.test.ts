import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { sanitizeSvg } from '#draw/images/sanitize-svg.ts';
import { claimingPng } from './pictures.ts';

/** Checks the sanitized content of a root element. */
function check(body: string, expected: string): void {
  const file = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="urn:x">${body}</svg>`;
  expect(sanitizeSvg(Buffer.from(file)).body).toBe(expected);
}

test('plain shapes stay', () =>
  check(
    '<g fill="red"><path d="M0 0h9"/><rect rx="2"/></g>',
    '<g fill="#ff0000"><path d="M0 0h9"/><rect rx="2"/></g>',
  ));
test('scripts go', () => check('<script>alert(1)</script><rect/>', '<rect/>'));
test('event handlers go', () => check('<rect onclick="x()" ONLOAD="y()" id="a"/>', '<rect id="a"/>'));
test('foreignObject goes with all that is in it', () =>
  check('<foreignObject><rect/><iframe/></foreignObject><rect/>', '<rect/>'));
test('animation goes', () => check('<rect><animate attributeName="href" to="x"/><set/></rect>', '<rect/>'));
test('foreign namespaces go', () =>
  check('<x:rect/><rect x:fill="red" xml:space="preserve"/>', '<rect xml:space="preserve"/>'));
test('a prefix bound to SVG is SVG', () => check('<s:rect xmlns:s="http://www.w3.org/2000/svg"/>', '<rect/>'));
test('comments and processing instructions go', () =>
  check('<!-- <script/> --><?xml-stylesheet href="http://x"?><rect/>', '<rect/>'));

test('use of the same file stays', () => check('<use xlink:href="#a"/>', '<use href="#a"/>'));
test('use of another file goes', () => check('<use href="http://127.0.0.1/a.svg#a"/>', '<use/>'));
test('href wins over xlink:href', () => check('<use xlink:href="#a" href="#b"/>', '<use href="#b"/>'));
test('links go', () => check('<a href="#x"><rect/></a>', '<a><rect/></a>'));
test('images from outside go', () => check('<image href="http://127.0.0.1/"/>', '<image/>'));
test('images from files go', () => check('<image xlink:href="file:///etc/passwd"/>', '<image/>'));
const embedded = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
const NESTED = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">';
test('images that are SVG again stay, sanitised', () =>
  check(
    `<image href="${embedded('<svg width="9" height="9" onload="x()"><script/><rect/></svg>')}"/>`,
    `<image href="${embedded(`${NESTED}<rect/></svg>`)}"/>`,
  ));
test('images in images that are SVG go', () => {
  const inner = embedded('<svg width="9" height="9"/>');
  check(
    `<image href="${embedded(`<svg width="9" height="9"><image href="${inner}"/></svg>`)}"/>`,
    `<image href="${embedded(`${NESTED}<image/></svg>`)}"/>`,
  );
});
test('what counts in an image that is SVG counts with the rest', () => {
  const uri = embedded(`<svg width="9" height="9">${'<g/>'.repeat(30_000)}</svg>`);
  const file = `<svg><image href="${uri}"/><image href="${uri}"/></svg>`;
  expect(() => sanitizeSvg(Buffer.from(file))).toThrow(/elements/);
  const huge = embedded('<svg width="1e6" height="1e6"/>');
  expect(() => sanitizeSvg(Buffer.from(`<svg><image href="${huge}"/></svg>`))).toThrow(/px wide or high/);
});
test('embedded pictures stay, under their true type', () => {
  const png = claimingPng(2, 2).toString('base64');
  check(`<image href="data:image/gif;base64,${png}"/>`, `<image href="data:image/png;base64,${png}"/>`);
});

test('local references stay', () =>
  check('<rect fill="url(#a)" mask="url( \'#b\' )"/>', '<rect fill="url(#a)" mask="url(#b)"/>'));
test('references to elsewhere go', () => check('<rect fill="url(http://x/#a)" filter="URL(x.svg#b)"/>', '<rect/>'));
test('style keeps what is local', () =>
  check('<rect style="fill:url(#a);stroke:red;mask:url(//x)"/>', '<rect fill="url(#a)" stroke="#ff0000"/>'));
test('an escape cannot spell url', () => check('<rect style="fill:u\\72l(//x)"/>', '<rect/>'));
test('style sheets become attributes, without what refers to elsewhere', () =>
  check(
    '<style>/* { */@import "//x";.a,.b>c{fill:red;mask:url(//x)}@font-face{src:url(//x)}@media print{.d{fill:blue}}.e{r:1}</style><rect class="a d"/><circle class="e"/>',
    '<rect fill="#ff0000"/><circle r="1"/>',
  ));
test('a style sheet cannot end its element', () =>
  check('<style><![CDATA[.a{fill:red}</style><script>]]></style><rect class="a"/>', '<rect fill="#ff0000"/>'));
test('a hostile style sheet takes linear time', () => {
  const started = timeWorked();
  for (const part of ['/*', '@a', '{', '}', 'a', 'url(', ';', '"', 'a{', 'a{b:c;', '&{', 'a{b:c}']) {
    sanitizeSvg(Buffer.from(`<svg><style><![CDATA[${part.repeat(200_000 / part.length)}]]></style><rect/></svg>`));
  }
  expect(timeWorked() - started).toBeLessThan(3000);
});

test('text keeps its characters', () =>
  check('<text>a &lt; b &amp;&#38; &#x1F600;</text>', '<text>a &lt; b &amp;&amp; 😀</text>'));
test('text between shapes goes', () => check('  \n<g> x </g>', '<g/>'));
test('values cannot break out', () =>
  check(`<rect id='"/><script>'/>`.replace('<script>', '&lt;script>'), '<rect id="&quot;/&gt;&lt;script&gt;"/>'));
test('without a namespace it is taken for SVG', () =>
  expect(sanitizeSvg(Buffer.from('<svg><rect/></svg>')).body).toBe('<rect/>'));

function refused(file: string, message: RegExp): void {
  expect(() => sanitizeSvg(Buffer.from(file))).toThrow(message);
}

test('another root', () => refused('<html xmlns="http://www.w3.org/2000/svg"/>', /no <svg> element/));
test('another namespace', () => refused('<svg xmlns="urn:x"/>', /no <svg> element/));
test('tags that do not match', () => refused('<svg><g></svg>', /do not match/));
test('an end that does not come', () => refused('<svg><g>', /too early/));
test('a comment that does not end', () => refused('<svg><!-- ', /too early/));
test('two roots', () => refused('<svg/><svg/>', /two roots/));
test('text outside the root', () => refused('<svg/>x', /outside its root/));
test('an attribute without quotes', () => refused('<svg a=b/>', /broken tag/));
test('an attribute given twice', () => refused('<svg a="" a=""/>', /twice/));
test('a stray ampersand', () => refused('<svg><text>a & b</text></svg>', /stray "&"/));
test('a character that XML has not', () => refused('<svg><text>&#0;</text></svg>', /stray "&"/));
test('control characters', () => refused('<svg>\u0001</svg>', /control characters/));
test('an undeclared prefix', () => refused('<svg><a:b/></svg>', /undeclared prefix/));
test('a hundred namespaces', () =>
  refused(`<svg ${Array.from({ length: 100 }, (_, i) => `xmlns:n${i}="u"`).join(' ')}/>`, /too many namespaces/));
