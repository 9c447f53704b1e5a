// Draws every eighth fixture, with WHOLE=1 each, as PNG and PDF with the library at the given entry, and prints digests.

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Library from '../../src/index.ts';
import { sampled } from '../sampled.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
// What `platen fonts add` has installed.
const fontFolders = [join(process.env.PLATEN_DATA ?? '', 'fonts')];
const { render }: typeof Library = await import(pathToFileURL(process.argv[2] ?? '').href);

// The clock is fixed, as a PDF contains its creation time.
globalThis.Date = class extends Date {
  constructor(...given: [] | [number]) {
    super(given[0] ?? 0);
  }
  static override now = () => 0;
} as DateConstructor;

for (const file of sampled(globSync('**/*.json', { cwd: FIXTURES }).sort())) {
  const { template, modifications } = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
  if (template === undefined) continue;
  for (const output of ['png', 'pdf'] as const) {
    const said = await render(template, { modifications, output, folder: FIXTURES, fontFolders }).then(
      ({ bytes, warnings }) => [createHash('sha256').update(bytes).digest('hex'), ...warnings].join(' '),
      (error: Error) => error.message.replace(FIXTURES, ''),
    );
    console.log(file, output, said);
  }
}
