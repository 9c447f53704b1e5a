// Tests how PDF readers see the file: poppler and qpdf, if they are installed.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { rotation } from '#core/geometry.ts';
import type { Brush, PaintOp } from '#core/paint/display-list.ts';
import type { FontFace } from '#core/text/font-face.ts';
import { ask, fill, group, has, type PageOptions, page, pixel, rect, render, rgb, solid } from './page.ts';
import { samplePage } from './sample-page.ts';
import { ARABIC, DEVANAGARI, face, HEBREW, INTER, INTER_BOLD, NOTO, shape, THAI } from './shaping.ts';

const noPoppler = !has('pdftotext');
const noQpdf = !has('qpdf');
const FACES = [INTER, INTER_BOLD, NOTO, ARABIC, HEBREW, DEVANAGARI, THAI];

function text(face: FontFace, words: string, y: number, brush: Brush | null = solid(0, 0, 0), x = 20): PaintOp {
  return { kind: 'glyphs', run: shape(face, 24, words), origin: { x, y }, brush, outline: null };
}

test.skipIf(noQpdf)('qpdf finds nothing wrong', async () => {
  expect(ask('qpdf', await samplePage(), ['--check'])).toContain('No syntax or stream encoding errors found');
});

test.skipIf(noPoppler)('every font is an embedded subset with a way back to text', async () => {
  const lines = ask('pdffonts', await samplePage(), [])
    .trim()
    .split('\n')
    .slice(2);
  const rows = lines.map((line) =>
    /^[A-Z]{6}\+(\S+)\s+(CID Type 0C|CID TrueType)\s+Identity-H\s+(yes yes yes)/.exec(line)?.slice(1),
  );
  expect(rows.map((row) => row?.join(' ')).sort()).toEqual([
    'Inter-Bold CID TrueType yes yes yes',
    'Invisible CID Type 0C yes yes yes',
    'NotoSansArabic-Regular CID TrueType yes yes yes',
  ]);
});

/**
 * Checks the text extracted from a page with a line of English above, so that right-to-left text is the exception, as
 * usual.
 */
async function checkWords(face: FontFace, words: string): Promise<void> {
  const pdf = await page([text(INTER, 'A line of English comes first', 40), text(face, words, 90)], {
    width: 500,
    height: 120,
    faces: FACES,
  });
  const lines = ask('pdftotext', pdf, [], ['-'])
    .replace(/[\u200f\u202a-\u202c\f]/g, '')
    .trim()
    .split(/\n+/);
  expect(lines).toEqual(['A line of English comes first', words]);
}

test.skipIf(noPoppler)('ligatures and kerning are words', () => checkWords(NOTO, 'AVATAR office ffi — “quotes”'));
test.skipIf(noPoppler)('more letters than a range of codes holds are each themselves', async () => {
  const letters = String.fromCharCode(...Array.from({ length: 300 }, (_, i) => (i < 150 ? 0xc0 : 0x36a) + i));
  const pdf = await page([text(NOTO, letters, 40)], { width: 8_000, faces: FACES });
  expect(ask('pdftotext', pdf, [], ['-']).trim()).toBe(letters);
});
test.skipIf(noPoppler)('combining marks stay on their letters', () => checkWords(NOTO, 'e\u0301 a\u0308 Việt'));
test.skipIf(noPoppler)('Arabic comes out in logical order', () => checkWords(ARABIC, 'السلام عليكم لا إله'));
test.skipIf(noPoppler)('Arabic keeps its vowel signs in place', () => checkWords(ARABIC, 'مُحَمَّدٌ مُحَمَّد'));
test.skipIf(noPoppler)('Hebrew keeps its points in place', () => checkWords(HEBREW, 'שָׁלוֹם עוֹלָם'));
test.skipIf(noPoppler)('Devanagari syllables are whole', () => checkWords(DEVANAGARI, 'नमस्ते क्षत्रिय हिन्दी र्कि'));
test.skipIf(noPoppler)('Thai', () => checkWords(THAI, 'ภาษาไทย ที่นี่'));

const RAINBOW: Brush = {
  kind: 'linear',
  from: { x: 0, y: 0 },
  to: { x: 400, y: 0 },
  stops: [
    { offset: 0, color: rgb(255, 0, 0, 0.2) },
    { offset: 1, color: rgb(0, 0, 255) },
  ],
};

