// Tests pages that satori draws otherwise than CSS says, each cause on its smallest page, by single pixels: Platen's own
// engine draws them, and a warning says so.
//
// The expected pixels were observed in Chromium.

import { expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { composePage, PHOTO } from './pages.ts';

async function draw(html: string, css = 'body{font-family:Inter;font-size:16px}') {
  const template = HtmlTemplate.parse({
    name: 'T',
    width: 100,
    height: 60,
    engine: 'html',
    renderer: 'satori',
    html,
    css,
    background: '#fff',
  });
  const { list, resources, diagnostics } = await composePage(resolveHtml(template, {}));
  const { pixels, width } = await rasterize(list, resources, 1);
  const at = (x: number, y: number) => [0, 1, 2].map((i) => pixels[(y * width + x) * 4 + i] ?? 0);
  return { at, warnings: diagnostics.map(({ message }) => message) };
}

const WHITE = [255, 255, 255];
const RED = [255, 0, 0];
const refusal = (html: string) =>
  draw(html).then(
    () => 'drawn',
    (error: Error) => error.message,
  );

test('the shadow of a box inside overflow: hidden is drawn, and cut as a whole', async () => {
  const box = '<div style="margin:10px;width:20px;height:20px;background:#fff;box-shadow:20px 0 0 red"></div>';
  const { at } = await draw(`<div style="overflow:hidden;width:40px;height:60px">${box}</div>`);
  expect([at(35, 20), at(45, 20), at(35, 50)]).toEqual([RED, WHITE, WHITE]);
  const blurred = box.replace('20px 0 0 red', '20px 0 8px red');
  const soft = await draw(`<div style="overflow:hidden;width:40px;height:60px">${blurred}</div>`);
  expect(soft.at(35, 20)).not.toEqual(WHITE);
  expect([soft.at(41, 20), soft.at(48, 20)]).toEqual([WHITE, WHITE]);
});

test('background-clip: text inside overflow: hidden', async () => {
  const text =
    '<div style="font-size:60px;line-height:1;background:red;background-clip:text;color:transparent">▮M</div>';
  const { at } = await draw(`<div style="overflow:hidden;width:30px;height:60px">${text}</div>`);
  const [inside, outside] = [[...Array(30).keys()], [...Array(60).keys()].map((x) => x + 40)];
  expect(inside.some((x) => at(x, 30).join() === RED.join())).toBe(true);
  expect(outside.every((x) => at(x, 30).join() === WHITE.join())).toBe(true);
});

test('the shadow of a transparent text', async () => {
  const { at } = await draw(
    '<div style="font-size:60px;line-height:1;color:transparent;text-shadow:0 0 0 red">MM</div>',
  );
  expect([...Array(100).keys()].some((x) => at(x, 30).join() === RED.join())).toBe(true);
});

test('an opaque text with a shadow is its own colour over the background that it is a window for', async () => {
  const { at } = await draw(
    '<div style="font-size:60px;line-height:1;background:red;background-clip:text;color:#00f;text-shadow:0 0 1px #0f0">▮M</div>',
  );
  expect([...Array(100).keys()].some((x) => at(x, 30).join() === '0,0,255')).toBe(true);
});

/** The x positions of pixels in a row that are not white. */
const inked = ({ at }: Awaited<ReturnType<typeof draw>>, y: number) =>
  [...Array(100).keys()].filter((x) => at(x, y).join() !== WHITE.join());

test('bold and italic are made of a family that has neither', async () => {
  const drawn = (style: string) => draw(`<div style="font:60px/1 'Noto Sans Symbols 2';color:red;${style}">♞</div>`);
  const [plain, bold, shadow] = [
    await drawn(''),
    await drawn('font-weight:700'),
    await drawn('font-weight:700;color:transparent;text-shadow:0 0 0 red'),
  ];
  const width = inked(plain, 30).length;
  expect(inked(bold, 30).length).toBeGreaterThan(width);
  expect(inked(shadow, 30).length).toBe(inked(bold, 30).length);
  const italic = await drawn('font-style:italic');
  const shift = (y: number) => (inked(italic, y)[0] ?? 0) - (inked(plain, y)[0] ?? 0);
  expect(shift(20)).toBeGreaterThan(shift(45) + 3);
});

test('tab-size', async () => {
  const at = async (size: number) => {
    const page = `<div style="white-space:pre;tab-size:${size};font-size:20px;line-height:1">\tM</div>`;
    const drawn = await draw(page);
    return [...Array(100).keys()].find((x) => drawn.at(x, 10)[0] === 0) ?? -1;
  };
  const [two, eight] = [await at(2), await at(8)];
  expect(two).toBeLessThan(20);
  expect(eight).toBeGreaterThan(40);
});

test('clip-path inside overflow: hidden cuts the background too', async () => {
  const box = '<div style="width:60px;height:60px;clip-path:circle(20px);background:red"></div>';
  const { at } = await draw(`<div style="overflow:hidden;width:40px">${box}</div>`);
  expect([at(30, 30), at(2, 2), at(45, 30)]).toEqual([RED, WHITE, WHITE]);
});

test('clip-path alone does not cut at the box', async () => {
  const { at } = await draw(
    '<div style="width:10px;height:60px;clip-path:inset(0 -80px);font-size:60px;line-height:1;color:red">MM</div>',
  );
  expect([...Array(60).keys()].some((x) => at(x + 30, 30).join() === RED.join())).toBe(true);
});

test('a picture inside an inline <svg>', async () => {
  const { at } = await draw(`<svg width="60" height="60"><image href="${PHOTO}" width="60" height="60"/></svg>`);
  expect(at(30, 30)).not.toEqual(WHITE);
});

test('an SVG inside an inline <svg>', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="red"/></svg>';
  const uri = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const { at } = await draw(`<svg width="60" height="60"><image href="${uri}" width="60" height="60"/></svg>`);
  expect(at(30, 30)).toEqual(RED);
});

