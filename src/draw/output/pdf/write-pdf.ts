// Writes display lists as the pages of a vector PDF, with real text from the lists' own glyph runs, in their order.
//
// Of each page, what has to be awaited (pictures) comes first, then drawing. A page is asked for when the one before it
// is drawn, and dropped when the next one is drawn. The fonts come last, once it is known which glyphs are used; pages
// share them, and pictures. Everything is written in time slices. Equal lists, resources and options give equal bytes in
// every process.

import { TimeSlice } from '#base/concurrency/time-slice.ts';
import { IDENTITY, type Matrix, multiply } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import { TooMuchToDraw } from '../raster/too-much-to-draw.ts';
import { VectorPictures } from '../vector-pictures.ts';
import { after, type ColorMatrices } from './color-matrix.ts';
import { ContentStream } from './content-stream.ts';
import { PdfDocument } from './document.ts';
import { drawOp, drawOps, runsInText } from './draw.ts';
import type { EncodedImage } from './encoded-image.ts';
import { EmbeddedFonts } from './fonts.ts';
import { groupPicture } from './group-picture.ts';
import { blendsWithBackdrop, drawIsolated } from './groups.ts';
import { imagePicture } from './image-picture.ts';
import type { EncodedPaper } from './letter-paper.ts';
import type { Picture, PictureContext, PictureJob, Pictures, PixelTools } from './picture.ts';
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
    if (properties === null) {
      properties = { ...list.document, ...options.properties };
      document.begin(properties, list.isPlain);
    }
    const density = (properties.density ?? DENSITY) / PIXELS_PER_INCH;
    const pictures = await loadPictures(list, resources, tools, density, signal, encoded);
    content = new ContentStream({ isPage: true, isMarked: true });
    document.beginPage(list);
    const target: Target = {
      document,
      content,
      faces: resources.fonts,
      fonts,
      pictures,
      recolourings,
      inText: runsInText(list.ops, recolourings),
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

// Encodes every picture that a page needs, so that all awaiting is done before drawing, which is synchronous.
//
// A picture is the content of an image operation, or a group that PDF cannot express (a blur), drawn by the raster back
// end. They are made one at a time, so that at most one is in memory as pixels.

/** Encoded pictures by what determines them, so that those that pages share are encoded once. */
type EncodedImages = Map<string, EncodedImage | EncodedPaper>;

/**
 * @param density most embedded pixels per canvas px, in each direction
 * @param encoded those of earlier pages, to which this page's are added
 * @throws TooMuchToDraw for the operation whose pictures took the most time; the signal's reason
 */
export async function loadPictures(
  list: DisplayList,
  resources: Resources,
  tools: PixelTools,
  density: number,
  signal?: AbortSignal,
  encoded: EncodedImages = new Map(),
): Promise<Pictures> {
  const recolourings = new Recolourings(resources.images);
  const context = { canvas: list, resources, recolourings, tools, density, signal };
  const pictures = new Map<PaintOp, Picture>();
  let slowest = { index: 0, took: -1 };
  for (const [index, whole] of list.ops.entries()) {
    if (whole.kind !== 'image' && whole.kind !== 'group') continue;
    const begun = performance.now();
    try {
      for (const [op, { key, encode, ...placement }] of jobs(context, [whole], IDENTITY, null)) {
        signal?.throwIfAborted();
        const image = encoded.get(key) ?? (await encode());
        encoded.set(key, image);
        pictures.set(op, { ...placement, image });
      }
    } catch (error) {
      if (!(error instanceof TooMuchToDraw)) throw error;
      const isSlowest = performance.now() - begun > slowest.took;
      throw new TooMuchToDraw(error.problem, { op: isSlowest ? index : slowest.index, cause: error });
    }
    const took = performance.now() - begun;
    if (took > slowest.took) slowest = { index, took };
  }
  return pictures;
}

function* jobs(
  context: PictureContext,
  ops: readonly PaintOp[],
  toCanvas: Matrix,
  colorMatrices: ColorMatrices | null,
): Generator<readonly [PaintOp, PictureJob]> {
  for (const op of ops) {
    if (op.kind === 'image') {
      const job = imagePicture(context, op, toCanvas, colorMatrices);
      if (job) yield [op, job];
    } else if (op.kind === 'group' && op.opacity > 0) {
      const inner = multiply(toCanvas, op.transform);
      if (op.mask) yield* jobs(context, op.mask, inner, null);
      if (context.recolourings.needsPixels(op)) {
        const job = groupPicture(context, op, inner, colorMatrices);
        if (job) yield [op, job];
      } else yield* jobs(context, op.ops, inner, after(colorMatrices, context.recolourings.of(op)));
    }
  }
}
