// The rows of the layer tree, and the drop position of dragged rows. What lies over each other is listed front to back; what a
// layout puts one after the other is listed as it is read.

import { framesAround, type RawDocument, type RawLayer } from '../document/document.ts';
import { moveLayers, type Patch } from '../document/edits.ts';
import { placeIn } from '../geometry/geometry-of.ts';
import type { EditorState } from './editor-state.ts';

/** What the tree shows of a layer: moving or recolouring the layer changes none of this. */
export interface Row {
  readonly name: string;
  readonly type: string;
  /** What its icon shows: a shape's outline or a frame's direction. */
  readonly look: string;
  readonly isHidden: boolean;
  readonly isLocked: boolean;
  readonly children: number;
  readonly depth: number;
  readonly parent: string | null;
  /** Among its siblings, as in the document. */
  readonly index: number;
  /** Whether its siblings are listed in the document's order. */
  readonly isInOrder: boolean;
}

/** Where dragged layers would go: the frame, and the index among its children, as in the document. */
export interface Drop {
  readonly frame: string | null;
  readonly index: number;
  /** The position of the drop line, in rows from the top; null = into the row. */
  readonly line: number | null;
  readonly depth: number;
}

/** px. */
export const [ROW, INDENT] = [28, 14];

/** The rows of a document; the same objects as in `before` if nothing that they show changed. */
export function rowsOf(
  document: RawDocument,
  closed: ReadonlySet<string>,
  before: readonly Row[] = [],
): readonly Row[] {
  const rows = rowsOfLayers(document.layers ?? [], closed, 0, null, false);
  let isSame = rows.length === before.length;
  for (const [i, row] of rows.entries()) {
    const known = before[i];
    if (known && isSameRow(known, row)) rows[i] = known;
    else isSame = false;
  }
  return isSame ? before : rows;
}

function rowsOfLayers(
  layers: readonly RawLayer[],
  closed: ReadonlySet<string>,
  depth: number,
  parent: string | null,
  isInOrder: boolean,
): Row[] {
  const rows = layers.map((layer, index) => [
    rowOf(layer, depth, parent, index, isInOrder),
    ...(layer.children && !closed.has(layer.name)
      ? rowsOfLayers(layer.children, closed, depth + 1, layer.name, isReadInOrder(layer))
      : []),
  ]);
  return (isInOrder ? rows : rows.reverse()).flat();
}

/** Whether a frame's layout puts what comes later in the document after what comes before. */
function isReadInOrder({ layout, flow }: RawLayer): boolean {
  const { direction } = (layout ?? {}) as { readonly direction?: string };
  return flow === true || (layout !== undefined && layout !== null && !direction?.endsWith('-reverse'));
}

function rowOf(layer: RawLayer, depth: number, parent: string | null, index: number, isInOrder: boolean): Row {
  const { name, type } = layer;
  const children = layer.children?.length ?? 0;
  const [isHidden, isLocked] = [layer.visible === false, layer.locked === true];
  return { name, type, look: lookOf(layer), isHidden, isLocked, children, depth, parent, index, isInOrder };
}

/** The index of what is put above a row, or below it. */
const beside = ({ index, isInOrder }: Row, isAbove: boolean): number => (isAbove === isInOrder ? index : index + 1);

export function lookOf(layer: RawLayer): string {
  if (layer.type === 'shape') return String(layer.shape);
  if (layer.type !== 'frame') return '';
  const layout = layer.layout as { readonly direction?: string } | null | undefined;
  return !layout ? '' : layout.direction?.startsWith('row') ? 'row' : 'column';
}

function isSameRow(a: Row, b: Row): boolean {
  return (Object.keys(a) as (keyof Row)[]).every((key) => a[key] === b[key]);
}

/** @param x, y px from the corner of the tree */
export function dropAt(
  rows: readonly Row[],
  y: number,
  x: number,
  names: readonly string[],
  editor: EditorState,
): Drop | null {
  const document = editor.document.peek();
  const at = Math.max(0, Math.min(rows.length, (y - 4) / ROW));
  const row = rows[Math.min(rows.length - 1, Math.floor(at))];
  if (!row) return null;
  const isOwn = (name: string | null) =>
    name !== null && (names.includes(name) || framesAround(document, name).some((one) => names.includes(one)));
  const part = at - Math.floor(at);
  if (isOwn(row.name)) return null;
  if (row.type === 'frame' && part > 0.25 && part < 0.75) {
    return { frame: row.name, index: row.children, line: null, depth: row.depth + 1 };
  }
  if (part < 0.5 || row.type === 'frame') {
    const above = part < 0.5;
    return { frame: row.parent, index: beside(row, above), line: Math.floor(at) + (above ? 0 : 1), depth: row.depth };
  }
  // Below the last row of a frame, a position further left means below the frame.
  const parent = rows.find(({ name }) => name === row.parent);
  const isLast = row.index === (row.isInOrder ? (parent?.children ?? 0) - 1 : 0);
  const target = parent && isLast && x < 10 + row.depth * INDENT ? parent : row;
  return { frame: target.parent, index: beside(target, false), line: Math.floor(at) + 1, depth: target.depth };
}

/**
 * Selects a row: with Shift all rows since the last one that was chosen, with Ctrl or ⌘ beside the others.
 *
 * @param last the row that was chosen before
 */
export function pickRow(
  editor: EditorState,
  rows: readonly Row[],
  name: string,
  last: string | null,
  { shift, mod }: { readonly shift: boolean; readonly mod: boolean },
): void {
  if (shift && last !== null) {
    const names = rows.map((row) => row.name);
    const [a, b] = [names.indexOf(last), names.indexOf(name)].sort((x, y) => x - y);
    editor.select(names.slice(a, (b ?? 0) + 1));
  } else if (mod) editor.toggle(name);
  else editor.select([name]);
}

/** Moves layers; those that leave a frame keep their place on the canvas. */
export function moveTo(
  editor: EditorState,
  names: readonly string[],
  { frame: into, index }: Pick<Drop, 'frame' | 'index'>,
): void {
  const boxes = editor.boxesOf([...names, ...(into === null ? [] : [into])]);
  const target = boxes.find(({ name }) => name === into) ?? null;
  const patches = new Map<string, Patch>();
  for (const box of boxes) {
    const own = box.parent?.name ?? null;
    if (names.includes(box.name) && own !== into) {
      patches.set(box.name, placeIn(target, box));
    }
  }
  editor.edit(moveLayers(names, into, index, patches));
}

/** Where Alt with an arrow moves the layer of a row; null = nowhere. */
export function placeByKey(key: string, row: Row, rows: readonly Row[]): Pick<Drop, 'frame' | 'index'> | null {
  const { parent, index } = row;
  const siblings = rows.filter((one) => one.parent === parent);
  switch (key) {
    case 'ArrowUp':
    case 'ArrowDown': {
      const isBack = (key === 'ArrowUp') === row.isInOrder;
      if (index === (isBack ? 0 : siblings.length - 1)) return null;
      // The index counts the layer itself, so further on it is one more.
      return { frame: parent, index: isBack ? index - 1 : index + 2 };
    }
    case 'ArrowRight': {
      const beside = siblings.filter(({ type, name }) => type === 'frame' && name !== row.name);
      const frame = beside.sort((a, b) => Math.abs(a.index - index) - Math.abs(b.index - index))[0];
      return frame ? { frame: frame.name, index: frame.children } : null;
    }
    case 'ArrowLeft': {
      const frame = rows.find(({ name }) => name === parent);
      return frame ? { frame: frame.parent, index: frame.index + 1 } : null;
    }
    default:
      return null;
  }
}
