// Renders the pictures of the README into samples/rendered: `npm run gallery`.
//
// Each sample, and the specimen sheet, goes through the command line's own pipeline, to a WebP of at most 60 kB (the
// sheet 100 kB).

import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { renderFile } from '../src/cli/render-file.ts';
import { DEFAULT_EXPORT, type ExportOptions } from '../src/draw/output/formats.ts';

const SAMPLES = 'samples';
const RENDERED = join(SAMPLES, 'rendered');
/** Device px per canvas px, suitable for a README. */
const SCALE = 0.6;
const SPECIMEN_SCALE = 0.45;
/** Bytes. */
const LARGEST = 60_000;
const LARGEST_SPECIMEN = 100_000;

await mkdir(RENDERED, { recursive: true });
for (const file of (await readdir(SAMPLES)).filter((name) => name.endsWith('.json'))) {
  await picture(join(SAMPLES, file), LARGEST, SCALE);
}
await picture(join(SAMPLES, 'specimen/specimen.json'), LARGEST_SPECIMEN, SPECIMEN_SCALE);

async function picture(file: string, largest: number, scale: number): Promise<void> {
  const out = join(RENDERED, `${basename(file, '.json')}.webp`);
  await withinLimit(out, largest, (options) => renderFile(file, { ...options, out, set: [], scale }));
}

/** Lowers the quality until the file is small enough. */
async function withinLimit(
  out: string,
  largest: number,
  render: (options: ExportOptions) => Promise<{ size: number }>,
): Promise<void> {
  for (let quality = 85; quality >= 40; quality -= 5) {
    const { size } = await render({ ...DEFAULT_EXPORT, compression: 'small', quality });
    if (size > largest) continue;
    process.stdout.write(`${out}: ${size} bytes, quality ${quality}\n`);
    return;
  }
  throw new Error(`${out} is larger than ${largest} bytes at any quality worth showing.`);
}