test('height: 100% of the outermost element is the canvas’s', async () => {
  expect((await draw('<div style="height:100%;background:red"></div>')).at(50, 59)).toEqual(RED);
});

const REFUSED: Readonly<Record<string, string>> = {
  'mask-composite: exclude': '<p style="mask-composite:exclude">x</p>',
  'contain: paint': '<div style="contain:paint">x</div>',
};
for (const [what, html] of Object.entries(REFUSED)) {
  test(`${what} is refused by name`, async () => {
    const message = await refusal(html);
    expect(message).toContain(what);
    expect(message).toContain('use renderer "chromium"');
  });
}

test('an SVG without a size is drawn where the background has one', async () => {
  const svg = `url("data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 9 9%22%3E%3Crect width=%229%22 height=%229%22 fill=%22red%22/%3E%3C/svg%3E")`;
  expect(
    (await draw(`<div style='height:60px;background:${svg};background-size:20px 20px'></div>`)).at(50, 50),
  ).toEqual(RED);
});

test('what is not done, or not shown, is told', async () => {
  expect((await draw('<p tw="flex" style="margin:0">x</p>')).warnings).toEqual([
    'html, line 1: "tw" is not an attribute without "tailwind": true. Browsers ignore that, and it was left out.',
  ]);
  expect(
    (await draw('<p data-layer="terms" style="font-size:30px;margin:0">More words than there is room for</p>'))
      .warnings,
  ).toEqual([
    expect.stringMatching(/^Layer "terms": the text "More words than there is room for" stands outside the canvas/),
  ]);
  expect(
    (
      await draw(
        '<div style="overflow:hidden;width:40px;white-space:nowrap;text-overflow:ellipsis">Cut by its box</div>',
      )
    ).warnings,
  ).toEqual([expect.stringMatching(/"Cut by its box" is cut by the box around it/)]);
  const low = (word: string) =>
    `<div style="height:20px;overflow:hidden;line-height:20px;font-size:24px">${word}</div>`;
  expect((await draw(low('gypsy'))).warnings).toEqual([expect.stringMatching(/"gypsy" is cut by the box around it/)]);
  expect((await draw(low('nose'))).warnings).toEqual([]);
});

