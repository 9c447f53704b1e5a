import { expect, test } from 'vitest';
import type { PathData } from '#core/path.ts';
import { charstring, integer } from '#draw/output/pdf/charstring.ts';
import { ARABIC, INTER, NOTO } from './shaping.ts';

const OPERATORS: Readonly<Record<number, string>> = {
  4: 'vmoveto',
  5: 'rlineto',
  6: 'hlineto',
  7: 'vlineto',
  8: 'rrcurveto',
  14: 'endchar',
  21: 'rmoveto',
  22: 'hmoveto',
  26: 'vvcurveto',
  27: 'hhcurveto',
  30: 'vhcurveto',
  31: 'hvcurveto',
};

/** Decodes a charstring (Technical Note 5177). */
function listing(bytes: Uint8Array): string {
  const words: (string | number)[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const b = bytes[i] ?? 0;
    const next = () => bytes[++i] ?? 0;
    if (b >= 251) words.push(-(b - 251) * 256 - next() - 108);
    else if (b >= 247) words.push((b - 247) * 256 + next() + 108);
    else if (b >= 32) words.push(b - 139);
    else if (b === 28) words.push(((next() << 24) >> 16) | next());
    else words.push(OPERATORS[b] ?? `?${b}`);
  }
  return words.join(' ');
}

function check(outline: PathData, expected: string): void {
  expect(listing(charstring(600, outline))).toBe(expected);
}

test('a blank has its width alone', () => check([], '600 endchar'));
test('points are relative to the one before', () =>
  check(
    [['M', 100, 200], ['L', 150, 210], ['L', 140, 100], ['C', 140, 90, 130, 80, 120, 70], ['Z']],
    '600 100 200 rmoveto 50 10 -10 -110 rlineto 0 -10 -10 -10 -10 -10 rrcurveto endchar',
  ));
test('a step along an axis is one number', () =>
  check([['M', 100, 0], ['L', 100, 50], ['M', 100, 80], ['Z']], '600 100 hmoveto 50 vlineto 30 vmoveto endchar'));
test('lines that turn at right angles share an operator', () =>
  check([['M', 9, 9], ['L', 29, 9], ['L', 29, 39], ['L', 24, 39], ['Z']], '600 9 9 rmoveto 20 30 -5 hlineto endchar'));
test('the line that closes a contour goes without saying', () => {
  const corner = [
    ['M', 9, 9],
    ['L', 29, 9],
    ['L', 29, 39],
  ] as const;
  check([...corner, ['L', 9, 9], ['Z']], '600 9 9 rmoveto 20 30 hlineto endchar');
  check(
    [...corner, ['L', 9, 9], ['L', 9, 0], ['Z']],
    '600 9 9 rmoveto 20 30 hlineto -20 -30 rlineto -9 vlineto endchar',
  );
});
test('the contour after it is reached from the last point that was named', () =>
  check(
    [['M', 9, 9], ['L', 29, 9], ['L', 29, 39], ['L', 9, 9], ['Z'], ['M', 10, 10], ['L', 12, 13], ['Z']],
    '600 9 9 rmoveto 20 30 hlineto -19 -29 rmoveto 2 3 rlineto endchar',
  ));
test('curves between extremes share an operator', () =>
  check(
    [['M', 0, 9], ['C', 4, 9, 7, 6, 7, 2], ['C', 7, -3, 5, -5, 0, -5], ['C', 3, -5, 5, -7, 6, -9], ['Z']],
    '600 9 vmoveto 4 3 -3 -4 -5 -2 -2 -5 hvcurveto 3 0 2 -2 1 -2 rrcurveto endchar',
  ));
