// The sheet in which a list is edited: a row for each entry, a column for each value. Only rows in or near the visible
// part are rendered, so that many thousands stay usable.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MAX_ROWS } from '#core/template/table-layer.ts';
import { Button, FileButton, IconButton } from '../../parts/button.tsx';
import { arrowDown, arrowUp, plus, trash2 } from '../../parts/icons.ts';
import { useMessages } from '../../parts/toast.tsx';
import { focusedRoot } from '../../parts/ui-root.ts';
import { dataTexts } from '../../texts/data.ts';
import { texts } from '../../texts/editor.ts';
import { keysShown } from '../browser.ts';
import { History } from '../core/document/history.ts';
import { isRowsFile, readRowsFile } from '../core/document/read-entries.ts';
import { entryWith, plainValue, type RawEntry } from '../core/document/table-edits.ts';
import { blockOf, cleared, copied, isInside, namedLike, type Place, pasted } from './cell-block.ts';
import type { ListColumn } from './list-columns.ts';
import './rows-sheet.css';

interface RowsSheetProps {
  readonly label: string;
  readonly columns: readonly ListColumn[];
  readonly rows: readonly RawEntry[];
  readonly onRows: (rows: readonly RawEntry[]) => void;
  /** A cell whose value is refused, and why. */
  readonly wrong?: { readonly row: number; readonly name: string } | null;
}

/** Height of a row with its line, px, as in rows-sheet.css. */
const ROW = 30;
/** Rows that are seen without scrolling, and rows rendered above and below them. */
const [SEEN, BESIDE] = [10, 6];
/** Steps that can be undone. Each keeps a list of all rows. */
const MOST_UNDO = 100;
const NOTHING = { at: null, end: null };
const START: Place = { row: 0, column: 0 };

