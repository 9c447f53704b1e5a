// Sums the bytes that an account keeps: images, fonts, versions of templates and of brands, and drafts.

import { type Database, isPostgres } from './database.ts';

const OF_ACCOUNT = `
  SELECT
    (SELECT coalesce(sum(size), 0) FROM images WHERE account_id = :accountId) +
    (SELECT coalesce(sum(size), 0) FROM fonts WHERE account_id = :accountId) +
    (SELECT coalesce(sum(octet_length(template_versions.document)), 0)
      FROM templates JOIN template_versions ON template_versions.template_id = templates.id
      WHERE templates.account_id = :accountId) +
    (SELECT coalesce(sum(octet_length(drafts.document)), 0)
      FROM templates JOIN drafts ON drafts.template_id = templates.id
      WHERE templates.account_id = :accountId) +
    (SELECT coalesce(sum(octet_length(document)), 0) FROM brand_versions WHERE account_id = :accountId) AS bytes`;

export class StoredBytes {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Bytes of the account. Neither engine reads documents to tell their length. */
  async of(accountId: string): Promise<number> {
    const answer = await this.#db.raw(OF_ACCOUNT, { accountId });
    const [row] = (isPostgres(this.#db) ? answer.rows : answer) as { bytes: number | string }[];
    return Number(row?.bytes ?? 0);
  }

  /** Makes other transactions that would add to the account wait for this one. SQLite's are alone anyway. */
  async lock(accountId: string): Promise<void> {
    if (isPostgres(this.#db)) await this.#db('accounts').where({ id: accountId }).forUpdate().select('id');
  }
}
