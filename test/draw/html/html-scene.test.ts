import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { compose } from '#core/compose.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import type { SceneNode } from '#core/resolve/scene.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { htmlScene } from '#draw/html/html-scene.ts';
import { loadNeeds } from './pages.ts';

const template = (more: object) =>
  HtmlTemplate.parse({ name: 'page', engine: 'html', renderer: 'platen', width: 400, height: 300, ...more });

const noSheet = (address: string): Promise<string> =>
  Promise.reject(new AppError('url_not_allowed', `There is no ${address}.`));

const sceneOf = (more: object, values = {}, output: 'png' | 'pdf' = 'png', options = {}, readText = noSheet) =>
  htmlScene(resolveHtml(template(more), values), output, options, readText);

const wordsIn = (nodes: readonly SceneNode[]): string =>
  nodes
    .map((node) =>
      node.type === 'frame'
        ? wordsIn(node.children)
        : node.type === 'text'
          ? `${node.spans.map(({ text }) => text).join('')}\n`
          : '',
    )
    .join('');

test('fills layers, and warns of those that are not there', async () => {
  const { scene } = await sceneOf(
    { html: '<p data-layer=title>Old<p data-layer=gone>Gone' },
    { title: '<b>New</b>', gone: false, other: 'x' },
  );
  expect(wordsIn(scene.nodes)).toBe('<b>New</b>\n');
  expect(scene.diagnostics.map(({ code }) => code)).toEqual(['unknown-layer']);
});

test('reads a float and what is raised where they stand in the page, though they are painted in other layers', async () => {
  const { scene } = await sceneOf({
    html: '<h1>One</h1><p style="position:relative">Two<div style="float:left"><h2>Three</h2></div><p>Four',
  });
  const { resources } = await loadNeeds(scene.needs);
  const { list } = compose(scene, resources);
  const painted = list.ops.flatMap((op) => (op.kind === 'glyphs' ? [op.run.text] : []));
  expect(painted).toEqual(['Three', 'One', 'Four', 'Two']);
  const layers = list.reading?.map((role) => ('layer' in role ? role.layer : ''));
  expect(layers).toEqual(['h1 2', 'text 1', 'h2 2', 'text 2']);
});

test('on sheets, what has a negative level is behind what flows', async () => {
  const html =
    '<style>@page{size:A5}</style><b style="position:fixed;top:0;left:0;z-index:-1">mark</b><p>words<i style="position:fixed;top:0;left:0">top';
  const { scene } = await sceneOf({ html }, {}, 'pdf');
  expect(wordsIn(scene.nodes)).toBe('mark\nwords\ntop\n');
});

test('shows the placeholder of each field in which nothing is written', async () => {
  const fields = ['<input placeholder=a>', '<input value="" placeholder=b>', '<textarea placeholder=c></textarea>'];
  const others = '<input value=d placeholder=x><textarea placeholder=x>e</textarea><input type=submit placeholder=x>';
  const { scene } = await sceneOf({ html: `<style>input,textarea{display:block}</style>${fields.join('')}${others}` });
  expect(wordsIn(scene.nodes).match(/\w+/g)).toEqual(['a', 'b', 'c', 'd', 'e', 'Submit']);
});

const firstSpans = async (html: string, nodes?: readonly SceneNode[]): Promise<readonly string[]> => {
  const all = nodes ?? (await sceneOf({ html })).scene.nodes;
  const found = all.find((node) => node.type === 'text');
  if (found?.type === 'text') return found.spans.map(({ text }) => text);
  return firstSpans(
    html,
    all.flatMap((node) => (node.type === 'frame' ? node.children : [])),
  );
};

test.each([
  ['<p>Words', ['W', 'ords']],
  ['<p> “Words”', ['“W', 'ords”']],
  ['<p>«E\u0301» x', ['«E\u0301»', ' x']],
  ['<p>123', ['1', '23']],
  ['<p><b>Bo</b>ld', ['B', 'o', 'ld']],
  ['<p><i style="display:inline-block">i</i> x', ['\ufffc', ' x']],
  ['<p>', []],
])('the first letter of %s', async (html, spans) => {
  const own = '<style>p::first-letter{color:red}</style>';
  if (spans.length > 0) expect(await firstSpans(own + html)).toEqual(spans);
  else expect((await sceneOf({ html: own + html })).scene.diagnostics).toEqual([]);
});

