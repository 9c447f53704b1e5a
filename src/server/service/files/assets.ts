// Stores finished renders: the bytes in the blob store, the row in the database; gives them a public address.
//
// The bytes are written first. The row follows in one step with the unit of usage, so nothing is counted that cannot be
// fetched.

import { AppError } from '#base/errors.ts';
import { isId, newId } from '#base/ids.ts';
import type { Output } from '#draw/output/formats.ts';
import type { Drawing } from '#draw/renderer/renderer.ts';
import type { Blob, BlobStore } from '#server/storage/blobs.ts';
import type { ListPage, PageRequest } from '#server/storage/page.ts';
import type { AskedRender } from '#server/storage/render-row.ts';
import type { ListedRender, Render, RenderFilter } from '#server/storage/renders.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import type { StoredFile } from '#server/storage/stored-files.ts';
import { servesFiles } from '../accounts/accounts.ts';
import type { Ticket } from '../accounts/quota.ts';
import { nothingMore, type OnCommit } from '../idempotency.ts';
import { type Permit, unrestricted } from '../people/permit.ts';
import { type Metadata, shownMetadata } from '../rendering/metadata.ts';
import type { RenderStorage } from '../rendering/render-storage.ts';
import { shownWarnings, warningSentences } from '../rendering/warnings.ts';
import { CheckedFiles, digestOf } from './checked-files.ts';
import { removeUnlessOwned } from './orphans.ts';

export type { ListedRender };

/** What the API answers with (spec: render result). */
export interface RenderResult {
  /** The render's id; also the asset's name. */
  readonly id: string;
  readonly url: string;
  readonly output: Output;
}

/** A render as its account polls it (spec: job). */
export interface Job {
  readonly id: string;
  readonly status: Render['status'];
  readonly kind: Render['kind'];
  readonly result: RenderResult | null;
  readonly error: string | null;
  readonly createdAt: Date;
  /** As it was given; absent otherwise. */
  readonly metadata?: Metadata;
  /** What was odd about the render; absent where nothing was. */
  readonly warnings?: readonly string[];
}

/** What is known of an asset before the work begins. */
export interface NewAsset {
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'render' | 'screenshot';
  readonly output: Output;
  readonly createdAt: Date;
  /** The part of the request that is stored with the render. */
  readonly asked?: AskedRender;
}

/** A stored file, and the account it belongs to. */
export interface OwnedBlob extends Blob {
  readonly accountId: string | null;
}

/** How long a finished job can be polled, ms. Its asset may be kept longer. */
export const JOB_KEPT = 30 * 24 * 60 * 60 * 1000;

export class Assets {
  readonly #storage: Storage;
  readonly #blobs: BlobStore;
  readonly #files: CheckedFiles;
  readonly #publicUrl: () => string;
  readonly #clock: () => Date;
  readonly #counted: Pick<RenderStorage, 'add'> | null;

  /** @param counted is told of files that are stored and deleted */
  constructor(
    storage: Storage,
    blobs: BlobStore,
    publicUrl: () => string,
    clock: () => Date,
    counted: Pick<RenderStorage, 'add'> | null = null,
  ) {
    this.#counted = counted;
    this.#storage = storage;
    this.#blobs = blobs;
    this.#files = new CheckedFiles(blobs);
    this.#publicUrl = publicUrl;
    this.#clock = clock;
  }

