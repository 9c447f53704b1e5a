import { crc32, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inspectImage } from '#draw/images/inspect.ts';
import { seeded } from '../../seeded.ts';
import { claimingPng, manyFrames, noise, QUADRANTS_SVG, quadrants, svg } from './pictures.ts';

async function check(file: Buffer | Promise<Buffer>, expected: string): Promise<void> {
  const { format, width, height, hasAlpha } = await inspectImage(await file);
  expect(`${format} ${width}×${height}${hasAlpha ? ' alpha' : ''}`).toBe(expected);
}

/** Checks that a file is refused quickly, with a message that matches. */
async function refused(file: Buffer | Promise<Buffer>, message: RegExp): Promise<void> {
  const started = performance.now();
  await expect(inspectImage(await file)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  });
  expect(performance.now() - started).toBeLessThan(6000);
}

test('PNG', () => check(quadrants().png().toBuffer(), 'png 60×40'));
test('JPEG', () => check(quadrants().jpeg().toBuffer(), 'jpeg 60×40'));
test('WebP', () => check(quadrants().webp().toBuffer(), 'webp 60×40'));
test('GIF', () => check(quadrants().gif().toBuffer(), 'gif 60×40'));
test('AVIF', () => check(quadrants().avif({ effort: 0 }).toBuffer(), 'avif 60×40'));
test('SVG', () => check(QUADRANTS_SVG, 'svg 60×40 alpha'));
test('a JPEG that lies on its side is measured upright', () =>
  check(quadrants().withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'jpeg 40×60'));
test('translucent', () => check(quadrants().ensureAlpha(0.5).png().toBuffer(), 'png 60×40 alpha'));
test('an alpha channel that says nothing', () => check(quadrants().ensureAlpha().png().toBuffer(), 'png 60×40'));
test('an animation is its first frame', () => check(manyFrames(5000), 'gif 1×1'));

test('a PNG whose texts unpack to 800 MB', async () => {
  const png = await quadrants().png().toBuffer();
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(4e6))]);
  const chunk = Buffer.alloc(12 + text.length);
  chunk.writeUInt32BE(text.length);
  chunk.write('zTXt', 4);
  text.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  // After the header, and after the pixels.
  const texts = Array.from({ length: 100 }, () => chunk);
  const file = Buffer.concat([png.subarray(0, 33), ...texts, png.subarray(33, -12), ...texts, png.subarray(-12)]);
  const before = process.memoryUsage.rss();
  await check(file, 'png 60×40');
  expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
});

test('an empty file', () => refused(Buffer.alloc(0), /^The file is empty\.$/));
test('a text', () => refused(Buffer.from('hello'), /^The file is not a PNG, JPEG, WebP, GIF, AVIF or SVG image\.$/));
test('a TIFF', () => refused(quadrants().tiff().toBuffer(), /^The file is not a PNG/));
test('a TIFF that pretends to be a PNG', async () => {
  const tiff = await quadrants().tiff().toBuffer();
  await refused(Buffer.concat([(await quadrants().png().toBuffer()).subarray(0, 8), tiff]), /^The PNG file is damaged/);
});
test('more than 15 MiB', () => refused(Buffer.alloc(15 * 1024 * 1024 + 1), /larger than 15 MiB/));
test('a PNG header that lies beyond the limit', () => refused(claimingPng(100_000, 100_000), /^The PNG file/));
test('a PNG header that lies within it', () => refused(claimingPng(7000, 7000), /^The PNG file is damaged/));
test('more than 50 million pixels', () =>
  refused(claimingPng(10_000, 10_000, 10), /^The PNG file has more than 50 million pixels/));
test('one side too long', () => refused(claimingPng(20_000, 2), /at most 16384 px a side/));
for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
  test(`${format} that ends too early`, async () => {
    const whole = await noise(300, 200).toFormat(format).toBuffer();
    for (const part of [0.5, 0.9, 0.99]) {
      await refused(whole.subarray(0, Math.floor(whole.length * part)), /^The \w+ file is damaged/);
    }
  });
}
test('a JPEG of which only the header is left', async () =>
  refused((await quadrants().jpeg().toBuffer()).subarray(0, 30), /damaged/));

