// Tests the contents of the file without any tool: its operators and objects, and that equal pages give equal bytes.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import type { BlendMode } from '#core/blend-mode.ts';
import { translation } from '#core/geometry.ts';
import type { Brush, PaintOp } from '#core/paint/display-list.ts';
import { encodePrintJpeg } from '#draw/encoders/encode.ts';
import type { PixelTools } from '#draw/output/pdf/write-pdf.ts';
import { fill, group, objects, operators, type PageOptions, page, rect, rgb, solid, streams } from './page.ts';
import { digest, samplePage } from './sample-page.ts';
import { INTER, shape } from './shaping.ts';

const PAGE_START = '1 0 0 -1 0 75 cm\n0.75 0 0 0.75 0 0 cm\n';
const SQUARE = rect(10, 20, 30, 40);
const SQUARE_PATH = '10 20 30 40 re';

/** Checks the page's own operators after its initial matrix; forms are separate streams. */
async function check(ops: readonly PaintOp[], expected: string, options: PageOptions = {}): Promise<void> {
  const all = operators(await page(ops, options));
  const content = all.find((text) => text.startsWith(PAGE_START)) ?? '';
  expect(content.slice(PAGE_START.length).trimEnd()).toBe(expected);
}

test('a fill sets its colour, its path and its rule', async () => {
  await check([fill(SQUARE, solid(255, 0, 51))], `1 0 0.2 rg\n${SQUARE_PATH}\nf`);
  await check([{ kind: 'fill', path: SQUARE, rule: 'evenodd', brush: solid(0, 0, 0) }], `0 0 0 rg\n${SQUARE_PATH}\nf*`);
});

test('a colour in force is not set again', () =>
  check(
    [fill(SQUARE, solid(0, 0, 0)), fill(SQUARE, solid(0, 0, 0))],
    `0 0 0 rg\n${SQUARE_PATH}\nf\n${SQUARE_PATH}\nf`,
  ));

test('alpha is a graphics state, shared by all that have it', async () => {
  const faint = fill(SQUARE, solid(0, 0, 0, 0.25));
  await check([faint, faint], `/G1 gs\n0 0 0 rg\n${SQUARE_PATH}\nf\n${SQUARE_PATH}\nf`);
  expect(objects(await page([faint]))).toMatch(/\/ca 0.25\n\/CA 0.25/);
});

test('after alpha, opaque is set in so many words', () =>
  check(
    [fill(SQUARE, solid(0, 0, 0, 0.5)), fill(SQUARE, solid(0, 0, 0))],
    `/G1 gs\n0 0 0 rg\n${SQUARE_PATH}\nf\n/G2 gs\n${SQUARE_PATH}\nf`,
  ));

test('what is transparent is left out', () => check([fill(SQUARE, solid(0, 0, 0, 0))], ''));

test('a stroke has width, cap, join, miter limit and dash', () =>
  check(
    [
      {
        kind: 'stroke',
        path: [
          ['M', 0, 0],
          ['C', 1, 2, 3, 4, 5.5, 6.12345],
        ],
        stroke: { width: 2.5, cap: 'round', join: 'bevel', miterLimit: 4, dash: [3, 1.5] },
        brush: solid(255, 255, 255),
      },
    ],
    '1 1 1 RG\n2.5 w\n1 J\n2 j\n4 M\n[3 1.5] 0 d\n0 0 m\n1 2 3 4 5.5 6.1235 c\nS',
  ));

test('a neutral group is a coordinate system and a clip', () =>
  check(
    [group([fill(SQUARE, solid(0, 0, 0))], { transform: translation(5, 6), clip: { path: SQUARE, rule: 'evenodd' } })],
    `q\n1 0 0 1 5 6 cm\n${SQUARE_PATH}\nW* n\n0 0 0 rg\n${SQUARE_PATH}\nf\nQ`,
  ));

