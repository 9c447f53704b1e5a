// Frames that Chromium has laid out once, which is recorded, and that our layout engine lays out on every test run.
//
// Each tests one thing, written as in a template. Boxes without a stated size are 40 × 20 px; text is 16 px Inter.

import type { Template } from '#core/template/template.ts';
import { parseTemplate } from '#core/template/template.ts';

export interface Fixture {
  readonly name: string;
  readonly template: Template;
}

type Properties = Readonly<Record<string, unknown>>;

/** A stored layer without its name: the name is its path in the tree (`0`, `0.1`). */
interface Unnamed extends Properties {
  readonly type: string;
  readonly children?: readonly Unnamed[];
}

const box = (more: Properties = {}): Unnamed => ({ type: 'shape', width: 40, height: 20, ...more });
const words = (text: string, more: Properties = {}): Unnamed => ({ type: 'text', text, fontFamily: 'inter', ...more });
const picture = (more: Properties = {}): Unnamed => ({ type: 'image', src: 'photo', ...more });
const frame = (layout: Properties | null, more: Properties, ...children: readonly Unnamed[]): Unnamed => ({
  type: 'frame',
  layout,
  ...more,
  children,
});
const row = (layout: Properties, more: Properties, ...children: readonly Unnamed[]) =>
  frame({ direction: 'row', ...layout }, more, ...children);
const column = (layout: Properties, more: Properties, ...children: readonly Unnamed[]) =>
  frame({ direction: 'column', ...layout }, more, ...children);

const grid = (layout: Properties, more: Properties, ...children: readonly Unnamed[]) =>
  frame({ type: 'grid', ...layout }, more, ...children);

function named(layers: readonly Unnamed[], prefix = ''): readonly Properties[] {
  return layers.map((layer, i) => {
    const name = `${prefix}${i}`;
    const { children } = layer;
    return children ? { ...layer, name, children: named(children, `${name}.`) } : { ...layer, name };
  });
}

/** On a canvas of 400 × 300. */
const fixture = (name: string, ...layers: readonly Unnamed[]): Fixture => ({
  name,
  template: parseTemplate({ name, width: 400, height: 300, layers: named(layers) }),
});

const FOX = 'The quick brown fox jumps over the lazy dog';
const three = [box(), box({ width: 60, height: 30 }), box({ width: 20, height: 50 })];
const JUSTIFY = ['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly'];