test.skipIf(noPoppler)(
  'text stays text: in gradients, outlines, turned groups, behind nothing and under blurs',
  async () => {
    const outline = {
      brush: solid(255, 0, 0),
      stroke: { width: 2, cap: 'round', join: 'round', miterLimit: 4, dash: [] },
    } as const;
    const ops: readonly PaintOp[] = [
      text(INTER_BOLD, 'faded', 30, RAINBOW),
      { ...(text(INTER, 'outlined', 70) as Extract<PaintOp, { kind: 'glyphs' }>), outline },
      text(INTER, 'unseen', 110, null),
      group([text(INTER, 'grouped', 150), text(INTER, 'together', 150, solid(0, 0, 0), 150)], { opacity: 0.5 }),
      group([text(INTER, 'blurred', 190)], { filters: [{ kind: 'blur', sigma: 3 }] }),
      group([text(INTER, 'tilted', 240)], { transform: rotation(5, { x: 100, y: 240 }) }),
    ];
    const pdf = await page(ops, {
      width: 400,
      height: 260,
      faces: FACES,
      tools: {
        rasterize: ({ width, height }) =>
          Promise.resolve({ width, height, pixels: new Uint8Array(width * height * 4) }),
      },
    });
    const words = ask('pdftotext', pdf, ['-raw'], ['-']).split(/\s+/).filter(Boolean);
    expect(words).toEqual(['faded', 'outlined', 'unseen', 'grouped', 'together', 'blurred', 'tilted']);
  },
);

test.skipIf(noPoppler)('an emoji is its text, and costs no font', async () => {
  const glyph = { id: 1, cluster: 0, x: 0, y: 0, advance: 30 };
  const run = {
    face: 'emoji',
    fontSize: 24,
    direction: 'ltr',
    slant: 0,
    text: '👩🏽‍🚀',
    glyphs: [glyph],
    width: 30,
  } as const;
  const pdf = await page([{ kind: 'glyphs', run, origin: { x: 20, y: 50 }, brush: null, outline: null }]);
  expect(ask('pdftotext', pdf, [], ['-']).trim()).toBe('👩🏽‍🚀');
  expect(pdf.length).toBeLessThan(4_000);
});

test.skipIf(noPoppler)('a word is selected where its letters are', async () => {
  const run = shape(INTER, 40, 'Wave');
  const pdf = await page([{ kind: 'glyphs', run, origin: { x: 20, y: 60 }, brush: solid(0, 0, 0), outline: null }]);
  const [, xMin, xMax] = /xMin="([\d.]+)".*xMax="([\d.]+)".*>Wave</.exec(ask('pdftotext', pdf, ['-bbox'], ['-'])) ?? [];
  expect(Number(xMin) / 0.75).toBeCloseTo(20, 2);
  expect(Number(xMax) / 0.75).toBeCloseTo(20 + run.width, 1);
});

/** Checks pixels of a page on white, `x,y → r,g,b`; each channel may differ by `within`. */
async function checkPixels(
  ops: readonly PaintOp[],
  expected: Readonly<Record<string, readonly [number, number, number]>>,
  options: PageOptions & { readonly within?: number } = {},
): Promise<void> {
  const picture = await render(await page(ops, options));
  const { width = 200, height = 100, within = 2 } = options;
  expect([picture.width, picture.height]).toEqual([width, height]);
  for (const [place, color] of Object.entries(expected)) {
    const [x = 0, y = 0] = place.split(',').map(Number);
    const found = pixel(picture, x, y).split(',').map(Number);
    const off = Math.max(...color.map((channel, i) => Math.abs(channel - (found[i] ?? 0))));
    expect(off, `${place}: ${found} instead of ${color}`).toBeLessThanOrEqual(within);
  }
}

test.skipIf(noPoppler)('a box covers its pixels and no others', () =>
  checkPixels([fill(rect(10, 20, 30, 40), solid(200, 0, 0))], {
    '10,20': [200, 0, 0],
    '39,59': [200, 0, 0],
    '9,20': [255, 255, 255],
    '40,59': [255, 255, 255],
    '10,19': [255, 255, 255],
    '10,60': [255, 255, 255],
  }),
);

test.skipIf(noPoppler)('a linear gradient goes straight from colour to colour', () =>
  checkPixels(
    [
      fill(rect(0, 0, 200, 100), {
        kind: 'linear',
        from: { x: 0, y: 0 },
        to: { x: 200, y: 0 },
        stops: [
          { offset: 0, color: rgb(0, 0, 0) },
          { offset: 0.5, color: rgb(200, 0, 0) },
          { offset: 0.5, color: rgb(0, 200, 0) },
          { offset: 1, color: rgb(0, 0, 200) },
        ],
      }),
    ],
    { '50,50': [101, 0, 0], '98,50': [197, 0, 0], '102,50': [0, 195, 5], '150,50': [0, 99, 101] },
    { within: 4 },
  ),
);

