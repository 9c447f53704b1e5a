// Writes a display list as a one-page vector PDF, with real text from the list's own glyph runs, in the list's order.
//
// Everything that has to be awaited (pictures) comes first, then drawing, and then the fonts, once it is known which
// glyphs are used. Long pages are written in time slices. Equal lists, resources and options give equal bytes in every
// process.

import { TimeSlice } from '#concurrency/time-slice.ts';
import { IDENTITY } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import { ContentStream } from './content-stream.ts';
import { PdfDocument } from './document.ts';
import { drawOp, drawOps, runsInText } from './draw.ts';
import { EmbeddedFonts } from './fonts.ts';
import { blendsWithBackdrop, drawIsolated } from './groups.ts';
import type { PixelTools } from './picture.ts';
import { loadPictures } from './pictures.ts';
import { Recolourings } from './recolouring.ts';
import type { Target } from './target.ts';
import { writeType0Font } from './type0-font.ts';

export type { PixelTools } from './picture.ts';

export interface PdfOptions {
  readonly tools: PixelTools;
  /** Document properties; they override those of the list. */
  readonly properties?: DocumentProperties | undefined;
  readonly createdAt: Date;
  /** Stops the work before the next picture, or at the end of a time slice. */
  readonly signal?: AbortSignal | undefined;
}

/** Default density of embedded images, pixels per inch. */
const DENSITY = 300;
const PIXELS_PER_INCH = 96;

/**
 * The page size is that of the canvas in CSS px, 96 per inch, so 1 px = 0.75 pt. PDF 1.7.
 *
 * @throws TooMuchToDraw for the operation whose pictures took the most time; the signal's reason
 */
export async function writePdf(list: DisplayList, resources: Resources, options: PdfOptions): Promise<Uint8Array> {
  const { tools, signal, createdAt } = options;
  const properties = { ...list.document, ...options.properties };
  const density = (properties.density ?? DENSITY) / PIXELS_PER_INCH;
  const pictures = await loadPictures(list, resources, tools, density, signal);
  const document = new PdfDocument(list, properties, createdAt);
  const fonts = new EmbeddedFonts(document, resources.fonts);
  const content = new ContentStream();
  const recolourings = new Recolourings(resources.images);
  const target: Target = {
    document,
    content,
    faces: resources.fonts,
    fonts,
    pictures,
    recolourings,
    said: runsInText(list.ops, recolourings),
    streamMatrix: document.pageMatrix,
    canvasMatrix: IDENTITY,
    colorMatrices: null,
    opacity: 1,
  };
  const slice = new TimeSlice(signal);
  // A PDF page is composited onto white paper, whereas the canvas starts transparent, so blend modes need an isolated
  // group around the whole page.
  if (blendsWithBackdrop(list.ops)) drawIsolated(target, list.ops, { x: 0, y: 0, ...list }, drawOps);
  else await drawInSlices(target, list.ops, slice);
  for (const subset of fonts.subsets) {
    if (slice.isOver) await slice.next();
    writeType0Font(document, subset);
  }
  if (slice.isOver) await slice.next();
  return document.finish(content);
}

async function drawInSlices(target: Target, ops: readonly PaintOp[], slice: TimeSlice): Promise<void> {
  for (const op of ops) {
    if (slice.isOver) await slice.next();
    drawOp(target, op);
  }
}
