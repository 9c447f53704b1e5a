// Tests documents as a whole: which layers are on which pages, where what flows begins and ends, and what is counted.

import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { composePages, type PageChoice } from '#core/compose.ts';
import { Landmarks } from '#core/fragmentation/landmarks.ts';
import { BoxPlacer, type Rest } from '#core/fragmentation/place-box.ts';
import type { TextBox } from '#core/layout/box.ts';
import { Pages } from '#core/pages/compose-pages.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { SHEETS } from '#core/template/page.ts';
import { parseTemplate } from '#core/template/template.ts';
import { resources } from '../scene-nodes.ts';
import { fontSet, hasFont, query, style } from '../text/faces.ts';

type Properties = Readonly<Record<string, unknown>>;

const words = (text: string, more: Properties = {}) => ({
  ...{ name: text, type: 'text', text, fontFamily: 'inter', fontSize: 10, lineHeight: 2 },
  ...more,
});
const counter = (name: string, ...counters: readonly string[]) =>
  words(name, { spans: counters.flatMap((each) => [{ counter: each }, { text: ' ' }]) });
const box = (name: string, height: number, more: Properties = {}) => ({
  name,
  type: 'shape',
  height,
  width: 50,
  ...more,
});
const flow = (...children: readonly Properties[]) => ({ name: 'flow', type: 'frame', flow: true, children });

/** Pages of 200 × 100 px. */
const document = (page: Properties, ...layers: readonly Properties[]) => ({
  name: 'T',
  page: { size: [200, 100], ...page },
  layers,
});

function compose(template: unknown, choice: PageChoice = {}, modifications: Properties = {}) {
  const scene = resolve(parseTemplate(template), modifications);
  const fonts = fontSet(style({ font: query('inter') }), style({ font: { ...query('inter'), weight: 400 } }));
  const { lists, diagnostics } = composePages(scene, { ...resources(), fonts }, choice);
  return { lists: [...lists], diagnostics };
}

/** Where things are: the text of a run and its baseline's start, or the top left of a filled box. */
function shown({ ops }: DisplayList): string[] {
  const round = (value: number) => Math.round(value * 10) / 10;
  const each = (op: PaintOp): string[] => {
    if (op.kind === 'glyphs') return [`${op.run.text.trim()} ${round(op.origin.x)}`];
    if (op.kind === 'group') return op.ops.flatMap(each);
    if (op.kind !== 'fill') return [];
    const [first, , third] = op.path.filter(([command]) => command !== 'Z');
    const [x, y] = first?.slice(-2) ?? [];
    const [right, bottom] = third?.slice(-2) ?? [];
    return [
      `${round(Number(x))},${round(Number(y))} ${round(Number(right) - Number(x))}×${round(Number(bottom) - Number(y))}`,
    ];
  };
  return ops.flatMap(each);
}
const pages = (template: unknown, choice: PageChoice = {}, modifications: Properties = {}) =>
  compose(template, choice, modifications).lists.map(shown);

test('what flows goes on within the margins, which the first page may have for itself', () => {
  const own = document({ margin: 10, first: { top: 40 } }, flow(...['a', 'b', 'c'].map((name) => box(name, 50))));
  expect(pages(own)).toEqual([['10,40 50×50'], ['10,10 50×50'], ['10,10 50×50']]);
});

test('a height in percent, of what flows, is of a page within its margins', () => {
  const page = (name: string) => box(name, 0, { height: '100%', breakBefore: 'page' });
  expect(pages(document({}, flow(page('a'), page('b'), box('c', 20))))).toEqual([
    ['0,0 50×100'],
    ['0,0 50×100'],
    ['0,0 50×20'],
  ]);
  const margins = { margin: 10, first: { top: 40 }, named: { wide: { size: [200, 60] } } };
  expect(pages(document(margins, flow(page('a'), box('b', 0, { height: '50%' }), page('c'))))).toEqual([
    ['10,40 50×50'],
    ['10,10 50×25'],
    ['10,10 50×50'],
  ]);
  expect(pages(document(margins, flow(box('a', 0, { height: '100%', page: 'wide' }))))).toEqual([['10,40 50×10']]);
  // Without `page`, it is a frame as any other, which is as high as what it holds.
  expect(pages({ name: 'T', width: 200, height: 100, layers: [flow(page('a'))] })).toEqual([[]]);
});

