// Warnings about a picture: core's diagnostics, pictures too small for their boxes, and text with low contrast.

import { type Color, parseColor } from '#core/color.ts';
import { intersection, type Rect, rectContains, transformRect } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { lostContent } from '#core/lost-content.ts';
import type { ChartNode, Fill, ImageNode, ShapeNode } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { isOrnament } from '#core/text/ornament.ts';
import { texts } from '../../../texts/editor.ts';
import { findLayer } from '../document/document.ts';
import { contrast } from './color-model.ts';
import { type Picture, pictureless } from './compositor.ts';

export interface Warning {
  readonly code: string;
  readonly layer: string | null;
  readonly message: string;
}

/** WCAG 2.2: 4.5 for text, 3 for large text; a contrast below 3 causes a warning at any size. */
const [READABLE, LARGE] = [4.5, 3];
const LARGE_SIZE = 24;
/** A picture drawn at more than this many canvas px per pixel looks soft. */
const SOFT = 1.5;

export function findWarnings(picture: Picture): readonly Warning[] {
  const { scene, layout, resources, diagnostics } = picture;
  const found: Warning[] = [...diagnostics, ...lostContent(scene, layout, resources)];
  for (const { layer, shown, all } of picture.cut) {
    found.push({ code: 'rows-not-shown', layer, message: texts.value.scene.firstRows(layer, shown, all) });
  }
  const leftOut = pictureless(picture);
  const bounds = picture.boxes.map(({ matrix, rect }) => transformRect(matrix, rect));
  for (const located of picture.boxes) {
    const { box, name } = located;
    if (box.kind === 'text') {
      const ratio = contrastOf(picture, located, bounds);
      const size = Math.max(...box.node.spans.map(({ style }) => style.fontSize)) * box.paragraph.scale;
      const least = size >= LARGE_SIZE ? LARGE : READABLE;
      if (ratio !== null && ratio < least) {
        found.push({ code: 'contrast', layer: name, message: texts.value.scene.contrast(name, ratio, least) });
      }
    } else if (box.kind === 'leaf' && box.node.type === 'image' && !leftOut.has(name)) {
      const scale = upscale(picture, located);
      if (scale !== null && scale > SOFT) {
        found.push({ code: 'small-image', layer: name, message: texts.value.scene.smallImage(name, scale) });
      }
    }
  }
  for (const { words, by } of coveredWords(picture.boxes, resources.images)) {
    found.push({ code: 'covered-words', layer: words, message: texts.value.scene.coveredWords(words, by) });
  }
  return found;
}

/** How many canvas px one pixel of a raster picture covers: of its operation within its box, as others may show it, too. */
function upscale({ list }: Picture, { box, name }: LocatedBox): number | null {
  if (box.kind !== 'leaf' || box.node.type !== 'image') return null;
  const key = box.node.image;
  const around = { x: box.rect.x - 1, y: box.rect.y - 1, width: box.rect.width + 2, height: box.rect.height + 2 };
  const visit = (ops: typeof list.ops): number | null => {
    for (const op of ops) {
      if (op.kind === 'image' && op.image === key && rectContains(around, op.dest))
        return Math.max(op.dest.width / op.source.width, op.dest.height / op.source.height);
      const inner = op.kind === 'group' ? visit(op.ops) : null;
      if (inner !== null) return inner;
    }
    return null;
  };
  return name === '' ? null : visit(list.ops);
}

/** The contrast of one colour on one colour; null if either is not a plain colour, or a picture lies between. */
function contrastOf(picture: Picture, located: LocatedBox, bounds: readonly Rect[]): number | null {
  const { box } = located;
  if (box.kind !== 'text' || box.node.lineBackground) return null;
  const fill = box.node.strut.fill;
  if (fill.kind !== 'solid') return null;
  const behind = backgroundOf(picture, located, bounds);
  return behind === null ? null : contrast(over(fill.color, behind), behind);
}

