// Finds the columns of a list that is edited in a sheet: one for each value that its entries can have.

import { traitsOf } from '#core/template/layer-traits.ts';
import { type RawLayer, walk } from '../core/document/document.ts';
import { columnsOf, entriesOf, numberNames, placedCells, rowsOfPart, titleOf } from '../core/document/table-edits.ts';

export interface ListColumn {
  /** Of the value. */
  readonly name: string;
  readonly title: string;
  /** Whether it stands at the end of its column, as numbers do. */
  readonly isEnd: boolean;
  /** Whether its values are read as numbers. */
  readonly isNumber: boolean;
}

/** @param list a table, or a frame that repeats */
export function listColumns(list: RawLayer): readonly ListColumn[] {
  return list.type === 'table' ? ofTable(list) : ofFrame(list);
}

function ofTable(table: RawLayer): readonly ListColumn[] {
  const numbers = numberNames(table);
  const shown = placedCells(rowsOfPart(table, 'row')).flatMap(({ cell, column }): ListColumn[] => {
    // What is counted or calculated is not filled in.
    if (cell.name === undefined || cell.counter !== undefined || cell.calculate !== undefined) return [];
    const own = columnsOf(table)[column];
    const align = cell.align ?? (typeof own === 'object' ? own.align : undefined);
    const title = titleOf(table, column)?.cell.text || cell.name;
    return [{ name: cell.name, title, isEnd: align === 'end' || align === 'right', isNumber: numbers.has(cell.name) }];
  });
  // Groups and conditions are about values that no cell may show: they come last.
  const others = [...new Set([table.groupBy, ...namesIn(entriesOf(table))])].flatMap((name): ListColumn[] =>
    typeof name === 'string' ? [{ name, title: name, isEnd: false, isNumber: numbers.has(name) }] : [],
  );
  const byName = new Map<string, ListColumn>();
  for (const column of [...shown, ...others]) if (!byName.has(column.name)) byName.set(column.name, column);
  return [...byName.values()];
}

/** Of many thousand entries, without a list of all their keys. */
function namesIn(entries: readonly object[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const entry of entries) for (const name of Object.keys(entry)) names.add(name);
  return names;
}

function ofFrame({ children, repeat }: RawLayer): readonly ListColumn[] {
  const aside = Object(repeat) as { readonly empty?: unknown; readonly separator?: unknown };
  const layers = [...walk((children ?? []) as readonly RawLayer[])].map(({ layer }) => layer);
  return layers
    .filter(({ type }) => traitsOf(type)?.primary && type !== 'shape')
    .filter(({ name }) => name !== aside.empty && name !== aside.separator)
    .map(({ name }) => ({ name, title: name, isEnd: false, isNumber: false }));
}
