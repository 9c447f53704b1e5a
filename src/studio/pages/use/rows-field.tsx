// The field for a list in the form of the page Use: a sheet with a row for each entry, at first those of the template.

import { useMemo } from 'preact/hooks';
import type { RawLayer } from '../../editor/core/document/document.ts';
import { entriesOf, type RawEntry } from '../../editor/core/document/table-edits.ts';
import { listColumns } from '../../editor/data/list-columns.ts';
import { RowsSheet } from '../../editor/data/rows-sheet.tsx';
import { Button } from '../../parts/button.tsx';
import type { Parameter } from '../../shell/parameters.ts';
import { texts } from '../../texts/pages.ts';
import type { NamedProblem, Value } from './values.ts';

interface RowsFieldProps {
  readonly parameter: Parameter;
  readonly given: Value | undefined;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  readonly wrong: NamedProblem['cell'];
  readonly onValue: (value: Value | undefined) => void;
}

export function RowsField({ parameter, given, label, hint, error, wrong, onValue }: RowsFieldProps) {
  const layer = parameter.stored as RawLayer;
  const columns = useMemo(() => listColumns(layer), [layer]);
  const own = parameter.required ? [] : entriesOf(layer);
  const rows = Array.isArray(given) ? (given as readonly RawEntry[]) : own;
  const title = wrong && columns.find(({ name }) => name === wrong.name)?.title;
  return (
    <div class="field">
      <div class="rows-head">
        <span class="field-label">{label}</span>
        {given !== undefined && (
          <Button dense look="quiet" onClick={() => onValue(undefined)}>
            {texts.value.use.reset}
          </Button>
        )}
      </div>
      <RowsSheet label={label} columns={columns} rows={rows} onRows={onValue} wrong={wrong} />
      {error ? (
        <p class="field-error" role="alert">
          {wrong ? texts.value.use.wrongCell(wrong.row + 1, title || wrong.name, error) : error}
        </p>
      ) : (
        <p class="field-hint">{[hint, texts.value.use.rowsHint].filter(Boolean).join(' · ')}</p>
      )}
    </div>
  );
}
