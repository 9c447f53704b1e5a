// SVG pictures as vectors: what is simplified, and what stays a picture of pixels.

import { expect, test } from 'vitest';
import type { ImageResource } from '#core/resources.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { readSvgImage } from '#draw/images/svg-image.ts';
import { VectorPictures } from '#draw/output/vector-pictures.ts';
import { withSimplified } from '#draw/renderer/simplify-images.ts';

const library = await openFontLibrary({ folders: [] });

async function imageOf(body: string): Promise<ImageResource> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">${body}</svg>`;
  const read = await readSvgImage(Buffer.from(svg));
  return withSimplified({ key: 'image-0', format: 'svg', hasAlpha: true, focus: null, ...read }, library);
}

/** The words of each glyph run with its origin. */
async function wordsIn(body: string): Promise<readonly string[]> {
  const { simplified } = await imageOf(body);
  return [...(simplified?.texts.values() ?? [])].map(
    ({ run, origin }) => `${run.text} ${Math.round(origin.x)},${Math.round(origin.y)}`,
  );
}

/** Whether a picture is drawn as vectors. */
async function isVector(body: string): Promise<boolean> {
  const image = await imageOf(body);
  const vectors = new VectorPictures({
    fonts: (await library.load([])).fonts,
    images: new Map([['image-0', image]]),
    codes: new Map(),
    hyphenators: new Map(),
  });
  const area = { x: 0, y: 0, width: 100, height: 80 };
  const [op] = vectors.drawn([{ kind: 'image', image: 'image-0', source: area, dest: area }]);
  return op !== undefined && op.kind !== 'image';
}

test('text lies where its attributes, chunks and anchors place it', async () => {
  expect(await wordsIn('<text x="10" y="20">One</text>')).toEqual(['One 10,20']);
  expect(await wordsIn('<text y="20"><tspan x="5">One</tspan><tspan x="5" dy="1.5em">two</tspan></text>')).toEqual([
    'One 5,20',
    'two 5,44',
  ]);
  const [end] = await wordsIn('<text x="90" y="20" font-size="10" text-anchor="end">MM</text>');
  const [middle] = await wordsIn('<text x="90" y="20" font-size="10" text-anchor="middle">MM</text>');
  const x = (word = '') => Number(/ (-?\d+),/.exec(word)?.[1]);
  expect(90 - x(end)).toBeGreaterThan(15);
  expect(Math.abs(90 - x(middle) - (90 - x(end)) / 2)).toBeLessThanOrEqual(1);
  expect(
    await wordsIn('<text x="0" y="20" font-size="10" font-family="sans-serif" dominant-baseline="central">x</text>'),
  ).toEqual(['x 0,24']);
});

test('texts under, over or through which lines run stay vectors, with lines as wide as their words', async () => {
  const draw = async (body: string) => (await imageOf(`<g font-size="20" font-family="Inter">${body}</g>`)).simplified;
  const lines = async (body: string) => {
    const found = (await draw(body))?.svg.match(/<path[^>]* d="M [^"]*Z[^"]*"/g) ?? [];
    return found.length;
  };
  const plain = await lines('<text y="30">Sum</text>');
  expect(await lines('<text y="30" text-decoration="underline">Sum</text>')).toBe(plain + 1);
  expect(await lines('<text y="30" style="text-decoration:underline line-through overline">Sum</text>')).toBe(
    plain + 1,
  );
  expect(await lines('<text y="30"><tspan text-decoration="underline">Sum</tspan></text>')).toBe(plain + 1);
  expect(await isVector('<text y="30" text-decoration="underline">Sum</text>')).toBe(true);
  expect(await isVector('<text y="30" style="text-decoration:underline wavy">Sum</text>')).toBe(false);
});

