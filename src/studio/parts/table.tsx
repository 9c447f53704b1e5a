// A table of rows of equal height, with paging. Above 200 rows, only those near the window are in the page.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import './table.css';

export interface Column<T> {
  readonly key: string;
  /** A text; hidden ones are for those who do not see the table. */
  readonly header: string;
  readonly hideHeader?: boolean;
  readonly render: (row: T) => ComponentChildren;
  /** CSS; absent: what is left is shared. */
  readonly width?: string;
  readonly align?: 'end';
}

interface TableProps<T> {
  /** What it lists, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** A press on a row does this; the same must be within the keyboard's reach in one of the cells. */
  readonly onOpen?: (row: T) => void;
  readonly isChosen?: (row: T) => boolean;
  readonly more?: { readonly isLoading: boolean; readonly load: () => void } | null;
}

/** Of a row with its line, px; as in table.css. */
const ROW_HEIGHT = 45;
const MOST_AT_ONCE = 200;

export function Table<T>({ label, columns, rows, rowKey, onOpen, isChosen, more }: TableProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [from, to] = useVisibleRows(body.current, rows.length);
  return (
    <>
      <table class="table" aria-label={label} aria-rowcount={rows.length}>
        <colgroup>
          {columns.map(({ key, width }) => (
            <col key={key} style={width ? { width } : {}} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ key, header, hideHeader, align }) => (
              <th key={key} scope="col" class={align === 'end' ? 'is-end' : undefined}>
                {hideHeader ? <span class="visually-hidden">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap rows={from} columns={columns.length} />
          {rows.slice(from, to).map((row) => (
            <tr
              key={rowKey(row)}
              class={[onOpen && 'is-link', isChosen?.(row) && 'is-chosen'].filter(Boolean).join(' ') || undefined}
              onClick={(event) => {
                // A press on what is in the row is that thing's own.
                if (onOpen && !(event.target as Element).closest('a, button, input, label, .menu')) onOpen(row);
              }}
            >
              {columns.map(({ key, render, align }) => (
                <td key={key} class={align === 'end' ? 'is-end' : undefined}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
          <Gap rows={rows.length - to} columns={columns.length} />
        </tbody>
      </table>
      {more && (
        <div class="table-more">
          <Button onClick={more.load} busy={more.isLoading}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/** Holds the place of rows that are not in the page. */
function Gap({ rows, columns }: { rows: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="table-gap">
      <td colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}

/** Which rows are near the window: all of them, up to a number. */
function useVisibleRows(body: HTMLElement | null, count: number): readonly [from: number, to: number] {
  const [range, setRange] = useState<readonly [number, number]>([0, MOST_AT_ONCE]);
  const isVirtual = count > MOST_AT_ONCE;
  useEffect(() => {
    if (!isVirtual || !body) return;
    const measure = () => {
      const above = -body.getBoundingClientRect().top;
      // In steps of 20, so that not every scrolled pixel renders.
      const from = Math.max(0, Math.floor((above / ROW_HEIGHT - 40) / 20) * 20);
      const to = from + Math.ceil(innerHeight / ROW_HEIGHT / 20) * 20 + 80;
      setRange((before) => (before[0] === from && before[1] === to ? before : [from, to]));
    };
    measure();
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
    };
  }, [isVirtual, body]);
  return isVirtual ? [Math.min(range[0], count), Math.min(range[1], count)] : [0, count];
}
