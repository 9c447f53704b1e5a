// The measured workloads: three templates, and for every render a set of new strings.
//
// The templates are in Platen's own format; css-tree.ts converts them for the peers. Strings depend on a counter alone,
// so that every peer draws the same pictures and none can answer from a cache of whole outputs.

import { parseTemplate, type Template } from '#core/template/template.ts';
import { PHOTOS } from './assets.ts';

export interface Workload {
  readonly name: string;
  readonly template: Template;
  /** The text or source of each named layer in the `i`-th render. */
  strings(i: number): Readonly<Record<string, string>>;
}

type LayerInput = Record<string, unknown>;

const WORDS = ['anchor', 'beacon', 'cobalt', 'drifter', 'ember', 'fjord', 'garnet', 'hollow', 'indigo', 'juniper'];
const word = (i: number) => WORDS[i % WORDS.length] ?? '';
const title = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const text = (
  name: string,
  fontSize: number,
  fontWeight: number,
  color: string,
  more: LayerInput = {},
): LayerInput => ({
  name,
  type: 'text',
  text: name,
  fontFamily: 'Inter',
  fontSize,
  fontWeight,
  color,
  flexShrink: 0,
  ...more,
});

let boxes = 0;
/** A flex frame; frames are unmodified and named by number. */
const frame = (layout: LayerInput, more: LayerInput, children: readonly LayerInput[]): LayerInput => ({
  name: `box ${++boxes}`,
  type: 'frame',
  layout,
  ...more,
  children,
});

const ROW = { direction: 'row', align: 'center' };
const SHADE = {
  type: 'linear',
  angle: 180,
  stops: [{ color: 'rgba(9, 14, 28, 0.3)' }, { color: 'rgba(9, 14, 28, 0.92)' }],
};

/** A social card: a photo under a shade, a logo, a pill, a two-line headline, three lines of text, a round portrait. */
const photoCard: Workload = {
  name: 'photo-card',
  template: parseTemplate({
    name: 'Photo card',
    width: 1200,
    height: 630,
    background: '#0b1224',
    layers: [
      { name: 'photo', type: 'image', src: 'photo.jpg', width: 1200, height: 630 },
      { name: 'shade', type: 'shape', width: 1200, height: 630, fill: SHADE },
      frame({ direction: 'column', justify: 'space-between' }, { width: 1200, height: 630, padding: 64 }, [
        frame({ ...ROW, justify: 'space-between' }, {}, [
          { name: 'logo', type: 'image', src: 'logo.png', width: 192, height: 48 },
          frame(ROW, { background: '#ea580c', borderRadius: 27, padding: [12, 28, 12, 28] }, [
            text('issue', 24, 600, '#ffffff'),
          ]),
        ]),
        frame({ direction: 'column', gap: 20 }, {}, [
          text('headline', 72, 700, '#ffffff', { width: 1040, lineHeight: 1.1 }),
          text('summary', 32, 400, '#d5dcea', { width: 1040, lineHeight: 1.4 }),
        ]),
        frame({ ...ROW, gap: 20 }, {}, [
          { name: 'portrait', type: 'image', src: 'portrait.jpg', width: 80, height: 80, borderRadius: 40 },
          frame({ direction: 'column', gap: 4 }, {}, [
            text('author', 28, 600, '#ffffff'),
            text('role', 22, 400, '#a9b4c7'),
          ]),
        ]),
      ]),
    ],
  }),
  strings: (i) => ({
    issue: `Volume ${100 + (i % 900)}`,
    headline: `Why the ${word(i)} crew prints better with ${word(i + 3)} plates`,
    summary: `Notes from week ${i}: lay every sheet out once, keep the ${word(i + 1)} forms warm and throw away what no one reads. The ${word(i + 5)} press has not stopped since, and nobody misses the noise.`,
    author: `Noor ${title(word(i + 2))}`,
    role: `Press engineer, shift ${1000 + i}`,
  }),
};

/** A gradient with a title and a subtitle. */
const simpleCard: Workload = {
  name: 'simple-card',
  template: parseTemplate({
    name: 'Simple card',
    width: 1200,
    height: 630,
    background: { type: 'linear', angle: 135, stops: [{ color: '#4338ca' }, { color: '#db2777' }] },
    layers: [
      frame({ direction: 'column', justify: 'center', gap: 28 }, { width: 1200, height: 630, padding: 96 }, [
        text('title', 80, 700, '#ffffff', { width: 1008, lineHeight: 1.1 }),
        text('subtitle', 36, 400, '#f0e7ff', { width: 1008, lineHeight: 1.35 }),
      ]),
    ],
  }),
  strings: (i) => ({
    title: `Version ${i}: ${word(i)} and ${word(i + 4)} have landed`,
    subtitle: `All that changed in the ${word(i + 6)} edition, told in five minutes`,
  }),
};

const ACCENTS = ['#4f46e5', '#0284c7', '#059669', '#d97706', '#dc2626', '#7c3aed'];
const INK = '#111827';
const MUTED = '#64748b';
const STATS = ['Open orders', 'Return rate', 'Turnover'];

