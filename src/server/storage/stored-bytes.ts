// Counts what an account keeps, by kind: images, fonts, templates with their versions and drafts, brands with theirs.

import { type Database, isPostgres, queryRows } from './database.ts';

/** What there is of a kind. */
export interface Stored {
  readonly count: number;
  readonly bytes: number;
}

const STORED_KINDS = ['images', 'fonts', 'templates', 'brands'] as const;
export type StoredByKind = Readonly<Record<(typeof STORED_KINDS)[number], Stored>>;

const BY_KIND = `
  SELECT 'images' AS kind, count(*) AS count, coalesce(sum(size), 0) AS bytes FROM images WHERE account_id = :accountId
  UNION ALL SELECT 'fonts', count(*), coalesce(sum(size), 0) FROM fonts WHERE account_id = :accountId
  UNION ALL SELECT 'templates', (SELECT count(*) FROM templates WHERE account_id = :accountId),
    (SELECT coalesce(sum(octet_length(template_versions.document)), 0)
      FROM templates JOIN template_versions ON template_versions.template_id = templates.id
      WHERE templates.account_id = :accountId) +
    (SELECT coalesce(sum(octet_length(drafts.document)), 0)
      FROM templates JOIN drafts ON drafts.template_id = templates.id
      WHERE templates.account_id = :accountId)
  UNION ALL SELECT 'brands', count(DISTINCT name), coalesce(sum(octet_length(document)), 0)
    FROM brand_versions WHERE account_id = :accountId`;

export class StoredBytes {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Bytes of the account. */
  async of(accountId: string): Promise<number> {
    return Object.values(await this.byKind(accountId)).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Neither engine reads documents to tell their length. */
  async byKind(accountId: string): Promise<StoredByKind> {
    const rows = await queryRows<{ kind: keyof StoredByKind } & Stored>(this.#db, BY_KIND, { accountId });
    const found = rows.map(({ kind, count, bytes }) => [kind, { count: Number(count), bytes: Number(bytes) }]);
    return Object.fromEntries(found);
  }

  /** Makes other transactions that would add to the account wait for this one. SQLite's are alone anyway. */
  async lock(accountId: string): Promise<void> {
    if (isPostgres(this.#db)) await this.#db('accounts').where({ id: accountId }).forUpdate().select('id');
  }
}
