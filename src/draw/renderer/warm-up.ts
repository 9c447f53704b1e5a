// Draws two sample cards a few times after the server listens, so that the first request need not wait for code to be
// compiled, threads to start and faces to be opened.
//
// They have a little of what most templates have. Nothing of them is stored or counted, and requests that come
// meanwhile are drawn first.

import { setImmediate, setTimeout } from 'node:timers/promises';
import { compose } from '#core/compose.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { Scene } from '#core/resolve/scene.ts';
import { parseTemplate } from '#core/template/template.ts';
import { encodeJpeg } from '#draw/encoders/encode.ts';
import { partThreadsReady } from '#draw/encoders/part-threads.ts';
import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { preparePixels } from '#draw/images/pixel-pool.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT, type Output } from '#draw/output/formats.ts';
import { loadResources } from './load-resources.ts';

/** While others draw, how often it is asked whether they still do, and how long that goes on in all, ms. */
const POLL = 10;
const PATIENCE = 2_000;
/** The number of drawings; more do not make the first render faster. */
const TIMES = 16;
/**
 * How often each is laid out. After some dozens of layouts, the code that shapes letters and places boxes is compiled
 * by the optimising compiler, which keeps a processor busy for as long as a first render takes.
 */
const LAYOUTS = 7;
/** Picture sizes, px, whose memory is prepared: the first access to new memory waits for the system, page by page. */
const READY = [
  { width: 1200, height: 630 },
  { width: 1920, height: 1080 },
];
/** Used in turn; PNG is requested most. */
const OUTPUTS: readonly Output[] = ['jpeg', 'png', 'webp', 'png'];

const text = (name: string, fontSize: number, fontWeight: number) => ({
  ...{ name, type: 'text', text: name, fontFamily: 'Inter', fontSize, fontWeight, color: '#1e293b' },
});

const row = (index: number) => ({
  name: `row ${index}`,
  type: 'frame',
  layout: { direction: 'row', align: 'center', justify: 'space-between' },
  height: 84,
  padding: [0, 20, 0, 20],
  borderRadius: 14,
  background: '#ffffff',
  shadow: { y: 3, blur: 11 + 9 * index, color: 'rgba(15, 23, 42, 0.2)' },
  children: [
    { name: `picture ${index}`, type: 'image', src: 'picture', width: 48, height: 48, borderRadius: 24 },
    text(`words ${index}`, 23 + index, 600),
    text(`figure ${index}`, 15, 400),
  ],
});

const CARD = parseTemplate({
  name: 'Warm-up',
  width: 720,
  height: 400,
  background: { type: 'linear', angle: 135, stops: [{ color: '#e0e7ff' }, { color: '#fce7f3' }] },
  layers: [
    // At half its size, as photos often are; small, since it stays in memory until the space is needed.
    { name: 'photo', type: 'image', src: 'picture', width: 360, height: 200 },
    {
      name: 'column',
      type: 'frame',
      layout: { direction: 'column', gap: 12 },
      width: 720,
      padding: 28,
      children: [{ ...text('title', 41, 700), width: 620 }, row(0), row(1)],
    },
  ],
});

/** A card of absolute layers: other code runs for them, for gradients and strokes, and for larger canvases. */
const POSTER = parseTemplate({
  name: 'Warm-up poster',
  width: 1200,
  height: 630,
  background: '#f8fafc',
  layers: [
    ...[0, 1, 2, 3, 4, 5].map((index) => ({
      name: `shape ${index}`,
      type: 'shape',
      shape: index % 3 === 1 ? 'ellipse' : 'rect',
      ...{ x: 90 * index, y: 40 + 70 * index, width: 400 - 40 * index, height: 150 },
      fill: {
        type: index % 2 === 0 ? 'linear' : 'radial',
        stops: [{ color: '#f472b6' }, { color: '#fde68a' }, { color: '#38bdf8' }],
      },
      ...(index % 2 === 0 ? { shadow: { y: 6, blur: 20 + 7 * index, color: 'rgba(15, 23, 42, 0.3)' } } : {}),
      ...(index % 3 === 1 ? { stroke: '#0f172a', strokeWidth: 3 } : {}),
    })),
    {
      name: 'star',
      type: 'shape',
      shape: 'star',
      x: 900,
      y: 60,
      width: 180,
      height: 180,
      fill: '#fb923c',
      rotation: 12,
    },
    {
      name: 'photo',
      type: 'image',
      src: 'picture',
      x: 700,
      y: 300,
      width: 260,
      height: 170,
      borderRadius: 24,
      rotation: -4,
    },
    { ...text('headline', 64, 700), fontFamily: 'Playfair Display', x: 60, y: 60, width: 700 },
    { ...text('small print', 18, 400), x: 60, y: 520, width: 500, letterSpacing: 1, opacity: 0.8 },
  ],
});

/** Two cards with texts and sizes of their own in each drawing. */
const CARDS: readonly ((drawing: number) => Scene)[] = [
  (drawing) => {
    const words = wordsOf(drawing);
    return resolve(CARD, { title: words, 'words 0': words.slice(drawing % 13), 'figure 1': `${drawing * 113}` });
  },
  (drawing) => {
    const words = wordsOf(drawing);
    return resolve(POSTER, {
      headline: words,
      'small print': words.slice(drawing % 17),
      'shape 2': { x: 3 * drawing, width: 200 + drawing },
      photo: { width: 200 + drawing },
    });
  },
];

const wordsOf = (drawing: number) => `Card number ${drawing * 37}, drawn before anybody asks for one`;

/**
 * Draws the cards as a render would, while nothing else is drawn.
 *
 * @param isBusy whether something else is drawn
 */
export async function warmUp(fonts: Pick<FontLibrary, 'load'>, isBusy = () => false): Promise<void> {
  await partThreadsReady();
  let polls = PATIENCE / POLL;
  const idle = async () => {
    await setImmediate();
    for (; polls > 0 && isBusy(); polls--) await setTimeout(POLL);
  };
  const { signal } = new AbortController();
  const white = { width: 64, height: 64, channels: 3, data: new Uint8Array(3 * 64 * 64).fill(255) } as const;
  // Each drawing shows the previous one as its picture.
  let picture = await encodeJpeg(white, DEFAULT_EXPORT);
  const sources = { read: async () => picture };
  for (let time = 0; time < TIMES; time++) {
    const output = OUTPUTS[time % OUTPUTS.length] ?? 'png';
    // All outputs of one card, then all of the other.
    const card = CARDS[Math.floor(time / OUTPUTS.length) % CARDS.length];
    if (!card) return;
    const scene = card(time * LAYOUTS);
    const { resources } = await loadResources(scene.needs, fonts, sources, signal, 'header');
    for (let more = 1; more < LAYOUTS; more++) {
      await idle();
      compose(card(time * LAYOUTS + more), resources);
    }
    await idle();
    const { list } = compose(scene, resources);
    picture = await exportAs(output, [list], resources, DEFAULT_EXPORT);
  }
  for (const { width, height } of READY) preparePixels(4 * width * height);
}