test.each([
  ['opacity in percent', '<div style="width:40px;height:40px;background:red;opacity:0%"></div>', [20, 20], WHITE],
  [
    'calc() in a shadow',
    '<div style="margin:20px;width:20px;height:20px;box-shadow:0 0 0 calc(2px + 6px) red"></div>',
    [14, 30],
    RED,
  ],
  [
    'a negative angle by calc()',
    '<div style="margin:25px 20px;width:60px;height:10px;background:linear-gradient(90deg,red 50%,#fff 50%);rotate:calc(180deg * -1)"></div>',
    [70, 30],
    RED,
  ],
  [
    'text-wrap: nowrap',
    '<p style="margin:0;width:20px;font-size:20px;line-height:20px;text-wrap:nowrap">i <b style="background:red;color:red">MM</b></p>',
    [30, 10],
    RED,
  ],
  [
    'a transform-origin of one length',
    '<div style="margin:20px;width:40px;height:10px;background:red;rotate:90deg;transform-origin:0"></div>',
    [20, 50],
    RED,
  ],
  [
    'a picture in flexbox that keeps its width',
    `<div style="display:flex;width:60px"><img src="${PHOTO}" style="width:40px;height:40px"><p style="margin:0;flex:none;width:40px;height:40px;background:red"></p></div>`,
    [70, 20],
    RED,
  ],
  [
    'a saturation of more than 1',
    '<div style="width:40px;height:40px;background:#c04040;filter:saturate(3)"></div>',
    [20, 20],
    [255, 9, 9],
  ],
  [
    'a sector of a conic gradient',
    '<div style="width:60px;height:60px;background:conic-gradient(#00f 75%,red 75%)"></div>',
    [28, 27],
    RED,
  ],
  [
    'a fill by a rule',
    '<style>.x{fill:red}</style><svg class="x" width="40" height="40" viewBox="0 0 10 10"><path d="M0 0h10v10H0z"/></svg>',
    [20, 20],
    RED,
  ],
  [
    'two masks of which each hides something',
    '<div style="width:40px;height:40px;background:red;mask:linear-gradient(90deg,#000 50%,#0000 50%),linear-gradient(#000 50%,#0000 50%);mask-composite:intersect"></div>',
    [30, 10],
    WHITE,
  ],
  [
    'a custom property with an initial value',
    '<style>@property --c{syntax:"*";inherits:false;initial-value:linear-gradient(#000,#0000 50%)} div{mask-image:var(--c)}</style><div style="width:40px;height:40px;background:red"></div>',
    [20, 30],
    WHITE,
  ],
] as const)('%s', async (_name, html, [x, y], color) => {
  expect((await draw(html)).at(x, y)).toEqual([...color]);
});

