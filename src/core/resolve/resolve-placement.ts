// Resolves a layer's size, position and layout properties to its Placement.

import { ValidationError } from '../diagnostics.ts';
import type { Layer } from '../template/layer.ts';
import { resolveDimension, resolveEdges } from './resolve-style.ts';
import type { Placement } from './scene.ts';

/** @throws ValidationError below `pathOf(layer)`, when a minimum is above its maximum */
export function checkPlacement(layer: Layer, pathOf: (layer: Layer) => string): void {
  const { minWidth, maxWidth, minHeight, maxHeight } = layer;
  if (minWidth !== null && maxWidth !== null && minWidth > maxWidth) {
    throw new ValidationError(`${pathOf(layer)}.minWidth`, 'must not be more than maxWidth');
  }
  if (minHeight !== null && maxHeight !== null && minHeight > maxHeight) {
    throw new ValidationError(`${pathOf(layer)}.minHeight`, 'must not be more than maxHeight');
  }
}

/**
 * @param flows whether the parent lays its children out
 * @param pathOf the path of the layer in the caller's input
 * @throws ValidationError naming the path, when a minimum is above its maximum
 */
export function resolvePlacement(layer: Layer, flows: boolean, pathOf: (layer: Layer) => string): Placement {
  checkPlacement(layer, pathOf);
  const { minWidth, maxWidth, minHeight, maxHeight } = layer;
  const circle = layer.type === 'text' && layer.textPath !== null ? 2 * layer.textPath.radius : null;
  return {
    x: layer.x,
    y: layer.y,
    width: resolveDimension(layer.width === 'hug' ? (circle ?? 'hug') : layer.width),
    height: resolveDimension(layer.height === 'hug' ? (circle ?? 'hug') : layer.height),
    absolute: !flows || layer.position === 'absolute',
    minWidth,
    maxWidth,
    minHeight,
    maxHeight,
    aspectRatio: layer.aspectRatio,
    flexGrow: layer.flexGrow,
    // Text, and frames that hug their width, shrink for their neighbours; other boxes keep the size they were given.
    flexShrink: layer.flexShrink ?? (layer.type === 'text' || isHuggingFrame(layer) ? 1 : 0),
    flexBasis: layer.flexBasis === null ? null : resolveDimension(layer.flexBasis),
    alignSelf: layer.alignSelf,
    justifySelf: layer.justifySelf,
    grid: {
      column: layer.gridColumn === null ? null : layer.gridColumn - 1,
      row: layer.gridRow === null ? null : layer.gridRow - 1,
      columnSpan: layer.columnSpan,
      rowSpan: layer.rowSpan,
    },
    margin: resolveEdges(layer.margin),
  };
}

/** Whether a layer is a frame as wide as its in-flow children. */
function isHuggingFrame(layer: Layer): boolean {
  return layer.type === 'frame' && layer.layout !== null && layer.width === 'hug';
}
