// Tests a brand while it is edited: rows, names, and how text styles follow colours and fonts.

import { expect, test } from 'vitest';
import { Brand, parseBrand } from '#design/brand.ts';
import {
  added,
  brandName,
  changed,
  documentOf,
  draftOf,
  problems,
  removed,
  renamed,
  valueIn,
} from '../../src/studio/pages/brands/brand-draft.ts';

const STORED = parseBrand({
  colors: { primary: '#1d4ed8', paper: '#ffffff' },
  fonts: { display: 'Inter' },
  textStyles: { headline: { fontFamily: '$display', fontSize: 64, color: '$primary' }, odd: { color: '#123456' } },
  numbers: { radius: 12 },
});
const DRAFT = draftOf(STORED);
const styleIn = (draft: typeof DRAFT, at = 0) => draft.textStyles[at]?.value;
const keyOf = (draft: typeof DRAFT, name: string) =>
  Object.values(draft)
    .flat()
    .find((entry) => entry.name === name)?.key ?? Number.NaN;

test('a brand that is saved unchanged is the same brand', () => {
  expect(parseBrand(documentOf(DRAFT))).toEqual(STORED);
  expect(documentOf(draftOf(Brand.parse({})))).toEqual({
    ...{ colors: {}, textStyles: {}, fonts: {}, images: {}, numbers: {} },
  });
});

test('a text style shows colours and fonts of the brand by name, and follows them', () => {
  expect(styleIn(DRAFT)).toEqual({ fontFamily: '$display', fontSize: 64, color: '$primary' });
  expect(styleIn(DRAFT, 1)).toEqual({ color: '#123456' });
  const next = changed(DRAFT, 'colors', keyOf(DRAFT, 'primary'), '#ff0000');
  expect(parseBrand(documentOf(next)).textStyles.headline).toMatchObject({ color: '#ff0000' });
  expect(valueIn(next, '$primary')).toBe('#ff0000');
  expect(valueIn(next, '$nothing')).toBe(undefined);
});

test('a renamed entry keeps its row and is renamed in text styles', () => {
  const next = renamed(DRAFT, 'colors', keyOf(DRAFT, 'primary'), 'brand');
  expect(next.colors.map(({ name }) => name)).toEqual(['brand', 'paper']);
  expect(styleIn(next)).toMatchObject({ color: '$brand' });
  expect(problems(next).size).toBe(0);
});

test('what cannot be saved is said at its row', () => {
  const twice = renamed(DRAFT, 'numbers', keyOf(DRAFT, 'radius'), 'primary');
  expect([...problems(twice).values()]).toEqual(['Another entry of the brand is called “primary”.']);
  const bad = renamed(DRAFT, 'numbers', keyOf(DRAFT, 'radius'), '1st');
  expect([...problems(bad).values()]).toEqual(['A letter first, then letters, digits, “_” and “-”; at most 60.']);
  const gone = removed(added(DRAFT, 'colors', 'primory', '#000'), 'colors', keyOf(DRAFT, 'primary'));
  expect([...problems(gone).values()]).toEqual(['The brand has no "$primary"; did you mean "$primory"?']);
});

test('a new entry has the first free name', () => {
  const next = added(added(DRAFT, 'colors', 'primary', '#000'), 'numbers', 'primary', 4);
  expect(next.colors.at(-1)?.name).toBe('primary-2');
  expect(next.numbers.at(-1)?.name).toBe('primary-3');
  expect(new Set(Object.values(next).flatMap((entries) => entries.map(({ key }) => key))).size).toBe(8);
});

test('a name as it stands in addresses', () => {
  expect(brandName('  Harbour Coffee & Söhne! ')).toBe('harbour-coffee-sohne');
  expect(brandName('漢字')).toBe('');
});
