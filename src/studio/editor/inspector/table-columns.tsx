// The columns of a table one by one: title, value or what is calculated, width, alignment, format; and the rows below them.

import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { MAX_COLUMNS } from '#core/template/table-layer.ts';
import { setSignal } from '../../parts/action.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { arrowDown, arrowUp, chevronDown, chevronRight, trash2 } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { changeLayer, type Patch, patched } from '../core/document/edits.ts';
import {
  addColumn,
  bodyCell,
  columnsOf,
  numberNames,
  type RawCell,
  type RawColumn,
  removeColumn,
  renameValue,
  setBodyCell,
  setColumn,
  setFormat,
  setTitle,
  swapColumns,
  titleOf,
  valueNames,
  widthOf,
} from '../core/document/table-edits.ts';
import {
  type Calculated,
  calculated,
  type FooterKind,
  type FooterRow,
  footerRows,
  groupNames,
  rateName,
  termNames,
  withFooter,
} from '../core/document/table-sums.ts';
import { ColumnWidth, FormatSelect, TypedText } from './column-fields.tsx';
import { Labelled, Select } from './controls.tsx';
import { NumberInput } from './number-input.tsx';
import { lookOf } from './sections.ts';
import { AddButton, RemoveButton, Segments } from './segments.tsx';
import { CELL_STYLE, cellTexts, type PartProps } from './table-context.ts';
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
          onToggle={() => setSignal(opened, opened.value === at ? null : at)}
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

function ColumnRow({ table, change, column, at, isOpen, onToggle, onMoved, editor }: ColumnProps) {
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
  const show = (next: Shows) => {
    const value = cell?.name ?? (title.trim() === '' ? 'value' : title.trim().toLowerCase());
    const none = { counter: undefined, name: undefined, text: undefined, format: undefined, calculate: undefined };
    if (next === 'value') set({ ...none, name: value, format: cell?.format });
    else if (next === 'counter') set({ ...none, counter: 'row' });
    else if (next === 'text') set({ ...none, text: '–' });
    else set(calculated(table, at, next, value));
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
                <Select
                  label={texts.value.inspector.shows}
                  value={shownBy(cell)}
                  options={[
                    ['value', texts.value.inspector.aValue],
                    ['multiply', texts.value.inspector.aProduct],
                    ['running', texts.value.inspector.aBalance],
                    shownBy(cell) === 'own' && ['own', texts.value.inspector.ownFormat],
                    ['counter', texts.value.inspector.theRowNumber],
                    ['text', texts.value.inspector.theSameText],
                  ]}
                  onChoose={(by) => show(by as Shows)}
                />
                {cell.counter === undefined &&
                  (cell.name !== undefined || cell.calculate !== undefined ? (
                    <TypedText
                      label={texts.value.inspector.nameOfTheValue}
                      value={cell.name ?? ''}
                      onText={(text) => {
                        const to = text.trim();
                        if (to !== '') change(`value ${at}`, (before) => renameValue(before, at, to));
                      }}
                    />
                  ) : (
                    <TypedText
                      label={texts.value.sections.text}
                      value={cell.text ?? ''}
                      onText={(text) => set({ text })}
                    />
                  ))}
              </span>
            </Labelled>
          )}
          {cell && <Terms cell={cell} names={termNames(table, at)} onCalculate={(calculate) => set({ calculate })} />}
          <Labelled label={texts.value.sheet.width}>
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

type Shows = 'value' | 'counter' | 'text' | Calculated;

/** What a cell of each row shows; `own`: a calculation that was written in JSON. */
function shownBy({ counter, name, calculate }: RawCell): Shows | 'own' {
  if (counter !== undefined) return 'counter';
  if (calculate === undefined) return name === undefined ? 'text' : 'value';
  const { multiply, running } = Object(calculate) as Readonly<Record<string, unknown>>;
  if (Array.isArray(multiply) && multiply.length === 2) return 'multiply';
  return typeof running === 'string' ? 'running' : 'own';
}

interface TermsProps {
  readonly cell: RawCell;
  readonly names: readonly string[];
  readonly onCalculate: (calculate: unknown) => void;
}

