// Manages uploaded fonts. Their families are available to the templates of the uploading account only.

import { AppError } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { FontRecord } from '#draw/fonts/own-fonts.ts';
import { inspectFont, MAX_FONT_FILE } from '#draw/fonts/user-fonts.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import type { Font } from '#server/storage/fonts.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import type { TemplateUse } from '#server/storage/templates.ts';
import { type Owner, uploadsKeyOf } from '../accounts/owner.ts';
import type { StorageLimit } from '../accounts/storage-limit.ts';
import { nothingMore, type OnCommit } from '../idempotency.ts';
import { digestOf } from './checked-files.ts';
import { Uploads } from './uploads.ts';

export type { Font };

/** Maximum fonts of an account: every one of its renders considers each of them. */
const MAX_FONTS = 100;
/** Maximum ids in memory; an account without fonts counts as one. */
const IDS_KEPT = 20_000;

export class AccountFonts extends Uploads<Font> {
  /** Font ids by `uploadsKeyOf` the owner. */
  readonly #ids = new LruCache<string, readonly string[]>(IDS_KEPT);

  constructor(storage: Storage, blobs: BlobStore, clock: () => Date, limit?: StorageLimit) {
    super('fonts', storage, blobs, clock, limit);
  }

  /**
   * Stores a TTF, OTF, WOFF or WOFF2 file after reading everything that matching and drawing need.
   *
   * @param family the name for templates, in the form that they can write; null = as in the file
   * @throws AppError `invalid_request` with a sentence about the file, `conflict` when the account has 100 already,
   *   `too_large` above 5 MiB, `quota_exceeded` beyond the storage of the plan
   */
  async upload(
    accountId: string,
    bytes: Uint8Array,
    family: string | null = null,
    onCommit: OnCommit<Font> = nothingMore,
  ): Promise<Font> {
    if (bytes.length > MAX_FONT_FILE) throw new AppError('too_large', 'A font file may have at most 5 MiB.');
    const id = newId('fnt');
    const { id: face, path: _, coverage, ...facts } = await inspectFont(bytes, id, family);
    const font = {
      ...facts,
      id,
      accountId,
      face,
      coverage: coverage.toString(),
      size: bytes.length,
      digest: await digestOf(bytes),
      createdAt: this.clock(),
    };
    await this.keep(font, bytes, undefined, async (stores) => {
      await stores.fonts.insert(font);
      await onCommit(stores, font);
    });
    return font;
  }

  /** Newest first. */
  async list(accountId: string): Promise<Font[]> {
    return this.storage.fonts.list(accountId);
  }

  /** The templates that name its family in their newest version, or only in their draft. @throws AppError `not_found` */
  async uses(accountId: string, id: string): Promise<TemplateUse[]> {
    const { family } = await this.find(accountId, id);
    return this.storage.templates.mentioningFamily(accountId, family);
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
      await this.files.open({ ...font, name: font.id });
      const path = await this.blobs.localPath(font.id);
      // Null when it was deleted a moment ago.
      if (path !== null) records.push(recordOf(font, path));
    }
    return records;
  }

  protected override async leaveRoom(stores: Stores, accountId: string): Promise<void> {
    await stores.storedBytes.lock(accountId);
    if ((await stores.fonts.ids(accountId)).length < MAX_FONTS) return;
    throw new AppError('conflict', `An account may have ${MAX_FONTS} fonts; delete one first.`);
  }

  async #idsOf(owner: Owner): Promise<readonly string[]> {
    const moment = uploadsKeyOf(owner);
    let ids = this.#ids.get(moment);
    if (!ids) {
      ids = await this.storage.fonts.ids(owner.accountId);
      this.#ids.set(moment, ids, 1 + ids.length);
    }
    return ids;
  }
}

function recordOf({ face, family, weight, width, style, axes, coverage }: Font, path: string): FontRecord {
  return { id: face, family, weight, width, style, axes, coverage, path };
}
