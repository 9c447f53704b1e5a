// Compares how what flows is divided with Chromium's recorded division: the same parts on the same pages, each within a
// pixel.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Landmarks } from '#core/fragmentation/landmarks.ts';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { Pagination } from '#core/pages/paginate.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { wholeText } from '#core/text/line-text.ts';
import { resources } from '../../scene-nodes.ts';
import { fontSet, hasFont, query, style } from '../../text/faces.ts';
import { FIXTURES, type Fixture } from './fixtures.ts';

/** [page, x, y, width, height] of the parts of each layer. */
type Parts = Readonly<Record<string, readonly (readonly number[])[]>>;

/** Where we differ on purpose, and why. */
const ON_PURPOSE: Readonly<Record<string, string>> = {
  'padding-clone': 'Chromium lets the padding at the end of a cloned box overlap what follows it.',
};

const recorded: Readonly<Record<string, Parts>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
);

function ours({ template }: Fixture): Parts {
  const scene = resolve(template, {});
  const fonts = fontSet(style({ font: query('inter') }));
  const [flow] = layOut(scene, { ...resources(), fonts }).boxes;
  if (flow?.kind !== 'frame' || !scene.page) throw new Error('The fixtures are documents.');
  const parts: Record<string, number[][]> = {};
  const pagination = new Pagination(flow, scene.page, new Landmarks(new Set()));
  for (let page = 1; page <= pagination.count; page += 1) {
    const piece = pagination.box(page);
    for (const box of piece ? flat(piece) : []) {
      const { node, rect } = box;
      parts[node.name] ??= [];
      // A text that goes on ends with its last line here, and in CSS with the page: that is not compared.
      const isWhole = box.kind !== 'text' || box.paragraph.lines.at(-1)?.end === wholeText(box.node).length;
      const height = isWhole ? rect.height : Number.NaN;
      parts[node.name]?.push([page, rect.x, rect.y, rect.width, height]);
    }
  }
  return parts;
}

/** Windows on what is cut have the name of what they show. */
function flat(box: LayoutBox): readonly LayoutBox[] {
  if (box.kind !== 'frame') return [box];
  const [only] = box.children;
  if (only && only.node.name === box.node.name) return [box];
  return [box, ...box.children.flatMap(flat)];
}

const show = (parts: Parts) =>
  Object.entries(parts).map(
    ([name, each]) => `${name}: ${each.map((part) => part.map((n) => Math.round(n * 10) / 10).join(' ')).join(' | ')}`,
  );

const isClose = (expected: Parts, actual: Parts): boolean =>
  Object.entries(expected).every(([name, each]) => {
    const own = actual[name] ?? [];
    return (
      each.length === own.length &&
      each.every((part, i) => part.every((value, at) => !(Math.abs(value - (own[i]?.[at] ?? 0)) > 1)))
    );
  });

for (const fixture of FIXTURES.filter(({ name }) => !(name in ON_PURPOSE))) {
  test.skipIf(!hasFont('inter'))(fixture.name, () => {
    const expected = recorded[fixture.name];
    if (!expected) throw new Error('Not recorded: run test/core/pages/chromium/record.ts.');
    const { flow: _, ...actual } = ours(fixture);
    const { flow: __, ...theirs } = expected;
    if (!isClose(theirs, actual)) expect(show(actual)).toEqual(show(theirs));
  });
}
