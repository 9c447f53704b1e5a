// The documents say what the code says: their generated parts are up to date, and ARCHITECTURE.md stays readable.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { writtenDocuments } from '../scripts/write-docs.ts';

test.each([...(await writtenDocuments())])('%s is what `npm run docs` would write', async (file, written) => {
  expect(await readFile(file, 'utf8')).toBe(written);
});

test('ARCHITECTURE.md can be read in one sitting', async () => {
  expect((await readFile('ARCHITECTURE.md', 'utf8')).split('\n').length).toBeLessThanOrEqual(200);
});