test('opacity and blending of one operation need no form', async () => {
  await check([group([fill(SQUARE, solid(0, 0, 0))], { opacity: 0.5 })], `q\n/G1 gs\n0 0 0 rg\n${SQUARE_PATH}\nf\nQ`);
  const pdf = await page([group([fill(SQUARE, solid(0, 0, 0))], { blend: 'multiply' })]);
  const forms = streams(pdf).filter(({ dictionary }) => dictionary.includes('/Subtype /Form'));
  expect(forms.map(({ text }) => text)).toEqual([`/Artifact BMC\nq\n/G1 gs\n0 0 0 rg\n${SQUARE_PATH}\nf\nQ\nEMC`]);
});

test('several operations under one opacity are an isolated form', async () => {
  const pdf = await page([group([fill(SQUARE, solid(0, 0, 0)), fill(SQUARE, solid(255, 0, 0))], { opacity: 0.5 })]);
  expect(operators(pdf)).toContain(`${PAGE_START}q\n/G1 gs\n/X1 Do\nQ`);
  const form = streams(pdf).find(({ dictionary }) => dictionary.includes('/Subtype /Form'));
  expect(form?.dictionary).toMatch(/\/BBox \[10 20 40 60\]/);
  expect(form?.dictionary).toMatch(/\/S \/Transparency[\s\S]*\/I true/);
});

test('blending with the canvas happens on a canvas of its own, for paper is white', async () => {
  const pdf = await page([
    fill(SQUARE, solid(0, 0, 0)),
    group([fill(SQUARE, solid(9, 9, 9))], { blend: 'difference' }),
  ]);
  expect(operators(pdf)).toContain(`${PAGE_START}/X1 Do`);
});

const PDF_BLEND: readonly (readonly [BlendMode, string])[] = [
  ['multiply', 'Multiply'],
  ['color-dodge', 'ColorDodge'],
  ['soft-light', 'SoftLight'],
  ['luminosity', 'Luminosity'],
];
test.each(PDF_BLEND)('%s is /BM /%s', async (blend, name) => {
  const pdf = await page([group([fill(SQUARE, solid(0, 0, 0))], { blend })]);
  expect(objects(pdf)).toContain(`/BM /${name}`);
});

const FADE: Brush = {
  kind: 'linear',
  from: { x: 10, y: 0 },
  to: { x: 40, y: 0 },
  stops: [
    { offset: 0, color: rgb(255, 0, 0, 1) },
    { offset: 1, color: rgb(0, 0, 255, 0) },
  ],
};

test('a gradient is a shading pattern in the space of its stream', async () => {
  const opaque = { ...FADE, stops: FADE.stops.map(({ offset }) => ({ offset, color: rgb(offset * 255, 0, 0) })) };
  const ops = [group([fill(SQUARE, opaque)], { transform: translation(100, 0) })];
  await check(ops, `q\n1 0 0 1 100 0 cm\n/Pattern cs /P1 scn\n${SQUARE_PATH}\nf\nQ`);
  const text = objects(await page(ops));
  expect(text).toMatch(/\/PatternType 2\n\/Matrix \[0.75 0 0 -0.75 75 75\]/);
  expect(text).toMatch(/\/ShadingType 2\n\/Coords \[10 0 40 0\]/);
});

test('alpha along a gradient is a soft mask of the same shading in grey', async () => {
  const pdf = await page([fill(SQUARE, FADE)]);
  expect(operators(pdf)).toContain(`${PAGE_START}q\n/G1 gs\n/Pattern cs /P1 scn\n${SQUARE_PATH}\nf\nQ`);
  expect(objects(pdf)).toMatch(/\/SMask <<\n\/S \/Luminosity/);
  const mask = streams(pdf).find(({ dictionary }) => dictionary.includes('DeviceGray'));
  expect(mask?.dictionary).toMatch(/\/C0 \[1\]\n\/C1 \[0\]/);
  expect(mask?.text).toBe('1 0 0 1 0 0 cm\n/S1 sh');
});

test('one alpha all along a gradient needs no mask', async () => {
  const even = { ...FADE, stops: FADE.stops.map((stop) => ({ ...stop, color: { ...stop.color, a: 0.5 } })) };
  const text = objects(await page([fill(SQUARE, even)]));
  expect(text).not.toContain('SMask');
  expect(text).toContain('/ca 0.5');
});

