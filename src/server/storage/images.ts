// Stores uploaded images: their owners and properties. The bytes are in a blob store, under the image's id.

import type { Database } from './database.ts';
import { containing, type ListPage, mapPage, newestPageOf, type PageRequest } from './page.ts';
import { Statement } from './statement.ts';
import { UploadStore } from './uploads.ts';

export interface Image {
  readonly id: string;
  readonly accountId: string;
  /** `png`, `jpeg`, …: the format of the bytes, whatever the upload was called. */
  readonly format: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in base64; null for uploads from before it was stored. */
  readonly digest: string | null;
  /** px, after applying the orientation; null for uploads from before it was stored. */
  readonly width: number | null;
  readonly height: number | null;
  readonly createdAt: Date;
  /** Null = no name. */
  readonly name: string | null;
  /** The focal point, which a crop keeps: 0 to 1 of width and height; null = none was chosen. */
  readonly focus: { readonly x: number; readonly y: number } | null;
}

/** The editable properties. */
export type ImageLabel = Pick<Image, 'name' | 'focus'>;

interface Row {
  id: string;
  account_id: string;
  format: string;
  size: number;
  digest: string | null;
  width: number | null;
  height: number | null;
  created_at: number;
  name: string | null;
  focus_x: number | null;
  focus_y: number | null;
  deleted_at: number | null;
}

const fromRow = ({ account_id, created_at, focus_x, focus_y, deleted_at: _, ...row }: Row): Image => ({
  ...row,
  focus: focus_x === null || focus_y === null ? null : { x: focus_x, y: focus_y },
  accountId: account_id,
  createdAt: new Date(created_at),
});

const BY_ID = new Statement<{ id: string }, Row>((db, { id }) =>
  db('images').where({ id }).whereNull('deleted_at').first(),
);

export class ImageStore extends UploadStore {
  constructor(db: Database) {
    super(db, 'images');
  }

  async insert({ accountId, createdAt, name, focus, ...image }: Image): Promise<void> {
    const row = { ...image, account_id: accountId, created_at: createdAt.getTime() };
    await this.db<Row>('images').insert({ ...row, ...labelColumns({ name, focus }) });
  }

  /** Null also when it belongs to another account than `accountId`. @param accountId null = any */
  async find(accountId: string | null, id: string): Promise<Image | null> {
    const row = await BY_ID.first(this.db, { id });
    return row && (accountId === null || row.account_id === accountId) ? fromRow(row) : null;
  }

  /** The account's oldest image of a file with this digest; null = there is none. */
  async findByDigest(accountId: string, digest: string): Promise<Image | null> {
    const row = await this.db<Row>('images')
      .where({ account_id: accountId, digest })
      .orderBy([
        { column: 'created_at', order: 'asc' },
        { column: 'id', order: 'asc' },
      ])
      .first();
    return row ? fromRow(row) : null;
  }

  /** One page, newest first. @param search part of the name, case-insensitive; null = any */
  async page(accountId: string, search: string | null, page: PageRequest): Promise<ListPage<Image>> {
    const query = this.present({ account_id: accountId });
    if (search !== null) {
      containing(query, search);
    }
    return mapPage(await newestPageOf<Row>(query, page), fromRow);
  }

  /** False when the account has no such image. */
  async label(accountId: string, id: string, label: ImageLabel): Promise<boolean> {
    return (await this.present({ account_id: accountId, id }).update(labelColumns(label))) > 0;
  }
}

const labelColumns = ({ name, focus }: ImageLabel) => ({
  name,
  focus_x: focus?.x ?? null,
  focus_y: focus?.y ?? null,
});
