import { expect, test } from 'vitest';
import { sink } from '#output/raster/retained/order.ts';

/** Pieces as `name:left-right`, those that belong below in capitals. */
function check(pieces: string, expected: string): void {
  const list = pieces.split(' ').map((piece) => {
    const [, name = '', left, right] = /^(\w):(\d+)-(\d+)$/.exec(piece) ?? [];
    return { name, area: { x: Number(left), y: 0, width: Number(right) - Number(left), height: 1 } };
  });
  const { below, above } = sink(list, ({ name }) => name === name.toUpperCase());
  const show = (part: typeof below) => part.map(({ name }) => name).join('');
  expect(`${show(below)}/${show(above)}`).toBe(expected);
}

test('what lies apart sinks', () => check('A:0-9 b:0-4 C:5-9', 'AC/b'));
test('what lies over something that moves stays over it', () => check('A:0-9 b:0-5 C:4-9', 'A/bC'));
test('and so does what lies over that', () => check('b:0-2 C:1-5 D:4-9 E:9-12', 'E/bCD'));
test('edges that meet share no pixel', () => check('b:0-4 C:4-8', 'C/b'));
test('the order within both stays', () => check('A:0-9 B:0-9 c:0-9 d:0-9', 'AB/cd'));
