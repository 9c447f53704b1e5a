// Stored templates and their versions. A version is never changed: each save adds one.

import { atomically, type Database, isPostgres } from './database.ts';
import { Statement } from './statement.ts';

/** What a list shows of a template. */
export interface TemplateSummary {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly engine: string;
}

export interface StoredTemplate extends TemplateSummary {
  readonly id: string;
  readonly accountId: string;
  /** The newest version, from 1 up. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** With what its account's uploads are at. */
export interface LocatedTemplate extends StoredTemplate {
  /** Goes up whenever an image or a font of the account comes or goes. */
  readonly uploadsVersion: number;
}

export interface TemplateVersion {
  readonly version: number;
  readonly createdAt: Date;
}

interface Row extends TemplateSummary {
  id: string;
  account_id: string;
  version: number;
  created_at: number;
  updated_at: number;
  save_order: number;
}

interface VersionRow {
  template_id: string;
  version: number;
  document: string;
  created_at: number;
}

const fromRow = (row: Row): StoredTemplate => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  width: row.width,
  height: row.height,
  engine: row.engine,
  version: row.version,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
});

const BY_ID = new Statement<{ id: string }, Row & { uploads_version: number }>((db, { id }) =>
  db('templates')
    .join('accounts', 'accounts.id', 'templates.account_id')
    .where('templates.id', id)
    .first('templates.*', 'accounts.uploads_version'),
);

export class TemplateStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Version 1. `document` is the JSON text as it was posted. */
  async insert(id: string, accountId: string, summary: TemplateSummary, document: string, now: Date): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx('templates').insert({
        ...columns(summary),
        id,
        account_id: accountId,
        version: 1,
        created_at: now.getTime(),
        updated_at: now.getTime(),
        save_order: nextSave(tx),
      });
      await insertVersion(tx, id, 1, document, now);
    });
  }

  /** The version that was added, or null when the account has no such template. */
  async addVersion(
    id: string,
    accountId: string,
    summary: TemplateSummary,
    document: string,
    now: Date,
  ): Promise<number | null> {
    return atomically(this.#db, async (tx) => {
      const query = tx<Row>('templates').where({ id, account_id: accountId }).first('version');
      // Two saves must not both make the version that follows.
      const row = await (isPostgres(tx) ? query.forUpdate() : query);
      if (!row) return null;
      const version = row.version + 1;
      await tx('templates')
        .where({ id })
        .update({ ...columns(summary), version, updated_at: now.getTime(), save_order: nextSave(tx) });
      await insertVersion(tx, id, version, document, now);
      return version;
    });
  }

  /** Any account's: the caller compares `accountId` with its own. */
  async find(id: string): Promise<LocatedTemplate | null> {
    const row = await BY_ID.first(this.#db, { id });
    return row ? { ...fromRow(row), uploadsVersion: row.uploads_version } : null;
  }

  /** The JSON text of one version, or null. */
  async document(id: string, version: number): Promise<string | null> {
    const row = await this.#db<VersionRow>('template_versions').where({ template_id: id, version }).first('document');
    return row?.document ?? null;
  }

  /** Newest first. */
  async versions(id: string): Promise<TemplateVersion[]> {
    const rows = await this.#db<VersionRow>('template_versions')
      .where({ template_id: id })
      .orderBy('version', 'desc')
      .select('version', 'created_at');
    return rows.map((row) => ({ version: row.version, createdAt: new Date(row.created_at) }));
  }

  /** The account's templates, most recently saved first. */
  async list(accountId: string, limit: number): Promise<StoredTemplate[]> {
    const rows = await this.#db<Row>('templates')
      .where({ account_id: accountId })
      .orderBy([
        { column: 'save_order', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit);
    return rows.map(fromRow);
  }

  /** With all its versions; false when the account has no such template. */
  async delete(id: string, accountId: string): Promise<boolean> {
    return (await this.#db<Row>('templates').where({ id, account_id: accountId }).delete()) > 0;
  }
}

const columns = ({ name, width, height, engine }: TemplateSummary): TemplateSummary => ({
  name,
  width,
  height,
  engine,
});

function nextSave(db: Database) {
  return db.raw('(SELECT coalesce(max(save_order), 0) + 1 FROM templates)');
}

async function insertVersion(db: Database, id: string, version: number, document: string, now: Date): Promise<void> {
  await db<VersionRow>('template_versions').insert({ template_id: id, version, document, created_at: now.getTime() });
}