test.skipIf(noPoppler)('alpha along a gradient is not premultiplied', () =>
  checkPixels(
    [
      fill(rect(0, 0, 200, 100), {
        kind: 'linear',
        from: { x: 0, y: 0 },
        to: { x: 200, y: 0 },
        stops: [
          { offset: 0, color: rgb(255, 0, 0, 1) },
          { offset: 1, color: rgb(0, 0, 255, 0) },
        ],
      }),
    ],
    // Halfway: rgb(128, 0, 128) with alpha 0.5 on white.
    { '100,50': [191, 128, 191] },
    { within: 4 },
  ),
);

test.skipIf(noPoppler)('a radial gradient is an ellipse, and goes on in its last colour', () =>
  checkPixels(
    [
      fill(rect(0, 0, 200, 100), {
        kind: 'radial',
        transform: [80, 0, 0, 40, 100, 50],
        stops: [
          { offset: 0, color: rgb(255, 255, 0) },
          { offset: 1, color: rgb(0, 0, 255) },
        ],
      }),
    ],
    { '100,50': [252, 252, 3], '140,50': [127, 127, 128], '100,70': [127, 127, 128], '195,5': [0, 0, 255] },
    { within: 5 },
  ),
);

test.skipIf(noPoppler)('a conic gradient turns clockwise from its angle, with hard edges', () =>
  checkPixels(
    [
      fill(rect(0, 0, 200, 100), {
        kind: 'conic',
        centre: { x: 100, y: 50 },
        angle: 90,
        stops: [
          { offset: 0, color: rgb(255, 0, 0) },
          { offset: 0.25, color: rgb(255, 0, 0) },
          { offset: 0.25, color: rgb(0, 255, 0) },
          { offset: 0.5, color: rgb(0, 255, 0) },
          { offset: 1, color: rgb(0, 0, 255, 0) },
        ],
      }),
    ],
    // Red from the right to the bottom, green from there to the left, then fading towards the right: half transparent
    // at the top.
    { '150,90': [255, 0, 0], '60,90': [0, 255, 0], '100,5': [128, 191, 191] },
    { within: 5 },
  ),
);

test.skipIf(noPoppler)('a gradient turns with its group, also inside a form', () => {
  const stops = [
    { offset: 0, color: rgb(255, 0, 0) },
    { offset: 1, color: rgb(0, 0, 255) },
  ];
  const bar = fill(rect(0, 0, 100, 20), { kind: 'linear', from: { x: 0, y: 0 }, to: { x: 100, y: 0 }, stops });
  const turned = group([bar], { transform: [0, 1, -1, 0, 60, 0] });
  const framed = group([turned, fill(rect(0, 0, 1, 1), solid(255, 255, 255))], {
    transform: [1, 0, 0, 1, 60, 0],
    opacity: 0.5,
  });
  return checkPixels(
    [turned, framed],
    { '50,2': [249, 0, 6], '50,97': [6, 0, 249], '110,2': [252, 128, 130], '110,97': [130, 128, 252] },
    { within: 5 },
  );
});

test.skipIf(noPoppler)('a group is one object under its opacity', () =>
  checkPixels(
    [
      group([fill(rect(0, 0, 100, 100), solid(255, 0, 0)), fill(rect(50, 0, 100, 100), solid(0, 0, 255))], {
        opacity: 0.5,
      }),
    ],
    { '25,50': [255, 128, 128], '75,50': [128, 128, 255], '125,50': [128, 128, 255] },
  ),
);

test.skipIf(noPoppler)('blending meets what lies below it, and nothing where nothing does', () =>
  checkPixels(
    [
      fill(rect(0, 0, 100, 100), solid(255, 255, 0)),
      group([fill(rect(50, 0, 100, 100), solid(0, 255, 255))], { blend: 'difference' }),
    ],
    { '25,50': [255, 255, 0], '75,50': [255, 0, 255], '125,50': [0, 255, 255] },
  ),
);

test.skipIf(noPoppler)('a clip cuts, by its rule', () => {
  const frame = [...rect(0, 0, 100, 100), ...rect(30, 30, 40, 40)];
  return checkPixels(
    [group([fill(rect(0, 0, 200, 100), solid(0, 0, 0))], { clip: { path: frame, rule: 'evenodd' } })],
    { '10,10': [0, 0, 0], '50,50': [255, 255, 255], '150,50': [255, 255, 255] },
  );
});

