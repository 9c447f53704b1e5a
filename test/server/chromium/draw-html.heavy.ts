import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { parse } from '#core/template/validation.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { withClassesForBrowser } from '#draw/html/tailwind/page-classes.ts';
import { DEFAULT_EXPORT, type ExportOptions, type Output } from '#draw/output/formats.ts';
import { drawHtml } from '#server/chromium/draw-html.ts';
import { pageFiles } from '#server/service/pages/page-files.ts';
import { placedWordsOf, poppler, sizesOf, wordsOf } from '../../golden/poppler.ts';
import { canary, guardFor } from '../net/servers.ts';
import { digest, hasChromium, openBrowsers, pixel, site, sizeOf } from './chromium.ts';

const library = await openFontLibrary({ folders: [] });
const browsers = openBrowsers({}, library);
afterAll(() => browsers[Symbol.asyncDispose]());

const GREEN = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#0f0' } })
  .png()
  .toBuffer();
/** A single upload of one account, found by id or by URL. */
const uploads = {
  read: async (source: string) => {
    if (!/^(img_mine|http:\/\/host\.example\/images\/img_mine\.png)$/.test(source)) throw new Error('no such image');
    return GREEN;
  },
};
const files = pageFiles(library, { read: (source) => uploads.read(source) }, 'http://host.example');

interface Wishes {
  readonly css?: string;
  readonly pdf?: HtmlTemplate['pdf'];
  readonly script?: boolean;
  readonly tailwind?: boolean;
  readonly background?: string;
  readonly modifications?: Readonly<Record<string, unknown>>;
  readonly output?: Output;
  readonly options?: Partial<ExportOptions>;
}
/** Draws a template of 200 × 100 px. Returns the drawing with the warnings about its modifications. */
async function draw(html: string, { modifications = {}, output = 'png', options = {}, ...rest }: Wishes = {}) {
  const template = HtmlTemplate.parse({ name: 'T', width: 200, height: 100, engine: 'html', html, ...rest });
  const page = await withClassesForBrowser(resolveHtml(template, modifications));
  const drawn = await browsers.run(10_000, (browser) =>
    drawHtml(browser, guardFor(['127.0.0.1/32']), page, output, { ...DEFAULT_EXPORT, ...options }, 5_000, files),
  );
  return { ...drawn, messages: drawn.diagnostics.map(({ message }) => message) };
}
const FILL = 'width:200px;height:100px';
const title = (text: string) => `<p style="font:16px sans-serif;margin:9px" data-layer=title>${text}</p>`;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

