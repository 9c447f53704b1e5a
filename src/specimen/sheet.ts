// The specimen sheet as a template: the catalogue's families, scripts and typographic features, laid out like a type
// foundry's specimen.
//
// It is an ordinary template of frames and grids that fit their text. Only its height is set after a first layout.

import { craftCards } from './craft.ts';
import { ACCENT, type Layer, RULE, specimenLayers } from './layers.ts';
import { lineCards } from './lines.ts';
import { FAMILIES, SCRIPTS } from './words.ts';

const WIDTH = 1240;
const MARGIN = 76;
const PAPER = '#f5f0e6';

const WEIGHTS = [100, 200, 300, 400, 500, 600, 700, 800, 900];

/** The sheet with a given height, px; its content does not depend on it. */
export function specimenSheet(height: number): unknown {
  const layers = specimenLayers();
  const { named, text, small, column, row, grid, rule } = layers;
  const section = (number: string, title: string, body: readonly Layer[]) =>
    column(
      30,
      [
        column(
          14,
          [
            rule(2),
            row(
              { justify: 'space-between', align: 'baseline' },
              [
                text(title, { fontFamily: 'Bricolage Grotesque', fontWeight: 700, fontSize: 22 }),
                small(number, { color: ACCENT }),
              ],
              { width: 'fill' },
            ),
          ],
          { width: 'fill' },
        ),
        ...body,
      ],
      { width: 'fill' },
    );

  const masthead = column(
    0,
    [
      row({ justify: 'space-between' }, [small('A SPECIMEN OF TYPES & SCRIPTS'), small('PNG · JPEG · WEBP · PDF')], {
        width: 'fill',
      }),
      row(
        { align: 'baseline', justify: 'space-between' },
        [
          text('Platen', {
            fontFamily: 'Playfair Display',
            fontWeight: 900,
            fontSize: 300,
            lineHeight: 1.12,
            letterSpacing: -10,
            margin: [0, 0, 0, -12],
          }),
          text('&', {
            fontFamily: 'Playfair Display',
            fontStyle: 'italic',
            fontWeight: 400,
            fontSize: 300,
            lineHeight: 1.12,
            color: ACCENT,
          }),
        ],
        { width: 'fill' },
      ),
      row({ gap: 40, align: 'end' }, [
        text(
          'The plate that presses paper onto type. What follows was shaped, broken into lines, laid out and printed from one template, without a browser.',
          {
            fontFamily: 'Source Serif 4',
            fontSize: 24,
            lineHeight: 1.4,
            width: 640,
          },
        ),
      ]),
    ],
    { width: 'fill' },
  );

  const families = FAMILIES.map(({ family, note, words, look }, i) =>
    column(
      18,
      [
        ...(i > 0 ? [rule(1, RULE)] : []),
        row(
          { gap: 24, align: 'baseline' },
          [
            column(2, [text(family, { fontFamily: family, fontWeight: 600, fontSize: 17 }), small(note)], {
              width: 240,
            }),
            text(words, { fontFamily: family, lineHeight: 1.15, ...look }),
          ],
          { width: 'fill' },
        ),
      ],
      { width: 'fill' },
    ),
  );

  const weights = grid(
    WEIGHTS.map(() => '1fr'),
    [0, 0],
    WEIGHTS.map((fontWeight) =>
      column(6, [text('Rag', { fontWeight, fontSize: 50, letterSpacing: -1.5 }), small(String(fontWeight))]),
    ),
  );

  const scripts = grid(
    ['1fr', '1fr', '1fr'],
    [40, 40],
    SCRIPTS.map(({ name, lang, word, sentence, rtl }) =>
      column(
        6,
        [
          small(name, { color: ACCENT, align: rtl ? 'right' : 'left' }),
          text(word, { lang, fontSize: 44, fontWeight: 600, lineHeight: 1.6, margin: [0, 0, 6, 0] }),
          text(sentence, { lang, fontSize: 18, lineHeight: 1.6 }),
        ],
        { direction: rtl ? 'rtl' : 'ltr' },
      ),
    ),
  );

  const emoji = row(
    { justify: 'space-between' },
    ['👩🏽‍🚀', '🧑‍🎨', '🏳️‍🌈', '🇺🇳', '🫱🏿‍🫲🏻', '🐈‍⬛', '🍋‍🟩', '❤️‍🔥', '🪐', '🦜', '5️⃣', '📐'].map((each) =>
      text(each, { fontSize: 56, lineHeight: 1.3 }),
    ),
    { width: 'fill' },
  );

  const craft = grid(['1fr', '1fr', '1fr'], [20, 20], craftCards(layers));
  const lines = grid(['1fr', '1fr', '1fr'], [20, 20], lineCards(layers));

  const sheet = named('frame', {
    layout: { gap: 64 },
    width: WIDTH,
    padding: [56, MARGIN, 60, MARGIN],
    children: [
      masthead,
      section('I', 'Families', families),
      section('II', 'Weights', [weights]),
      section('III', `Scripts`, [scripts, emoji]),
      section('IV', 'Craft', [craft]),
      section('V', 'Lines and frames', [lines]),
      column(
        14,
        [
          rule(2),
          row(
            { justify: 'space-between' },
            [small('Set, shaped and printed by Platen'), small('HarfBuzz · UAX #9 · UAX #14')],
            { width: 'fill' },
          ),
        ],
        { width: 'fill' },
      ),
    ],
  });
  return { name: 'Specimen', width: WIDTH, height, background: PAPER, layers: [sheet] };
}
