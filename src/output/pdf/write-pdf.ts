// A display list in, a one-page vector PDF out: real text from the list's own glyph runs, in the list's order.
//
// First whatever has to be awaited (pictures), then the drawing; then the fonts, when it is known which glyphs are in
// use. Long pages are written in turns. The same list, resources and options give the same bytes, in every process.

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
import type { Target } from './target.ts';
import { Turn } from './turn.ts';
import { writeType0Font } from './type0-font.ts';

export type { PixelTools } from './picture.ts';

export interface PdfOptions {
  readonly tools: PixelTools;
  /** What the document says of itself, over what the list has. */
  readonly properties?: DocumentProperties | undefined;
  readonly createdAt: Date;
}

/** Pixels to the inch, where nobody asks for another. */
const DENSITY = 300;
const PIXELS_PER_INCH = 96;

/** Page size: canvas px as CSS px, 96 to the inch, so 1 px = 0.75 pt. PDF 1.7. */
export async function writePdf(list: DisplayList, resources: Resources, options: PdfOptions): Promise<Uint8Array> {
  const properties = { ...list.document, ...options.properties };
  const density = (properties.density ?? DENSITY) / PIXELS_PER_INCH;
  const pictures = await loadPictures(list, resources, options.tools, density);
  const document = new PdfDocument(list, properties, options.createdAt);
  const fonts = new EmbeddedFonts(document, resources.fonts);
  const content = new ContentStream();
  const target: Target = {
    document,
    content,
    faces: resources.fonts,
    fonts,
    pictures,
    said: runsInText(list.ops),
    streamMatrix: document.pageMatrix,
    canvasMatrix: IDENTITY,
    colorMatrix: null,
    opacity: 1,
  };
  const turn = new Turn();
  // A page is blended with paper, which is white; the canvas starts transparent, so blending needs one of its own.
  if (blendsWithBackdrop(list.ops)) drawIsolated(target, list.ops, { x: 0, y: 0, ...list }, drawOps);
  else await drawInTurns(target, list.ops, turn);
  for (const subset of fonts.subsets) {
    if (turn.isOver) await turn.pass();
    writeType0Font(document, subset);
  }
  if (turn.isOver) await turn.pass();
  return document.finish(content);
}

async function drawInTurns(target: Target, ops: readonly PaintOp[], turn: Turn): Promise<void> {
  for (const op of ops) {
    if (turn.isOver) await turn.pass();
    drawOp(target, op);
  }
}
