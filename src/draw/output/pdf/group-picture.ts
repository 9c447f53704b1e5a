// Has the raster back end draw a group whose filters PDF cannot express, and embeds the pixels as a picture.
//
// The picture holds the filtered pixels only: transform, clip, opacity and blend mode stay PDF operators, so edges stay
// sharp.

import { contentName } from '#base/runtime.ts';
import { inflate, intersection, type Matrix, type Rect, translation } from '#core/geometry.ts';
import { filteredBounds, filterReach } from '#core/paint/bounds.ts';
import type { DisplayList, Filter, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';
import { returnPixels } from '#draw/images/pixel-pool.ts';
import type { Pixels, Raster } from '#draw/images/raster.ts';
import { scaleX, scaleY, visibleRect } from './canvas-space.ts';
import { type ColorMatrices, recolorPixels } from './color-matrix.ts';
import { encodePixels } from './encoded-image.ts';
import { LOSSY } from './image-picture.ts';
import { keepDrawing } from './kept-images.ts';
import type { PictureContext, PictureJob } from './picture.ts';

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
export function groupPicture(
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
