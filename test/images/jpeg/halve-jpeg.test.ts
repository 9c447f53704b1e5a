import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { encodeJpeg } from '#encoders/jpeg/encode-jpeg.ts';
import { halveJpeg } from '#images/jpeg/halve-jpeg.ts';
import { coefficientJpeg, counter, type MadeJpeg, segment } from '../../encoders/jpeg/coefficient-jpeg.ts';
import { noise, quadrants } from '../pictures.ts';

/** All of a file at half its size, RGB; null where it is left to the library. */
async function halved(file: Buffer) {
  const { width, height } = await sharp(file).metadata();
  const part = { left: 0, top: 0, width: width / 2, height: height / 2 };
  return halveJpeg(file, { width, height }, part, 3);
}

/** What the library makes of it. */
async function byLibrary(file: Buffer) {
  const { width, height } = await sharp(file).metadata();
  const size = { width: width / 2, height: height / 2 };
  return sharp(file)
    .resize({ ...size, fit: 'fill', kernel: 'lanczos3' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
}

/** How far two pictures are from each other: at worst, and the root of the mean square. */
function distance(one: Uint8Array, other: Uint8Array) {
  expect(one.length).toBe(other.length);
  const differences = one.map((value, i) => Math.abs(value - (other[i] ?? 0)));
  const worst = differences.reduce((most, each) => Math.max(most, each), 0);
  return { worst, mean: Math.sqrt(differences.reduce((sum, each) => sum + each * each, 0) / differences.length) };
}

/** Where colours have half the detail, the library spreads them over all pixels first, and takes some of it away. */
const HALF_DETAIL = { worst: 12, mean: 1.25 };
const FULL_DETAIL = { worst: 3, mean: 0.85 };

async function checkLike(file: Buffer, most = FULL_DETAIL): Promise<void> {
  const own = await halved(file);
  if (own === null) throw new Error('left to the library');
  const { worst, mean } = distance(own, await byLibrary(file));
  expect(worst).toBeLessThanOrEqual(most.worst);
  expect(mean).toBeLessThan(most.mean);
}

const soft = (width: number, height: number): Sharp => noise(width, height).blur(3);

// ---- what it decodes

for (const quality of [30, 80, 97, 100]) {
  test(`grey at quality ${quality}`, async () =>
    checkLike(await soft(322, 198).greyscale().jpeg({ quality }).toBuffer()));
  test(`colours at full detail, quality ${quality}`, async () =>
    checkLike(await soft(322, 198).jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer()));
  test(`colours at half the detail, quality ${quality}`, async () =>
    checkLike(await soft(322, 198).jpeg({ quality }).toBuffer(), HALF_DETAIL));
}

test('hard edges, sharp and unblurred', async () =>
  checkLike(await noise(64, 64).greyscale().jpeg({ quality: 100 }).toBuffer()));

test('codes that an encoder chose for the picture', async () =>
  checkLike(await soft(200, 100).jpeg({ chromaSubsampling: '4:4:4', optimiseCoding: true }).toBuffer()));

for (const size of [2, 4, 6, 8, 14, 16, 18, 30, 34]) {
  test(`${size} px a side`, async () =>
    checkLike(await soft(size, size).jpeg({ chromaSubsampling: '4:4:4', quality: 90 }).toBuffer()));
}

test('restart intervals', async () => {
  const { data, info } = await soft(400, 400).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  await checkLike(
    Buffer.from(await encodeJpeg({ width: info.width, height: info.height, pixels: data }, 90)),
    HALF_DETAIL,
  );
});

function checkMade(name: string, made: Partial<MadeJpeg>): void {
  const file = coefficientJpeg({
    width: 150,
    height: 94,
    sampling: '11 11 11',
    ...made,
  });
  test(name, async () => checkLike(file, HALF_DETAIL));
}

checkMade('made up, 4:4:4', {});
checkMade('made up, 4:2:0', {
  sampling: '22 11 11',
});
checkMade('made up, 4:2:2', {
  sampling: '21 11 11',
});
checkMade('made up, 4:4:0', {
  sampling: '12 11 11',
});
checkMade('made up, two blocks of each', {
  sampling: '21 21 21',
});
checkMade('made up, grey, whose blocks come one by one', { sampling: '22' });
checkMade('a restart after every unit', {
  sampling: '22 11 11',
  interval: 1,
});
checkMade('a restart after every seventh unit', { interval: 7 });

test('any part of the picture', async () => {
  const file = await soft(322, 198).jpeg().toBuffer();
  const whole = await halved(file);
  const part = await halveJpeg(file, { width: 322, height: 198 }, { left: 13, top: 40, width: 97, height: 31 }, 3);
  const rows = Array.from({ length: 31 }, (_, y) => whole?.subarray(3 * (161 * (40 + y) + 13)).subarray(0, 3 * 97));
  expect(Buffer.compare(part ?? Buffer.alloc(0), Buffer.concat(rows.map((row) => row ?? Buffer.alloc(0))))).toBe(0);
});

test('an opaque alpha beside the colours', async () => {
  const file = await soft(70, 50).jpeg().toBuffer();
  const rgb = await halved(file);
  const rgba = await halveJpeg(file, { width: 70, height: 50 }, { left: 0, top: 0, width: 35, height: 25 }, 4);
  expect(rgba?.filter((_, i) => i % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
  expect(Buffer.compare(rgba?.filter((_, i) => i % 4 < 3) ?? Buffer.alloc(0), rgb ?? Buffer.alloc(1))).toBe(0);
});

test('pictures at the same time are not mixed up', async () => {
  const files = await Promise.all([700, 710, 720].map((width) => soft(width, 600).jpeg().toBuffer()));
  const alone: (Uint8Array | null)[] = [];
  for (const file of files) alone.push(await halved(file));
  const together = await Promise.all(files.map(halved));
  expect(together.map((pixels, i) => Buffer.compare(pixels ?? Buffer.alloc(0), alone[i] ?? Buffer.alloc(1)))).toEqual([
    0, 0, 0,
  ]);
});

// ---- what it leaves to the library

function checkLeft(name: string, make: () => Promise<Buffer> | Buffer): void {
  test(`left to the library: ${name}`, async () => expect((await halved(await make())) === null).toBe(true));
}

const plain = () => quadrants().jpeg().toBuffer();
/** A segment behind the first marker. */
const withSegment = async (marker: number, body: readonly number[]) => {
  const file = await plain();
  return Buffer.concat([file.subarray(0, 2), segment(marker, body), file.subarray(2)]);
};
const ascii = (text: string) => [...Buffer.from(text, 'latin1')];

checkLeft('progressive', () => quadrants().jpeg({ progressive: true }).toBuffer());
checkLeft('CMYK', () => quadrants().toColourspace('cmyk').jpeg().toBuffer());
checkLeft('on its side', () => quadrants().withMetadata({ orientation: 6 }).jpeg().toBuffer());
checkLeft('a colour profile', () => quadrants().withIccProfile('p3').jpeg().toBuffer());
checkLeft('RGB', () => withSegment(0xee, [...ascii('Adobe'), 0, 100, 0, 0, 0, 0, 0]));
checkLeft('components with odd names', () =>
  coefficientJpeg({
    width: 20,
    height: 20,
    sampling: '11 11 11',
    ids: [82, 71, 66],
  }),
);
checkLeft('a quarter of the colours', () =>
  coefficientJpeg({
    width: 64,
    height: 64,
    sampling: '41 11 11',
  }),
);
checkLeft('no end', async () => (await plain()).subarray(0, -2));
checkLeft('data behind the last block', async () => {
  const file = await plain();
  return Buffer.concat([file.subarray(0, -2), Buffer.from([1, 2, 3, 0xff, 0xd9])]);
});
checkLeft('a marker in the data', async () => {
  const file = coefficientJpeg({ width: 64, height: 64, sampling: '11', interval: 8 });
  const at = file.indexOf(Buffer.from([0xff, 0xd2]));
  file[at + 1] = 0xd5;
  return file;
});

test('left to the library: another size than was asked for', async () =>
  expect(await halveJpeg(await plain(), { width: 62, height: 40 }, { left: 0, top: 0, width: 31, height: 20 }, 3)).toBe(
    null,
  ));

test('Adobe says YCbCr', async () =>
  expect(await halved(await withSegment(0xee, [...ascii('Adobe'), 0, 100, 0, 0, 0, 0, 1]))).not.toBe(null));

// ---- damage

test('a file that breaks off anywhere is left to the library', async () => {
  const file = await soft(64, 48).jpeg().toBuffer();
  const size = { width: 64, height: 48 };
  for (let end = 0; end < file.length; end += 7) {
    expect(await halveJpeg(file.subarray(0, end), size, { left: 0, top: 0, width: 32, height: 24 }, 3)).toBe(null);
  }
});

/** Files with some bytes changed between two places, each asked for at half its size. */
async function checkMutated(
  places: (file: Buffer) => readonly [from: number, to: number],
  most: number,
): Promise<void> {
  const random = counter(20_261_121);
  const files = [
    await soft(96, 64).greyscale().jpeg({ quality: 90 }).toBuffer(),
    coefficientJpeg({ width: 96, height: 64, sampling: '21 11 11', interval: 5 }),
    await soft(96, 64).jpeg({ quality: 60 }).toBuffer(),
  ];
  const size = { width: 96, height: 64 };
  let decoded = 0;
  for (let round = 0; round < 900; round++) {
    const file = Buffer.from(files[round % 3] ?? Buffer.alloc(0));
    const [from, to] = places(file);
    for (let changes = 1 + Math.floor(3 * random()); changes > 0; changes--) {
      file[from + Math.floor(random() * (to - from))] = Math.floor(random() * 256);
    }
    const own = await halveJpeg(file, size, { left: 0, top: 0, width: 48, height: 32 }, 3);
    if (own === null) continue;
    decoded += 1;
    // Which throws where the library refuses the file.
    expect(distance(own, await byLibrary(file)).mean).toBeLessThan(most);
  }
  expect(decoded).toBeGreaterThan(50);
}

const dataOf = (file: Buffer) => file.indexOf(Buffer.from([0xff, 0xda]));

test('with its data mutated, a file is left to the library, or decoded as the library does', async () =>
  checkMutated((file) => [dataOf(file) + 14, file.length], 15));

test('with its tables mutated, a file is left to the library, or one that the library takes', async () =>
  checkMutated((file) => [0, dataOf(file)], Infinity));
