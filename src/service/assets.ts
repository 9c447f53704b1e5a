// Finished renders: their bytes in the blob store, their row in the database, their public address.
//
// Bytes come first and the row last, with the unit of usage, so nothing is counted that cannot be fetched.

import { AppError } from '#errors';
import type { Output } from '#output/formats.ts';
import type { Blob, BlobStore } from '#storage/blobs.ts';
import type { Page, PageRequest } from '#storage/page.ts';
import type { Asked } from '#storage/render-row.ts';
import type { ListedRender, Render, RenderFilter } from '#storage/renders.ts';
import type { Storage, Stores } from '#storage/storage.ts';
import type { StoredFile } from '#storage/stored-files.ts';
import { isId, newId } from '../ids.ts';
import { CheckedFiles, digestOf } from './checked-files.ts';
import { nothingMore, type OnCommit } from './idempotency.ts';
import { removeUnlessOwned } from './orphans.ts';
import type { Ticket } from './quota.ts';

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
}

/** What is to be saved, as far as it is known before the work. */
export interface NewAsset {
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'render' | 'screenshot';
  readonly output: Output;
  readonly createdAt: Date;
  /** What is kept of what it was asked for. */
  readonly asked?: Asked;
}

/** How long a finished job is shown, ms. Its asset may stay for longer. */
export const JOB_KEPT = 30 * 24 * 60 * 60 * 1000;

export class Assets {
  readonly #storage: Storage;
  readonly #blobs: BlobStore;
  readonly #files: CheckedFiles;
  readonly #publicUrl: () => string;
  readonly #clock: () => Date;

  constructor(storage: Storage, blobs: BlobStore, publicUrl: () => string, clock: () => Date) {
    this.#storage = storage;
    this.#blobs = blobs;
    this.#files = new CheckedFiles(blobs);
    this.#publicUrl = publicUrl;
    this.#clock = clock;
  }

  /** An asset that does not exist yet. */
  begin(accountId: string, output: Output, kind: NewAsset['kind'] = 'render'): NewAsset {
    return { id: newId('rnd'), accountId, kind, output, createdAt: this.#clock() };
  }

  /** Stores the bytes alone: for a job, whose row is there already. */
  async write(asset: Pick<NewAsset, 'id' | 'output'>, bytes: Uint8Array): Promise<void> {
    await this.#blobs.put(assetName(asset), bytes);
  }

  /** Stores the bytes, then the row, the unit of usage and what `onCommit` adds of what was made; all of it or nothing. */
  async save<Made>(
    asset: NewAsset,
    bytes: Uint8Array,
    ticket: Ticket,
    made: Made,
    onCommit: OnCommit<Made>,
  ): Promise<void> {
    const name = assetName(asset);
    await this.#blobs.put(name, bytes);
    const row = {
      ...asset,
      status: 'done',
      size: bytes.length,
      digest: await digestOf(bytes),
      finishedAt: this.#clock(),
    } as const;
    const insert = ({ renders }: Stores) => renders.insert(row, ticket.unit?.period ?? null, asset.asked);
    try {
      // A statement alone is a transaction of its own.
      if (onCommit === nothingMore) await insert(this.#storage);
      else
        await this.#storage.transaction(async (stores) => {
          await insert(stores);
          await onCommit(stores, made);
        });
    } catch (error) {
      const isHeld = await removeUnlessOwned(this.#blobs, name, (ids) => this.#storage.renders.owners(ids));
      if (!isHeld) throw error;
    }
    ticket.keep();
  }

  /** @throws AppError `not_found`, also for another account's */
  async job(accountId: string, id: string): Promise<Job> {
    const render = await this.#storage.renders.find(accountId, id);
    if (!render || ('finishedAt' in render && this.#clock().getTime() - render.finishedAt.getTime() > JOB_KEPT)) {
      throw new AppError('not_found', 'job not found');
    }
    return {
      id,
      status: render.status,
      kind: render.kind,
      result: render.status === 'done' ? this.result(render) : null,
      error: render.status === 'error' ? render.error : null,
      createdAt: render.createdAt,
    };
  }

  /** Newest first. */
  async page(accountId: string, filter: RenderFilter, page: PageRequest): Promise<Page<ListedRender>> {
    return this.#storage.renders.page(accountId, filter, page);
  }

  /** With what it was asked for, however long ago. @throws AppError `not_found`, also for another account's */
  async find(accountId: string, id: string): Promise<ListedRender> {
    const render = await this.#storage.renders.findAsked(accountId, id);
    if (!render) throw new AppError('not_found', 'render not found');
    return render;
  }

  /** What the API answers about an asset. */
  result({ id, output }: Pick<NewAsset, 'id' | 'output'>): RenderResult {
    return { id, url: `${this.#publicUrl()}/assets/${assetName({ id, output })}`, output };
  }

  /**
   * Null when there is no asset of that name.
   *
   * @throws AppError `file_damaged` when its file is missing, or not what was stored
   */
  async open(name: string): Promise<Blob | null> {
    const stored = await this.#stored(name);
    return stored && this.#files.open(stored);
  }

  /** The address of its file in the store; null when there is no asset of that name, and where the store has no addresses. */
  async address(name: string): Promise<string | null> {
    return (await this.#stored(name)) && this.#blobs.address(name);
  }

  async #stored(name: string): Promise<StoredFile | null> {
    const [id = ''] = name.split('.');
    const stored = isId('rnd', id) ? await this.#storage.storedFiles.find('assets', id) : null;
    return stored?.name === name ? stored : null;
  }
}

/** What an asset is called in the blob store and in its address. */
const assetName = ({ id, output }: Pick<NewAsset, 'id' | 'output'>) => `${id}.${output}`;
