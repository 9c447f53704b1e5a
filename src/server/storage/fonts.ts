// Stores uploaded fonts: their owners, and what was read from the files. The bytes are in a blob store, under the
// font's id.

import type { Database } from './database.ts';
import { Statement } from './statement.ts';
import { UploadStore } from './uploads.ts';

/** What font matching needs to know of a file without opening it. */
interface FontFacts {
  /** The same for the same file. */
  readonly face: string;
  readonly family: string;
  readonly weight: number;
  /** OS/2 usWidthClass: 1 to 9. */
  readonly width: number;
  readonly style: 'normal' | 'italic';
  /** By tag; empty for a static font. */
  readonly axes: Readonly<Record<string, { readonly min: number; readonly initial: number; readonly max: number }>>;
  /** The code points, as serialised by the font library. */
  readonly coverage: string;
}

export interface Font extends FontFacts {
  readonly id: string;
  readonly accountId: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in base64; null for uploads from before it was stored. */
  readonly digest: string | null;
  readonly createdAt: Date;
}

interface Row {
  id: string;
  account_id: string;
  face: string;
  size: number;
  digest: string | null;
  created_at: number;
  deleted_at: number | null;
}

const IDS = new Statement<{ accountId: string }, Pick<Row, 'id'>>((db, { accountId }) =>
  db('fonts')
    .where({ account_id: accountId })
    .whereNull('deleted_at')
    .orderByRaw('created_at DESC, id DESC')
    .select('id'),
);

export class FontStore extends UploadStore {
  constructor(db: Database) {
    super(db, 'fonts');
  }

  async insert({ id, accountId, size, digest, createdAt, ...facts }: Font): Promise<void> {
    const face = JSON.stringify(facts satisfies FontFacts);
    await this.db<Row>('fonts').insert({
      id,
      account_id: accountId,
      face,
      size,
      digest,
      created_at: createdAt.getTime(),
    });
  }

  /** Ids only, newest first: enough to notice that a font was added or removed. */
  async ids(accountId: string): Promise<string[]> {
    const rows = await IDS.rows(this.db, { accountId });
    return rows.map(({ id }) => id);
  }

  /** Newest first. */
  async list(accountId: string): Promise<Font[]> {
    return (await this.newestFirst(accountId)).map(fromRow);
  }

  /** Null also when it belongs to another account. */
  async find(accountId: string, id: string): Promise<Font | null> {
    const row = await this.present({ account_id: accountId, id }).first();
    return row ? fromRow(row) : null;
  }
}

const fromRow = (row: Row): Font => ({
  ...(JSON.parse(row.face) as FontFacts),
  id: row.id,
  accountId: row.account_id,
  size: row.size,
  digest: row.digest,
  createdAt: new Date(row.created_at),
});
