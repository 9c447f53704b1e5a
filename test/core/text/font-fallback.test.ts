// Tests which face draws which grapheme cluster.

import { expect, test } from 'vitest';
import { FontFallback } from '#core/text/font-fallback.ts';
import { graphemeBoundaries } from '#core/text/graphemes.ts';
import { type FaceName, layOut, match, query, style, textNode } from './faces.ts';

function check(text: string, families: readonly FaceName[], expected: string, emoji = false): void {
  const boundaries = new Uint8Array(text.length + 1);
  for (const boundary of graphemeBoundaries(text)) boundaries[boundary] = 1;
  const chain = families.map((name) => match(name));
  const runs = new FontFallback(chain).choose(text, 0, text.length, boundaries, emoji);
  expect(runs.map(({ start, end, match: { face } }) => `${text.slice(start, end)}=${face.key}`).join(' ')).toBe(
    expected,
  );
}

test('the first face that has a character draws it', () =>
  check('aあb', ['inter', 'japanese'], 'a=inter あ=japanese b=inter'));
test('spaces come from the first face, as in CSS', () =>
  check('あ い', ['inter', 'japanese'], 'あ=japanese  =inter い=japanese'));
test('a mark stays with its letter', () => check('xe\u0323', ['inter', 'noto-sans'], 'xe\u0323=inter'));
test('a cluster goes whole to the face that has all of it', () =>
  check('ax\u0951b', ['inter', 'noto-sans'], 'a=inter x\u0951=noto-sans b=inter'));
test('a composed form covers a decomposed one', () => check('か\u3099', ['inter', 'japanese'], 'か\u3099=japanese'));
test('a cluster that no face has whole is torn, so that nothing is missing', () =>
  check('あ\u0951', ['japanese', 'devanagari'], 'あ=japanese \u0951=devanagari'));
test('what no face has stays with the first', () => check('a\u{10380}b', ['inter', 'noto-sans'], 'a\u{10380}b=inter'));
test('joiners take the face of what they follow', () =>
  check('あ\u200dい\u200b', ['inter', 'japanese'], 'あ\u200dい\u200b=japanese'));
test('invisible characters at the start take the face of what comes', () =>
  check('\u200f\u2067あ', ['inter', 'japanese'], '\u200f\u2067あ=japanese'));
test('nothing but invisible characters needs no fallback', () =>
  check('\u200d\n\u200b', ['inter', 'japanese'], '\u200d\n\u200b=inter'));
test('emoji presentation prefers a colour face', () => check('❤\ufe0f', ['symbols', 'emoji'], '❤\ufe0f=emoji', true));
test('an emoji comes from a family that the style names, but not where it is asked for by U+FE0F', () =>
  check('⚡⚡\ufe0f', ['symbols', 'emoji'], '⚡=symbols ⚡\ufe0f=emoji', true));
test('an emoji that no named family has comes from a colour face first', () => {
  const chain = [match('inter'), { ...match('symbols'), isFallback: true }, { ...match('emoji'), isFallback: true }];
  const [run] = new FontFallback(chain).choose('⚡', 0, 1, Uint8Array.of(1, 1), true);
  expect(run?.match.face.key).toBe('emoji');
});
test('text presentation prefers a face without colour', () =>
  check('❤\ufe0e', ['emoji', 'symbols'], '❤\ufe0e=symbols'));
test('a colour face is better than none', () => check('😀', ['inter', 'emoji'], '😀=emoji'));
test('a face without colour is better than none', () =>
  check('☂\ufe0f', ['inter', 'symbols'], '☂\ufe0f=symbols', true));

/** Checks the runs of a laid-out line as `text=face`, and the characters that no face has. */
function checkLine(text: string, families: FaceName[], expected: string, missing: string[] = []): void {
  const node = textNode([{ text, style: style({ font: query(...families) }), link: null, counter: null, image: null }]);
  const paragraph = layOut(node, null);
  const runs = paragraph.lines.flatMap((line) => line.runs.map(({ run }) => `${run.text}=${run.face}`));
  expect(runs.join(' ')).toBe(expected);
  expect(paragraph.missing).toEqual(missing);
}
const ALL: FaceName[] = ['inter', 'symbols', 'emoji'];
test('a family is one glyph', () => checkLine('👨‍👩‍👧‍👦', ALL, '👨‍👩‍👧‍👦=emoji'));
test('flags, skin tones, keycaps, tags', () => {
  for (const text of ['🇫🇷', '👍🏽', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏳️‍🌈', '🤷🏾‍♀️', '❤️‍🔥']) checkLine(text, ALL, `${text}=emoji`);
});
test('digits and © are text', () => checkLine('© 2026 #1', ALL, '© 2026 #1=inter'));
test('a heart is text until it asks to be emoji', () => checkLine('❤ ❤️', ALL, '❤ =inter ❤️=emoji'));
test('each of these is one glyph wide', () => {
  for (const text of ['👨‍👩‍👧‍👦', '🇫🇷', '👍🏽', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🤷🏾‍♀️']) {
    const node = textNode([{ text, style: style({ font: query(...ALL) }), link: null, counter: null, image: null }]);
    const glyphs = layOut(node, null).lines.flatMap((line) => line.runs.flatMap(({ run }) => run.glyphs));
    expect(glyphs.filter(({ advance }) => advance > 0)).toHaveLength(1);
  }
});
test('missing graphemes are named once', () =>
  checkLine('\u{10380}\u{10380}', ['inter'], '\u{10380}\u{10380}=inter', ['\u{10380}']));
test('a space that a face lacks is not missing', () =>
  checkLine('a\u2009b\u3000c', ['inter'], 'a\u2009b\u3000c=inter'));
test('control characters draw nothing and are not missing', () => {
  checkLine('a\u0007b', ['inter'], 'a\u0007b=inter');
  const node = textNode('ab');
  expect(layOut(textNode('a\u0007b'), null).size.width).toBeCloseTo(layOut(node, null).size.width, 6);
});