test('the last page may have margins for itself: what would only fit into others is divided', () => {
  const own = (...children: readonly Properties[]) => document({ margin: 10, last: { bottom: 50 } }, flow(...children));
  expect(pages(own(box('a', 30)))).toEqual([['10,10 50×30']]);
  expect(pages(own(box('a', 40), box('b', 40)))).toEqual([['10,10 50×40'], ['10,10 50×40']]);
  expect(pages(own(box('a', 40), box('b', 40), box('c', 30), box('d', 30)))).toEqual([
    ['10,10 50×40', '10,50 50×40'],
    ['10,10 50×30'],
    ['10,10 50×30'],
  ]);
  // It cannot be divided, and the foot has a page of its own.
  expect(pages(own(box('a', 60)))).toEqual([['10,10 50×60'], []]);
  expect(pages(document({ margin: 10, last: { bottom: 0 } }, flow(box('a', 40), box('b', 45))))).toEqual([
    ['10,10 50×40', '10,50 50×45'],
  ]);
});

test('parts may stand on sheets of their own, with what is on the pages where it is on these', () => {
  const named = { wide: { landscape: true, size: [100, 300], margin: 20 } };
  const template = document(
    { margin: 10, named, last: { bottom: 60 } },
    box('foot', 5, { right: 0, bottom: 0, pages: ['not-first', 'not-last'] }),
    flow(box('a', 40), box('b', 30, { page: 'wide', width: 'fill' }), box('c', 50, { page: 'wide' }), box('d', 20)),
  );
  const { lists } = compose(template);
  expect(lists.map(({ width, height }) => [width, height])).toEqual([
    [200, 100],
    [300, 100],
    [300, 100],
    [200, 100],
  ]);
  expect(lists.map(shown)).toEqual([
    ['10,10 50×40'],
    ['250,95 50×5', '20,20 260×30'],
    ['250,95 50×5', '20,20 50×50'],
    ['10,10 50×20'],
  ]);
  expect(() => pages(document({}, flow(box('a', 10, { page: 'wide' }))))).toThrow(
    'layers[0].children[0].page: names no sheet of `page.named`: "wide"',
  );
  expect(() => pages(document({ named }, box('a', 10, { page: 'wide' })))).toThrow('is for a child of the frame');
});

test('even pages may have mirrored margins', () => {
  const margin = { top: 0, right: '20px', bottom: 0, left: 5 };
  const mirrored = document({ margin, mirrored: true }, flow(...['a', 'b', 'c'].map((name) => box(name, 60))));
  expect(pages(mirrored)).toEqual([['5,0 50×60'], ['20,0 50×60'], ['5,0 50×60']]);
});

test('a cover has nothing that flows', () => {
  expect(
    pages(document({ cover: true }, box('cover', 30, { pages: 'first' }), flow(box('a', 60), box('b', 60)))),
  ).toEqual([['0,0 50×30'], ['0,0 50×60'], ['0,0 50×60']]);
});

test('layers are on the pages that they name', () => {
  const names = ['all', 'first', 'not-first', 'last', 'not-last', 'odd', 'even'];
  const layers = names.map((name, i) => box(name, 1, { x: i, width: 1, pages: name }));
  const lists = pages(document({}, ...layers, flow(...[1, 2, 3].map((i) => box(`${i}`, 60)))));
  const on = lists.map((list) => list.filter((each) => each.endsWith(' 1×1')).map((each) => names[Number(each[0])]));
  expect(on).toEqual([
    ['all', 'first', 'not-last', 'odd'],
    ['all', 'not-first', 'not-last', 'even'],
    ['all', 'not-first', 'last', 'odd'],
  ]);
});

test('a cover has the layers of the first page and of all, not those of odd pages or of all but the last', () => {
  const names = ['all', 'first', 'odd', 'not-last', 'even'];
  const layers = names.map((name, i) => box(name, 1, { x: i, width: 1, pages: name }));
  const [cover] = pages(document({ cover: true }, ...layers, flow(box('a', 60), box('b', 60))));
  expect(cover?.map((each) => names[Number(each[0])])).toEqual(['all', 'first']);
});