/** @param bounds of all boxes, on the canvas */
function backgroundOf(picture: Picture, located: LocatedBox, bounds: readonly Rect[]): Color | null {
  const around = transformRect(located.matrix, located.box.kind === 'text' ? located.box.content : located.rect);
  const canvas = parseColor(String(picture.document.background ?? '#ffffff'));
  let color: Color | null =
    typeof picture.document.background === 'object' && picture.document.background !== null ? null : canvas;
  for (const [i, below] of picture.boxes.entries()) {
    if (below === located) break;
    const area = bounds[i];
    if (!area || !rectContains(area, around) || below.box.node.opacity < 1) continue;
    const layer = findLayer(picture.document, below.name);
    const { box } = below;
    // Whether a star or a path lies behind each letter is not measured.
    const isCurved =
      box.kind === 'leaf' && box.node.type === 'shape' && box.node.outline.kind !== 'rect' && box.node.fill;
    if (isCurved || (box.kind === 'leaf' && box.node.type === 'image')) color = null;
    const paint =
      below.box.kind === 'frame'
        ? layer?.background
        : below.box.kind === 'leaf' && below.box.node.type === 'shape' && below.box.node.outline.kind === 'rect'
          ? layer?.fill === undefined
            ? '#000000'
            : layer.fill
          : null;
    if (typeof paint === 'string') {
      const own = parseColor(paint);
      color = own && color ? over(own, color) : own?.a === 1 ? own : null;
    } else if (paint) color = null;
  }
  return color;
}

function over(top: Color, below: Color): Color {
  const mix = (a: number, b: number) => a * top.a + b * (1 - top.a);
  return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
}

// Finds words that lie under another layer: a picture, a code, other words, or what is filled and lets nothing through.
//
// Words behind their own frame’s ornaments, faint layers and what blends are by design, and so is a corner of a letter.

interface Covered {
  readonly words: string;
  /** The layer in front. */
  readonly by: string;
}

/** The part of a font's ascent that capitals take; what reaches above and below them is small. */
const CAPITALS = 0.72;
/** How much of a line must be covered: of its height, both across and along. */
const [ACROSS, ALONG] = [0.3, 0.6];
/** Below this opacity a layer is a watermark. */
const FAINT = 0.5;

/** Each text once, with the first layer in front that hides some of it. */
function coveredWords(boxes: readonly LocatedBox[], images: Resources['images']): readonly Covered[] {
  const areas = boxes.map((box) => areasOf(box, images));
  return boxes.flatMap((located, at): Covered[] => {
    if (located.box.kind !== 'text') return [];
    const lines = areas[at] ?? [];
    const by = boxes.findIndex(
      (front, i) =>
        i > at && front.name !== located.name && (areas[i] ?? []).some((area) => lines.some(hiddenBy(area))),
    );
    return by < 0 ? [] : [{ words: located.name, by: boxes[by]?.name ?? '' }];
  });
}

const hiddenBy =
  (area: Rect) =>
  (line: Rect): boolean => {
    const both = intersection(area, line);
    return (
      both !== null && both.height >= line.height * ACROSS && both.width >= Math.min(line.width, line.height) * ALONG
    );
  };

/** Where a box lets nothing through, on the canvas; of a text, its lines from the baseline to the height of capitals. */
function areasOf({ box, rect, matrix }: LocatedBox, images: Resources['images']): readonly Rect[] {
  const { node } = box;
  if (node.opacity < (box.kind === 'text' ? FAINT : 1) || node.blend !== 'normal' || node.mask !== null) return [];
  switch (box.kind) {
    case 'text': {
      const { content, paragraph } = box;
      const text = box.node.spans.map((span) => span.text).join('');
      if (box.node.arc !== null || box.node.writingMode !== 'horizontal-tb' || isOrnament(text)) return [];
      return paragraph.lines.map(({ box: line, baseline, ascent }) => {
        const height = ascent * CAPITALS;
        const place = { x: content.x + line.x, y: content.y + baseline - height, width: line.width, height };
        return transformRect(matrix, place);
      });
    }
    case 'frame':
      return isOpaque(box.node.background) ? [transformRect(matrix, rect)] : [];
    case 'leaf':
      return isPlate(box.node, images) ? [transformRect(matrix, rect)] : [];
    case 'code':
      return [transformRect(matrix, rect)];
    default:
      return [];
  }
}

/** Whether a shape or a picture fills its box. Of a drawing, or a picture that may have holes, nobody knows. */
function isPlate(node: ImageNode | ShapeNode | ChartNode, images: Resources['images']): boolean {
  if (node.type === 'shape') return node.outline.kind === 'rect' && isOpaque(node.fill);
  if (node.type !== 'image' || (node.fit !== 'cover' && node.fit !== 'fill')) return false;
  return images.get(node.image)?.format === 'jpeg';
}

const isOpaque = (fill: Fill | null): boolean => fill?.kind === 'solid' && fill.color.a === 1;
