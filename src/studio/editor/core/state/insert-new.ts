// Inserts a new layer in front of a frame's children and selects it; a text layer opens for typing.

import { centreOf, type Point, type Size } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { pageMargins, sheetSize } from '#core/template/page.ts';
import { childrenOf, type Fields, type RawLayer } from '../document/document.ts';
import { insertLayers } from '../document/edits.ts';
import { flowFrame } from '../document/hand-pages.ts';
import { paddingBox, tidy } from '../geometry/geometry-of.ts';
import { paste } from './actions.ts';
import type { EditorState } from './editor-state.ts';
import type { DrawingTool } from './mode.ts';
import { newLayer } from './new-layer.ts';
import { currentPage, middleOf, pageAt, pageRect } from './page-actions.ts';

/** @param at the layer's corner, in the coordinates of the frame's border box, or of the canvas if there is no frame */
export function insertNew(editor: EditorState, layer: RawLayer, frame: LocatedBox | null, at: Point): void {
  const origin = paddingBox(frame);
  const page = frame ? null : marginsAt(editor, at);
  const flowing = page?.isWithin ? flowFrame(editor.document.peek()) : null;
  const into = frame?.name ?? flowing?.name ?? null;
  // Where a layout places it, it has no place of its own, and a table is as wide as there is room.
  const isPlaced = flowing !== null || (frame?.box.kind === 'frame' && frame.box.node.layout !== null);
  const own = isPlaced && layer.type === 'table' ? { ...layer, width: 'fill' } : layer;
  const placed = isPlaced ? own : { ...own, x: tidy(at.x - origin.x), y: tidy(at.y - origin.y - (page?.top ?? 0)) };
  let names: readonly string[] = [];
  editor.edit((document) => {
    const inserted = insertLayers(document, [placed], into, childrenOf(document, into).length);
    names = inserted.names;
    return inserted.document;
  });
  editor.leave();
  editor.select(names);
  if (layer.type === 'text' && names[0] !== undefined) editor.editText(names[0], null, true);
}

/** The longest side of an inserted picture, as a share of the canvas. */
const SHARE = 0.5;

/**
 * Inserts a layer that shows a picture.
 *
 * @param at its middle, canvas px; null = the middle of the canvas
 * @param natural its size, px
 */
export function insertImage(
  editor: EditorState,
  src: string,
  at: Point | null,
  natural: Size = { width: 320, height: 240 },
  own: Fields = {},
): void {
  const { width, height } = editor.document.peek();
  const scale = Math.min(1, (width * SHARE) / natural.width, (height * SHARE) / natural.height);
  const box = { width: Math.round(natural.width * scale), height: Math.round(natural.height * scale) };
  const centre = at ?? middleOf(editor);
  const corner = { x: Math.round(centre.x - box.width / 2), y: Math.round(centre.y - box.height / 2) };
  // Keeps the drop position also inside the selected frame, which has other coordinates.
  paste(editor, [{ type: 'image', name: 'image', x: 0, y: 0, ...box, src, ...own }], corner);
}

/** Inserts without a pointer: in default size, in the middle of the selected frame, of the page in sight or of the canvas. */
export function insertInMiddle(editor: EditorState, tool: DrawingTool): void {
  const [selected] = editor.selection.peek();
  const boxes = editor.picture.peek()?.byName;
  const box = boxes?.get(selected ?? '');
  const frame = box?.box.kind === 'frame' ? box : (boxes?.get(currentPage(editor) ?? '') ?? null);
  const middle = frame ? centreOf(frame.rect) : middleOf(editor);
  const layer = newLayer(tool, null, middle, middle);
  const [wide, high] = [Number(layer.width ?? 0), Number(layer.height ?? layer.fontSize ?? 0)];
  insertNew(editor, layer, frame, { x: Math.round(middle.x - wide / 2), y: Math.round(middle.y - high / 2) });
}

/** The page of a document at a point: its top, and whether the point is within its margins; null = of no document. */
function marginsAt(editor: EditorState, at: Point): { readonly top: number; readonly isWithin: boolean } | null {
  const picture = editor.picture.peek();
  const page = picture?.template.page;
  if (!picture || !page) return null;
  const index = pageAt(picture, at.y);
  const top = pageRect(picture, index).y;
  const { width, height } = sheetSize(page);
  const margin = pageMargins(page, index + 1);
  const isWithin =
    at.x >= margin.left &&
    at.x <= width - margin.right &&
    at.y - top >= margin.top &&
    at.y - top <= height - margin.bottom;
  return { top, isWithin };
}
