// Compares the picture of each page of a document with that page of its PDF, by the measure of the goldens.

import { describe, expect, test } from 'vitest';
import { CASES } from './cases.ts';
import { compareRasterizers } from './compare-rasterizers.ts';
import { decodePicture } from './picture.ts';
import { poppler, rasterizePdf, sizesOf } from './poppler.ts';
import { drawPages } from './render-case.ts';
import { countGlyphs } from './word-origins.ts';

const documents = CASES.filter(({ template }) => 'page' in template && template.page !== undefined);

test('there are documents of several pages', () => expect(documents.length).toBeGreaterThanOrEqual(10));

describe.skipIf(!poppler).each(documents)('$name', (document) => {
  test('the picture of each page is that page of the PDF', async () => {
    const { lists, pngs, pdf } = await drawPages(document);
    expect(sizesOf(pdf).length).toBe(pngs.length);
    for (const [index, png] of pngs.entries()) {
      const glyphs = countGlyphs(lists[index]?.ops ?? []);
      const agreement = compareRasterizers(await decodePicture(png), rasterizePdf(pdf, 8, index + 1), glyphs);
      expect(agreement, `page ${index + 1}`).toMatchObject({ agrees: true });
    }
  });
});
