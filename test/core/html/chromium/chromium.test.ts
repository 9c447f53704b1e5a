// Compares the boxes of html with Chromium's recorded layout.
//
// CLAUSES=all npx vitest run --project more test/core/html prints how many fixtures of each clause are alike, and
// CLAUSES=floats,tables each difference in these too.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Rect } from '#core/geometry.ts';
import { hasFont } from '../../text/faces.ts';
import { boxesOf } from '../boxes-of.ts';
import { DIFFERENT } from './different.ts';
import { CLAUSES, documentOf, fixtureOf } from './fixtures.ts';

const WANTED = process.env.CLAUSES?.split(',') ?? [];
const different = new Set(Object.values(DIFFERENT).flat());
const isThere = await boxesOf('', { width: 1, height: 1 }).then(
  () => true,
  ({ message }: Error) => message !== 'not there yet',
);

/** Tags whose boxes are not recorded, and may be any. Those of other elements that are columns are to be none or empty. */
const UNDRAWN = /^(?:w?br|col|colgroup)$/;

const show = (box: Rect | null) =>
  box === null ? '-' : [box.x, box.y, box.width, box.height].map((value) => Math.round(value * 100) / 100).join(' ');

function read(record: string): { readonly tag: string; readonly box: Rect | null } {
  const [tag = '', ...numbers] = record.split(' ');
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
  return { tag, box: numbers.length < 4 ? null : { x, y, width, height } };
}

/** What differs by more than half a px, and where there is text, of which the widths are sums of many, by more than one. */
function differences(html: string, record: string, boxes: readonly (Rect | null)[]): string[] {
  const wanted = record.split('; ').map(read);
  const text = html.replace(/<style.*?<\/style>|<[^>]*>/gs, '');
  const tolerance = text.trim() === '' ? 0.5 : 1;
  const found = wanted.flatMap(({ tag, box }, index) => {
    const ours = boxes[index] ?? null;
    const isEmpty = (one: Rect | null) => one === null || one.width * one.height === 0;
    if (UNDRAWN.test(tag) || (isEmpty(box) && ours === null)) return [];
    const isNear =
      box !== null &&
      ours !== null &&
      (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(box[side] - ours[side]) <= tolerance + 0.01);
    if (isNear || (box === null && isEmpty(ours))) return [];
    return [`${tag} ${index}: ${show(ours)}, and in Chromium ${show(box)}`];
  });
  return boxes.length === wanted.length
    ? found
    : [`${boxes.length} elements, and in Chromium ${wanted.length}`, ...found];
}

/** How many fixtures of each clause are alike. */
const alike = new Map<string, number>();
const details: string[] = [];

for (const [clause, fixtures] of Object.entries(CLAUSES)) {
  const recorded: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(import.meta.dirname, `recorded/${clause}.json`), 'utf8'),
  );
  for (const [name, fixture] of Object.entries(fixtures)) {
    const { html, width, height } = fixtureOf(fixture);
    test.skipIf(!hasFont('inter') || !isThere)(`${clause}/${name}`, async () => {
      const boxes = await boxesOf(documentOf({ html }), { width, height }).catch((error: unknown) => error as Error);
      const found = boxes instanceof Error ? [`${boxes}`] : differences(html, recorded[name] ?? '', boxes);
      if (found.length === 0) alike.set(clause, (alike.get(clause) ?? 0) + 1);
      else if (WANTED.includes(clause)) details.push(`\n${clause}/${name}\n  ${html}\n  ${found.join('\n  ')}`);
      if (different.has(`${clause}/${name}`)) expect(found, 'It is alike: take it from the list.').not.toEqual([]);
      else expect(found).toEqual([]);
    });
  }
}

test('every fixture is recorded, and every one that differs is a fixture', () => {
  const names = Object.entries(CLAUSES).flatMap(([clause, all]) => Object.keys(all).map((name) => `${clause}/${name}`));
  const recorded = Object.keys(CLAUSES).flatMap((clause) =>
    Object.keys(JSON.parse(readFileSync(join(import.meta.dirname, `recorded/${clause}.json`), 'utf8'))).map(
      (name) => `${clause}/${name}`,
    ),
  );
  expect(recorded).toEqual(names);
  expect([...different].filter((name) => !names.includes(name))).toEqual([]);
});

afterAll(() => {
  if (WANTED.length === 0) return;
  const rows = Object.entries(CLAUSES).map(
    ([clause, all]) => `${clause.padEnd(18)} ${alike.get(clause) ?? 0} of ${Object.keys(all).length}`,
  );
  console.log([...details, '', ...rows].join('\n'));
});