export function RowsSheet({ label, columns, rows, onRows, wrong }: RowsSheetProps) {
  const box = useRef<HTMLDivElement>(null);
  const { toast } = useMessages();
  const [top, setTop] = useState(0);
  const [asked, ask] = useState<Place | null>(null);
  // The cell that had the focus last, and the other end of the selected block.
  const [{ at, end }, choose] = useState<{ readonly at: Place | null; readonly end: Place | null }>(NOTHING);
  /** Whether keys go to the text of the cell. */
  const [isEditing, setEditing] = useState(false);
  const isRecorded = useRef(false);
  // The buttons below the table are for the row of the current cell; there is none before one is chosen.
  const current = at ? Math.min(at.row, rows.length - 1) : -1;
  const block = blockOf(at, end);
  const history = useRef(new History<readonly RawEntry[]>(MOST_UNDO));
  const change = (next: readonly RawEntry[]) => {
    if (next.length > Math.max(MAX_ROWS, rows.length)) {
      toast(texts.value.document.tooManyRows(next.length, MAX_ROWS), { tone: 'bad' });
      return;
    }
    history.current.record(rows, null, performance.now());
    onRows(next);
  };
  // Of a list that has become shorter, the end shows.
  const first = Math.max(0, Math.min(Math.floor(top / ROW), rows.length - SEEN));
  const from = Math.max(0, first - BESIDE);
  const near = Array.from({ length: Math.min(rows.length, first + 1 + SEEN + BESIDE) - from }, (_, i) => from + i);
  // The current row stays rendered out of sight too, or keys would find no cell.
  const rendered = at && current >= 0 ? [...new Set([...near, current])].sort((a, b) => a - b) : near;
  const stop = at && current >= 0 ? { row: current, column: at.column } : { row: first, column: 0 };

  /** Brings a row into sight. */
  const reveal = (row: number) => {
    const view = box.current;
    if (!view) return;
    const [above, below] = [row * ROW, (row + 2) * ROW - SEEN * ROW];
    if (view.scrollTop > above) view.scrollTop = above;
    else if (view.scrollTop < below) view.scrollTop = below;
    setTop(view.scrollTop);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer about the same cell scrolls nothing.
  useEffect(() => {
    if (wrong) reveal(wrong.row);
  }, [wrong?.row, wrong?.name]);
  const fieldAt = ({ row, column }: Place) =>
    box.current?.querySelector<HTMLInputElement>(`[data-cell="${row} ${column}"]`);
  // A cell that is asked for gets the focus once its row is rendered, and before the next key.
  useLayoutEffect(() => {
    const field = asked && fieldAt(asked);
    if (!field) return;
    field.focus();
    field.select();
    ask(null);
  });
  const edit = (isOn: boolean) => {
    isRecorded.current = false;
    setEditing(isOn);
  };
  /** @param other the other end of the block that is selected then */
  const go = (place: Place, other = place) => {
    edit(false);
    choose({ at: place, end: other });
    reveal(place.row);
    ask(place);
  };
  const move = (row: number, step: -1 | 1, column: number) => {
    const [one, other] = [rows[row], rows[row + step]];
    if (!one || !other) return;
    change(rows.with(row, other).with(row + step, one));
    go({ row: row + step, column });
  };
  const remove = (row: number, column: number) => {
    change(rows.toSpliced(row, 1));
    if (rows.length > 1) go({ row: Math.min(row, rows.length - 2), column });
  };
  const insert = (row: number, column: number) => {
    if (rows.length < MAX_ROWS) go({ row, column });
    change(rows.toSpliced(row, 0, {}));
  };
  const typeIn = ({ row, column }: Place, text: string) => {
    const name = columns[column]?.name ?? '';
    const next = rows.with(row, entryWith(rows[row] ?? {}, name, text));
    // All that is typed in a cell is undone together.
    if (isRecorded.current) onRows(next);
    else change(next);
    isRecorded.current = true;
    setEditing(true);
  };
  const undo = (step: 'undo' | 'redo', { row, column }: Place) => {
    const before = history.current[step](() => rows);
    if (!before) return;
    onRows(before);
    if (before.length > 0) go({ row: Math.min(row, before.length - 1), column });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || !at) return;
    const { row, column } = at;
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const undone = undoKey(event);
    const isDown = key === 'ArrowDown';
    // Within the text the caret moves, between cells the focus.
    const to =
      isEditing && !/^Arrow(Up|Down)$|^Page/.test(key) ? null : placeFor(event, at, rows.length, columns.length);
    if (undone) undo(undone, at);
    else if (event.altKey && (isDown || key === 'ArrowUp')) move(row, isDown ? 1 : -1, column);
    else if (to) go(to, shiftKey && !isEditing ? (end ?? at) : to);
    else if (key === 'Enter' && isCommand) insert(row + 1, column);
    else if (isCommand && (key === 'Backspace' || (key === 'Delete' && !isEditing))) remove(row, column);
    else if (isEditing && key === 'Escape') {
      if (isRecorded.current) undo('undo', at);
      else go(at);
    } else if (isEditing && key === 'Enter' && row + 1 === rows.length) insert(row + 1, 0);
    else if (isEditing && key === 'Enter') go({ row: row + 1, column });
    else if (isEditing && key === 'Tab') {
      const next = row * columns.length + column + (shiftKey ? -1 : 1);
      // Before the first cell and after the last, Tab leaves the sheet as it does elsewhere.
      if (next < 0 || next >= rows.length * columns.length) return;
      go({ row: Math.floor(next / columns.length), column: next % columns.length });
    } else if (isEditing) return;
    else if (key === 'Enter' || key === 'F2') {
      edit(true);
      fieldAt(at)?.setSelectionRange(1e6, 1e6);
    } else if (key === 'Escape' && block.cells > 1) go(at);
    else if (key === 'Delete' || key === 'Backspace') change(cleared(columns, rows, block));
    else if (key === 'a' && isCommand) go({ row: rows.length - 1, column: columns.length - 1 }, START);
    else return;
    event.preventDefault();
  };
  const onCopy = (event: ClipboardEvent) => {
    if (isEditing || !at) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', copied(columns, rows, block));
    if (event.type === 'cut') change(cleared(columns, rows, block));
  };
  const onPaste = (event: ClipboardEvent) => {
    const place = { row: block.top, column: block.left };
    const next = at && pasted(event.clipboardData?.getData('text/plain') ?? '', { columns, rows, ...place });
    if (!next) return;
    event.preventDefault();
    change(next);
    go(place);
  };
  /** A first press chooses a cell, or the end of a block; a second one sets the caret in its text. */
  const onMouseDown = (event: MouseEvent, place: Place) => {
    const isCurrent = at?.row === place.row && at.column === place.column;
    if (event.button !== 0 || (isCurrent && isEditing)) return;
    if (isCurrent && focusedRoot().activeElement === event.target) return edit(true);
    event.preventDefault();
    go(place, event.shiftKey ? (end ?? place) : place);
    // At once, or a phone would show no keys.
    fieldAt(place)?.focus();
    fieldAt(place)?.select();
  };
  const open = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      if (!isRowsFile(chosen)) throw new Error(dataTexts.value.noRowsFile(chosen.name));
      change(namedLike(columns, (await readRowsFile(chosen)).rows));
      reveal(0);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { tone: 'bad' });
    }
  };
  return (
    <fieldset
      class="rows-sheet"
      aria-label={label}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void open(event.dataTransfer?.files[0]);
      }}
    >
      <div class="rows-box" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells take the focus is a grid.
          role="grid"
          aria-label={label}
          aria-rowcount={rows.length + 1}
          aria-colcount={columns.length + 1}
          aria-multiselectable
          class={isEditing ? 'is-editing' : undefined}
          onKeyDown={onKeyDown}
          onCopy={onCopy}
          onCut={onCopy}
          onPaste={onPaste}
        >
          <thead>
            <tr aria-rowindex={1}>
              <th class="rows-number" aria-colindex={1} aria-label={dataTexts.value.rowNumber} />
              {columns.map((column, i) => (
                <th
                  key={column.name}
                  scope="col"
                  aria-colindex={i + 2}
                  class={column.isEnd ? 'is-end' : undefined}
                  title={column.name}
                  style={columnStyle(rows, column)}
                >
                  <span class="truncate">{column.title}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rendered.flatMap((row, i) => [
              <Gap key={`gap ${row}`} rows={row - (rendered[i - 1] ?? -1) - 1} />,
              <tr key={row} aria-rowindex={row + 2} class={row === current ? 'is-current' : undefined}>
                <th scope="row" class="rows-number" aria-colindex={1}>
                  {row + 1}
                </th>
                {columns.map(({ name, title, isEnd }, column) => {
                  const value = plainValue(rows[row]?.[name]);
                  const isNested = typeof value === 'object' && value !== null;
                  const isSelected = isInside(block, row, column);
                  return (
                    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid is a gridcell.
                    <td
                      key={name}
                      aria-colindex={column + 2}
                      aria-selected={isSelected}
                      class={isSelected && block.cells > 1 ? 'is-selected' : undefined}
                    >
                      <input
                        data-cell={`${row} ${column}`}
                        class={isEnd ? 'is-end' : undefined}
                        tabIndex={row === stop.row && column === stop.column ? 0 : -1}
                        aria-label={dataTexts.value.cellOf(title, row + 1)}
                        aria-invalid={wrong?.row === row && wrong.name === name}
                        readOnly={isNested}
                        value={isNested ? JSON.stringify(value) : String(value ?? '')}
                        onFocus={() => {
                          if (at?.row !== row || at.column !== column) choose(only({ row, column }));
                        }}
                        onBlur={() => edit(false)}
                        onInput={(event) => typeIn({ row, column }, event.currentTarget.value)}
                        onMouseDown={(event) => onMouseDown(event, { row, column })}
                        onMouseEnter={({ buttons }) => {
                          if (buttons === 1 && at && !isEditing) go({ row, column }, end ?? at);
                        }}
                      />
                    </td>
                  );
                })}
              </tr>,
            ])}
            <Gap rows={rows.length - 1 - (rendered.at(-1) ?? -1)} />
          </tbody>
        </table>
      </div>
      <div class="rows-foot">
        <Button dense icon={plus} onClick={() => insert(rows.length, 0)}>
          {dataTexts.value.addRow}
        </Button>
        <FileButton dense look="quiet" accept=".csv,.tsv,.json" onFile={(chosen) => void open(chosen)}>
          {dataTexts.value.chooseRowsFile}
        </FileButton>
        {current < 0 ? (
          <span class="faint">{dataTexts.value.rows(rows.length)}</span>
        ) : (
          <span class="rows-tools">
            <span class="faint">{dataTexts.value.rowOf(current + 1, rows.length)}</span>
            <IconButton
              dense
              icon={arrowUp}
              label={dataTexts.value.rowUp(current + 1)}
              disabled={current === 0}
              onClick={() => move(current, -1, 0)}
            />
            <IconButton
              dense
              icon={arrowDown}
              label={dataTexts.value.rowDown(current + 1)}
              disabled={current + 1 === rows.length}
              onClick={() => move(current, 1, 0)}
            />
            <IconButton
              dense
              icon={trash2}
              label={dataTexts.value.removeRow(current + 1, keysShown('Mod+Backspace'))}
              onClick={() => remove(current, 0)}
            />
          </span>
        )}
      </div>
    </fieldset>
  );
}

