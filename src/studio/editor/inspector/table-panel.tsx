// The Design panel of a table: its columns, its rows, and the looks of its cells.

import { useSignal } from '@preact/signals';
import { type ChartData, chartRows } from '#core/template/chart-rows.ts';
import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import { setSignal } from '../../parts/action.ts';
import { Button, FileButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Check, Problem } from '../../parts/field.tsx';
import { texts } from '../../texts/editor.ts';
import { patchOfSheet, problemInSheet, writeChartSheet } from '../core/document/chart-data.ts';
import { type RawLayer, walk } from '../core/document/document.ts';
import { changeLayer, type Patch, patched } from '../core/document/edits.ts';
import { textOfRowsFile, tryEntries } from '../core/document/read-entries.ts';
import { entriesOf, numberNames, valueNames } from '../core/document/table-edits.ts';
import { groupBy, groupNames, hasNumbers, hasSums, type SumPart, withSums } from '../core/document/table-sums.ts';
import { fillTable } from '../core/state/actions.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { Select, TextButton, Toggle } from './controls.tsx';
import { useTyped } from './inspector-context.ts';
import { PanelSection } from './panel-section.tsx';
import { labelOf } from './schema.ts';
import { Columns } from './table-columns.tsx';
import { CELL_STYLE, type Change, cellTexts, type PartProps, type TablePanelProps } from './table-context.ts';
import { LabelledValue, ValueField } from './value-field.tsx';
import './table-panel.css';

const { shape } = LAYER_SCHEMAS.table;
const SUM_LABELS = { groupFooter: 'subTotal', carryFooter: 'carriedForward', carryHeader: 'broughtForward' } as const;

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
      <PanelSection title={texts.value.inspector.columns}>
        <Columns table={table} change={change} {...context} />
      </PanelSection>
      <TableGroups table={table} change={change} {...context} />
      <PanelSection title={texts.value.inspector.rows}>
        <p class="faint">{texts.value.inspector.exampleRows(entries, table.name)}</p>
        <TextButton onClick={() => setSignal(isFilling, true)}>{texts.value.inspector.fillRows}</TextButton>
        <TextOf name="empty" table={table} change={change} {...context} />
      </PanelSection>
      <CellLook part="cell" title={texts.value.inspector.allCells} table={table} change={change} {...context} />
      <CellLook part="headerCell" title={texts.value.inspector.header} table={table} change={change} {...context} />
      <CellLook part="footerCell" title={texts.value.inspector.footer} table={table} change={change} {...context} />
      {isFilling.value && <EntriesDialog editor={editor} table={table} onClose={() => setSignal(isFilling, false)} />}
    </>
  );
}

function TextOf({ name, table, change }: PartProps & { readonly name: 'empty' }) {
  const schema = shape[name];
  return (
    <LabelledValue name={name} schema={schema} label={texts.value.inspector.withoutRows}>
      <ValueField
        name={name}
        schema={schema}
        value={table[name]}
        look={{ label: texts.value.inspector.emptyText }}
        onValue={(value) => change(name, (before) => patched(before, { [name]: value === '' ? null : value }))}
      />
    </LabelledValue>
  );
}

// How the cells of a table look: all of them, those of its header, those of its footer.

/** The styles of cells that people set most; the JSON panel has all. */
const LOOK_ROWS = [['fontSize', 'fontWeight'], ['color'], ['background'], ['padding'], ['verticalAlign']] as const;

function CellLook(props: PartProps & { readonly part: 'cell' | 'headerCell' | 'footerCell'; readonly title: string }) {
  const { part, title, table, change } = props;
  const style = (table[part] ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <PanelSection title={title} isOpen={part === 'cell'}>
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
    </PanelSection>
  );
}

/** What cells have where nothing is set, for fields that would otherwise be empty. */
const STARTS: Readonly<Record<string, unknown>> = { padding: 4 };

