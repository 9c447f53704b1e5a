// Tests how the growth of layout cost is estimated, on costs whose exponent is known.

import { expect, test } from 'vitest';
import { growthExponent } from '../../bench/layout.ts';

const points = (cost: (size: number) => number) => [100, 1000, 10_000].map((size) => ({ size, fastest: cost(size) }));

test('in proportion', () => expect(growthExponent(points((n) => 3 * n))).toBeCloseTo(1));
test('by the square', () => expect(growthExponent(points((n) => n * n))).toBeCloseTo(2));
test('not at all', () => expect(growthExponent(points(() => 5))).toBeCloseTo(0));
