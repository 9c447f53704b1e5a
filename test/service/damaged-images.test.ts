import { expect, test } from 'vitest';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { openFontLibrary } from '#fonts/font-library.ts';
import { exportAs } from '#output/export.ts';
import { DEFAULT_EXPORT, type Output } from '#output/formats.ts';
import type { Look } from '#pixels/inspect.ts';
import { Gate } from '#service/gate.ts';
import { type DrawContext, draw } from '#service/render.ts';
import { type ImageSources, loadResources } from '#service/resources.ts';
import { noise } from '../pixels/pictures.ts';

const fonts = await openFontLibrary({ folders: [] });
const gate = () => new Gate({ concurrency: 1, waiting: 1 });

/** Draws one image layer; says how, or with which error, and how closely the file was looked at. */
async function attempt(file: Uint8Array, layer: object = {}, output: Output = 'png') {
  const looks: Look[] = [];
  const deadlines = new Set<AbortSignal>();
  const sources: ImageSources = {
    read: async (source) => (source === 'other' ? noise(40, 30).png().toBuffer() : file),
  };
  const ctx: DrawContext = {
    load: (_account, needs, signal, look) => {
      looks.push(look);
      deadlines.add(signal);
      return loadResources(needs, fonts, sources, signal, look);
    },
    exportAs,
    drawHtml: () => Promise.reject(new Error('no html here')),
    admission: gate(),
    drawing: gate(),
    deadline: 10_000,
  };
  const image = { name: 'photo', type: 'image', src: 'file', width: 40, height: 30, ...layer };
  const template = parseTemplate({ name: 'Photo', width: 60, height: 40, layers: [image] });
  const ended = await draw(
    ctx,
    { accountId: 'acc_a', uploadsVersion: 0 },
    resolve(template, {}),
    output,
    DEFAULT_EXPORT,
  ).then(
    ({ diagnostics }) => ['drawn', ...diagnostics.map(({ message }) => message)],
    (error: { code: string; message: string }) => [`${error.code}: ${error.message}`],
  );
  // However often it was tried, it was one render.
  expect(deadlines.size).toBe(1);
  return [...ended, looks.join()];
}

const cut = (file: Buffer) => file.subarray(0, Math.floor(file.length * 0.6));
const jpeg = await noise(400, 300).jpeg().toBuffer();
const DAMAGED = 'Image of layer "photo" could not be loaded: the JPEG file is damaged.';

test('a sound file is decoded once, by whoever draws it', async () =>
  expect(await attempt(jpeg)).toEqual(['drawn', 'header']));
test('but before it goes into a PDF', async () => expect(await attempt(jpeg, {}, 'pdf')).toEqual(['drawn', 'pixels']));

for (const [format, name, looks] of [
  ['png', 'PNG', 'header,pixels'],
  ['jpeg', 'JPEG', 'header,pixels'],
  // Its header says how long it is.
  ['webp', 'WebP', 'header'],
] as const) {
  test(`the layer of a ${name} that ends too early is named`, async () => {
    const file = cut(await noise(400, 300).toFormat(format).toBuffer());
    const message = `Image of layer "photo" could not be loaded: the ${name} file is damaged.`;
    expect(await attempt(file)).toEqual([`invalid_request: ${message}`, looks]);
  });
}
test('also when it was asked for before', async () => {
  const file = cut(await noise(401, 300).jpeg().toBuffer());
  for (const looks of ['header,pixels', 'header,pixels']) {
    expect(await attempt(file)).toEqual([`invalid_request: ${DAMAGED}`, looks]);
  }
});
test('and in a PDF', async () =>
  expect(await attempt(cut(jpeg), {}, 'pdf')).toEqual([`invalid_request: ${DAMAGED}`, 'pixels']));
test('an optional one is left out', async () =>
  expect(await attempt(cut(jpeg), { optional: true })).toEqual([
    'drawn',
    `${DAMAGED} It was left out.`,
    'header,pixels',
  ]));
test('a fallback is taken', async () =>
  expect(await attempt(cut(jpeg), { fallback: 'other' })).toEqual(['drawn', 'header,pixels']));