/** The inspector's section for grouping a table's rows, with sub-totals and sums carried from page to page. */
function TableGroups({ table, change, editor }: PartProps) {
  const grouped = typeof table.groupBy === 'string' ? table.groupBy : undefined;
  const sums = async (on: boolean, ...parts: readonly SumPart[]) => {
    const { inspector } = await cellTexts(editor);
    const own = (part: SumPart) => (on ? inspector[SUM_LABELS[part]] : null);
    change(null, (before) => parts.reduce((after, part) => withSums(after, part, own(part)), before));
  };
  return (
    <PanelSection title={texts.value.inspector.groupsAndSums}>
      <Select
        labelled
        label={texts.value.inspector.groupedBy}
        value={grouped ?? ''}
        options={[
          ['', texts.value.inspector.notGrouped],
          ...Array.from(
            new Set([...(grouped === undefined ? [] : [grouped]), ...groupNames(table)]),
            (name) => [name, name] as const,
          ),
        ]}
        onChoose={(value) => change(null, (before) => groupBy(before, value === '' ? undefined : value))}
      />
      {grouped !== undefined && (
        <>
          {hasNumbers(table) && (
            <Toggle
              label={texts.value.inspector.subTotals}
              isOn={hasSums(table, 'groupFooter')}
              onToggle={(on) => void sums(on, 'groupFooter')}
            />
          )}
          <Toggle
            label={texts.value.inspector.pageForEachGroup}
            isOn={table.groupBreak === 'page'}
            onToggle={(on) => change(null, (before) => patched(before, { groupBreak: on ? 'page' : undefined }))}
          />
        </>
      )}
      {editor.document.value.page !== undefined && hasNumbers(table) && (
        <Toggle
          label={texts.value.inspector.carrySums}
          isOn={hasSums(table, 'carryFooter') || hasSums(table, 'carryHeader')}
          onToggle={(on) => void sums(on, 'carryFooter', 'carryHeader')}
        />
      )}
    </PanelSection>
  );
}

// The dialog that fills a table with rows: a CSV, rows of a spreadsheet, or JSON, pasted, dropped or chosen as a file.

function EntriesDialog({ editor, table, onClose }: { editor: EditorState; table: RawLayer; onClose: () => void }) {
  const text = useSignal('');
  const read = tryEntries(text.value);
  const entries = read && 'rows' in read ? read : null;
  const shown = valueNames(table);
  const missing = entries ? shown.filter((name) => !entries.names.includes(name)) : [];
  const unshown = entries ? entries.names.filter((name) => !shown.includes(name)) : [];
  const isOther = entries !== null && unshown.length === entries.names.length;
  const open = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      text.value = await textOfRowsFile(chosen);
    } catch (error) {
      editor.host.tell(error instanceof Error ? error.message : String(error), { tone: 'bad' });
    }
  };
  const fill = () => {
    if (!entries) return;
    fillTable(editor, table.name, entries);
    onClose();
  };
  return (
    <Dialog
      title={texts.value.inspector.rowsOf(table.name)}
      onClose={onClose}
      onSubmit={fill}
      wide
      foot={
        <>
          <FileButton
            accept=".csv,.tsv,.json,text/csv,text/plain,application/json"
            onFile={(chosen) => void open(chosen)}
          >
            {texts.value.inspector.chooseFile}
          </FileButton>
          <Button type="submit" look="main" disabled={!entries}>
            {texts.value.inspector.useRows(entries?.rows.length ?? null)}
          </Button>
        </>
      }
    >
      <label class="field">
        <span class="field-label">{texts.value.inspector.pasteHere}</span>
        <textarea
          class="input is-mono"
          rows={10}
          spellcheck={false}
          placeholder={'item,quantity,amount\nHinge,4,50.00'}
          value={text.value}
          onInput={(event) => setSignal(text, event.currentTarget.value)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            if ((event.dataTransfer?.files.length ?? 0) === 0) return;
            event.preventDefault();
            void open(event.dataTransfer?.files[0]);
          }}
        />
      </label>
      <Problem of={read && 'problem' in read && read.problem} />
      {entries && (
        <p class="faint" role="status">
          {isOther
            ? texts.value.inspector.tableGets(entries.names)
            : [
                unshown.length > 0 ? texts.value.inspector.unshown(unshown.join(', ')) : '',
                missing.length > 0 ? texts.value.inspector.missing(missing.join(', ')) : '',
              ].join(' ')}
        </p>
      )}
    </Dialog>
  );
}