/** Pixels as Chromium draws them. */
const AS_IN_CHROMIUM: readonly (readonly [
  name: string,
  html: string,
  css: string,
  ...pixels: (readonly [x: number, y: number, color: string])[],
])[] = [
  [
    'the background of the body covers the canvas',
    '<h1>T</h1>',
    'body{background:#0b1020}',
    [90, 2, '0b1020'],
    [2, 58, '0b1020'],
  ],
  [
    'also beside a margin of the body',
    '<p>T</p>',
    'body{margin:20px;background:#0b1020}',
    [2, 2, '0b1020'],
    [97, 57, '0b1020'],
  ],
  ['that of html does', '<h1>T</h1>', 'html{background:#0b1020}body{margin:20px}', [2, 2, '0b1020']],
  [
    'the background of html goes before that of the body',
    '<p>T</p>',
    'html{background:#fc0}body{background:#0b1020;height:20px;margin:0}',
    [90, 10, '0b1020'],
    [90, 40, 'ffcc00'],
  ],
  [
    'a gradient of the body is as large as the canvas',
    '<p>T</p>',
    'body{width:20px;background:linear-gradient(90deg,red 50%,blue 0)}',
    [40, 50, 'ff0000'],
    [60, 50, '0000ff'],
  ],
  [
    'tiles of the body are in its em',
    '<p></p>',
    'body{font-size:20px;margin:9px;background:linear-gradient(90deg,red 50%,blue 0) 0 0/2em 2em}',
    [18, 50, 'ff0000'],
    [22, 50, '0000ff'],
    [42, 50, 'ff0000'],
  ],
  [
    'attributes of the body',
    '<body bgcolor="0b1020" text="#ff0000"><p style="height:40px;margin:0;background:currentColor"></p>',
    '',
    [97, 57, '0b1020'],
    [10, 30, 'ff0000'],
  ],
  ['a rule goes before an attribute', '<body bgcolor=red>', 'body{background-color:lime}', [50, 50, '00ff00']],
  [
    'stops of a circle in px',
    '<div></div>',
    'div{width:100px;height:60px;background:radial-gradient(circle 40px,red 20px,#ddd 20px)}',
    [33, 30, 'ff0000'],
    [27, 30, 'dddddd'],
  ],
  [
    'stops in px and percent, and a middle',
    '<div></div>',
    'div{width:100px;height:60px;background:radial-gradient(circle 30px at 40px 30px,red 10px,#00f 10px 60%,lime 0)}',
    [45, 30, 'ff0000'],
    [54, 30, '0000ff'],
    [62, 30, '00ff00'],
  ],
  [
    'an ellipse with stops beyond its edge',
    '<div></div>',
    'div{width:100px;height:60px;background:radial-gradient(ellipse 20px 10px,red 30px,#00f 0)}',
    [75, 30, 'ff0000'],
    [85, 30, '0000ff'],
    [50, 42, 'ff0000'],
    [50, 48, '0000ff'],
  ],
  [
    'stops in px to the closest side',
    '<div></div>',
    'div{width:100px;height:60px;background:radial-gradient(closest-side,red 25px,#00f 0)}',
    [70, 30, 'ff0000'],
    [80, 30, '0000ff'],
  ],
  [
    'a grid of dots',
    '<div></div>',
    'div{width:100px;height:60px;background:radial-gradient(red 4px,#fff 5px) 0 0/20px 20px}',
    [30, 30, 'ff0000'],
    [20, 20, 'ffffff'],
  ],
  [
    'an inset shadow inside its border',
    '<div></div>',
    'div{width:60px;height:30px;border:10px solid #1b4fd1;box-shadow:inset 0 0 0 5px #d1401b}',
    [5, 25, '1b4fd1'],
    [12, 25, 'd1401b'],
    [17, 25, 'ffffff'],
  ],
  [
    'an inset shadow inside borders of two widths',
    '<div></div>',
    'div{width:60px;height:30px;border-left:20px solid #1b4fd1;border-top:5px solid #1b4fd1;box-shadow:inset 6px 0 #d1401b}',
    [17, 20, '1b4fd1'],
    [23, 20, 'd1401b'],
    [28, 20, 'ffffff'],
    [78, 20, 'ffffff'],
  ],
  [
    'an inset shadow inside a round border',
    '<div></div>',
    'div{width:60px;height:30px;border:10px solid #1b4fd1;border-radius:20px;box-shadow:inset 0 0 0 5px #d1401b}',
    [5, 25, '1b4fd1'],
    [12, 25, 'd1401b'],
    [14, 14, 'd1401b'],
  ],
  [
    'an inset shadow with a negative spread',
    '<div></div>',
    'div{width:60px;height:40px;background:#fff;box-shadow:inset 0 10px 0 -4px #d1401b}',
    [30, 3, 'd1401b'],
    [30, 8, 'ffffff'],
    [2, 30, 'ffffff'],
  ],
  [
    'an inherited line height in px',
    '<div style="line-height:24px"><h2>H</h2></div>',
    'h2{margin:0;font-size:40px;background:#d1401b}',
    [90, 22, 'd1401b'],
    [90, 26, 'ffffff'],
  ],
  [
    'an inherited line height in percent',
    '<div style="font:10px/200% Inter"><p>H</p></div>',
    'p{margin:0;font-size:5px;background:#d1401b}',
    [90, 18, 'd1401b'],
    [90, 22, 'ffffff'],
  ],
  [
    'two lines where an element stands in the text',
    '<p>One <b>two</b> three four five six seven eight nine ten</p>',
    'p{margin:0;width:90px;background:#e00;-webkit-line-clamp:2;display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden;font:16px/20px Inter}',
    [89, 39, 'ee0000'],
    [88, 55, 'ffffff'],
  ],
  [
    'a style sheet before the page is no child',
    '<style>p:first-child{background:#d1401b}</style><p>a</p><p>b</p>',
    'p{margin:0;font:20px/20px Inter}',
    [90, 10, 'd1401b'],
    [90, 30, 'ffffff'],
  ],
  [
    'a style sheet inside the body is one',
    '<div></div><style>p:nth-child(3){background:#d1401b}</style><p>a</p>',
    'p{margin:0;font:20px/20px Inter}',
    [90, 10, 'd1401b'],
  ],
];
for (const [name, html, css, ...pixels] of AS_IN_CHROMIUM) {
  test(`as in Chromium: ${name}`, async () => {
    const { at } = await draw(html, css);
    const hex = (x: number, y: number) =>
      at(x, y)
        .map((level) => level.toString(16).padStart(2, '0'))
        .join('');
    expect(pixels.map(([x, y]) => [x, y, hex(x, y)])).toEqual(pixels);
  });
}