test('textLength stretches a text by space between its letters, or with them', async () => {
  const runs = async (attributes: string) => {
    const { simplified } = await imageOf(
      `<text x="90" y="20" font-size="10" text-anchor="end" ${attributes}>Words</text>`,
    );
    return [...(simplified?.texts.values() ?? [])].map(({ run, origin }) => ({
      width: run.width,
      last: origin.x + (run.glyphs.at(-1)?.x ?? 0),
      start: origin.x,
      svg: simplified?.svg ?? '',
    }))[0];
  };
  const [plain, spaced] = [await runs(''), await runs('textLength="80"')];
  const s = (plain?.width ?? 0) - ((plain?.last ?? 0) - (plain?.start ?? 0));
  expect(spaced?.start).toBeCloseTo(10, 3);
  expect(spaced?.last).toBeCloseTo(90 - s, 3);
  const scaled = await runs('textLength="80" lengthAdjust="spacingAndGlyphs"');
  expect(scaled?.start).toBeCloseTo(10, 3);
  expect(Number(/matrix\(([\d.]+) 0 0 1 /.exec(scaled?.svg ?? '')?.[1])).toBeCloseTo(80 / (plain?.width ?? 1), 3);
});

test('textLength of a part of a text stretches that part, and moves what follows', async () => {
  const runs = async (attributes: string) => {
    const body = `<text x="10" y="20" font-size="10">A<tspan ${attributes}>bcd</tspan>e</text>`;
    return [...((await imageOf(body)).simplified?.texts.values() ?? [])].flatMap(({ run, origin }) =>
      run.glyphs.map(({ x }, i) => ({ text: run.text[i], x: origin.x + x })),
    );
  };
  const at = (letters: Awaited<ReturnType<typeof runs>>, text: string) => letters.find((each) => each.text === text)?.x;
  const [plain, stretched] = [await runs(''), await runs('textLength="40"')];
  const begin = at(plain, 'b') ?? 0;
  expect([at(stretched, 'A'), at(stretched, 'b')]).toEqual([10, begin]);
  expect(at(stretched, 'e')).toBeCloseTo(begin + 40, 3);
  expect(at(await runs('textLength="40" lengthAdjust="spacingAndGlyphs"'), 'e')).toBeCloseTo(begin + 40, 3);
});

test('Hebrew words without a direction of their own stand from right to left, also beside a filter', async () => {
  expect(await wordsIn('<text x="5" y="20"><tspan>שלום</tspan> <tspan>עולם</tspan></text>')).toHaveLength(3);
  const image = await imageOf('<filter id="f"/><text x="5" y="20">שלום <tspan>עולם</tspan></text>');
  expect([image.simplified, Buffer.from(image.bytes).includes('<text')]).toEqual([undefined, false]);
});

test('a stroke that does not scale keeps its width where the picture is placed', async () => {
  const image = await imageOf('<path d="M0 4H80" stroke="red" stroke-width="2" vector-effect="non-scaling-stroke"/>');
  const images = new Map([['image-0', image]]);
  const vectors = new VectorPictures({
    fonts: (await library.load([])).fonts,
    images,
    codes: new Map(),
    hyphenators: new Map(),
  });
  const source = { x: 0, y: 0, width: 100, height: 80 };
  const drawn = vectors.drawn([
    { kind: 'image', image: 'image-0', source, dest: { x: 0, y: 0, width: 400, height: 320 } },
  ]);
  expect(JSON.stringify(drawn)).toContain('"width":0.5');
});

test('white space collapses as in CSS, or is kept where asked', async () => {
  expect(await wordsIn('<text>\n  a \n  b  </text>')).toEqual(['a b 0,0']);
  expect(await wordsIn('<text xml:space="preserve">a  b</text>')).toEqual(['a  b 0,0']);
});

test('style sheets and the font shorthand are read, and the more specific selector wins', async () => {
  const words =
    '<style>*{font-size:9px} text.t{font:bold 20px serif} .t{font-size:7px}</style><text class="t">A</text>';
  const [{ run } = { run: null }] = [...((await imageOf(words)).simplified?.texts.values() ?? [])];
  expect(run?.fontSize).toBe(20);
  expect(run?.face).toMatch(/Source Serif.* 700/);
});

test('shapes, gradients, clips and copies are vectors', async () => {
  expect(
    await isVector(
      '<defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1"/></linearGradient><clipPath id="c"><circle r="9"/></clipPath><rect id="r" width="9" height="9" fill="url(#g)"/></defs><use href="#r" clip-path="url(#c)"/><text x="1" y="9">A</text>',
    ),
  ).toBe(true);
});

test.each([
  [
    'a filter',
    '<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><rect width="9" height="9" filter="url(#f)"/>',
  ],
  ['a mask', '<mask id="m"><rect width="5" height="5" fill="#888"/></mask><rect width="9" height="9" mask="url(#m)"/>'],
  ['blending', '<rect width="9" height="9" style="mix-blend-mode:multiply"/>'],
  ['letters turned one by one', '<text rotate="10" x="1" y="9">A</text>'],
  ['text on a path', '<path id="p" d="M0 9h90"/><text><textPath href="#p">A</textPath></text>'],
  [
    'an element’s own box as its clip',
    '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath><rect width="9" height="9" clip-path="url(#c)"/>',
  ],
])('%s stays pixels', async (_, body) => expect(await isVector(body)).toBe(false));

test('copies that multiply are stopped', async () => {
  const levels = Array.from({ length: 24 }, (_, i) => `<g id="l${i + 1}"><use href="#l${i}"/><use href="#l${i}"/></g>`);
  const body = `<defs><path id="l0" d="M0 0h1v1"/>${levels.join('')}</defs><use href="#l24" opacity="0"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">${body}</svg>`;
  const image = {
    key: 'a',
    format: 'svg',
    bytes: Buffer.from(svg),
    hasAlpha: true,
    focus: null,
    width: 100,
    height: 80,
  } as const;
  expect((await withSimplified(image, library)).simplified).toBeUndefined();
}, 30_000);