test('skips and counts what CSS does not know, and names what is not drawn in one warning', async () => {
  const html =
    '<p style="-webkit-foo: 1; colour: red; mso-line-height-rule: exactly; transform: rotate3d(1, 1, 0, 9deg); clip-path: path(0)">x';
  const { scene } = await sceneOf({ html });
  expect(scene.diagnostics.map(({ message }) => message)).toEqual([
    'css: these are not drawn as written: transform: rotate3d(); clip-path: path(0).',
    'css: 3 properties are unknown or of one browser, and skipped: -webkit-foo, colour, mso-line-height-rule.',
  ]);
});

test.each([
  ['writing-mode: vertical-rl', 'writing-mode: vertical-rl'],
  ['perspective: 500px', 'perspective: 500px'],
  ['mask-image: linear-gradient(red, #0000); mask-clip: fill-box', 'mask-image'],
  ['border: 3px ridge', 'border-top-style: ridge'],
  ['background: linear-gradient(45deg, 1px red, blue)', 'background-image: linear-gradient(45deg, 1px red, blue)'],
  ['background: radial-gradient(-1px 2px, red, blue)', 'background-image: radial-gradient(-1px 2px, red, blue)'],
  ['display: inline; text-shadow: 1px 1px red', 'text-shadow: of some words of a line'],
  ['background-attachment: fixed', 'background-attachment: fixed'],
  ['font-size-adjust: 0.7', 'font-size-adjust: 0.7'],
  ['font-variant-position: super', 'font-variant-position: super'],
  ['text-indent: 20%', 'text-indent: calc(0px + 20%)'],
  ['text-indent: 2px hanging', 'text-indent: 2px hanging'],
  ['text-underline-position: under', 'text-underline-position: under'],
  ['align-items: last baseline', 'align-items: last baseline'],
  ['contain: paint', 'contain: paint'],
  ['content-visibility: hidden', 'content-visibility: hidden'],
  ['text-box: trim-both cap alphabetic', 'text-box: trim-both'],
  ['corner-shape: bevel', 'corner-shape: bevel'],
  ['background: rgb(from red r g b / 40%)', 'background-color: rgb(from red r g b / 40%)'],
  ['display: list-item; list-style-type: armenian', 'list-style-type: armenian'],
  ['padding: 5%; background: red content-box', 'content-box with padding in percent'],
  ['display: inline; background: url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)', 'of an inline element'],
])('%s is named', async (style, named) => {
  const { scene } = await sceneOf({ html: `<p style="${style}">x` });
  expect(scene.diagnostics.map(({ message }) => message).join()).toContain(named);
  const usual = {
    html: '<p style="columns:2;background:url(data:image/gif;base64,R0lGODlhAQABAAAAACw=) 1px 2px/3px round;outline:none;border:1px solid;vertical-align:top;zoom:1;text-emphasis:none;contain:layout style;font-synthesis:none;clip:rect(0 0 0 0);filter:opacity(0.5);background-clip:content-box;background-origin:border-box">x',
  };
  expect((await sceneOf(usual)).scene.diagnostics).toEqual([]);
});

test.each([
  ['<input type=checkbox checked style="appearance:none">', 'appearance: none of <input>'],
  ['<progress value=1 style="background:red"></progress>', 'appearance: none of <progress>'],
  ['<input type=date value=2026-11-30>', 'appearance: auto of a field of date'],
  ['<ruby>a<rt>b</ruby>', 'display: ruby'],
  ['<table><tr style="visibility:collapse"><td>a</table>', 'visibility: collapse of a row'],
])('%s is named', async (html, named) => {
  const { scene } = await sceneOf({ html });
  expect(scene.diagnostics.map(({ message }) => message).join()).toContain(named);
});

test('fills letters, and clips old boxes, as they are asked to', async () => {
  const html = '<p style="color:blue;-webkit-text-fill-color:red;-webkit-text-stroke:2px green;border:1px solid">x';
  const { scene } = await sceneOf({ html });
  expect(JSON.stringify(scene.nodes)).toContain(
    '"fill":{"kind":"solid","color":{"r":255,"g":0,"b":0,"a":1}},"stroke":{"fill":{"kind":"solid","color":{"r":0,"g":128,"b":0,"a":1}},"width":2,"isOver":true}',
  );
  // The colour of the rest is the element's own.
  expect(JSON.stringify(scene.nodes)).toContain(
    '"border":{"width":1,"color":{"r":0,"g":0,"b":255,"a":1},"style":"solid"}',
  );
  const hidden = '<b style="position:absolute;clip:rect(1px, 20px, auto, 0)">x</b>';
  expect(JSON.stringify((await sceneOf({ html: hidden })).scene.nodes)).toContain(
    '"clip":{"kind":"polygon","points":[{"x":{"kind":"px","value":0},"y":{"kind":"px","value":1}},{"x":{"kind":"px","value":20},"y":{"kind":"px","value":1}}',
  );
});

