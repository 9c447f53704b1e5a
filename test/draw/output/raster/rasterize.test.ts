import { expect, test, vi } from 'vitest';
import type { Brush, DisplayList, Filter, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { inspectImage } from '#draw/images/inspect.ts';
import { scaleToPixels } from '#draw/images/scale.ts';
import { type ImageOp, placeImages } from '#draw/output/raster/place-images.ts';
import { rasterize, rasterizeForPng } from '#draw/output/raster/rasterize.ts';
import { noise } from '../../images/pictures.ts';

const NOTHING = { fonts: { get: () => null }, images: new Map() } as unknown as Resources;

async function refused(list: DisplayList, scale: number, message: RegExp, resources = NOTHING): Promise<void> {
  await expect(rasterize(list, resources, scale)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  });
}

test('a canvas that its scale makes too large', () =>
  refused({ width: 16_000, height: 1200, ops: [] }, 3, /48000 × 3600 px; at most 52 million/));

const within = (ops: readonly PaintOp[], opacity = 0.5, filters: readonly Filter[] = []): GroupOp => ({
  kind: 'group',
  transform: [1, 0, 0, 1, 0, 0],
  opacity,
  blend: 'normal',
  clip: null,
  filters,
  text: null,
  ops,
});

test('groups within groups on a large canvas', () => {
  let ops: readonly PaintOp[] = [];
  for (let depth = 0; depth < 12; depth += 1) ops = [within(ops)];
  return refused({ width: 7000, height: 7000, ops }, 1, /so many groups/);
});

test('more scaled pictures than fit into one drawing', () => {
  const image: ImageResource = {
    key: 'photo',
    format: 'png',
    width: 9,
    height: 9,
    bytes: new Uint8Array(),
    hasAlpha: false,
    focus: null,
  };
  const op: PaintOp = {
    kind: 'image',
    image: 'photo',
    source: { x: 0, y: 0, width: 9, height: 9 },
    dest: { x: 0, y: 0, width: 7000, height: 7000 },
  };
  const resources = { ...NOTHING, images: new Map([['photo', image]]) };
  return refused({ width: 7000, height: 7000, ops: [op, { ...op }] }, 1, /more than 60 million px/, resources);
});

async function pictured(file: Buffer, ops: (photo: ImageOp) => readonly PaintOp[]): Promise<Uint8Array> {
  const image: ImageResource = { key: 'photo', focus: null, ...(await inspectImage(file, 'header')) };
  const photo: ImageOp = {
    kind: 'image',
    image: 'photo',
    source: { x: 0, y: 0, width: 400, height: 300 },
    dest: { x: 7, y: 5, width: 61, height: 47 },
  };
  const list: DisplayList = { width: 100, height: 80, ops: ops(photo) };
  return (await rasterize(list, { ...NOTHING, images: new Map([['photo', image]]) }, 1)).pixels;
}

test('a picture that is still being scaled is waited for, also inside layers and blurs', async () => {
  const file = await noise(400, 300).jpeg().toBuffer();
  const ops = (photo: ImageOp) => [
    within([within([photo])], 0.7, [{ kind: 'blur', sigma: 3 }]),
    within([photo, { ...photo, dest: { x: 30, y: 40, width: 31, height: 17 } }]),
  ];
  const first = await pictured(file, ops);
  expect(first.some((value) => value > 0)).toBe(true);
  // Now the pictures are kept.
  expect(Buffer.compare(await pictured(file, ops), first)).toBe(0);
});

test('a damaged file is an error also where its picture does not show', async () => {
  const whole = await noise(400, 300).jpeg().toBuffer();
  const cut = whole.subarray(0, Math.floor(whole.length * 0.6));
  await expect(pictured(cut, (photo) => [within([photo], 0)])).rejects.toMatchObject({ code: 'invalid_request' });
});

