// A table with rows of equal height and paging. Above 200 rows, only those near the visible area are rendered.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import './table.css';

export interface Column<T> {
  readonly key: string;
  /** The header's text; hidden headers are for screen readers. */
  readonly header: string;
  readonly hideHeader?: boolean;
  readonly render: (row: T) => ComponentChildren;
  /** A CSS length; absent: the column gets a share of the remaining width. */
  readonly width?: string;
  readonly align?: 'end';
}

interface TableProps<T> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** Called for a click on a row; keyboard users must be able to do the same in one of its cells. */
  readonly onOpen?: (row: T) => void;
  readonly isChosen?: (row: T) => boolean;
  readonly more?: { readonly isLoading: boolean; readonly load: () => void } | null;
}

/** Height of a row with its border, px; as in table.css. */
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
                // A click on a control in the row is handled by that control.
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

/** Takes the space of rows that are not rendered. */
function Gap({ rows, columns }: { rows: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="table-gap">
      <td colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}

/** The range of rows near the visible area; all rows up to a certain number. */
function useVisibleRows(body: HTMLElement | null, count: number): readonly [from: number, to: number] {
  const [range, setRange] = useState<readonly [number, number]>([0, MOST_AT_ONCE]);
  const isVirtual = count > MOST_AT_ONCE;
  useEffect(() => {
    if (!isVirtual || !body) return;
    const measure = () => {
      const above = -body.getBoundingClientRect().top;
      // In steps of 20, so that not every scrolled pixel causes a render.
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