/** A price list: three figures and six rows on cards with shadows, some sixty drawing operations. */
const denseCard: Workload = {
  name: 'dense-card',
  template: parseTemplate({
    name: 'Dense card',
    width: 1080,
    height: 1350,
    background: '#edf1f7',
    layers: [
      {
        name: 'banner',
        type: 'shape',
        width: 1080,
        height: 300,
        fill: {
          type: 'linear',
          angle: 120,
          stops: [{ color: '#1e1b4b' }, { color: '#4338ca', offset: 0.6 }, { color: '#0ea5e9' }],
        },
      },
      frame({ direction: 'column', gap: 14 }, { width: 1080, height: 1350, padding: 48 }, [
        text('title', 60, 700, '#ffffff', { width: 984, lineHeight: 1.1 }),
        text('note', 26, 400, '#dbe4ff', { width: 984, lineHeight: 1.3 }),
        frame({ direction: 'row', justify: 'space-between' }, { margin: [14, 0, 0, 0] }, STATS.map(stat)),
        frame(
          { direction: 'column', gap: 14 },
          { margin: [18, 0, 0, 0] },
          ACCENTS.map((accent, row) => priceRow(accent, row)),
        ),
        text('footer', 18, 400, MUTED, { width: 984, lineHeight: 1.3 }),
      ]),
    ],
  }),
  strings: (i) => {
    const strings: Record<string, string> = {
      title: `Tariff sheet, week ${i}`,
      note: `Holds until the ${word(i + 2)} revision. Every amount in dollars, taxes in it.`,
      footer: `Drawn up for customer ${7000 + i}`,
      'figure 0': `${1200 + i}`,
      'figure 1': `${((i % 90) / 10 + 2).toFixed(1)}%`,
      'figure 2': `$${(i % 800) + 120}k`,
    };
    for (const row of ACCENTS.keys()) {
      strings[`letter ${row}`] = word(i + row)
        .charAt(0)
        .toUpperCase();
      strings[`plan ${row}`] = `${title(word(i + row))} tariff ${row + 1}`;
      strings[`terms ${row}`] = `For ${(row + 1) * ((i % 7) + 3)} ${word(i + row + 3)} desks, billed weekly`;
      strings[`tag ${row}`] = row % 2 ? `Less ${5 + ((i + row) % 40)}%` : `${3 + ((i + row) % 9)} to go`;
      strings[`price ${row}`] = `$${(row + 1) * 19 + (i % 50)}.${10 + ((i + row) % 90)}`;
    }
    return strings;
  },
};

function stat(label: string, index: number): LayerInput {
  const shadow = { y: 8, blur: 24, color: 'rgba(17, 24, 39, 0.16)' };
  const card = { width: 314, height: 132, padding: 24, borderRadius: 22, background: '#ffffff', shadow };
  return frame({ direction: 'column', gap: 6 }, card, [
    text(`label ${index}`, 20, 400, MUTED, { text: label, lineHeight: 1.25 }),
    text(`figure ${index}`, 44, 700, INK),
  ]);
}

function priceRow(accent: string, row: number): LayerInput {
  const shadow = { y: 4, blur: 14, color: 'rgba(17, 24, 39, 0.12)' };
  const card = { height: 124, padding: [0, 28, 0, 24], borderRadius: 18, background: '#ffffff', shadow };
  const [tagFill, tagInk] = row % 2 ? ['#dcfce7', '#166534'] : ['#fee2e2', '#991b1b'];
  return frame({ ...ROW, justify: 'space-between' }, card, [
    frame({ ...ROW, gap: 20 }, {}, [
      frame({ ...ROW, justify: 'center' }, { width: 72, height: 72, borderRadius: 18, background: accent }, [
        text(`letter ${row}`, 28, 700, '#ffffff'),
      ]),
      frame({ direction: 'column', gap: 4 }, {}, [
        text(`plan ${row}`, 26, 600, INK),
        text(`terms ${row}`, 18, 400, MUTED, { lineHeight: 1.25 }),
      ]),
    ]),
    frame({ ...ROW, gap: 20 }, {}, [
      frame(ROW, { background: tagFill, borderRadius: 16, padding: [6, 16, 6, 16] }, [
        text(`tag ${row}`, 18, 600, tagInk ?? INK),
      ]),
      text(`price ${row}`, 34, 700, INK),
    ]),
  ]);
}

export const WORKLOADS: readonly Workload[] = [photoCard, simpleCard, denseCard];

/** The photo card with a new photo each time, so that none is already decoded. PNG only, unless requested otherwise. */
const newPhoto: Workload = {
  name: 'new-photo',
  template: photoCard.template,
  strings: (i) => ({ ...photoCard.strings(i), photo: `photo-${i % PHOTOS}.jpg` }),
};

export const ALL_WORKLOADS: readonly Workload[] = [...WORKLOADS, newPhoto];