test('a PDF is on the sheets of @page, a picture on the canvas', async () => {
  const html = '<style>@page{size:A5;margin:1in;@bottom-center{content:"Page " counter(page)}}</style><p>x';
  const onPaper = await sceneOf({ html }, {}, 'pdf');
  expect(onPaper.scene.page).toMatchObject({ size: 'A5', margin: { top: 96, right: 96, bottom: 96, left: 96 } });
  expect(wordsIn(onPaper.scene.nodes)).toBe('x\nPage \n');
  const onCanvas = await sceneOf({ html });
  expect(onCanvas.scene).toMatchObject({ page: null, width: 400, height: 300 });
});

test('`pdf` says the sheets where the page does not', async () => {
  const own = await sceneOf({ html: '<p>x', pdf: { format: 'A4', margin: '10mm' } }, {}, 'pdf');
  expect(own.scene.page?.size).toEqual([8.27 * 96, 11.7 * 96]);
  const asked = await sceneOf({ html: '<p>x' }, {}, 'pdf', { pdf: { format: 'Letter' } });
  expect(asked.scene.page?.size).toEqual([816, 1056]);
  expect(() => template({ html: 'x', pdf: { scale: 2 } })).toThrow('scale is for renderer \\"chromium\\"');
});

test('reads style sheets of other addresses, and leaves out those that it may not', async () => {
  const html =
    '<link rel=stylesheet href="https://host.example/a.css"><link rel=stylesheet href="https://host.example/b.css"><p>x';
  const read = async (address: string) => (address.endsWith('a.css') ? 'p{display:none}' : noSheet(address));
  const { scene } = await sceneOf({ html }, {}, 'png', {}, read);
  expect(wordsIn(scene.nodes)).toBe('');
  expect(scene.diagnostics.map(({ message }) => message)).toEqual([
    'html, line 1: <link> "https://host.example/b.css" is left out: There is no https://host.example/b.css.',
  ]);
});

test('sheets of other addresses stand where they are linked, and name files beside them', async () => {
  const sheets: Readonly<Record<string, string>> = {
    'https://host.example/css/a.css':
      '@import "more/b.css";p{color:red;background:url(../a.png)}@font-face{font-family:F;src:url(f.woff2)}',
    'https://host.example/css/more/b.css': 'section{height:1px;background:url("b.png")}',
  };
  const read = async (address: string) => sheets[address] ?? noSheet(address);
  const html =
    '<style>p{color:blue}</style><link rel=stylesheet href="https://host.example/css/a.css"><style>p{font-size:20px}</style><p>x</p><section>';
  const { scene, faces } = await sceneOf({ html }, {}, 'png', {}, read);
  expect(scene.needs.images).toEqual([
    expect.objectContaining({ sources: ['https://host.example/a.png'] }),
    expect.objectContaining({ sources: ['https://host.example/css/more/b.png'] }),
  ]);
  expect(faces[0]?.sources).toEqual(['https://host.example/css/f.woff2']);
  expect(JSON.stringify(scene.nodes)).toContain('{"r":255,"g":0,"b":0,"a":1}');
  const others = '<link rel="alternate stylesheet" href=x.css><link rel=stylesheet disabled href=y.css><p>x';
  expect((await sceneOf({ html: others }, {}, 'png', {}, read)).scene.diagnostics).toEqual([]);
});

test('overflow of the body is that of the canvas, unless the root has one', async () => {
  const cut = async (css: string) => {
    const { scene } = await sceneOf({ html: `<style>${css}</style><p>x` });
    return JSON.stringify(scene.nodes).includes('"clip":true');
  };
  expect(await cut('body{overflow:hidden}')).toBe(false);
  expect(await cut('html{overflow:auto}body{overflow:hidden}')).toBe(true);
  expect(await cut('p{overflow:hidden}')).toBe(true);
});

