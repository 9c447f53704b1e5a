// Tests pages drawn without a browser: what is drawn, what is refused, and that everything is fetched through the
// loader.

import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import type { LoadNeeds } from '#draw/html/compose-html.ts';
import { canary } from '../../server/net/servers.ts';
import { composePage, loadNeeds, PHOTO } from './pages.ts';

interface Wishes {
  readonly css?: string;
  readonly script?: boolean;
  readonly modifications?: Readonly<Record<string, unknown>>;
  readonly load?: LoadNeeds;
}

async function compose(html: string, { modifications = {}, load = loadNeeds, ...rest }: Wishes = {}) {
  const template = HtmlTemplate.parse({
    name: 'T',
    width: 200,
    height: 100,
    engine: 'html',
    renderer: 'satori',
    html,
    ...rest,
  });
  const composed = await composePage(resolveHtml(template, modifications), load);
  return { ...composed, words: wordsOf(composed.list), messages: composed.diagnostics.map(({ message }) => message) };
}

function* opsIn(ops: readonly PaintOp[]): Generator<PaintOp> {
  for (const op of ops) {
    yield op;
    if (op.kind === 'group') yield* opsIn(op.ops);
  }
}
const wordsOf = ({ ops }: DisplayList) =>
  [...opsIn(ops)].flatMap((op) => (op.kind === 'glyphs' ? op.run.text : [])).join(' ');
const imagesOf = ({ ops }: DisplayList) => [...opsIn(ops)].filter((op) => op.kind === 'image');

const refusal = (html: string, wishes?: Wishes) =>
  compose(html, wishes).then(
    () => 'drawn',
    (error: unknown) => (error instanceof AppError && error.code === 'invalid_request' ? error.message : error),
  );

for (const text of [
  '{{7*7}}',
  '$' + '{7*7}',
  '<script>1</script>',
  '<%= 7 %>',
  '&lt;b&gt; &amp;',
  '"\'`',
  '</p><style>*{display:none}</style>',
]) {
  test(`${JSON.stringify(text)} comes out verbatim`, async () => {
    const { words, messages } = await compose('<p data-layer=t style="white-space:nowrap;font:10px Inter">x</p>', {
      modifications: { t: text },
    });
    expect([words.replaceAll(' ', ''), messages]).toEqual([text.replaceAll(' ', ''), []]);
  });
}

test('letters are text in the faces that the page asks for', async () => {
  const { list, resources } = await compose(
    '<p style="font-family:Inter">a <b>b</b> <i style="font-family:monospace">c</i></p>',
  );
  const faces = [...opsIn(list.ops)].flatMap((op) => (op.kind === 'glyphs' ? op.run.face : []));
  expect(
    faces
      .map((key) => resources.fonts.face(key).file)
      .map(({ family, weight, style }) => `${family} ${weight} ${style}`),
  ).toEqual(['Inter 400 normal', 'Inter 700 normal', 'JetBrains Mono 400 italic']);
});

test('letters fill the room that was measured for them', async () => {
  const { list } = await compose('<p style="font:20px Inter;white-space:nowrap">Hamburg AVATAR <b>office 123</b></p>');
  const runs = [...opsIn(list.ops)].flatMap((op) => (op.kind === 'glyphs' ? [op] : []));
  const gaps = runs.slice(1).map((op, i) => op.origin.x - (runs[i]?.origin.x ?? 0) - (runs[i]?.run.width ?? 0));
  // Between two runs there is a space at most.
  for (const gap of gaps) expect(gap > -0.1 && gap < 6).toBe(true);
});

test('pictures keep their pixels and their proportions', async () => {
  const { list, resources } = await compose(`<img src="${PHOTO}" style="width:50px;height:50px;object-fit:cover">`);
  const [op] = imagesOf(list);
  const image = op && resources.images.get(op.image);
  // The box crops the picture by a clip.
  expect([op?.dest.height, op?.source.width, op && op.dest.width / op.dest.height]).toEqual([
    50,
    image?.width,
    expect.closeTo((image?.width ?? 0) / (image?.height ?? 1), 4),
  ]);
});

