// Keys in the layer tree, by the ARIA tree pattern: arrows, Home, End, and F2 to rename. With Alt, arrows move the
// layer up and down, into the frame beside it, and out of its frame.

import { outermost } from '../document/document.ts';
import type { EditorState } from '../state/editor-state.ts';
import { type Drop, moveTo, type Row } from './rows.ts';

export function onTreeKey(
  event: KeyboardEvent,
  editor: EditorState,
  rows: readonly Row[],
  closed: { value: ReadonlySet<string> },
  renaming: { value: string | null },
): void {
  const [current] = editor.selection.peek();
  const at = rows.findIndex(({ name }) => name === current);
  const row = rows[at];
  const move = (to: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (next) editor.select(event.shiftKey ? [...new Set([...editor.selection.peek(), next.name])] : [next.name]);
  };
  const toggle = (isClosed: boolean) => {
    if (!row) return;
    const next = new Set(closed.value);
    if (isClosed) next.add(row.name);
    else next.delete(row.name);
    closed.value = next;
  };
  const act = {
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at < 0 ? 0 : at - 1),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    ArrowRight: () => (row?.children && closed.value.has(row.name) ? toggle(false) : move(at + 1)),
    ArrowLeft: () => {
      if (row?.children && !closed.value.has(row.name)) toggle(true);
      else if (row?.parent) editor.select([row.parent]);
    },
    F2: () => {
      renaming.value = current ?? null;
    },
  }[event.key];
  if (event.altKey && !event.ctrlKey && !event.metaKey && row) {
    const place = placeByKey(event.key, row, rows);
    if (!place) return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(editor, outermost(editor.document.peek(), editor.selection.peek()), place);
    return;
  }
  if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** Where Alt with an arrow moves the layer of a row; null = nowhere. */
function placeByKey(key: string, row: Row, rows: readonly Row[]): Pick<Drop, 'frame' | 'index'> | null {
  const { parent, index } = row;
  const siblings = rows.filter((one) => one.parent === parent);
  switch (key) {
    // Up in the list means to the front; the index counts the layer itself, so it is one more.
    case 'ArrowUp':
      return index < siblings.length - 1 ? { frame: parent, index: index + 2 } : null;
    case 'ArrowDown':
      return index > 0 ? { frame: parent, index: index - 1 } : null;
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
