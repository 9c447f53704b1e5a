// Tests the glyph runs of a line: their order and text, and the effect of spacing, ligatures and hyphens on them.

import { expect, test } from 'vitest';
import type { CharacterStyle } from '#core/resolve/scene.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { layOutText, prepareText } from '#core/text/lay-out-text.ts';
import type { Line } from '#core/text/paragraph.ts';
import { layOut, match, query, style, textNode } from './faces.ts';

const UNDERLINE = { line: 'underline', fill: null, thickness: null } as const;

const font = query('inter', 'hebrew', 'arabic');

function line(text: string, more: Partial<CharacterStyle> = {}, width: number | null = null): Line {
  const [first] = layOut(
    textNode([{ text, style: style({ font, ...more }), link: null, counter: null, image: null }]),
    width,
  ).lines;
  if (!first) throw new Error('A paragraph has a line.');
  return first;
}
/** The runs from left to right. */
const shown = ({ runs }: Line) => runs.map(({ run }) => run.text);
const widthOf = (text: string, more: Partial<CharacterStyle> = {}) => line(text, more).box.width;

function checkOrder(text: string, expected: string[]): void {
  expect(shown(line(text))).toEqual(expected);
}
test('a Hebrew word in English', () => checkOrder('say שלום now', ['say ', 'שלום', ' now']));
test('an English word in Hebrew', () => checkOrder('אבג Hi דהו', ['דהו', ' ', 'Hi', ' ', 'אבג']));
test('digits in Hebrew run left to right', () => {
  const { runs } = line('אבג 123');
  expect(runs.map(({ run }) => `${run.text} ${run.direction}`)).toEqual(['123 ltr', '  rtl', 'אבג rtl']);
});
test('brackets are mirrored in right-to-left text', () => {
  const glyph = (text: string) => line(text).runs.flatMap(({ run }) => run.glyphs.map(({ id }) => id));
  expect(glyph('א(')[0]).toBe(glyph('a)').at(-1));
});

test('glyphs of a right-to-left run are placed from left to right', () => {
  const [run] = line('שלום').runs;
  expect(run?.run.glyphs.map(({ cluster }) => cluster)).toEqual([3, 2, 1, 0]);
  const xs = run?.run.glyphs.map(({ x }) => x) ?? [];
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
});

test('letter spacing follows each cluster but the last', () =>
  expect(widthOf('abc', { letterSpacing: 5 })).toBeCloseTo(widthOf('abc') + 10, 6));
test('letter spacing does not push a centred line to the left', () => {
  const node = textNode(
    [{ text: 'abc', style: style({ letterSpacing: 20 }), link: null, counter: null, image: null }],
    {
      align: 'center',
    },
  );
  const [centred] = layOut(node, 200).lines;
  expect(centred?.box.x).toBeCloseTo((200 - widthOf('abc') - 40) / 2, 6);
});
test('a line breaks as if nothing followed its last letter', () => {
  const node = textNode([
    { text: 'abc abc', style: style({ letterSpacing: 20 }), link: null, counter: null, image: null },
  ]);
  expect(layOut(node, widthOf('abc') + 40).lines).toHaveLength(2);
});
test('letter spacing in Hebrew stands left of each letter', () => {
  const glyphs = line('אב', { letterSpacing: 10 }).runs[0]?.run.glyphs ?? [];
  const natural = line('אב').runs[0]?.run.glyphs ?? [];
  expect(glyphs.map(({ x }, i) => Math.round(x - (natural[i]?.x ?? 0)))).toEqual([0, 10]);
});
test('letter spacing ends ligatures', () => {
  const serif = { font: query('serif') };
  const count = (more: Partial<CharacterStyle>) => line('ffi', { ...serif, ...more }).runs[0]?.run.glyphs.length;
  expect([count({}), count({ letterSpacing: 1 }), count({ letterSpacing: 1, features: { liga: 1 } })]).toEqual([
    1, 3, 1,
  ]);
});
test('letter spacing leaves joined letters together', () =>
  expect(widthOf('مرحبا', { letterSpacing: 5 })).toBeCloseTo(widthOf('مرحبا'), 6));
test('letter spacing skips what is invisible', () =>
  expect(widthOf('a\u200bb', { letterSpacing: 5 })).toBeCloseTo(widthOf('ab', { letterSpacing: 5 }), 6));
test('word spacing follows each space', () =>
  expect(widthOf('a b\u00a0c', { wordSpacing: 7 })).toBeCloseTo(widthOf('a b\u00a0c') + 14, 6));

