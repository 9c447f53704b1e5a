// Resolves a layer's size, position and layout properties to its Placement.

import { type ChildLines, parseLines } from '../template/grid-syntax.ts';
import type { Layer } from '../template/layer.ts';
import {
  resolveDimension,
  resolveEdges,
  resolveIntrinsic,
  resolveLength,
  resolvePercentEdges,
  sidesOf,
} from './resolve-style.ts';
import type { Inset, Placement, RelativeSizes } from './scene.ts';

/** @param flows whether the parent lays its children out */
export function resolvePlacement(layer: Layer, flows: boolean): Placement {
  const { minWidth, maxWidth, minHeight, maxHeight } = layer;
  const circle = layer.type === 'text' && layer.textPath !== null ? 2 * layer.textPath.radius : null;
  return {
    x: layer.x,
    y: layer.y,
    width: resolveDimension(layer.width === 'hug' ? (circle ?? 'hug') : layer.width),
    height: resolveDimension(layer.height === 'hug' ? (circle ?? 'hug') : layer.height),
    absolute: !flows || layer.position === 'absolute',
    inset: resolveInset(layer, flows),
    autoMargins: resolveAutoMargins(layer.margin),
    relative: resolveRelative(layer),
    minWidth: typeof minWidth === 'number' ? minWidth : null,
    maxWidth: typeof maxWidth === 'number' ? maxWidth : null,
    minHeight: typeof minHeight === 'number' ? minHeight : null,
    maxHeight: typeof maxHeight === 'number' ? maxHeight : null,
    aspectRatio: layer.aspectRatio,
    flexGrow: layer.flexGrow,
    // Text, and frames that hug their width, shrink for their neighbours; other boxes keep the size they were given.
    flexShrink: layer.flexShrink ?? (layer.type === 'text' || isHuggingFrame(layer) ? 1 : 0),
    flexBasis: layer.flexBasis === null ? null : resolveDimension(layer.flexBasis),
    alignSelf: layer.alignSelf,
    justifySelf: layer.justifySelf,
    grid: resolveGrid(layer),
    margin: resolveEdges(layer.margin),
  };
}

function resolveGrid({ gridColumn, gridRow, columnSpan, rowSpan, gridArea }: Layer): Placement['grid'] {
  const column = linesOf(gridColumn);
  const row = linesOf(gridRow);
  const isOpen = gridArea !== null || [column, row].some(({ start, end }) => start !== null || end !== null);
  return {
    column: column.first,
    row: row.first,
    columnSpan: column.span ?? columnSpan,
    rowSpan: row.span ?? rowSpan,
    lines: isOpen
      ? {
          area: gridArea,
          columnStart: column.start,
          columnEnd: column.end,
          rowStart: row.start,
          rowEnd: row.end,
        }
      : null,
  };
}

function linesOf(lines: Layer['gridColumn']): ChildLines {
  if (typeof lines === 'string') return parseLines(lines) ?? ANYWHERE;
  return lines === null ? ANYWHERE : { ...ANYWHERE, first: lines - 1 };
}

const ANYWHERE: ChildLines = { first: null, span: null, start: null, end: null };

/** Distances from the sides, of a layer that is not laid out where its frame puts it; null = by x and y. */
function resolveInset(layer: Layer, flows: boolean): Inset | null {
  const { top, right, bottom, left, x, y } = layer;
  if (top === null && right === null && bottom === null && left === null) return null;
  if (flows && layer.position === 'static') return null;
  const lengthOf = (side: typeof top) => (side === null || side === 'auto' ? null : resolveLength(side));
  const inset = { top: lengthOf(top), right: lengthOf(right), bottom: lengthOf(bottom), left: lengthOf(left) };
  if (flows && layer.position === 'relative') return inset;
  return {
    ...inset,
    left: left === null && right === null ? resolveLength(x) : inset.left,
    top: top === null && bottom === null ? resolveLength(y) : inset.top,
  };
}

function resolveAutoMargins(margin: Layer['margin']): Placement['autoMargins'] {
  return [margin].flat().includes('auto') ? sidesOf(margin, (side) => side === 'auto') : null;
}

function resolveRelative(layer: Layer): RelativeSizes | null {
  const { width, height, flexBasis, minWidth, maxWidth, minHeight, maxHeight } = layer;
  const padding = layer.type === 'frame' ? layer.padding : 0;
  const isText = (value: unknown) => typeof value === 'string';
  const isPlain =
    typeof layer.margin === 'number' &&
    typeof padding === 'number' &&
    ![minWidth, maxWidth, minHeight, maxHeight].some(isText) &&
    ![width, height, flexBasis].some((size) => resolveIntrinsic(size) !== null);
  if (isPlain) return null;
  const limit = (value: typeof minWidth) =>
    typeof value === 'string' ? (resolveIntrinsic(value) ?? resolveLength(value)) : null;
  const percent = (value: typeof minHeight) => (typeof value === 'string' ? resolveLength(value) : null);
  const relative = {
    margin: resolvePercentEdges(layer.margin),
    padding: resolvePercentEdges(padding),
    width: resolveIntrinsic(width),
    height: resolveIntrinsic(height),
    flexBasis: resolveIntrinsic(flexBasis),
    minWidth: limit(minWidth),
    maxWidth: limit(maxWidth),
    minHeight: percent(minHeight),
    maxHeight: percent(maxHeight),
  };
  return Object.values(relative).every((value) => value === null) ? null : relative;
}

/** Whether a layer is a frame as wide as its in-flow children. */
function isHuggingFrame(layer: Layer): boolean {
  if (layer.type !== 'frame' || layer.layout === null) return false;
  return layer.width === 'hug' || resolveIntrinsic(layer.width) !== null;
}
