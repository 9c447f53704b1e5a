// What flows over pages, as Chromium has divided it once, which is recorded, and as ours does on every test run.
//
// Pages are columns there: CSS Fragmentation 3 has the same rules for both, and a column tells where each part lies.

import { parseTemplate, type Template } from '#core/template/template.ts';

export interface Fixture {
  readonly name: string;
  readonly template: Template;
}

/** px, of each page. */
export const SHEET = { width: 200, height: 150 };

type Properties = Readonly<Record<string, unknown>>;

/** A stored layer without its name: the name is its path in the tree (`0`, `0.1`). */
interface Unnamed extends Properties {
  readonly type: string;
  readonly children?: readonly Unnamed[];
}

const box = (height: number, more: Properties = {}): Unnamed => ({ type: 'shape', width: 60, height, ...more });
const words = (text: string, more: Properties = {}): Unnamed => ({
  ...{ type: 'text', text, fontFamily: 'inter', width: 'fill', lineHeight: 1.25 },
  ...more,
});
const frame = (layout: Properties, more: Properties, ...children: readonly Unnamed[]): Unnamed => ({
  ...{ type: 'frame', width: 'fill', layout },
  ...more,
  children,
});
const column = (more: Properties, ...children: readonly Unnamed[]) => frame({}, more, ...children);
const row = (more: Properties, ...children: readonly Unnamed[]) =>
  frame({ direction: 'row', align: 'start' }, more, ...children);
const grid = (layout: Properties, ...children: readonly Unnamed[]) =>
  frame({ type: 'grid', ...layout }, {}, ...children);

function named(layers: readonly Unnamed[], prefix = ''): readonly Properties[] {
  return layers.map((layer, i) => {
    const name = `${prefix}${i}`;
    return layer.children ? { ...layer, name, children: named(layer.children, `${name}.`) } : { ...layer, name };
  });
}

/** @param gap of the frame that flows */
const flow = (name: string, gap: number, ...children: readonly Unnamed[]): Fixture => ({
  name,
  template: parseTemplate({
    name,
    page: { size: [SHEET.width, SHEET.height] },
    layers: [{ name: 'flow', type: 'frame', flow: true, layout: { gap }, children: named(children) }],
  }),
});

const many = (count: number, height: number, more: Properties = {}) =>
  Array.from({ length: count }, () => box(height, more));
const FOX = 'The quick brown fox jumps over the lazy dog and runs on. ';
/** Lines of 20 px: seven fit on a page. */
const lines = (count: number, more: Properties = {}) =>
  words(Array.from({ length: count }, (_, i) => `Line ${i + 1}`).join('\n'), more);

