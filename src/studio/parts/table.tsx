// A table with paging, whose rows become cards where it is narrow. Above 200 rows, only those near the visible area are
// rendered.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { contextMenu } from './context-menu.tsx';
import type { MenuEntry } from './menu.tsx';
import './table.css';
import type { ListPage } from '../shell/contract.ts';
import type { LoadedList } from '../shell/list.ts';
import { texts } from '../texts/shell.ts';
import { ErrorPanel, SkeletonRows } from './states.tsx';
import { Time } from './time.tsx';

export interface Column<T> {
  /** The header's text, another for each column; hidden headers are for screen readers. */
  readonly header: string;
  readonly hideHeader?: boolean;
  readonly render: (row: T) => ComponentChildren;
  /** A CSS length; absent: the column gets a share of the remaining width. */
  readonly width?: string;
  readonly align?: 'end';
}

/** A column of times, as how long ago they were. @param none what stands where there is no time */
export const timeColumn = <T,>(
  header: string,
  at: (row: T) => string | null,
  { none, ...look }: { readonly none?: string; readonly width?: string; readonly align?: 'end' } = {},
): Column<T> => ({
  header,
  width: '120px',
  ...look,
  render: (row) => {
    const time = at(row);
    return <span class="muted">{time === null ? none : <Time at={time} />}</span>;
  },
});

/** The last column, which has buttons for its row. @param header what they do, for screen readers */
export const buttonColumn = <T,>(header: string, width: string, render: Column<T>['render']): Column<T> => ({
  header,
  hideHeader: true,
  width,
  align: 'end',
  render,
});

interface TableProps<T> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** Called for a click on a row; keyboard users must be able to do the same in one of its cells. */
  readonly onOpen?: (row: T) => void;
  /** The menu of a row by right click or the menu key. */
  readonly menuOf?: (row: T) => readonly (MenuEntry | false)[];
  readonly isChosen?: (row: T) => boolean;
  /** A list that may have more rows. */
  readonly more?: Extensible;
}

/** Height of a row with its border, px, before any is measured; as in table.css. */
const ROW_HEIGHT = 45;
const MOST_AT_ONCE = 200;

export function Table<T>({ label, columns, rows, rowKey, onOpen, menuOf, isChosen, more }: TableProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to, rowHeight } = useVisibleRows(body.current, rows.length);
  return (
    <>
      <div class="table-box">
        <table class="table" aria-label={label} aria-rowcount={rows.length}>
          <colgroup>
            {columns.map(({ header, width }) => (
              <col key={header} style={width ? { width } : {}} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {columns.map(({ header, hideHeader, align }) => (
                <th key={header} scope="col" class={align === 'end' ? 'is-end' : undefined}>
                  {hideHeader ? <span class="visually-hidden">{header}</span> : header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body} onPointerOver={showWhole}>
            <Gap height={from * rowHeight} columns={columns.length} />
            {rows.slice(from, to).map((row) => (
              <tr
                key={rowKey(row)}
                {...(menuOf && contextMenu({ label, entries: () => menuOf(row) }))}
                class={[onOpen && 'is-link', isChosen?.(row) && 'is-chosen'].filter(Boolean).join(' ') || undefined}
                onClick={(event) => {
                  // A click on a control in the row is handled by that control.
                  if (onOpen && !(event.target as Element).closest('a, button, input, label, .menu')) onOpen(row);
                }}
              >
                {columns.map(({ header, hideHeader, render, align }) => (
                  <td
                    key={header}
                    class={
                      [align === 'end' && 'is-end', hideHeader && 'is-unnamed'].filter(Boolean).join(' ') || undefined
                    }
                    data-label={header}
                  >
                    {render(row)}
                  </td>
                ))}
              </tr>
            ))}
            <Gap height={(rows.length - to) * rowHeight} columns={columns.length} />
          </tbody>
        </table>
      </div>
      {more && <ShowMore of={more} />}
    </>
  );
}

interface ListTableProps<T extends { readonly id: string }> extends Omit<TableProps<T>, 'rows' | 'rowKey' | 'more'> {
  readonly list: LoadedList<T, ListPage<T>>;
  /** What stands for it where it has nothing. */
  readonly empty: ComponentChildren;
}

/** The table of a list; its outline until it is loaded, and why it could not be. */
export function ListTable<T extends { readonly id: string }>({ list, empty, ...table }: ListTableProps<T>) {
  const { items, error, reload } = list;
  return (
    <>
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!items && !error && <SkeletonRows />}
      {items?.length === 0 && empty}
      {items && items.length > 0 && <Table {...table} rows={items} rowKey={({ id }) => id} more={list} />}
    </>
  );
}

type Extensible = Pick<LoadedList<never, never>, 'hasMore' | 'isLoadingMore' | 'loadMore'>;

/** The button below a list that loads its next page; nothing where the list has ended. */
export function ShowMore({ of: { hasMore, isLoadingMore, loadMore } }: { of: Extensible }) {
  return hasMore ? (
    <div class="table-more">
      <Button onClick={loadMore} busy={isLoadingMore}>
        {texts.value.parts.showMore}
      </Button>
    </div>
  ) : null;
}

/** Gives a cell whose text is cut a tooltip that has all of it. */
function showWhole({ target }: PointerEvent): void {
  const cell = (target as Element).closest('td');
  if (!cell || cell.querySelector('[title]') || cell.scrollWidth <= cell.clientWidth) return;
  cell.title = cell.innerText;
}

/** Takes the space of rows that are not rendered. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr class="table-gap">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  );
}

interface VisibleRows {
  readonly from: number;
  readonly to: number;
  /** The mean height of the rendered rows, px: as cards, their heights differ. */
  readonly rowHeight: number;
}

/** The range of rows near the visible area; all rows up to a certain number. */
function useVisibleRows(body: HTMLElement | null, count: number): VisibleRows {
  const [range, setRange] = useState<VisibleRows>({ from: 0, to: MOST_AT_ONCE, rowHeight: ROW_HEIGHT });
  const isVirtual = count > MOST_AT_ONCE;
  useEffect(() => {
    if (!isVirtual || !body) return;
    const measure = () => {
      const rowHeight = meanHeight(body.querySelectorAll('tr:not(.table-gap)'));
      const above = -body.getBoundingClientRect().top;
      // In steps of 20, so that not every scrolled pixel causes a render.
      const from = Math.max(0, Math.floor((above / rowHeight - 40) / 20) * 20);
      const to = from + Math.ceil(innerHeight / rowHeight / 20) * 20 + 80;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to, rowHeight }));
    };
    measure();
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [isVirtual, body]);
  if (!isVirtual) return { from: 0, to: count, rowHeight: ROW_HEIGHT };
  return { from: Math.min(range.from, count), to: Math.min(range.to, count), rowHeight: range.rowHeight };
}

function meanHeight(rows: NodeListOf<Element>): number {
  const first = rows[0]?.getBoundingClientRect().top ?? 0;
  const last = rows[rows.length - 1]?.getBoundingClientRect().bottom ?? 0;
  return last > first ? (last - first) / rows.length : ROW_HEIGHT;
}
