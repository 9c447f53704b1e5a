// Tests the sample templates: each is valid, uses only fonts and pictures that exist, and loses no text.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composePages } from '#core/compose.ts';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { lostContent } from '#core/lost-content.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { Scene } from '#core/resolve/scene.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { parseTemplate } from '#core/template/template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { loadCodes } from '#draw/renderer/load-codes.ts';

const folder = join(import.meta.dirname, '../samples');
const fonts = await openFontLibrary({ folders: [] });
const samples = [...readdirSync(folder).filter((name) => name.endsWith('.json')), 'specimen/specimen.json'];

function scene(sample: string): Scene {
  return resolve(parseTemplate(JSON.parse(readFileSync(join(folder, sample), 'utf8'))), {});
}

/** Pictures have a placeholder size: layout needs only sizes, and every image layer here has its own. */
async function resources({ needs }: Scene): Promise<Resources> {
  const loaded = await fonts.load(needs.fonts);
  expect(loaded.diagnostics).toEqual([]);
  const images = needs.images.map(({ key }): [string, ImageResource] => [
    key,
    { key, format: 'jpeg', width: 600, height: 400, bytes: new Uint8Array(0), hasAlpha: false, focus: null },
  ]);
  return { fonts: loaded.fonts, images: new Map(images), codes: await loadCodes(needs.codes), hyphenators: new Map() };
}

/** The names of text layers whose text is cut or overflows its box. */
function* overflowing(boxes: readonly LayoutBox[]): Generator<string> {
  for (const box of boxes) {
    if (box.kind === 'frame') yield* overflowing(box.children);
    else if (box.kind === 'text' && box.paragraph.overflows) yield box.node.name;
  }
}

test('there are samples', () => expect(samples.length).toBeGreaterThanOrEqual(6));

for (const sample of samples) {
  test.skipIf(fonts.missing.length > 0)(`${sample} is drawn whole`, async () => {
    const drawn = scene(sample);
    const loaded = await resources(drawn);
    const layout = layOut(drawn, loaded);
    expect(layout.diagnostics).toEqual([]);
    expect([...overflowing(layout.boxes)]).toEqual([]);
    expect(lostContent(drawn, layout.boxes, loaded)).toEqual([]);
    for (const { sources } of drawn.needs.images) {
      for (const source of sources.filter((one) => !one.startsWith('data:')))
        expect(statSync(join(folder, source)).size).toBeLessThan(150_000);
    }
  });
}

const PAGES = { 'invoice.json': 3, 'monthly-report.json': 3, 'delivery-note.json': 2, 'price-list.json': 2 };

test.skipIf(fonts.missing.length > 0).each(Object.entries(PAGES))(
  'documents/%s is drawn whole, on %i pages',
  async (sample, count) => {
    const drawn = scene(join('documents', sample));
    const { lists, diagnostics } = composePages(drawn, await resources(drawn), {});
    expect([...lists]).toHaveLength(count);
    expect(diagnostics).toEqual([]);
  },
);

const ROWS = {
  'documents/address-labels.json': 'people',
  'documents/name-badge.json': 'guests',
  'certificate.json': 'graduates',
};

test.skipIf(fonts.missing.length > 0).each(Object.entries(ROWS))(
  '%s fits each row of %s.csv',
  async (sample, table) => {
    const template = parseTemplate(JSON.parse(readFileSync(join(folder, sample), 'utf8')));
    const [head = [], ...rows] = readFileSync(join(folder, 'documents', `${table}.csv`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(/,(?=\S|$)/).map((cell) => cell.replace(/^"|"$/g, '')));
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const drawn = resolve(template, Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])));
      const layout = layOut(drawn, await resources(drawn));
      expect([row, drawn.diagnostics, layout.diagnostics, ...overflowing(layout.boxes)]).toEqual([row, [], []]);
    }
  },
);

test('every picture has a row that says where it comes from', () => {
  const origins = readFileSync(join(folder, 'assets/README.md'), 'utf8');
  const pictures = readdirSync(join(folder, 'assets')).filter((name) => name !== 'README.md');
  expect(pictures.filter((name) => !origins.includes(`\`${name}\``))).toEqual([]);
});
