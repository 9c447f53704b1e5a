// The inspector's section for grouping a table's rows, with sub-totals and sums carried from page to page.

import { texts } from '../../texts/editor.ts';
import { patched } from '../document/edits.ts';
import { groupBy, groupNames, hasNumbers, hasSums, type SumPart, withSums } from '../document/table-sums.ts';
import { Labelled } from './column-fields.tsx';
import type { PartProps } from './table-context.ts';

export function TableGroups({ table, change, editor }: PartProps) {
  const grouped = typeof table.groupBy === 'string' ? table.groupBy : undefined;
  const sums = (part: SumPart, label: string) => (on: boolean) =>
    change(null, (before) => withSums(before, part, on ? label : null));
  return (
    <section class="panel-section">
      <h3 class="panel-section-title">{texts.value.inspector.groupsAndSums}</h3>
      <div class="panel-section-body">
        <Labelled label={texts.value.inspector.groupedBy}>
          <select
            class="input is-dense"
            aria-label={texts.value.inspector.groupedBy}
            value={grouped ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              change(null, (before) => groupBy(before, value === '' ? undefined : value));
            }}
          >
            <option value="">{texts.value.inspector.notGrouped}</option>
            {[...new Set([...(grouped === undefined ? [] : [grouped]), ...groupNames(table)])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Labelled>
        {grouped !== undefined && (
          <>
            {hasNumbers(table) && (
              <Toggle
                label={texts.value.inspector.subTotals}
                isOn={hasSums(table, 'groupFooter')}
                onChange={sums('groupFooter', texts.value.inspector.subTotal)}
              />
            )}
            <Toggle
              label={texts.value.inspector.pageForEachGroup}
              isOn={table.groupBreak === 'page'}
              onChange={(on) => change(null, (before) => patched(before, { groupBreak: on ? 'page' : undefined }))}
            />
          </>
        )}
        {editor.document.value.page !== undefined && hasNumbers(table) && (
          <Toggle
            label={texts.value.inspector.carrySums}
            isOn={hasSums(table, 'carryFooter') || hasSums(table, 'carryHeader')}
            onChange={(on) =>
              change(null, (before) =>
                withSums(
                  withSums(before, 'carryFooter', on ? texts.value.inspector.carriedForward : null),
                  'carryHeader',
                  on ? texts.value.inspector.broughtForward : null,
                ),
              )
            }
          />
        )}
      </div>
    </section>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const Toggle = ({ label, isOn, onChange }: ToggleProps) => (
  <label class="toggle">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);