  /** Describes a new asset; stores nothing yet. */
  begin(accountId: string, output: Output, kind: NewAsset['kind'] = 'render'): NewAsset {
    return { id: newId('rnd'), accountId, kind, output, createdAt: this.#clock() };
  }

  /** Stores only the bytes: for a job, whose row exists already. */
  async write(asset: Pick<NewAsset, 'id' | 'accountId' | 'output'>, bytes: Uint8Array): Promise<void> {
    await this.#blobs.put(assetName(asset), bytes);
    this.#counted?.add(asset.accountId, bytes.length);
  }

  /** Stores the bytes, then in one transaction the row, the unit of usage and what `onCommit` adds. */
  async save<Made>(
    asset: NewAsset,
    { bytes, diagnostics }: Drawing,
    ticket: Ticket,
    made: Made,
    onCommit: OnCommit<Made>,
  ): Promise<void> {
    const name = assetName(asset);
    // Digested while the store writes.
    const [, digest] = await Promise.all([this.#blobs.put(name, bytes, undefined, 'unnamed'), digestOf(bytes)]);
    const row = {
      ...asset,
      status: 'done',
      size: bytes.length,
      digest,
      warnings: warningSentences(diagnostics),
      finishedAt: this.#clock(),
    } as const;
    const period = ticket.unit?.period ?? null;
    const insert = ({ renders }: Stores) => renders.insert(row, period, asset.asked);
    const { key, rest } = onCommit;
    const insertByKey = async ({ renders }: Stores) =>
      key !== undefined && renders.insertByKey(key, row, period, asset.asked);
    try {
      // A single statement is a transaction of its own.
      if (onCommit === nothingMore) await insert(this.#storage);
      // Where the key is no longer valid, the transaction says why.
      else if (rest || !(await insertByKey(this.#storage)))
        await this.#storage.transaction(async (stores) => {
          if (rest && (await insertByKey(stores))) return rest(stores, made);
          await insert(stores);
          return onCommit(stores, made);
        });
    } catch (error) {
      const isHeld = await removeUnlessOwned(this.#blobs, name, (ids) => this.#storage.renders.owners(ids), error);
      if (!isHeld) throw error;
    }
    ticket.keep();
    this.#counted?.add(asset.accountId, bytes.length);
  }

  /**
   * @throws AppError `not_found`, also for another account's job
   */
  async job(accountId: string, id: string): Promise<Job> {
    const render = await this.#storage.renders.findAsked(accountId, id);
    if (!render || ('finishedAt' in render && this.#clock().getTime() - render.finishedAt.getTime() > JOB_KEPT)) {
      throw new AppError('not_found', 'job not found');
    }
    return {
      id,
      status: render.status,
      kind: render.kind,
      result: this.resultOf(render),
      error: render.status === 'error' ? render.error : null,
      createdAt: render.createdAt,
      ...shownMetadata(render.asked.metadata),
      ...(render.status === 'done' ? shownWarnings(render.warnings) : {}),
    };
  }

  /** Newest first. */
  async page(accountId: string, filter: RenderFilter, page: PageRequest): Promise<ListPage<ListedRender>> {
    return this.#storage.renders.page(accountId, filter, page);
  }

  /** The render with its request, however old. @throws AppError `not_found`, also for another account's render */
  async find(accountId: string, id: string): Promise<ListedRender> {
    const render = await this.#storage.renders.findAsked(accountId, id);
    if (!render) throw new AppError('not_found', 'render not found');
    return render;
  }

  /**
   * Deletes a finished render with its file and its request. What it has cost stays counted.
   *
   * @throws AppError `not_found`, also for another account's render; `conflict` while it is an open job; what `permit`
   *   throws
   */
  async delete(accountId: string, id: string, permit: Permit = unrestricted): Promise<void> {
    const deleted = await this.#storage.transaction(async (stores) => {
      await permit(stores);
      const render = await stores.renders.delete(accountId, id);
      if (render) return render;
      if (!(await stores.renders.find(accountId, id))) throw new AppError('not_found', 'render not found');
      throw new AppError('conflict', 'This job is not over yet; wait for its end, then delete it.');
    });
    // After the row, which links are looked up by: a file that is left behind by a crash is an orphan, and is swept.
    if (deleted.status !== 'done') return;
    await this.#blobs.delete(assetName(deleted));
    this.#counted?.add(accountId, -deleted.size);
  }

  /** The API's answer for a render; null while it has no file, and once that has expired. */
  resultOf(render: Render): RenderResult | null {
    return render.status === 'done' && render.size > 0 ? this.result(render) : null;
  }

  /** The same for an asset that is stored. */
  result({ id, output }: Pick<NewAsset, 'id' | 'output'>): RenderResult {
    return { id, url: `${this.#publicUrl()}/assets/${assetName({ id, output })}`, output };
  }

  /**
   * Opens an asset's file; null when there is no asset of that name.
   *
   * @throws AppError `suspended`; `file_damaged` when the file is missing or differs from what was stored
   */
  async open(name: string): Promise<OwnedBlob | null> {
    const stored = await this.#stored(name);
    if (!stored) return null;
    const { size, stream } = await this.#files.open(stored);
    return { size, stream, accountId: stored.accountId };
  }

  /** The file's address in the store; null when there is no such asset, or when the store has no addresses. */
  async address(name: string): Promise<string | null> {
    return (await this.#stored(name)) && this.#blobs.address(name);
  }

  async #stored(name: string): Promise<StoredFile | null> {
    const [id = ''] = name.split('.');
    const stored = isId('rnd', id) ? await this.#storage.storedFiles.find('assets', id) : null;
    if (stored?.name !== name) return null;
    return (await servesFiles(this.#storage, stored.accountId ?? '')) ? stored : null;
  }
}

/** The asset's file name, in the blob store and in its URL. */
const assetName = ({ id, output }: Pick<NewAsset, 'id' | 'output'>) => `${id}.${output}`;