/** What a column multiplies, or adds up and takes off from row to row. */
function Terms({ cell, names, onCalculate }: TermsProps) {
  const { inspector, common } = texts.value;
  const calculate = Object(cell.calculate) as Patch & { readonly multiply?: readonly unknown[] };
  const by = shownBy(cell);
  const term = (label: string, value: unknown, onTerm: (name: string) => void, isOptional = false) => (
    <Select
      labelled
      label={label}
      value={String(value ?? '')}
      options={[
        isOptional && ['', common.none],
        ...Array.from(
          new Set([...(value === undefined ? [] : [String(value)]), ...names]),
          (one) => [one, one] as const,
        ),
      ]}
      onChoose={onTerm}
    />
  );
  if (by === 'running')
    return (
      <>
        {term(inspector.adds, calculate.running, (running) => onCalculate({ ...calculate, running }))}
        {term(
          inspector.takesOff,
          calculate.less,
          (less) => onCalculate(patched(calculate, { less: less === '' ? undefined : less })),
          true,
        )}
      </>
    );
  if (by !== 'multiply') return null;
  const factors = calculate.multiply ?? [];
  return (
    <>
      {factors.map((factor, i) => (
        <Fragment key={i}>
          {term(i === 0 ? inspector.firstFactor : inspector.secondFactor, factor, (name) =>
            onCalculate({ ...calculate, multiply: factors.with(i, name) }),
          )}
        </Fragment>
      ))}
      <Labelled label={inspector.roundTo}>
        <NumberInput
          label={inspector.roundTo}
          value={typeof calculate.round === 'number' ? calculate.round : null}
          min={0}
          max={20}
          isInt
          placeholder={inspector.allDigits}
          onNumber={(round) => onCalculate({ ...calculate, round })}
          onEmpty={() => onCalculate(patched(calculate, { round: undefined }))}
        />
      </Labelled>
    </>
  );
}

/** The totals of an e-invoice that a cell may show, in the order of EN 16931. */
const INVOICE_TOTALS = [
  'LineTotalAmount',
  'TaxBasisTotalAmount',
  'TaxTotalAmount',
  'GrandTotalAmount',
  'DuePayableAmount',
] as const;

/** The rows below a table: totals, a tax for each rate, and the sum of all. */
function Footer({ table, change, editor }: PartProps) {
  const { inspector, common } = texts.value;
  const rows = footerRows(table);
  const names = groupNames(table);
  const summable = valueNames(table);
  const numbers = numberNames(table);
  const last = summable.filter((name) => numbers.has(name)).at(-1) ?? summable.at(-1);
  const set = (next: readonly FooterRow[], kind: string | null = null) =>
    change(kind, (before) => withFooter(before, next));
  const add = async (kind: FooterKind) => {
    const words = await cellTexts(editor);
    const { subTotal, tax } = words.inspector;
    const label = kind === 'tax' ? tax : kind === 'total' && rows.length > 0 ? subTotal : words.common.total;
    const row = { at: null, kind, label, of: last ?? '', total: '', rate: kind === 'tax' ? rateName(table) : '' };
    change(null, (before) => {
      const present = footerRows(before);
      // The sum of all stays the last one.
      const end = present.at(-1)?.kind === 'all' ? -1 : present.length;
      return withFooter(before, present.toSpliced(end, 0, row));
    });
  };
  if (last === undefined) return null;
  return (
    <fieldset class="group">
      <legend>
        <span>{inspector.belowTheRows}</span>
      </legend>
      {rows.map((row, i) => {
        const edit = (patch: Partial<FooterRow>) => set(rows.with(i, { ...row, ...patch }), `footer ${i}`);
        const pick = (label: string, value: string, options: readonly string[], name: 'of' | 'rate') => (
          <Labelled label={label}>
            <Select
              label={`${label} ${i + 1}`}
              value={value}
              options={Array.from(new Set([value, ...options]), (one) => [one, one] as const)}
              onChoose={(next) => edit({ [name]: next })}
            />
          </Labelled>
        );
        return (
          <div key={i} class="list-item">
            <div class="list-item-head">
              <span class="faint">{row.kind === null ? inspector.ownFormat : inspector.footerKinds[row.kind]}</span>
              <RemoveButton label={`${inspector.footer} ${i + 1}`} onRemove={() => set(rows.toSpliced(i, 1))} />
            </div>
            {row.kind !== null && (
              <>
                <TypedText
                  label={`${inspector.title} ${i + 1}`}
                  value={row.label}
                  onText={(label) => edit({ label })}
                />
                {row.kind !== 'all' && pick(inspector.adds, row.of, summable, 'of')}
                {row.kind === 'tax' && pick(inspector.rate, row.rate, names, 'rate')}
                <Labelled label={inspector.invoiceTotal}>
                  <Select
                    label={`${inspector.invoiceTotal} ${i + 1}`}
                    value={row.total}
                    options={[
                      ['', common.none],
                      ...INVOICE_TOTALS.map((one) => [one, inspector.invoiceTotals[one]] as const),
                    ]}
                    onChoose={(total) => edit({ total })}
                  />
                </Labelled>
              </>
            )}
          </div>
        );
      })}
      <AddButton label={inspector.addATotal} onAdd={() => void add('total')} />
      <AddButton label={inspector.addATax} onAdd={() => void add('tax')} />
      {rows.length > 1 && rows.at(-1)?.kind !== 'all' && (
        <AddButton label={inspector.addAll} onAdd={() => void add('all')} />
      )}
    </fieldset>
  );
}
