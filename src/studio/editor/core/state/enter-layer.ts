// Edits a layer in place: its words, its crop, a cell of a table.

import type { Point } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { texts } from '../../../texts/editor.ts';
import type { RawLayer } from '../document/document.ts';
import { editableCells, entriesOf, textAtCell } from '../document/table-edits.ts';
import { cellAt } from '../geometry/table-places.ts';
import { pictureless } from '../scene/compositor.ts';
import type { EditorState } from './editor-state.ts';

export function enterLayer(editor: EditorState, { name, box }: LocatedBox): void {
  const layer = editor.layer(name);
  if (editor.isLocked(name) || !layer) return;
  if (layer.type === 'table') enterTable(editor, layer, null);
  // Markdown source is edited in the inspector, because the canvas shows only its result.
  else if (box.kind === 'text' && layer.markup !== 'markdown') editor.editText(name);
  else if (box.kind === 'leaf' && box.node.type === 'image') {
    const picture = editor.picture.peek();
    const isEmpty = picture !== null && pictureless(picture).has(name);
    editor.enter({ kind: isEmpty ? 'picture' : 'crop', layer: name });
  }
}

/** Opens the cell at a point of the canvas, or the first one, for typing; says why it cannot. */
export function enterTable(editor: EditorState, table: RawLayer, point: Point | null): void {
  const picture = editor.picture.peek();
  const place = point === null ? editableCells(table)[0] : picture && cellAt(picture, table, point);
  if (!place) return;
  // What is typed goes to the template, so that is what has to show.
  if (editor.setValue(table.name, undefined)) {
    editor.host.tell(texts.value.common.testDataIsOff);
    if (place.entry !== null && entriesOf(table)[place.entry] === undefined) return;
  }
  if (textAtCell(table, place) === null) editor.host.tell(texts.value.canvas.cellIsComputed);
  else editor.enter({ kind: 'cell', layer: table.name, place });
}
