// Draws a sample card a few times after the server listens, so that the first request need not wait for code to be
// compiled, threads to start and faces to be opened.
//
// The card has a little of what most templates have. Nothing of it is stored or counted.

import { setImmediate } from 'node:timers/promises';
import { compose } from '#core/compose.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { encodeRaster } from '#encoders/encode.ts';
import { partThreadsReady } from '#encoders/part-threads.ts';
import type { FontLibrary } from '#fonts/font-library.ts';
import { preparePixels } from '#images/pixel-pool.ts';
import { exportAs } from '#output/export.ts';
import { DEFAULT_EXPORT, type Output } from '#output/formats.ts';
import { loadResources } from './load-resources.ts';

/** The number of drawings; more do not make the first render faster. */
const TIMES = 12;
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

/** Different texts for each card. */
function wordsOf(card: number): Readonly<Record<string, string>> {
  const words = `Card number ${card * 37}, drawn before anybody asks for one`;
  return { title: words, 'words 0': words.slice(card % 13), 'figure 1': `${card * 113}` };
}

/** Draws the card as a render would, yielding to requests in between. */
export async function warmUp(fonts: Pick<FontLibrary, 'load'>): Promise<void> {
  await partThreadsReady();
  const { signal } = new AbortController();
  const white = { width: 64, height: 64, pixels: new Uint8Array(4 * 64 * 64).fill(255) };
  // Each drawing shows the previous one as its picture.
  let picture = await encodeRaster(white, 'jpeg', DEFAULT_EXPORT);
  const sources = { read: async () => picture };
  for (let time = 0; time < TIMES; time++) {
    const scene = resolve(CARD, wordsOf(time * LAYOUTS));
    const { resources } = await loadResources(scene.needs, fonts, sources, signal, 'header');
    for (let more = 1; more < LAYOUTS; more++) {
      await setImmediate();
      compose(resolve(CARD, wordsOf(time * LAYOUTS + more)), resources);
    }
    await setImmediate();
    const { list } = compose(scene, resources);
    picture = await exportAs(OUTPUTS[time % OUTPUTS.length] ?? 'png', list, resources, DEFAULT_EXPORT);
  }
  for (const { width, height } of READY) preparePixels(4 * width * height);
}
