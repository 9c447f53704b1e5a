import { expect, test } from 'vitest';
import { drawSvg, readSvgImage } from '#draw/images/svg-image.ts';
import { naturalSize } from '#draw/images/svg-size.ts';
import { colorAt, svg } from './pictures.ts';

function checkSize(attributes: Record<string, string>, expected: string): void {
  const { width, height } = naturalSize(new Map(Object.entries(attributes)));
  expect(`${+width.toFixed(2)}×${+height.toFixed(2)}`).toBe(expected);
}

test('px', () => checkSize({ width: '120', height: '80px' }, '120×80'));
test('absolute units', () => checkSize({ width: '1in', height: '25.4mm' }, '96×96'));
test('points', () => checkSize({ width: '72pt', height: '6pc' }, '96×96'));
test('one side and a viewBox', () => checkSize({ width: '50', viewBox: '0 0 100 40' }, '50×20'));
test('the other side and a viewBox', () => checkSize({ height: '50', viewBox: '0,0,100,40' }, '125×50'));
test('the viewBox alone', () => checkSize({ viewBox: '5 5 24 12' }, '24×12'));
test('percentages are no size', () => checkSize({ width: '100%', height: '100%', viewBox: '0 0 24 12' }, '24×12'));
test('nothing at all', () => checkSize({}, '300×150'));
test('a viewBox that is none', () => checkSize({ viewBox: '0 0 nan 1' }, '300×150'));

const WHOLE = { x: 0, y: 0, width: 40, height: 20 };

test('draws a part at exactly the size asked for', async () => {
  const { bytes } = await readSvgImage(svg('width="40" height="20"', '<rect width="20" height="20" fill="red"/>'));
  const drawn = await drawSvg(bytes, { x: 10, y: 0, width: 20, height: 20 }, { width: 333, height: 77 });
  expect(drawn).toMatchObject({ width: 333, height: 77, channels: 4 });
  expect([colorAt(drawn, 165, 40), colorAt(drawn, 168, 40)]).toEqual(['255,0,0,255', '0,0,0,0']);
});

test('honours viewBox and preserveAspectRatio inside its own size', async () => {
  const file = svg('width="40" height="20" viewBox="0 0 10 10"', '<rect width="10" height="10" fill="red"/>');
  const drawn = await drawSvg((await readSvgImage(file)).bytes, WHOLE, { width: 40, height: 20 });
  expect([colorAt(drawn, 5, 10), colorAt(drawn, 15, 10)]).toEqual(['0,0,0,0', '255,0,0,255']);
});

test('lengths in points are 4/3 px, as in CSS', async () => {
  const file = svg('width="40" height="20"', '<rect width="15pt" height="20" fill="red"/>');
  const drawn = await drawSvg((await readSvgImage(file)).bytes, WHOLE, { width: 40, height: 20 });
  expect([colorAt(drawn, 19, 10), colorAt(drawn, 20, 10)]).toEqual(['255,0,0,255', '0,0,0,0']);
});

test('draws an embedded picture and a style sheet', async () => {
  const uri = `data:image/png;base64,${(await (await import('./pictures.ts')).quadrants().png().toBuffer()).toString('base64')}`;
  const file = svg(
    'width="40" height="20"',
    `<style>.a{fill:#00f}</style><image href="${uri}" width="20" height="20" preserveAspectRatio="none"/><rect class="a" x="20" width="20" height="20"/>`,
  );
  const drawn = await drawSvg((await readSvgImage(file)).bytes, WHOLE, { width: 40, height: 20 });
  expect([colorAt(drawn, 2, 2), colorAt(drawn, 30, 10)]).toEqual(['255,0,0,255', '0,0,255,255']);
});