test('what follows a frame that is cut in its empty end is not lost, and an end that is seen goes on', () => {
  const high = (more: Properties) => ({ name: 'high', type: 'frame', layout: {}, height: 150, children: [], ...more });
  const a = { children: [box('a', 20)] };
  expect(pages(document({}, flow(high(a), box('b', 10))))).toEqual([['0,0 50×20'], ['0,50 50×10']]);
  expect(pages(document({}, flow(high(a))))).toEqual([['0,0 50×20']]);
  const seen = high({ ...a, background: '#eee', width: 60 });
  expect(pages(document({}, flow(seen)))).toEqual([['0,0 60×100', '0,0 50×20'], ['0,0 60×50']]);
});

test('what is below others, beside something that goes on, begins on the page that has room for it', () => {
  const cells = [
    box('tall', 290, { gridRow: 'span 5', width: 20 }),
    ...['a', 'b', 'c', 'd', 'e'].map((name) => box(name, 50, { width: 30 })),
  ];
  const layout = { type: 'grid', columns: [20, 30], rows: Array(5).fill(50), gap: 10 };
  const grid = { name: 'grid', type: 'frame', layout, children: cells };
  expect(pages(document({}, flow(grid, box('after', 10))))).toEqual([
    // What is too high is cut by a clip.
    ['0,0 20×290', '30,0 30×50'],
    ['0,-100 20×290', '30,0 30×50'],
    ['0,-200 20×290', '30,0 30×50'],
    ['30,0 30×50'],
    ['30,0 30×50', '0,50 50×10'],
  ]);
});

test('a template without anything that flows has one page', () => {
  expect(pages(document({}, box('a', 20, { y: 90 })))).toEqual([['0,90 50×20']]);
});

test('an auto margin puts the end of the last page at its foot', () => {
  const signed = flow(box('a', 60), box('b', 60), box('sign', 10, { margin: ['auto', 0, 0, 0] }));
  expect(pages(document({ margin: 5 }, signed))).toEqual([['5,5 50×60'], ['5,5 50×60', '5,85 50×10']]);
});

test('the head and the foot of a frame are on each of its pages', () => {
  const head = box('head', 10, { repeatOnPages: 'top', width: 40 });
  const foot = box('foot', 10, { repeatOnPages: 'bottom', width: 45 });
  const rows = ['a', 'b', 'c', 'd'].map((name) => box(name, 30));
  const table = { name: 'table', type: 'frame', layout: { gap: 2 }, children: [head, ...rows, foot] };
  expect(pages(document({}, flow(table)))).toEqual([
    ['0,0 40×10', '0,12 50×30', '0,44 50×30', '0,76 45×10'],
    ['0,0 40×10', '0,12 50×30', '0,44 50×30', '0,76 45×10'],
  ]);
});

test('a head never stands alone, and is not repeated if it would take more than a quarter of a page', () => {
  const table = (head: number) => ({
    name: 'table',
    type: 'frame',
    layout: {},
    children: [box('head', head, { repeatOnPages: 'top', width: 40 }), ...['a', 'b'].map((name) => box(name, 60))],
  });
  expect(pages(document({}, flow(box('above', 50), table(15))))).toEqual([
    ['0,0 50×50'],
    ['0,0 40×15', '0,15 50×60'],
    ['0,0 40×15', '0,15 50×60'],
  ]);
  expect(pages(document({}, flow(table(30))))[1]).toEqual(['0,0 50×60']);
});

test('a box that is higher than a page is cut', () => {
  const [first, second, third] = compose(document({}, flow(box('a', 30), box('high', 150), box('b', 20)))).lists;
  expect(first && shown(first)).toEqual(['0,0 50×30']);
  expect(second && shown(second)).toEqual(['0,0 50×150']);
  expect(third && shown(third)).toEqual(['0,-100 50×150', '0,50 50×20']);
});

test.skipIf(!hasFont('inter'))('pages and sections are counted, and their headings are said again', () => {
  const band = counter('band', 'page', 'pages', 'section-page', 'section-pages', 'section', 'heading');
  const lists = pages(
    document(
      { margin: { top: 20 } },
      band,
      flow(
        words('One', { heading: 1 }),
        box('a', 60),
        words('Inner', { heading: 2 }),
        words('Two', { heading: 1, breakBefore: 'page' }),
        box('b', 5),
      ),
    ),
  );
  const said = lists.map((list) =>
    list
      .map((each) => each.replace(/ ?[\d.]+$/, ''))
      .filter((each) => each !== '')
      .slice(0, 6),
  );
  expect(said).toEqual([
    ['1', '3', '1', '2', 'One', 'One'],
    ['2', '3', '2', '2', 'One', 'Inner'],
    ['3', '3', '1', '1', 'Two', 'Two'],
  ]);
});

