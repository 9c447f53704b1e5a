// Paints frames, images, shapes and codes; `paint.ts` adds what every node can have, such as shadows and opacity.
//
// Of a frame: background, inset shadows, border and children, in CSS's order.

import { inflate, inset, intersection, isSameRect, type Rect } from '../geometry.ts';
import { borderWidths, paddingBoxOf, widestBorder } from '../layout/border-box.ts';
import type { CodeBox } from '../layout/box.ts';
import { fitImage, tileRects } from '../layout/image-fit.ts';
import type { PathData } from '../path.ts';
import type { Fill, FrameNode, ImageNode, ShapeNode, Tiles } from '../resolve/scene.ts';
import type { ImageResource, Resources } from '../resources.ts';
import type { FontSet } from '../text/font-set.ts';
import { borderOps } from './border.ts';
import { filterReach } from './bounds.ts';
import type { PaintOp } from './display-list.ts';
import { layerFilters } from './filter.ts';
import { brushFor, isOpaqueBrush } from './gradient.ts';
import { clipped, clippedToBox, group } from './group.ts';
import { memoizePaint } from './memoize-paint.ts';
import { fitRadii, innerRadii, isSharp, outlinePath, rectPath, roundedRectPath, SHARP } from './outline.ts';
import { paintLines } from './paint-text.ts';
import type { PaintResult } from './shadow.ts';
import { insetShadows } from './shadow.ts';
import { borderImageOps, edgeLineOps, paddingEdge, sideBorderOps } from './side-borders.ts';
import type { View } from './view.ts';

/**
 * @param children clipped, if the frame clips them
 * @param placed where layout has it, through which its lines go; they have whole px by themselves
 */
export function paintFrame(node: FrameNode, box: Rect, children: readonly PaintOp[], placed: Rect = box): PaintResult {
  const { border, sideBorders, borderImage, background, shadows, clip } = node;
  // Those of a table's cells that collapse are room alone.
  const isRoom = node.lines !== undefined && node.backdropFilters === null;
  const hasBorder = !isRoom && (border !== null || sideBorders !== null);
  const lines = node.lines ? edgeLineOps(placed, node.lines) : [];
  if (background === null && !hasBorder && shadows.length === 0 && !clip)
    return { ops: lines.length > 0 ? [...lines, ...children] : children, caster: null };
  const radii = fitRadii(box, node.radii);
  const paddingBox = paddingBoxOf(node, box);
  const filled = backgroundOps(node, box, paddingBox);
  return {
    ops: [
      ...filled,
      ...insetShadows(shadows, { kind: 'rect', radii: innerRadii(radii, widestBorder(node)) }, paddingBox),
      ...(borderImage
        ? borderImageOps(box, borderWidths(node), borderImage)
        : border
          ? borderOps(box, radii, border)
          : sideBorders
            ? sideBorderOps(box, radii, sideBorders)
            : []),
      ...lines,
      ...children,
    ],
    caster: {
      outline: { kind: 'rect', radii },
      box,
      reach: 0,
      opaque: filled.some((op) => op.kind === 'fill' && isOpaqueBrush(op.brush)),
    },
  };
}

/** What is in a frame, within its padding box if it clips. */
export function clippedByFrame(
  node: FrameNode,
  box: Rect,
  children: readonly PaintOp[],
  fonts: FontSet,
): readonly PaintOp[] {
  if (!node.clip) return children;
  const radii = fitRadii(box, node.radii);
  return node.sideBorders && !isSharp(radii)
    ? clipped(children, { path: paddingEdge(box, radii, node.sideBorders), rule: 'nonzero' })
    : clippedToBox(children, paddingBoxOf(node, box), innerRadii(radii, widestBorder(node)), fonts);
}

export function backgroundOps(node: FrameNode, box: Rect, paddingBox: Rect): readonly PaintOp[] {
  const { background, border, radii } = node;
  if (background === null || box.width <= 0 || box.height <= 0) return [];
  if (node.tiles) {
    const tiles = (tileRects(node.tiles, null, paddingBox) ?? []).flatMap((tile): readonly PaintOp[] => {
      const shown = intersection(tile, paddingBox);
      if (!shown) return [];
      const brush = brushFor(background, tile);
      return [{ kind: 'fill', path: roundedRectPath(shown, SHARP), rule: 'nonzero', brush }];
    });
    const outer = fitRadii(box, radii);
    return isSharp(outer) ? tiles : clipped(tiles, { path: roundedRectPath(box, outer), rule: 'nonzero' });
  }
  return fillOps(background, { border, radii, box, paddingBox });
}

interface Background extends Pick<FrameNode, 'border' | 'radii'> {
  readonly box: Rect;
  /** `box` without the border. */
  readonly paddingBox: Rect;
}

function isSameBackground(a: Background, b: Background): boolean {
  return a.border === b.border && a.radii === b.radii && isSameRect(a.box, b.box);
}

const fillOps = memoizePaint(isSameBackground, (background: Fill, place: Background): readonly PaintOp[] => {
  const { border, radii, box, paddingBox } = place;
  // Under an opaque border the background ends half-way, or its colour would show along the border's antialiased edge.
  const hidden = border?.style === 'solid' && border.color.a === 1 ? border.width / 2 : 0;
  const path = roundedRectPath(inset(box, hidden), innerRadii(fitRadii(box, radii), hidden));
  return [{ kind: 'fill', path, rule: 'nonzero', brush: brushFor(background, paddingBox) }];
});

// Paints an image, cropped, filtered and rounded, and its border.