test('a gradient without extent is its last colour', () =>
  check(
    [fill(SQUARE, { ...FADE, to: FADE.from, stops: [...FADE.stops, { offset: 1, color: rgb(0, 255, 0) }] })],
    `0 1 0 rg\n${SQUARE_PATH}\nf`,
  ));

test('recolouring a group changes its colours and leaves it vector', () =>
  check(
    [
      group([fill(SQUARE, solid(255, 0, 0))], {
        filters: [{ kind: 'color-matrix', values: [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0.2, 0, 0, 0, 1, 0] }],
      }),
    ],
    `q\n0 1 0.2 rg\n${SQUARE_PATH}\nf\nQ`,
  ));

test('text is its glyphs, upright in a flipped space', async () => {
  const run = shape(INTER, 20, 'AB');
  await check(
    [{ kind: 'glyphs', run, origin: { x: 12, y: 50 }, brush: solid(0, 0, 0), outline: null }],
    '0 0 0 rg\n0 Tr\n/F1 20 Tf\nBT\n1 0 0 -1 12 50 Tm\n<00010002> Tj\nET',
  );
});

test('text without a brush, or with none to see, is invisible, in a font without a mark', async () => {
  for (const brush of [null, solid(0, 0, 0, 0)]) {
    const pdf = await page([
      { kind: 'glyphs', run: shape(INTER, 20, 'hi'), origin: { x: 12, y: 50 }, brush, outline: null },
    ]);
    expect(operators(pdf).join('')).toMatch(/cm\n3 Tr\n\/F1 20 Tf\nBT\n1 0 0 -1 12 50 Tm\n.* T[Jj]\nET$/);
    expect(objects(pdf)).toMatch(/\/BaseFont \/[A-Z]{6}\+Invisible/);
    expect(objects(pdf)).not.toContain('Inter');
  }
});

test('an outlined letter is a stroked path below its text, which is there once', async () => {
  const pdf = await page([
    {
      kind: 'glyphs',
      run: shape(INTER, 20, 'I'),
      origin: { x: 0, y: 50 },
      brush: solid(0, 0, 0),
      outline: {
        brush: solid(255, 0, 0),
        stroke: { width: 2, cap: 'butt', join: 'round', miterLimit: 4, dash: [] },
      },
    },
  ]);
  const [content = ''] = operators(pdf).filter((text) => text.startsWith(PAGE_START));
  expect(content.indexOf('\nS\n')).toBeGreaterThan(0);
  expect(content.indexOf('\nS\n')).toBeLessThan(content.indexOf('BT'));
  expect(content.match(/BT/g)).toHaveLength(1);
});

const JPEG = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#c30' } })
  .withExif({ IFD0: { Artist: 'Somebody' } })
  .jpeg()
  .toBuffer();
const photo = {
  key: 'photo',
  width: 40,
  height: 20,
  format: 'jpeg',
  bytes: JPEG,
  hasAlpha: false,
  focus: null,
} as const;
const whole = { x: 0, y: 0, width: 40, height: 20 };

test('a whole JPEG goes in as it is, without what it tells of its maker', async () => {
  const pdf = await page(
    [{ kind: 'image', image: 'photo', source: whole, dest: { x: 0, y: 0, width: 20, height: 10 } }],
    { images: [photo], tools: { crop: () => Promise.reject(new Error('decoded')) } },
  );
  const image = streams(pdf).find(({ dictionary }) => dictionary.includes('/DCTDecode'));
  expect(image?.dictionary).toMatch(/\/Width 40\n\/Height 20/);
  expect(JPEG.toString('latin1')).toContain('Somebody');
  expect(image?.text).not.toContain('Somebody');
  expect(operators(pdf)).toContain(`${PAGE_START}q\n20 0 0 -10 0 10 cm\n/X1 Do\nQ`);
});

test('an image shown twice is embedded once', async () => {
  const show = (x: number): PaintOp => ({
    kind: 'image',
    image: 'photo',
    source: whole,
    dest: { x, y: 0, width: 20, height: 10 },
  });
  const pdf = await page([show(0), show(50)], { images: [photo] });
  expect(streams(pdf).filter(({ dictionary }) => dictionary.includes('/Subtype /Image'))).toHaveLength(1);
});

