// Manages the brands of accounts. `acme` names the newest version, `acme@3` the third; templates name a version.

import { AppError } from '#base/errors.ts';
import { quoted, ValidationError } from '#core/diagnostics.ts';
import { didYouMean } from '#core/nearest-name.ts';
import { BRAND_NAME } from '#core/template/brand-reference.ts';
import { Brand, parseBrand } from '#design/brand.ts';
import type { BrandVersion, StoredBrand } from '#server/storage/brands.ts';
import type { ListPage, PageRequest } from '#server/storage/page.ts';
import type { Storage } from '#server/storage/storage.ts';
import { record } from '../accounts/audit.ts';
import { ANY_STORAGE, type StorageLimit } from '../accounts/storage-limit.ts';
import { type Permit, unrestricted } from '../people/permit.ts';

/** Brands of one account. */
const MAX_BRANDS = 200;
/** Maximum JSON of one brand, characters. */
const MAX_DOCUMENT = 1_000_000;

export interface NamedBrand {
  readonly name: string;
  readonly version: number;
  readonly document: Brand;
}

export class Brands {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  readonly #limit: StorageLimit;

  constructor(storage: Storage, clock: () => Date, limit: StorageLimit = ANY_STORAGE) {
    this.#storage = storage;
    this.#clock = clock;
    this.#limit = limit;
  }

  /** By name. */
  async page(accountId: string, page: PageRequest): Promise<ListPage<StoredBrand>> {
    return this.#storage.brands.page(accountId, page);
  }

  /** @param reference `acme` or `acme@3`. @throws AppError `not_found` */
  async read(accountId: string, reference: string): Promise<NamedBrand> {
    const [name = '', pinned] = reference.split('@');
    const found = await this.#storage.brands.find(accountId, name);
    const version = pinned === undefined ? found?.version : Number(pinned);
    const text = found && version ? await this.#storage.brands.document(accountId, name, version) : null;
    if (text === null || !version) throw await this.#notFound(accountId, reference);
    return { name, version, document: Brand.parse(JSON.parse(text)) };
  }

  /** The newest version. @throws AppError `not_found` */
  async newest(accountId: string, name: string): Promise<number> {
    const found = await this.#storage.brands.find(accountId, name);
    if (!found) throw await this.#notFound(accountId, name);
    return found.version;
  }

  /** Newest first. @throws AppError `not_found` */
  async versionPage(accountId: string, name: string, page: PageRequest): Promise<ListPage<BrandVersion>> {
    await this.newest(accountId, name);
    return this.#storage.brands.versionPage(accountId, name, page);
  }

  /**
   * Saves a brand, as a new version if there is one of the name.
   *
   * @param base the version that was changed, 0 for a new brand; null = whichever is the newest
   * @throws ValidationError; AppError `conflict` when another than `base` is the newest, `invalid_request` beyond the
   *   most brands, `quota_exceeded`; what `permit` throws
   */
  async save(
    accountId: string,
    name: string,
    input: unknown,
    permit: Permit = unrestricted,
    base: number | null = null,
  ): Promise<NamedBrand> {
    if (!BRAND_NAME.test(name)) {
      throw new ValidationError('name', 'must be at most 60 letters from a to z, digits and "-", such as "acme"');
    }
    const document = parseBrand(input);
    const text = JSON.stringify(document);
    if (text.length > MAX_DOCUMENT) {
      throw new AppError(
        'invalid_request',
        `The brand has more than ${MAX_DOCUMENT / 1e6} MB of JSON; upload its pictures.`,
      );
    }
    const now = this.#clock();
    const version = await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      const newest = (await stores.brands.find(accountId, name))?.version ?? 0;
      if (base !== null && newest !== base) throw notTheNewest(name, base, newest);
      if (newest === 0 && (await stores.brands.count(accountId)) >= MAX_BRANDS) {
        throw new AppError('invalid_request', `An account has at most ${MAX_BRANDS} brands; delete one.`);
      }
      await this.#limit.check(stores, accountId, Buffer.byteLength(text));
      const saved = await stores.brands.save(accountId, name, text, now);
      const subject = { id: name, name };
      await record(stores, actor, { accountId, action: 'brand.save', subject, detail: `version ${saved}` }, now);
      return saved;
    });
    return { name, version, document };
  }

  /** Templates that use a version of it go on using it. @throws AppError `not_found`; what `permit` throws */
  async delete(accountId: string, name: string, permit: Permit = unrestricted): Promise<void> {
    const now = this.#clock();
    const isDone = await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      if (!(await stores.brands.delete(accountId, name, now))) return false;
      await record(stores, actor, { accountId, action: 'brand.delete', subject: { id: name, name } }, now);
      return true;
    });
    if (!isDone) throw await this.#notFound(accountId, name);
  }

  async #notFound(accountId: string, name: string): Promise<AppError> {
    const { items } = await this.page(accountId, { limit: MAX_BRANDS, after: null });
    const known = items.map((brand) => brand.name);
    return new AppError('not_found', `There is no brand ${didYouMean(name, known)}${known.length === 0 ? '.' : ''}`);
  }
}

function notTheNewest(name: string, base: number, newest: number): AppError {
  const brand = `The brand ${quoted(name)}`;
  if (base === 0) return new AppError('conflict', `${brand} is there already: choose another name.`);
  if (newest === 0) return new AppError('conflict', `${brand} was deleted: save it under another name.`);
  return new AppError(
    'conflict',
    `${brand} was saved as version ${newest} since you opened version ${base}: load it first.`,
  );
}