const CENTRE = { x: 0.5, y: 0.5 };

export function paintImage(node: ImageNode, box: Rect, image: ImageResource): PaintResult {
  if (node.tiles) return { ops: tileOps(node, node.tiles, box, image), caster: null };
  const { border, sideBorders } = node;
  const outer = fitRadii(box, node.radii);
  const content = paddingBoxOf(node, box);
  const radii = innerRadii(outer, widestBorder(node));
  const isOpen = node.isReplaced && node.fit === 'fill' && image.ownFit === 'none';
  const focus = isOpen ? { x: 0, y: 0 } : node.focus === 'auto' ? (image.focus ?? CENTRE) : node.focus;
  const placement = fitImage(image, content, usedFit(node, image), focus, node.zoom, node.shift);
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

/** CSS Images 3, 5.2 and 5.5: a drawing without a size of its own is as large as its box has room for. */
function usedFit({ fit, isReplaced }: ImageNode, image: ImageResource): ImageNode['fit'] {
  if (!isReplaced) return fit;
  if (fit === 'fill') return image.ownFit ?? fit;
  return image.hasNoSize && fit !== 'cover' ? 'contain' : fit;
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

// Paints a shape: fill, inset shadows and stroke.

/** SVG's default: corners sharper than about 29 degrees are bevelled. */
const MITER_LIMIT = 4;

export const paintShape = memoizePaint(isSameRect, (node: ShapeNode, box: Rect): PaintResult => {
  const path = outlinePath(node.outline, box);
  const stroke = strokeOps(node, path, box);
  // Neither a line nor a box without area has an inside.
  if (node.fill === null || node.outline.kind === 'line' || box.width <= 0 || box.height <= 0) {
    return { ops: stroke, caster: null };
  }
  const brush = brushFor(node.fill, box);
  return {
    ops: [
      { kind: 'fill', path, rule: node.fillRule, brush },
      ...insetShadows(node.shadows, node.outline, box),
      ...stroke,
    ],
    caster: {
      outline: node.outline,
      box,
      reach: stroke.length > 0 && node.stroke ? node.stroke.width / 2 : 0,
      opaque: isOpaqueBrush(brush) && (node.stroke === null || isOpaqueBrush(brushFor(node.stroke.fill, box))),
    },
  };
});

function strokeOps({ stroke }: ShapeNode, path: PathData, box: Rect): readonly PaintOp[] {
  if (stroke === null || stroke.width <= 0 || path.length === 0) return [];
  const { width, dash, cap, join } = stroke;
  // As in SVG and PDF, a pattern without any length is a solid line.
  const dashed = dash.some((length) => length > 0);
  return [
    {
      kind: 'stroke',
      path,
      stroke: { width, cap, join, miterLimit: MITER_LIMIT, dash: dashed ? dash : [] },
      brush: brushFor(stroke.fill, box),
    },
  ];
}

// Paints the background, dark modules and caption of a barcode or QR code.
//
// All dark modules are one path: drawn one by one, neighbours would leave hairlines that scanners misread.

export function paintCode(box: CodeBox, fonts: FontSet, view: View): PaintResult {
  const { node, rect, area, captions } = box;
  if (rect.width <= 0 || rect.height <= 0) return { ops: [], caster: null };
  const ops: PaintOp[] = [];
  const background = node.background && brushFor(node.background, rect);
  if (background) ops.push({ kind: 'fill', path: rectPath(rect), rule: 'nonzero', brush: background });
  const path = area.width > 0 && area.height > 0 ? darkPath(box) : [];
  if (path.length > 0) ops.push({ kind: 'fill', path, rule: 'nonzero', brush: brushFor(node.fill, area) });
  for (const { span, paragraph, content } of captions) {
    ops.push(
      ...paintLines({
        paragraph,
        spans: [span],
        own: span.style,
        space: { origin: content, vertical: false },
        isCentred: false,
        brushBox: rect,
        fonts,
        images: NO_IMAGES,
        view,
      }),
    );
  }
  return {
    ops,
    caster: background && {
      outline: { kind: 'rect', radii: SHARP },
      box: rect,
      reach: 0,
      opaque: isOpaqueBrush(background),
    },
  };
}

const NO_IMAGES: Resources['images'] = new Map();

/** The dark modules as few rectangles: each run of a row, extended down over the rows that have the same run. */
function darkPath({ modules: { columns, rows, dark }, area, guards }: CodeBox): PathData {
  const done = new Set<number>();
  const isRun = (row: number, from: number, to: number) => {
    for (let column = from; column < to; column++) if (!dark[row * columns + column]) return false;
    const before = from > 0 && dark[row * columns + from - 1];
    const after = to < columns && dark[row * columns + to];
    return !before && !after;
  };
  const rects: Rect[] = [];
  const x = (column: number) => area.x + (area.width * column) / columns;
  const y = (row: number) => area.y + (area.height * row) / rows;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!dark[row * columns + column]) continue;
      const from = column;
      while (column < columns && dark[row * columns + column]) column++;
      if (done.has(row * columns + from)) continue;
      let end = row + 1;
      for (; end < rows && isRun(end, from, column); end++) done.add(end * columns + from);
      const isGuard = guards?.columns.some(([first, last]) => from >= first && from < last);
      const height = y(end) - y(row) + (isGuard ? (guards?.below ?? 0) : 0);
      rects.push({ x: x(from), y: y(row), width: x(column) - x(from), height });
    }
  }
  return rects.flatMap(rectPath);
}
