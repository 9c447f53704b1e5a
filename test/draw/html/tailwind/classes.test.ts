// Tests utility classes in html templates: their rules, what is refused, and the limits.

import { expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { checkHtmlTemplate } from '#draw/html/check-template.ts';
import { withClassesForBrowser } from '#draw/html/tailwind/page-classes.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { composePage } from '../pages.ts';

const SIZE = { width: 100, height: 60 };
const templateOf = (html: string, css = '', changes: Partial<HtmlTemplate> = {}) =>
  HtmlTemplate.parse({
    ...{ name: 'T', ...SIZE, engine: 'html', renderer: 'satori', tailwind: true, background: '#fff', html, css },
    ...changes,
  });

async function pixelOf(template: HtmlTemplate, x: number, y: number) {
  const { list, resources, diagnostics } = await composePage(resolveHtml(template, {}));
  const { pixels } = await rasterize(list, resources, 1);
  const at = 4 * (y * SIZE.width + x);
  // Classes are drawn by our own engine alone.
  const isTold = diagnostics.some(({ code }) => code === 'satori-subset');
  expect(isTold).toBe(template.tailwind);
  const others = diagnostics.filter(({ code }) => code !== 'satori-subset');
  return { color: [...pixels.subarray(at, at + 3)], warnings: others.map(({ message }) => message) };
}

const SKY = [0, 166, 244];
const PINK = [246, 51, 154];

test('classes are drawn, also those of the attribute tw', async () => {
  const html = '<div class="size-10 bg-sky-500"></div><div tw="size-5 bg-pink-500"></div>';
  expect((await pixelOf(templateOf(html), 20, 20)).color).toEqual(SKY);
  expect((await pixelOf(templateOf(html), 10, 50)).color).toEqual(PINK);
});

test('without "tailwind", classes are those of the style sheet alone, and tw is told of', async () => {
  const html = '<div class="size-10 bg-sky-500"></div><p tw="flex">x</p>';
  const { color, warnings } = await pixelOf(templateOf(html, '', { tailwind: false }), 20, 20);
  expect(color).not.toEqual(SKY);
  expect(warnings).toEqual([expect.stringContaining('"tw" is not an attribute without "tailwind": true')]);
});

test('a rule of the page wins over a class, and a class over the base styles', async () => {
  const html = '<p class="mt-5 h-10 bg-sky-500 mine"></p>';
  expect((await pixelOf(templateOf(html), 20, 30)).color).toEqual(SKY);
  expect((await pixelOf(templateOf(html), 20, 10)).color).toEqual([255, 255, 255]);
  expect((await pixelOf(templateOf(html, '.mine { background: #ff0000 }'), 20, 30)).color).toEqual([255, 0, 0]);
});

test('@theme adds to the theme, in both renderers, and keeps the lines of the style sheet', async () => {
  const css = '/* ours */ @theme {\n --color-brand: #ff0000;\n --spacing: 10px;\n}\n.mine { columns: 2 }';
  const html = '<div class="size-4 bg-brand"></div>';
  const themed = templateOf(html, css.replace('.mine { columns: 2 }', ''));
  expect((await pixelOf(themed, 38, 38)).color).toEqual([255, 0, 0]);
  expect((await withClassesForBrowser(resolveHtml(themed, {}))).template.css).toContain('--color-brand: #ff0000');
  await expect(checkHtmlTemplate(templateOf(html, css))).rejects.toThrow('css, line 5: the property columns');
  await expect(checkHtmlTemplate(templateOf(html, '@theme { p { color: red } }'))).rejects.toThrow(
    /tailwind: .*@theme/,
  );
  await expect(checkHtmlTemplate(templateOf(html, css, { tailwind: false }))).rejects.toThrow('@theme cannot be drawn');
});

test('@utility adds classes, which may have others by @apply; elsewhere @apply is refused by its line', async () => {
  const html = '<div class="mine"></div>';
  const css = '@utility mine {\n @apply size-10 bg-sky-500;\n}';
  expect((await pixelOf(templateOf(html, css), 38, 38)).color).toEqual(SKY);
  expect((await withClassesForBrowser(resolveHtml(templateOf(html, css), {}))).template.css).toContain('.mine {');
  const misplaced = templateOf(html, 'p { color: red }\np {\n @apply p-4 }');
  const said = 'css, line 3: @apply is read in @utility blocks only';
  await expect(checkHtmlTemplate(misplaced)).rejects.toThrow(said);
  await expect(withClassesForBrowser(resolveHtml(misplaced, {}))).rejects.toThrow(said);
});

test('breakpoints are those of the canvas', async () => {
  const html = '<div class="size-10 bg-sky-500 min-[90px]:bg-pink-500 min-[110px]:bg-black"></div>';
  expect((await pixelOf(templateOf(html), 20, 20)).color).toEqual(PINK);
});

test('rings, negative angles and percentages of opacity are computed', async () => {
  const ring = '<div class="m-4 size-5 ring-4 ring-sky-500"></div>';
  expect((await pixelOf(templateOf(ring), 13, 25)).color).toEqual(SKY);
  const turned = '<div class="m-4 h-2 w-10 origin-left -rotate-90 bg-sky-500"></div>';
  expect((await pixelOf(templateOf(turned, '', { height: 60 }), 16, 10)).color).toEqual(SKY);
  const faint = '<div class="size-10 bg-black opacity-0"></div>';
  expect((await pixelOf(templateOf(faint), 20, 20)).color).toEqual([255, 255, 255]);
});

test('before: shows its content, whatever other classes say of it', async () => {
  const html = '<div class="relative before:absolute before:size-10 before:bg-sky-500 md:before:size-5"></div>';
  expect((await pixelOf(templateOf(html), 30, 30)).color).toEqual(SKY);
});

test('a class that is not known, or never applies, is ignored', async () => {
  const html = '<div class="nothing-known size-10 bg-sky-500 hover:columns-3 print:columns-3 dark:bg-black"></div>';
  expect(await pixelOf(templateOf(html), 20, 20)).toEqual({ color: SKY, warnings: [] });
});

test('what cannot be drawn of a class is named', async () => {
  const html = '<p class="size-10 bg-sky-500 md:columns-3 perspective-near">x</p>';
  await expect(checkHtmlTemplate(templateOf(html))).resolves.toBeUndefined();
  const { color, warnings } = await pixelOf(templateOf(html), 38, 38);
  expect([color, warnings]).toEqual([
    SKY,
    [expect.stringMatching(/^css: these are not drawn as written: perspective/)],
  ]);
});

test('classes of the body are as in other elements', async () => {
  const html = '<body class="flex"><div class="size-5"></div><div class="size-10 bg-sky-500"></div></body>';
  expect((await pixelOf(templateOf(html), 55, 5)).color).toEqual(SKY);
});

test('a page has at most 2,000 different classes, and an overlong one is no class', async () => {
  const classes = Array.from({ length: 2_001 }, (_, i) => `p-${i}`).join(' ');
  await expect(checkHtmlTemplate(templateOf(`<p class="${classes}">`))).rejects.toThrow('at most 2000 are allowed');
  await expect(checkHtmlTemplate(templateOf(`<p class="p-[${'1'.repeat(300)}px]">`))).resolves.toBeUndefined();
});

test('classes that take long to compile, or make long sheets, are refused', async () => {
  const page = (name: (i: number) => string) =>
    templateOf(`<p class="${Array.from({ length: 1_500 }, (_, i) => name(i)).join(' ')}">`);
  const doubling = page((i) => `${'[:is(a,b)&,&_p]:'.repeat(9)}p-${i}`);
  await expect(checkHtmlTemplate(doubling)).rejects.toThrow(/not laid out in 4 s|more memory than it may/);
  const long = page((i) => `shadow-[${'0_0_1px_red,'.repeat(14)}0_0_${i}px_red]`);
  await expect(checkHtmlTemplate(long)).rejects.toThrow('at most 200000 are allowed');
  await expect(checkHtmlTemplate(templateOf('<p class="p-1">'))).resolves.toBeUndefined();
});

test('a browser gets the same sheet before the style sheet of the page, which cannot end its element', async () => {
  const html = `<p class="p-4 content-['&lt;/style&gt;']" tw='bg-sky-500'><script>x = 'flex'</script>`;
  const { template } = await withClassesForBrowser(resolveHtml(templateOf(html, 'p { color: red }'), {}));
  expect(template.css).toContain('.bg-sky-500 {');
  expect(template.css).toContain('.p-4 {');
  expect(template.css).not.toContain('</style');
  expect(template.css).not.toContain('.flex {');
  expect(template.css.endsWith('p { color: red }')).toBe(true);
  const scripted = templateOf(html, '', { renderer: 'chromium', script: true });
  expect((await withClassesForBrowser(resolveHtml(scripted, {}))).template.css).toContain('.flex {');
});
