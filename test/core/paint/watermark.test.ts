import { expect, test } from 'vitest';
import { watermarkOf, withWatermark } from '#core/paint/watermark.ts';

for (const [width, height] of [
  [1200, 630],
  [100, 60],
  [16, 16],
  [600, 16_000],
] as const) {
  test(`lines of words lie within ${width} × ${height} px, across it`, () => {
    const { path, tops } = watermarkOf({ width, height });
    const xs = path.flatMap((segment) => (segment[0] === 'Z' ? [] : [Number(segment[1])]));
    const ys = path.flatMap((segment) => (segment[0] === 'Z' ? [] : [Number(segment[2])]));
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xs)).toBeLessThanOrEqual(width);
    expect([...xs].some((x) => x < width / 2) && xs.some((x) => x > width / 2)).toBe(true);
    expect(tops.length).toBe(Math.max(1, Math.round(height / 800)));
    for (const top of tops) expect([top > 0, top + Math.max(...ys) < height]).toEqual([true, true]);
  });
}

test('is above all else', () => {
  const link = { kind: 'link', rect: { x: 0, y: 0, width: 1, height: 1 }, href: 'https://x.example' } as const;
  expect(withWatermark({ width: 100, height: 50, ops: [link] }).ops.map(({ kind }) => kind)).toEqual([
    'link',
    'stroke',
    'stroke',
  ]);
});
