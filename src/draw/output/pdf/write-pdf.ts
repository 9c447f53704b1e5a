// Writes display lists as the pages of a vector PDF, with real text from the lists' own glyph runs, in their order.
//
// Of each page, what has to be awaited (pictures) comes first, then drawing. A page is asked for when the one before it
// is drawn, and dropped when the next one is drawn. The fonts come last, once it is known which glyphs are used; pages
// share them, and pictures. Everything is written in time slices. Equal lists, resources and options give equal bytes in
// every process.

import { TimeSlice } from '#base/concurrency/time-slice.ts';
import { contentName } from '#base/runtime.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { IDENTITY, inflate, intersection, type Matrix, multiply, type Rect, translation } from '#core/geometry.ts';
import { filteredBounds, filterReach } from '#core/paint/bounds.ts';
import type { DisplayList, Filter, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import { returnPixels } from '#draw/images/pixel-pool.ts';
import type { Pixels, Raster } from '#draw/images/raster.ts';
import { TooMuchToDraw } from '../raster/too-much-to-draw.ts';
import { VectorPictures } from '../vector-pictures.ts';
import { scaleX, scaleY, visibleRect } from './canvas-space.ts';
import { after, type ColorMatrices, recolorPixels } from './color-matrix.ts';
import { ContentStream } from './content-stream.ts';
import { PdfDocument } from './document.ts';
import { drawOp, drawOps, runsInText } from './draw.ts';
import { type EncodedImage, encodePixels } from './encoded-image.ts';
import { EmbeddedFonts } from './fonts.ts';
import { blendsWithBackdrop, drawIsolated } from './groups.ts';
import { imagePicture, LOSSY } from './image-picture.ts';
import { keepDrawing } from './kept-images.ts';
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
  /** Is told what became otherwise than it was asked for. */
  readonly warn?: ((odd: Diagnostic) => void) | undefined;
  /** Stops the work before the next picture, or at the end of a time slice. */
  readonly signal?: AbortSignal | undefined;
}

const LOST_INKS = {
  'inks-in-gradient':
    'Inks of device-cmyk() are written in sRGB in a gradient that has other colours, or another color space, too.',
  'inks-filtered': 'Inks of device-cmyk() are written in sRGB under a filter, and in a blurred shadow.',
};

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
  for (const code of document.lostInks) options.warn?.({ code, layer: null, message: LOST_INKS[code] });
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

// Has the raster back end draw a group whose filters PDF cannot express, and embeds the pixels as a picture.
//
// The picture holds the filtered pixels only: transform, clip, opacity and blend mode stay PDF operators, so edges stay
// sharp.

/**
 * Most pixels per standard deviation of a blur. Neighbouring pixels then differ by 13 levels of 255 at the steepest,
 * and a reader that interpolates shows no difference with more.
 */
const SIGMA_PIXELS = 8;
/** With a blur of at least this many canvas px, a picture has no detail that a reader could lose by interpolating. */
const SMOOTH_SIGMA = 4;
/** Bounds memory and time: a full page of A4 at 200 dpi fits. */
const MAX_PIXELS = 4_000_000;

/** How a group is drawn. */
interface GroupPlan {
  readonly list: DisplayList;
  /** Device px per px of the group's own coordinates. */
  readonly scale: number;
  /** Where it lands, in the group's own coordinates. */
  readonly rect: Rect;
  readonly smooth: boolean;
  /** A digest of everything that determines the pixels, except the images in the group. */
  readonly key: string;
}

/** The group of an unchanged layer is the same object in every render, and nearly always in the same place. */
const PLANS = new WeakMap<GroupOp, { readonly place: string; readonly plan: GroupPlan | null }>();

/**
 * @param toCanvas from the group's own coordinates
 * @returns null when the canvas shows nothing of it
 */