test('an SVG of 100000 × 100000', () =>
  refused(svg('width="100000" height="100000"', '<rect/>'), /more than 16384 px wide/));
test('an SVG of 16000 × 16000', () =>
  refused(svg('width="16000" height="16000"', '<rect/>'), /more than 50 million pixels/));
test('an SVG whose viewBox alone is too large', () => refused(svg('viewBox="0 0 99999 99999"', ''), /px wide/));
test('an SVG with no area', () => refused(svg('width="0" height="10"', ''), /has no area/));
test('an SVG over 1 MiB', () => refused(svg('width="9" height="9"', ' '.repeat(2 ** 20)), /larger than 1 MiB/));
test('an SVG of more than 50,000 elements', () =>
  refused(svg('width="9" height="9"', '<g/>'.repeat(50_001)), /more than 50000 elements/));
test('an SVG that nests without end', () =>
  refused(svg('width="9" height="9"', '<g>'.repeat(50_000)), /nests more than 100/));
test('a DOCTYPE with declarations', () =>
  refused(Buffer.from('<!DOCTYPE svg []><svg width="1" height="1"/>'), /<!DOCTYPE> with declarations/));
test('a billion laughs', () =>
  refused(
    Buffer.from('<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY l "l"><!ENTITY m "&l;&l;">]><svg>&m;</svg>'),
    /<!DOCTYPE>/,
  ));
test('an entity that nobody declared', () =>
  refused(svg('width="9" height="9"', '<text>&xxe;</text>'), /entity &xxe;/));
test('compressed SVG', () => refused(gzipSync(QUADRANTS_SVG), /compressed with gzip/));
test('an SVG in UTF-16', () => refused(Buffer.concat([Buffer.from('<svg>'), Buffer.from([0xff, 0xfe])]), /not UTF-8/));
test('uses of uses of uses', () => {
  const levels = Array.from({ length: 10 }, (_, level) =>
    level === 0
      ? '<rect id="u0" width="1" height="1"/>'
      : `<g id="u${level}">${`<use href="#u${level - 1}"/>`.repeat(10)}</g>`,
  );
  return refused(svg('width="9" height="9"', `${levels.join('')}<use href="#u9"/>`), /^The SVG file/);
});
test('an embedded picture that is too large', () => {
  const uri = `data:image/png;base64,${claimingPng(10_000, 10_000).toString('base64')}`;
  return refused(svg('width="9" height="9"', `<image href="${uri}"/>`), /^The SVG file/);
});
test('a text that takes the square of its length', () =>
  refused(svg('width="9" height="9"', `<text>${'lorem ipsum '.repeat(1000)}</text>`), /more than 4000 characters/));
test('a filter region a hundred times the picture', async () => {
  const filter =
    '<filter id="f" x="-100" y="-100" width="201" height="201"><feGaussianBlur stdDeviation="9999"/></filter>';
  await check(
    svg('width="600" height="400"', `${filter}<rect width="600" height="400" filter="url(#f)"/>`),
    'svg 600×400 alpha',
  );
});

test('a mutated file never does worse than a refusal', async () => {
  const files = [
    await noise(60, 40).png().toBuffer(),
    await noise(60, 40).jpeg().toBuffer(),
    await noise(60, 40).webp().toBuffer(),
    await noise(60, 40).gif().toBuffer(),
    await noise(60, 40).avif({ effort: 0 }).toBuffer(),
    QUADRANTS_SVG,
  ];
  const random = seeded(7);
  let accepted = 0;
  for (let round = 0; round < 120; round += 1) {
    const file = Buffer.from(files[round % files.length] ?? '');
    for (let edit = 0; edit < 4; edit += 1) file[random(file.length)] = random(256);
    await inspectImage(file).then(
      () => {
        accepted += 1;
      },
      (error) => expect(error).toMatchObject({ code: 'invalid_request' }),
    );
  }
  expect(accepted).toBeLessThan(120);
});