test('only the pixels that are shown are embedded', async () => {
  const source = { x: 10.5, y: 4, width: 10, height: 8 };
  const asked: unknown[] = [];
  const pdf = await page([{ kind: 'image', image: 'photo', source, dest: { x: 0, y: 0, width: 20, height: 16 } }], {
    images: [photo],
    tools: {
      crop: (_image, rect, size) => {
        asked.push(rect, size);
        return Promise.resolve({ ...size, channels: 3, data: new Uint8Array(size.width * size.height * 3) });
      },
    },
  });
  expect(asked).toEqual([
    { x: 10, y: 4, width: 11, height: 8 },
    { width: 22, height: 16 },
  ]);
  expect(operators(pdf)).toContain(`${PAGE_START}q\n0 0 20 16 re W n\n22 0 0 -16 -1 16 cm\n/X1 Do\nQ`);
});

test('a blurred group is a picture with its words still in it', async () => {
  const blurred = group(
    [{ kind: 'glyphs', run: shape(INTER, 20, 'soft'), origin: { x: 30, y: 50 }, brush: solid(0, 0, 0), outline: null }],
    { filters: [{ kind: 'blur', sigma: 2 }], opacity: 0.5 },
  );
  const asked: number[] = [];
  const pdf = await page([blurred], {
    tools: {
      rasterize: (list, _resources, scale) => {
        asked.push(list.width, list.height, scale);
        const size = { width: Math.ceil(list.width * scale), height: Math.ceil(list.height * scale) };
        return Promise.resolve({ ...size, pixels: new Uint8Array(size.width * size.height * 4).fill(64) });
      },
    },
  });
  // 300 dpi.
  expect(asked[2]).toBe(3.125);
  const content = operators(pdf).find((text) => text.startsWith(PAGE_START)) ?? '';
  expect(content).toMatch(/^q\n\/G1 gs\nq\n[^\n]+ cm\n\/X1 Do\nQ\n3 Tr\n[\s\S]*ET\nQ$/m);
  expect(streams(pdf).some(({ dictionary }) => dictionary.includes('/SMask'))).toBe(true);
});

test('blurs have the density that is asked for, within bounds', async () => {
  const blurred = (side: number) =>
    group([fill(rect(0, 0, side, side), solid(0, 0, 0))], { filters: [{ kind: 'blur', sigma: 2 }] });
  const drawn = async (density: number, side: number) => {
    const asked: { pixels: number; scale: number }[] = [];
    await page([blurred(side)], {
      width: side,
      height: side,
      properties: { density },
      tools: {
        rasterize: (list, _resources, scale) => {
          const size = { width: Math.ceil(list.width * scale), height: Math.ceil(list.height * scale) };
          asked.push({ pixels: size.width * size.height, scale });
          return Promise.resolve({ ...size, pixels: new Uint8Array(size.width * size.height * 4) });
        },
      },
    });
    return asked[0];
  };
  expect((await drawn(192, 100))?.scale).toBe(2);
  expect((await drawn(300, 4000))?.pixels).toBeLessThan(4_100_000);
});

test('an aborted page makes no more pictures, and encodes none that it has', async () => {
  const shown = Array.from({ length: 20 }, (_, i): PaintOp => {
    const dest = { x: 0, y: 0, width: 100 + i, height: 50 };
    return { kind: 'image', image: 'photo', source: whole, dest };
  });
  const aborted = new AbortController();
  let cropped = 0;
  let encoded = 0;
  const tools: Partial<PixelTools> = {
    crop: async (_image, _source, size) => {
      if (++cropped === 6) aborted.abort(new Error('enough'));
      const data = new Uint8Array(size.width * size.height * 3).fill(cropped);
      return { ...size, channels: 3, data };
    },
    encodeJpeg: async (rgb) => {
      encoded++;
      return encodePrintJpeg(rgb);
    },
  };
  const images = [{ ...photo, format: 'webp' }] as const;
  await expect(page(shown, { images, tools, signal: aborted.signal })).rejects.toThrow('enough');
  expect([cropped, encoded]).toEqual([6, 5]);
});

