// Tests `ImageResponse` of `platen/og` in real runtimes, on elements such as people write for @vercel/og.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { build } from 'esbuild';
import satori from 'satori';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectImage } from '#draw/images/inspect.ts';
import { scaleToRgba } from '#draw/images/scale.ts';
import { plainTree } from '#edge/og/plain-tree.ts';
import { cicp, gama, pngChunk, withChunks } from '../draw/images/png-chunks.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { meanDifference } from './edge/mean-difference.ts';
import { install, RUNTIMES } from './edge/runtimes.ts';

const ROOT = join(import.meta.dirname, '../..');
const inter = (face: string) =>
  readFileSync(join(ROOT, `node_modules/@expo-google-fonts/inter/${face}/Inter_${face}.ttf`));
const FONTS = [
  { name: 'Inter', weight: 400, style: 'normal', data: inter('400Regular') },
  { name: 'Inter', weight: 700, style: 'normal', data: inter('700Bold') },
] as const;
const SIZE = { width: 1000, height: 560 };
const SQUARE = { width: 20, height: 20 };
const NAMES = ['hello', 'article', 'tailwind', 'pictures', 'effects', 'emoji'];

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly png: string;
  readonly error?: string;
  readonly warnings?: readonly string[];
}
type Answered = { readonly answers: readonly Answer[]; readonly asked: readonly string[] };

