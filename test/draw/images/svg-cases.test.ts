// SVG files as browsers draw them: styles, colours, places, markers, pictures. Each is drawn to pixels and, as vectors or
// one picture, to PDF from the same document; the colours are Chromium's.

import { expect, test } from 'vitest';
import { plainSvg } from '#core/svg/plain-svg.ts';
import { drawSvg, readSvgImage } from '#draw/images/svg-image.ts';
import { escapeXml, parseXml, type XmlElement } from '#draw/images/xml.ts';
import { colorAt } from './pictures.ts';

const SIZE = { width: 80, height: 80 };
const refusal = (what: string) => new Error(what);

const written = ({ name, attributes, children }: XmlElement): string =>
  `<${name}${[...attributes].map(([key, value]) => ` ${key}="${value}"`).join('')}>${children.map((child) => (typeof child === 'string' ? escapeXml(child) : written(child))).join('')}</${name}>`;

function plain(body: string, root = 'width="80" height="80"') {
  const tree = parseXml(`<svg ${root}>${body}</svg>`, { elements: 1_000, depth: 50 });
  const { root: made, leftOut } = plainSvg(tree, SIZE, refusal);
  return { text: made.children.map((child) => (typeof child === 'string' ? '' : written(child))).join(''), leftOut };
}

/** The attributes of the only element that is left. */
function check(name: string, body: string, expected: string): void {
  test(name, () => expect(plain(body).text).toBe(expected));
}

check(
  'pathLength',
  '<path d="M0 0H40V30" pathLength="7" stroke-dasharray="2 1"/>',
  '<path d="M0 0H40V30" pathLength="7" stroke-dasharray="20 10"></path>',
);
check(
  'pathLength of a curve, with dashes of the element around it',
  '<g stroke-dasharray="1"><path d="M0 0C10 0 20 0 30 0" pathLength="3"/></g>',
  '<g stroke-dasharray="1"><path d="M0 0C10 0 20 0 30 0" pathLength="3" stroke-dasharray="10"></path></g>',
);
const rect = (style: string, rules = '') => `<style>${rules}</style><rect class="a" style="${style}"/>`;
const filled = (color: string) => `<rect fill="${color}"></rect>`;

check('var()', rect('fill:var(--b)', ':root{--b:#d1401b}'), filled('#d1401b'));
check('var() with a fallback', rect('fill:var(--b, var(--c, #d1401b))'), filled('#d1401b'));
check('var() of itself', rect('--b:var(--b);fill:var(--b, blue)'), filled('#0000ff'));
check('var() without a value is no declaration', rect('fill:var(--b)'), '<rect></rect>');
check('oklch()', rect('fill:oklch(62.8% 0.2577 29.23)'), filled('#ff0000'));
check('lab()', rect('fill:lab(50% 40 59.5)'), filled('#bf5700'));
check('color-mix()', rect('fill:color-mix(in srgb, red, blue)'), filled('#800080'));
check(
  'color-mix() of currentColor',
  rect('color:red;fill:color-mix(in srgb, currentColor 50%, transparent)'),
  '<rect color="#ff0000" fill="rgba(255,0,0,0.5)"></rect>',
);
check('rgb() with a slash', '<rect fill="rgb(255 0 0 / 50%)"/>', filled('rgba(255,0,0,0.5)'));
check('hwb()', '<rect fill="hwb(0 0% 0%)"/>', filled('#ff0000'));
check('an invalid colour', rect('fill:red;fill:nonsense'), filled('#ff0000'));
check('@media screen', rect('', '@media screen{rect{fill:#d1401b}}'), filled('#d1401b'));
check('@media print', rect('', '@media print{rect{fill:#d1401b}}'), '<rect></rect>');
check(
  '@media of the drawing’s width',
  rect('', '@media (min-width:80px){rect{fill:red}}@media (min-width:81px){rect{fill:blue}}'),
  filled('#ff0000'),
);
check(
  '@media (prefers-color-scheme: dark)',
  rect('', '@media (prefers-color-scheme:dark){rect{fill:red}}'),
  '<rect></rect>',
);
check('@supports', rect('', '@supports (fill:oklch(0 0 0)){rect{fill:red}}'), filled('#ff0000'));
check('nested rules', rect('', 'svg{rect{fill:red}}'), filled('#ff0000'));
check('nested rules with &amp;', rect('', 'rect{&amp;.a{fill:red}}'), filled('#ff0000'));
check(':nth-child()', `<style>rect:nth-child(2){fill:red}</style><rect/>`, filled('#ff0000'));
check(':not(), :is()', rect('', 'rect:not(.b):is(.a,.c){fill:red}'), filled('#ff0000'));
check('combinators', '<style>g > rect{fill:red}</style><g><rect/></g>', `<g>${filled('#ff0000')}</g>`);
check('specificity over order', rect('', 'rect.a{fill:red}.a{fill:blue}'), filled('#ff0000'));
check(
  'a rule over an attribute, !important over style',
  '<style>rect{fill:red!important}</style><rect fill="blue" style="fill:lime"/>',
  filled('#ff0000'),
);
check('sizes in styles', '<circle style="r:calc(2px + 3px);cx:1rem"/>', '<circle r="5px" cx="16"></circle>');
test('the background of the root', () => {
  const { text } = plain('<rect/>', 'width="80" height="80" style="background:#fff"');
  expect(text).toBe('<rect x="-100000" y="-100000" width="200000" height="200000" fill="#ffffff"></rect><rect></rect>');
});