/** Checks that the raster has exactly the pixels that were scaled for it: nothing is filtered a second time. */
async function checkExact(scale: number, x: number, y: number, width: number, height: number): Promise<void> {
  const file = await noise(200, 150).blur(1).png().toBuffer();
  const image: ImageResource = { key: 'photo', focus: null, ...(await inspectImage(file)) };
  const images = new Map([['photo', image]]);
  const op: PaintOp = {
    kind: 'image',
    image: 'photo',
    source: { x: 0, y: 0, width: 200, height: 150 },
    dest: { x, y, width, height },
  };
  const list: DisplayList = { width: 100, height: 80, ops: [op] };
  const raster = await rasterize(list, { ...NOTHING, images }, scale);
  expect(raster).toMatchObject({ width: Math.round(100 * scale), height: Math.round(80 * scale) });

  const [placed] = placeImages(
    list,
    [raster.width / 100, 0, 0, raster.height / 80, 0, 0],
    raster,
    images,
  ).images.values();
  const { source, size } = placed ?? expect.unreachable();
  const scaled = await scaleToPixels(image, source, size);
  const left = Math.round((x * raster.width) / 100);
  const top = Math.round((y * raster.height) / 80);
  const seen: number[] = [];
  for (let row = 0; row < size.height; row += 1) {
    for (let column = 0; column < size.width; column += 1) {
      const at = ((top + row) * raster.width + left + column) * 4;
      seen.push(...raster.pixels.subarray(at, at + 3));
    }
  }
  expect(Buffer.compare(Buffer.from(seen), scaled.data)).toBe(0);
}

test('a picture on the grid', () => checkExact(1, 10, 20, 60, 45));
test('a picture on the grid of three times the canvas', () => checkExact(3, 10, 20, 60, 45));
test('a picture between pixels', () => checkExact(1, 10.4, 20.7, 60.3, 45.1));
test('a picture at a scale that no decimal says', () => checkExact(1 / 3, 10, 20, 60, 45));
test('a picture at a scale whose canvas is no whole pixel', () => checkExact(0.37, 11, 13, 60, 45));
test('the canvas is covered to its last pixel', async () => {
  const path: PathData = [['M', 0, 0], ['L', 100, 0], ['L', 100, 63], ['L', 0, 63], ['Z']];
  const fill: PaintOp = {
    kind: 'fill',
    path,
    rule: 'nonzero',
    brush: { kind: 'solid', color: { r: 0, g: 0, b: 0, a: 1 } },
  };
  const { pixels } = await rasterize({ width: 100, height: 63, ops: [fill] }, NOTHING, 0.33);
  expect(pixels.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true);
});

const INK = { kind: 'solid', color: { r: 0, g: 0, b: 0, a: 1 } } as const;

test('more segments than a list may have, and which operation has most of them', async () => {
  const path: PathData = Array.from({ length: 1_100_000 }, (_, i) => [i === 0 ? 'M' : 'L', i % 90, i % 50] as const);
  const ops: PaintOp[] = [path.slice(0, 9), path, path.slice(9)].map((part) => ({
    ...{ kind: 'fill', path: part, rule: 'nonzero', brush: INK },
  }));
  const list = { width: 100, height: 63, ops };
  await expect(rasterize(list, NOTHING, 1)).rejects.toMatchObject({ op: 1, problem: /^has too many edges/ });
});

test('more dashes than can be told apart', async () => {
  const path: PathData = Array.from(
    { length: 5_000 },
    (_, i) => [i === 0 ? 'M' : 'L', i % 2 ? 0 : 90, i / 99] as const,
  );
  const stroke = { width: 1, cap: 'butt', join: 'miter', miterLimit: 4, dash: [0.2] } as const;
  const list: DisplayList = { width: 100, height: 63, ops: [{ kind: 'stroke', path, stroke, brush: INK }] };
  await expect(rasterize(list, NOTHING, 1)).rejects.toMatchObject({ op: 0, problem: /^has too many edges/ });
});

