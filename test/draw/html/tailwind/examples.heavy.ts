// Compares the examples, drawn without a browser, with their recorded pictures, by the measure of the
// goldens.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareRasterizers } from '../../../golden/compare-rasterizers.ts';
import { decodePicture, type Picture } from '../../../golden/picture.ts';
import { drawExample } from './draw-example.ts';
import { CANVAS, EXAMPLES, type Example } from './examples.ts';

/** Examples that our own engine draws otherwise; all but the first are named by a warning. */
const OTHERWISE: readonly string[] = [
  'layout/box-decoration-break',
  'flex and grid/grid-template-columns 3',
  'typography/text-decoration-style',
  'typography/wavy decoration',
  'effects/background-blend-mode',
  'effects/mask-composite',
  'transforms/perspective',
  'others/responsive design 2',
];

test('all but those are alike, and those are named', async () => {
  const otherwise: string[] = [];
  const unsaid: string[] = [];
  for (const example of EXAMPLES) {
    const { picture, glyphs, diagnostics } = await drawExample(example);
    if (compareRasterizers(await recordedPicture(example), picture, glyphs).agrees) continue;
    otherwise.push(example.name);
    if (diagnostics.length === 0) unsaid.push(example.name);
  }
  expect(otherwise).toEqual(OTHERWISE);
  expect(unsaid).toEqual([]);
  const words = readFileSync(join(import.meta.dirname, '../../../../docs/html.md'), 'utf8').replace(/\s+/g, ' ');
  expect(words).toContain(
    `Of ${EXAMPLES.length} static examples in the manner of Tailwind's documentation, ${EXAMPLES.length - otherwise.length} look the same as in Chromium`,
  );
}, 120_000);

const sheets = new Map<string, Promise<Picture>>();

async function recordedPicture({ group, name }: Example): Promise<Picture> {
  const file = join(import.meta.dirname, `recorded/${group.replaceAll(' ', '-')}.png`);
  const reading = sheets.get(group) ?? decodePicture(readFileSync(file));
  sheets.set(group, reading);
  const { pixels } = await reading;
  const index = EXAMPLES.filter((each) => each.group === group).findIndex((each) => each.name === name);
  const size = 4 * CANVAS.width * CANVAS.height;
  return { ...CANVAS, pixels: pixels.subarray(index * size, (index + 1) * size) };
}