describe.skipIf(!hasChromium)('an html template in Chromium', () => {
  for (const [name, html] of [
    ['removes the body', '<p>x<script>onload=()=>document.body.remove()</script>'],
    ['removes the root', '<script>onload=()=>document.documentElement.remove()</script>'],
    [
      'makes a layer of no kind',
      `<script>
      const layer = document.createElementNS('urn:x', 'x');
      layer.setAttribute('data-layer', 'a');
      document.documentElement.append(layer);
    </script>`,
    ],
    [
      'names controls like what a form has',
      `<form data-layer=a style="overflow:hidden">x
      <input name=style><input name=getAttribute><input name=getBoundingClientRect><input name=closest>
      <input name=parentElement></form>`,
    ],
  ] as const) {
    for (const output of ['png', 'pdf'] as const) {
      test(`a template that ${name} is drawn, as ${output}`, async () => {
        const modifications = { a: { style: { color: 'red' }, hidden: false } };
        const { bytes } = await draw(html, { script: true, output, modifications });
        expect(bytes.length).toBeGreaterThan(50);
      });
    }
  }
  for (const text of [
    '{{7*7}}',
    '<script>document.body.innerHTML=1</script>',
    '$' + '{7*7}',
    '<img src=x onerror=alert(1)>',
    '&lt;b&gt; &amp;',
    '"\'`</p><style>*{display:none}</style>',
    '\u2028<!--',
  ]) {
    for (const script of [false, true]) {
      test(`${JSON.stringify(text)} comes out verbatim${script ? ', where scripts run' : ''}`, async () => {
        const shown = await draw(title('x'), { modifications: { title: text }, script });
        const written = await draw(title(escaped(text)), { script });
        expect(digest(shown.bytes)).toBe(digest(written.bytes));
      });
    }
  }
  test('takes the classes of Tailwind, of the body too, and of tw where a form hides its methods', async () => {
    const html = `<body class="flex justify-end bg-[#00f]"><form tw="size-10 bg-[#f00]"><input name=getAttribute hidden>
      <input name=setAttribute hidden></form></body>`;
    const { bytes } = await draw(html, { tailwind: true });
    expect([await pixel(bytes, 10, 10), await pixel(bytes, 190, 10)]).toEqual(['#0000ffff', '#ff0000ff']);
  });
  test('is as large as its canvas times the scale, and see-through', async () => {
    const { bytes } = await draw('<b>x</b>', { options: { scale: 2 } });
    expect([await sizeOf(bytes), await pixel(bytes, 399, 199)]).toEqual(['png 400×200', '#00000000']);
  });
  test('is white behind in a JPEG, and its own colour where it has one', async () => {
    const near = async (wishes: Wishes) => pixel((await draw('<b>x</b>', wishes)).bytes, 199, 99);
    expect([await near({ output: 'jpeg' }), await near({ background: '#00ff00' })]).toEqual(['#ffffffff', '#00ff00ff']);
  });
  test('is a PDF of one page with text', async () => {
    const { bytes } = await draw(title('Words'), { output: 'pdf' });
    const pdf = Buffer.from(bytes).toString('latin1');
    expect([
      /\/MediaBox \[0 0 150 7[45]/.test(pdf),
      pdf.match(/\/Type \/Page\b/g)?.length,
      pdf.includes('/FontFile'),
    ]).toEqual([true, 1, true]);
  });
  test('takes its css, and a style, an address, a flag as an object', async () => {
    const html = `<div data-layer=box class=b></div><div data-layer=over style="position:absolute;top:0;${FILL};background:red"></div>`;
    const { bytes } = await draw(html, {
      css: `.b { ${FILL}; background: blue }`,
      modifications: { box: { style: { backgroundColor: 'rgb(0 128 0)' } }, over: { hidden: true } },
    });
    expect(await pixel(bytes, 9, 9)).toBe('#008000ff');
  });
  test('a string is the source of an image', async () => {
    const green = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    const src = `data:image/png;base64,${green.toString('base64')}`;
    const { bytes } = await draw(`<img data-layer=photo style="${FILL}" src="data:," srcset="x 2x">`, {
      modifications: { photo: src },
    });
    expect(await pixel(bytes, 9, 9)).toBe('#00ff00ff');
  });
  test('scripts rest, and run where the template asks', async () => {
    const html = `<body style="${FILL};background:#f00"><script>document.body.style.background='#0f0'</script><img src=x onerror="document.body.style.background='#00f'">`;
    const shown = async (script: boolean) => pixel((await draw(html.replace(/<img.*/, ''), { script })).bytes, 99, 50);
    expect([await shown(false), await shown(true)]).toEqual(['#ff0000ff', '#00ff00ff']);
  });
  test('code is no layer, and an unknown name is reported', async () => {
    const { messages } = await draw(`<style data-layer=style></style><p data-layer=title>`, {
      modifications: { style: '*{display:none}', titel: 'x', title: { text: 'y', colour: 'red' } },
    });
    expect(messages).toEqual([
      'The template has no layer "style".',
      'The template has no layer "titel"; did you mean "title"?',
    ]);
  });
  test('files, and denied addresses, are left out', async () => {
    await using trap = await canary('127.0.0.2').catch(() => canary());
    const away = `http://127.0.0.2:${trap.port}/`;
    const html = `<iframe src="file:///etc/hostname"></iframe><img src="${away}"><link rel=stylesheet href="${away}"><style>@import url(${away});@font-face{font-family:f;src:url(${away})}body{font-family:f;background:url(http://169.254.169.254/)}</style>text`;
    const { bytes } = await draw(html, { script: true });
    expect([await sizeOf(bytes), trap.hits()]).toEqual(['png 200×100', 0]);
  });
  test('families of the catalogue are there by their names', async () => {
    const words = (family: string, style = '') => `<p style="font:40px ${family};margin:9px;${style}">Words</p>`;
    const drawn = async (html: string) => digest((await draw(html)).bytes);
    const unknown = await drawn(words("'No Such Family'"));
    const [playfair, again, bold, mono] = [
      await drawn(words("'Playfair Display'")),
      await drawn(words("'playfair display', 'No Such Family'")),
      await drawn(words("'Playfair Display'", 'font-weight:900')),
      await drawn(words("'JetBrains Mono'")),
    ];
    expect(new Set([unknown, playfair, bold, mono]).size).toBe(4);
    expect(again).toBe(playfair);
  });
  const line = (style: string, text: string) => `<p style="font:40px/60px ${style};margin:9px">${text}</p>`;
  /**
   * Expects every px to be nearly equal: system fonts are positioned and smoothed slightly differently from web fonts.
   */
  const same = async (html: string, other: string) => {
    const pixels = async (page: string) =>
      sharp((await draw(page, { background: '#fff' })).bytes)
        .blur(2)
        .raw()
        .toBuffer();
    const [one, two] = [await pixels(html), await pixels(other)];
    const far = one.filter((level, i) => Math.abs(level - (two[i] ?? 0)) > 48).length;
    expect(far, html).toBe(0);
  };
  test('fonts that nobody names are those of satori', async () => {
    const plain = '<p style="font-size:40px;line-height:60px;margin:9px">Words</p>';
    await same(plain, line("'Source Serif 4'", 'Words'));
    await same(line('serif', 'Words'), line("'Source Serif 4'", 'Words'));
    await same(line('sans-serif', 'Words'), line('Inter', 'Words'));
    await same(line('monospace', 'Words'), line("'JetBrains Mono'", 'Words'));
    await same(line("'No Such Family'", 'Words'), line('Inter', 'Words'));
    await same(line("'No Such Family', serif", 'Words'), line("'Source Serif 4'", 'Words'));
    await expect(same(line('serif', 'Words'), line('Inter', 'Words'))).rejects.toThrow();
  });
  const FALLBACKS = [
    ['中文', 'Noto Sans SC'],
    ['مرحبا', 'Noto Sans Arabic'],
    ['ไทย', 'Noto Sans Thai'],
    ['한국', 'Noto Sans KR'],
    ['☎', 'Noto Sans Symbols 2'],
  ] as const;
  for (const [text, family] of FALLBACKS) {
    test.skipIf(!library.families.includes(family))(`${text} is ${family}’s, also in a page in English`, async () => {
      await same(line('Inter', text), line(`Inter, '${family}'`, text));
      await same(`<html lang="en">${line('Inter', text)}`, line(`Inter, '${family}'`, text));
    });
  }
  const HAN = ['Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR'];
  test.skipIf(!HAN.every((family) => library.families.includes(family)))(
    'Han characters have the forms of the nearest language',
    async () => {
      const page = (outer: string, inner: string) =>
        `<html lang="${outer}"><div lang="${inner}">${line('Inter', '直骨')}</div>`;
      const set = (family: string) => line(`Inter, '${family}'`, '直骨');
      await same(page('en', 'zh-CN'), set('Noto Sans SC'));
      await same(page('zh', 'ja'), set('Noto Sans JP'));
      await same(page('ja', 'ko'), set('Noto Sans KR'));
      await expect(same(page('zh', 'ja'), set('Noto Sans SC'))).rejects.toThrow();
    },
  );
  test('an image that cannot be loaded is a warning, with its layer, and an error where it is required', async () => {
    const image = '<img data-layer=photo src="data:image/png;base64,AAAA" width=20 height=20>';
    expect((await draw(image)).messages).toEqual(['Image of layer "photo" could not be loaded and was left out.']);
    expect((await draw(image.replace(' data-layer=photo', ''))).messages).toEqual([
      'Image "data:image/png;base64,AAAA" could not be loaded and was left out.',
    ]);
    await expect(draw(image.replace('<img', '<img data-required'))).rejects.toThrow(
      'Image of layer "photo" could not be loaded; it is marked as required.',
    );
    expect((await draw(`<div style="background:url(img_other);${FILL}"></div>`)).messages).toEqual([
      expect.stringMatching(/img_other" could not be loaded and was left out\.$/),
    ]);
  });
  test('a PDF of a page that is higher than its canvas says so', async () => {
    const high = '<div style="height:150px;background:red"></div>';
    const message =
      'The page is 150 px high and the canvas 100 px: what is below is not in the PDF, which has one page. Set pdf.format for as many as it needs.';
    expect((await draw(high, { output: 'pdf' })).messages).toEqual([message]);
    expect((await draw(high.replace('150', '100'), { output: 'pdf' })).messages).toEqual([]);
    const words = title('Words<br>and<br>more<br>and<br>more<br>words');
    for (const output of ['pdf', 'png'] as const) {
      expect((await draw(words, { output })).messages).toEqual([
        expect.stringMatching(/^Layer "title": the text "words" stands outside the canvas/),
      ]);
    }
  });
  describe.skipIf(!poppler)('on sheets', () => {
    const rows = Array.from({ length: 60 }, (_, row) => `<tr><td>row${row}<td>12.00`).join('');
    const table = `<h1 data-layer=title>Invoice</h1><table><thead><tr><th>Item<th>Price</thead>${rows}</table>`;
    const footerTemplate =
      '<p style="font-size:9px;margin:auto">page <b class=pageNumber></b> of <b class=totalPages></b></p>';
    const sheets = { format: 'A5', margin: '20mm', footerTemplate } as const;

    test('a table flows over them, with its head on each', async () => {
      const { bytes, messages } = await draw(table, {
        output: 'pdf',
        options: { pdf: sheets },
        modifications: { title: 'Invoice 7' },
      });
      const words = wordsOf(bytes);
      expect([messages, sizesOf(bytes).length]).toEqual([[], 3]);
      expect([words.match(/row\d+/g)?.length, words.match(/Item/g)?.length]).toEqual([60, 3]);
      for (const text of ['Invoice 7', 'page 1 of 3', 'page 3 of 3']) expect(words).toContain(text);
    });
    test('as the template says, where the request says nothing else', async () => {
      const count = async (pdf: ExportOptions['pdf']) =>
        sizesOf((await draw(table, { pdf: sheets, output: 'pdf', options: { pdf } })).bytes);
      expect(await count(undefined)).toHaveLength(3);
      expect(await count({ pageRanges: '2' })).toHaveLength(1);
      expect(await count({ width: 800, height: 1_600 })).toEqual(Array(2).fill({ width: 800, height: 1_600 }));
    });
    test('what Chromium leaves out of its files is named, and what it cannot have is refused', async () => {
      const ask = (pdf: ExportOptions['pdf'], output: Output = 'pdf') =>
        draw(title('Words'), { output, options: { pdf } });
      const { messages } = await ask({ title: 'A', language: 'de', viewer: { fitWindow: true }, reproducible: true });
      expect(messages).toEqual([
        'pdf.language, pdf.viewer, pdf.reproducible: left out, as Chromium prints the page; it takes the language from <html lang>.',
      ]);
      expect((await ask({ language: 'de' }, 'png')).messages).toEqual([]);
      await expect(ask({ cropMarks: true })).rejects.toThrow('pdf.cropMarks is for templates of layers');
    });
    test('without any, rules for sheets move nothing', async () => {
      const css = '@page { margin: 20px }';
      const { bytes } = await draw(title('Words'), { output: 'pdf', css });
      expect(wordsOf(bytes)).toBe('Words');
      const left = placedWordsOf(bytes)[0]?.x ?? 0;
      expect(left).toBeCloseTo(9, 0);
    });
  });
  test('a PDF holds them', async () => {
    const { bytes } = await draw(`<p style="font:40px 'Playfair Display'">Words</p>`, { output: 'pdf' });
    expect(Buffer.from(bytes).toString('latin1')).toMatch(/FontName \/\w+\+PlayfairDisplay/);
  });
  test('uploaded images are there by id and by URL, in pages, styles and values', async () => {
    const image = (src: string) => `<img data-layer=photo style="display:block;${FILL}" src="${src}">`;
    const shown = async (html: string, modifications = {}) => pixel((await draw(html, { modifications })).bytes, 9, 9);
    expect([
      await shown(image('img_mine')),
      await shown(image('http://host.example/images/img_mine.png')),
      await shown(image('data:,'), { photo: 'img_mine' }),
      await shown(image('data:,'), { photo: { src: 'img_mine' } }),
      await shown(`<div style="${FILL};background:url(img_mine)">`),
    ]).toEqual(Array(5).fill('#00ff00ff'));
    expect([await shown(image('img_other')), await shown(image('http://platen.invalid/fonts/999'))]).not.toContain(
      '#00ff00ff',
    );
  });
  test('its scripts reach no server at all', async () => {
    await using server = await site({ '/': 'x' });
    await draw(
      `<script>fetch('${server.origin}/');new WebSocket('ws://127.0.0.1:${server.port}/');navigator.sendBeacon('${server.origin}/')</script>`,
      { script: true },
    );
    expect([...server.seen.keys()]).toEqual([]);
  });
});

for (const [renderer, pdf, message] of [
  ['chromium', { viewer: {} }, /^pdf: needs renderer "satori" for viewer; Chromium takes title, author/],
  ['satori', { format: 'A4' }, /^pdf: needs renderer "chromium" for format; satori draws one page/],
  ['chromium', { width: 9 }, /^pdf\.height: is needed beside width$/],
  ['chromium', { format: 'B7' }, /^pdf\.format: must be one of "A3", "A4"/],
] as const) {
  test(`a template with ${renderer} and ${JSON.stringify({ pdf })}`, () => {
    const template = { name: 'T', width: 9, height: 9, engine: 'html', html: '<p>x</p>', renderer, pdf };
    expect(() => parse(HtmlTemplate, template)).toThrow(message);
  });
}

const refused = (modifications: Record<string, unknown>, message: RegExp) => {
  const template = HtmlTemplate.parse({ name: 'T', width: 9, height: 9, engine: 'html', html: 'x' });
  expect(() => resolveHtml(template, modifications)).toThrow(message);
};
test('a list', () => refused({ a: [] }, /^modifications\.a: must be a string, a number, true, false or an object/));
test('a script as an address', () =>
  refused({ a: { href: 'javascript:alert(1)' } }, /^modifications\.a\.href: must be an http/));
test('a file as a source', () =>
  refused({ a: { src: 'file:///etc/passwd' } }, /^modifications\.a\.src: must be an http/));
test('a style that is no property', () =>
  refused({ a: { style: { 'x:y;z': '1' } } }, /is not the name of a CSS property/));