test('an animation that keeps its end is drawn at it, and one that is not known is named', async () => {
  const frames = '@keyframes in{from{opacity:0}to{opacity:.5;width:50px}}@-webkit-keyframes out{0%{opacity:0}}';
  const drawn = async (css: string) => {
    const { scene } = await sceneOf({ html: `<style>${frames}p{opacity:.2;${css}}</style><p>x` });
    const opacities = JSON.stringify(scene.nodes).matchAll(/"opacity":([\d.]+)/g);
    return [
      Math.min(...Array.from(opacities, ([, each]) => Number(each))),
      ...scene.diagnostics.map(({ message }) => message),
    ];
  };
  expect(await drawn('animation:in 1s ease .2s forwards')).toEqual([0.5]);
  expect(await drawn('animation:out 1s both')).toEqual([0.2]);
  expect(await drawn('animation:in 1s')).toEqual([0.2]);
  expect(await drawn('animation:other 1s forwards')).toEqual([
    0.2,
    'css: these are not drawn as written: animation: other 1s forwards.',
  ]);
});

test('a drawing in a page has its opacity once, and gradients may have the prefix of WebKit', async () => {
  const { scene } = await sceneOf({
    html: '<style>svg{opacity:.5}</style><svg width=9 height=9><path d="M0 0h9v9z"/></svg>',
  });
  expect(JSON.stringify(scene.needs.images)).toContain(encodeURIComponent('opacity:1'));
  const gradient = async (value: string) =>
    JSON.stringify((await sceneOf({ html: `<p style="background:${value}">x` })).scene.nodes);
  const same: readonly (readonly [string, string])[] = [
    ['-webkit-linear-gradient(red,blue)', 'linear-gradient(red,blue)'],
    ['-webkit-linear-gradient(left top,red,blue)', 'linear-gradient(to right bottom,red,blue)'],
    ['-webkit-linear-gradient(30deg,red,blue)', 'linear-gradient(60deg,red,blue)'],
  ];
  for (const [old, now] of same) expect(await gradient(old)).toBe(await gradient(now));
});

test('imports of imported sheets are read, and no more than ten in all', async () => {
  const asked: string[] = [];
  const read = async (address: string) => {
    asked.push(address);
    return address === 'a.css'
      ? '@import "b.css" print;'
      : address === 'b.css'
        ? 'p{display:none}'
        : '@import "a0.css";';
  };
  const css = '@import url(a.css);';
  expect(wordsIn((await sceneOf({ html: '<p>x', css }, {}, 'png', {}, read)).scene.nodes)).toBe('x\n');
  expect(wordsIn((await sceneOf({ html: '<p>x', css }, {}, 'pdf', {}, read)).scene.nodes)).toBe('');
  asked.length = 0;
  const links = Array.from({ length: 4 }, (_, i) => `<link rel=stylesheet href="l${i}.css">`).join('');
  const { scene } = await sceneOf({ html: links }, {}, 'png', {}, read);
  expect([asked.length, scene.diagnostics.map(({ message }) => message)]).toEqual([
    10,
    [expect.stringContaining('a page has at most 10 style sheets')],
  ]);
});

test.each([
  ['png', {}, 'screen'],
  ['pdf', {}, 'print'],
  ['pdf', { pdf: { media: 'screen' } }, 'screen'],
  ['png', { pdf: { media: 'print' } }, 'print'],
] as const)('a page for %s with %o takes the rules of %s', async (output, options, media) => {
  const html = '<style>@media print{.screen{display:none}}@media screen{.print{display:none}}</style>';
  const { scene } = await sceneOf({ html: `${html}<p class=screen>screen<p class=print>print` }, {}, output, options);
  expect(wordsIn(scene.nodes)).toBe(`${media}\n`);
});

test('what sheets and their margins have and is not drawn is named', async () => {
  const css = '@page{size:A6;border:0;@top-left{content:"a"}}@page wide:first{size:A5}';
  const html = '<p style="position:running(head);width:3cap">x';
  const [message] = (await sceneOf({ html, css }, {}, 'pdf')).scene.diagnostics.map((each) => each.message);
  for (const named of ['@page: wide:first', 'running(head)', '3cap']) expect(message).toContain(named);
  expect(message).not.toContain('border');
});