test('a painting ends when its signal does', async () => {
  const path: PathData = [['M', 0, 0], ['L', 99.5, 7], ['L', 40, 60.5], ['Z']];
  const op: PaintOp = { kind: 'fill', path, rule: 'nonzero', brush: INK };
  const list: DisplayList = { width: 1000, height: 630, ops: Array(200_000).fill(op) };
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(rasterize(list, NOTHING, 9, { signal: controller.signal })).rejects.toThrow('enough');
});

test('time in which others have their turn, or the processor, does not count as painting', async () => {
  const path: PathData = [['M', 0, 0], ['L', 99.5, 7], ['L', 40, 60.5], ['Z']];
  const op: PaintOp = { kind: 'fill', path, rule: 'nonzero', brush: INK };
  const list: DisplayList = { width: 100, height: 63, ops: [op, op, op, op] };
  let [now, worked, pauses] = [0, 0, 0];
  // As on a busy machine, where the processor is had for 10 ms of a minute.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
  const processor = vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => {
    worked += 1e4;
    return { user: worked, system: 0 };
  });
  const pause = async () => {
    pauses += 1;
    worked += 6e7;
  };
  try {
    await rasterize(list, NOTHING, 1, { pause, mostTime: 2_000 });
    expect(pauses).toBeGreaterThan(1);
    await expect(rasterize(list, NOTHING, 1, { pause, mostTime: 20 })).rejects.toThrow('takes too long to draw');
  } finally {
    clock.mockRestore();
    processor.mockRestore();
  }
});

test('a canvas of 52 million px is painted in bounded memory', { timeout: 120_000 }, async () => {
  const path: PathData = [['M', 0, 0], ['L', 6500, 0], ['L', 6500, 8000], ['L', 0, 8000], ['Z']];
  const fill: PaintOp = { kind: 'fill', path, rule: 'nonzero', brush: INK };
  const blurred: GroupOp = {
    kind: 'group',
    transform: [1, 0, 0, 1, 0, 0],
    opacity: 0.5,
    blend: 'normal',
    clip: null,
    filters: [{ kind: 'blur', sigma: 40 }],
    text: null,
    ops: [fill],
  };
  const before = process.memoryUsage().rss;
  const { pixels } = await rasterize({ width: 6500, height: 8000, ops: [blurred] }, NOTHING, 1);
  expect(pixels[4 * (4000 * 6500 + 3000) + 3]).toBe(128);
  // The raster itself takes 208 MB.
  expect(process.memoryUsage().rss - before).toBeLessThan(450 * 2 ** 20);
});

// A page's `box-shadow: 0 0 1e6px` held the drawing thread for minutes.
test('a blur that would take minutes is refused', async () => {
  const path: PathData = [['M', 0, 0], ['L', 9, 0], ['L', 9, 9], ['Z']];
  const blurred = (sigma: number): GroupOp => ({
    kind: 'group',
    transform: [1, 0, 0, 1, 0, 0],
    opacity: 1,
    blend: 'normal',
    clip: null,
    filters: [{ kind: 'blur', sigma }],
    text: null,
    ops: [{ kind: 'fill', path, rule: 'nonzero', brush: INK }],
  });
  const draw = (sigma: number) => rasterize({ width: 40, height: 30, ops: [blurred(sigma)] }, NOTHING, 1);
  await expect(draw(300_000)).rejects.toThrow('The picture is blurred too widely to be drawn; blur it less.');
  expect((await draw(1_000)).width).toBe(40);
});

test('rows that look the same have the same digests, and others do not', async () => {
  const box = (x: number, y: number): PaintOp => ({
    kind: 'fill',
    path: [['M', x, y], ['L', x + 20, y], ['L', x + 20, y + 10], ['L', x, y + 10], ['Z']],
    rule: 'nonzero',
    brush: { kind: 'solid', color: { r: 200, g: 10, b: 10, a: 1 } },
  });
  const draw = (ops: readonly PaintOp[], tilePixels?: number) =>
    rasterizeForPng({ width: 1100, height: 60, ops }, NOTHING, 1, tilePixels ? { tilePixels } : {});
  const rowsOf = async (drawn: ReturnType<typeof draw>) => {
    const { digests = new Uint8Array(), height } = await drawn;
    const length = digests.length / height;
    return Array.from({ length: height }, (_, y) =>
      Buffer.from(digests.subarray(y * length, (y + 1) * length)).toString('hex'),
    );
  };
  const one = await rowsOf(draw([box(10, 5), box(1050, 40)]));
  const other = await rowsOf(draw([box(10, 5), box(1051, 40)]));
  expect([...one.keys()].filter((y) => one[y] !== other[y])).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
  expect(new Set(one).size).toBe(3);
  expect(await rowsOf(draw([box(10, 5), box(1050, 40)], 1100 * 32))).toEqual(one);
});

