// Chooses which layer each column of a table sets, beside the column's cell in the row that is shown.

import { SelectField } from '../../../parts/field.tsx';
import { texts } from '../../../texts/pages.ts';
import type { Target } from './sheet.ts';

interface ColumnMappingProps {
  readonly columns: readonly string[];
  /** Cells of the row that is shown. */
  readonly cells: readonly string[];
  /** The column that names the files; null = none. */
  readonly naming: number | null;
  readonly targets: readonly (Target | null)[];
  /** Names of the layers that take values. */
  readonly layers: readonly string[];
  readonly onChange: (targets: readonly (Target | null)[]) => void;
}

const written = ({ layer, property }: Target) => (property === null ? layer : `${layer}.${property}`);

export function ColumnMapping({ columns, cells, naming, targets, layers, onChange }: ColumnMappingProps) {
  const change = (at: number, value: string, dotted: Target | null) => {
    const chosen =
      dotted && value === written(dotted) ? dotted : value === '' ? null : { layer: value, property: null };
    onChange(targets.map((target, index) => (index === at ? chosen : target)));
  };
  return (
    <ul class="bulk-columns" aria-label={texts.value.use.columns}>
      {columns.map((column, at) => {
        const target = targets[at] ?? null;
        const dotted = target?.property == null ? null : target;
        const label = column || texts.value.use.columnNumbered(at + 1);
        return (
          <li key={at}>
            <div class="bulk-column">
              <b class="truncate">{label}</b>
              <span class="muted truncate">{cells[at] || texts.value.use.emptyCell}</span>
            </div>
            <SelectField
              label={texts.value.use.layerColumn(label)}
              hideLabel
              dense
              value={target ? written(target) : ''}
              onChoose={(value) => change(at, value, dotted)}
              options={[
                { value: '', label: at === naming ? texts.value.use.namesFiles : texts.value.use.leftOut },
                ...(dotted ? [{ value: written(dotted), label: written(dotted) }] : []),
                ...layers.map((value) => ({ value, label: value })),
              ]}
            />
          </li>
        );
      })}
    </ul>
  );
}
