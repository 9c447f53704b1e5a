// Stores the variants that signed URLs have shown. A row stays when its file is evicted, so that nothing is counted
// twice.

import type { Diagnostic } from '#core/diagnostics.ts';
import { type Database, queryRows } from './database.ts';
import { Statement } from './statement.ts';

export interface StoredVariant {
  /** A hash of everything that determines how it looks. */
  readonly key: string;
  /** `rnd_…`: the id of its unit of usage, and the name of its file. */
  readonly id: string;
  readonly templateId: string;
  readonly extension: string;
  /** Size of the file, bytes; null when it is not stored. */
  readonly size: number | null;
  /** The file's SHA-256 in base64; null without a file, or for files from before it was stored. */
  readonly digest: string | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly usedAt: Date;
}

/** Identifies a variant's file, with its length. */
export interface VariantFile {
  readonly id: string;
  readonly extension: string;
  /** Bytes. */
  readonly size: number;
}

interface Row {
  key: string;
  id: string;
  template_id: string | null;
  extension: string;
  size: number | null;
  digest: string | null;
  diagnostics: string;
  used_at: number;
  created_at: number | null;
}

const FIND = new Statement<{ key: string }, Row>((db, { key }) => db('variants').where({ key }).first());

const SAVE = new Statement<{ readonly [Column in keyof Row]: Row[Column] }>((db, row) =>
  db('variants')
    .insert({
      key: row.key,
      id: row.id,
      template_id: row.template_id,
      extension: row.extension,
      size: row.size,
      digest: row.digest,
      diagnostics: row.diagnostics,
      used_at: row.used_at,
      created_at: row.created_at,
    })
    .onConflict('key')
    .merge(['size', 'digest', 'diagnostics', 'used_at']),
);

export class VariantStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async find(key: string): Promise<StoredVariant | null> {
    const row = await FIND.first(this.#db, { key });
    if (!row?.template_id) return null;
    return {
      key: row.key,
      id: row.id,
      templateId: row.template_id,
      extension: row.extension,
      size: row.size,
      digest: row.digest,
      diagnostics: JSON.parse(row.diagnostics),
      usedAt: new Date(row.used_at),
    };
  }

  /** Inserts the row, or updates everything but its id and the time of the first drawing. */
  async save(variant: StoredVariant): Promise<void> {
    await SAVE.run(this.#db, {
      key: variant.key,
      id: variant.id,
      template_id: variant.templateId,
      extension: variant.extension,
      size: variant.size,
      digest: variant.digest,
      diagnostics: JSON.stringify(variant.diagnostics),
      used_at: variant.usedAt.getTime(),
      created_at: variant.usedAt.getTime(),
    });
  }

  async touch(key: string, now: Date): Promise<void> {
    await this.#db<Row>('variants').where({ key }).update({ used_at: now.getTime() });
  }

  /** All files that must exist. */
  async files(): Promise<VariantFile[]> {
    return this.#db<Row>('variants').whereNotNull('size').whereNotNull('template_id').select('id', 'extension', 'size');
  }

  /** Total size of the files, bytes. */
  async totalSize(): Promise<number> {
    const [row] = await this.#db<Row>('variants').sum({ size: 'size' });
    return Number(row?.size ?? 0);
  }

  /** Those of the ids that have a file. */
  async owners(ids: readonly string[]): Promise<Set<string>> {
    return new Set(await this.#db<Row>('variants').whereIn('id', ids).whereNotNull('size').pluck('id'));
  }

  /** The least recently used files. */
  async leastUsed(limit: number): Promise<VariantFile[]> {
    return this.#db<Row>('variants')
      .whereNotNull('size')
      .orderBy(['used_at', 'id'])
      .limit(limit)
      .select('id', 'extension', 'size');
  }

  /** Records that the file of a variant is gone; false when that was recorded already. */
  async dropFile(id: string): Promise<boolean> {
    return (
      (await this.#db<Row>('variants').where({ id }).whereNotNull('size').update({ size: null, digest: null })) > 0
    );
  }

  /** Up to `limit` variants of deleted templates; their size is 0 where they have no file. */
  async orphans(limit: number): Promise<VariantFile[]> {
    const rows = await this.#db<Row>('variants')
      .whereNull('template_id')
      .limit(limit)
      .select('id', 'extension', 'size');
    return rows.map((row) => ({ ...row, size: row.size ?? 0 }));
  }

  /** Deletes variants of deleted templates; returns the total size of those that were still there. */
  async dropOrphans(ids: readonly string[]): Promise<number> {
    const marks = ids.map(() => '?').join(', ');
    const sql = `DELETE FROM variants WHERE template_id IS NULL AND id IN (${marks}) RETURNING size`;
    const dropped = await queryRows<Pick<Row, 'size'>>(this.#db, sql, ids);
    return dropped.reduce((sum, { size }) => sum + Number(size ?? 0), 0);
  }
}
