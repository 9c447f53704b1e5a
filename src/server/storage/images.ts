// Stores uploaded images: their owners and properties. The bytes are in a blob store, under the image's id.

import type { Database } from './database.ts';
import {
  type FolderCount,
  foldersOf,
  type ListPage,
  limitTo,
  mapPage,
  type NameFilter,
  newestPageOf,
  type PageRequest,
} from './page.ts';
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
  /** The folder that it is kept in; null = in none. */
  readonly folder: string | null;
}

/** The editable properties; those that are absent stay. */
export type ImageLabel = { readonly [K in 'name' | 'focus' | 'folder']?: Image[K] | undefined };

interface Row extends Omit<Image, 'accountId' | 'createdAt' | 'focus'> {
  account_id: string;
  created_at: number;
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

  async insert({ accountId, createdAt, focus, ...image }: Image): Promise<void> {
    const row = { ...image, account_id: accountId, created_at: createdAt.getTime() };
    await this.db<Row>('images').insert({ ...row, ...focusColumns(focus) });
  }

  /** Null also when it belongs to another account than `accountId`. @param accountId null = any */
  async find(accountId: string | null, id: string): Promise<Image | null> {
    const row = await BY_ID.first(this.db, { id });
    return row && (accountId === null || row.account_id === accountId) ? fromRow(row) : null;
  }

  /** The account's oldest image of a file with this digest; null = there is none. */
  async findByDigest(accountId: string, digest: string): Promise<Image | null> {
    const row: Row | undefined = await this.present({ account_id: accountId })
      .where({ digest })
      .orderByRaw('created_at, id')
      .first();
    return row ? fromRow(row) : null;
  }

  /** One page, newest first. */
  async page(accountId: string, filter: NameFilter, page: PageRequest): Promise<ListPage<Image>> {
    const query = this.present({ account_id: accountId });
    limitTo(filter, query);
    return mapPage(await newestPageOf<Row>(query, page), fromRow);
  }

  async folders(accountId: string): Promise<FolderCount[]> {
    return foldersOf(this.present({ account_id: accountId }));
  }

  /** False when the account has no such image. */
  async label(accountId: string, id: string, { focus, ...label }: ImageLabel): Promise<boolean> {
    // The id stays as it is: a statement needs a column.
    const columns = { id, ...label, ...(focus !== undefined && focusColumns(focus)) };
    return (await this.present({ account_id: accountId, id }).update(columns)) > 0;
  }
}

const focusColumns = (focus: Image['focus']) => ({ focus_x: focus?.x ?? null, focus_y: focus?.y ?? null });
