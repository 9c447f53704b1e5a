// Tests the corrections of satori where it differs from CSS: each cause on its smallest page, by single pixels.
//
// The expected pixels were observed in Chromium.

import { expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { composeHtml } from '#html/compose-html.ts';
import { rasterize } from '#output/raster/rasterize.ts';
import { loadNeeds, PHOTO } from './pages.ts';

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
  const { list, resources, diagnostics } = await composeHtml(resolveHtml(template, {}), loadNeeds);
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
  const clipped = await drawn('font-weight:700;color:transparent;background:red;background-clip:text');
  expect(clipped.warnings).toEqual([
    'Font family "noto sans symbols 2" has no bold face, and none is made for background-clip: text; give the text a family that has one.',
  ]);
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

const STRETCHED = expect.stringMatching(/^html, line 1: <svg> has no (width|height) and keeps its proportions/);
const CIRCLE = (size: string) => `<svg ${size} viewBox="0 0 9 9"><circle r="4"/></svg>`;
const IN_FLEX: readonly [string, unknown][] = [
  [`<div style="display:flex;height:50px">${CIRCLE('width="30"')}</div>`, [STRETCHED]],
  [`<div style="display:flex">${CIRCLE('width="30"')}</div>`, []],
  [`<div style="display:flex">${CIRCLE('width="30"')}<p style="height:9px"></p></div>`, []],
  [`<div style="display:flex">${CIRCLE('width="30"')}<p style="height:40px"></p></div>`, [STRETCHED]],
  [`<div style="display:flex;align-items:center;height:50px">${CIRCLE('width="30"')}</div>`, []],
  [`<div style="display:flex;height:50px">${CIRCLE('width="30" style="align-self:start"')}</div>`, []],
  [`<div style="display:flex;height:50px">${CIRCLE('width="30" height="30"')}</div>`, []],
  [`<div style="display:flex;flex-direction:column">${CIRCLE('height="30"')}</div>`, [STRETCHED]],
  [`<style>.row{display:flex;height:50px}</style><div class="row">${CIRCLE('width="30"')}</div>`, [STRETCHED]],
];
for (const [html, expected] of IN_FLEX) {
  test(`a picture that browsers stretch is told of: ${html.slice(0, 60)}…`, async () => {
    expect((await draw(html)).warnings).toEqual(expected);
  });
}

test('height: 100% of the outermost element is the canvas’s', async () => {
  expect((await draw('<div style="height:100%;background:red"></div>')).at(50, 59)).toEqual(RED);
});

const REFUSED: Readonly<Record<string, string>> = {
  'a mask on an inline element': '<p>a <span style="mask-image:linear-gradient(#000,#0000)">word</span></p>',
  'mask-image in @container':
    '<style>@container (width > 9px) { p { mask-image: linear-gradient(#000,#0000) } }</style><p>x</p>',
  'mask-image on ::before': '<style>p::before { content: ""; mask-image: linear-gradient(#000,#0000) }</style><p>x</p>',
  'mask-composite: exclude': '<p style="mask-composite:exclude">x</p>',
  'contain: paint': '<div style="contain:paint">x</div>',
  'object-position: 1em 20px': '<img width="9" style="object-position:1em 20px" src="data:,">',
  'clip-path on an element with a transform':
    '<div style="clip-path:circle(9px);transform:rotate(9deg);width:50px;height:50px;background:red"></div>',
  'background with an SVG that has no width and height': `<div style='background:linear-gradient(red,blue),url("data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 9 9%22/%3E")'></div>`,
  'repeating-radial-gradient(circle':
    '<div style="background:repeating-radial-gradient(circle closest-side, red, blue 20%)"></div>',
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
    'html, line 1: the attribute tw (Tailwind CSS) was ignored; set "tailwind": true in the template.',
  ]);
  expect((await draw(`<img src="${PHOTO}">`)).warnings).toEqual([
    expect.stringContaining('<img> has no width and no height'),
  ]);
  const column = 'display:flex;flex-direction:column;font-size:10px';
  expect((await draw(`<div style="${column}"><p style="width:min-content">a b</p></div>`)).warnings).toEqual([
    expect.stringContaining('width: min-content makes it as high as one line'),
  ]);
  expect((await draw(`<style>.a{width:9px}</style><img class="a" src="${PHOTO}">`)).warnings).toEqual([]);
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