/** A drawing whose colour CSS says, beside what cannot be drawn. */
const STYLED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><style>:root{--ink:#ff0000}g{&gt; rect:nth-child(2){fill:var(--ink)}}</style><g><rect width="9" height="9"/><rect width="20" height="20"/></g><foreignObject><p/></foreignObject><text>x</text></svg>';

/** Pictures whose colours are not those of sRGB, of all kinds that the edge reads; the profile of the last is damaged. */
async function tagged(): Promise<readonly Uint8Array[]> {
  const plain = () => sharp({ create: { width: 20, height: 20, channels: 3, background: '#c83c28' } });
  const png = await plain().png().toBuffer();
  return [
    await plain().withIccProfile('p3').jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer(),
    await plain().withIccProfile('p3').webp({ lossless: true }).toBuffer(),
    withChunks(png, gama(100_000)),
    withChunks(png, cicp(12, 13)),
    withChunks(png, pngChunk('iCCP', Buffer.from('x\0\0damaged'))),
  ];
}
const uriOf = (file: Uint8Array) =>
  `data:image/${file[0] === 0x89 ? 'png' : file[0] === 0xff ? 'jpeg' : 'webp'};base64,${Buffer.from(file).toString('base64')}`;

/** Pictures of 20 px side by side. */
function pictures(sources: readonly string[]) {
  const children = sources.map((src) => ({ type: 'img', props: { src, width: 20, height: 20 } }));
  return { type: 'div', props: { style: { display: 'flex' }, children } };
}

const jobs = [
  ...NAMES.map((name) => ({ name, ...SIZE })),
  {
    name: 'hello',
    withFonts: false,
    status: 404,
    statusText: 'Not here',
    headers: { 'cache-control': 'no-store', 'x-own': '1' },
  },
  { name: 'effects', ...SIZE, debug: true },
  { name: 'hello', width: 0 },
  { name: 'list', ...SIZE },
  { element: scores(), width: 100, height: 60 },
  { element: classes(), width: 100, height: 60, tailwind: true },
  { element: pictures([`data:image/svg+xml,${encodeURIComponent(STYLED)}`]), width: 20, height: 20 },
  { element: pictures((await tagged()).map(uriOf)), width: 100, height: 20 },
  { element: { type: 'img', props: { src: 'file:///etc/passwd', width: 10, height: 10 } } },
  { name: 'hello', ...SIZE, asViews: true },
  { name: 'hello', ...SIZE, format: 'webp', quality: 60 },
  { name: 'hello', ...SIZE, format: 'avif' },
  { element: covered(), width: 100, height: 60, renderer: 'platen' },
  { element: sectors(), width: 60, height: 60 },
  { element: covered(), width: 100, height: 60, css: '@theme { --color-brand: #f00 }', tailwind: false },
  { element: branded(), width: 100, height: 60, css: '@theme { --color-brand: #f00 }' },
  { element: paddedDrawing(), width: 100, height: 100 },
];

/** Two sectors, of which satori makes hundreds of parts. */
function sectors() {
  return { type: 'div', props: { style: { width: 60, height: 60, background: 'conic-gradient(#00f 75%,red 75%)' } } };
}

/** A background that is `absolute`, before what is to be seen above it. */
function covered() {
  const fill = { position: 'absolute', top: 0, left: 0, width: '100%', height: '100%', background: 'blue' };
  const children = [
    { type: 'div', props: { style: fill } },
    { type: 'div', props: { style: { width: 40, height: 40, background: 'red' } } },
  ];
  return { type: 'div', props: { style: { display: 'flex', width: '100%', height: '100%' }, children } };
}

/** A class of a theme. */
function branded() {
  return { type: 'div', props: { tw: 'size-full bg-brand' } };
}

/** A table of two columns, of which one has a fixed width, with cells of two colours. */
function scores() {
  const cell = (background: string, width?: number) => ({
    type: 'td',
    props: { style: { background, width, height: 20, padding: 0 }, children: '' },
  });
  const row = (...children: readonly unknown[]) => ({ type: 'tr', props: { children } });
  const rows = [row(cell('red', 30), cell('blue', 50)), row(cell('blue'), cell('red'))];
  const table = { type: 'table', props: { style: { borderSpacing: 0, width: 80 }, children: rows } };
  const style = { display: 'flex', alignItems: 'flex-start', width: '100%', height: '100%' };
  return { type: 'div', props: { style, children: table } };
}

/** Elements with classes of Tailwind 4 in each of the properties that may have them. */
function classes() {
  const children = [
    { type: 'div', props: { className: 'size-10 bg-linear-to-r from-[#f00] to-[#f00]' } },
    { type: 'div', props: { class: 'm-2 size-4 ring-4 ring-[#f00]' } },
  ];
  return { type: 'div', props: { tw: 'flex size-full items-start bg-[#00f]', children } };
}

/** A page with padding that contains a drawing with no size but its viewBox's. */
function paddedDrawing() {
  const rect = { type: 'rect', props: { width: 60, height: 30, fill: 'red' } };
  const svg = { type: 'svg', props: { viewBox: '0 0 60 30', children: rect } };
  const style = {
    display: 'flex',
    width: '100%',
    height: '100%',
    padding: 20,
    background: 'black',
    alignItems: 'flex-end',
    justifyContent: 'flex-end',
  };
  return { type: 'div', props: { style, children: svg } };
}

/** Time limit of each step of the set-up, ms: installing the package, and drawing all jobs in Node. */
const SETTING_UP = 120_000;
let folder: TemporaryFolder;
let files: { photo: string; drawing: string };

beforeAll(async () => {
  folder = await temporaryFolder();
  await install(folder.path);
  const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
    .composite([
      { input: Buffer.from('<svg width="150" height="200"><rect width="150" height="200" fill="#f59e0b"/></svg>') },
    ])
    .jpeg()
    .toBuffer();
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40z" fill="teal"/></svg>';
  files = {
    photo: `data:image/jpeg;base64,${photo.toString('base64')}`,
    drawing: `data:image/svg+xml,${encodeURIComponent(drawing)}`,
  };
}, SETTING_UP);
beforeAll(async () => {
  inNode = await inRuntime('node');
}, SETTING_UP);
afterAll(async () => folder[Symbol.asyncDispose]());

const fontsAsText = FONTS.map((font) => ({ ...font, data: font.data.toString('base64') }));
/** Node's answers, which the other runtimes' must equal. */
let inNode: Answered;
const inRuntime = async (name: string) =>
  (await RUNTIMES[name]?.(folder.path, 'og', { fonts: fontsAsText, files, jobs })) as Answered;

test('draws what satori and resvg draw', async () => {
  const out = join(folder.path, 'pictures.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'edge/subjects/pictures.jsx')],
    outfile: out,
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const { picturesWith } = (await import(out)) as { picturesWith: (given: typeof files) => Record<string, never> };
  const elements = picturesWith(files);
  const { answers } = inNode;
  for (const [i, name] of NAMES.entries()) {
    const png = Buffer.from(answers[i]?.png ?? '', 'base64');
    expect(answers[i]?.error, name).toBe(undefined);
    if (process.env.LOOK) await sharp(png).toFile(join(process.env.LOOK, `${name}.png`));
    // Uses the default sizes of @vercel/og, which are no longer satori's.
    const [tree] = await plainTree(elements[name]);
    const svg = await satori(tree as never, {
      ...SIZE,
      fonts: [...FONTS],
      loadAdditionalAsset: async () =>
        `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="17" fill="#dd2e44"/></svg>')}`,
    });
    const theirs = new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
    if (process.env.LOOK) await sharp(theirs).toFile(join(process.env.LOOK, `${name}.theirs.png`));
    // The edges of letters and the arithmetic of blurs differ: 0.03 to 0.41 when this was written.
    expect(await meanDifference(png, theirs), name).toBeLessThan(1);
  }
});

test('padding is a part of a size, and a viewBox is the size of a drawing that has no other, as in @vercel/og', async () => {
  const png = Buffer.from(inNode.answers.at(-1)?.png ?? '', 'base64');
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const redAt = (x: number, y: number) => data[(y * info.width + x) * 3] === 255;
  expect([redAt(21, 51), redAt(79, 79), redAt(18, 60), redAt(50, 48), redAt(82, 60), redAt(50, 82)]).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('tables are laid out, and Tailwind’s classes have rules', async () => {
  const [table, classed] = inNode.answers.slice(NAMES.length + 4);
  const colorsOf = async (answer: Answer | undefined, ...places: readonly (readonly [number, number])[]) => {
    const png = Buffer.from(answer?.png ?? '', 'base64');
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    return places.map(([x, y]) => ['blue', 'red'][Number(data[(y * info.width + x) * 3] === 255)]);
  };
  const cells = await colorsOf(table, [28, 5], [32, 5], [28, 25], [32, 25], [78, 35]);
  expect(cells).toEqual(['red', 'blue', 'blue', 'red', 'red']);
  expect(await colorsOf(classed, [20, 20], [46, 15], [56, 15], [70, 50])).toEqual(['red', 'red', 'blue', 'blue']);
});

const pixelsOf = (answer: Answer | undefined) =>
  sharp(Buffer.from(answer?.png ?? '', 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });

test('Platen’s own layout is as in browsers, where it is asked for', async () => {
  const { data } = await pixelsOf(inNode.answers.at(-5));
  expect([...data.subarray(0, 3)]).toEqual([0, 0, 255]);
});

test('a sector of one colour has no seams', async () => {
  const { data } = await pixelsOf(inNode.answers.at(-4));
  expect([...data.subarray((27 * 60 + 28) * 3, (27 * 60 + 28) * 3 + 3)]).toEqual([255, 0, 0]);
});

test('an SVG picture has the CSS that it has on the server, and what is left out is told', async () => {
  const answer = inNode.answers[NAMES.length + 6];
  expect([...(await pixelsOf(answer)).data.subarray(0, 3)]).toEqual([255, 0, 0]);
  expect(answer?.warnings).toEqual([
    'In SVG pictures, these cannot be drawn and were left out: <foreignObject>, <text>.',
  ]);
});

test('profiles and other tags of colours are applied as on the server, and one that cannot be is told', async () => {
  const answer = inNode.answers[NAMES.length + 7];
  const { data } = await pixelsOf(answer);
  for (const [i, file] of (await tagged()).entries()) {
    const right = await scaleToRgba(await inspectImage(file), { x: 0, y: 0, width: 20, height: 20 }, SQUARE);
    const at = 3 * (100 * 10 + 20 * i + 10);
    const most = Math.max(...[0, 1, 2].map((c) => Math.abs((data[at + c] ?? 0) - (right[4 * 210 + c] ?? 0))));
    expect(most, `picture ${i}`).toBeLessThanOrEqual(4);
  }
  expect(answer?.warnings).toEqual([
    expect.stringMatching(/^Image data:image\/png.* has a colour profile that is not applied at the edge/),
  ]);
});

test('what follows an absolute background is above it, and a theme brings its classes', async () => {
  const [absolute, theme] = inNode.answers.slice(-3);
  const reds = async (answer: Answer | undefined) => {
    const { data } = await sharp(Buffer.from(answer?.png ?? '', 'base64'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return data.filter((value, i) => i % 3 === 0 && value === 255).length;
  };
  expect([await reds(absolute), await reds(theme)]).toEqual([40 * 40, 100 * 60]);
});

test('bundlers find every file that the entries name, and nothing that Vercel’s runtime refuses', async () => {
  const edge = join(folder.path, 'node_modules/platen/dist/edge');
  const files = readdirSync(edge);
  for (const file of files.filter((each) => each.endsWith('.js'))) {
    const code = readFileSync(join(edge, file), 'utf8');
    expect(code, file).not.toMatch(/getBuiltinModule|import\.meta\.url=[^=]/);
    const named = [...code.matchAll(/new URL\(["']\.?\/?([^"']+)["'],\s*import\.meta\.url\)/g)];
    for (const [, name = ''] of named) expect(files, file).toContain(name);
  }
});

for (const [name, run] of Object.entries(RUNTIMES)) {
  describe.skipIf(run === null)(name, () => {
    test('answers with the same pictures, and as asked', async () => {
      const { answers, asked } = name === 'node' ? inNode : await inRuntime(name);
      const [here, there] = [answers, inNode.answers].map((all) => all.map(({ png, error }) => png ?? error));
      expect(here).toEqual(there);
      const plain = answers[0];
      expect([plain?.status, plain?.headers]).toEqual([
        200,
        { 'content-type': 'image/png', 'cache-control': 'public, immutable, no-transform, max-age=31536000' },
      ]);
      const own = answers[NAMES.length];
      expect([own?.status, own?.statusText, own?.headers['cache-control'], own?.headers['x-own']]).toEqual([
        404,
        'Not here',
        'no-store',
        '1',
      ]);
      expect(await sharp(Buffer.from(own?.png ?? '', 'base64')).metadata()).toMatchObject({ width: 1200, height: 630 });
      const [debug, effects] = [answers[NAMES.length + 1]?.png, answers[NAMES.indexOf('effects')]?.png];
      expect(debug).not.toBe(effects);
      expect(answers.slice(NAMES.length + 2).map(({ error }) => error)).toEqual([
        'width: must be a whole number from 1 to 4096.',
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        'Image file:///etc/passwd: must be an http:, https: or data: address.',
        undefined,
        undefined,
        'format: must be one of "png", "jpeg", "webp", "pdf"; a server writes AVIF too.',
        ...[undefined, undefined, undefined, undefined, undefined],
      ]);
      expect(answers.at(-8)?.png, 'fonts that are views at an offset').toBe(plain?.png);
      const webp = answers.at(-7);
      expect(webp?.headers['content-type']).toBe('image/webp');
      expect(await sharp(Buffer.from(webp?.png ?? '', 'base64')).metadata()).toMatchObject({
        format: 'webp',
        width: 1000,
      });
      expect(asked).toEqual(['https://cdnjs.cloudflare.com/ajax/libs/twemoji/14.0.2/svg/1f680.svg']);
    });
  });
}
