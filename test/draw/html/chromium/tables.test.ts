// Compares the tables of pages without a browser with Chromium's recorded layout: each box within a pixel.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import satori from 'satori';
import { expect, test } from 'vitest';
import type { Rect } from '#core/geometry.ts';
import { elementsOf, type HtmlElement, parseHtml } from '#draw/html/parse-html.ts';
import { satoriTree } from '#draw/html/satori-tree.ts';
import { layOutTables, type Overrides, type TextIn } from '#draw/html/tables/lay-out-tables.ts';
import { prepareTables, readTables } from '#draw/html/tables/read-tables.ts';
import { hasFont } from '../../../core/text/faces.ts';
import { satoriFontFiles } from '../pages.ts';
import { CANVAS, CSS, FIXTURES } from './fixtures.ts';

/** x, y, width and height of each box. */
type Boxes = readonly (readonly number[])[];

/** Where we differ on purpose, and why. */
const ON_PURPOSE: Readonly<Record<string, string>> = {};

const recorded: Readonly<Record<string, Boxes>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
);

async function ours(html: string): Promise<Boxes> {
  const nodes = parseHtml(html);
  const css = prepareTables(nodes, CSS) ?? CSS;
  const tables = readTables(nodes, css, CANVAS);
  const elements = [...elementsOf(nodes)];
  const keys = new Map(elements.map((element, index) => [element, `e${index}`]));
  const fonts = await satoriFontFiles();
  const measure = async (overrides: Overrides, pointScaleFactor: number, textIn?: TextIn) => {
    const found = new Map<HtmlElement, Rect>();
    const options = {
      ...{ ...CANVAS, fonts, pointScaleFactor, onStyleError: () => {} },
      onNodeDetected: ({ key, left: x, top: y, width, height }: Parameters<Detected>[0]) => {
        const element = typeof key === 'string' ? elements[Number(key.slice(1))] : undefined;
        if (element) found.set(element, { x, y, width, height });
      },
    };
    await satori(
      satoriTree(nodes, css, new Map(), new Map(), keys, { overrides, textIn }) as Parameters<typeof satori>[0],
      options,
    );
    return found;
  };
  const overrides = await layOutTables(tables, (each, textIn) => measure(each, 64, textIn));
  const boxes = await measure(overrides, 1);
  // Cells with collapsed borders have other boxes here: what is in them is compared.
  const collapsed = tables.tables.flatMap(({ borders, grid }) =>
    borders ? grid.cells.map((cell) => cell.element) : [],
  );
  return elements
    .filter((element) => /^(table|caption|td|th|p|div)$/.test(element.name) && !collapsed.includes(element))
    .flatMap((element) => {
      const { x, y, width, height } = boxes.get(element) ?? EMPTY;
      return width > 0 ? [[x, y, width, height]] : [];
    });
}

type Detected = NonNullable<Parameters<typeof satori>[1]['onNodeDetected']>;

const EMPTY = { x: 0, y: 0, width: 0, height: 0 };

const show = (boxes: Boxes) => boxes.map((box) => box.map((n) => Math.round(n * 10) / 10).join(' '));

for (const [name, html] of Object.entries(FIXTURES)) {
  test.skipIf(!hasFont('inter'))(name, async () => {
    const boxes = await ours(html);
    const wanted = recorded[name] ?? [];
    const isNear =
      boxes.length === wanted.length &&
      boxes.every((box, i) => box.every((value, at) => Math.abs(value - (wanted[i]?.[at] ?? Number.NaN)) <= 1));
    if (ON_PURPOSE[name] !== undefined) expect(isNear).toBe(false);
    else if (!isNear) expect(show(boxes)).toEqual(show(wanted));
  });
}
