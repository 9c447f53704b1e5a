// Tests that glyphs in a PDF leave no outlines in the memory of their face.

import { expect, test } from 'vitest';
import { sourceOf } from '#draw/output/pdf/font-source.ts';
import { face } from './shaping.ts';

test('embedded glyphs keep their bytes, not their outlines', () => {
  const noto = face('noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf', 'Noto Sans SC');
  const before = noto.memory;
  const source = sourceOf(noto);
  let points = 0;
  for (let id = 1_000; id < 3_000; id += 1) points += source.plain(id).quadratic?.points ?? 0;
  expect(points).toBeGreaterThan(50_000);
  expect(noto.memory - before).toBe(0);
  noto.outline(1_000);
  expect(noto.memory - before).toBeGreaterThan(1_000);
});