test.skipIf(!hasFont('inter'))('the rows of a list are counted', () => {
  const list = { name: 'list', type: 'frame', repeat: true, layout: {}, children: [counter('no', 'row')] };
  const [page] = pages(document({}, flow(list)), {}, { list: [{}, {}, {}] });
  expect(page).toEqual(['1 0', '2 0', '3 0']);
});

test.skipIf(!hasFont('inter'))('each page lists its headings, for the outline of a PDF', () => {
  const { lists } = compose(
    document({}, flow(words('One', { heading: 1 }), words('Two', { heading: 2, breakBefore: 'page' }))),
  );
  expect(lists.map(({ headings }) => headings?.map(({ layer: _, ...heading }) => heading))).toEqual([
    [{ level: 1, text: 'One', top: 0 }],
    [{ level: 2, text: 'Two', top: 0 }],
  ]);
});

test('one page may be chosen, or one sheet for all', () => {
  const three = document({ margin: 5 }, flow(...['a', 'b', 'c'].map((name) => box(name, 60))));
  expect(pages(three, { page: 2 })).toEqual([['5,5 50×60']]);
  const [sheet, ...more] = compose(three, { paged: false }).lists;
  expect(more).toEqual([]);
  expect([sheet?.width, sheet?.height]).toEqual([200, 190]);
  expect(sheet && shown(sheet)).toEqual(['5,5 50×60', '5,65 50×60', '5,125 50×60']);
  expect(() => compose(three, { page: 4 })).toThrow('page: there is no page 4: there are 3 pages');
  const picture = { name: 'T', width: 9, height: 9, layers: [] };
  expect(() => compose(picture, { page: 2 })).toThrow('page: there is no page 2: there is one page');
});

test('what may not begin a page takes the last lines, or the last row, before it along', () => {
  const terms = words('terms', { breakBefore: 'avoid' });
  const text = words('lines', { text: 'a\nb\nc\nd' });
  expect(pages(document({}, flow(box('box', 20), text, terms)))).toEqual([
    ['0,0 50×20', 'a 0', 'b 0'],
    ['c 0', 'd 0', 'terms 0'],
  ]);
  const cell = { fontFamily: 'inter', fontSize: 10, lineHeight: 2, padding: 0 };
  const table = { name: 't', type: 'table', columns: ['fill'], row: [{ name: 'n' }], cell, rows: [] };
  const rows = ['a', 'b', 'c', 'd', 'e'].map((n) => ({ n }));
  expect(pages(document({}, flow({ ...table, rows, footer: ['sum'] }, terms)))).toEqual([
    ['a 0', 'b 0', 'c 0', 'd 0'],
    ['e 0', 'sum 0', 'terms 0'],
  ]);
  const full = { ...table, rows: rows.slice(1), footer: ['sum'] };
  expect(pages(document({}, flow(full, terms)))).toEqual([
    ['b 0', 'c 0', 'd 0'],
    ['e 0', 'sum 0', 'terms 0'],
  ]);
  // The end of a frame alone does not go along.
  const card = { name: 'card', type: 'frame', layout: {}, padding: [0, 0, 10, 0], children: [box('z', 60)] };
  expect(pages(document({}, flow(box('x', 20), card, terms)))).toEqual([['0,0 50×20'], ['0,0 50×60', 'terms 0']]);
  // Nothing here can be divided: the box goes along as a whole.
  expect(pages(document({}, flow(box('x', 40), box('y', 50), terms)))).toEqual([
    ['0,0 50×40'],
    ['0,0 50×50', 'terms 0'],
  ]);
});

test('on one sheet, what flows begins below the cover, whose layers keep to its edges', () => {
  const cover = box('cover', 20, { pages: 'first', bottom: 0 });
  const [sheet] = compose(document({ margin: 5, cover: true }, cover, flow(box('a', 60), box('b', 60))), {
    paged: false,
  }).lists;
  expect([sheet?.width, sheet?.height]).toEqual([200, 230]);
  expect(sheet && shown(sheet)).toEqual(['0,80 50×20', '5,105 50×60', '5,165 50×60']);
});