test('curves that end as they start share an operator of their own', () => {
  const [level, upright] = ['hhcurveto', 'vvcurveto'];
  check(
    [
      ['M', 0, 9],
      ['C', 4, 9, 6, 7, 9, 7],
      ['C', 9, 7, 6, 6, 4, 6],
    ],
    `600 9 vmoveto 4 2 -2 3 0 -3 -1 -2 ${level} endchar`,
  );
  check(
    [
      ['M', 9, 0],
      ['C', 9, 4, 7, 6, 7, 9],
    ],
    `600 9 hmoveto 4 -2 2 3 ${upright} endchar`,
  );
});
test('rounding does not add up', () => {
  const steps = Array.from({ length: 5 }, (_, i) => ['L', (i + 1) * 0.4, (i + 1) * 1.4] as const);
  check([['M', 0, 0], ...steps], '600 0 hmoveto 1 vlineto 1 2 rlineto 1 vlineto 1 2 rlineto 1 vlineto endchar');
});
test('no more arguments are stacked than an interpreter holds', () => {
  const lines = Array.from({ length: 30 }, (_, i) => ['L', i, i] as const);
  const text = listing(charstring(0, [['M', 0, 0], ...lines]));
  for (const words of text.split(/ ?[a-z]+ ?/)) expect(words.split(' ').length).toBeLessThanOrEqual(48);
  expect(text.match(/rlineto/g)).toHaveLength(2);
});
test('every number comes back', () => {
  for (let value = -33_000; value <= 33_000; value += 7) {
    const kept = Math.min(32_767, Math.max(-32_768, value));
    expect(listing(Uint8Array.from(integer(value)))).toBe(String(kept));
  }
});

/** Draws a listing as an interpreter does (Technical Note 5177, 4.1). */
function drawn(text: string): string[] {
  const path: string[] = [];
  let [x, y] = [0, 0];
  const step = (dx: number, dy: number) => {
    x += dx;
    y += dy;
    return `${x},${y}`;
  };
  // The first number is the glyph's width.
  for (const [, operands = '', operator = ''] of text.replace(/^\S+ /, '').matchAll(/((?:-?\d+ )*)([a-z]+)/g)) {
    const numbers = (operands.match(/-?\d+/g) ?? []).map(Number);
    const next = () => numbers.shift() ?? Number.NaN;
    const along = (isLevel: boolean) => (isLevel ? step(next(), 0) : step(0, next()));
    let isLevel = operator.startsWith('h');
    while (numbers.length > 0) {
      if (operator === 'rmoveto') path.push(`M ${step(next(), next())}`);
      else if (operator.endsWith('moveto')) path.push(`M ${along(isLevel)}`);
      else if (operator === 'rlineto') path.push(`L ${step(next(), next())}`);
      else if (operator.endsWith('lineto')) path.push(`L ${along(isLevel)}`);
      else if (operator === 'rrcurveto') {
        path.push(`C ${step(next(), next())} ${step(next(), next())} ${step(next(), next())}`);
      } else {
        const turns = operator === 'hvcurveto' || operator === 'vhcurveto';
        path.push(`C ${along(isLevel)} ${step(next(), next())} ${along(isLevel !== turns)}`);
        if (!turns) continue;
      }
      isLevel = !isLevel;
    }
  }
  return closed(path);
}

/** An outline with coordinates rounded to integers. */
function rounded(outline: PathData): string[] {
  const point = (x: number, y: number) => `${Math.round(x) + 0},${Math.round(y) + 0}`;
  const path: string[] = [];
  for (const segment of outline) {
    if (segment[0] === 'C') {
      const [, x1, y1, x2, y2, x, y] = segment;
      path.push(`C ${point(x1, y1)} ${point(x2, y2)} ${point(x, y)}`);
    } else if (segment[0] !== 'Z') path.push(`${segment[0]} ${point(segment[1], segment[2])}`);
  }
  return closed(path);
}

/** Adds to each contour the line back to its start. */
function closed(path: readonly string[]): string[] {
  const end = (segment: string | undefined) => segment?.split(' ').at(-1);
  let start: string | undefined;
  return [...path, 'M'].flatMap((segment, i) => {
    if (!segment.startsWith('M')) return [segment];
    const back = i > 0 && end(path[i - 1]) !== start ? [`L ${start}`] : [];
    start = end(segment);
    return i < path.length ? [...back, segment] : back;
  });
}

test.each([INTER, NOTO, ARABIC])('an interpreter draws what the font has: $file.family', (face) => {
  for (let id = 0; id < Math.min(400, face.glyphCount); id++) {
    const outline = face.outline(id);
    expect(drawn(listing(charstring(face.advance(id), outline)))).toEqual(rounded(outline));
  }
});
