// Draws a display list through SVG with resvg: the oracle that the painter is compared with.

import { IDENTITY, type Matrix, multiply } from '#core/geometry.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { writeIn } from '#draw/images/decode-task.ts';
import { openPixels } from '#draw/images/open-image.ts';
import type { Raster } from '#draw/images/raster.ts';
import { scaleToPixels, scaleToPng } from '#draw/images/scale.ts';
import { nearestPixels, wholePixels } from '#draw/output/nearest-pixels.ts';
import { snapped, uprightScale } from '#draw/output/raster/letters.ts';
import { type ImageOp, type PlacedImage, placeImages } from '#draw/output/raster/place-images.ts';
import { drawSvgText } from './draw-svg-text.ts';

export async function drawByResvg(drawn: DisplayList, resources: Resources): Promise<Raster> {
  const { list, images } = placeImages(drawn, IDENTITY, drawn, resources.images);
  const hrefs = new Map<ImageOp, string>();
  for (const [op, placed] of images) {
    const png = await shownPng(placed);
    hrefs.set(op, `data:image/png;base64,${Buffer.from(png).toString('base64')}`);
  }
  const ops = list.ops.map((op) => withSnappedLetters(op, IDENTITY));
  const svg = writeSvg({ ...list, ops }, resources, {
    imageHref: (op) => hrefs.get(op) ?? null,
    isOnGrid: (op) => images.get(op)?.isOnGrid ?? false,
  });
  return drawSvgText(svg, { width: list.width, height: list.height });
}

async function shownPng({ image, source, size, isPixelated }: PlacedImage): Promise<Uint8Array> {
  const whole = isPixelated ? wholePixels(image, source) : null;
  if (whole === null) return scaleToPng(image, source, size);
  const { data, channels } = await scaleToPixels(image, whole, { width: whole.width, height: whole.height });
  const nearest = nearestPixels(data, channels, whole, source, size);
  return writeIn('png', openPixels(nearest, { ...size, channels }));
}

/** Moves letters to where the painter puts them. */
function withSnappedLetters(op: PaintOp, around: Matrix): PaintOp {
  if (op.kind === 'group') {
    const matrix = multiply(around, op.transform);
    const isUntouched = !op.ops.some((inner) => inner.kind === 'glyphs' || inner.kind === 'group');
    return isUntouched ? op : { ...op, ops: op.ops.map((inner) => withSnappedLetters(inner, matrix)) };
  }
  const scale = uprightScale(around);
  if (op.kind !== 'glyphs' || scale === null) return op;
  const { run, origin } = op;
  const snap = (x: number) => (snapped(scale * x + around[4]) - around[4]) / scale;
  const glyphs = run.glyphs.map((glyph) => ({ ...glyph, x: snap(origin.x + glyph.x) - origin.x }));
  return { ...op, run: { ...run, glyphs } };
}