test('an editor has all pages below each other', () => {
  const two = document({}, box('band', 5), flow(box('a', 60), box('b', 60)));
  const scene = resolve(parseTemplate(two), {});
  if (!scene.page) throw new Error('It is a document.');
  const { scene: stack, boxes } = new Pages(scene, scene.page, resources()).stacked(10);
  expect(stack.height).toBe(210);
  expect(boxes.map(({ node, rect }) => `${node.name} ${rect.y}`)).toEqual(['band 0', 'flow 0', 'band 110', 'flow 110']);
});

test('sheets have exactly the size that their name says', () => {
  const size = (page: Properties) => {
    const [list] = compose({ name: 'T', page }).lists;
    return [list?.width, list?.height].map((px) => Math.round(Number(px) * 0.75 * 100) / 100);
  };
  expect(size({ size: 'A4' })).toEqual([595.28, 841.89]);
  expect(size({ size: 'A4', landscape: true })).toEqual([841.89, 595.28]);
  expect(size({ size: 'Letter' })).toEqual([612, 792]);
  expect(size({ size: 'Tabloid' })).toEqual([792, 1224]);
  expect(Object.keys(SHEETS).every((name) => size({ size: name })[0] !== undefined)).toBe(true);
  expect(size({ size: ['4in', '62mm'] })).toEqual([288, 175.75]);
  const { width, height } = parseTemplate({ name: 'T', page: { size: 'A4' } });
  expect([width, height]).toEqual([794, 1123]);
});

test.each([
  [
    document({}, flow({ name: 'inner', type: 'frame', flow: true })),
    'layers[0].children[0].flow: is for a frame that is in no other',
  ],
  [document({}, flow(), { ...flow(), name: 'b' }), 'layers[1].flow: is for one frame of a template'],
  [
    document({}, flow(box('a', 5, { pages: 'odd' }))),
    'layers[0].children[0].pages: is for layers that are in no frame; set it on the outermost one',
  ],
  [
    document({}, { ...flow(), layout: { direction: 'row' } }),
    'layers[0].layout: must be a column, or left out, in a frame with `flow`',
  ],
  [{ name: 'T', layers: [] }, 'width: '],
  [
    { ...document({}), sizes: { story: { width: 9, height: 9 } } },
    'sizes: are for templates without `page`: a document has the size of its sheets',
  ],
  [
    document({ size: 'A9' }),
    'page.size: must be a sheet such as "A4" or "Letter", or its width and height, such as ["100mm", "62mm"]',
  ],
])('%j is refused', (template, message) => {
  expect(() => compose(template)).toThrow(message);
});

test('counters of pages are refused in what flows, and without pages', () => {
  const message = 'spans[0].counter: is for layers of a template with `page`, outside the frame with `flow`';
  expect(() => compose(document({}, flow(counter('no', 'page'))))).toThrow(message);
  expect(() => compose({ name: 'T', width: 9, height: 9, layers: [counter('no', 'pages')] })).toThrow(message);
});

test('a document has a limited number of pages', () => {
  const tiny = { name: 'T', page: { size: [50, 10] }, layers: [flow(box('high', 10_000), box('more', 50_000))] };
  expect(() => compose(tiny)).toThrow('layers: the document has more than 5000 pages; give it fewer entries');
});

test('to divide a text of many lines among many pages does not take the square of them', () => {
  const [count, line] = [40_000, 10];
  const lines = Array.from({ length: count }, (_, i) => ({ box: { y: i * line, height: line } }));
  const rect = { x: 0, y: 0, width: 9, height: count * line };
  const node = { arc: null, writingMode: 'horizontal-tb', rotation: 0, mask: null, blur: 0, filters: null };
  const text = { kind: 'text', node: { ...node, fragmentation: null }, rect, content: rect, paragraph: { lines } };
  const placer = new BoxPlacer(new Landmarks(new Set()));
  const space = { top: 0, bottom: 2 * line, dx: 0, isEmpty: true, isHeld: true, page: 2 * line };
  const before = timeWorked();
  let [pages, rest]: [number, Rest | null] = [0, null];
  do {
    rest = placer.place(text as unknown as TextBox, rest, space)?.rest ?? null;
    pages += 1;
  } while (rest !== null);
  expect(pages).toBe(count / 2);
  // It copied 400 million lines in some 3 s.
  expect(timeWorked() - before).toBeLessThan(500);
});

const pageOf = (name: string, of: string, more: Properties = {}) =>
  words(name, { spans: [{ text: 'p.' }, { counter: 'page', of }], ...more });