const only = (place: Place) => ({ at: place, end: place });

/** Where the keys that move between cells go to; null: it is no such key, or there is nothing. */
function placeFor(event: KeyboardEvent, { row, column }: Place, rows: number, columns: number): Place | null {
  if (event.altKey) return null;
  const isFar = event.ctrlKey || event.metaKey;
  const [lastRow, lastColumn] = [rows - 1, columns - 1];
  const to: Readonly<Record<string, Place>> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? lastRow : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? lastColumn : column + 1 },
    PageUp: { row: row - SEEN, column },
    PageDown: { row: row + SEEN, column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? lastRow : row, column: lastColumn },
  };
  const place = to[event.key];
  if (!place) return null;
  const within = (value: number, last: number) => Math.max(0, Math.min(value, last));
  return { row: within(place.row, lastRow), column: within(place.column, lastColumn) };
}

/** Rows at the beginning and the end whose values a column is sized by. */
const MEASURED = 100;

/** Width of a letter, in digits. */
const LETTER = 0.9;

/** As wide as its title and its values, of long texts as much as leaves room for others. Numbers take no more. */
function columnStyle(rows: readonly RawEntry[], { name, title, isEnd }: ListColumn): Record<string, string> {
  const longest = Math.max(
    ...[...rows.slice(0, MEASURED), ...rows.slice(-MEASURED)].map((row) => String(plainValue(row[name]) ?? '').length),
    0,
  );
  const digits = Math.max(4, title.length * LETTER, isEnd ? longest : longest * LETTER);
  const width = `calc(${Math.min(16, digits)}ch + 17px)`;
  return isEnd ? { width, minWidth: width } : { minWidth: width };
}

/** What Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y ask for. */
function undoKey({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (!ctrlKey && !metaKey) return null;
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' ? 'redo' : null;
}

/** The room of rows that are not rendered. */
const Gap = ({ rows }: { readonly rows: number }) =>
  rows > 0 && (
    <tr aria-hidden>
      <td class="rows-gap" style={{ height: `${rows * ROW}px` }} />
    </tr>
  );
