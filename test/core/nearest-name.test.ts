import { expect, test } from 'vitest';
import { nearestName } from '../../src/core/nearest-name.ts';

function check(name: string, expected: string | null): void {
  expect(nearestName(name, ['title', 'subtitle', 'photo', 'logo'])).toBe(expected);
}

test('a slip of one letter', () => check('titel', 'title'));
test('another case', () => check('Title', 'title'));
test('a missing letter', () => check('subtitl', 'subtitle'));
test('nothing alike', () => check('headline', null));
test('a short name needs a near one', () => check('lo', null));