function groupPicture(
  context: PictureContext,
  group: GroupOp,
  toCanvas: Matrix,
  colorMatrices: ColorMatrices | null,
): PictureJob | null {
  const { canvas, resources, tools, signal } = context;
  const place = `${canvas.width} ${canvas.height} ${canvas.bleed ?? 0} ${context.density} ${toCanvas} ${colorMatrices}`;
  let known = PLANS.get(group);
  if (known?.place !== place) {
    known = { place, plan: planGroup(context, group, toCanvas, colorMatrices) };
    PLANS.set(group, known);
  }
  if (!known.plan) return null;
  const { list, scale, rect, smooth, key } = known.plan;
  const encode = async () => {
    const raster = await tools.rasterize(list, resources, scale);
    const pixels = straight(raster);
    returnPixels(raster.pixels);
    signal?.throwIfAborted();
    if (colorMatrices) recolorPixels(pixels.data, pixels.channels, colorMatrices);
    return await encodePixels(pixels, showsLossy(group.ops, resources.images) ? tools.encodeJpeg : null);
  };
  // Image names are positions in the template: in the next render the same name may be another image.
  const keeps = !showsImage(group.ops);
  return { key, place: rect, clip: null, smooth, encode: keeps ? () => keepDrawing(key, encode) : encode };
}

function planGroup(
  context: PictureContext,
  group: GroupOp,
  toCanvas: Matrix,
  colorMatrices: ColorMatrices | null,
): GroupPlan | null {
  const rect = pictureRect(context, group, toCanvas);
  if (!rect) return null;
  const magnification = Math.max(scaleX(toCanvas), scaleY(toCanvas));
  const sigma = magnification * Math.max(0, ...group.filters.map((filter) => sigmaOf(filter)));
  const smooth = sigma >= SMOOTH_SIGMA;
  const wanted =
    magnification * (sigma > 0 ? Math.min(context.density, Math.max(1, SIGMA_PIXELS / sigma)) : context.density);
  const scale = wanted * Math.min(1, Math.sqrt(MAX_PIXELS / (rect.width * rect.height * wanted * wanted)));
  const unplaced: GroupOp = {
    kind: 'group',
    transform: translation(-rect.x, -rect.y),
    opacity: 1,
    blend: 'normal',
    clip: null,
    filters: group.filters,
    text: null,
    ops: group.ops,
  };
  const list: DisplayList = { width: rect.width, height: rect.height, ops: [unplaced] };
  const key = contentName(new TextEncoder().encode(JSON.stringify([list, scale, colorMatrices])));
  return { list, scale, rect, smooth, key };
}

/**
 * The visible part of the filtered group, on whole px, including the area beyond the canvas from which a blur spreads
 * inwards.
 */
function pictureRect({ canvas, resources }: PictureContext, group: GroupOp, toCanvas: Matrix): Rect | null {
  const content = filteredBounds(group, resources.fonts);
  const visible = visibleRect(toCanvas, canvas);
  const rect = content && visible && intersection(content, inflate(visible, filterReach(group.filters)));
  if (!rect) return null;
  const x = Math.floor(rect.x);
  const y = Math.floor(rect.y);
  return { x, y, width: Math.ceil(rect.x + rect.width) - x, height: Math.ceil(rect.y + rect.height) - y };
}

function sigmaOf(filter: Filter): number {
  return filter.kind === 'blur' ? filter.sigma : 0;
}

const partsOf = ({ ops, mask = [] }: GroupOp): readonly PaintOp[] => [...ops, ...mask];

function showsImage(ops: readonly PaintOp[]): boolean {
  return ops.some((op) => (op.kind === 'group' ? showsImage(partsOf(op)) : op.kind === 'image'));
}

function showsLossy(ops: readonly PaintOp[], images: ReadonlyMap<string, ImageResource>): boolean {
  return ops.some((op) => {
    if (op.kind === 'group') return showsLossy(partsOf(op), images);
    const image = op.kind === 'image' ? images.get(op.image) : undefined;
    return image !== undefined && LOSSY.includes(image.format);
  });
}

/** Unpremultiplies colours, because PDF's soft masks apply to straight ones. */
function straight({ width, height, pixels }: Raster): Pixels {
  const data = new Uint8Array(pixels.length);
  for (let i = 0; i < pixels.length; i += 4) {
    const a = pixels[i + 3] as number;
    if (a === 0) continue;
    for (let channel = i; channel < i + 3; channel++) {
      data[channel] = Math.min(255, Math.round(((pixels[channel] as number) * 255) / a));
    }
    data[i + 3] = a;
  }
  return { width, height, channels: 4, data };
}
