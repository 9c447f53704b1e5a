// Divides the extra space of a flex frame that grows among its children: those that have sides in px and together filled
// the frame take it, as wide rules and columns do. All others keep their proportions.

import type { FrameLayer, Layer } from '#core/template/layer.ts';

export interface Share {
  /** Of the child along the side before, px; null = its content decides. */
  readonly length: number | null;
  /** Of the room that the frame gets: 0 = none, 1 = all. */
  readonly share: number;
}

const UNKNOWN: Share = { length: null, share: 0 };
/** How much of a frame children must fill. */
const FILLED = 0.99;

/** @param around the frame's own side before; null = its content decides, so that nothing fills it */
export function shareOfRoom(
  { layout, padding, children }: FrameLayer,
  side: 'width' | 'height',
  around: number | null,
): (child: Layer) => Share {
  const fixed = (child: Layer): Share => {
    const length = child[side];
    return typeof length === 'number' ? { length, share: 0 } : UNKNOWN;
  };
  if (layout?.type !== 'flex' || around === null || typeof padding !== 'number') return fixed;
  const inner = around - 2 * padding;
  const isMain = layout.direction.startsWith('row') === (side === 'width');
  if (!isMain) {
    return (child) => {
      const { length } = fixed(child);
      if (length !== null) return { length, share: length >= inner * FILLED && isPlain(child) ? 1 : 0 };
      const align = child.alignSelf === 'auto' ? layout.align : child.alignSelf;
      const isStretched = child.type === 'frame' && align === 'stretch';
      return isStretched ? { length: inner, share: 1 } : UNKNOWN;
    };
  }
  const flowing = children.filter(({ position, visible }) => position !== 'absolute' && visible);
  const sum = flowing.reduce((all, child) => all + (fixed(child).length ?? Number.NaN), 0);
  const gaps = (typeof layout.gap === 'number' ? layout.gap : 0) * (flowing.length - 1);
  const isFilled = sum + gaps >= inner * FILLED && sum + gaps <= inner / FILLED && flowing.every(isPlain);
  return (child) => {
    const { length } = fixed(child);
    return length === null ? UNKNOWN : { length, share: isFilled ? length / sum : 0 };
  };
}

/** Whether a layer keeps its look when it is stretched. */
const isPlain = (layer: Layer): boolean =>
  layer.type === 'shape'
    ? layer.rotation % 180 === 0 && (layer.shape === 'rect' || layer.shape === 'line')
    : layer.type !== 'qr' && layer.type !== 'barcode';