const moved = (style: string) =>
  /transform="matrix\(([^)]*)\)"/
    .exec(plain(`<rect x="40" y="40" width="30" height="30" style="${style}"/>`).text)?.[1]
    ?.split(' ')
    .map((value) => +Number(value).toFixed(3))
    .join(' ');
test.each([
  ['transform:rotate(90deg);transform-box:fill-box;transform-origin:center', '0 1 -1 0 110 0'],
  ['transform:rotate(90deg);transform-origin:50% 50%', '0 1 -1 0 80 0'],
  ['rotate:90deg;transform-box:fill-box;transform-origin:center', '0 1 -1 0 110 0'],
  ['scale:2;transform-box:fill-box', '2 0 0 2 -40 -40'],
  ['translate:10px 50%;transform-box:fill-box', '1 0 0 1 10 15'],
  ['rotate:.25turn', '0 1 -1 0 0 0'],
  ['transform:rotate(90)', undefined],
])('%s', (style, expected) => expect(moved(style)).toBe(expected));

test('what cannot be drawn is named', () => {
  const left = (body: string) => plain(body).leftOut;
  expect(left('<foreignObject><div/></foreignObject>')).toEqual(['<foreignObject>']);
  expect(left('<text><textPath href="#p">a</textPath></text>')).toEqual(['<textPath>']);
  expect(left('<rect style="clip-path:circle(4px)"/>')).toEqual(['clip-path: circle(4px)']);
  expect(left('<rect fill="rgb(from red r g b)"/>')).toEqual(['fill: rgb(from red r g b)']);
  expect(left('<g style="transform:rotateX(20deg)"/>')).toEqual(['transform: rotateX(20deg)']);
  expect(left('<circle r="9" pathLength="4" stroke-dasharray="1"/>')).toEqual(['pathLength of <circle>']);
  expect(left('<style>@font-face{font-family:a}</style>')).toEqual(['@font-face']);
  expect(left('<defs><font><font-face font-family="a"/><glyph unicode="a"/></font></defs>')).toEqual(['<font>']);
  expect(left('<switch><foreignObject><p/></foreignObject><rect/></switch>')).toEqual(['<foreignObject>']);
});

test('custom properties that multiply have no value', () => {
  const chain = Array.from({ length: 20 }, (_, i) => `--v${i + 1}:var(--v${i}) var(--v${i})`).join(';');
  expect(plain(`<rect style="--v0:aaaaaaaaaa;${chain};stroke-dasharray:var(--v20)"/>`).text).toBe('<rect></rect>');
});

async function drawn(body: string, x: number, y: number): Promise<string> {
  const file = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80">${body}</svg>`;
  const { bytes } = await readSvgImage(Buffer.from(file));
  return colorAt(await drawSvg(bytes, { x: 0, y: 0, ...SIZE }, SIZE), x, y);
}

const GIF = 'data:image/gif;base64,R0lGODlhAQABAIAAANFAGwAAACwAAAAAAQABAAACAkQBADs=';
test.each([
  ['grayscale()', '<rect width="80" height="80" fill="#178a4c" style="filter:grayscale(1)"/>', '109,109,109,255'],
  [
    'invert(), as one of several',
    '<rect width="80" height="80" fill="#178a4c" style="filter:brightness(1) invert(1)"/>',
    '232,117,179,255',
  ],
  ['a GIF', `<image width="80" height="80" href="${GIF}"/>`, '209,64,27,255'],
  [
    'feImage',
    `<filter id="f" x="0" y="0" width="1" height="1"><feImage href="${GIF}" preserveAspectRatio="none"/></filter><rect width="80" height="80" filter="url(#f)"/>`,
    '209,64,27,255',
  ],
])('%s', async (_, body, expected) => expect(await drawn(body, 40, 40)).toBe(expected));

const MARKER =
  '<marker id="m" markerWidth="4" markerHeight="4" refY="2" orient="auto-start-reverse"><rect width="4" height="4" fill="context-stroke"/></marker>';
const LINE = '<path d="M40 20H60" stroke="#d1401b" stroke-width="4" marker-start="url(#m)"/>';
test('a marker takes the paint of its line, and is turned at its start', async () => {
  expect(await drawn(MARKER + LINE, 30, 20)).toBe('209,64,27,255');
  expect(await drawn(MARKER + LINE, 50, 14)).toBe('0,0,0,0');
});
test('a marker that is turned at the start follows its line at the end, with its own paint too', async () => {
  const RED = '209,64,27,255';
  const down = '<path d="M40 20V40" stroke="#d1401b" stroke-width="4" marker-end="url(#m)"/>';
  for (const marker of [MARKER, MARKER.replace('context-stroke', '#d1401b')])
    expect([await drawn(marker + down, 36, 52), await drawn(marker + down, 52, 36)]).toEqual([RED, '0,0,0,0']);
});
test('a stroke that does not scale', async () => {
  const line =
    '<g transform="scale(10)"><path d="M0 4H8" stroke="#d1401b" stroke-width="2" vector-effect="non-scaling-stroke"/></g>';
  expect([await drawn(line, 40, 35), await drawn(line, 40, 40)]).toEqual(['0,0,0,0', '209,64,27,255']);
});
