// Compares every sample's PDF with its PNG: the same words at the same places, the same edges, and a valid file.
//
// Positions are compared twice: glyph by glyph, between the display list and pdftotext's output, and as pixels, between
// the rasterised page and the PNG.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Size } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Layer } from '#core/template/layer.ts';
import { parseTemplate, walkLayers } from '#core/template/template.ts';
import type { TextLayer } from '#core/template/text-layer.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { ROOT } from './golden/cases.ts';
import { compareRasterizers } from './golden/compare-rasterizers.ts';
import { SHIFT_ACCURACY, shiftsBetween } from './golden/ink-profiles.ts';
import { decodePicture } from './golden/picture.ts';
import { checkPdf, fontsOf, placedWordsOf, poppler, qpdf, rasterizePdf, wordsOf } from './golden/poppler.ts';
import { canDraw, type Drawn, draw } from './golden/render-case.ts';
import { countGlyphs, type WordOrigin, wordOrigins } from './golden/word-origins.ts';

const folder = join(ROOT, 'samples');
const samples = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** How far text and edges may be apart, px. */
const TOLERANCE = 1;
/** Samples per px: with more, poppler takes ten seconds for a photo that fills a page. */
const FINENESS = 4;

/** Without white space, direction marks and soft hyphens, which readers add and drop freely. */
const bare = (text: string) => text.normalize('NFC').replace(/[\s\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '');

function shownText(layer: TextLayer): string {
  const spans = layer.spans ?? [{ text: layer.text }];
  const cased = spans.map((span) => {
    const transform = ('textTransform' in span && span.textTransform) || layer.textTransform;
    return transform === 'uppercase'
      ? span.text.toUpperCase()
      : transform === 'lowercase'
        ? span.text.toLowerCase()
        : span.text;
  });
  return cased.join('');
}

const isText = (layer: Layer): layer is TextLayer => layer.type === 'text' && layer.visible;

/** pdftotext omits what begins outside the page, such as an ornament that bleeds off it. */
const isOnPage = ({ x, baseline }: WordOrigin, page: Size) => x >= 0 && x <= page.width && baseline <= page.height;

const letters = (text: string) => [...text].sort().join('');

/** With -bbox, pdftotext gives right-to-left words in visual order, so only their letters are compared. */
const isSameWord = (read: string, drawn: string) =>
  read.startsWith(bare(drawn)) || letters(read) === letters(bare(drawn));

/** Replaces photos by grey boxes: how a picture is smoothed depends on the reader, but its position is ours. */
function withoutPictures(ops: readonly PaintOp[]): PaintOp[] {
  return ops.map((op) => {
    if (op.kind === 'group') return { ...op, ops: withoutPictures(op.ops) };
    if (op.kind !== 'image') return op;
    const { x, y, width, height } = op.dest;
    const path = [['M', x, y], ['L', x + width, y], ['L', x + width, y + height], ['L', x, y + height], ['Z']] as const;
    const color = { r: 128, g: 128, b: 128, a: 1 };
    return { kind: 'fill', path, rule: 'nonzero', brush: { kind: 'solid', color } };
  });
}

describe.each(samples)('%s', (sample) => {
  const template = JSON.parse(readFileSync(join(folder, sample), 'utf8'));
  const sampled = { template, modifications: {} };
  const noPoppler = !poppler || !canDraw(sampled);
  let drawing: Promise<Drawn> | null = null;
  const drawn = () => {
    drawing ??= draw(sampled, folder);
    return drawing;
  };

  test.skipIf(!qpdf)('qpdf finds nothing wrong', async () => checkPdf((await drawn()).pdf));

  test.skipIf(noPoppler)('every font is an embedded subset that knows its text', async () => {
    const fonts = fontsOf((await drawn()).pdf);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.filter(({ embedded, subset, hasUnicode }) => !(embedded && subset && hasUnicode))).toEqual([]);
  });

  test.skipIf(noPoppler)('the words come out whole and in reading order', async () => {
    const { list, pdf } = await drawn();
    const page = bare(wordsOf(pdf));
    const beyond = new Set(wordOrigins(list).flatMap((word) => (isOnPage(word, list) ? [] : [bare(word.text)])));
    const texts = [...walkLayers(parseTemplate(template).layers)]
      .flatMap(({ layer }) => (isText(layer) ? [bare(shownText(layer))] : []))
      .filter((text) => !beyond.has(text));
    expect(texts.filter((text) => !page.includes(text))).toEqual([]);
    expect(page.length).toBe(texts.join('').length);
  });

  test.skipIf(noPoppler)('every word stands where the display list says', async () => {
    const { list, pdf, resources } = await drawn();
    const placed = placedWordsOf(pdf).map((word) => ({ ...word, text: bare(word.text) }));
    const lost: string[] = [];
    for (const word of wordOrigins(list).filter((origin) => isOnPage(origin, list))) {
      const { isColor, metrics } = resources.fonts.face(word.face);
      // pdftotext reports the top of a word's box: its font's ascent above the baseline. Emoji are pictures, and their
      // text is in a font with another ascent.
      const top = word.baseline - metrics.ascent * word.fontSize;
      const reach = isColor ? word.fontSize / 2 : TOLERANCE;
      const found = placed.some(
        ({ text, x, y }) =>
          isSameWord(text, word.text) && Math.abs(x - word.x) <= TOLERANCE && Math.abs(y - top) <= reach,
      );
      if (!found) lost.push(`${word.text} at ${word.x.toFixed(1)}, ${top.toFixed(1)}`);
    }
    expect(lost).toEqual([]);
  });

  test.skipIf(noPoppler)('the rasterised page shows what the PNG shows', async () => {
    const { png, pdf, list } = await drawn();
    const pictures = [await decodePicture(png), rasterizePdf(pdf, FINENESS)] as const;
    const { alien, allowed } = compareRasterizers(...pictures, countGlyphs(list.ops));
    expect(alien).toBeLessThanOrEqual(allowed);
  });

  test.skipIf(noPoppler)('baselines and edges of the page lie within 1 px of the PNG’s', async () => {
    const { list, resources } = await drawn();
    const plain: DisplayList = { ...list, ops: withoutPictures(list.ops) };
    const [png, pdf] = await Promise.all([
      exportAs('png', [plain], resources, DEFAULT_EXPORT),
      exportAs('pdf', [plain], resources, DEFAULT_EXPORT),
    ]);
    const shifts = shiftsBetween(await decodePicture(png), rasterizePdf(pdf, FINENESS));
    expect(shifts.length).toBeGreaterThan(100);
    expect(shifts.filter(({ by }) => Math.abs(by) > TOLERANCE - SHIFT_ACCURACY)).toEqual([]);
  });
});
