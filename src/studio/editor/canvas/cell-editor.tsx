// Edits a cell of a table in place: a field over the cell. Tab and Enter go on as in a spreadsheet.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { transformPoint } from '#core/geometry.ts';
import type { LayoutBox, TextBox } from '#core/layout/box.ts';
import { texts } from '../../texts/editor.ts';
import type { RawLayer } from '../core/document/document.ts';
import { changeLayer } from '../core/document/edits.ts';
import { addEntry, type CellPlace, editableCells, setTextAtCell, textAtCell } from '../core/document/table-edits.ts';
import { cellBox } from '../core/geometry/table-places.ts';
import type { Viewport } from '../core/geometry/viewport.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { SELECT } from '../core/state/mode.ts';
import './cell-editor.css';

interface CellEditorProps {
  readonly editor: EditorState;
  readonly viewport: Viewport;
}

export function CellEditor({ editor, viewport }: CellEditorProps) {
  const task = editor.task.value;
  const open = task.kind === 'cell' ? task : null;
  const table = open && editor.document.value && editor.layer(open.layer);
  const picture = editor.picture.value;
  if (!open || !table || !picture) return null;
  const found = cellBox(picture, table, open.place);
  const text = textAtCell(table, open.place);
  if (!found || text === null) return null;
  const words = wordsIn(found.box);
  const zoom = viewport.zoom.value;
  // As high as its row, whatever its own text needs.
  const corner = transformPoint(found.matrix, { x: found.box.rect.x, y: found.row.y });
  const { x, y } = viewport.toView(corner);
  const { part, row, cell, entry } = open.place;
  return (
    <Field
      key={`${open.layer} ${part} ${entry} ${row} ${cell}`}
      editor={editor}
      table={table}
      place={open.place}
      text={text}
      style={{
        left: `${x - 4}px`,
        top: `${y + 1}px`,
        width: `${found.box.rect.width * zoom + 8}px`,
        height: `${found.row.height * zoom - 2}px`,
        paddingTop: `${Math.max(0, ((words?.content.y ?? found.row.y) - found.row.y) * zoom - 1)}px`,
        fontSize: `${(words?.node.strut.fontSize ?? 14) * zoom}px`,
        fontWeight: String(words?.node.strut.font.weight ?? 400),
        textAlign: words?.node.align ?? 'start',
      }}
    />
  );
}

/** The text of a cell's box, which a frame with its background may be around. */
function wordsIn(box: LayoutBox): TextBox | null {
  if (box.kind === 'text') return box;
  return box.kind === 'frame' ? (box.children.find((child) => child.kind === 'text') ?? null) : null;
}

interface FieldProps {
  readonly editor: EditorState;
  readonly table: RawLayer;
  readonly place: CellPlace;
  readonly text: string;
  readonly style: Readonly<Record<string, string>>;
}

function Field({ editor, table, place, text, style }: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isDone = useRef(false);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const { name } = table;
  const commit = () => {
    const typed = field.current?.value ?? text;
    if (isDone.current || typed === text) return;
    editor.edit((document) => changeLayer(document, name, (now) => setTextAtCell(now, place, typed)));
  };
  const leave = (next: CellPlace | null) => {
    isDone.current = true;
    if (!next) field.current?.closest<HTMLElement>('.canvas')?.focus({ preventScroll: true });
    editor.enter(next ? { kind: 'cell', layer: name, place: next } : SELECT);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      leave(null);
    } else if (event.key === 'Tab') {
      event.preventDefault();
      commit();
      leave(beside(editor, name, place, event.shiftKey ? -1 : 1));
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      commit();
      leave(event.ctrlKey || event.metaKey ? null : below(editor, name, place));
    }
  };
  return (
    <textarea
      ref={field}
      class="cell-editor"
      aria-label={texts.value.canvas.cellText}
      spellcheck={false}
      maxLength={10_000}
      rows={1}
      style={style}
      defaultValue={text}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onBlur={() => {
        commit();
        if (!isDone.current && editor.task.peek().kind === 'cell') editor.leave();
      }}
    />
  );
}

const isSame = (a: CellPlace, b: CellPlace) =>
  a.part === b.part && a.entry === b.entry && a.row === b.row && a.cell === b.cell;

/** The next cell that can be edited. After the last of the entries comes a new one. */
function beside(editor: EditorState, name: string, place: CellPlace, step: 1 | -1): CellPlace | null {
  const table = editor.layer(name);
  if (!table) return null;
  const cells = editableCells(table);
  const next = cells[cells.findIndex((one) => isSame(one, place)) + step] ?? null;
  if (step < 0 || place.part !== 'row' || next?.part === 'row') return next;
  editor.edit((document) => changeLayer(document, name, addEntry));
  const added = (place.entry ?? 0) + 1;
  return editableCells(editor.layer(name) ?? table).find(({ entry }) => entry === added) ?? next;
}

/** The cell below in the same part; null = there is none. */
function below(editor: EditorState, name: string, place: CellPlace): CellPlace | null {
  const table = editor.layer(name);
  const next = place.entry === null ? { ...place, row: place.row + 1 } : { ...place, entry: place.entry + 1 };
  return table && editableCells(table).some((one) => isSame(one, next)) ? next : null;
}
