import { expect, test } from 'vitest';
import { isDegenerate, segments } from '#draw/output/pdf/brush.ts';
import { rgb } from './page.ts';

/** Stops are written `offset:red`, stretches `from(red)–to(red)`. */
function check(stops: string, expected: string): void {
  const list = stops.split(' ').map((stop) => {
    const [offset = 0, red = 0] = stop.split(':').map(Number);
    return { offset, color: rgb(red, 0, 0) };
  });
  const found = segments(list).map(({ from, to, start, end }) => `${from}(${start.r})–${to}(${end.r})`);
  expect(found.join(' ')).toBe(expected);
}

test('two stops are one stretch', () => check('0:10 1:20', '0(10)–1(20)'));
test('what comes before the first and after the last stop is even', () =>
  check('0.25:10 0.75:20', '0(10)–0.25(10) 0.25(10)–0.75(20) 0.75(20)–1(20)'));
test('a hard stop ends one stretch and begins another', () =>
  check('0:10 0.5:20 0.5:30 1:40', '0(10)–0.5(20) 0.5(30)–1(40)'));
test('a hard stop at an end keeps the colour beyond it', () => {
  check('0:10 0:20 1:30', '-0.00001(10)–0(10) 0(20)–1(30)');
  check('0:10 1:20 1:30', '0(10)–1(20) 1(30)–1.00001(30)');
});
test('one stop is one colour', () => check('0.5:10', '0(10)–0.5(10) 0.5(10)–1(10)'));

test('a line of no length and an ellipse of no area have no gradient', () => {
  const at = { x: 1, y: 2 };
  expect(isDegenerate({ kind: 'linear', from: at, to: at, stops: [] })).toBe(true);
  expect(isDegenerate({ kind: 'radial', transform: [0, 0, 0, 5, 1, 2], stops: [] })).toBe(true);
  expect(isDegenerate({ kind: 'radial', transform: [5, 0, 0, 5, 1, 2], stops: [] })).toBe(false);
});
