// Adds dropped and pasted files: pictures, which are uploaded first, and the rows of a table as CSV or JSON.

import type { Point, Size } from '#core/geometry.ts';
import { boxesAt } from '#core/layout/located-boxes.ts';
import { texts } from '../texts/editor.ts';
import { findLayer, type RawLayer, walk } from './core/document/document.ts';
import { isRowsFile, readRowsFile } from './core/document/read-entries.ts';
import * as actions from './core/state/actions.ts';
import { fillTable } from './core/state/actions.ts';
import type { EditorState } from './core/state/editor-state.ts';

/** Where files were dropped or pasted. */
interface Drop {
  /** Canvas px; null = the middle of the canvas. */
  readonly at: Point | null;
  /** The layers that were selected then: others may be by the time this code is loaded, or a file is uploaded. */
  readonly selected: readonly string[];
}

/** What the editor does with pictures. */
interface PictureEdits {
  readonly insert: (src: string, natural: Size) => void;
  readonly split: (layer: string) => void;
}

/** Offers to take the drawing apart that was just put on the canvas as a picture, and is selected. */
function offerSplit(editor: EditorState, name: string, split: (layer: string) => void): void {
  const [layer] = editor.selection.peek();
  if (layer === undefined) return;
  const onSelect = () => split(layer);
  editor.host.tell(texts.value.editor.isOnePicture(name), {
    action: { label: texts.value.editor.splitIntoLayers, onSelect },
  });
}

/** The table for dropped rows: the one under the pointer, else the selected one, else the only one. */
function tableFor(editor: EditorState, { at, selected }: Drop): RawLayer | null {
  const tables = [...walk(editor.document.peek().layers)].map(({ layer }) => layer).filter(isTable);
  const under = boxesAt(at === null ? [] : (editor.picture.peek()?.boxes ?? []), at ?? { x: 0, y: 0 });
  const names = [...under.map(({ name }) => name), ...selected];
  const name = names.find((one) => tables.some((table) => table.name === one));
  return tables.find((table) => table.name === name) ?? (tables.length === 1 ? (tables[0] ?? null) : null);
}

const isTable = ({ type }: RawLayer): boolean => type === 'table';

async function fillFrom(editor: EditorState, file: File, table: RawLayer | null): Promise<void> {
  if (!table) return editor.host.tell(texts.value.editor.noTableFor(file.name), { tone: 'bad' });
  try {
    const entries = await readRowsFile(file);
    fillTable(editor, table.name, entries);
    editor.select([table.name]);
    editor.host.tell(texts.value.editor.tableFilled(table.name, entries.rows.length));
  } catch (error) {
    editor.host.tell(error instanceof Error ? error.message : String(error), { tone: 'bad' });
  }
}

/** Rows fill a table. A picture replaces the file of a selected one; otherwise it is a new layer. */
export async function addFiles(
  editor: EditorState,
  files: readonly File[],
  drop: Drop,
  { insert, split }: PictureEdits,
): Promise<void> {
  const [selected] = drop.selected;
  const target = selected === undefined ? null : findLayer(editor.document.peek(), selected);
  const { upload } = editor.host.pictures;
  for (const file of files) {
    if (isRowsFile(file)) {
      await fillFrom(editor, file, tableFor(editor, drop));
      continue;
    }
    if (!upload) return editor.host.tell(texts.value.editor.noUploads, { tone: 'bad' });
    if (!file.type.startsWith('image/')) {
      editor.host.tell(texts.value.editor.isNoPicture(file.name), { tone: 'bad' });
      continue;
    }
    try {
      const { src, width, height } = await upload(file);
      if (target?.type === 'image' && files.length === 1) actions.setProperty(editor, target.name, { src });
      else insert(src, { width: width ?? 400, height: height ?? 400 });
      if (file.type === 'image/svg+xml') offerSplit(editor, file.name, split);
    } catch (error) {
      editor.host.tellError(error);
    }
  }
}
