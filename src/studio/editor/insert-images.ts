// Puts pictures of the host and pasted text on the canvas.

import type { Point, Size } from '#core/geometry.ts';
import { boxesAt } from '#core/layout/located-boxes.ts';
import { texts } from '../texts/editor.ts';
import { findLayer, type RawLayer, walk } from './core/document/document.ts';
import { insertLayers } from './core/document/edits.ts';
import { isRowsFile, readRowsFile, tryEntries } from './core/document/read-entries.ts';
import * as actions from './core/state/actions.ts';
import { fillTable } from './core/state/actions.ts';
import { layersFromText } from './core/state/clipboard.ts';
import type { EditorState } from './core/state/editor-state.ts';
import { insertImage } from './core/state/insert-new.ts';

/** Puts layers in place of a picture that is an SVG. */
export async function splitSvg(editor: EditorState, name: string): Promise<void> {
  try {
    const { splitPicture } = await import('./insert-svg.ts');
    await splitPicture(editor, name);
  } catch (error) {
    editor.host.tellError(error);
  }
}

const SVG = /^\s*(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*)*<svg[\s>]/i;

/** Pastes rows into the table that is selected, layers, an SVG as layers, or words. @param at canvas px; null = the middle of the canvas */
export async function pasteText(
  editor: EditorState,
  text: string,
  at: { readonly x: number; readonly y: number } | null,
): Promise<void> {
  if (pasteRows(editor, text)) return;
  if (!SVG.test(text)) {
    const { layers, ...said } = layersFromText(text);
    return actions.paste(editor, layers, at, said);
  }
  try {
    const { insertSvg } = await import('./insert-svg.ts');
    await insertSvg(editor, text, at);
  } catch (error) {
    editor.host.tellError(error);
  }
}

/** Adds the files of a drop, of which few templates get any. @param at canvas px; null = the middle of the canvas */
export async function dropFiles(
  editor: EditorState,
  files: readonly File[],
  at: { readonly x: number; readonly y: number } | null,
): Promise<void> {
  const drop = { at, selected: editor.selection.peek() };
  try {
    await addFiles(editor, files, drop, {
      insert: (src, natural) => insertImage(editor, src, at, natural),
      split: (layer) => void splitSvg(editor, layer),
    });
  } catch (error) {
    editor.host.tellError(error);
  }
}

// Adds dropped and pasted files: pictures, which are uploaded first, and the rows of a table as CSV or JSON.

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

/** Fills the table that is selected alone with rows that are pasted. @returns whether there is one, and the text is rows */
export function pasteRows(editor: EditorState, text: string): boolean {
  const [table, ...others] = editor.selectedLayers.peek();
  const [head = '', first = ''] = text.split('\n', 2);
  // Words may have commas; rows have a second line, and JSON may be layers.
  const mayBeRows = first.trim() !== '' && /[\t,;|]/.test(head) && !/^\s*[[{]/.test(text);
  const entries = table?.type === 'table' && others.length === 0 && mayBeRows ? tryEntries(text) : null;
  if (!table || !entries || 'problem' in entries) return false;
  fillTable(editor, table.name, entries);
  editor.host.tell(texts.value.editor.tableFilled(table.name, entries.rows.length));
  return true;
}

/** Puts a PDF below all layers: its first page on the first sheet, its second on those that follow, or one on all. */
export async function addLetterPaper(editor: EditorState, file: File): Promise<void> {
  const { upload } = editor.host.pictures;
  if (!upload) return editor.host.tell(texts.value.editor.noUploads, { tone: 'bad' });
  try {
    const { src } = await upload(file);
    // Of files whose page tree is compressed it is not known here: another page can be chosen in the layer.
    const counts = new TextDecoder('latin1').decode(await file.arrayBuffer()).matchAll(/\/Count (\d{1,5})\b/g);
    const hasTwo = Math.max(1, ...Array.from(counts, ([, count]) => Number(count))) > 1;
    const paper = { type: 'image', src, x: 0, y: 0, width: '100%', height: '100%', locked: true, pdfPage: 1 } as const;
    const layers: readonly RawLayer[] = hasTwo
      ? [
          { ...paper, name: 'first-sheet', pages: 'first' },
          { ...paper, name: 'sheet', pages: 'not-first', pdfPage: 2 },
        ]
      : [{ ...paper, name: 'sheet' }];
    let names: readonly string[] = [];
    editor.edit((document) => {
      const inserted = insertLayers(document, layers, null, 0);
      names = inserted.names;
      return inserted.document;
    });
    editor.select(names.slice(0, 1));
    editor.host.tell(texts.value.editor.letterPaperAdded(file.name));
  } catch (error) {
    editor.host.tellError(error);
  }
}

/** Rows fill a table. A picture replaces the file of a selected one; otherwise it is a new layer. */
async function addFiles(
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
    if (!file.type.startsWith('image/') && file.type !== 'application/pdf') {
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
