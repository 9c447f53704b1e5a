// The Design panel of a table: its columns one by one, its entries, and the looks of its cells and lines.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import { MAX_COLUMNS } from '#core/template/table-layer.ts';
import { IconButton } from '../../parts/button.tsx';
import { deferred } from '../../parts/deferred.tsx';
import { Icon } from '../../parts/icon.tsx';
import { arrowDown, arrowUp, chevronDown, chevronRight, trash2 } from '../../parts/icons.ts';
import { toast } from '../../parts/toast.tsx';
import { count } from '../../shell/format.ts';
import type { RawLayer } from '../document/document.ts';
import { changeLayer, type Patch, patched } from '../document/edits.ts';
import {
  addColumn,
  cellAtColumn,
  columnsOf,
  entriesOf,
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
import type { InspectorContext } from './inspector-context.ts';
import { NumberInput } from './number-input.tsx';
import { labelOf, propertyOf } from './schema.ts';
import { LOOKS } from './sections.ts';
import { AddButton, Segments } from './segments.tsx';
import './table-panel.css';
import { useTyped } from './typed-text.ts';
import { LabelledValue, ValueField } from './value-field.tsx';

const EntriesDialog = deferred(async () => (await import('./entries-dialog.tsx')).EntriesDialog);

interface TablePanelProps extends InspectorContext {
  readonly table: RawLayer;
}

/** Changes the table as one step; equal kinds that follow closely are undone together. */
type Change = (kind: string | null, change: (table: RawLayer) => RawLayer) => void;

const { shape } = LAYER_SCHEMAS.table;

export function TablePanel({ table, ...context }: TablePanelProps) {
  const { editor } = context;
  const isFilling = useSignal(false);
  const change: Change = (kind, of) =>
    editor.edit((document) => changeLayer(document, table.name, of), {
      kind: kind === null ? null : `${kind} ${table.name}`,
    });
  const entries = entriesOf(table).length;
  return (
    <>
      <section class="panel-section">
        <h3 class="panel-section-title">Columns</h3>
        <div class="panel-section-body">
          <Columns table={table} change={change} {...context} />
        </div>
      </section>
      <section class="panel-section">
        <h3 class="panel-section-title">Rows</h3>
        <div class="panel-section-body">
          <p class="faint">
            {entries === 0 ? 'None yet.' : `${count(entries)} ${entries === 1 ? 'row' : 'rows'} as an example.`} A list
            named “{table.name}” in a request takes their place.
          </p>
          <button
            type="button"
            class="add-button"
            onClick={() => {
              isFilling.value = true;
            }}
          >
            Fill from CSV or JSON…
          </button>
          <TextOf name="empty" table={table} change={change} {...context} />
        </div>
      </section>
      <CellLook part="cell" title="All cells" table={table} change={change} {...context} />
      <CellLook part="headerCell" title="Header" table={table} change={change} {...context} />
      <CellLook part="footerCell" title="Footer" table={table} change={change} {...context} />
      {isFilling.value && (
        <EntriesDialog
          editor={editor}
          table={table}
          onClose={() => {
            isFilling.value = false;
          }}
        />
      )}
    </>
  );
}

interface PartProps extends TablePanelProps {
  readonly change: Change;
}

function TextOf({ name, table, change, swatches }: PartProps & { readonly name: 'empty' }) {
  const schema = shape[name];
  return (
    <LabelledValue name={name} schema={schema} label="Without rows">
      <ValueField
        name={name}
        schema={schema}
        value={table[name]}
        swatches={swatches}
        look={{ label: 'Text of a table without rows' }}
        onValue={(value) => change(name, (before) => patched(before, { [name]: value === '' ? null : value }))}
      />
    </LabelledValue>
  );
}

function Columns(props: PartProps) {
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
        change(null, (before) => patched(before, { footer: totalOf(before, name) }));
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

/** A footer that adds up a value below its column. */
function totalOf(table: RawLayer, name: string): readonly unknown[] {
  const [row = []] = rowsOfPart(table, 'row');
  const index = row.findIndex((cell) => cell.name === name);
  const before = row.slice(0, index).reduce((sum, cell) => sum + (cell.columnSpan ?? 1), 0);
  const format = row[index]?.format;
  const sum = { calculate: { sum: name }, ...(format !== undefined && { format }) };
  if (before === 0) return [sum];
  return [before === 1 ? 'Total' : { text: 'Total', columnSpan: before }, sum];
}

const WIDTHS = [
  ['hug', 'As its cells need'],
  ['fill', 'What is left'],
  ['px', 'px'],
  ['%', '%'],
  ['fr', 'A share'],
] as const;

function ColumnWidth({ value, onValue }: { value: number | string; onValue: (value: number | string) => void }) {
  const kind = typeof value === 'number' ? 'px' : (/(%|fr)$/.exec(value)?.[1] ?? value);
  const number = typeof value === 'number' ? value : Number.parseFloat(value);
  return (
    <span class="column-shows">
      <select
        class="input is-dense"
        aria-label="Width: kind"
        value={kind}
        onChange={(event) => {
          const next = event.currentTarget.value;
          if (next === 'px') onValue(100);
          else onValue(next === '%' ? '20%' : next === 'fr' ? '2fr' : next);
        }}
      >
        {WIDTHS.map(([word, label]) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
      </select>
      {Number.isFinite(number) && (
        <NumberInput
          label="Width"
          value={number}
          unit={kind}
          min={0}
          max={kind === 'px' ? 100_000 : 999}
          onNumber={(next) => onValue(kind === 'px' ? next : `${next}${kind}`)}
        />
      )}
    </span>
  );
}

const TWO_DECIMALS = { type: 'number', minimumFractionDigits: 2, maximumFractionDigits: 2 };
const FORMATS: readonly (readonly [label: string, format: unknown])[] = [
  ['As it is', undefined],
  ['Number: 1,234.5', 'number'],
  ['Number: 1,234.50', TWO_DECIMALS],
  ['Currency: €1,234.50', 'currency'],
  ['Percentage: 19%', 'percent'],
  ['Date: Jan 31, 2026', 'date'],
  ['Date: 1/31/26', { type: 'date', dateStyle: 'short' }],
];

function FormatSelect({ value, onValue }: { value: unknown; onValue: (value: unknown) => void }) {
  const text = JSON.stringify(value ?? undefined);
  const at = FORMATS.findIndex(([, format]) => JSON.stringify(format) === text);
  return (
    <select
      class="input is-dense"
      aria-label="Format"
      value={String(at)}
      onChange={(event) => onValue(FORMATS[Number(event.currentTarget.value)]?.[1])}
    >
      {/* One that was written in JSON stays as it is. */}
      {at < 0 && <option value="-1">Own, in JSON</option>}
      {FORMATS.map(([label], i) => (
        <option key={label} value={String(i)}>
          {label}
        </option>
      ))}
    </select>
  );
}

const CELL_STYLE = (() => {
  const { control } = propertyOf(shape.cell);
  if (control.kind !== 'object') throw new Error('the style of cells is no object');
  return control.properties as Record<string, (typeof control.properties)[string]> & { readonly color: never };
})();

/** The styles of cells that people set most; the JSON panel has all. */
const LOOK_ROWS = [['fontSize', 'fontWeight'], ['color'], ['background'], ['padding'], ['verticalAlign']] as const;

function CellLook(props: PartProps & { readonly part: 'cell' | 'headerCell' | 'footerCell'; readonly title: string }) {
  const { part, title, table, change, swatches } = props;
  const style = (table[part] ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <details class="panel-section" open={part === 'cell'}>
      <summary class="panel-section-title">{title}</summary>
      <div class="panel-section-body">
        {LOOK_ROWS.map((row) => (
          <div key={row.join()} class={row.length === 2 ? 'row is-pair' : 'row'}>
            {row.map((name) => {
              const schema = CELL_STYLE[name];
              if (!schema) return null;
              return (
                <LabelledValue key={name} name={`${part} ${name}`} schema={schema} label={labelOf(name)}>
                  <ValueField
                    name={name}
                    schema={schema}
                    value={style[name] ?? STARTS[name]}
                    swatches={swatches}
                    onValue={(value) =>
                      change(`${part} ${name}`, (before) => {
                        const next = patched((before[part] ?? {}) as Readonly<Record<string, unknown>>, {
                          [name]: value,
                        });
                        return patched(before, { [part]: Object.keys(next).length === 0 ? undefined : next });
                      })
                    }
                  />
                </LabelledValue>
              );
            })}
          </div>
        ))}
      </div>
    </details>
  );
}

/** What cells have where nothing is set, for fields that would otherwise be empty. */
const STARTS: Readonly<Record<string, unknown>> = { padding: 4 };

function Labelled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="labelled">
      <span class="labelled-name">{label}</span>
      {children}
    </div>
  );
}

function TypedText({ label, value, onText }: { label: string; value: string; onText: (text: string) => void }) {
  const [typed, setTyped] = useTyped();
  const commit = () => {
    if (typed !== null && typed !== value) onText(typed);
    setTyped(null);
  };
  return (
    <input
      class="input is-dense"
      aria-label={label}
      maxLength={1_000}
      value={typed ?? value}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}
