// Compares tables with Chromium's recorded ones: each cell must be within a pixel of where the browser put it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layOut } from '#core/layout/layout.ts';
import { TableBox } from '#core/layout/table-box.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { resources } from '../../scene-nodes.ts';
import { fontSet, hasFont, query, style } from '../../text/faces.ts';
import { FIXTURES, type Fixture } from './fixtures.ts';

const recorded: Readonly<Record<string, readonly (readonly number[])[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
);

/** Boxes of cells: of their backgrounds, which fill them. */
function ours({ template }: Fixture): readonly (readonly number[])[] {
  const scene = resolve(template, {});
  const fonts = fontSet(style({ font: query('inter') }));
  const [box] = layOut(scene, { ...resources(), fonts }).boxes;
  if (!(box instanceof TableBox)) throw new Error('The fixtures are tables.');
  return box.children.flatMap((row) => {
    const cells = row.kind === 'frame' && row.tableRow ? row.children : [];
    const filled = cells.filter((cell) => cell.kind === 'frame' && cell.node.background !== null);
    return filled.map(({ rect: { x, y, width, height } }) => [x, y, width, height]);
  });
}

for (const fixture of FIXTURES) {
  test.skipIf(!hasFont('inter'))(fixture.name, () => {
    const expected = recorded[fixture.name];
    if (!expected) throw new Error('Not recorded: run test/core/layout/table/record.ts.');
    const actual = ours(fixture);
    const isClose =
      actual.length === expected.length &&
      expected.every((cell, i) => cell.every((value, at) => Math.abs(value - (actual[i]?.[at] ?? Number.NaN)) <= 1));
    if (!isClose)
      expect(actual.map((cell) => cell.map(Math.round))).toEqual(expected.map((cell) => cell.map(Math.round)));
  });
}
