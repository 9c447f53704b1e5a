// The columns of a table one by one: title, value, width, alignment, format; and the total below one of them.

import { useSignal } from '@preact/signals';
import { MAX_COLUMNS } from '#core/template/table-layer.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { arrowDown, arrowUp, chevronDown, chevronRight, trash2 } from '../../parts/icons.ts';
import { toast } from '../../parts/toast.tsx';
import { changeLayer, type Patch, patched } from '../document/edits.ts';
import {
  addColumn,
  addTotal,
  cellAtColumn,
  columnsOf,
  type RawCell,
  type RawColumn,
  removeColumn,
  renameValue,
  rowsOfPart,
  setCell,
  setColumn,
  setFormat,
  setTitle,
  swapColumns,
  titleOf,
  widthOf,
} from '../document/table-edits.ts';
import { ColumnWidth, FormatSelect, Labelled, TypedText } from './column-fields.tsx';
import { LOOKS } from './sections.ts';
import { AddButton, Segments } from './segments.tsx';
import { CELL_STYLE, type PartProps } from './table-context.ts';
import { ValueField } from './value-field.tsx';

export function Columns(props: PartProps) {
  const { table, change } = props;
  const columns = columnsOf(table);
  const opened = useSignal<number | null>(null);
  return (
    <>
      {columns.map((column, at) => (
        <ColumnRow
          key={at}
          {...props}
          column={column}
          at={at}
          isOpen={opened.value === at}
          onToggle={() => {
            opened.value = opened.value === at ? null : at;
          }}
          onMoved={(to) => {
            if (opened.value === at) opened.value = to;
          }}
        />
      ))}
      {columns.length < MAX_COLUMNS && (
        <AddButton
          label="Add a column"
          onAdd={() => {
            change(null, (before) => addColumn(before, columnsOf(before).length));
            opened.value = columns.length;
          }}
        />
      )}
      <Footer {...props} />
    </>
  );
}

interface ColumnProps extends PartProps {
  readonly column: RawColumn;
  readonly at: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onMoved: (to: number) => void;
}

