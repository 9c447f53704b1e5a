// Stored brands and their versions. A version is never changed: each save adds one, also after a deletion.

import { atomically, type Database, isPostgres } from './database.ts';
import { countedPageOf, type ListPage, mapPage, type PageRequest } from './page.ts';

export interface StoredBrand {
  readonly name: string;
  /** The newest version, from 1 up. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface BrandVersion {
  readonly version: number;
  readonly createdAt: Date;
}

interface Row {
  account_id: string;
  name: string;
  version: number;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

interface VersionRow {
  account_id: string;
  name: string;
  version: number;
  document: string;
  created_at: number;
}

export class BrandStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Adds a version, the first of a new brand. Returns its number. @param document JSON */
  async save(accountId: string, name: string, document: string, now: Date): Promise<number> {
    return atomically(this.#db, async (tx) => {
      const at = now.getTime();
      const first = { account_id: accountId, name, version: 0, created_at: at, updated_at: at };
      await tx<Row>('brands').insert(first).onConflict(['account_id', 'name']).ignore();
      const query = tx<Row>('brands').where({ account_id: accountId, name }).first('version');
      // Two concurrent saves must not create the same version.
      const row = await (isPostgres(tx) ? query.forUpdate() : query);
      const version = (row?.version ?? 0) + 1;
      const newest = { version, updated_at: at, deleted_at: null };
      await tx<Row>('brands').where({ account_id: accountId, name }).update(newest);
      await tx<VersionRow>('brand_versions').insert({ account_id: accountId, name, version, document, created_at: at });
      return version;
    });
  }

  /** By name, which is the cursor. */
  async page(accountId: string, { limit, after }: PageRequest): Promise<ListPage<StoredBrand>> {
    const query = this.#present(accountId).orderBy('name');
    if (after !== null) query.where('name', '>', after);
    const rows = await query.limit(limit + 1);
    const items = rows.slice(0, limit).map(fromRow);
    return { items, next: rows.length > limit ? (items.at(-1)?.name ?? null) : null };
  }

  async count(accountId: string): Promise<number> {
    const [row] = await this.#present(accountId).count({ count: '*' });
    return Number((row as { count?: unknown } | undefined)?.count ?? 0);
  }

  /** Null when there is none, or it was deleted. */
  async find(accountId: string, name: string): Promise<StoredBrand | null> {
    const row = await this.#present(accountId).where({ name }).first();
    return row ? fromRow(row) : null;
  }

  /** The JSON of one version, also of a brand that was deleted; or null. */
  async document(accountId: string, name: string, version: number): Promise<string | null> {
    const of = { account_id: accountId, name, version };
    return (await this.#db<VersionRow>('brand_versions').where(of).first('document'))?.document ?? null;
  }

  /** Newest first. */
  async versionPage(accountId: string, name: string, page: PageRequest): Promise<ListPage<BrandVersion>> {
    const query = this.#db('brand_versions').where({ account_id: accountId, name }).select('version', 'created_at');
    const found = await countedPageOf<VersionRow>(query, page, 'version', ({ version }) => version);
    return mapPage(found, ({ version, created_at }) => ({ version, createdAt: new Date(created_at) }));
  }

  /** Hides a brand; its versions stay. False when there is none. */
  async delete(accountId: string, name: string, now: Date): Promise<boolean> {
    return (await this.#present(accountId).where({ name }).update({ deleted_at: now.getTime() })) > 0;
  }

  #present(accountId: string) {
    return this.#db<Row>('brands').where({ account_id: accountId }).whereNull('deleted_at');
  }
}

const fromRow = ({ name, version, created_at, updated_at }: Row): StoredBrand => ({
  name,
  version,
  createdAt: new Date(created_at),
  updatedAt: new Date(updated_at),
});