/** The rows in which a column of the page has ink. */
const rowsOf = ({ at }: Awaited<ReturnType<typeof draw>>, xs: readonly number[]) =>
  [...Array(60).keys()].filter((y) => xs.some((x) => at(x, y).join() !== WHITE.join()));

test('superscripts stand higher and subscripts lower than the line', async () => {
  const rows = async (tag: string) =>
    rowsOf(
      await draw(`<p>▮<${tag}>▮</${tag}></p>`, 'p{margin:0;font:30px/50px Inter}'),
      [...Array(60).keys()].map((x) => x + 32),
    );
  const [line, sup, sub] = [await rows('span'), await rows('sup'), await rows('sub')];
  expect((sup.at(-1) ?? 99) < (line.at(-1) ?? 0)).toBe(true);
  expect((sub.at(-1) ?? 0) > (line.at(-1) ?? 99)).toBe(true);
});

test('background-clip: text on an inline element shows its text', async () => {
  const drawn = await draw(
    '<p>▮<span>M</span></p>',
    'p{margin:0;font:700 50px/60px Inter}span{background:red;background-clip:text;color:transparent}',
  );
  const { at } = drawn;
  const row = [...Array(100).keys()].map((x) => at(x, 30).join()).slice(40);
  expect([row.includes('255,0,0'), at(99, 2).join(), row.at(-1)]).toEqual([true, WHITE.join(), WHITE.join()]);
});

test('quotation marks of <q>', async () => {
  const width = async (html: string) => inked(await draw(html, 'p{margin:0;font:30px/60px Inter}'), 24).length;
  expect(await width('<p><q>I</q></p>')).toBe(await width('<p>“I”</p>'));
});

test('a shadow of some words of a line, which no engine draws, is told', async () => {
  expect((await draw('<p>a <b style="text-shadow:30px 0 0 red">b</b></p>')).warnings).toEqual([
    expect.stringContaining(
      'text-shadow of translucent letters, or of a part of a text, is outside of what satori draws',
    ),
    expect.stringContaining('text-shadow: of some words of a line'),
  ]);
});

test.each([
  ['<div style="display:flex;height:50px"><img src="PHOTO" width="30"></div>', [29, 45]],
  ['<div style="display:flex;height:50px"><svg width="30" viewBox="0 0 3 3"><path d="M0 0h3v3H0"/></svg></div>', null],
  ['<svg viewBox="0 0 20 10" style="color:red"><path d="M0 0h20v10H0" fill="currentColor"/></svg>', [95, 45]],
  ['<div style="display:flex"><svg height="2em" viewBox="0, 0,4 1"><path d="M0 0h4v1H0"/></svg></div>', [95, 16]],
] as const)('%s is as large as in browsers', async (html, inked) => {
  const { at } = await draw(html.replace('PHOTO', PHOTO), 'body{margin:0;font-size:16px}');
  // The drawing keeps its proportions in the box that is stretched.
  if (inked === null) expect([at(15, 5), at(15, 25), at(15, 45)]).toEqual([WHITE, [0, 0, 0], WHITE]);
  else expect(at(inked[0], inked[1])).not.toEqual(WHITE);
});
