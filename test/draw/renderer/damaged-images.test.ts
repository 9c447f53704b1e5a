import { expect, test } from 'vitest';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import type { Output } from '#draw/output/formats.ts';
import { LocalRenderer } from '#draw/renderer/local-renderer.ts';
import { noise } from '../images/pictures.ts';
import { jobOf, patience, suppliesOf, templateOf } from './supplies.ts';

const library = await openFontLibrary({ folders: [] });
const other = await noise(40, 30).png().toBuffer();

/** Draws one image layer; returns `drawn` with its warnings or the error, and how often the file was requested. */
async function attempt(file: Uint8Array, layer: object = {}, output: Output = 'png') {
  const renderer = new LocalRenderer({ library, concurrency: 1 });
  const image = { name: 'photo', type: 'image', src: 'file', width: 40, height: 30, ...layer };
  const supplies = suppliesOf(templateOf(image), { file, other });
  const ended = await renderer.draw(jobOf({}, output), supplies, patience()).then(
    ({ diagnostics }) => ['drawn', ...diagnostics.map(({ message }) => message)],
    (error: { code: string; message: string }) => [`${error.code}: ${error.message}`],
  );
  return [...ended, supplies.asked.filter((what) => what === 'file').length];
}

const cut = (file: Buffer) => file.subarray(0, Math.floor(file.length * 0.6));
const jpeg = await noise(400, 300).jpeg().toBuffer();
const DAMAGED = 'Image of layer "photo" could not be loaded: the JPEG file is damaged.';

test('a sound file is asked for once', async () => expect(await attempt(jpeg)).toEqual(['drawn', 1]));
test('also for a PDF', async () => expect(await attempt(jpeg, {}, 'pdf')).toEqual(['drawn', 1]));

for (const [format, name, times] of [
  ['png', 'PNG', 2],
  ['jpeg', 'JPEG', 2],
  // The header contains the length, so a truncated file is detected at once.
  ['webp', 'WebP', 1],
] as const) {
  test(`the layer of a ${name} that ends too early is named`, async () => {
    const file = cut(await noise(400, 300).toFormat(format).toBuffer());
    const message = `Image of layer "photo" could not be loaded: the ${name} file is damaged.`;
    expect(await attempt(file)).toEqual([`invalid_request: ${message}`, times]);
  });
}
test('also when it was asked for before', async () => {
  const file = cut(await noise(401, 300).jpeg().toBuffer());
  for (const times of [2, 2]) {
    expect(await attempt(file)).toEqual([`invalid_request: ${DAMAGED}`, times]);
  }
});
test('and in a PDF', async () =>
  expect(await attempt(cut(jpeg), {}, 'pdf')).toEqual([`invalid_request: ${DAMAGED}`, 1]));
test('an optional one is left out', async () =>
  expect(await attempt(cut(jpeg), { optional: true })).toEqual(['drawn', `${DAMAGED} It was left out.`, 2]));
test('a fallback is taken', async () => expect(await attempt(cut(jpeg), { fallback: 'other' })).toEqual(['drawn', 2]));