test('a colour does not break kerning', () => {
  const plain = style();
  const spans = ['A', 'V'].map((text, i) => ({
    text,
    style: { ...plain, decorations: i ? [UNDERLINE] : [] } as const,
    link: null,
    counter: null,
    image: null,
  }));
  const { lines } = layOut(textNode(spans), null);
  expect(lines[0]?.box.width).toBeCloseTo(widthOf('AV'), 6);
  expect(lines[0]?.runs.map(({ span, run }) => `${span} ${run.text}`)).toEqual(['0 A', '1 V']);
});
test('a ligature across two colours belongs to the first', () => {
  const serif = style({ font: query('serif') });
  const spans = ['f', 'i'].map((text, i) => ({
    text,
    style: { ...serif, decorations: i ? [UNDERLINE] : [] } as const,
    link: null,
    counter: null,
    image: null,
  }));
  const runs = layOut(textNode(spans), null).lines[0]?.runs ?? [];
  expect(runs.map(({ run }) => `${run.text} ${run.glyphs.length}`)).toEqual(['fi 1']);
});
test('a size breaks shaping', () => {
  const spans = ['A', 'V'].map((text, i) => ({
    text,
    style: style({ fontSize: 16 + i }),
    link: null,
    counter: null,
    image: null,
  }));
  const { lines } = layOut(textNode(spans), null);
  expect(lines[0]?.box.width).toBeCloseTo(widthOf('A') + widthOf('V', { fontSize: 17 }), 6);
});

test('a soft hyphen shows where the line ends at it', () => {
  const { lines } = layOut(textNode('Donau\u00addampf\u00adschiff'), 100);
  expect(lines.map(shown)).toEqual([['Donau\u00ad', '\u00ad'], ['dampf\u00adschiff']]);
  expect(lines[0]?.ellipsized).toBe(false);
});
test('a soft hyphen elsewhere takes no room', () => expect(widthOf('Do\u00adnau')).toBeCloseTo(widthOf('Donau'), 6));

test('a ligature that a line break cuts is shaped anew on both sides', () => {
  const node = textNode([
    { text: 'ffiffi', style: style({ font: query('serif'), fontSize: 24 }), link: null, counter: null, image: null },
  ]);
  const { lines } = layOut(node, 34);
  expect(lines.map(shown)).toEqual([['ffif'], ['fi']]);
  expect(lines.map((each) => each.runs[0]?.run.glyphs.length)).toEqual([2, 1]);
});
test('letters that a line break parts stay joined', () => {
  const word = 'بببببببب';
  const node = textNode([
    { text: word, style: style({ font: query('arabic') }), link: null, counter: null, image: null },
  ]);
  const { lines } = layOut(node, 30);
  expect(lines.length).toBeGreaterThan(1);
  const whole = layOut(node, null).lines[0]?.runs[0]?.run.glyphs.map(({ id }) => id);
  // Right-to-left text: the first line has the last glyphs of the unbroken run.
  expect(lines.toReversed().flatMap((each) => each.runs[0]?.run.glyphs.map(({ id }) => id))).toEqual(whole);
});
test.each(['\n', '\u2028'])('letters do not join across %j', (separator) => {
  const glyphs = (text: string) =>
    layOut(textNode([{ text, style: style({ font }), link: null, counter: null, image: null }]), null).lines.map(
      (each) => each.runs.flatMap(({ run }) => run.glyphs.map(({ id }) => id)),
    );
  const [word] = glyphs('بب');
  expect(glyphs(`بب${separator}بب`)).toEqual([word, word]);
});

test('tabs end at stops eight spaces apart', () => {
  const space = widthOf('a a') - widthOf('aa');
  const { lines } = layOut(textNode('a\tb\nabc\tb'), null);
  const ends = lines.map((each) => each.box.width - widthOf('b'));
  expect(ends[0]).toBeCloseTo(8 * space, 4);
  expect(ends[1]).toBeCloseTo(8 * space, 4);
});

test('a face that is slanted says by how much', () => {
  const slanted = { families: ['slanted'], weight: 400, style: 'italic', variations: {}, lang: null } as const;
  const fonts = new FontSet(new Map([[fontQueryKey(slanted), [match('inter', 0.25)]]]));
  const node = textNode([{ text: 'a', style: style({ font: slanted }), link: null, counter: null, image: null }]);
  expect(layOutText(prepareText(node, fonts), null, null).lines[0]?.runs[0]?.run.slant).toBe(0.25);
});
