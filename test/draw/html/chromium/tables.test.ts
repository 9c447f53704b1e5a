// Compares the tables of pages, which our own engine lays out for each renderer without a browser, with Chromium's recorded
// layout: each box within a pixel.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { elementsOf } from '#core/css/selectors.ts';
import { parsePage } from '#draw/html/parse-html.ts';
import { boxesOf } from '../../../core/html/boxes-of.ts';
import { hasFont } from '../../../core/text/faces.ts';
import { CANVAS, CSS, FIXTURES } from './fixtures.ts';

/** x, y, width and height of each box. */
type Boxes = readonly (readonly number[])[];

const recorded: Readonly<Record<string, Boxes>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
);

async function ours(html: string): Promise<Boxes> {
  const page = `<!doctype html><style>${CSS}</style><body>${html}`;
  const boxes = await boxesOf(page, CANVAS);
  const [body] = [...elementsOf([parsePage(page).html])].filter(({ name }) => name === 'body');
  const elements = [...elementsOf(body ? [body] : [])];
  const isCollapsed = html.includes('collapse');
  return elements.flatMap(({ name }, i) => {
    const box = boxes[i];
    const isCompared = /^(table|caption|p|div)$/.test(name) || (!isCollapsed && /^t[dh]$/.test(name));
    return isCompared && box && box.width > 0 ? [[box.x, box.y, box.width, box.height]] : [];
  });
}

const show = (boxes: Boxes) => boxes.map((box) => box.map((n) => Math.round(n * 10) / 10).join(' '));

for (const [name, html] of Object.entries(FIXTURES)) {
  test.skipIf(!hasFont('inter'))(name, async () => {
    const boxes = await ours(html);
    const wanted = recorded[name] ?? [];
    const isNear =
      boxes.length === wanted.length &&
      boxes.every((box, i) => box.every((value, at) => Math.abs(value - (wanted[i]?.[at] ?? Number.NaN)) <= 1));
    if (!isNear) expect(show(boxes)).toEqual(show(wanted));
  });
}
