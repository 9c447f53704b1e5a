// The cards of the specimen sheet that show text placement: in columns, on circles, in frames, beside images.

import { ACCENT, INK, type Layer, type Layers, QUIET, RULE } from './layers.ts';

const SERIF = 'Source Serif 4';
const GROTESQUE = 'Bricolage Grotesque';

/** An inline image, a dot placed in a line of text like a letter. */
const DOT = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="20" fill="${ACCENT}"/><path d="M11 21l6 6 12-14" fill="none" stroke="#fff" stroke-width="4"/></svg>`,
)}`;

export function lineCards({ named, text, small, column, row, grid, card }: Layers): readonly Layer[] {
  const vertical = (words: string, more: Layer) =>
    text(words, { writingMode: 'vertical-rl', lineHeight: 1.6, fontSize: 25, height: 236, ...more });
  const circle = (words: string, more: Layer, path: Layer) =>
    text(words, {
      fontFamily: GROTESQUE,
      fontWeight: 700,
      align: 'center',
      position: 'absolute',
      textPath: { type: 'arc', ...path },
      ...more,
    });
  const cell = (words: string, more: Layer = {}) =>
    named('frame', {
      padding: [8, 10, 8, 10],
      background: '#efe8da',
      borderRadius: 4,
      layout: {},
      children: [text(words, { fontSize: 17, fontWeight: 600 })],
      ...more,
    });

  return [
    card('Vertical, from the right', [
      vertical('閑さや\n岩にしみ入る\n蝉の声\n（松尾芭蕉）', { lang: 'ja', width: 'fill' }),
    ]),
    card('Vertical, with Latin, from the left', [
      vertical('第12版は「Platen」と PDFで、2026年に刷る。', { lang: 'ja', width: 'fill', writingMode: 'vertical-lr' }),
    ]),
    card('Around a circle', [
      named('frame', {
        width: 'fill',
        height: 236,
        children: [
          circle('SET · SHAPED · PRINTED', { x: 50, y: 34, fontSize: 24, color: INK }, { radius: 100, angle: 0 }),
          circle(
            'without a browser',
            { x: 40, y: 24, fontSize: 21, color: ACCENT, textDecoration: 'underline' },
            { radius: 110, side: 'inside' },
          ),
        ],
      }),
    ]),
    card('Marked up inline', [
      text('Take **one part** ink, _two_ of ~~haste~~ patience, and `press()` [twice](https://example.com/).', {
        markup: 'markdown',
        fontFamily: SERIF,
        fontSize: 24,
        lineHeight: 1.45,
        width: 'fill',
      }),
    ]),
    card('Pictures in a line', [
      named('text', {
        fontSize: 24,
        lineHeight: 1.5,
        width: 'fill',
        color: INK,
        spans: [
          { text: 'Proofed ' },
          { image: { src: DOT, height: 22, verticalAlign: 'middle' } },
          { text: ', passed ' },
          { image: { src: DOT, height: 22, verticalAlign: 'middle' } },
          { text: ' and printed, 🖨️ all in one line of type.' },
        ],
      }),
    ]),
    card('Raised and lowered', [
      named('text', {
        fontFamily: SERIF,
        fontSize: 32,
        lineHeight: 1.35,
        color: INK,
        spans: [
          { text: 'E = mc' },
          { text: '2', fontVariantPosition: 'super' },
          { text: ', H' },
          { text: '2', fontVariantPosition: 'sub' },
          { text: 'O,\nthe 5' },
          { text: 'th', fontVariantPosition: 'super' },
          { text: ' edition' },
        ],
      }),
    ]),
    card('Hyphenated by language', [
      text('Donaudampfschifffahrtsgesellschaft und Buchdruckerkunst vertragen eine schmale Spalte.', {
        lang: 'de',
        hyphens: 'auto',
        align: 'justify',
        fontFamily: SERIF,
        fontSize: 20,
        lineHeight: 1.4,
        width: 'fill',
      }),
    ]),
    card('Balanced, and without an orphan', [
      text('A headline of two lines as long as each other', {
        textWrap: 'balance',
        fontFamily: GROTESQUE,
        fontWeight: 700,
        fontSize: 24,
        lineHeight: 1.15,
        width: 'fill',
      }),
      text('The last line of a paragraph is never left with one word alone.', {
        textWrap: 'pretty',
        fontSize: 16,
        lineHeight: 1.45,
        color: QUIET,
        width: 'fill',
      }),
    ]),
    card('Letters and words apart', [
      text('AIRY CAPITALS', { letterSpacing: 5, fontSize: 22, lineHeight: 1.6 }),
      text('and words with room between', {
        wordSpacing: 9,
        fontSize: 16,
        lineHeight: 1.45,
        color: QUIET,
        width: 'fill',
      }),
    ]),
    card('A row from the right', [
      named('frame', {
        direction: 'rtl',
        width: 'fill',
        layout: { direction: 'row', gap: 8, wrap: 'wrap' },
        children: ['أخبار', 'رياضة', 'ثقافة', 'علوم', 'اقتصاد', 'سفر', 'فنون'].map((words) => cell(words)),
      }),
    ]),
    card('A grid of tracks', [
      grid(
        ['2fr', '1fr', '1fr'],
        [8, 8],
        [
          cell('2fr', {
            background: ACCENT,
            children: [text('2fr', { fontSize: 17, fontWeight: 600, color: '#fff' })],
          }),
          cell('1fr'),
          cell('1fr'),
          cell('two rows', { rowSpan: 2 }),
          cell('two columns', { columnSpan: 2 }),
          cell('a'),
          cell('b'),
        ],
      ),
    ]),
    card('Text pushes its neighbours', [
      row(
        { gap: 10, align: 'center' },
        [
          text('Fills what is left of the row', { fontSize: 20, lineHeight: 1.3, flexGrow: 1 }),
          column(0, [text('hugs', { fontSize: 18, fontWeight: 600, color: '#ffffff' })], {
            padding: [6, 14, 6, 14],
            background: INK,
            borderRadius: 18,
          }),
        ],
        { width: 'fill', padding: [0, 0, 12, 0] },
      ),
      named('shape', { width: 'fill', height: 1, fill: RULE }),
      small('row · gap 10 · grow 1'),
    ]),
  ];
}
