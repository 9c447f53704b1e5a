// Stores and removes uploaded files, as images and fonts both need it: a file together with its row, and a deletion that
// can be undone.

import { AppError } from '#base/errors.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import type { Font } from '#server/storage/fonts.ts';
import type { Image } from '#server/storage/images.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { ANY_STORAGE, type StorageLimit } from '../accounts/storage-limit.ts';
import { type Permit, unrestricted } from '../people/permit.ts';
import { UNDO_FOR } from '../templates/templates.ts';
import { CheckedFiles } from './checked-files.ts';
import { removeOrphans, removeUnlessOwned } from './orphans.ts';

export abstract class Uploads<T extends Font | Image> {
  protected readonly storage: Storage;
  readonly blobs: BlobStore;
  readonly files: CheckedFiles;
  protected readonly clock: () => Date;
  readonly #limit: StorageLimit;
  readonly #kind: 'images' | 'fonts';

  constructor(
    kind: 'images' | 'fonts',
    storage: Storage,
    blobs: BlobStore,
    clock: () => Date,
    limit: StorageLimit = ANY_STORAGE,
  ) {
    this.#kind = kind;
    this.#limit = limit;
    this.storage = storage;
    this.blobs = blobs;
    this.files = new CheckedFiles(blobs);
    this.clock = clock;
  }

  /** @throws AppError `not_found`, also for another account's upload */
  async find(accountId: string, id: string): Promise<T> {
    const found = await this.storage[this.#kind].find(accountId, id);
    if (!found) throw this.notFound();
    return found as T;
  }

  /** Renders made with it are kept. @throws AppError `not_found`, also for another account's upload; what `permit` throws */
  async delete(accountId: string, id: string, permit: Permit = unrestricted): Promise<void> {
    await this.storage.transaction(async (stores) => {
      await permit(stores);
      if (!(await stores[this.#kind].delete(accountId, id))) throw this.notFound();
    });
    await this.blobs.delete(id);
  }

  /**
   * Marks it as deleted: from then on it is found nowhere, and its file is kept. Returns until when that can be undone.
   *
   * @throws AppError `not_found`; what `permit` throws
   */
  async remove(accountId: string, id: string, permit: Permit = unrestricted): Promise<Date> {
    const now = this.clock();
    await this.storage.transaction(async (stores) => {
      await permit(stores);
      if (!(await stores[this.#kind].markDeleted(accountId, id, now))) throw this.notFound();
    });
    return new Date(now.getTime() + UNDO_FOR);
  }

  /**
   * Undoes a `remove`. @throws AppError `not_found` once that is too late; what `permit` and `leaveRoom` throw
   */
  async bringBack(accountId: string, id: string, permit: Permit): Promise<T> {
    const since = new Date(this.clock().getTime() - UNDO_FOR);
    await this.storage.transaction(async (stores) => {
      await permit(stores);
      await this.leaveRoom(stores, accountId);
      if (!(await stores[this.#kind].undelete(accountId, id, since))) throw this.notFound();
    });
    return this.find(accountId, id);
  }

  /** Removes files left by uploads that were cut short. */
  removeOrphans(signal: AbortSignal): Promise<void> {
    return removeOrphans(this.blobs, (ids) => this.storage[this.#kind].owners(ids), signal);
  }

  /** Stores a file and, by `insert`, its row, or neither. @throws AppError `quota_exceeded` beyond the storage of the plan */
  protected async keep(
    { id, accountId }: T,
    bytes: Uint8Array,
    format: string | undefined,
    insert: (stores: Stores) => Promise<void>,
  ): Promise<void> {
    await this.blobs.put(id, bytes, format);
    try {
      await this.storage.transaction(async (stores) => {
        await this.leaveRoom(stores, accountId);
        await this.#limit.check(stores, accountId, bytes.length);
        await insert(stores);
      });
    } catch (error) {
      await removeUnlessOwned(this.blobs, id, (ids) => this.storage[this.#kind].owners(ids), error);
      throw error;
    }
  }

  /** @throws AppError `conflict` when the account may have no more of them */
  protected async leaveRoom(_stores: Stores, _accountId: string): Promise<void> {}

  protected notFound(): AppError {
    return new AppError('not_found', this.#kind === 'images' ? 'image not found' : 'font not found');
  }
}
