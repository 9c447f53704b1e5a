// The cards of the specimen sheet that show typographic features, one each.

import { ACCENT, INK, type Layer, type Layers } from './layers.ts';

export function craftCards({ named, text, row, card }: Layers): readonly Layer[] {
  const serif = { fontFamily: 'Source Serif 4', fontSize: 40, lineHeight: 1.25 };
  const figures = (tnum: number) =>
    text('1,171.10\n4,880.47', {
      fontSize: 27,
      fontWeight: 500,
      lineHeight: 1.25,
      align: 'right',
      fontFeatures: { tnum },
      width: 'fill',
    });
  return [
    card('Ligatures', [text('office affluent\nfjord waffle', serif)]),
    card('Proportional and tabular figures', [row({ gap: 20 }, [figures(0), figures(1)], { width: 'fill' })]),
    card('Fractions, zeros, alternates', [
      text('1/2  37/64  100', { fontSize: 34, fontWeight: 500, fontFeatures: { frac: 1, zero: 1 } }),
      text('Illicit 1l a6', { fontSize: 34, fontWeight: 500, fontFeatures: { ss02: 1, cv11: 1 } }),
    ]),
    card('Justified, in the measure of a book', [
      text(
        'Printing is the preserver of all arts. The compositor sets each line and justifies it with care; the press does the rest, and the page keeps every decision for good.',
        {
          fontFamily: 'Source Serif 4',
          fontSize: 19,
          lineHeight: 1.5,
          align: 'justify',
          width: 'fill',
        },
      ),
    ]),
    card('Two directions in one line', [
      text('The word שלום means peace, and سلام does, too: 2 words, 1 wish (אחת).', {
        fontSize: 24,
        lineHeight: 1.5,
        width: 'fill',
      }),
    ]),
    card('Fitted to its box', [
      text('As large as there is room', {
        fontFamily: 'Playfair Display',
        fontWeight: 800,
        fontSize: 120,
        autoFit: { min: 10 },
        lineHeight: 1.05,
        width: 'fill',
        height: 140,
        color: ACCENT,
      }),
    ]),
    card('Gradient, stroke, shadow', [
      row(
        { gap: 12, align: 'center', justify: 'space-between' },
        [
          text('Glow', {
            fontFamily: 'Bricolage Grotesque',
            fontWeight: 800,
            fontSize: 40,
            color: { type: 'linear', angle: 90, stops: [{ color: '#c8391b' }, { color: '#e2a52b' }] },
          }),
          text('Line', {
            fontFamily: 'Source Serif 4',
            fontWeight: 700,
            fontSize: 40,
            color: '#fffdf8',
            stroke: INK,
            strokeWidth: 3,
          }),
          text('Lift', {
            fontFamily: 'Bricolage Grotesque',
            fontWeight: 800,
            fontSize: 40,
            color: '#fffdf8',
            shadow: { y: 3, blur: 7, color: 'rgb(0 0 0 / 55%)' },
          }),
        ],
        { width: 'fill' },
      ),
    ]),
    card('Marked line by line', [
      text('Every line carries a label of its own', {
        fontSize: 26,
        fontWeight: 700,
        margin: [0, 9, 0, 9],
        lineHeight: 1.55,
        width: 'fill',
        color: '#ffffff',
        background: { color: ACCENT, padding: [2, 9, 2, 9], borderRadius: 4 },
      }),
    ]),
    card('Spans, decoration, case', [
      named('text', {
        fontFamily: 'Source Serif 4',
        fontSize: 26,
        lineHeight: 1.5,
        width: 'fill',
        color: INK,
        spans: [
          { text: 'Set in ' },
          { text: 'italic', fontStyle: 'italic' },
          { text: ', ' },
          { text: 'bold', fontWeight: 700 },
          { text: ', ' },
          { text: 'struck', textDecoration: 'line-through' },
          { text: ', ' },
          { text: 'underlined', textDecoration: 'underline' },
          { text: ' and ' },
          { text: 'capitals', textTransform: 'uppercase', letterSpacing: 2, fontSize: 22 },
        ],
      }),
    ]),
  ];
}
