// Tests what fields know of a template's brand: what a text sets although its style does, and names that there are not.

import { expect, test } from 'vitest';
import { overrides, unknownName } from '../../../../src/studio/editor/core/state/brand-names.ts';

const brand = {
  ...{ colors: { ink: '#111111' }, fonts: {}, images: {}, numbers: {} },
  textStyles: { headline: { fontFamily: ['Inter', 'Noto Sans Arabic'], fontWeight: 800, fontSize: 140 } },
};

test('a text differs from its style by what both set to different values', () => {
  const text = { textStyle: '$headline', fontSize: 120, fontWeight: 800, color: '#ff0000' };
  expect(overrides(text, brand)).toEqual(['fontSize']);
  expect(overrides({ ...text, fontFamily: ['Inter', 'Noto Sans Arabic'] }, brand)).toEqual(['fontSize']);
  expect(overrides({ fontSize: 120 }, brand)).toEqual([]);
  expect(overrides(text, undefined)).toEqual([]);
});

test('a name is unknown to a brand, or without one, but not while the brand is loaded', () => {
  expect(unknownName('$ink', brand, 'colors')).toBeNull();
  expect(unknownName('$inc', brand, 'colors')).toContain('$ink');
  expect(unknownName('$ink', null, 'colors')).not.toBeNull();
  expect(unknownName('$ink', undefined, 'colors')).toBeNull();
});
