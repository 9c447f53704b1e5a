// Manages uploaded fonts. Their families are available to the templates of the uploading account only.

import { LruCache } from '#core/lru-cache.ts';
import { AppError } from '#errors';
import type { FontRecord } from '#fonts/own-fonts.ts';
import { inspectFont, MAX_FONT_FILE } from '#fonts/user-fonts.ts';
import { newId } from '#ids.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Font } from '#storage/fonts.ts';
import type { Storage, Stores } from '#storage/storage.ts';
import type { TemplateUse } from '#storage/templates.ts';
import { momentOf, type Owner } from '../accounts/owner.ts';
import { ANY_STORAGE, type StorageLimit } from '../accounts/storage-limit.ts';
import { nothingMore, type OnCommit } from '../idempotency.ts';
import { type Permit, unrestricted } from '../people/permit.ts';
import { UNDO_FOR } from '../templates/templates.ts';
import { CheckedFiles, digestOf } from './checked-files.ts';
import { removeOrphans, removeUnlessOwned } from './orphans.ts';

export type { Font };

/** Maximum fonts of an account: every one of its renders considers each of them. */
const MAX_FONTS = 100;
/** Maximum ids in memory; an account without fonts counts as one. */
const IDS_KEPT = 20_000;

export class AccountFonts {
  readonly #storage: Storage;
  readonly #blobs: BlobStore;
  readonly #files: CheckedFiles;
  readonly #clock: () => Date;
  readonly #limit: StorageLimit;
  /** Font ids by `momentOf` the owner. */
  readonly #ids = new LruCache<string, readonly string[]>(IDS_KEPT);

  constructor(storage: Storage, blobs: BlobStore, clock: () => Date, limit: StorageLimit = ANY_STORAGE) {
    this.#limit = limit;
    this.#storage = storage;
    this.#blobs = blobs;
    this.#files = new CheckedFiles(blobs);
    this.#clock = clock;
  }

  /**
   * Stores a TTF, OTF, WOFF or WOFF2 file after reading everything that matching and drawing need.
   *
   * @throws AppError `invalid_request` with a sentence about the file, `conflict` when the account has 100 already,
   *   `too_large` above 5 MiB, `quota_exceeded` beyond the storage of the plan
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
        await leaveRoom(stores, accountId);
        await this.#limit.check(stores, accountId, bytes.length);
        await stores.fonts.insert(font);
        await onCommit(stores, font);
      });
    } catch (error) {
      await removeUnlessOwned(this.#blobs, id, (ids) => this.#storage.fonts.owners(ids), error);
      throw error;
    }
    return font;
  }

  /** Newest first. */
  async list(accountId: string): Promise<Font[]> {
    return this.#storage.fonts.list(accountId);
  }

  /** Renders made with it are kept. @throws AppError `not_found`, also for another account's font; what `permit` throws */
  async delete(accountId: string, id: string, permit: Permit = unrestricted): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      await permit(stores);
      if (!(await stores.fonts.delete(accountId, id))) throw fontNotFound();
    });
    await this.#blobs.delete(id);
  }

  /** @throws AppError `not_found`, also for another account's font */
  async find(accountId: string, id: string): Promise<Font> {
    const font = await this.#storage.fonts.find(accountId, id);
    if (!font) throw fontNotFound();
    return font;
  }

  /** The templates that name its family in their newest version, or only in their draft. @throws AppError `not_found` */
  async uses(accountId: string, id: string): Promise<TemplateUse[]> {
    const { family } = await this.find(accountId, id);
    return this.#storage.templates.mentioningFamily(accountId, family);
  }

  /**
   * Marks a font as deleted: from then on no text is set in it, and its file is kept. Returns until when that can be
   * undone. @throws AppError `not_found`; what `permit` throws
   */
  async remove(accountId: string, id: string, permit: Permit = unrestricted): Promise<Date> {
    const now = this.#clock();
    await this.#storage.transaction(async (stores) => {
      await permit(stores);
      if (!(await stores.fonts.markDeleted(accountId, id, now))) throw fontNotFound();
    });
    return new Date(now.getTime() + UNDO_FOR);
  }

  /**
   * Undoes a `remove`. @throws AppError `not_found` once that is too late, `conflict` when the account has 100 fonts
   * already; what `permit` throws
   */
  async bringBack(accountId: string, id: string, permit: Permit): Promise<Font> {
    const since = new Date(this.#clock().getTime() - UNDO_FOR);
    await this.#storage.transaction(async (stores) => {
      await permit(stores);
      await leaveRoom(stores, accountId);
      if (!(await stores.fonts.undelete(accountId, id, since))) throw fontNotFound();
    });
    return this.find(accountId, id);
  }

  /** All fonts of an account, as font records. */
  async faces(accountId: string): Promise<readonly FontRecord[]> {
    return this.#recordsOf(await this.list(accountId));
  }

  /** A key for the owner's present fonts; '' when there are none. */
  async keyFor(owner: Owner): Promise<string> {
    return (await this.#idsOf(owner)).join();
  }

  /**
   * The faces named by a key, without those deleted since.
   *
   * @throws AppError `file_damaged` when the file of one is missing or differs from what was stored
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
      // Null when it was deleted a moment ago.
      if (path !== null) records.push(recordOf(font, path));
    }
    return records;
  }

  /** Removes files left by uploads that were cut short. */
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

/** @throws AppError `conflict` when the account may have no more fonts */
async function leaveRoom(stores: Stores, accountId: string): Promise<void> {
  await stores.storedBytes.lock(accountId);
  if ((await stores.fonts.ids(accountId)).length < MAX_FONTS) return;
  throw new AppError('conflict', `An account may have ${MAX_FONTS} fonts; delete one first.`);
}

const fontNotFound = () => new AppError('not_found', 'font not found');

function recordOf({ face, family, weight, width, style, axes, coverage }: Font, path: string): FontRecord {
  return { id: face, family, weight, width, style, axes, coverage, path };
}
