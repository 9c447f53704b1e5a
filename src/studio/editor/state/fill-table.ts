// Replaces the rows of a table layer by rows that were pasted, or read from a file.

import { changeLayer } from '../document/edits.ts';
import type { Entries } from '../document/read-entries.ts';
import { setEntries } from '../document/table-edits.ts';
import type { EditorState } from './editor-state.ts';

export function fillTable(editor: EditorState, name: string, { names, rows }: Entries): void {
  // What the template has now is what has to show, beside the test data of other layers.
  editor.edit((document) => changeLayer(document, name, (table) => setEntries(table, names, rows)), { own: name });
}
