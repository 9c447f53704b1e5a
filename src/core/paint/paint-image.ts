// Paints an image, cropped, filtered and rounded, and its border.

import { inflate, intersection, type Rect } from '../geometry.ts';
import { paddingBoxOf, widestBorder } from '../layout/border-box.ts';
import { fitImage, tileRects } from '../layout/image-fit.ts';
import type { ImageNode, Tiles } from '../resolve/scene.ts';
import type { ImageResource } from '../resources.ts';
import { borderOps } from './border.ts';
import { filterReach } from './bounds.ts';
import type { PaintOp } from './display-list.ts';
import { layerFilters } from './filter.ts';
import { group } from './group.ts';
import { fitRadii, innerRadii, isSharp, roundedRectPath } from './outline.ts';
import type { PaintResult } from './paint-result.ts';
import { paddingEdge, sideBorderOps } from './side-borders.ts';

const CENTRE = { x: 0.5, y: 0.5 };

export function paintImage(node: ImageNode, box: Rect, image: ImageResource): PaintResult {
  if (node.tiles) return { ops: tileOps(node, node.tiles, box, image), caster: null };
  const { border, sideBorders } = node;
  const outer = fitRadii(box, node.radii);
  const content = paddingBoxOf(node, box);
  const radii = innerRadii(outer, widestBorder(node));
  const focus = node.focus === 'auto' ? (image.focus ?? CENTRE) : node.focus;
  const placement = fitImage(image, content, node.fit, focus, node.zoom);
  const edge = sideBorders ? sideBorderOps(box, outer, sideBorders) : border ? borderOps(box, outer, border) : [];
  if (!placement) return { ops: edge, caster: null };

  const { source, dest } = placement;
  const filters = node.filters ? layerFilters(node.filters) : [];
  const rendering = node.isPixelated && ({ isPixelated: true } as const);
  const picture: PaintOp = { kind: 'image', image: node.image, source, dest, ...rendering };
  // The edge of an opaque picture stays opaque when blurred: a larger copy below supplies the pixels outside it.
  const overscan = image.hasAlpha ? 0 : filterReach(filters);
  const beyond: readonly PaintOp[] = overscan > 0 ? [{ ...picture, dest: inflate(dest, overscan) }] : [];
  const window = isSharp(radii) ? (overscan > 0 ? dest : null) : content;
  const path =
    sideBorders && !isSharp(outer) ? paddingEdge(box, outer, sideBorders) : window && roundedRectPath(window, radii);
  const clip = path && ({ path, rule: 'nonzero' } as const);
  const shown = group({ filters, clip }, [...beyond, picture]);
  return { ops: [...shown, ...edge], caster: image.hasAlpha ? null : opaqueCaster(node, box, content, dest) };
}

/** A picture behind a box, as often as it is repeated. */
function tileOps(node: ImageNode, tiles: Tiles, box: Rect, image: ImageResource): readonly PaintOp[] {
  const rendering = node.isPixelated && ({ isPixelated: true } as const);
  const pictures = (tileRects(tiles, image, box) ?? []).flatMap((tile): readonly PaintOp[] => {
    const dest = intersection(tile, box);
    if (!dest) return [];
    const [x, y] = [image.width / tile.width, image.height / tile.height];
    const source = {
      x: Math.max(0, (dest.x - tile.x) * x),
      y: Math.max(0, (dest.y - tile.y) * y),
      width: Math.min(image.width, dest.width * x),
      height: Math.min(image.height, dest.height * y),
    };
    return [{ kind: 'image', image: node.image, source, dest, ...rendering }];
  });
  const radii = fitRadii(box, node.radii);
  return group({ clip: isSharp(radii) ? null : { path: roundedRectPath(box, radii), rule: 'nonzero' } }, pictures);
}

/** The area that an opaque picture covers, if that is a rounded rectangle. */
function opaqueCaster(node: ImageNode, box: Rect, content: Rect, dest: Rect): PaintResult['caster'] {
  const { radii, border, sideBorders } = node;
  // Borders that differ may leave any part of the edge open.
  if (sideBorders !== null) return { outline: { kind: 'rect', radii }, box, reach: 0, opaque: false };
  const solid = border === null || (border.style === 'solid' && border.color.a === 1);
  if (border !== null || fills(dest, content)) {
    return { outline: { kind: 'rect', radii }, box, reach: 0, opaque: solid };
  }
  return isSharp(radii) ? { outline: { kind: 'rect', radii }, box: dest, reach: 0, opaque: true } : null;
}

function fills(dest: Rect, content: Rect): boolean {
  return content.width - dest.width < 0.001 && content.height - dest.height < 0.001;
}
