import sharp from 'sharp';
import { expect, test } from 'vitest';
import { jpegStream } from '#draw/output/pdf/jpeg.ts';

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

/** Adobe's segment that says that three components are RGB. */
const ADOBE_RGB = Buffer.concat([Buffer.of(0xff, 0xee, 0, 14), Buffer.from('Adobe\0d\0\0\0\0\0')]);
const JFIF = Buffer.concat([Buffer.of(0xff, 0xe0, 0, 16), Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')]);
const pixelsOf = (file: Uint8Array) => sharp(file).raw().toBuffer();
/** The picture, which has neither, with some segments at its start. */
const beginning = (...segments: readonly Uint8Array[]) =>
  Buffer.concat([PLAIN.subarray(0, 2), ...segments, PLAIN.subarray(2)]);

test('a picture keeps its colours when Adobe’s segment contradicts JFIF’s, in either order', async () => {
  for (const file of [beginning(JFIF, ADOBE_RGB), beginning(ADOBE_RGB, JFIF), beginning(ADOBE_RGB), beginning()]) {
    const { bytes = PLAIN.subarray(0, 2) } = jpegStream(file) ?? {};
    expect(Buffer.compare(await pixelsOf(bytes), await pixelsOf(file))).toBe(0);
  }
  expect(await pixelsOf(beginning(ADOBE_RGB))).not.toEqual(await pixelsOf(beginning(JFIF, ADOBE_RGB)));
});
test('components that are RGB by their names only have to be decoded', async () => {
  const named = (file: Buffer) => {
    const frame = file.indexOf(Buffer.from([0xff, 0xc0]));
    const scan = file.indexOf(Buffer.from([0xff, 0xda]));
    for (const [i, name] of [...Buffer.from('RGB')].entries()) file[frame + 10 + 3 * i] = file[scan + 5 + 2 * i] = name;
    return file;
  };
  expect(jpegStream(named(beginning()))).toBeNull();
  expect(jpegStream(named(beginning(JFIF)))).toBeNull();
  expect(jpegStream(named(beginning(ADOBE_RGB)))).not.toBeNull();
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
