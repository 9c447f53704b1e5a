// Lays the fixtures of taffy and yoga out, as layers of templates, and compares each box with Chromium's recorded one.

import { describe, expect, test } from 'vitest';
import { INTENDED, NOT_EXPRESSIBLE } from './intended.ts';
import { compareLayouts } from './layout-suite.ts';
import { readRecorded, recordedFont } from './recorded.ts';

/** The least fixtures that are equal, and the most that no template can express. */
const BOUNDS = { taffy: { equal: 1_110, notExpressible: 400 }, yoga: { equal: 494, notExpressible: 100 } };

for (const [name, bounds] of Object.entries(BOUNDS)) {
  describe(name, () => {
    const recorded = readRecorded(name);
    const { equal, different } = compareLayouts(recorded, recordedFont());
    const listed = (INTENDED[name] ?? []).flatMap(({ fixtures }) => fixtures);

    test('every box is where Chromium puts it, but in the fixtures that are listed with a reason', () => {
      const others = [...different].filter(([fixture]) => !listed.includes(fixture));
      expect(Object.fromEntries(others)).toEqual({});
      expect(equal.length).toBeGreaterThanOrEqual(bounds.equal);
    });

    test('what is listed as different still is', () =>
      expect([...different.keys()].sort()).toEqual([...listed].sort()));

    test('few fixtures cannot be written as layers, each for a listed reason', () => {
      const causes = Object.entries(recorded.notExpressible);
      expect(causes.filter(([cause]) => !NOT_EXPRESSIBLE.some(({ causes }) => causes.test(cause)))).toEqual([]);
      expect(causes.flatMap(([, fixtures]) => fixtures).length).toBeLessThanOrEqual(bounds.notExpressible);
    });
  });
}