function ColumnRow({ table, change, column, at, isOpen, onToggle, onMoved, swatches, editor }: ColumnProps) {
  const all = columnsOf(table).length;
  const title = titleOf(table, at)?.cell.text ?? '';
  const found = cellAtColumn(rowsOfPart(table, 'row')[0] ?? [], at);
  const cell = found?.cell ?? null;
  const shows = cell?.counter !== undefined ? 'the row’s number' : (cell?.name ?? cell?.text ?? '');
  const name = title || shows || `Column ${at + 1}`;
  const width = widthOf(column);
  const own = typeof column === 'object' ? column : {};
  const move = (step: -1 | 1) => {
    change(null, (before) => swapColumns(before, step < 0 ? at - 1 : at));
    onMoved(at + step);
  };
  const set = (patch: Patch) => {
    if (found)
      change(`cell ${at} ${Object.keys(patch).join()}`, (before) => setCell(before, 'row', 0, found.index, patch));
  };
  const format = (next: unknown) => {
    if (!found) return;
    const needsOne = next === 'currency' && editor.document.peek().currency === undefined;
    editor.edit((document) => {
      const formatted = changeLayer(document, table.name, (before) => setFormat(before, found.index, next));
      return needsOne ? patched(formatted, { currency: 'EUR' }) : formatted;
    });
    if (needsOne) toast('The currency is EUR. Another one can be set below “Language” when no layer is selected.');
  };
  return (
    <div class="column">
      <div class="column-head">
        <button type="button" class="column-name truncate" aria-expanded={isOpen} onClick={onToggle}>
          <Icon of={isOpen ? chevronDown : chevronRight} size={14} />
          <span class="truncate">{name}</span>
          <span class="faint">{typeof width === 'number' ? `${Math.round(width)} px` : width}</span>
        </button>
        <IconButton icon={arrowUp} dense label={`${name}: to the left`} disabled={at === 0} onClick={() => move(-1)} />
        <IconButton
          icon={arrowDown}
          dense
          label={`${name}: to the right`}
          disabled={at === all - 1}
          onClick={() => move(1)}
        />
        <IconButton
          icon={trash2}
          dense
          label={`Remove the column ${name}`}
          disabled={all === 1}
          onClick={() => change(null, (before) => removeColumn(before, at))}
        />
      </div>
      {isOpen && (
        <div class="column-fields">
          <Labelled label="Title">
            <TypedText
              label="Title"
              value={title}
              onText={(text) => change(`title ${at}`, (before) => setTitle(before, at, text))}
            />
          </Labelled>
          {found && cell && (
            <Labelled label="Shows">
              <span class="column-shows">
                <select
                  class="input is-dense"
                  aria-label="Shows"
                  value={cell.counter !== undefined ? 'counter' : cell.name !== undefined ? 'value' : 'text'}
                  onChange={(event) => set(SHOWS[event.currentTarget.value as keyof typeof SHOWS](cell, title))}
                >
                  <option value="value">A value</option>
                  <option value="counter">The row’s number</option>
                  <option value="text">The same text</option>
                </select>
                {cell.counter === undefined &&
                  (cell.name !== undefined ? (
                    <TypedText
                      label="Name of the value"
                      value={cell.name}
                      onText={(text) => {
                        const to = text.trim();
                        if (to !== '') change(`value ${at}`, (before) => renameValue(before, found.index, to));
                      }}
                    />
                  ) : (
                    <TypedText label="Text" value={cell.text ?? ''} onText={(text) => set({ text })} />
                  ))}
              </span>
            </Labelled>
          )}
          <Labelled label="Width">
            <ColumnWidth
              value={width}
              onValue={(next) => change(`width ${at}`, (before) => setColumn(before, at, { width: next }))}
            />
          </Labelled>
          <Labelled label="Align">
            <Segments
              label="Align"
              options={['left', 'center', 'right', 'justify']}
              icons={LOOKS.align?.icons ?? {}}
              names={{}}
              value={ALIGNS[String(own.align ?? 'start')] ?? own.align}
              onValue={(align) => change(null, (before) => setColumn(before, at, { align }))}
            />
          </Labelled>
          {cell && cell.counter === undefined && (
            <Labelled label="Format">
              <FormatSelect value={cell.format} onValue={format} />
            </Labelled>
          )}
          <Labelled label="Color">
            <ValueField
              name="color"
              schema={CELL_STYLE.color}
              value={own.color}
              swatches={swatches}
              onValue={(color) => change(`color ${at}`, (before) => setColumn(before, at, { color }))}
            />
          </Labelled>
        </div>
      )}
    </div>
  );
}

const ALIGNS: Readonly<Record<string, string>> = { start: 'left', end: 'right' };

/** What a cell of each row becomes when it is to show something else. */
const SHOWS = {
  value: (_: RawCell, title: string): Patch => ({
    counter: undefined,
    text: undefined,
    name: title.trim() === '' ? 'value' : title.trim().toLowerCase(),
  }),
  counter: (): Patch => ({ name: undefined, text: undefined, format: undefined, counter: 'row' }),
  text: (): Patch => ({ counter: undefined, name: undefined, format: undefined, text: '–' }),
};

/** The sum of a column below it, or none. */
function Footer({ table, change }: PartProps) {
  const rows = rowsOfPart(table, 'footer');
  const summable = (rowsOfPart(table, 'row')[0] ?? []).filter(({ name, counter }) => name !== undefined && !counter);
  if (rows.length > 0) {
    return (
      <button
        type="button"
        class="add-button"
        onClick={() => change(null, (before) => patched(before, { footer: undefined }))}
      >
        Remove the footer
      </button>
    );
  }
  if (summable.length === 0) return null;
  return (
    <select
      class="input is-dense"
      aria-label="Add a footer with a total"
      value=""
      onChange={(event) => {
        const name = event.currentTarget.value;
        event.currentTarget.value = '';
        change(null, (before) => addTotal(before, name));
      }}
    >
      <option value="">Add a footer with a total…</option>
      {summable.map(({ name }) => (
        <option key={name} value={name}>
          Total of “{name}”
        </option>
      ))}
    </select>
  );
}