export const FIXTURES: readonly Fixture[] = [
  flow('boxes', 0, ...many(6, 40)),
  flow('boxes-exactly', 0, ...many(6, 50)),
  flow('gap', 10, ...many(7, 40)),
  flow('gap-exactly', 30, ...many(5, 60)),
  flow('margins', 0, ...many(6, 40, { margin: [5, 0, 15, 0] })),
  flow('margin-before-break', 0, box(100), box(60, { margin: [30, 0, 0, 0] }), box(20)),
  flow('margin-after-break', 0, box(120, { margin: [0, 0, 50, 0] }), box(60)),

  flow('break-before', 0, box(30), box(30, { breakBefore: 'page' }), box(30)),
  flow('break-after', 0, box(30, { breakAfter: 'page' }), box(30), box(30)),
  flow('break-both', 0, box(30, { breakAfter: 'page' }), box(30, { breakBefore: 'page' })),
  flow('break-before-in-frame', 0, box(30), column({}, box(30, { breakBefore: 'page' }), box(20)), box(20)),
  flow('break-after-in-frame', 0, column({}, box(30), box(20, { breakAfter: 'page' })), box(20)),
  flow('break-between-in-frame', 0, column({}, box(30), box(30, { breakBefore: 'page' }), box(30)), box(20)),
  flow('break-in-padding', 0, column({ padding: 10 }, box(30), box(30, { breakBefore: 'page' }), box(30)), box(20)),
  flow('break-of-all', 0, ...many(3, 20, { breakBefore: 'page' })),

  flow('avoid-inside', 0, box(80), column({ breakInside: 'avoid' }, ...many(3, 30)), box(20)),
  flow('avoid-inside-too-high', 0, box(80), column({ breakInside: 'avoid' }, ...many(7, 30)), box(20)),
  flow('avoid-inside-text', 0, box(80), lines(4, { breakInside: 'avoid' }), box(20)),
  flow('avoid-inside-nested', 0, box(60), column({}, box(20), column({ breakInside: 'avoid' }, ...many(3, 30)))),
  flow('avoid-after', 0, box(100), box(30, { breakAfter: 'avoid' }), box(60), box(20)),
  flow('avoid-before', 0, box(100), box(30), box(60, { breakBefore: 'avoid' }), box(20)),
  flow('avoid-chain', 0, box(60), ...many(2, 30, { breakAfter: 'avoid' }), box(50), box(20)),
  flow('avoid-after-heading', 0, box(110), words('Heading', { breakAfter: 'avoid' }), lines(5)),
  flow('avoid-all', 0, ...many(6, 40, { breakAfter: 'avoid' })),
  flow('held-text', 0, box(20, { breakAfter: 'avoid' }), lines(12, { breakInside: 'avoid' }), box(20)),
  flow('held-text-of-a-page', 0, box(30, { breakAfter: 'avoid' }), lines(7, { breakInside: 'avoid' }), box(20)),
  flow('held-chain', 0, ...many(2, 20, { breakAfter: 'avoid' }), column({ breakInside: 'avoid' }, lines(9)), box(20)),
  flow('held-low', 0, box(80), box(20, { breakAfter: 'avoid' }), lines(12, { breakInside: 'avoid' }), box(20)),
  flow('held-in-frame', 0, column({}, box(20, { breakAfter: 'avoid' }), lines(12, { breakInside: 'avoid' })), box(20)),
  flow('held-whole', 0, box(30, { breakAfter: 'avoid' }), box(140), box(20)),
  flow('not-held-text', 0, box(20), lines(12, { breakInside: 'avoid' }), box(20)),

  flow('text', 0, lines(20)),
  flow('text-below', 0, box(60), lines(12)),
  flow('text-orphans', 0, box(115), lines(8)),
  flow('text-orphans-4', 0, box(80), lines(8, { orphans: 4 })),
  flow('text-widows', 0, box(10), lines(8)),
  flow('text-widows-4', 0, box(10), lines(9, { widows: 4 })),
  flow('text-orphans-and-widows', 0, box(90), lines(3)),
  flow('text-one-line-each', 0, box(130), lines(2, { orphans: 1, widows: 1 })),
  flow('text-paragraphs', 8, ...Array.from({ length: 5 }, () => words(FOX.repeat(2)))),
  flow('text-large', 0, words(FOX.repeat(3), { fontSize: 30 })),
  flow('text-wide-lines', 0, words(FOX.repeat(3), { fontSize: 14, lineHeight: 2.5 })),

  flow('padding', 0, box(40), column({ padding: 15 }, ...many(5, 40)), box(20)),
  flow('padding-clone', 0, box(40), column({ padding: 15, boxDecorationBreak: 'clone' }, ...many(5, 40)), box(20)),
  flow('border', 0, box(40), column({ border: { width: 8, color: '#000' } }, ...many(5, 40)), box(20)),
  flow(
    'border-clone',
    0,
    box(40),
    column({ border: { width: 8, color: '#000' }, padding: 4, boxDecorationBreak: 'clone' }, ...many(6, 40)),
  ),
  flow('nested', 0, box(40), column({ padding: 5 }, column({ padding: 5 }, ...many(6, 35))), box(20)),
  flow('nested-clone', 0, column({ padding: 6, boxDecorationBreak: 'clone' }, box(30), lines(14))),
  flow('frame-begins-low', 0, box(140), column({ padding: 15 }, box(40), box(40))),
  flow('frame-with-gap', 0, box(70), frame({ gap: 12 }, {}, ...many(5, 35))),

  flow('row-of-columns', 0, row({}, column({}, ...many(5, 40)), column({}, ...many(3, 40)))),
  flow('row-of-texts', 0, row({}, words(FOX.repeat(3)), words(FOX))),
  flow('row-below', 0, box(70), row({}, lines(9), lines(6))),
  flow('row-avoid', 0, box(90), row({ breakInside: 'avoid' }, box(80), box(40)), box(20)),
  flow('rows', 0, ...Array.from({ length: 6 }, () => row({}, box(35), box(25)))),

  flow('grid', 0, grid({ columns: [60, 60], gap: 10 }, ...many(8, 40))),
  flow('grid-below', 0, box(50), grid({ columns: [60, 60], gap: [6, 10] }, ...many(9, 30))),
  flow(
    'grid-uneven',
    0,
    grid({ columns: [60, 60], align: 'start' }, box(40), box(20), box(20), box(70), box(40), box(60)),
  ),
  flow('grid-text', 0, grid({ columns: ['1fr', '1fr'] }, ...Array.from({ length: 6 }, () => lines(4)))),
];
