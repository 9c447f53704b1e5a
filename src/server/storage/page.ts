// Pages lists, newest first (keyset pagination): rows are ordered by a number, mostly the time of creation, then by id.
//
// The cursor is the position of a page's last row, not a count, so rows added meanwhile do not shift later pages.

import type { Knex } from 'knex';
import { AppError } from '#base/errors.ts';

export interface PageRequest {
  /** Maximum number of items. */
  readonly limit: number;
  /** The `next` of the previous page; null for the first page. */
  readonly after: string | null;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** The sort order: two columns, qualified by table where ambiguous, and their values in a row. */
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

/**
 * @throws AppError `invalid_request` when `after` is no valid cursor
 */
export async function newestPageOf<Row extends Made>(
  query: Knex.QueryBuilder,
  { limit, after }: PageRequest,
  { first, id, placeOf }: PageOrder<Row> = NEWEST,
): Promise<ListPage<Row>> {
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

/** A page of a list ordered by a counter column, whose value is the cursor. @throws AppError `invalid_request` */
export async function countedPageOf<Row>(
  query: Knex.QueryBuilder,
  { limit, after }: PageRequest,
  column: string,
  placeOf: (row: Row) => number,
): Promise<ListPage<Row>> {
  if (after !== null) {
    if (!/^\d{1,15}$/.test(after)) throw notAPlace();
    query.where(column, '<', Number(after));
  }
  const rows: Row[] = await query.orderBy(column, 'desc').limit(limit + 1);
  const items = rows.slice(0, limit);
  const end = rows.length > limit ? items.at(-1) : undefined;
  return { items, next: end === undefined ? null : String(placeOf(end)) };
}

/**
 * A page of rows of a table in the order of their names, in any case, then by id. The cursor is the id of a page's last
 * row, so a row that is renamed meanwhile moves with its name.
 *
 * @throws AppError `invalid_request`
 */
export async function namedPageOf<Row extends { readonly id: string }>(
  query: Knex.QueryBuilder,
  { limit, after }: PageRequest,
  table: string,
): Promise<ListPage<Row>> {
  if (after !== null) {
    if (!/^[\w-]{1,80}$/.test(after)) throw notAPlace();
    const last = `(SELECT lower(last.name), last.id FROM ${table} AS last WHERE last.id = ?)`;
    query.whereRaw(`(lower(${table}.name), ${table}.id) > ${last}`, [after]);
  }
  const rows: Row[] = await query.orderByRaw(`lower(${table}.name), ${table}.id`).limit(limit + 1);
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** A page of a list in rising order of a column of whole numbers from 0 up. @throws AppError `invalid_request` */
export async function placePageOf<Row>(
  query: Knex.QueryBuilder,
  { limit, after }: PageRequest,
  column: keyof Row & string,
): Promise<ListPage<Row>> {
  if (after !== null) {
    if (!/^\d{1,9}$/.test(after)) throw notAPlace();
    query.where(column, '>', Number(after));
  }
  const rows: Row[] = await query.orderBy(column).limit(limit + 1);
  const items = rows.slice(0, limit);
  const end = rows.length > limit ? items.at(-1) : undefined;
  return { items, next: end == null ? null : String(end[column]) };
}

const notAPlace = () => new AppError('invalid_request', 'after: must be what a list gave as "next"');

/** The page with each item mapped by `show`. */
export const mapPage = <A, B>({ items, next }: ListPage<A>, show: (item: A) => B): ListPage<B> => ({
  items: items.map(show),
  next,
});

/** Number of things in one folder, which is there as long as one is in it. */
export interface FolderCount {
  readonly name: string;
  readonly count: number;
}

/** The folders of a query's rows, by name; at most 200. */
export async function foldersOf(query: Knex.QueryBuilder): Promise<FolderCount[]> {
  const rows: { name: string; count: number | string }[] = await query
    .whereNotNull('folder')
    .groupBy('folder')
    .orderByRaw('lower(folder), folder')
    .limit(200)
    .select({ name: 'folder' })
    .count({ count: '*' });
  return rows.map(({ name, count }) => ({ name, count: Number(count) }));
}

/** Escapes `text` for LIKE with `ESCAPE '\\'`, so that it matches literally. */
export const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Each null or absent = any. */
export interface NameFilter {
  /** Part of the name, in any case. */
  readonly search?: string | null;
  readonly folder?: string | null;
}

/**
 * Limits a query to names that contain a text, and to a folder. The database folds the case of both texts alike: SQLite, and
 * PostgreSQL with the locale C, only of ASCII letters, so that others are found as they are written.
 */
export function limitTo({ search = null, folder = null }: NameFilter, query: Knex.QueryBuilder): void {
  if (search !== null) query.whereRaw("lower(name) LIKE lower(?) ESCAPE '\\'", [`%${literally(search)}%`]);
  if (folder !== null) query.where({ folder });
}