test('gives the fonts that a page brings along', async () => {
  const css =
    '@font-face{font-family:"Own";font-weight:700;src:local(x),url(a.svg) format("svg"),url(a.woff2) format("woff2")}';
  const { faces } = await sceneOf({ html: 'x', css });
  expect(faces).toEqual([{ family: 'Own', weight: 700, style: null, sources: ['a.woff2'] }]);
});

test('refuses scripts, and pages of too many or too deep elements', async () => {
  await expect(sceneOf({ html: 'x', script: true })).rejects.toThrow(
    'script: scripts run with renderer "chromium" only',
  );
  await expect(sceneOf({ html: '<b>'.repeat(150_000).slice(0, 450_000) })).rejects.toThrow(/deep|elements/);
  await expect(sceneOf({ html: '<i></i>'.repeat(70_000) })).rejects.toThrow('more than 60000 elements');
});

test('words of a list are entries of it in a PDF, and headings have their level', async () => {
  const { scene } = await sceneOf({ html: '<h2>Head</h2><ul><li>one<li>two</ul>' });
  const texts: (readonly [string, number | null | undefined])[] = [];
  const visit = (node: SceneNode): void => {
    if (node.type === 'frame') node.children.forEach(visit);
    // The sign of an entry is a box in a line of its own.
    if (node.type === 'text' && node.spans.some(({ atom }) => !atom))
      texts.push([node.name, node.fragmentation?.heading]);
  };
  scene.nodes.forEach(visit);
  expect(texts).toEqual([
    ['h2 2', 2],
    ['list[1].text 1', null],
    ['list[2].text 1', null],
  ]);
});

/** The first node of a name, anywhere in the page. */
function nodeNamed(nodes: readonly SceneNode[], name: string): SceneNode | undefined {
  for (const node of nodes) {
    const inside = node.type === 'frame' ? nodeNamed(node.children, name) : undefined;
    if (node.name === name || inside) return inside ?? node;
  }
  return undefined;
}

test('generated content takes over custom properties', async () => {
  const html = '<style>:root{--c:#f00}p{--w:900}p::before{content:"A";color:var(--c);font-weight:var(--w)}</style><p>x';
  const { scene } = await sceneOf({ html });
  const text = scene.nodes.flatMap(function texts(node): readonly SceneNode[] {
    return node.type === 'frame' ? node.children.flatMap(texts) : [node];
  })[0];
  expect(text?.type === 'text' && text.spans[0]?.style).toMatchObject({
    fill: { color: { r: 255, g: 0, b: 0 } },
    font: { weight: 900 },
  });
});

test.each([
  ['translate: 10px 5%', { rotation: 0, transform: null, translate: { x: { value: 10 }, y: { value: 5 } } }],
  ['rotate: calc(30deg * -1)', { rotation: -30, transform: null, translate: undefined }],
  ['transform: translate(4px) rotate(90deg)', { rotation: 90, transform: null, translate: { x: { value: 4 } } }],
  ['transform: rotate(90deg) translate(4px)', { rotation: 0, transform: { steps: [{}, {}] } }],
  ['transform: rotate(90deg); transform-origin: 0 0', { rotation: 0, transform: { origin: { x: { value: 0 } } } }],
  ['scale: 50%', { rotation: 0, transform: { steps: [{ matrix: [0.5, 0, 0, 0.5, 0, 0] }] } }],
])('%s', async (style, wanted) => {
  const { scene } = await sceneOf({ html: `<div data-layer=box style="${style}">x</div>` });
  expect(scene.diagnostics).toEqual([]);
  const node = nodeNamed(scene.nodes, 'box');
  const found = {
    rotation: node?.rotation,
    transform: node?.css?.transform ?? null,
    translate: node?.placement.translate,
  };
  expect(found).toMatchObject(wanted);
});

test('what Chromium takes with its old prefix is taken', async () => {
  const style = '-webkit-transform:skewX(9deg);-webkit-border-radius:7px;-webkit-mask:linear-gradient(#000,#0000)';
  const { scene } = await sceneOf({ html: `<div data-layer=box style="${style};-moz-opacity:0">x</div>` });
  expect(scene.diagnostics.map(({ message }) => message)).toEqual([
    'css: 1 property is unknown or of one browser, and skipped: -moz-opacity.',
  ]);
  expect(nodeNamed(scene.nodes, 'box')).toMatchObject({
    ...{ opacity: 1, radii: { topLeft: 7 }, css: { transform: { steps: [{}] } } },
    mask: { fade: { kind: 'gradient', mode: 'alpha' } },
  });
});

