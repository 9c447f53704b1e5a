// Tests small capitals that the face does not have: capitals of a smaller size, of the letters that are none.

import { expect, test } from 'vitest';
import { face, layOut, style, textNode } from './faces.ts';

const runsOf = (text: string, features: Readonly<Record<string, number>>) =>
  layOut(textNode([{ text, style: style({ fontSize: 20, features }), link: null, counter: null, image: null }]), null)
    .lines.flatMap(({ runs }) => runs)
    .map(({ run }) => `${run.text} ${run.fontSize}: ${run.glyphs.map(({ id }) => id)}`);

const ids = (text: string) => Array.from(text, (letter) => face('inter').glyph(letter.codePointAt(0) ?? 0));

test('letters are capitals of 0.7 times the size, and their text stays as it is', () => {
  expect(face('inter').hasFeature('smcp')).toBe(false);
  expect(face('inter').hasFeature('kern') || face('inter').hasFeature('calt')).toBe(true);
  expect(runsOf('Ab 1', { smcp: 1 })).toEqual([`A 20: ${ids('A')}`, `b 14: ${ids('B')}`, ` 1 20: ${ids(' 1')}`]);
  expect(runsOf('Ab', { pcap: 1 })).toEqual([`A 20: ${ids('A')}`, `b 14: ${ids('B')}`]);
});

test('all letters are small where capitals are to be, too', () => {
  expect(runsOf('Ab', { smcp: 1, c2sc: 1 })).toEqual([`Ab 14: ${ids('AB')}`]);
});

test('of letters of one case, capitals are the small ones', () => {
  expect(runsOf('Ab', { unic: 1 })).toEqual([`A 14: ${ids('A')}`, `b 20: ${ids('b')}`]);
});

test('what is longer in capitals stays as it is', () => {
  expect(runsOf('ß', { smcp: 1 })[0]).toMatch(/^ß/);
});

test('tabs end at multiples of `tabSize`, spaces or px', () => {
  const end = (tabSize?: { readonly kind: 'spaces' | 'px'; readonly value: number }) =>
    layOut(
      textNode([{ text: 'a\tb', style: style({ fontSize: 20 }), link: null, counter: null, image: null }], { tabSize }),
      null,
    ).lines[0]?.runs.at(-1);
  const widths = [undefined, { kind: 'px', value: 100 } as const, { kind: 'spaces', value: 4 } as const].map((size) => {
    const { run, x = 0 } = end(size) ?? {};
    const last = run?.glyphs.at(-1);
    return x + (last?.x ?? 0);
  });
  const [eight = 0, px, four = 0] = widths;
  expect(px).toBeCloseTo(100);
  expect(four).toBeCloseTo(eight / 2);
});
