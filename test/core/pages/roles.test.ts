// Tests that the letters of a document say what they are: headings, cells, and what is repeated.

import { expect, test } from 'vitest';
import { composePages } from '#core/compose.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { resources } from '../scene-nodes.ts';
import { fontSet, hasFont, query, style } from '../text/faces.ts';

const words = (name: string, text: string, more = {}) => ({
  name,
  type: 'text',
  text,
  fontFamily: 'inter',
  fontSize: 10,
  ...more,
});

/** Each text of a page with its role, in painting order. */
function rolesIn(ops: readonly PaintOp[]): readonly string[] {
  return ops.flatMap((op) => {
    if (op.kind === 'group') return rolesIn(op.ops);
    if (op.kind !== 'glyphs') return [];
    const { role } = op;
    if (!role || role.kind === 'paragraph') return [op.run.text];
    if (role.kind === 'artefact') return [`${op.run.text}: artefact`];
    if (role.kind === 'heading') return [`${op.run.text}: heading ${role.level}`];
    return 'table' in role
      ? [`${op.run.text}: ${role.kind} ${role.row},${role.of.cells[role.index]?.column} of ${role.table}`]
      : [role.kind];
  });
}

test.skipIf(!hasFont('inter'))('letters say what they are: headings, cells, and what is repeated', () => {
  const template = parseTemplate({
    name: 'Report',
    page: { size: [200, 100] },
    layers: [
      words('running', 'Running', { bottom: 0 }),
      words('letterhead', 'Letterhead', { pages: 'first', bottom: 12 }),
      {
        name: 'body',
        type: 'frame',
        flow: true,
        children: [
          words('title', 'Title', { heading: 2 }),
          words('intro', 'Intro'),
          {
            name: 'lines',
            type: 'table',
            columns: ['fill', 'hug'],
            header: ['Item', 'Price'],
            row: [{ name: 'item' }, { name: 'price' }],
            rows: ['a', 'b', 'c', 'd\n'.repeat(9)].map((item) => ({ item, price: '1' })),
            carryHeader: [{ text: 'Carried' }, { calculate: { sum: 'price' } }],
            cell: { fontFamily: 'inter', fontSize: 10, padding: [4, 0, 4, 0] },
          },
        ],
      },
    ],
  });
  const fonts = fontSet(style({ font: query('inter') }), style({ font: { ...query('inter'), weight: 400 } }));
  const { lists } = composePages(resolve(template, {}), { ...resources(), fonts }, {});
  const [first, second, third] = [...lists].map(({ ops }) => rolesIn(ops));
  expect(first).toEqual([
    'Running: artefact',
    'Letterhead',
    'Title: heading 2',
    'Intro',
    'Item: header-cell 0,0 of lines',
    'Price: header-cell 0,1 of lines',
    'a: cell 1,0 of lines',
    '1: cell 1,1 of lines',
    'b: cell 2,0 of lines',
    '1: cell 2,1 of lines',
  ]);
  expect(second?.slice(0, 7)).toEqual([
    'Running: artefact',
    'Item: artefact',
    'Price: artefact',
    'Carried: artefact',
    '2: artefact',
    'c: cell 3,0 of lines',
    '1: cell 3,1 of lines',
  ]);
  // The rest of a row that a page divides.
  expect(third?.filter((each) => each.startsWith('d')).every((each) => each === 'd: cell 4,0 of lines')).toBe(true);
  expect(third).toContain('d: cell 4,0 of lines');
});