test('logical borders, lines of grids, and words that a background shows through', async () => {
  const html = `<div data-layer=box style="border:2px solid #000;border-inline-color:#f00;border-start-start-radius:9px">x</div>
<div style="display:grid"><p data-layer=cell style="grid-column:span 4/span 4;grid-column-start:2">x</div>
<h1 style="background:linear-gradient(red,blue);background-clip:text;color:transparent">Letters</h1>`;
  const { scene } = await sceneOf({ html });
  expect(nodeNamed(scene.nodes, 'box')).toMatchObject({
    sideBorders: { top: { color: { r: 0 } }, right: { color: { r: 255 } }, left: { color: { r: 255 } } },
    radii: { topLeft: 9, topRight: 0 },
  });
  expect(nodeNamed(scene.nodes, 'cell')?.placement.grid).toMatchObject({ column: 1, columnSpan: 4 });
  const texts = scene.nodes.flatMap(function all(node): readonly SceneNode[] {
    return node.type === 'frame' ? node.children.flatMap(all) : [node];
  });
  const letters = texts
    .flatMap((node) => (node.type === 'text' ? node.spans : []))
    .find(({ text }) => text === 'Letters');
  expect(letters?.style.fill.kind).toBe('linear');
});

test('a drawing in the page has what the style sheet says of it', async () => {
  const html =
    '<style>svg{color:#0a0}circle{fill:currentColor;stroke-width:3}</style><svg width=9 height=9><circle r=3></svg>';
  const { scene } = await sceneOf({ html });
  const [source = ''] = scene.needs.images[0]?.sources ?? [];
  const drawing = decodeURIComponent(source);
  expect(drawing).toContain('color:rgb(0 170 0 / 1)');
  expect(drawing).toMatch(/<circle[^>]*style="fill:currentColor;stroke-width:3;?"/);
});

test('the opacity of inline elements fades their words, and boxes in them', async () => {
  const box = '<i style="display:inline-block;width:1px;height:1px"></i>';
  const { scene } = await sceneOf({
    html: `<p>a <span style="opacity:50%">b <b style="opacity:.5">c</b>${box}</span>`,
  });
  const text = nodeNamed(scene.nodes, 'text 1');
  if (text?.type !== 'text') throw new Error('There is no text.');
  const faded = text.spans.map(({ style, atom }) =>
    atom?.kind === 'box' ? atom.node.opacity : style.fill.kind === 'solid' && style.fill.color.a,
  );
  expect(faded).toEqual([1, 0.5, 0.25, 0.5]);
});

test.each([
  ['border-image: linear-gradient(red, blue) 1', 1, []],
  ['border-image: linear-gradient(red, blue) 10% / 3px', 0, ['border-image: linear-gradient(red, blue) 10% / 3px']],
  ['border-image-source: radial-gradient(red, blue)', 100, []],
  ['border-image: url(a.png) 30 round', 0, ['border-image: url(a.png) 30 round']],
])('%s', async (style, slice, lost) => {
  const { scene } = await sceneOf({ html: `<div data-layer=box style="border: 2px solid; ${style}">x` });
  const box = nodeNamed(scene.nodes, 'box');
  expect((box?.type === 'frame' && box.borderImage?.slices.left.value) || 0).toBe(slice);
  const begun = 'css: these are not drawn as written: ';
  expect(scene.diagnostics.map(({ message }) => message)).toEqual(lost.map((each) => `${begun}${each}.`));
});

test('boxes and baselines of pictures have whole pixels, and of documents boxes alone', async () => {
  expect((await sceneOf({ html: 'x' })).scene.snaps).toBe('all');
  const onPaper = await sceneOf({ html: '<style>@page{size:A4}</style>x' }, {}, 'pdf');
  expect(onPaper.scene.snaps).toBe('boxes');
});

test('the numbers of a list from right to left have their dots at the left', async () => {
  const { scene } = await sceneOf({ html: '<ol dir=rtl><li>א</ol>' });
  const marker = nodeNamed(scene.nodes, 'list[1].marker');
  expect(marker?.type === 'text' && [marker.spans[0]?.text, marker.direction]).toEqual(['1.\u00a0', 'rtl']);
});
