// The Design panel of a table: its columns, its rows, and the looks of its cells.

import { useSignal } from '@preact/signals';
import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import { deferred } from '../../parts/deferred.tsx';
import { changeLayer, patched } from '../document/edits.ts';
import { entriesOf } from '../document/table-edits.ts';
import { CellLook } from './cell-look.tsx';
import { TextButton } from './controls.tsx';
import { PanelSection } from './panel-section.tsx';
import { Columns } from './table-columns.tsx';
import type { Change, PartProps, TablePanelProps } from './table-context.ts';
import { TableGroups } from './table-groups.tsx';
import './table-panel.css';
import { texts } from '../../texts/editor.ts';
import { LabelledValue, ValueField } from './value-field.tsx';

const EntriesDialog = deferred(async () => (await import('./entries-dialog.tsx')).EntriesDialog);

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
      <PanelSection title={texts.value.inspector.columns}>
        <Columns table={table} change={change} {...context} />
      </PanelSection>
      <TableGroups table={table} change={change} {...context} />
      <PanelSection title={texts.value.inspector.rows}>
        <p class="faint">{texts.value.inspector.exampleRows(entries, table.name)}</p>
        <TextButton
          onClick={() => {
            isFilling.value = true;
          }}
        >
          {texts.value.inspector.fillRows}
        </TextButton>
        <TextOf name="empty" table={table} change={change} {...context} />
      </PanelSection>
      <CellLook part="cell" title={texts.value.inspector.allCells} table={table} change={change} {...context} />
      <CellLook part="headerCell" title={texts.value.inspector.header} table={table} change={change} {...context} />
      <CellLook part="footerCell" title={texts.value.inspector.footer} table={table} change={change} {...context} />
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

function TextOf({ name, table, change, swatches }: PartProps & { readonly name: 'empty' }) {
  const schema = shape[name];
  return (
    <LabelledValue name={name} schema={schema} label={texts.value.inspector.withoutRows}>
      <ValueField
        name={name}
        schema={schema}
        value={table[name]}
        swatches={swatches}
        look={{ label: texts.value.inspector.emptyText }}
        onValue={(value) => change(name, (before) => patched(before, { [name]: value === '' ? null : value }))}
      />
    </LabelledValue>
  );
}
