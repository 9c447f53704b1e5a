// Compares every fixture with its goldens: its PNG, its PDF as text, and its PDF as a picture with its own PNG.
//
// A failing run leaves golden/.out/report.html with expected, difference and actual.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASES, type Case } from './cases.ts';
import { compareRasterizers } from './compare-rasterizers.ts';
import {
  deadGoldens,
  type Finding,
  GOLDEN,
  goldenFiles,
  judgePdfText,
  judgePicture,
  leavePicture,
  MAX_GOLDEN_BYTES,
  OUT,
  pdfText,
} from './goldens.ts';
import { decodePicture, type Picture } from './picture.ts';
import { poppler, rasterizePdf } from './poppler.ts';
import { canDraw, type Drawn, draw } from './render-case.ts';
import { writeReport } from './report.ts';
import { countGlyphs } from './word-origins.ts';

/** Cases in which poppler does not draw what the PDF says; their PDF operators are compared all the same. */
const POPPLER_ERRS: ReadonlyMap<string, string> = new Map([
  ['effects/blend-hue-saturation', 'it loses the middle channel when it sets the saturation'],
]);

const findings: Finding[] = [];

beforeAll(() => rmSync(OUT, { recursive: true, force: true }));
afterAll(async () => {
  if (findings.length > 0) console.error(`See ${await writeReport(findings)}`);
});

/** Fails with the finding's message, and keeps the finding for the report. */
async function expectFound(finding: Finding | null): Promise<void> {
  if (finding === null) return;
  findings.push(finding);
  await leavePicture(finding);
  expect.fail(finding.message);
}

/** Draws a case once for all of its tests, which run one after the other. */
function once(found: Case): () => Promise<Drawn> {
  let drawn: Promise<Drawn> | null = null;
  return () => {
    drawn ??= draw(found);
    return drawn;
  };
}

describe.each(CASES)('$name', (found) => {
  const { name } = found;
  const drawn = once(found);

  test.skipIf(!canDraw(found))('PNG', async () => expectFound(await judgePicture(name, (await drawn()).png)));
  test.skipIf(!canDraw(found))('PDF as text', async () =>
    expectFound(judgePdfText(name, pdfText((await drawn()).pdf))),
  );
  // A page with a bleed is larger than its picture, and each viewer shows inks in its own way.
  if (POPPLER_ERRS.has(name) || name === 'pdf/bleed' || name === 'pdf/inks') return;
  test.skipIf(!poppler || !canDraw(found))('PDF as a picture agrees with the PNG', async () => {
    const { png, pdf, list } = await drawn();
    const expected = await decodePicture(png);
    const compare = (actual: Picture) => compareRasterizers(expected, actual, countGlyphs(list.ops));
    // Poppler draws four samples per px in half the time of eight, which only few need.
    if (compare(rasterizePdf(pdf, 4)).agrees) return;
    const actual = rasterizePdf(pdf);
    const { agrees, alien, allowed, picture } = compare(actual);
    if (agrees) return;
    const message = `${name}: ${alien} pixels of PNG and PDF are not within 1 px of each other (${allowed} may be)`;
    const pictures = { expected, difference: picture, actual };
    await expectFound({ name, kind: 'different', message, pictures, texts: null });
  });
});

test('no golden has lost its fixture', () => expect(deadGoldens(goldenFiles())).toEqual([]));

test(`no golden is larger than ${MAX_GOLDEN_BYTES} bytes`, () => {
  const large = goldenFiles().filter((file) => statSync(join(GOLDEN, file)).size > MAX_GOLDEN_BYTES);
  expect(large).toEqual([]);
});
