// Inserts a new layer in front of a frame's children and selects it; a text layer opens for typing.

import { centreOf, type Point } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { childrenOf, type RawLayer } from '../document/document.ts';
import { insertLayers } from '../document/edits.ts';
import type { DrawingTool, EditorState } from '../state/editor-state.ts';
import { paddingBox, tidy } from './geometry-of.ts';
import { newLayer } from './new-layer.ts';

/** @param at the layer's corner, in the coordinates of the frame's border box, or of the canvas if there is no frame */
export function insertNew(editor: EditorState, layer: RawLayer, frame: LocatedBox | null, at: Point): void {
  const origin = paddingBox(frame);
  const placed = { ...layer, x: tidy(at.x - origin.x), y: tidy(at.y - origin.y) };
  const into = frame?.name ?? null;
  let names: readonly string[] = [];
  editor.edit((document) => {
    const inserted = insertLayers(document, [placed], into, childrenOf(document, into).length);
    names = inserted.names;
    return inserted.document;
  });
  editor.tool.value = 'select';
  editor.select(names);
  if (layer.type === 'text') editor.editingText.value = names[0] ?? null;
}

/** Inserts without a pointer: in default size, in the middle of the selected frame or of the canvas. */
export function insertInMiddle(editor: EditorState, tool: DrawingTool): void {
  const { width, height } = editor.document.peek();
  const [selected] = editor.selection.peek();
  const box = selected === undefined ? undefined : editor.picture.peek()?.byName.get(selected);
  const frame = box?.box.kind === 'frame' ? box : null;
  const middle = frame ? centreOf(frame.rect) : { x: width / 2, y: height / 2 };
  const layer = newLayer(tool, null, middle, middle);
  const [wide, high] = [Number(layer.width ?? 0), Number(layer.height ?? layer.fontSize ?? 0)];
  insertNew(editor, layer, frame, { x: Math.round(middle.x - wide / 2), y: Math.round(middle.y - high / 2) });
}
