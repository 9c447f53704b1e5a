import { expect, test } from 'vitest';
import { Sightings } from '#output/raster/retained/sightings.ts';

test('counts what it saw before', () => {
  const sightings = new Sightings();
  expect(['a', 'b', 'a', 1, 'a', 1].map((key) => sightings.see(key))).toEqual([0, 0, 1, 0, 2, 1]);
});

test('what is asked about now and then is remembered, what is not is forgotten', () => {
  const sightings = new Sightings();
  sightings.see('once');
  for (let i = 0; i < 50_000; i++) {
    sightings.see(i);
    if (i % 1000 === 0) sightings.see('often');
  }
  expect(sightings.see('often')).toBe(50);
  expect(sightings.see('once')).toBe(0);
});