/** The layers of each fixture, by its name. */
const LAYERS: Readonly<Record<string, Unnamed | readonly Unnamed[]>> = {
  'justify-in-column': column({ justify: 'space-evenly' }, { width: 100, height: 200 }, ...three),
  'align-self': row(
    { align: 'center' },
    { width: 300, height: 90 },
    ...['auto', 'start', 'center', 'end', 'baseline'].map((alignSelf) => box({ alignSelf })),
    box({ alignSelf: 'stretch', height: 'hug' }),
  ),
  'wrap-grow': row({ wrap: 'wrap', gap: 5 }, { width: 130 }, ...three.map((each) => ({ ...each, flexGrow: 1 }))),
  'wrap-words': row({ wrap: 'wrap', gap: 8 }, { width: 160 }, ...FOX.split(' ').map((word) => words(word))),
  'wrap-align': row({ wrap: 'wrap', align: 'end', gap: 4 }, { width: 110 }, ...three, ...three),
  grow: row({}, { width: 300 }, box({ flexGrow: 1 }), box({ flexGrow: 2 }), box()),
  'grow-less-than-one': row({}, { width: 300 }, box({ flexGrow: 0.2 }), box({ flexGrow: 0.3 })),
  'grow-in-column': column({}, { width: 60, height: 200 }, box({ flexGrow: 1 }), box({ flexGrow: 3 })),
  shrink: row({}, { width: 100 }, box({ flexShrink: 1, width: 100 }), box({ flexShrink: 2, width: 60 }), box()),
  'shrink-by-size': row({}, { width: 100 }, box({ flexShrink: 1, width: 150 }), box({ flexShrink: 1, width: 50 })),
  'shrink-less-than-one': row({}, { width: 100 }, box({ flexShrink: 0.2, width: 150 }), box({ flexShrink: 0.2 })),
  'shrink-to-nothing': row({}, { width: 50 }, box({ flexShrink: 1, width: 10 }), box({ width: 90 })),
  basis: row({}, { width: 300 }, box({ flexBasis: 100 }), box({ flexBasis: '50%' }), box({ flexBasis: 'hug' })),
  'basis-grow': row({}, { width: 300 }, box({ flexBasis: 100, flexGrow: 1 }), box({ flexBasis: 0, flexGrow: 1 })),
  'basis-in-column': column({}, { height: 200 }, box({ flexBasis: '25%' }), box({ flexBasis: 70 })),
  fill: row(
    { gap: 10 },
    { width: 300, height: 80 },
    box(),
    box({ width: 'fill' }),
    box({ width: 'fill', height: 'fill' }),
  ),
  'fill-weighted': row({}, { width: 300 }, box({ width: 'fill', flexGrow: 2 }), box({ width: 'fill' })),
  'fill-text': row({ gap: 10 }, { width: 300 }, words('Short', { width: 'fill' }), words(FOX, { width: 'fill' })),
  'fill-in-column': column(
    {},
    { width: 200, height: 200, padding: 10 },
    box(),
    box({ width: 'fill', height: 'fill' }),
    box(),
  ),
  'fill-maximum': row(
    {},
    { width: 300 },
    box({ width: 'fill', maxWidth: 50 }),
    box({ width: 'fill' }),
    box({ width: 'fill' }),
  ),
  'fill-minimum': row(
    {},
    { width: 300 },
    box({ width: 'fill', minWidth: 200 }),
    box({ width: 'fill' }),
    box({ width: 'fill' }),
  ),
  'fill-minimum-and-maximum': row(
    {},
    { width: 300 },
    box({ width: 'fill', minWidth: 160 }),
    box({ width: 'fill', maxWidth: 60 }),
    box({ width: 'fill' }),
  ),
  'fill-minimum-beats-maximum': row(
    {},
    { width: 300 },
    box({ width: 'fill', minWidth: 200 }),
    box({ width: 'fill', maxWidth: 90 }),
    box({ width: 'fill' }),
  ),
  'fill-maximum-beats-minimum': row(
    {},
    { width: 400 },
    box({ width: 'fill', maxWidth: 20 }),
    box({ width: 'fill', minWidth: 150 }),
    box({ width: 'fill' }),
  ),
  'shrink-minimum-and-maximum': row(
    {},
    { width: 200 },
    box({ flexShrink: 1, width: 120, minWidth: 100 }),
    box({ flexShrink: 1, width: 120, maxWidth: 70 }),
    box({ flexShrink: 1, width: 120 }),
  ),
  'grow-minimum-and-maximum-in-column': column(
    {},
    { height: 240 },
    box({ flexGrow: 1, maxHeight: 30 }),
    box({ flexGrow: 1, minHeight: 130 }),
    box({ flexGrow: 1 }),
  ),
  percent: row(
    {},
    { width: 300, height: 100, padding: 10 },
    box({ width: '50%', height: '100%' }),
    box({ width: '25%' }),
  ),
  'percent-nested': row(
    {},
    { width: 300, height: 100 },
    column({}, { width: '50%', height: '50%' }, box({ width: '50%', height: '50%' })),
  ),
  minimum: row({}, { minWidth: 200, minHeight: 80, padding: 5 }, ...three),
  maximum: row({}, { maxWidth: 100, maxHeight: 30 }, ...three),
  'minimum-of-items': column(
    {},
    { width: 200 },
    box({ width: 'hug', minWidth: 50, maxWidth: 120 }),
    words('a', { minHeight: 40 }),
  ),
  margin: row({ gap: 5 }, { width: 300 }, box({ margin: 10 }), box({ margin: [0, 20, 5, -10] }), box()),
  'margin-stretched': column({}, { width: 200 }, box({ width: 'hug', margin: [5, 10, 15, 20] })),
  'border-and-padding': row({}, { padding: 8, border: { width: 3, color: 'red' } }, ...three),
  'aspect-ratio': row(
    { align: 'start' },
    { width: 300 },
    frame({}, { width: 90, aspectRatio: 1.5 }),
    frame({}, { height: 30, aspectRatio: 2 }),
  ),
  'aspect-ratio-fill': column({}, { width: 160 }, box({ width: 'fill', height: 'hug', aspectRatio: 16 / 9 }), box()),
  'aspect-ratio-stretched': row({}, { width: 300, height: 90 }, frame({}, { height: 'fill', aspectRatio: 2 }), box()),
  'aspect-ratio-percent': row({ align: 'start' }, { width: 300 }, box({ width: '50%', height: 'hug', aspectRatio: 3 })),
  picture: row({ align: 'start' }, { width: 300 }, picture(), picture({ width: 60 }), picture({ height: 20 })),
  'picture-fills': column({}, { width: 150 }, picture({ width: 'fill' })),
  absolute: row(
    {},
    { x: 20, y: 10, width: 200, height: 100, padding: 10 },
    box(),
    box({ position: 'absolute', x: 50, y: 60 }),
    box(),
  ),
  'absolute-sizes': column(
    {},
    { width: 200, height: 100, border: { width: 5, color: 'red' } },
    box({ position: 'absolute', x: 20, width: 'fill', height: 'fill' }),
    box({ position: 'absolute', x: 20, y: 30, width: '50%', height: '25%' }),
    words(FOX, { position: 'absolute', x: 90, y: 10 }),
  ),
  'absolute-frame-hugs': column(
    {},
    { width: 200, height: 100 },
    row({ gap: 5 }, { position: 'absolute', x: 100, padding: 4 }, words(FOX), box()),
  ),
  unlaid: frame(null, { x: 10, y: 20, width: 100, height: 80 }, box({ x: 5, y: 6 }), words('Words', { x: 30, y: 40 })),
  'unlaid-in-row': row({}, { width: 200, height: 80 }, box(), frame(null, {}, box({ x: 5, y: 6 }))),
  'nested-hug': column({ gap: 4 }, { padding: 6 }, row({ gap: 3 }, {}, ...three), row({ justify: 'end' }, {}, box())),
  'nested-fill': row(
    {},
    { width: 300, height: 100 },
    column({}, { width: 'fill' }, box({ width: 'fill' }), box({ height: 'fill' })),
    box({ height: 'fill' }),
  ),
  'nested-hug-in-fill': column(
    {},
    { width: 240 },
    row({ gap: 10 }, {}, box({ width: 'fill' }), words('Words'), box({ width: 'fill' })),
  ),
  'nested-text': row({ gap: 10 }, { width: 260 }, box(), column({ gap: 2 }, {}, words(FOX), words('Short'))),
  'nested-text-fills': row(
    { gap: 10 },
    { width: 260 },
    box(),
    column({ gap: 2 }, { width: 'fill' }, words(FOX), box({ width: 'fill' })),
  ),
  'nested-three-deep': column(
    {},
    { width: 300 },
    row({}, {}, column({}, { width: 'fill' }, row({ gap: 5 }, {}, words(FOX), box())), box()),
  ),
  'text-hugs': row({}, { padding: 5 }, words('Words')),
  'text-hugs-and-wraps': row({}, { x: 200, padding: 5 }, words(FOX)),
  'text-pushes': column({ gap: 5 }, { width: 150 }, words(FOX), box(), words('Short')),
  'text-gives-way': row({ gap: 8 }, { width: 200 }, box(), words(FOX), box()),
  'texts-share': row({ gap: 8 }, { width: 300 }, words(FOX), words('A longer one that wraps, too, and more than once')),
  'text-keeps-its-longest-word': row(
    { gap: 8 },
    { width: 150 },
    words('Donaudampfschifffahrt is long'),
    words('and so is this'),
  ),
  'text-longer-than-its-row': row({}, { width: 100 }, words('Donaudampfschifffahrt')),
  'text-longer-than-its-column': column({}, { width: 100 }, words('Donaudampfschifffahrt'), box()),
  'text-longest-word-nested': row(
    {},
    { width: 150 },
    column({}, { padding: 5 }, words('Donaudampfschifffahrt is long')),
    words('beside it'),
  ),
  'text-cut-gives-way': row({}, { width: 100 }, words('Donaudampfschifffahrt', { overflow: 'clip' }), box()),
  'text-fill-longest-word': row(
    {},
    { width: 150 },
    words('Donaudampfschifffahrt', { width: 'fill' }),
    words('b', { width: 'fill' }),
  ),
  'text-maximum': row({}, { width: 300 }, words(FOX, { maxWidth: 120 }), box()),
  'text-in-short-column': column({}, { width: 150, height: 40 }, words(FOX), box()),
  'text-centred': column(
    { align: 'center', justify: 'center', gap: 6 },
    { width: 200, height: 150 },
    words('Words'),
    words(FOX),
  ),
  baseline: row(
    { align: 'baseline', gap: 4 },
    { width: 300 },
    words('Big', { fontSize: 40 }),
    words('small'),
    box(),
    picture({ width: 20 }),
  ),
  'baseline-of-frames': row(
    { align: 'baseline', gap: 4 },
    { width: 300 },
    words('Big', { fontSize: 40 }),
    column({}, { padding: 7 }, words('first'), words('second')),
  ),
  'baseline-wrapped': row(
    { align: 'baseline', gap: 4 },
    { width: 300 },
    words(FOX, { width: 100 }),
    words('Big', { fontSize: 40 }),
  ),
  'baseline-row-in-row': row(
    { align: 'baseline' },
    { width: 300 },
    words('Big', { fontSize: 40 }),
    row({ align: 'center' }, { height: 70 }, box({ height: 50 }), words('mid')),
  ),
  'baseline-wrap-reverse': row(
    { wrap: 'wrap-reverse', align: 'baseline', gap: 4 },
    { width: 120 },
    words('Big', { fontSize: 40 }),
    words('a'),
    words('b'),
    box(),
  ),
  'baseline-of-column': row(
    { align: 'baseline' },
    {},
    words('Big', { fontSize: 40 }),
    column({ align: 'center' }, {}, box(), words('a')),
  ),
  'basis-hugs': row({}, {}, box({ flexBasis: 100 }), words('Words', { flexBasis: 10 })),
  'fill-picture': row(
    { gap: 10 },
    { width: 150 },
    picture({ width: 'fill' }),
    words('A caption beside it', { width: 'fill' }),
  ),
  'fill-unlaid': column({}, { width: 100, height: 90 }, box(), frame(null, { height: 'fill' }, box({ x: 3 }))),
  'unshrinkable-nested': row(
    {},
    { width: 150 },
    row({ gap: 4 }, {}, words('Words that wrap', { flexShrink: 0 }), box()),
    words('beside'),
  ),
  'hug-beyond-room': row({ gap: 5 }, { x: 300, padding: 3 }, words('Donaudampfschifffahrt is long'), box()),
  'hug-column-beyond-room': column({ gap: 5 }, { x: 300, padding: 3 }, words('Donaudampfschifffahrt is long'), box()),
  'hug-wrap-beyond-room': row({ wrap: 'wrap', gap: 5 }, { x: 300, padding: 3 }, ...three, ...three),
  'minimum-height-centres': column({ justify: 'center', align: 'center' }, { width: 100, minHeight: 120 }, box()),
  'minimum-height-in-row': row(
    { align: 'end' },
    { width: 100, minHeight: 120 },
    box(),
    box({ height: 'hug', alignSelf: 'stretch' }),
  ),
  'minimum-height-grows': column({}, { width: 100, minHeight: 120 }, box({ flexGrow: 1 }), words('Words')),
  'clipped-gives-way': column(
    {},
    { width: 100, height: 50 },
    column({}, { clip: true, width: 'fill', flexShrink: 1 }, ...three),
    box(),
  ),
  'stretched-column-fills': row(
    {},
    { width: 200 },
    box({ height: 90 }),
    column({}, { width: 'fill' }, box(), box({ height: 'fill' })),
  ),
  'stretched-percent': row({}, { width: 200, height: 80 }, column({}, { width: 100 }, box({ height: '50%' }))),
  'padding-larger-than-size': row({}, { width: 200 }, row({}, { width: 10, padding: 20 }, box()), box()),
  'nested-wrap': column({}, { width: 150 }, row({ wrap: 'wrap', gap: 5 }, {}, ...three, ...three), box()),
  'nested-wrap-in-row': row({ gap: 5 }, { width: 200 }, row({ wrap: 'wrap', gap: 5 }, {}, ...three, ...three), box()),
  'wrap-column-stretch': column(
    { wrap: 'wrap', align: 'stretch' },
    { width: 200, height: 60 },
    box(),
    words('Words'),
    words('and'),
    words('more'),
  ),
  'wrap-alone': row({ wrap: 'wrap', align: 'center' }, { width: 200, height: 100 }, ...three),
  'margin-negative': row(
    {},
    { width: 200 },
    box(),
    box({ margin: [0, 0, 0, -15] }),
    box({ margin: [0, -30, 0, 0], flexGrow: 1 }),
  ),
  'absolute-centred': row(
    { align: 'center', justify: 'center' },
    { width: 200, height: 80 },
    words('Words'),
    words('x', { position: 'absolute', x: 150, y: 50 }),
  ),
  'rtl-wrap': row({ wrap: 'wrap', gap: [10, 5] }, { direction: 'rtl', width: 110 }, ...three, ...three),
  'rtl-wrap-column': column(
    { wrap: 'wrap', gap: [10, 5] },
    { direction: 'rtl', width: 200, height: 90 },
    ...three,
    ...three,
  ),
  'rtl-margin': row(
    {},
    { direction: 'rtl', width: 300 },
    box({ margin: [0, 5, 0, 30] }),
    box({ margin: [0, 7, 0, 0], flexGrow: 1 }),
  ),
  'rtl-inherited': column(
    {},
    { direction: 'rtl', width: 200 },
    row({ gap: 5 }, {}, box(), words('שלום', { fontFamily: 'hebrew' })),
  ),
  'rtl-undone': column({}, { direction: 'rtl', width: 200 }, row({ gap: 5 }, { direction: 'ltr' }, box(), words('a'))),
  'rtl-text-pushes': row(
    { gap: 8 },
    { direction: 'rtl', width: 200 },
    box(),
    words('يولد جميع الناس أحرارا متساوين في الكرامة', { fontFamily: 'arabic' }),
  ),
  'rtl-overflowing': row({ justify: 'center' }, { direction: 'rtl', x: 100, width: 70 }, ...three),
  'rtl-absolute': row(
    {},
    { direction: 'rtl', width: 200, height: 60 },
    box(),
    box({ position: 'absolute', x: 10, y: 30 }),
  ),
  'wrap-one-line-does-not-stretch': row(
    { wrap: 'wrap' },
    { width: 200, height: 100 },
    box(),
    box({ height: 'hug', alignSelf: 'stretch' }),
  ),
  'wrap-reverse-padding': row(
    { wrap: 'wrap-reverse', gap: 5 },
    { width: 120, height: 160, padding: [0, 0, 50, 10] },
    ...three,
    ...three,
  ),
  'wrap-reverse-bounded-items': row(
    { wrap: 'wrap-reverse', align: 'stretch' },
    { width: 120 },
    box({ height: 40 }),
    box({ height: 'hug', maxHeight: 12, margin: [4, 0, 9, 0] }),
    box({ height: 'hug', alignSelf: 'end', minHeight: 8 }),
    box({ width: 90 }),
  ),
  'wrap-reverse-rtl': row(
    { wrap: 'wrap-reverse', gap: 5 },
    { direction: 'rtl', width: 110 },
    ...three,
    box({ margin: [1, 8, 3, 2] }),
  ),
  'wrap-reverse-rtl-column': column(
    { wrap: 'wrap-reverse', gap: [10, 5] },
    { direction: 'rtl', width: 200, height: 90 },
    ...three,
    box({ width: 'hug', maxWidth: 15 }),
    box({ width: 50 }),
  ),
  'wrap-without-room-across': row(
    { wrap: 'wrap', alignContent: 'center' },
    { width: 100, height: 8, padding: 4 },
    ...three,
    ...three,
  ),
  'wrap-flexes-by-line': row(
    { wrap: 'wrap', gap: 6 },
    { width: 150 },
    words('Donaudampfschifffahrt is longer than its line'),
    box({ flexGrow: 1, maxWidth: 60 }),
    box({ flexGrow: 1 }),
  ),
  'wrap-thirds': row({ wrap: 'wrap', gap: 0.1 }, { width: 100.1 }, ...[1, 2, 3].map(() => box({ width: 33.3 }))),
  'fill-minimum-met': row(
    {},
    { width: 300 },
    box({ width: 'fill', minWidth: 90 }),
    box({ width: 'fill' }),
    box({ width: 'fill' }),
  ),
  'grow-minimum-first': row(
    {},
    { width: 360 },
    ...[60, 30, 30].map((minWidth) => box({ width: 'fill', flexGrow: 1, minWidth, maxWidth: 120 })),
  ),
  'grow-alone-by-part': row({}, { width: 300 }, box({ width: 100, flexGrow: 0.5, flexShrink: 1 }), box({ width: 20 })),
  'grow-by-part-to-maximum': row(
    {},
    { width: 300 },
    box({ flexGrow: 0.2, maxWidth: 50 }),
    box({ flexGrow: 0.3 }),
    box(),
  ),
  'shrink-padded': row(
    {},
    { width: 150 },
    frame({}, { width: 100, height: 40, padding: 20, clip: true, flexShrink: 1 }),
    frame({}, { width: 100, height: 40, padding: 5, clip: true, flexShrink: 1 }),
  ),
  'shrink-one-after-another': row(
    {},
    { width: 160 },
    box({ width: 100, flexShrink: 1, minWidth: 80 }),
    box({ width: 100, flexShrink: 1, minWidth: 45 }),
    box({ width: 100, flexShrink: 1 }),
  ),
  'shrink-below-nothing': row(
    {},
    { width: 70 },
    box({ width: 90, flexShrink: 0 }),
    box({ width: 71, flexShrink: 0.2 }),
    box({ width: 66, flexShrink: 1 }),
  ),
  'shrink-in-column-to-text': column(
    {},
    { width: 120, height: 90 },
    words(FOX),
    box({ height: 60, flexShrink: 1 }),
    box({ flexShrink: 2 }),
  ),
  'maximum-height-of-stretched': row(
    {},
    { width: 150, maxHeight: 40, padding: 4 },
    words(FOX, { width: 60 }),
    box({ height: 'hug' }),
    box(),
  ),
  'baseline-margins': row(
    { align: 'baseline', gap: 4 },
    { width: 300 },
    words('Big', { fontSize: 40, margin: [0, 0, 9, 0] }),
    words('small', { margin: [20, 0, -4, 0] }),
    box({ margin: [0, 0, -5, 0] }),
    box({ height: 70, alignSelf: 'center' }),
    box({ height: 'hug', alignSelf: 'stretch' }),
  ),
  'baseline-margin-negative': row(
    { align: 'baseline', gap: 4 },
    { padding: 3 },
    box({ margin: [8, 0, -4, 0] }),
    box({ height: 12 }),
  ),
  'baseline-lines': row(
    { wrap: 'wrap', align: 'baseline', gap: 4 },
    { width: 120 },
    words('Big', { fontSize: 40 }),
    words('a', { margin: [3, 0, 0, 0] }),
    words('bcd', { fontSize: 24 }),
    words('ef', { margin: [0, 0, 8, 0] }),
    box(),
  ),
  'odd-lengths-hug': column(
    { gap: 0.3 },
    { padding: 10.1 },
    row({ gap: 5.7 }, { padding: 3.3 }, words('Some words'), box()),
    box(),
  ),
  'hug-of-fill': row({}, {}, box({ width: 'fill' }), words('Words', { width: 'fill' })),
  'hug-of-percent': column({}, {}, box(), picture({ width: '50%' })),
  'grid-fixed': grid({ columns: [50, 80, 30], gap: [10, 5] }, { width: 300 }, ...three, ...three),
  'grid-fr': grid({ columns: [50, '1fr', '2fr'], gap: 6 }, { width: 300, padding: 10 }, ...three, ...three),
  'grid-fr-less-than-one': grid({ columns: ['0.25fr', '0.5fr'] }, { width: 200 }, ...three),
  'grid-percent': grid({ columns: ['25%', '50%'], gap: 4 }, { width: 200 }, ...three),
  'grid-hug': grid(
    { columns: ['hug', '1fr', 'hug'], gap: 4 },
    { width: 300 },
    ...three,
    words('Words'),
    words(FOX),
    words('end'),
  ),
  'grid-hug-shares': grid(
    { columns: ['hug', 'hug'], gap: 4 },
    { width: 300 },
    words(FOX),
    words('The lazy dog sleeps'),
  ),
  'grid-hug-fits': grid({ columns: ['hug', 'hug'], gap: 4 }, { width: 300 }, words('Short'), words('A bit longer')),
  'grid-hugs': grid(
    { columns: ['hug', 40, '1fr'], gap: 4 },
    { padding: 5 },
    words('Words'),
    box(),
    words('more'),
    ...three,
  ),
  'grid-fr-longest-word': grid(
    { columns: ['1fr', '1fr'] },
    { width: 200 },
    words('Donaudampfschifffahrt'),
    words('short'),
  ),
  'grid-rows': grid(
    { columns: ['1fr', '1fr'], rows: [60, 'hug', 30], gap: 4 },
    { width: 200 },
    ...three,
    ...three,
    ...three,
  ),
  'grid-rows-fr': grid({ columns: ['1fr'], rows: ['1fr', 40, '3fr'] }, { width: 100, height: 200 }, ...three),
  'grid-rows-fr-hugs': grid(
    { columns: ['1fr'], rows: ['1fr', '2fr'] },
    { width: 100 },
    box({ height: 30 }),
    box({ height: 40 }),
  ),
  'grid-rows-percent': grid({ columns: ['1fr'], rows: ['25%', '50%'] }, { width: 100, height: 200 }, ...three),
  'grid-minimum-height': grid(
    { columns: ['1fr'], rows: ['1fr', 'hug'] },
    { width: 100, minHeight: 150 },
    box({ height: 'fill' }),
    box(),
  ),
  'grid-self': grid(
    { columns: [90, 90], rows: [60, 60] },
    {},
    box({ justifySelf: 'end', alignSelf: 'center' }),
    box({ justifySelf: 'center', alignSelf: 'end' }),
    box({ justifySelf: 'stretch', alignSelf: 'stretch', width: 'hug', height: 'hug' }),
    box({ justifySelf: 'start', alignSelf: 'start' }),
  ),
  'grid-fill': grid(
    { columns: ['1fr', 50], rows: [60], align: 'center', justifyItems: 'center' },
    { width: 200 },
    box({ width: 'fill', height: 'fill' }),
    box({ width: '50%', height: '50%' }),
  ),
  'grid-margin': grid(
    { columns: ['1fr', 80] },
    { width: 200 },
    box({ width: 'hug', margin: 10 }),
    box({ margin: [5, 0, 0, 20] }),
  ),
  'grid-places': grid(
    { columns: [40, 40, 40, 40], rows: [20, 20] },
    {},
    box({ gridColumn: 3, gridRow: 2 }),
    box({ gridColumn: 2 }),
    box({ gridRow: 2 }),
    box(),
    box(),
    box(),
  ),
  'grid-spans': grid(
    { columns: ['1fr', '1fr', '1fr'], gap: 6 },
    { width: 300 },
    box({ width: 'fill', columnSpan: 2 }),
    box(),
    box({ height: 'fill', rowSpan: 2 }),
    ...three,
    box({ width: 'fill', columnSpan: 3 }),
  ),
  'grid-span-leaves-holes': grid(
    { columns: [40, 40, 40], gap: 2 },
    {},
    box({ columnSpan: 2, width: 'fill' }),
    box({ columnSpan: 2, width: 'fill' }),
    box(),
    box({ columnSpan: 3, width: 'fill' }),
    box(),
  ),
  'grid-span-widens': grid(
    { columns: ['hug', 'hug', 30], gap: 4 },
    {},
    box({ columnSpan: 2, width: 150 }),
    box(),
    box(),
    box(),
  ),
  'grid-span-heightens': grid(
    { columns: [40, 40], rows: ['hug', 'hug'], gap: 4 },
    {},
    box({ rowSpan: 2, height: 100 }),
    box(),
    box({ height: 30 }),
  ),
  'grid-span-over-fr': grid(
    { columns: ['hug', '1fr'] },
    { width: 200 },
    words(FOX, { columnSpan: 2 }),
    words('a'),
    words('b'),
  ),
  'grid-text': grid(
    { columns: [60, '1fr'], gap: [4, 12] },
    { width: 260 },
    picture({ width: 'fill' }),
    words(FOX),
    picture({ width: 30 }),
    words('Short'),
  ),
  'grid-nested': grid(
    { columns: ['1fr', '1fr'], gap: 8 },
    { width: 300 },
    column({ gap: 4 }, {}, words(FOX), box()),
    grid({ columns: ['1fr', 30] }, {}, ...three),
  ),
  'grid-in-row': row(
    { gap: 8 },
    { width: 300 },
    box(),
    grid({ columns: ['1fr', '1fr'], gap: 4 }, { width: 'fill' }, words(FOX), box()),
  ),
  'grid-hugs-in-row': row(
    { gap: 8 },
    { width: 300 },
    grid({ columns: ['hug', 'hug'], gap: 4 }, {}, words('Name'), words('Value that is longer than it has room for')),
    box(),
  ),
  'grid-absolute': grid(
    { columns: [50, 50] },
    { width: 120, padding: 6 },
    box(),
    box({ position: 'absolute', x: 70, y: 3 }),
    box(),
  ),
  'grid-aspect-ratio': grid(
    { columns: ['1fr', '1fr'] },
    { width: 200 },
    frame({}, { width: 'fill', aspectRatio: 2 }),
    box(),
  ),
  'grid-unlaid': grid(
    { columns: ['1fr'], rows: [50] },
    { width: 100 },
    frame(null, { width: 'fill', height: 'fill' }, box({ x: 4, y: 5 })),
  ),
  'grid-rtl': grid(
    { columns: [50, '1fr', 30], gap: 6 },
    { direction: 'rtl', width: 300, padding: [0, 10, 0, 20] },
    ...three,
    box({ columnSpan: 2, justifySelf: 'end' }),
  ),
  'grid-baseline': row(
    { align: 'baseline' },
    {},
    words('Big', { fontSize: 40 }),
    grid({ columns: ['hug', 'hug'], gap: 4 }, { padding: 5 }, words('one'), words('two')),
  ),
  // Automatic minimums in a grid.
  'grid-fr-minimum-of-spanned-rows': grid(
    { columns: [60, 60], rows: ['1fr', '1fr'] },
    { height: 100 },
    frame({ direction: 'column' }, { rowSpan: 2 }, box({ height: 150 })),
    box(),
    box(),
  ),
  'grid-hug-minimum': grid(
    { columns: ['hug', 'hug'] },
    { width: 200 },
    frame({ direction: 'row' }, { minWidth: 0 }, box({ width: 300 })),
    box(),
  ),
  // Spans.
  'grid-span-over-unequal-fr': grid(
    { columns: ['1fr', '3fr'], gap: 4 },
    {},
    box({ columnSpan: 2, width: 204 }),
    box({ width: 'fill' }),
    box({ width: 'fill' }),
  ),
  'grid-spans-together-over-fr': grid(
    { columns: ['1fr', '2fr', '1fr'] },
    { width: 60 },
    box({ columnSpan: 2, width: 90, minWidth: 90 }),
    box({ width: 'fill' }),
    box({ gridColumn: 2, columnSpan: 2, width: 120, gridRow: 2 }),
    ...[1, 2, 3].map((gridColumn) => box({ gridColumn, gridRow: 3, width: 'fill' })),
  ),
  'grid-spans-together-over-hug': grid(
    { columns: ['hug', 'hug', 'hug'] },
    {},
    box({ columnSpan: 2, width: 100 }),
    box({ gridColumn: 2, columnSpan: 2, width: 120, gridRow: 2 }),
    ...[1, 2, 3].map((gridColumn) => box({ gridColumn, gridRow: 3, width: 'fill' })),
  ),
  'grid-fr-less-than-one-hugs-a-span': grid(
    { columns: ['0.2fr', '0.3fr', 40] },
    {},
    box({ columnSpan: 3, width: 200 }),
    box({ width: 'fill' }),
    box({ width: 'fill' }),
    box({ width: 'fill' }),
  ),
  'grid-zero-fr-spanned': grid(
    { columns: ['0fr', '0fr'] },
    {},
    box({ columnSpan: 2, width: 90 }),
    box({ width: 'fill' }),
    box({ width: 'fill' }),
  ),
  // Percentages of a size that hugs.
  'grid-percent-rows-hug': grid(
    { columns: [40], rows: ['50%', '80%'] },
    {},
    box({ height: 60 }),
    box({ height: 'fill' }),
    box({ height: 30 }),
  ),
  'grid-percent-columns-hug': grid({ columns: ['50%', '80%'] }, {}, box({ width: 60 }), box({ width: 'fill' })),
  // `hug` tracks take up the remaining space.
  'grid-hug-stretches': grid(
    { columns: ['hug', 40, 'hug'], gap: 10 },
    { width: 300, height: 120 },
    ...[box({ width: 'fill' }), box(), box({ width: 'fill', height: 'fill' }), words('A')],
  ),
  'grid-hug-stretches-to-minimum': grid(
    { columns: ['hug', 'hug'] },
    { minWidth: 200, minHeight: 90 },
    box({ width: 'fill' }),
    words('Words', { height: 'fill' }),
  ),
  'grid-hug-beside-small-fr': grid(
    { columns: ['hug', '0.5fr'] },
    { width: 200 },
    box({ width: 'fill' }),
    box({ width: 'fill' }),
  ),
  // Items that flex in a column start from their own size, not from their minimum.
  'grow-from-base-in-column': column(
    {},
    { width: 60, height: 100 },
    frame({ direction: 'row' }, { minHeight: 60, flexGrow: 1 }),
    box({ height: 0, flexGrow: 1 }),
  ),
  'grow-from-content-in-column': column(
    {},
    { width: 60, height: 100 },
    column({}, { minHeight: 30, flexGrow: 1 }, box()),
    box({ flexGrow: 1 }),
  ),
  'shrink-from-base-above-maximum-in-column': column(
    {},
    { width: 60, height: 60 },
    column({}, { maxHeight: 40, minHeight: 0, flexShrink: 1 }, box({ height: 80 })),
    box({ height: 60, flexShrink: 1 }),
  ),
  // Minimum and maximum, transferred through an aspect ratio.
  'aspect-ratio-bounds-in-grid': grid(
    { columns: ['hug', 'hug'], align: 'start', justifyItems: 'start' },
    { width: 300 },
    frame({ direction: 'row' }, { aspectRatio: 2, minHeight: 40 }),
    frame({ direction: 'row' }, { aspectRatio: 2, maxHeight: 10 }, words('some words')),
  ),
  'aspect-ratio-bounds-on-canvas': [
    frame({ direction: 'row' }, { aspectRatio: 2, minHeight: 40 }),
    frame({ direction: 'row' }, { y: 100, aspectRatio: 2, maxHeight: 20 }, words('some words')),
    frame({ direction: 'row' }, { y: 200, width: 30, aspectRatio: 2, minHeight: 40 }),
  ],
  // Columns that wrap are as wide as all their lines.
  'wrap-column-hugs-on-canvas': column(
    { wrap: 'wrap', gap: 5 },
    { height: 70, padding: 3 },
    ...three,
    words('two words'),
  ),
  // A maximum never cuts into the padding.
  'padding-above-maximum': [
    row({}, {}, frame({ direction: 'row' }, { maxWidth: 12, maxHeight: 12, padding: [2, 4, 6, 18] }), box()),
    frame({ direction: 'row' }, { y: 100, width: 50, maxWidth: 12, height: 50, maxHeight: 5, padding: [2, 4, 6, 18] }),
  ],
  'grid-fr-less-than-one-of-rows-that-hug': grid(
    { columns: [40], rows: ['0.5fr', 20] },
    {},
    frame({ direction: 'column' }, { minHeight: 0 }, box({ height: 100 })),
    box(),
  ),
  'grid-fr-less-than-one-of-spanned-rows-that-hug': grid(
    { columns: [40], rows: [50, '0.5fr'] },
    {},
    frame({ direction: 'column' }, { rowSpan: 2, minHeight: 0 }, box({ height: 100 })),
  ),
  // Track sizes in CSS's words.
  'grid-minmax-rows': grid(
    { columns: ['1fr'], rows: ['minmax(30px, 60px)', 'minmax(10px, hug)'] },
    { width: 90 },
    box(),
    words(FOX),
    box(),
  ),
  'grid-minmax-shares': grid({ columns: ['minmax(50px, 100px)', 'minmax(50px, 200px)', 30] }, { width: 250 }, ...three),
  'grid-minmax-hugs': grid(
    { columns: ['minmax(hug, 100px)', 'minmax(20px, 1fr)'] },
    {},
    words(FOX),
    words('The lazy dog'),
    box(),
  ),
  // Repeated tracks.
  'grid-repeat': grid({ columns: ['repeat(2, 30px 1fr)', 20] }, { width: 200 }, ...three, ...three),
  // Tracks that a grid adds.
  'grid-auto-rows': grid(
    { columns: ['1fr', '1fr'], rows: [20], gridAutoRows: [40, 'minmax(10px, hug)'] },
    { width: 120 },
    ...three,
    ...three,
    ...three,
  ),
  'grid-auto-columns': grid(
    { columns: [50], gridAutoColumns: [30, '1fr'] },
    { width: 300 },
    box({ gridColumn: 4 }),
    box(),
    box({ gridColumn: '2 / span 2' }),
    box({ columnSpan: 3, width: 'fill' }),
  ),
  'grid-auto-columns-before': grid(
    { columns: [50, 60], gridAutoColumns: [30, 20], rows: [40] },
    { width: 300 },
    box({ gridColumn: '-5', width: 'fill' }),
    box({ gridColumn: 'span 3 / 2', gridRow: '-4', width: 'fill' }),
    box(),
  ),
  'grid-lines': grid(
    { columns: [40, 40, 40, 40], rows: [20, 20, 20], gap: 2 },
    {},
    ...['1 / -1', '2 / 4', '3 / 2', 'span 2', '-2', '-3 / span 2', 'span 2 / -1', 'auto / 3', '2 / 2'].map(
      (gridColumn) => box({ gridColumn, width: 'fill' }),
    ),
    box({ gridRow: '1 / -1', height: 'fill', gridColumn: 2 }),
  ),
  'grid-areas': grid(
    {
      columns: [60, '1fr'],
      rows: [30, '1fr', 20],
      gridTemplateAreas: ['head head', 'side main', 'side .'],
      gap: 4,
    },
    { width: 240, height: 160 },
    frame(null, { gridArea: 'main', width: 'fill', height: 'fill' }),
    frame(null, { gridArea: 'head', width: 'fill', height: 'fill' }),
    box({ gridArea: 'side', justifySelf: 'end', alignSelf: 'end' }),
    box(),
  ),
  'grid-areas-alone': grid(
    { gridTemplateAreas: ['a a b', 'c d d'], gridAutoColumns: [40, '1fr'], gridAutoRows: [25] },
    { width: 240 },
    ...['d', 'c', 'b', 'a'].map((gridArea) => box({ gridArea, width: 'fill' })),
    box({ gridColumn: '-1' }),
    box(),
  ),
  // Baselines within a grid.
  'grid-align-baseline': grid(
    { columns: ['hug', 'hug', 'hug', 'hug'], align: 'baseline', gap: 4 },
    {},
    words('Big', { fontSize: 40 }),
    words('small', { fontSize: 12 }),
    box(),
    column({}, { padding: 9 }, words('framed')),
    words('next', { fontSize: 32, margin: [7, 0, 3, 0] }),
    words('row'),
    words('start', { alignSelf: 'start' }),
  ),
  'grid-self-baseline': row(
    { align: 'baseline' },
    {},
    words('Beside', { fontSize: 24 }),
    grid(
      { columns: ['hug', 'hug', 'hug'], rows: [60] },
      {},
      box({ alignSelf: 'end' }),
      words('Big', { fontSize: 40, alignSelf: 'baseline' }),
      words('small', { fontSize: 12, alignSelf: 'baseline', rowSpan: 2 }),
    ),
  ),
  // Percentages of edges, gaps and limits.
  'percent-edges-hug': row(
    {},
    { height: 120 },
    column(
      { gap: '10%' },
      {},
      box({ margin: '10%' }),
      row({}, { padding: '10%' }, words('Words')),
      box({ minWidth: '50%', maxWidth: '90%', minHeight: '50%' }),
    ),
    box(),
  ),
  'percent-edges-grid': grid(
    { columns: ['hug', '1fr'], gap: ['5%', '4%'] },
    { width: 300 },
    box({ margin: '10%' }),
    frame({ direction: 'row' }, { padding: '10%' }, words('Words')),
    words(FOX, { maxWidth: '50%' }),
    box({ width: 'hug', minWidth: '20%' }),
  ),
  'percent-limits': row(
    { align: 'stretch' },
    { width: 300, height: 100 },
    box({ width: 'fill', maxWidth: '40%', maxHeight: '50%', height: 'hug' }),
    box({ width: 10, minWidth: '25%', minHeight: '60%', height: 10 }),
    words(FOX, { minWidth: '10%' }),
  ),
  // Insets.
  'area-by-place': grid(
    { columns: [60, 70], rows: [40, 50], gap: 6, gridTemplateAreas: ['a b', 'c c'] },
    { direction: 'rtl', width: 200, padding: 10 },
    box({ position: 'absolute', gridArea: 'c', x: 5, y: 6 }),
    box({ position: 'absolute', gridArea: 'b', width: 'fill', height: 'fill' }),
  ),
  'border-sides': row(
    {},
    {
      width: 200,
      borderTop: { width: 3, color: '#000' },
      border: { width: 6, color: '#000' },
      borderRight: { width: 0, color: '#000' },
      borderLeft: { width: 12, color: '#000' },
    },
    box(),
    box({ position: 'absolute', right: 0, bottom: 0 }),
    grid({ columns: ['1fr'] }, { borderBottom: { width: 5, color: '#000' }, padding: 2 }, box()),
  ),
};