test('links are where their letters are', async () => {
  const { list } = await compose(
    '<a href="https://example.com/" style="display:block;width:80px;height:20px">x</a><a href="javascript:1">y</a>',
  );
  expect([...opsIn(list.ops)].filter((op) => op.kind === 'link')).toEqual([
    { kind: 'link', href: 'https://example.com/', rect: { x: 0, y: 0, width: 80, height: 20 } },
  ]);
});

test('what is odd is reported: layers, families and glyphs that there are none of', async () => {
  const { messages } = await compose('<p data-layer=title style="font-family:Intre">\u{13000}</p>', {
    modifications: { titel: 'x' },
  });
  expect(messages).toEqual([
    'The template has no layer "titel"; did you mean "title"?',
    expect.stringMatching(/^Font family "intre" is not known; did you mean "Inter"\? There are "Inter", /),
    'No font has a glyph for "\u{13000}".',
  ]);
});

test('a style is one value of one property', async () => {
  const style = (value: string) =>
    refusal('<p data-layer=a>x</p>', { modifications: { a: { style: { color: value } } } });
  for (const value of ['red;background:url(http://127.0.0.1/)', 'red}', '"', 'red/*', 'a{', 'url(']) {
    expect(await style(value)).toBe('style.color: is not one value of CSS.');
  }
  expect(await style('rgb(1 2 3 / .5)')).toBe('drawn');
});

test('what a style attribute calls important no rule overrides', async () => {
  const colorsOf = async (html: string, css: string) => {
    const { list } = await compose(html, { css });
    return [...opsIn(list.ops)].flatMap((op) =>
      op.kind === 'glyphs' && op.brush?.kind === 'solid' ? op.brush.color.r : [],
    );
  };
  const rules = '#i#i.a{color:rgb(1 0 0) !important} .a{color:rgb(2 0 0) !important}';
  expect(
    await colorsOf(
      '<p id=i class=a style="color:rgb(9 0 0)!important;margin:0">x</p><p class=a style="color:rgb(8 0 0)">y</p><p style="color:rgb(7 0 0) !IMPORTANT">z</p>',
      rules,
    ),
  ).toEqual([9, 2, 7]);
});

const cannot = (what: string) =>
  `${what} cannot be drawn with renderer "satori"; change it, or use renderer "chromium".`;
test('scripts', async () => expect(await refusal('x', { script: true })).toBe(cannot('script: true')));
test('a script that may rest does', async () => expect((await compose('<script>x</script>y')).words).toBe('y'));
test('what satori itself does not understand is told in its words', async () => {
  expect(await refusal('<p class=a>x</p>', { css: '.a{transform:nonsense(3px)}' })).toMatch(
    /nonsense[\s\S]*renderer "chromium"/,
  );
});
test('more tiles than a drawing may have', async () =>
  expect(
    await refusal(
      '<div style="width:200px;height:100px;background:linear-gradient(45deg,red 50%,blue 50%) 0 0/.5px .5px"></div>',
    ),
  ).toMatch(/50000 parts/));