// The table whose rows a chart shows, and which of its values.
type ChartFrom =
  | { readonly table: string; readonly label?: string; readonly values: string | readonly string[] }
  | undefined;

type SourceProps = { editor: EditorState; value: ChartFrom; onFrom: (from: ChartFrom) => void };
export function ChartSource({ editor, value, onFrom }: SourceProps) {
  const tables = [...walk(editor.document.value.layers)]
    .map(({ layer }) => layer)
    .filter((layer) => layer.type === 'table' && valueNames(layer).length > 0);
  if (tables.length === 0 && !value) return null;
  const table = tables.find(({ name }) => name === value?.table);
  const names = [...new Set(table ? valueNames(table) : [])];
  const shown: readonly string[] = value ? [value.values].flat() : [];
  const start = (chosen: RawLayer): ChartFrom => {
    const [numbers, all] = [numberNames(chosen), valueNames(chosen)];
    const label = all.find((name) => !numbers.has(name));
    return {
      table: chosen.name,
      ...(label && { label }),
      // Numbers may be text, as in rows from a CSV.
      values: all.findLast((name) => numbers.has(name)) ?? all.findLast((name) => name !== label) ?? all[0] ?? '',
    };
  };
  return (
    <>
      <Select
        labelled
        property="from"
        label={labelOf('from')}
        value={value?.table ?? ''}
        options={[['', texts.value.inspector.ownValues], ...tables.map(({ name }) => [name, name] as const)]}
        onChoose={(name) => {
          const chosen = tables.find((one) => one.name === name);
          onFrom(chosen && start(chosen));
        }}
      />
      {value && (
        <>
          <Select
            labelled
            property="label"
            label={labelOf('label')}
            value={value.label ?? ''}
            options={[['', '–'], ...names.map((name) => [name, name] as const)]}
            onChoose={(label) => onFrom({ ...value, label: label || undefined })}
          />
          {names
            .filter((name) => name !== value.label)
            .map((name) => (
              <Check
                key={name}
                label={name}
                checked={shown.includes(name)}
                disabled={shown.length === 1 && shown.includes(name)}
                onToggle={(isOn) => {
                  const values = names.filter((one) => (one === name ? isOn : shown.includes(one)));
                  onFrom({ ...value, values });
                }}
              />
            ))}
        </>
      )}
    </>
  );
}

// The values of a chart as lines of text, into which rows of a spreadsheet can be pasted.
interface ChartDataProps {
  readonly data: unknown;
  readonly series: unknown;
  readonly onPatch: (patch: Patch) => void;
}

export function ChartDataField({ data, series, onPatch }: ChartDataProps) {
  const [typed, setTyped] = useTyped();
  const rows = chartRows((data ?? []) as ChartData);
  const names = Array.isArray(series) ? series.map(String) : [];
  const problem = typed === null ? null : problemInSheet(typed);
  return (
    <div class="json-field" data-property="data">
      <textarea
        class="input is-dense is-mono"
        aria-label={texts.value.inspector.chartValues}
        aria-invalid={problem !== null}
        rows={Math.min(12, Math.max(4, rows.length + 1))}
        spellcheck={false}
        placeholder={texts.value.inspector.chartExample}
        title={texts.value.inspector.chartHint}
        value={typed ?? writeChartSheet(rows, names)}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          if (problemInSheet(text) === null) onPatch(patchOfSheet(text, rows));
        }}
        onBlur={() => problem === null && setTyped(null)}
      />
      {problem && <span class="field-error">{problem}</span>}
    </div>
  );
}