/** The words on each page. */
const texts = (template: unknown) => pages(template).map((each) => each.map((one) => one.replace(/ [\d.-]+$/, '')));

test('a counter of a layer shows the page on which it begins, in what flows and beside it', () => {
  const template = document(
    {},
    pageOf('foot', 'end', { y: 80 }),
    flow(pageOf('note', 'part', { height: 30 }), box('a', 60), {
      ...{ name: 'part', type: 'frame', layout: {} },
      children: [box('b', 90), words('end')],
    }),
  );
  expect(texts(template).map((each) => each.filter((one) => !one.includes('×')))).toEqual([
    ['p.', '3', 'p.', '2'],
    ['p.', '3'],
    ['p.', '3', 'end'],
  ]);
});

test('of an entry of a list, the first is meant; layers on pages count, too', () => {
  const cards = { name: 'cards', type: 'frame', layout: {}, repeat: true, children: [box('card', 60)] };
  const template = document(
    { cover: true },
    pageOf('a', 'card'),
    pageOf('b', 'last', { x: 50 }),
    { ...words('last'), pages: 'last', y: 50 },
    flow(cards),
  );
  const [cover] = compose(template, {}, { cards: [{}, {}] }).lists.map(shown);
  expect(cover?.map((one) => one.replace(/ [\d.-]+$/, ''))).toEqual(['p.', '2', 'p.', '3']);
});

test('a text with the page of a layer keeps its box and its breaks, and loses no line', () => {
  const long = words('long', {
    spans: [
      ...['one ', 'two ', 'three ', 'four '].flatMap((text) => [
        { text },
        { counter: 'page', of: 'end' },
        { text: ' ' },
      ]),
      { text: 'five six' },
    ],
    width: 55,
    orphans: 1,
    widows: 1,
  });
  const template = document({}, flow(box('a', 70), long, words('end', { breakBefore: 'page' })));
  const shownWords = texts(template)
    .flat()
    .filter((one) => !one.includes('×'));
  expect(shownWords.join(' ').replaceAll('  ', ' ')).toBe('one 3 two 3 three 3 four 3 five six end');
});

test('a counter of no layer is a question mark, with a warning that names it', () => {
  const { lists, diagnostics } = compose(document({}, flow(pageOf('note', 'gone'))));
  expect(lists.map(shown)[0]?.join()).toContain('?');
  expect(diagnostics).toEqual([
    {
      code: 'unknown-layer',
      layer: 'note',
      message: 'Layer "note": a counter is `of` "gone", which is not shown.',
    },
  ]);
});

test('only the counter "page" is of a layer', () => {
  const other = words('note', { spans: [{ counter: 'pages', of: 'end' }] });
  expect(() => compose(document({}, other))).toThrow('spans[0].of: is for spans with the counter "page"');
});

test('the page of a layer is a link to it, and 1 on a single sheet', () => {
  const template = document({ margin: 5 }, flow(pageOf('note', 'end'), words('end', { breakBefore: 'page' })));
  const [first] = compose(template).lists;
  expect(JSON.stringify(first)).toContain('"#page=2&view=FitH,5"');
  expect(compose(template, { paged: false }).lists.map(shown)[0]?.join()).toContain('1 ');
});

test('a table of contents finds headings with Markdown, and those that count rows', () => {
  const cards = {
    ...{ name: 'cards', type: 'frame', layout: {}, repeat: true },
    children: [
      words('title', {
        heading: 1,
        breakBefore: 'page',
        spans: [{ text: 'Card ' }, { counter: 'row' }],
      }),
    ],
  };
  const list = {
    ...{ name: 'list', type: 'table', contents: 1, columns: [100, 50] },
    ...{ row: [{ name: 'text' }, { name: 'page' }], cell: { fontFamily: 'inter', fontSize: 10 } },
  };
  const bold = words('[Bold](https://example.com)', { heading: 1, markup: 'markdown', breakBefore: 'page' });
  const { lists } = compose(document({}, flow(list, cards, bold)), {}, { cards: [{}, {}] });
  const [contents] = lists.map(shown);
  expect(contents?.map((one) => one.replace(/ [\d.-]+$/, ''))).toEqual(['Card 1', '2', 'Card 2', '3', 'Bold', '4']);
});