test('an aborted page draws to the end of its time slice at most', async () => {
  const aborted = new AbortController();
  let drawn = 0;
  const shown = Array.from({ length: 100 }, () => ({
    ...fill(SQUARE, solid(0, 0, 0)),
    get path() {
      if (++drawn === 10) aborted.abort(new Error('enough'));
      return SQUARE;
    },
  })) as PaintOp[];
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  try {
    await expect(page(shown, { signal: aborted.signal })).rejects.toThrow('enough');
  } finally {
    clock.mockRestore();
  }
  expect(drawn).toBeLessThan(20);
});

test('links lead to pages and letters only, where the transform puts them', async () => {
  const link = (href: string): PaintOp => ({ kind: 'link', rect: { x: 0, y: 0, width: 40, height: 20 }, href });
  const text = objects(
    await page([
      group([link('https://example.com/ü')], { transform: translation(20, 40) }),
      link('mailto:a@example.com'),
      link('javascript:alert(1)'),
      link('file:///etc/passwd'),
      link('not an address'),
    ]),
  );
  expect(text.match(/\/Subtype \/Link/g)).toHaveLength(2);
  expect(text).toContain('/Rect [15 30 45 45]');
  expect(text).toContain('/URI (https://example.com/%C3%BC)');
  expect(text).not.toMatch(/javascript|JavaScript|\/JS|\/Launch/);
});

test('a faint group with nothing to see keeps its words and links', async () => {
  const words = { kind: 'glyphs', run: shape(INTER, 20, 'hi'), origin: { x: 0, y: 50 }, brush: null, outline: null };
  const link = { kind: 'link', rect: { x: 0, y: 0, width: 9, height: 9 }, href: 'https://example.com' };
  const pdf = await page([group([words, link] as PaintOp[], { opacity: 0.5 })]);
  expect(operators(pdf).join('')).toContain('3 Tr');
  expect(objects(pdf)).toContain('/Subtype /Link');
});

test('the file says PDF 1.7 and when it was made', async () => {
  const pdf = await samplePage();
  expect(Buffer.from(pdf).toString('latin1', 0, 9)).toBe('%PDF-1.7\n');
  const text = objects(pdf);
  expect(text).toMatch(/\/CreationDate \(D:19700101000000Z\)/);
  expect(text).toContain('/MediaBox [0 0 300 225]');
});

test('equal pages are equal bytes, in one process and in two', async () => {
  const first = digest(await samplePage());
  expect(digest(await samplePage())).toBe(first);
  const script = join(import.meta.dirname, 'sample-page.ts');
  expect(execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim()).toBe(first);
});

test('a font has its own letters, whatever another file showed with its face', async () => {
  const file = (text: string) =>
    page([
      { kind: 'glyphs', run: shape(INTER, 20, text), origin: { x: 0, y: 50 }, brush: solid(0, 0, 0), outline: null },
    ]);
  const stone = await file('stone');
  expect(await file('notes')).not.toEqual(stone);
  expect(await file('stone')).toEqual(stone);
  expect(await file('stone')).toEqual(stone);
});

test('a long page is written in turns', async () => {
  const run = shape(INTER, 20, 'some of a great many words, and all of them alike');
  const words: PaintOp = { kind: 'glyphs', run, origin: { x: 0, y: 50 }, brush: solid(0, 0, 0), outline: null };
  let turns = 0;
  let isDone = false;
  const others = () => {
    turns += 1;
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  // The thread's own time, as slices count it: other tests may run beside this one.
  const start = timeWorked();
  await page(Array.from({ length: 4_000 }, () => words));
  isDone = true;
  expect(turns).toBeGreaterThan((timeWorked() - start) / 40);
});

test('different pages have different identifiers', async () => {
  const id = async (ops: readonly PaintOp[]) => /\/ID \[<(\w+)>/.exec(objects(await page(ops)))?.[1];
  const [a, b] = [await id([fill(SQUARE, solid(0, 0, 0))]), await id([fill(SQUARE, solid(1, 0, 0))])];
  expect(a).toMatch(/^[0-9a-f]{32}$/);
  expect(a).not.toBe(b);
});
