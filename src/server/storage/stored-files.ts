// Reads the expected size and digest of stored files from the rows that own them.

import type { Database } from './database.ts';
import type { BlobFolder } from './open-blobs.ts';
import { Statement } from './statement.ts';

/** The file stores; each has its own folder. */
export const FILE_KINDS = ['assets', 'images', 'fonts', 'variants'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The folder of each kind, in the data folder or the bucket. */
export const FOLDER_OF = {
  assets: 'assets',
  images: 'images',
  fonts: 'uploaded-fonts',
  variants: 'variants',
} as const satisfies Record<FileKind, BlobFolder>;

export interface StoredFile {
  /** Id of the row that owns it. */
  readonly id: string;
  /** Name in its blob store. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** The format (`png`), where the name has no extension; else null. */
  readonly format: string | null;
  /** SHA-256 in base64; null for files from before it was stored. */
  readonly digest: string | null;
  /** The account it belongs to; null where the row does not say. */
  readonly accountId: string | null;
}

interface Columns {
  readonly table: string;
  /** Of the extension of the file's name. */
  readonly extension: string | null;
  readonly format: string | null;
  /** Of the account. */
  readonly owner: string | null;
}

/** The tables, and the names of their columns. */
export const FILE_TABLES = {
  assets: { table: 'renders', extension: 'output', format: null, owner: 'account_id' },
  images: { table: 'images', extension: null, format: 'format', owner: 'account_id' },
  fonts: { table: 'fonts', extension: null, format: null, owner: 'account_id' },
  variants: { table: 'variants', extension: 'extension', format: null, owner: null },
} as const satisfies Record<FileKind, Columns>;

type Row = Pick<StoredFile, 'id' | 'size' | 'digest' | 'format'> & {
  readonly extension: string | null;
  readonly owner: string | null;
};

const fromRow = ({ extension, owner, ...row }: Row): StoredFile => ({
  ...row,
  accountId: owner,
  name: extension === null ? row.id : `${row.id}.${extension}`,
});

const rowsOf = (db: Database, kind: FileKind) => {
  const { table, extension, format, owner } = FILE_TABLES[kind];
  const column = (name: string | null, as: string) => (name === null ? db.raw('NULL AS ??', [as]) : `${name} as ${as}`);
  const row = [
    'id',
    'size',
    'digest',
    column(extension, 'extension'),
    column(format, 'format'),
    column(owner, 'owner'),
  ];
  return db(table).select(row).whereNotNull('size');
};

const BY_ID = Object.fromEntries(
  FILE_KINDS.map((kind) => [kind, new Statement<{ id: string }, Row>((db, { id }) => rowsOf(db, kind).where({ id }))]),
) as Record<FileKind, Statement<{ id: string }, Row>>;

export class StoredFileIndex {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Null when no row with this id has a file. */
  async find(kind: FileKind, id: string): Promise<StoredFile | null> {
    const row = await BY_ID[kind].first(this.#db, { id });
    return row ? fromRow(row) : null;
  }

  /** The next files in order of id. @param after '' for the first */
  async list(kind: FileKind, after: string, limit: number): Promise<StoredFile[]> {
    const rows: Row[] = await rowsOf(this.#db, kind).where('id', '>', after).orderBy('id').limit(limit);
    return rows.map(fromRow);
  }

  /** Records the digest of a file that has none. */
  async fillIn(kind: FileKind, id: string, digest: string): Promise<void> {
    await this.#db(FILE_TABLES[kind].table).where({ id }).whereNull('digest').update({ digest });
  }
}