test.skipIf(!hasFont('inter'))(
  'the pages of a part of a longer file have its numbers, and its odd and even pages',
  () => {
    const contents = {
      ...{ name: 'list', type: 'table', contents: 1, columns: [50, 50] },
      ...{ row: [{ name: 'text' }, { name: 'page' }], cell: { fontFamily: 'inter', fontSize: 10 } },
    };
    const own = document(
      { margin: { left: 10, right: 50 }, mirrored: true },
      flow(
        words('Intro', { spans: [{ text: 'p. ' }, { counter: 'page', of: 'End' }] }),
        contents,
        words('Begin', { heading: 1, breakBefore: 'page' }),
        words('End', { heading: 1, breakBefore: 'page' }),
      ),
      counter('band', 'page', 'pages', 'section-page', 'section-pages'),
      words('even', { pages: 'even' }),
      words('first', { pages: 'first' }),
    );
    const numbers = { first: 12, last: 14, total: 40 };
    const said = (choice: PageChoice) =>
      pages(own, choice).map((some) =>
        some
          .filter((one) => /^\S/.test(one))
          .join(', ')
          .replaceAll(/ [\d.]+(?=,|$)/g, ''),
      );
    expect(said({ numbers })).toEqual([
      'p., 14, Begin, 13, End, 14, 12, 40, 1, 1, even, first',
      'Begin, 13, 40, 1, 1',
      'End, 14, 40, 1, 1, even',
    ]);
    // The margins of even pages are swapped.
    expect(pages(own, { numbers }).map(([begin]) => begin)).toEqual(['p. 50', 'Begin 10', 'End 50']);
    expect(() => pages(own, { numbers: { ...numbers, last: 13 } })).toThrow(
      'pdf.pageNumbers: are for 2 pages, and the document has 3',
    );
    expect(said({ numbers: { first: 7, total: 9 }, paged: false })).toEqual([
      expect.stringMatching(/, 7, 9, 1, 1, first$/),
    ]);
  },
);

test('what stands at the foot of the last page keeps its margin, also one that reaches beyond that of the page', () => {
  const foot = (bottom: number) =>
    document({ margin: 10 }, flow(box('a', 20), box('b', 20, { margin: ['auto', 0, bottom, 0] })));
  expect([0, 15, -10].map((bottom) => pages(foot(bottom))[0]?.[1])).toEqual([
    '10,70 50×20',
    '10,55 50×20',
    '10,80 50×20',
  ]);
});

test.skipIf(!hasFont('inter'))('a heading without words is no bookmark', () => {
  const own = document({}, flow(words('One', { heading: 1 }), words('empty', { text: ' ', heading: 1 })));
  expect(compose(own).lists[0]?.headings?.map(({ text }) => text)).toEqual(['One']);
});

test('a mistake in the page is all that is told of it', () => {
  const wrong = { ...document({ margin: { first: 20 } }, flow(box('a', 20))) };
  expect(() => parseTemplate(wrong)).toThrow(/^page\.margin: unknown property "first"/);
  expect(() => parseTemplate({ ...wrong, page: { size: [200, 100], between: 1 } })).toThrow(
    /^page: unknown property "between"/,
  );
});

test('names of parameters are refused of layers, and not within a list', () => {
  const list = (name: string) => ({ name, type: 'frame', repeat: true, layout: {}, children: [words('q')] });
  expect(() => parseTemplate(document({}, flow(list('list'))))).not.toThrow();
  expect(() => parseTemplate(document({}, flow(list('sig'))))).toThrow('layers[0].children[0].name: is reserved');
});

test.skipIf(!hasFont('inter'))('a running head that is higher than its margin is told, once', () => {
  const head = (text: string, more: Properties = {}) => words(text, { name: 'head', x: 0, y: 5, ...more });
  const own = (layer: Properties) =>
    document({ margin: { top: 30 } }, layer, flow(words('a', { breakAfter: 'page' }), words('b')));
  const told = (layer: Properties) => compose(own(layer)).diagnostics.map(({ message }) => message);
  expect(told(head('one'))).toEqual([]);
  expect(told(head('one\ntwo'))).toEqual([
    'Layer "head": it is 15 px higher than the margin of page 1 has room for, and stands over what flows; make `page.margin` larger.',
  ]);
  // What is placed in the middle of what flows, or as a watermark, is meant to be there.
  expect(told(head('one\ntwo', { y: 32 }))).toEqual([]);
  expect(told(head('one\ntwo', { opacity: 0.2 }))).toEqual([]);
});
