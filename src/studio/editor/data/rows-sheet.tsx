// The sheet in which a list is edited: a row for each entry, a column for each value. Only rows in or near the visible
// part are rendered, so that many thousands stay usable.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { arrowDown, arrowUp, plus, trash2 } from '../../parts/icons.ts';
import { toast } from '../../parts/toast.tsx';
import { texts } from '../../texts/editor.ts';
import { History } from '../document/history.ts';
import { isRowsFile, readRowsFile } from '../document/read-entries.ts';
import { entryWith, plainValue, type RawEntry } from '../document/table-edits.ts';
import type { ListColumn } from './list-columns.ts';
import { namedLike, pasted } from './pasted-rows.ts';
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

export function RowsSheet({ label, columns, rows, onRows, wrong }: RowsSheetProps) {
  const box = useRef<HTMLDivElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const [top, setTop] = useState(0);
  const [asked, ask] = useState<{ readonly row: number; readonly column: number } | null>(null);
  // The row that had the focus last: the buttons below the table are for it.
  const [chosen, choose] = useState(-1);
  const current = chosen < rows.length ? chosen : rows.length - 1;
  const history = useRef(new History<readonly RawEntry[]>());
  /** @param cell of the value that is typed, whose letters are undone together */
  const change = (next: readonly RawEntry[], cell: string | null = null) => {
    history.current.record(rows, cell, performance.now());
    onRows(next);
  };
  // Of a list that has become shorter, the end shows.
  const first = Math.min(Math.floor(top / ROW), rows.length - SEEN);
  const from = Math.max(0, first - BESIDE);
  const to = Math.min(rows.length, Math.max(0, first) + 1 + SEEN + BESIDE);

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
  // A cell that is asked for gets the focus once its row is rendered.
  useEffect(() => {
    const cell = asked && box.current?.querySelector<HTMLElement>(`[data-cell="${asked.row} ${asked.column}"]`);
    if (!cell) return;
    cell.focus();
    ask(null);
  });
  const go = (row: number, column: number) => {
    reveal(row);
    ask({ row, column });
  };
  const move = (row: number, step: -1 | 1, column: number) => {
    const [one, other] = [rows[row], rows[row + step]];
    if (!one || !other) return;
    change(rows.with(row, other).with(row + step, one));
    go(row + step, column);
  };
  const remove = (row: number, column: number) => {
    change(rows.toSpliced(row, 1));
    if (rows.length > 1) go(Math.min(row, rows.length - 2), column);
  };
  const insert = (row: number, column: number) => {
    change(rows.toSpliced(row, 0, {}));
    go(row, column);
  };
  const onKeyDown = (event: KeyboardEvent, row: number, column: number) => {
    if (event.isComposing) return;
    const undone = undoKey(event);
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    const isCommand = event.ctrlKey || event.metaKey;
    if (undone) {
      const before = history.current[undone](() => rows);
      if (before) onRows(before);
      if (before && before.length > 0 && row >= before.length) go(before.length - 1, column);
    } else if (step !== 0 && event.altKey) move(row, step, column);
    else if (step !== 0 && rows[row + step]) go(row + step, column);
    else if (event.key === 'Enter' && isCommand) insert(row + 1, column);
    else if (event.key === 'Enter' && row + 1 === rows.length) insert(row + 1, 0);
    else if (event.key === 'Enter') go(row + 1, column);
    else if (event.key === 'Backspace' && isCommand) remove(row, column);
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent, row: number, column: number) => {
    const next = pasted(event.clipboardData?.getData('text/plain') ?? '', { columns, rows, row, column });
    if (!next) return;
    event.preventDefault();
    change(next);
  };
  const open = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      if (!isRowsFile(chosen)) throw new Error(texts.value.data.noRowsFile(chosen.name));
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
        <table aria-label={label} aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              <th class="rows-number" aria-label={texts.value.data.rowNumber} />
              {columns.map((column) => (
                <th
                  key={column.name}
                  scope="col"
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
            <Gap rows={from} />
            {rows.slice(from, to).map((entry, i) => {
              const row = from + i;
              return (
                <tr
                  key={row}
                  aria-rowindex={row + 2}
                  class={row === current ? 'is-current' : undefined}
                  onFocusIn={() => choose(row)}
                >
                  <th scope="row" class="rows-number">
                    {row + 1}
                  </th>
                  {columns.map(({ name, title, isEnd }, column) => {
                    const value = plainValue(entry[name]);
                    const isNested = typeof value === 'object' && value !== null;
                    return (
                      <td key={name}>
                        <input
                          data-cell={`${row} ${column}`}
                          class={isEnd ? 'is-end' : undefined}
                          aria-label={texts.value.data.cellOf(title, row + 1)}
                          aria-invalid={wrong?.row === row && wrong.name === name}
                          readOnly={isNested}
                          value={isNested ? JSON.stringify(value) : String(value ?? '')}
                          onInput={(event) =>
                            change(rows.with(row, entryWith(entry, name, event.currentTarget.value)), `${row} ${name}`)
                          }
                          onKeyDown={(event) => onKeyDown(event, row, column)}
                          onPaste={(event) => onPaste(event, row, column)}
                        />
                      </td>
                    );
                  })}
                </tr>
              );
            })}
            <Gap rows={rows.length - to} />
          </tbody>
        </table>
      </div>
      <div class="rows-foot">
        <Button dense icon={plus} onClick={() => insert(rows.length, 0)}>
          {texts.value.data.addRow}
        </Button>
        <Button dense look="quiet" onClick={() => file.current?.click()}>
          {texts.value.data.chooseRowsFile}
        </Button>
        {current < 0 ? (
          <span class="faint">{texts.value.data.rows(rows.length)}</span>
        ) : (
          <span class="rows-tools">
            <span class="faint">{texts.value.data.rowOf(current + 1, rows.length)}</span>
            <IconButton
              dense
              icon={arrowUp}
              label={texts.value.data.rowUp(current + 1)}
              disabled={current === 0}
              onClick={() => move(current, -1, 0)}
            />
            <IconButton
              dense
              icon={arrowDown}
              label={texts.value.data.rowDown(current + 1)}
              disabled={current + 1 === rows.length}
              onClick={() => move(current, 1, 0)}
            />
            <IconButton
              dense
              icon={trash2}
              label={texts.value.data.removeRow(current + 1)}
              onClick={() => remove(current, 0)}
            />
          </span>
        )}
        <input
          ref={file}
          type="file"
          hidden
          accept=".csv,.tsv,.json"
          onChange={(event) => {
            void open(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </div>
    </fieldset>
  );
}

/** Rows whose values a column is sized by. */
const MEASURED = 100;

/** Width of a letter, in digits. */
const LETTER = 0.9;

/** As wide as its title and its values, of long texts as much as leaves room for others. Numbers take no more. */
function columnStyle(rows: readonly RawEntry[], { name, title, isEnd }: ListColumn): Record<string, string> {
  const longest = Math.max(...rows.slice(0, MEASURED).map((row) => String(plainValue(row[name]) ?? '').length), 0);
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
    <tr>
      <td class="rows-gap" style={{ height: `${rows * ROW}px` }} />
    </tr>
  );
