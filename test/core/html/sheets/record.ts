// Prints the fixtures in Chromium, and records the words on each sheet in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/core/html/sheets/record.ts. The test only reads the record.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onFixturePages } from '../chromium/on-fixture-pages.ts';
import { FIXTURES } from './fixtures.ts';
import { wordsOnSheets } from './words-on-sheets.ts';

await onFixturePages(async (page, show) => {
  const recorded: Record<string, readonly string[]> = {};
  for (const [name, html] of Object.entries(FIXTURES)) {
    await show(html, { width: 300, height: 200 });
    recorded[name] = wordsOnSheets(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  }
  writeFileSync(join(import.meta.dirname, 'recorded.json'), `${JSON.stringify(recorded, null, 2)}\n`);
  const sheets = Object.values(recorded).flat();
  console.log(`${Object.keys(recorded).length} fixtures, ${sheets.length} sheets`);
});
