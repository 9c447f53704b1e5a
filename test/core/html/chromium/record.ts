// Lays the fixtures out in Chromium, and records the boxes of their elements in recorded/CLAUSE.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/core/html/chromium/record.ts [CLAUSE…]. The tests only read
// the records.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLAUSES, documentOf, fixtureOf } from './fixtures.ts';
import { onFixturePages } from './on-fixture-pages.ts';

await onFixturePages(async (page, show) => {
  for (const [clause, fixtures] of Object.entries(CLAUSES)) {
    if (process.argv.length > 2 && !process.argv.includes(clause)) continue;
    const recorded: Record<string, string> = {};
    for (const [name, fixture] of Object.entries(fixtures)) {
      const { html, width, height } = fixtureOf(fixture);
      await show(documentOf({ html }), { width, height });
      recorded[name] = await page.evaluate(measure);
    }
    const file = join(import.meta.dirname, `recorded/${clause}.json`);
    writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
    const boxes = Object.values(recorded).flatMap((record) => record.split('; '));
    console.log(
      `${clause}: ${Object.keys(recorded).length} fixtures, ${boxes.filter((box) => !box.endsWith(' -')).length} boxes`,
    );
  }
});

/**
 * Runs in the page: `TAG x y width height` of each element, and `TAG -` of one without a box, of ends of lines, of columns
 * of tables, and of shapes of a drawing.
 */
function measure(): string {
  const round = (value: number) => Math.round(Math.round(value * 64) * 1.5625) / 100;
  return Array.from(document.querySelectorAll('body, body *'), (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const isDrawn =
      element.getClientRects().length > 0 &&
      (element as SVGElement).ownerSVGElement == null &&
      !/^w?br$/.test(element.localName) &&
      !getComputedStyle(element).display.startsWith('table-column');
    return `${element.localName} ${isDrawn ? [left, top, width, height].map(round).join(' ') : '-'}`;
  }).join('; ');
}
