// Writes a display list as PDF with pdfkit: the competitor of Platen's writer, on the same list, glyphs and pictures.
//
// It draws what occurs in the samples and the benchmark's cards: no blend modes, no varying opacity, no hidden text.
// Pictures are passed encoded, so that only writing is compared. Glyph runs are written through pdfkit's private
// fields, because it does not accept glyphs that were shaped elsewhere.

import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import type { Brush, DisplayList, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import type { Resources } from '#core/resources.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import type { EncodedImage } from '#draw/output/pdf/encoded-image.ts';
import type { Pictures } from '#draw/output/pdf/picture.ts';

/** The private fields of a font that pdfkit embeds. */
interface PrivateFont {
  readonly id: string;
  ref(): unknown;
  readonly subset: { includeGlyph(id: number): number };
  readonly widths: (number | undefined)[];
  readonly unicode: (readonly number[] | undefined)[];
}
type Private = PDFKit.PDFDocument & {
  _font: PrivateFont;
  readonly page: { readonly fonts: Record<string, unknown>; readonly xobjects: Record<string, unknown> };
};

const PX = 0.75;

/** @param fonts fontkit fonts by the keys of Platen's faces; opened once, as Platen's are */
export async function writeWithPdfkit(
  list: DisplayList,
  resources: Resources,
  pictures: Pictures,
  fonts: ReadonlyMap<string, unknown>,
): Promise<Uint8Array> {
  const size: [number, number] = [list.width * PX, list.height * PX];
  const doc = new PDFDocument({ size, margin: 0, font: null as unknown as string, compress: true }) as Private;
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = once(doc, 'end');
  doc.scale(PX);
  const images = new Map<EncodedImage, string>();
  const drawAll = (ops: readonly PaintOp[]) => {
    for (const op of ops) draw(op);
  };
  const drawImage = (op: PaintOp) => {
    const picture = pictures.get(op);
    // The bench's cards have no pages of PDF files.
    if (!picture || !('color' in picture.image)) return;
    let name = images.get(picture.image);
    if (name === undefined) {
      name = `I${images.size + 1}`;
      images.set(picture.image, name);
      doc.page.xobjects[name] = imageObject(doc, picture.image);
    }
    const { place, clip } = picture;
    doc.save();
    if (clip) doc.rect(clip.x, clip.y, clip.width, clip.height).clip();
    doc.transform(place.width, 0, 0, -place.height, place.x, place.y + place.height);
    doc.addContent(`/${name} Do`);
    doc.restore();
  };
  const drawGroup = (op: GroupOp) => {
    doc.save();
    doc.transform(...op.transform);
    if (op.clip) {
      trace(doc, op.clip.path);
      doc.clip(op.clip.rule === 'evenodd' ? 'even-odd' : 'non-zero');
    }
    if (op.opacity !== 1) doc.opacity(op.opacity);
    if (op.filters.length > 0) drawImage(op);
    else drawAll(op.ops);
    doc.restore();
  };
  const draw = (op: PaintOp) => {
    if (op.kind === 'group') return drawGroup(op);
    if (op.kind === 'image') return drawImage(op);
    if (op.kind === 'link') {
      doc.link(op.rect.x, op.rect.y, op.rect.width, op.rect.height, op.href);
      return;
    }
    if (op.kind === 'glyphs') {
      if (op.brush) showRun(doc, op.run, op.origin, op.brush, resources, fonts);
      return;
    }
    trace(doc, op.path);
    if (op.kind === 'fill') {
      doc.fillColor(color(doc, op.brush), opacityOf(op.brush)).fill(op.rule === 'evenodd' ? 'even-odd' : 'non-zero');
      return;
    }
    doc.lineWidth(op.stroke.width).lineCap(op.stroke.cap).lineJoin(op.stroke.join);
    if (op.stroke.dash.length > 0) doc.dash(op.stroke.dash[0] ?? 1, { space: op.stroke.dash[1] ?? 1 });
    doc.strokeColor(color(doc, op.brush), opacityOf(op.brush)).stroke();
  };
  drawAll(list.ops);
  doc.end();
  await end;
  return Buffer.concat(chunks);
}

function trace(doc: Private, path: PathData): void {
  for (const segment of path) {
    if (segment[0] === 'M') doc.moveTo(segment[1], segment[2]);
    else if (segment[0] === 'L') doc.lineTo(segment[1], segment[2]);
    else if (segment[0] === 'C') {
      const [, x1, y1, x2, y2, x, y] = segment;
      doc.bezierCurveTo(x1, y1, x2, y2, x, y);
    } else doc.closePath();
  }
}

const opacityOf = (brush: Brush) => (brush.kind === 'solid' ? brush.color.a : 1);

function color(doc: Private, brush: Brush): PDFKit.Mixins.ColorValue {
  const rgb = ({ r, g, b }: { r: number; g: number; b: number }): [number, number, number] => [r, g, b];
  if (brush.kind === 'solid') return rgb(brush.color);
  const gradient =
    brush.kind === 'linear'
      ? doc.linearGradient(brush.from.x, brush.from.y, brush.to.x, brush.to.y)
      : doc.radialGradient(0, 0, 0, 0, 0, 1);
  if (brush.kind === 'radial') {
    (gradient as unknown as { setTransform(...m: readonly number[]): void }).setTransform(...brush.transform);
  }
  for (const stop of brush.stops) gradient.stop(stop.offset, rgb(stop.color) as unknown as string, stop.color.a);
  return gradient as unknown as PDFKit.Mixins.ColorValue;
}

function showRun(
  doc: Private,
  run: GlyphRun,
  origin: { readonly x: number; readonly y: number },
  brush: Brush,
  resources: Resources,
  fonts: ReadonlyMap<string, unknown>,
): void {
  doc.font(fonts.get(run.face) as string);
  const font = doc._font;
  doc.page.fonts[font.id] ??= font.ref();
  const face = resources.fonts.face(run.face);
  doc.fillColor(color(doc, brush), opacityOf(brush));
  const elements: string[] = [];
  let codes = '';
  let pen = 0;
  for (const [i, glyph] of run.glyphs.entries()) {
    const code = font.subset.includeGlyph(glyph.id);
    const width = (face.advance(glyph.id) * 1000) / face.unitsPerEm;
    font.widths[code] ??= width;
    const text = run.text.slice(glyph.cluster, run.glyphs[i + 1]?.cluster ?? run.text.length);
    font.unicode[code] ??= Array.from(text, (char) => char.codePointAt(0) ?? 0);
    const adjustment = ((pen - glyph.x) * 1000) / run.fontSize;
    if (Math.abs(adjustment) > 0.005) {
      if (codes) elements.push(`<${codes}>`);
      elements.push(String(Math.round(adjustment * 100) / 100));
      codes = '';
      pen = glyph.x;
    }
    codes += code.toString(16).padStart(4, '0');
    pen += (width * run.fontSize) / 1000;
  }
  if (codes) elements.push(`<${codes}>`);
  doc.addContent(
    `BT\n/${font.id} ${run.fontSize} Tf\n1 0 0 -1 ${origin.x} ${origin.y} Tm\n[${elements.join(' ')}] TJ\nET`,
  );
}

function imageObject(doc: Private, { color: plane, opacity }: EncodedImage): unknown {
  const object = ({ width, height, colorSpace, filter, bytes }: EncodedImage['color'], more: object) => {
    const data = { Type: 'XObject', Subtype: 'Image', Width: width, Height: height, ColorSpace: colorSpace };
    const reference = doc.ref({ ...data, BitsPerComponent: 8, ...filter, ...more });
    reference.end(Buffer.from(bytes));
    return reference;
  };
  return object(plane, opacity ? { SMask: object(opacity, {}) } : {});
}