export const FIXTURES: readonly Fixture[] = [
  ...Object.entries(LAYERS).map(([name, layers]) => fixture(name, ...[layers].flat())),
  ...['row', 'column', 'row-reverse', 'column-reverse'].flatMap((direction) => [
    fixture(`direction-${direction}`, frame({ direction, gap: 6 }, { width: 300, height: 200, padding: 10 }, ...three)),
    fixture(`direction-${direction}-hugs`, frame({ direction, gap: 6 }, { padding: [1, 2, 3, 4] }, ...three)),
  ]),
  ...JUSTIFY.map((justify) =>
    fixture(`justify-${justify}`, row({ justify, gap: 4 }, { width: 300, height: 60 }, ...three)),
  ),
  ...JUSTIFY.map((justify) =>
    fixture(`justify-${justify}-overflowing`, row({ justify }, { x: 60, width: 70, height: 60 }, ...three)),
  ),
  ...['start', 'center', 'end', 'stretch', 'baseline'].map((align) =>
    fixture(
      `align-${align}`,
      row(
        { align, gap: 4 },
        { width: 300, height: 90 },
        ...three,
        box({ height: 'hug' }),
        words('Words', { fontSize: 30 }),
        words('of', { fontSize: 12 }),
      ),
    ),
  ),
  ...['start', 'center', 'end', 'stretch'].map((align) =>
    fixture(
      `align-${align}-in-column`,
      column({ align }, { width: 200 }, box(), words('Words'), box({ width: 'hug' })),
    ),
  ),
  ...['wrap', 'wrap-reverse'].flatMap((wrap) => [
    fixture(`${wrap}-row`, row({ wrap, gap: [10, 5] }, { width: 110 }, ...three, ...three)),
    fixture(`${wrap}-column`, column({ wrap, gap: [10, 5] }, { width: 200, height: 90 }, ...three, ...three)),
  ]),
  ...['start', 'center', 'end', 'stretch', 'space-between', 'space-around', 'space-evenly'].map((alignContent) =>
    fixture(
      `align-content-${alignContent}`,
      row({ wrap: 'wrap', alignContent, gap: 4 }, { width: 110, height: 200 }, ...three, ...three),
    ),
  ),
  ...['row', 'column', 'row-reverse', 'column-reverse'].map((direction) =>
    fixture(
      `rtl-${direction}`,
      frame({ direction, gap: 6 }, { direction: 'rtl', width: 300, height: 200, padding: [10, 20, 30, 40] }, ...three),
    ),
  ),
  ...['start', 'center', 'end', 'stretch'].map((align) =>
    fixture(
      `rtl-align-${align}`,
      column(
        { align },
        { direction: 'rtl', width: 200 },
        box(),
        words('مرحبا', { fontFamily: 'arabic' }),
        box({ width: 'hug' }),
      ),
    ),
  ),
  ...JUSTIFY.map((justify) =>
    fixture(`rtl-justify-${justify}`, row({ justify, gap: 4 }, { direction: 'rtl', width: 300, height: 60 }, ...three)),
  ),
  ...['start', 'center', 'end', 'stretch'].map((align) =>
    fixture(
      `wrap-margins-${align}`,
      row(
        { wrap: 'wrap', align, gap: 4 },
        { width: 150 },
        box({ margin: [7, 3, 2, 5] }),
        box({ width: 60, height: 50 }),
        box({ height: 'hug', margin: [3, 0, 9, 0] }),
        box({ width: 90, height: 40 }),
      ),
    ),
  ),
  ...['space-around', 'space-between', 'stretch'].map((alignContent) =>
    fixture(
      `wrap-stretched-items-${alignContent}`,
      row(
        { wrap: 'wrap', alignContent },
        { width: 110, height: 150 },
        box({ width: 60 }),
        box({ height: 'hug' }),
        box({ width: 60, height: 30 }),
        box({ height: 'hug', maxHeight: 10 }),
      ),
    ),
  ),
  ...['start', 'center', 'end', 'stretch'].map((way) =>
    fixture(
      `grid-items-${way}`,
      grid(
        { columns: ['1fr', '1fr'], rows: [70], justifyItems: way, align: way, gap: 4 },
        { width: 300 },
        box(),
        words('Words'),
        box({ width: 'hug', height: 'hug' }),
        words(FOX),
      ),
    ),
  ),
  // Automatic minimums in a grid.
  ...[{ minWidth: 0 }, { minWidth: 30 }, { clip: true }, {}].map((own) =>
    fixture(
      `grid-fr-minimum-${JSON.stringify(own)}`,
      grid(
        { columns: ['1fr', '1fr'] },
        { width: 200 },
        frame({ direction: 'row' }, own, box({ width: 300 })),
        frame({ direction: 'row' }, own, box()),
      ),
    ),
  ),
  ...[{ minHeight: 0 }, { minHeight: 30 }, { clip: true }, {}].map((own) =>
    fixture(
      `grid-fr-minimum-of-rows-${JSON.stringify(own)}`,
      grid(
        { columns: [60], rows: ['1fr', '1fr'] },
        { height: 100 },
        frame({ direction: 'column' }, own, box({ height: 150 })),
        frame({ direction: 'column' }, own, box()),
      ),
    ),
  ),
  // Spans.
  ...[150, 260].map((width) =>
    fixture(
      `grid-fr-less-than-one-with-a-span-${width}`,
      grid(
        { columns: ['0.2fr', '0.3fr'] },
        { width },
        box({ columnSpan: 2, width: 200 }),
        box({ width: 'fill' }),
        box({ width: 'fill' }),
      ),
    ),
  ),
  // Minimum and maximum, transferred through an aspect ratio.
  ...[{ minHeight: 40 }, { minWidth: 40 }, { maxHeight: 20 }, { maxWidth: 20 }].flatMap((own) =>
    ['row', 'column'].map((direction) =>
      fixture(
        `aspect-ratio-${direction}-${JSON.stringify(own)}`,
        frame(
          { direction, align: 'start' },
          { width: 150, height: 100 },
          frame({ direction: 'row' }, { aspectRatio: 2, ...own }, words('some words')),
          frame({ direction: 'row' }, { aspectRatio: 2, ...own }),
        ),
      ),
    ),
  ),
  // Columns that wrap are as wide as all their lines.
  ...['wrap', 'wrap-reverse'].flatMap((wrap) => [
    fixture(
      `${wrap}-column-hugs`,
      row({ gap: 4 }, { height: 60 }, column({ wrap, gap: [2, 6] }, { height: 60 }, ...three), box()),
    ),
    fixture(
      `${wrap}-column-hugs-below-maximum`,
      row({ gap: 4, align: 'start' }, {}, column({ wrap, gap: [2, 6] }, { maxHeight: 60 }, ...three), box()),
    ),
  ]),
  // The first baseline of a column is that of its topmost item.
  ...['column', 'column-reverse'].flatMap((direction) =>
    ['nowrap', 'wrap', 'wrap-reverse'].map((wrap) =>
      fixture(
        `baseline-of-${direction}-${wrap}`,
        row(
          { align: 'baseline' },
          { width: 300, height: 200 },
          box({ height: 100 }),
          frame(
            { direction, wrap },
            { width: 120, height: 90 },
            box({ height: 40 }),
            words('Words', { height: 45 }),
            box({ height: 50 }),
          ),
        ),
      ),
    ),
  ),
  ...['row', 'row-reverse'].flatMap((direction) =>
    ['wrap', 'wrap-reverse'].map((wrap) =>
      fixture(
        `baseline-of-${direction}-${wrap}`,
        row(
          { align: 'baseline' },
          { width: 300, height: 200 },
          box({ height: 100 }),
          frame(
            { direction, wrap },
            { width: 90 },
            box({ height: 40 }),
            words('Words', { height: 45 }),
            box({ height: 50 }),
          ),
        ),
      ),
    ),
  ),
  ...JUSTIFY.flatMap((justify) =>
    ['row-reverse', 'column-reverse', 'column'].map((direction) =>
      fixture(
        `justify-${justify}-overflowing-${direction}`,
        frame({ direction, justify }, { x: 60, y: 60, width: 70, height: 60 }, ...three),
      ),
    ),
  ),
  // A hugging row and flex bases.
  ...[0, 1].flatMap((flexGrow) =>
    [0, 1].map((flexShrink) =>
      fixture(
        `basis-hugs-grow-${flexGrow}-shrink-${flexShrink}`,
        row(
          {},
          {},
          box({ flexBasis: 70, flexGrow, flexShrink }),
          box({ flexBasis: 10, flexGrow, flexShrink }),
          words('two words', { flexBasis: 30, flexGrow, flexShrink }),
        ),
      ),
    ),
  ),
  // A maximum never cuts into the padding.
  ...[{ maxHeight: 20 }, { minHeight: 80 }, { maxWidth: 40 }, { minWidth: 140 }].flatMap((own) => [
    fixture(`picture-${JSON.stringify(own)}`, picture(own)),
    fixture(`picture-in-row-${JSON.stringify(own)}`, row({ align: 'start' }, { width: 300 }, picture(own), box())),
    fixture(`picture-in-column-${JSON.stringify(own)}`, column({ align: 'start' }, {}, picture(own), box())),
  ]),
  ...['wrap', 'wrap-reverse'].flatMap((wrap) =>
    ['space-around', 'space-evenly', 'space-between', 'center'].map((alignContent) =>
      fixture(
        `align-content-${alignContent}-overflowing-${wrap}`,
        row({ wrap, alignContent }, { y: 60, width: 70, height: 60 }, ...three),
      ),
    ),
  ),
  // Track sizes in CSS's words.
  ...['minmax(60px, 1fr)', 'minmax(0, 1fr)', 'minmax(hug, 80px)', 'minmax(min-content, 90px)', 'minmax(20%, hug)'].map(
    (size) =>
      fixture(
        `grid-${size}`,
        grid({ columns: [size, '1fr', size], gap: 4 }, { width: 260 }, words('Words'), words(FOX), box(), ...three),
      ),
  ),
  ...['min-content', 'max-content', 'fit-content(70px)', 'fit-content(40%)', 'minmax(max-content, 1fr)'].flatMap(
    (size) => [
      fixture(
        `grid-${size}`,
        grid({ columns: [size, 40, size], gap: 4 }, { width: 300 }, words(FOX), box(), words('The lazy dog'), ...three),
      ),
      fixture(`grid-${size}-hugs`, grid({ columns: [size, 40] }, {}, words('The lazy dog'), box(), words('Fox'))),
      fixture(
        `grid-${size}-rows`,
        grid({ columns: ['1fr'], rows: [size, 'hug', '1fr'] }, { width: 90, height: 300 }, words(FOX), box(), box()),
      ),
      fixture(
        `grid-${size}-spanned`,
        grid(
          { columns: [size, 'hug', size] },
          { width: 300 },
          words(FOX, { columnSpan: 2 }),
          box(),
          words('The lazy dog', { columnSpan: 3 }),
        ),
      ),
    ],
  ),
  // Repeated tracks.
  ...['auto-fill', 'auto-fit'].flatMap((times) => [
    ...[130, 200, 316].map((width) =>
      fixture(
        `grid-${times}-${width}`,
        grid({ columns: [`repeat(${times}, minmax(60px, 1fr))`], gap: 8 }, { width, padding: 4 }, ...three),
      ),
    ),
    fixture(
      `grid-${times}-beside`,
      grid({ columns: [50, `repeat(${times}, 40px 20px)`, 30], gap: 3 }, { width: 300 }, ...three),
    ),
    fixture(
      `grid-${times}-placed`,
      grid(
        { columns: [`repeat(${times}, 50px)`], gap: 5, justifyContent: 'center' },
        { width: 300 },
        box({ gridColumn: 3 }),
        box({ gridColumn: '-2 / -1', gridRow: 2 }),
        box({ columnSpan: 2, gridRow: 3 }),
      ),
    ),
    fixture(
      `grid-${times}-rows`,
      grid(
        { columns: [50], rows: [`repeat(${times}, 30px)`], gridAutoFlow: 'column', gap: 5 },
        { width: 300, height: 110 },
        ...three,
        ...three,
      ),
    ),
    fixture(`grid-${times}-hugs`, row({}, {}, grid({ columns: [`repeat(${times}, 50px)`] }, {}, ...three), box())),
    fixture(
      `grid-${times}-limited`,
      grid(
        { columns: ['1fr'], rows: [`repeat(${times}, 30px)`], alignContent: 'end' },
        { width: 90, minHeight: 100 },
        box(),
      ),
    ),
  ]),
  // Tracks that a grid adds.
  ...['row', 'column', 'row dense', 'column dense'].flatMap((gridAutoFlow) => [
    fixture(
      `grid-flow-${gridAutoFlow}`,
      grid(
        { columns: [40, 40, 40], rows: [30, 30, 30], gridAutoFlow, gap: 3 },
        {},
        box({ columnSpan: 2, width: 'fill' }),
        box({ columnSpan: 2, width: 'fill' }),
        box({ rowSpan: 2, height: 'fill' }),
        box({ gridRow: 2 }),
        box({ gridColumn: 2 }),
        ...three,
        box(),
      ),
    ),
    fixture(
      `grid-flow-${gridAutoFlow}-implicit`,
      grid(
        { gridAutoFlow, rows: [30, '1fr'], gap: 3 },
        { width: 300, height: 100 },
        ...three,
        words('Words'),
        ...three,
      ),
    ),
    fixture(
      `grid-flow-${gridAutoFlow}-full-row`,
      grid(
        { columns: [40, 40], gridAutoColumns: [20], gridAutoFlow },
        {},
        ...[1, 1, 1, 1].map((gridRow) => box({ gridRow })),
        box({ gridColumn: 1 }),
        box(),
      ),
    ),
  ]),
  // Where tracks lie.
  ...[...JUSTIFY, 'stretch', 'safe center', 'safe end'].flatMap((way) => [
    fixture(
      `grid-content-${way}`,
      grid(
        { columns: [40, 'hug', 30], rows: ['hug', 30], justifyContent: way, alignContent: way, gap: [4, 6] },
        { width: 300, height: 160 },
        ...three,
        box({ columnSpan: 2, width: 'fill', rowSpan: 2, height: 'fill' }),
        box(),
      ),
    ),
    fixture(
      `grid-content-${way}-overflowing`,
      grid(
        { columns: [60, 60, 60], rows: [50, 50], justifyContent: way, alignContent: way },
        { x: 80, y: 60, width: 120, height: 60 },
        ...three,
        ...three,
      ),
    ),
    fixture(
      `grid-content-${way}-rtl`,
      grid(
        { columns: [40, 50], justifyContent: way, justifyItems: 'end' },
        { direction: 'rtl', width: 200 },
        box({ width: 10 }),
        box({ width: 20 }),
        box({ width: 10 }),
      ),
    ),
  ]),
  ...['safe center', 'safe end', 'center', 'end'].map((way) =>
    fixture(
      `grid-items-${way}-overflowing`,
      grid(
        { columns: [30, 60], rows: [10, 60], justifyItems: way, align: way, gap: 40 },
        { x: 60, y: 60 },
        ...three,
        box({ justifySelf: 'safe end', alignSelf: 'safe center', width: 90, height: 90 }),
      ),
    ),
  ),
  // Safe alignment in flexbox.
  ...['row', 'column', 'row-reverse', 'column-reverse'].flatMap((direction) =>
    ['safe center', 'safe end'].flatMap((way) => [
      fixture(
        `${way}-${direction}`,
        frame(
          { direction, justify: way, align: way },
          { x: 70, y: 70, width: 90, height: 90 },
          ...three,
          box({ alignSelf: 'start' }),
        ),
      ),
      fixture(
        `${way}-${direction}-overflowing`,
        frame(
          { direction, justify: way, align: way },
          { x: 70, y: 70, width: 30, height: 30, direction: direction === 'column' ? 'rtl' : 'ltr' },
          ...three,
          box({ alignSelf: 'end' }),
        ),
      ),
    ]),
  ),
  ...['wrap', 'wrap-reverse'].flatMap((wrap) =>
    ['safe center', 'safe end'].map((way) =>
      fixture(
        `${way}-${wrap}-overflowing`,
        row(
          { wrap, alignContent: way, align: way, gap: 4 },
          { x: 60, y: 60, width: 110, height: 70 },
          ...three,
          ...three,
        ),
      ),
    ),
  ),
  // Automatic margins.
  ...[
    [0, 'auto', 0, 0],
    [0, 0, 0, 'auto'],
    [0, 'auto', 0, 'auto'],
    ['auto', 0, 0, 0],
    ['auto', 4, 'auto', 7],
    'auto',
  ].flatMap((margin) => [
    ...['row', 'column', 'row-reverse', 'column-reverse'].map((direction) =>
      fixture(
        `margin-${margin}-${direction}`,
        frame(
          { direction, justify: 'center', gap: 3 },
          { width: 200, height: 150 },
          box(),
          box({ margin }),
          words('Words', { margin }),
        ),
      ),
    ),
    fixture(
      `margin-${margin}-overflowing`,
      row(
        { justify: 'center' },
        { x: 60, y: 60, width: 50, height: 20 },
        box({ margin, height: 40 }),
        box({ width: 50 }),
      ),
    ),
    fixture(
      `margin-${margin}-wraps`,
      row({ wrap: 'wrap', gap: 4 }, { width: 130 }, box(), box({ margin, width: 'hug', height: 'hug' }), ...three),
    ),
    fixture(
      `margin-${margin}-grid`,
      grid(
        { columns: [70, '1fr'], rows: [60, 60] },
        { width: 200, direction: 'rtl' },
        box({ margin }),
        words('Words', { margin }),
        box({ margin, width: 90, height: 80 }),
      ),
    ),
    fixture(`margin-${margin}-hugs`, column({}, { padding: 5 }, words('Longer words'), box({ margin }))),
  ]),
  // Percentages of edges, gaps and limits.
  ...['row', 'column'].map((direction) =>
    fixture(
      `percent-edges-${direction}`,
      frame(
        { direction, gap: ['5%', '10%'] },
        { width: 300, height: 200 },
        box({ margin: ['1%', '2%', '3%', '4%'] }),
        frame({ direction: 'row' }, { padding: ['5%', 8, '2%', '10%'], margin: [0, 0, 0, '-2%'] }, words('Words')),
        box({ margin: '2%' }),
        words(FOX, { maxWidth: '30%', minHeight: '10%' }),
      ),
    ),
  ),
  // Sizes by content.
  ...['min-content', 'max-content', 'fit-content'].flatMap((width) => [
    fixture(`${width}-in-row`, row({}, { width: 200 }, words(FOX, { width }), box())),
    fixture(
      `${width}-in-column`,
      column({}, { width: 200 }, words(FOX, { width }), row({}, { width }, words('Words'), box())),
    ),
    fixture(
      `${width}-in-grid`,
      grid(
        { columns: ['1fr', '1fr'] },
        { width: 200 },
        words(FOX, { width }),
        row({}, { width }, words('The lazy dog')),
      ),
    ),
    fixture(`${width}-in-hug`, row({}, {}, column({}, {}, words('The lazy dog', { width }), words('fox')), box())),
    fixture(`${width}-minimum`, row({}, { width: 120 }, words(FOX, { width: 20, minWidth: width }), box())),
    fixture(
      `${width}-maximum`,
      column({}, { width: 300 }, words('The lazy dog', { width: 'fill', maxWidth: width }), box()),
    ),
    fixture(
      `${width}-basis`,
      row(
        {},
        { width: 300 },
        words('The lazy dog', { flexBasis: width, flexGrow: 1 }),
        words('Fox', { flexBasis: width }),
      ),
    ),
    fixture(
      `${width}-height`,
      row({}, { width: 300, height: 90 }, row({}, { height: width }, box()), box({ height: 'hug' })),
    ),
    fixture(
      `${width}-absolute`,
      frame(null, { width: 200, height: 100 }, words(FOX, { width, left: 20, right: 30, top: 5 })),
    ),
  ]),
  // Insets.
  ...[
    { right: 10, bottom: 20 },
    { left: 10, right: 20, top: '10%', bottom: '20%' },
    { left: '50%', top: '50%' },
    { left: 'auto', top: 'auto' },
    { left: 'auto', bottom: 5 },
    { top: 'auto', right: '5%' },
    { left: 0, right: 0, top: 0, bottom: 0, margin: 'auto' },
    { left: 10, right: 30, top: 4, bottom: 8, margin: [0, 0, 'auto', 'auto'] },
    { left: 10, right: 30, top: 4, bottom: 8, margin: [3, '5%', 2, 1] },
  ].flatMap((inset, i) => [
    ...['row', 'column', 'row-reverse'].flatMap((direction) =>
      ['start', 'center', 'end'].map((way) =>
        fixture(
          `inset-${i}-${direction}-${way}`,
          frame(
            { direction, justify: way, align: way },
            { width: 200, height: 120, padding: [5, 10, 15, 20], border: { width: 2, color: '#000' } },
            box(),
            box({ position: 'absolute', ...inset }),
          ),
        ),
      ),
    ),
    fixture(
      `inset-${i}-contents`,
      row(
        {},
        { width: 260, height: 120, padding: 10 },
        words(FOX, { position: 'absolute', ...inset }),
        row({}, { position: 'absolute', ...inset }, words('Words'), box()),
        picture({ position: 'absolute', ...inset }),
        frame(null, { position: 'absolute', ...inset, width: 30, height: 20 }),
      ),
    ),
    fixture(
      `inset-${i}-rtl`,
      row(
        {},
        { direction: 'rtl', width: 200, height: 120, padding: [5, 10, 15, 20] },
        box({ position: 'absolute', ...inset }),
      ),
    ),
    fixture(
      `inset-${i}-in-area`,
      grid(
        { columns: [60, 70, '1fr'], rows: [40, 50], gap: 6, justifyItems: 'center', align: 'end' },
        { width: 240, padding: [5, 10, 15, 20], border: { width: 2, color: '#000' } },
        box({ position: 'absolute', gridColumn: 2, gridRow: '1 / -1', width: 20, ...inset }),
        box({ position: 'absolute', gridColumn: 3, width: 20, ...inset }),
        ...three,
      ),
    ),
    fixture(
      `inset-${i}-relative`,
      row(
        { align: 'start' },
        { width: 200, height: 120 },
        box(),
        box({ position: 'relative', ...inset }),
        grid({ columns: [60] }, { direction: 'rtl' }, box({ position: 'relative', width: 30, ...inset }), box()),
      ),
    ),
  ]),
];