test.skipIf(noPoppler)('an image shows its part, upright, its transparency too', async () => {
  const square = (background: string, left: number, top: number) => ({
    input: { create: { width: 10, height: 10, channels: 4, background } } as const,
    left,
    top,
  });
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#0000' } })
    .composite([square('#f00', 0, 0), square('#0f0', 10, 0), square('#00f8', 0, 10)])
    .png()
    .toBuffer();
  const image = { key: 'quarters', width: 20, height: 20, format: 'png', bytes, hasAlpha: true, focus: null } as const;
  const pdf = page(
    [
      {
        kind: 'image',
        image: 'quarters',
        source: { x: 0, y: 0, width: 20, height: 20 },
        dest: { x: 0, y: 0, width: 40, height: 40 },
      },
    ],
    { images: [image] },
  );
  const picture = await render(await pdf);
  expect([pixel(picture, 8, 8), pixel(picture, 30, 8), pixel(picture, 8, 30), pixel(picture, 30, 30)]).toEqual([
    '255,0,0',
    '0,255,0',
    '119,119,255',
    '255,255,255',
  ]);
  expect(ask('pdfimages', await pdf, ['-list']).match(/(?<=^ +1 +\d )\w+/gm)).toEqual(['image', 'smask']);
});

test.skipIf(noPoppler)('of a large face only the characters in use are embedded', async () => {
  const japanese = face('noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf', 'Noto Sans JP');
  const pdf = await page([text(japanese, '日本語テキスト、縦書き', 50)], { width: 400, faces: [japanese] });
  expect(ask('pdftotext', pdf, [], ['-']).trim()).toBe('日本語テキスト、縦書き');
  // Only the eleven used characters of a font of 5.4 MB are embedded.
  expect(pdf.length).toBeLessThan(12_000);
});

test.skipIf(noPoppler)('an instance of a variable font is embedded as that instance', async () => {
  // A variable face is, for the back ends, the file's bytes with the outlines and advances of one instance.
  const instance = Object.assign(face('inter/400Regular/Inter_400Regular.ttf', 'Inter', { key: 'Inter wght=700' }), {
    outlineOnce: (glyph: number) => INTER_BOLD.outlineOnce(glyph),
    advance: (glyph: number) => INTER_BOLD.advance(glyph),
  });
  const run = shape(INTER_BOLD, 40, 'Bold');
  const show = async (face: FontFace) => {
    const glyphs = { kind: 'glyphs', run: { ...run, face: face.key }, origin: { x: 20, y: 60 } } as const;
    return await render(await page([{ ...glyphs, brush: solid(0, 0, 0), outline: null }], { faces: [face] }));
  };
  expect(Buffer.compare((await show(instance)).data, (await show(INTER_BOLD)).data)).toBe(0);
});

test.skipIf(noPoppler)('letters cover the pixels that their outlines do', async () => {
  const run = shape(INTER_BOLD, 80, 'H');
  const picture = await render(
    await page([{ kind: 'glyphs', run, origin: { x: 20, y: 80 }, brush: solid(0, 0, 0), outline: null }], {
      faces: FACES,
    }),
  );
  const outline = INTER_BOLD.outline(run.glyphs[0]?.id ?? 0).flatMap((segment) =>
    segment[0] === 'Z' ? [] : [segment],
  );
  const px = run.fontSize / INTER_BOLD.unitsPerEm;
  const left = 20 + Math.min(...outline.map((segment) => segment[1])) * px;
  const top = 80 - Math.max(...outline.map((segment) => segment[2])) * px;
  const isDark = (x: number, y: number) => Number(pixel(picture, x, y).split(',')[0]) < 128;
  expect(isDark(Math.round(left) + 1, 79)).toBe(true);
  expect(isDark(Math.round(left) - 2, 79)).toBe(false);
  expect(isDark(Math.round(left) + 2, Math.round(top) + 1)).toBe(true);
  expect(isDark(Math.round(left) + 2, Math.round(top) - 2)).toBe(false);
  expect(isDark(Math.round(left) + 2, 81)).toBe(false);
});

test.skipIf(noPoppler)('letters around a circle come out as the words that they are', async () => {
  const letters = Array.from('curved words', (letter, i) =>
    group([text(INTER, letter, 40, undefined, 94)], { transform: rotation(30 * i - 150, { x: 100, y: 100 }) }),
  );
  const pdf = await page([group(letters, { text: 'curved words' }), text(INTER, 'below', 190)], {
    width: 200,
    height: 200,
    faces: FACES,
  });
  expect(
    ask('pdftotext', pdf, [], ['-'])
      .trim()
      .split(/\s*\n\s*/),
  ).toEqual(['curved words', 'below']);
});
