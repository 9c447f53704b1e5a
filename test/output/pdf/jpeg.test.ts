import sharp from 'sharp';
import { expect, test } from 'vitest';
import { jpegStream } from '#output/pdf/jpeg.ts';

const picture = () => sharp({ create: { width: 30, height: 20, channels: 3, background: '#c63' } });
const PLAIN = await picture().jpeg().toBuffer();

test('baseline, progressive and grey files go through', async () => {
  expect(jpegStream(PLAIN)).toMatchObject({ width: 30, height: 20, colorSpace: 'DeviceRGB' });
  expect(jpegStream(await picture().jpeg({ progressive: true }).toBuffer())).toMatchObject({ width: 30, height: 20 });
  expect(jpegStream(await picture().toColourspace('b-w').jpeg().toBuffer())).toMatchObject({
    colorSpace: 'DeviceGray',
  });
});

test('the picture is the same when what is told about it is gone', async () => {
  const told = await picture()
    .withExif({ IFD0: { Copyright: 'Somebody', ImageDescription: 'x'.repeat(500) } })
    .withIccProfile('srgb')
    .jpeg()
    .toBuffer();
  const stream = jpegStream(told);
  expect(stream?.bytes.length).toBeLessThan(told.length - 500);
  const pixels = (file: Uint8Array) => sharp(file).raw().toBuffer();
  expect(Buffer.compare(await pixels(stream?.bytes ?? PLAIN), await pixels(told))).toBe(0);
});

test('what a camera appends is left out', () => {
  const film = Buffer.concat([PLAIN, Buffer.from('ftypmp42'), PLAIN]);
  expect(jpegStream(film)?.bytes.length).toBe(jpegStream(PLAIN)?.bytes.length);
});

test('a turned picture goes through as it lies, and says how', async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const turned = await picture().withMetadata({ orientation }).jpeg().toBuffer();
    expect(jpegStream(turned)).toMatchObject({ width: 30, height: 20, orientation });
  }
});
test('a CMYK picture has to be decoded', async () =>
  expect(jpegStream(await picture().toColourspace('cmyk').jpeg().toBuffer())).toBeNull());
test('a picture with wider colours has to be decoded', async () =>
  expect(jpegStream(await picture().withIccProfile('p3').jpeg().toBuffer())).toBeNull());

test('broken files are refused, wherever they break off', () => {
  for (let length = 0; length < PLAIN.length; length++) expect(jpegStream(PLAIN.subarray(0, length))).toBeNull();
  expect(jpegStream(Buffer.from('not a picture at all'))).toBeNull();
  for (let at = 2; at < PLAIN.length; at++) {
    const damaged = Buffer.from(PLAIN);
    damaged[at] = 0xff;
    expect(() => jpegStream(damaged)).not.toThrow();
  }
});