test('a picture that cannot be had is named by its layer, or its line', async () => {
  const broken = (attributes: string) => `<p>\n<img ${attributes} width="9" src="data:image/png;base64,AAAA">`;
  expect((await compose(broken(''))).messages).toEqual([
    expect.stringMatching(/^Image of layer "html, line 2" could not be loaded: .* It was left out\.$/),
  ]);
  expect(await refusal(broken('data-required'))).toMatch(/^Image of layer "html, line 2" could not be loaded/);
  expect(await refusal(broken('data-required data-layer=photo'))).toMatch(/^Image of layer "photo"/);
});
test('a picture that cannot be had leaves the others in their places', async () => {
  const side = (px: number) =>
    `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${px}" height="9"/>`)}`;
  const img = (source: string) => `<img src="${source}" width="9" height="9">`;
  const drawing = '<svg width="7" height="9" viewBox="0 0 7 9"><path d="M0 0h7v9z"/></svg>';
  const { list, resources } = await compose(
    `${img('data:image/png;base64,AAAA')}${img(side(20))}${img(side(30))}${drawing}`,
  );
  expect(imagesOf(list).map(({ image }) => resources.images.get(image)?.width)).toEqual([20, 30, 7]);
});
test('an element named like a key of every object is drawn', async () => {
  expect((await compose('<constructor><b>x</b></constructor>')).words).toBe('x');
});
test('a picture in a drawing has its address of href, before that of xlink:href', async () => {
  const asked: string[] = [];
  const load: LoadNeeds = (needs) => {
    asked.push(...needs.images.flatMap(({ sources }) => sources));
    return loadNeeds(needs);
  };
  const red = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>'.replaceAll('"', "'");
  for (const both of [`href="${red}" xlink:href="${PHOTO}"`, `xlink:href="${PHOTO}" href="${red}"`]) {
    await compose(`<svg width="9" height="9"><image ${both} width="9" height="9"/></svg>`, { load });
  }
  const [first, inside, second, again] = asked;
  expect([first, second]).toEqual([red, red]);
  for (const drawing of [inside, again]) {
    expect(decodeURIComponent(drawing ?? '')).toContain('image/svg+xml;base64,');
    expect(decodeURIComponent(drawing ?? '')).not.toContain('image/jpeg');
  }
});
test('a layer is hidden and shown against any rule, and the important style of its own', async () => {
  const wordsOf = async (style: string, a: boolean, css = '') =>
    (await compose(`<p data-layer=a class=x style="${style}">x</p>`, { css, modifications: { a } })).words;
  const rule = '#i.x{display:block} .x{display:flex !important}';
  expect([
    await wordsOf('', false, rule),
    await wordsOf('display:flex !important', false, rule),
    await wordsOf('display:none !important', true),
    await wordsOf('display: NONE', true),
    await wordsOf('display:none', true, rule),
  ]).toEqual(['', '', 'x', 'x', 'x']);
});
test('no more text than can be laid out', async () => {
  expect(await refusal(`<p>${'a '.repeat(26_000)}</p>`)).toMatch(/52000 characters of text/);
  expect(await refusal(`<p>${'a'.repeat(3_000)}</p>`)).toMatch(/3000 characters without a place to break/);
});
test('a page that takes too long is stopped, and the next one is drawn', async () => {
  const rules = Array.from({ length: 2_500 }, (_, i) => `.a:not(.b${i}) ~ p:has(+ p + p) {color:#${100_000 + i}}`).join(
    '',
  );
  const started = performance.now();
  expect(await refusal('<p class=a>x</p>'.repeat(700), { css: rules })).toMatch(
    /^(The page was not laid out in 4 s\.|The server is busy.*|css: selectors that take this long .*|drawn)$/,
  );
  // Four times its 4 s where others have the processor, and then it may not be answered at once.
  expect(performance.now() - started).toBeLessThan(30_000);
  expect((await compose('<p>next</p>')).words).toBe('next');
});

test('nothing is fetched but by the loader, however an address is written', async () => {
  await using trap = await canary();
  const away = `http://127.0.0.1:${trap.port}/a.png`;
  const asked: string[] = [];
  const load: LoadNeeds = (needs) => {
    asked.push(...needs.images.flatMap(({ sources }) => sources));
    return loadNeeds({ ...needs, images: needs.images.map((need) => ({ ...need, sources: [PHOTO] })) });
  };
  const pages: readonly (readonly [string, string])[] = [
    [
      `<img src="${away}?1" width="9" height="9"><div style="background:url('${away}?2')">x</div>`,
      `p{background:url(${away}?3)}`,
    ],
    [`<div style="background-image:\\75rl(${away})">x</div>`, ''],
    ['<p class=a>x</p>', `.a{background:u\\72 l("${away}")} .a{list-style-image:\\55\\52\\4c(${away})}`],
    ['<p class=a>x</p>', `.a{--u:url(${away}?4);background:var(--u)} .b{content:url("${away}?5")}`],
    [`<svg width=9 height=9><image href="${away}?6" width=9 height=9 /></svg>`, ''],
    [`<input type=image src="${away}"><picture><source srcset="${away}"></picture><a ping="${away}">x</a>`, ''],
    [`<div style="background:url(//127.0.0.1:${trap.port}/) , url( ${away} )">x</div>`, ''],
    [`<div style="border-radius:9px;background:src('${away}')">x</div>`, `@import url(${away});`],
  ];
  for (const [html, css] of pages) await refusal(html, { css, load });
  expect(trap.hits()).toBe(0);
  expect(asked).toContain(`${away}?1`);
  for (const n of [2, 3, 4, 5, 6]) expect(asked).toContain(`${away}?${n}`);
});
