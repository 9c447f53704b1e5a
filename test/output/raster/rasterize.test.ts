import { expect, test } from 'vitest';
import type { DisplayList, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { rasterize } from '#output/raster/rasterize.ts';

const NOTHING = { fonts: { get: () => null }, images: new Map() } as unknown as Resources;

async function refused(list: DisplayList, scale: number, message: RegExp, resources = NOTHING): Promise<void> {
  await expect(rasterize(list, resources, scale)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  });
}

test('a canvas that its scale makes too large', () =>
  refused({ width: 16_000, height: 1200, ops: [] }, 3, /48000 × 3600 px; at most 52 million/));

test('groups within groups on a large canvas', () => {
  const within = (ops: readonly PaintOp[]): GroupOp => ({
    kind: 'group',
    transform: [1, 0, 0, 1, 0, 0],
    opacity: 0.5,
    blend: 'normal',
    clip: null,
    filters: [],
    ops,
  });
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
