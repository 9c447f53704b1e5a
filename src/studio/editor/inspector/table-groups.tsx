// The inspector's section for grouping a table's rows, with sub-totals and sums carried from page to page.

import { texts } from '../../texts/editor.ts';
import { patched } from '../document/edits.ts';
import { groupBy, groupNames, hasNumbers, hasSums, type SumPart, withSums } from '../document/table-sums.ts';
import { Labelled } from './column-fields.tsx';
import { Select, Toggle } from './controls.tsx';
import { PanelSection } from './panel-section.tsx';
import type { PartProps } from './table-context.ts';

export function TableGroups({ table, change, editor }: PartProps) {
  const grouped = typeof table.groupBy === 'string' ? table.groupBy : undefined;
  const sums = (part: SumPart, label: string) => (on: boolean) =>
    change(null, (before) => withSums(before, part, on ? label : null));
  return (
    <PanelSection title={texts.value.inspector.groupsAndSums}>
      <Labelled label={texts.value.inspector.groupedBy}>
        <Select
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
      </Labelled>
      {grouped !== undefined && (
        <>
          {hasNumbers(table) && (
            <Toggle
              label={texts.value.inspector.subTotals}
              isOn={hasSums(table, 'groupFooter')}
              onToggle={sums('groupFooter', texts.value.inspector.subTotal)}
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
          onToggle={(on) =>
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
    </PanelSection>
  );
}
