// Lists a page at a time, newest first: rows are ordered by a number, mostly when they were made, then by id.
//
// A page ends in the place of its last row, not in a count, so that what is added meanwhile shifts nothing.

import type { Knex } from 'knex';
import { AppError } from '#errors';

export interface PageRequest {
  /** At most so many items. */
  readonly limit: number;
  /** What the page before said as `next`; null for the first. */
  readonly after: string | null;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Null at the end. */
  readonly next: string | null;
}

/** What the order goes by: two columns, with their tables where that is ambiguous, and what a row has in them. */
export interface PageOrder<Row> {
  readonly first: string;
  readonly id: string;
  readonly placeOf: (row: Row) => { readonly first: number; readonly id: string };
}

interface Made {
  readonly id: string;
  readonly created_at: number;
}

const NEWEST: PageOrder<Made> = {
  first: 'created_at',
  id: 'id',
  placeOf: ({ created_at, id }) => ({ first: created_at, id }),
};

const CURSOR = /^(\d{1,16})\.([\w-]{1,80})$/;

/** @throws AppError `invalid_request` when `after` is no place in a list */
export async function pageOf<Row extends Made>(
  query: Knex.QueryBuilder,
  { limit, after }: PageRequest,
  { first, id, placeOf }: PageOrder<Row> = NEWEST,
): Promise<Page<Row>> {
  if (after !== null) {
    const [, at, last] = CURSOR.exec(after) ?? [];
    if (at === undefined || last === undefined) throw notAPlace();
    query.where((rest) =>
      rest.where(first, '<', Number(at)).orWhere((tied) => tied.where(first, Number(at)).where(id, '<', last)),
    );
  }
  const rows: Row[] = await query
    .orderBy([
      { column: first, order: 'desc' },
      { column: id, order: 'desc' },
    ])
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const end = rows.length > limit ? items.at(-1) : undefined;
  if (end === undefined) return { items, next: null };
  const place = placeOf(end);
  return { items, next: `${place.first}.${place.id}` };
}

/** A page of what counts up by itself: `count` of each item is its place. @throws AppError `invalid_request` */
export async function countedPageOf<Row>(
  query: Knex.QueryBuilder,
  { limit, after }: PageRequest,
  column: string,
  placeOf: (row: Row) => number,
): Promise<Page<Row>> {
  if (after !== null) {
    if (!/^\d{1,15}$/.test(after)) throw notAPlace();
    query.where(column, '<', Number(after));
  }
  const rows: Row[] = await query.orderBy(column, 'desc').limit(limit + 1);
  const items = rows.slice(0, limit);
  const end = rows.length > limit ? items.at(-1) : undefined;
  return { items, next: end === undefined ? null : String(placeOf(end)) };
}

const notAPlace = () => new AppError('invalid_request', 'after: must be what a list gave as "next"');

/** The page with each item as `show` makes it. */
export const mapPage = <A, B>({ items, next }: Page<A>, show: (item: A) => B): Page<B> => ({
  items: items.map(show),
  next,
});

/** `text` for LIKE with `ESCAPE '\\'`, where it stands for itself. */
export const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');
