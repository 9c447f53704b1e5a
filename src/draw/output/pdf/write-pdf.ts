// Writes display lists as the pages of a vector PDF, with real text from the lists' own glyph runs, in their order.
//
// Of each page, what has to be awaited (pictures) comes first, then drawing. A page is asked for when the one before it
// is drawn, and dropped when the next one is drawn. The fonts come last, once it is known which glyphs are used; pages
// share them, and pictures. Everything is written in time slices. Equal lists, resources and options give equal bytes in
// every process.

import { TimeSlice } from '#base/concurrency/time-slice.ts';
import { IDENTITY } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import { VectorPictures } from '../vector-pictures.ts';
import { ContentStream } from './content-stream.ts';
import { PdfDocument } from './document.ts';
import { drawOp, drawOps, runsInText } from './draw.ts';
import { EmbeddedFonts } from './fonts.ts';
import { blendsWithBackdrop, drawIsolated } from './groups.ts';
import type { PixelTools } from './picture.ts';
import { type EncodedImages, loadPictures } from './pictures.ts';
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

/** At least one page. The document properties are those of the first. */
export type PdfPages = Iterable<DisplayList> | AsyncIterable<DisplayList>;

/**
 * The size of a page is that of its canvas in CSS px, 96 per inch, so 1 px = 0.75 pt. PDF 1.7.
 *
 * @throws TooMuchToDraw for the operation whose pictures took the most time on its page; the signal's reason
 */
export async function writePdf(pages: PdfPages, loaded: Resources, options: PdfOptions): Promise<Uint8Array> {
  const { tools, signal, createdAt } = options;
  const document = new PdfDocument();
  const vectors = new VectorPictures(loaded);
  const resources = vectors.facesIn(loaded);
  const fonts = new EmbeddedFonts(document, resources.fonts);
  const recolourings = new Recolourings(resources.images);
  const encoded: EncodedImages = new Map();
  const slice = new TimeSlice(signal);
  let properties: DocumentProperties | null = null;
  let content: ContentStream | null = null;
  for await (const page of pages) {
    if (content) document.endPage(content);
    const ops = vectors.drawn(page.ops);
    const list = ops === page.ops ? page : { ...page, ops };
    properties ??= { ...list.document, ...options.properties };
    const density = (properties.density ?? DENSITY) / PIXELS_PER_INCH;
    const pictures = await loadPictures(list, resources, tools, density, signal, encoded);
    content = new ContentStream();
    document.beginPage(list);
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
    // A PDF page is composited onto white paper, whereas the canvas starts transparent, so blend modes need an isolated
    // group around the whole page.
    if (blendsWithBackdrop(list.ops)) drawIsolated(target, list.ops, { x: 0, y: 0, ...list }, drawOps);
    else await drawInSlices(target, list.ops, slice);
  }
  for (const subset of fonts.subsets) {
    if (slice.isOver) await slice.next();
    writeType0Font(document, subset);
  }
  if (slice.isOver) await slice.next();
  // After the fonts, so that the last page of a file, which is the only one of most, is compressed beside its catalogue.
  if (content) document.endPage(content);
  return document.finish(properties ?? {}, createdAt);
}

async function drawInSlices(target: Target, ops: readonly PaintOp[], slice: TimeSlice): Promise<void> {
  for (const op of ops) {
    if (slice.isOver) await slice.next();
    drawOp(target, op);
  }
}
