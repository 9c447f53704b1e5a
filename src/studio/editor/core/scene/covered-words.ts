// Finds words that lie under another layer: a picture, a code, other words, or what is filled and lets nothing through.
//
// Words behind their own frame’s ornaments, faint layers and what blends are by design, and so is a corner of a letter.

import { intersection, type Rect, transformRect } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import type { ChartNode, Fill, ImageNode, ShapeNode } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { isOrnament } from '#core/text/ornament.ts';

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
export function coveredWords(boxes: readonly LocatedBox[], images: Resources['images']): readonly Covered[] {
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
