// Draws the starters for the studio's gallery, and lists them: `npm run starters`.
//
// Writes one WebP each to starters/rendered; names, kinds and sizes to starters/index.json. Fails on any warning.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSheetSize } from '#core/template/template.ts';
import { renderFile } from '../src/cli/render-file.ts';
import { DEFAULT_EXPORT } from '../src/draw/output/formats.ts';

const STARTERS = 'starters';
const RENDERED = join(STARTERS, 'rendered');
/** Longest side of a picture, px: twice the size of the gallery's tiles. */
const LONGEST = 420;

await mkdir(RENDERED, { recursive: true });
const kinds: Readonly<Record<string, readonly string[]>> = JSON.parse(
  await readFile(join(STARTERS, 'kinds.json'), 'utf8'),
);
const wanted = process.argv.slice(2);
const starters = [];
for (const [kind, ids] of Object.entries(kinds)) {
  for (const id of ids) {
    const own = join(STARTERS, `${id}.json`);
    const file = existsSync(own) ? own : join('samples/documents', `${id}.json`);
    const { name, width, height, page } = withSheetSize(JSON.parse(await readFile(file, 'utf8')));
    starters.push({ id, name, kind, width, height, ...(page && { page: page.size }) });
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    const scale = Math.min(3, LONGEST / Math.max(width, height));
    const out = join(RENDERED, `${id}.webp`);
    const { size, warnings } = await renderFile(file, {
      ...DEFAULT_EXPORT,
      compression: 'small',
      quality: 82,
      out,
      set: [],
      scale,
    });
    if (warnings.length > 0) throw new Error(`${id}: ${JSON.stringify(warnings)}`);
    process.stdout.write(`${out}: ${size} bytes\n`);
  }
}
await writeFile(join(STARTERS, 'index.json'), `${JSON.stringify({ starters }, null, 2)}\n`);
