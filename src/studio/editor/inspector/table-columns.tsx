// The columns of a table one by one: title, value, width, alignment, format; and the total below one of them.

import { useSignal } from '@preact/signals';
import { MAX_COLUMNS } from '#core/template/table-layer.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { arrowDown, arrowUp, chevronDown, chevronRight, trash2 } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { changeLayer, type Patch, patched } from '../core/document/edits.ts';
import {
  addColumn,
  addTotal,
  bodyCell,
  columnsOf,
  type RawCell,
  type RawColumn,
  removeColumn,
  renameValue,
  rowsOfPart,
  setBodyCell,
  setColumn,
  setFormat,
  setTitle,
  swapColumns,
  titleOf,
  valueNames,
  widthOf,
} from '../core/document/table-edits.ts';
import { ColumnWidth, FormatSelect, Labelled, TypedText } from './column-fields.tsx';
import { TextButton } from './controls.tsx';
import { lookOf } from './sections.ts';
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
          label={texts.value.inspector.addAColumn}
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
  const cell = bodyCell(table, at)?.cell ?? null;
  const shows = cell?.counter !== undefined ? texts.value.inspector.rowNumber : (cell?.name ?? cell?.text ?? '');
  const name = title || shows || texts.value.inspector.column(at + 1);
  const width = widthOf(column);
  const own = typeof column === 'object' ? column : {};
  const move = (step: -1 | 1) => {
    change(null, (before) => swapColumns(before, step < 0 ? at - 1 : at));
    onMoved(at + step);
  };
  const set = (patch: Patch) => {
    change(`cell ${at} ${Object.keys(patch).join()}`, (before) => setBodyCell(before, at, patch));
  };
  const format = (next: unknown) => {
    const needsOne = next === 'currency' && editor.document.peek().currency === undefined;
    editor.edit((document) => {
      const formatted = changeLayer(document, table.name, (before) => setFormat(before, at, next));
      return needsOne ? patched(formatted, { currency: 'EUR' }) : formatted;
    });
    if (needsOne) editor.host.tell(texts.value.inspector.currencyIsEur);
  };
  return (
    <div class="column">
      <div class="column-head">
        <button type="button" class="column-name truncate" aria-expanded={isOpen} onClick={onToggle}>
          <Icon of={isOpen ? chevronDown : chevronRight} size={14} />
          <span class="truncate">{name}</span>
          <span class="faint">{typeof width === 'number' ? `${Math.round(width)} px` : widthName(width)}</span>
        </button>
        <IconButton
          icon={arrowUp}
          dense
          label={texts.value.inspector.toTheLeft(name)}
          disabled={at === 0}
          onClick={() => move(-1)}
        />
        <IconButton
          icon={arrowDown}
          dense
          label={texts.value.inspector.toTheRight(name)}
          disabled={at === all - 1}
          onClick={() => move(1)}
        />
        <IconButton
          icon={trash2}
          dense
          label={texts.value.inspector.removeTheColumn(name)}
          disabled={all === 1}
          onClick={() => change(null, (before) => removeColumn(before, at))}
        />
      </div>
      {isOpen && (
        <div class="column-fields">
          <Labelled label={texts.value.inspector.title}>
            <TypedText
              label={texts.value.inspector.title}
              value={title}
              onText={(text) => change(`title ${at}`, (before) => setTitle(before, at, text))}
            />
          </Labelled>
          {cell && (
            <Labelled label={texts.value.inspector.shows}>
              <span class="column-shows">
                <select
                  class="input is-dense"
                  aria-label={texts.value.inspector.shows}
                  value={cell.counter !== undefined ? 'counter' : cell.name !== undefined ? 'value' : 'text'}
                  onChange={(event) => set(SHOWS[event.currentTarget.value as keyof typeof SHOWS](cell, title))}
                >
                  <option value="value">{texts.value.inspector.aValue}</option>
                  <option value="counter">{texts.value.inspector.theRowNumber}</option>
                  <option value="text">{texts.value.inspector.theSameText}</option>
                </select>
                {cell.counter === undefined &&
                  (cell.name !== undefined ? (
                    <TypedText
                      label={texts.value.inspector.nameOfTheValue}
                      value={cell.name}
                      onText={(text) => {
                        const to = text.trim();
                        if (to !== '') change(`value ${at}`, (before) => renameValue(before, at, to));
                      }}
                    />
                  ) : (
                    <TypedText
                      label={texts.value.inspector.text}
                      value={cell.text ?? ''}
                      onText={(text) => set({ text })}
                    />
                  ))}
              </span>
            </Labelled>
          )}
          <Labelled label={texts.value.inspector.width}>
            <ColumnWidth
              value={width}
              onValue={(next) => change(`width ${at}`, (before) => setColumn(before, at, { width: next }))}
            />
          </Labelled>
          <Labelled label={texts.value.inspector.align}>
            <Segments
              label={texts.value.inspector.align}
              options={['left', 'center', 'right', 'justify']}
              icons={lookOf('align')?.icons ?? {}}
              names={{}}
              value={ALIGNS[String(own.align ?? 'start')] ?? own.align}
              onValue={(align) => change(null, (before) => setColumn(before, at, { align }))}
            />
          </Labelled>
          {cell && cell.counter === undefined && (
            <Labelled label={texts.value.inspector.format}>
              <FormatSelect value={cell.format} onValue={format} />
            </Labelled>
          )}
          <Labelled label={texts.value.common.color}>
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

/** What a width that is a word is called. */
const widthName = (width: string): string =>
  width === 'hug' || width === 'fill' ? texts.value.dimensions[width] : width;

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
  const summable = valueNames(table);
  if (rows.length > 0) {
    return (
      <TextButton onClick={() => change(null, (before) => patched(before, { footer: undefined }))}>
        {texts.value.inspector.removeTheFooter}
      </TextButton>
    );
  }
  if (summable.length === 0) return null;
  return (
    <select
      class="input is-dense"
      aria-label={texts.value.inspector.addFooter}
      value=""
      onChange={(event) => {
        const name = event.currentTarget.value;
        event.currentTarget.value = '';
        change(null, (before) => addTotal(before, name));
      }}
    >
      <option value="">{texts.value.inspector.addFooterDots}</option>
      {summable.map((name) => (
        <option key={name} value={name}>
          {texts.value.inspector.totalOf(name)}
        </option>
      ))}
    </select>
  );
}
