// Fonts that an account uploads: a family of theirs can be named by that account's templates, and by no other's.

import { LruCache } from '#core/lru-cache.ts';
import { AppError } from '#errors';
import type { FontRecord } from '#fonts/own-fonts.ts';
import { inspectFont, MAX_FONT_FILE } from '#fonts/user-fonts.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Font } from '#storage/fonts.ts';
import type { Storage } from '#storage/storage.ts';
import { newId } from '../ids.ts';
import { CheckedFiles, digestOf } from './checked-files.ts';
import { nothingMore, type OnCommit } from './idempotency.ts';
import { removeOrphans, removeUnlessOwned } from './orphans.ts';
import { momentOf, type Owner } from './owner.ts';

export type { Font };

/** Fonts of one account: each is looked at in every render of theirs. */
const MAX_FONTS = 100;
/** Ids in memory, and accounts that have none. */
const IDS_KEPT = 20_000;

export class AccountFonts {
  readonly #storage: Storage;
  readonly #blobs: BlobStore;
  readonly #files: CheckedFiles;
  readonly #clock: () => Date;
  /** By moment. */
  readonly #ids = new LruCache<string, readonly string[]>(IDS_KEPT);

  constructor(storage: Storage, blobs: BlobStore, clock: () => Date) {
    this.#storage = storage;
    this.#blobs = blobs;
    this.#files = new CheckedFiles(blobs);
    this.#clock = clock;
  }

  /**
   * Keeps a TTF, OTF, WOFF or WOFF2 file, after looking at all that choosing and drawing it asks for.
   *
   * @throws AppError `invalid_request` with a sentence about the file, `conflict` when the account has 100 already,
   *   `too_large` above 5 MiB
   */
  async upload(accountId: string, bytes: Uint8Array, onCommit: OnCommit<Font> = nothingMore): Promise<Font> {
    if (bytes.length > MAX_FONT_FILE) throw new AppError('too_large', 'A font file may have at most 5 MiB.');
    const id = newId('fnt');
    const { id: face, path: _, coverage, ...facts } = await inspectFont(bytes, id);
    const font = {
      ...facts,
      id,
      accountId,
      face,
      coverage: coverage.toString(),
      size: bytes.length,
      digest: await digestOf(bytes),
      createdAt: this.#clock(),
    };
    await this.#blobs.put(id, bytes);
    try {
      await this.#storage.transaction(async (stores) => {
        if ((await stores.fonts.ids(accountId)).length >= MAX_FONTS) {
          throw new AppError('conflict', `An account may have ${MAX_FONTS} fonts; delete one first.`);
        }
        await stores.fonts.insert(font);
        await onCommit(stores, font);
      });
    } catch (error) {
      await removeUnlessOwned(this.#blobs, id, (ids) => this.#storage.fonts.owners(ids));
      throw error;
    }
    return font;
  }

  /** Newest first. */
  async list(accountId: string): Promise<Font[]> {
    return this.#storage.fonts.list(accountId);
  }

  /** What was drawn with it stays. @throws AppError `not_found`, also for another account's */
  async delete(accountId: string, id: string): Promise<void> {
    if (!(await this.#storage.fonts.delete(accountId, id))) throw new AppError('not_found', 'font not found');
    await this.#blobs.delete(id);
  }

  /** All of an account's, as faces to choose from. */
  async faces(accountId: string): Promise<readonly FontRecord[]> {
    return this.#recordsOf(await this.list(accountId));
  }

  /** A key for the owner's own faces as they are now; '' when there are none. */
  async keyFor(owner: Owner): Promise<string> {
    return (await this.#idsOf(owner)).join();
  }

  /**
   * The faces that a key names, but for those deleted since.
   *
   * @throws AppError `file_damaged` when the file of one is missing, or not what was stored
   */
  async records({ accountId }: Owner, key: string): Promise<readonly FontRecord[]> {
    const ids = new Set(key.split(','));
    return this.#recordsOf((await this.list(accountId)).filter(({ id }) => ids.has(id)));
  }

  async #recordsOf(fonts: readonly Font[]): Promise<readonly FontRecord[]> {
    const records: FontRecord[] = [];
    for (const font of fonts) {
      await this.#files.open({ ...font, name: font.id });
      const path = await this.#blobs.localPath(font.id);
      // Deleted a moment ago.
      if (path !== null) records.push(recordOf(font, path));
    }
    return records;
  }

  /** Removes the files of uploads that were cut short. */
  removeOrphans(signal: AbortSignal): Promise<void> {
    return removeOrphans(this.#blobs, (ids) => this.#storage.fonts.owners(ids), signal);
  }

  async #idsOf(owner: Owner): Promise<readonly string[]> {
    const moment = momentOf(owner);
    let ids = this.#ids.get(moment);
    if (!ids) {
      ids = await this.#storage.fonts.ids(owner.accountId);
      this.#ids.set(moment, ids, 1 + ids.length);
    }
    return ids;
  }
}

function recordOf({ face, family, weight, width, style, axes, coverage }: Font, path: string): FontRecord {
  return { id: face, family, weight, width, style, axes, coverage, path };
}