test('a PNG has indices as long as it has few colours, and shows the same pixels', async () => {
  const bar = (x: number, y: number, r: number): PaintOp => ({
    kind: 'fill',
    path: [['M', x, y], ['L', x + 7, y], ['L', x + 2, y + 30], ['Z']],
    rule: 'nonzero',
    brush: { kind: 'solid', color: { r, g: 90, b: 255 - r, a: 1 } },
  });
  const few = [10, 80, 150].map((r, index) => bar(40 * index, 3, r));
  // The rows from 50 on have too many.
  const many = [...few, ...Array.from({ length: 60 }, (_, index) => bar(6 * index, 50, 4 * index))];
  for (const tilePixels of [400 * 90, 400 * 32]) {
    for (const ops of [few, many]) {
      const list = { width: 400, height: 90, ops };
      const { pixels } = await rasterize(list, NOTHING, 1);
      const drawn = await rasterizeForPng(list, NOTHING, 1, { tilePixels });
      expect('indices' in drawn).toBe(ops === few);
      const shown = 'indices' in drawn ? Uint32Array.from(drawn.indices, (i) => drawn.colors[i] ?? 0) : drawn.pixels;
      expect(Buffer.from(shown.buffer, shown.byteOffset, shown.byteLength).equals(pixels)).toBe(true);
    }
  }
});

// The kernels write several pixels at a time; of a canvas as wide as the fill, the next ones are in the row below.
test('a fill changes no pixel outside its rectangle, whatever its brush and the width of the canvas', async () => {
  const stops = [
    { offset: 0, color: { r: 255, g: 0, b: 0, a: 1 } },
    { offset: 1, color: { r: 0, g: 0, b: 255, a: 1 } },
  ];
  const brushes: readonly Brush[] = [
    INK,
    { kind: 'linear', from: { x: 0, y: 0 }, to: { x: 9, y: 2 }, stops },
    { kind: 'radial', transform: [5, 0, 0, 5, 3, 3], stops },
    { kind: 'conic', centre: { x: 3, y: 3 }, angle: 20, stops },
  ];
  const box = (width: number, height: number): PathData => [
    ['M', 0, 0],
    ['L', width, 0],
    ['L', width, height],
    ['L', 0, height],
    ['Z'],
  ];
  for (const brush of brushes) {
    for (let width = 1; width < 40; width++) {
      const fill: PaintOp = { kind: 'fill', path: box(width, 3), rule: 'nonzero', brush };
      const whole: PaintOp = { kind: 'fill', path: box(width, 9), rule: 'nonzero', brush };
      const windowed: GroupOp = {
        kind: 'group',
        transform: [1, 0, 0, 1, 0, 0],
        opacity: 1,
        blend: 'normal',
        clip: { path: box(width, 3), rule: 'nonzero' },
        filters: [],
        text: null,
        ops: [whole],
      };
      for (const op of [fill, windowed]) {
        const { pixels } = await rasterize({ width, height: 9, ops: [op] }, NOTHING, 1);
        const what = `${brush.kind}, ${op.kind}, ${width} px`;
        expect(
          pixels.subarray(0, 12 * width).every((byte, i) => i % 4 < 3 || byte === 255),
          what,
        ).toBe(true);
        expect(
          pixels.subarray(12 * width).every((byte) => byte === 0),
          what,
        ).toBe(true);
      }
    }
  }
});
