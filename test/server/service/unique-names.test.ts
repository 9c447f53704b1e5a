// Tests the names of files in an archive.

import { expect, test } from 'vitest';
import { uniqueNames } from '#server/service/jobs/zip.ts';

test('a repeated name gets the next free number, whatever its case', () => {
  expect(uniqueNames(['a', 'A', 'a-2', 'a', 'b'])).toEqual(['a', 'A-2', 'a-2-2', 'a-3', 'b']);
});

test('ten thousand equal names are numbered in one pass', () => {
  let lookUps = 0;
  const { has } = Set.prototype;
  Set.prototype.has = function (value) {
    lookUps += 1;
    return has.call(this, value);
  };
  try {
    expect(uniqueNames(Array<string>(10_000).fill('x')).at(-1)).toBe('x-10000');
  } finally {
    Set.prototype.has = has;
  }
  expect(lookUps).toBeLessThan(30_000);
});
