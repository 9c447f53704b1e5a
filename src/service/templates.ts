// Manages the templates of accounts. `tpl_…` names the newest version, `tpl_…@3` the third.
//
// A version never changes, so its text is cached. Which version is the newest is queried every time.

import { LruCache } from '#core/lru-cache.ts';
import { AppError } from '#errors';
import type { Page, PageRequest } from '#storage/page.ts';
import type { Storage } from '#storage/storage.ts';
import {
  type Authorship,
  type ListedTemplate,
  type LocatedTemplate,
  NOBODY,
  type SizeCount,
  type StoredTemplate,
  type TemplateFilter,
  type TemplateVersion,
} from '#storage/templates.ts';
import { Gate } from '../gate.ts';
import { isId, newId } from '../ids.ts';
import { nothingMore, type OnCommit } from './idempotency.ts';
import type { Owner } from './owner.ts';
import { LocalChecks, type TemplateChecks } from './template-checks.ts';

/** A template at one version, to be rendered. */
export interface FoundTemplate extends Owner {
  readonly id: string;
  readonly version: number;
  /** The template's JSON as posted: as text it is cheap to pass to another thread. */
  readonly document: string;
}

/** A template at one version, as it was posted. */
export interface TemplateDocument {
  readonly id: string;
  readonly version: number;
  /** JSON of an object, up to 4 MB; for that reason it is never parsed just to answer a request. */
  readonly document: string;
}

export type { Authorship, ListedTemplate, TemplateFilter, TemplateVersion };

/** How long a deletion in the studio can be undone, ms. */
export const UNDO_FOR = 24 * 60 * 60 * 1000;

/** Maximum templates in a list (spec: list templates). */
const LIST_LIMIT = 200;
/**
 * Concurrent template look-ups. SQLite has one connection, whose queue does not distinguish accounts: 256 look-ups of
 * one account once made another account's key check wait for a quarter of a second.
 */
const LOOK_UPS = { concurrency: 4, waiting: Number.POSITIVE_INFINITY, spare: 2 };
/** A look-up is never aborted: its caller limits how long it waits. */
const NEVER = new AbortController().signal;
/** Capacity of the cache of templates, in characters of their JSON. */
const CACHE_CAPACITY = 32_000_000;

export class TemplateLibrary {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  readonly #lookUps = new Gate(LOOK_UPS);
  readonly #documents = new LruCache<string, string>(CACHE_CAPACITY);
  /** Checks its templates before they are drawn. */
  readonly checks: TemplateChecks;

  constructor(storage: Storage, clock: () => Date, checks: TemplateChecks = new LocalChecks()) {
    this.#storage = storage;
    this.#clock = clock;
    this.checks = checks;
  }

  /**
   * Finds the template that a reference names.
   *
   * @param accountId the required owner; null = any, for a signed URL, whose signature acts for the account
   * @throws AppError `not_found`
   */
  async find(accountId: string | null, reference: string): Promise<FoundTemplate> {
    const { stored, version } = await this.#locate(accountId, reference);
    const key = `${stored.id}@${version}`;
    let document = this.#documents.get(key);
    if (document === undefined) {
      document = await this.#document(stored.id, version, reference);
      this.#documents.set(key, document, document.length);
    }
    return { id: stored.id, accountId: stored.accountId, uploadsVersion: stored.uploadsVersion, version, document };
  }

  /** @throws AppError `not_found` */
  async read(accountId: string, reference: string): Promise<TemplateDocument> {
    const { stored, version } = await this.#locate(accountId, reference);
    return { id: stored.id, version, document: await this.#document(stored.id, version, reference) };
  }

  /** @throws ValidationError when the document is no template */
  async create(
    accountId: string,
    document: unknown,
    onCommit: OnCommit<TemplateDocument> = nothingMore,
    by: Authorship = NOBODY,
  ): Promise<TemplateDocument> {
    const { summary, document: text } = await this.checks.read(accountId, document);
    const created = { id: newId('tpl'), version: 1, document: text };
    await this.#storage.transaction(async (stores) => {
      await stores.templates.insert(created.id, accountId, summary, text, this.#clock(), by);
      await onCommit(stores, created);
    });
    return created;
  }

  /**
   * Adds a version, which becomes the newest.
   *
   * @throws AppError `not_found`; ValidationError when the document is no template
   */
  async replace(accountId: string, id: string, document: unknown, by: Authorship = NOBODY): Promise<TemplateDocument> {
    await this.#locate(accountId, id);
    const { summary, document: text } = await this.checks.read(accountId, document);
    const version = await this.#storage.templates.addVersion(id, accountId, summary, text, this.#clock(), by);
    if (version === null) throw templateNotFound(id);
    return { id, version, document: text };
  }

  /** Deletes all its versions too. @throws AppError `not_found` */
  async delete(accountId: string, id: string): Promise<void> {
    if (!(await this.#storage.templates.delete(id, accountId))) throw templateNotFound(id);
  }

  /** Most recently saved first, at most 200. */
  async list(accountId: string): Promise<StoredTemplate[]> {
    return this.#storage.templates.list(accountId, LIST_LIMIT);
  }

  /** Newest first. @throws AppError `not_found` */
  async versions(accountId: string, id: string): Promise<TemplateVersion[]> {
    const { stored } = await this.#locate(accountId, id);
    return this.#storage.templates.versions(stored.id);
  }

  /** Most recently saved first. */
  async page(accountId: string, filter: TemplateFilter, page: PageRequest): Promise<Page<ListedTemplate>> {
    return this.#storage.templates.page(accountId, filter, page);
  }

  /** The most frequent sizes first, at most 50. */
  async sizes(accountId: string): Promise<SizeCount[]> {
    return this.#storage.templates.sizes(accountId);
  }

  /** Names by id; ids that are not the account's are left out. */
  async names(accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
    return ids.length === 0 ? new Map() : this.#storage.templates.names(accountId, ids);
  }

  /** Includes who saved the newest version. @throws AppError `not_found` */
  async card(accountId: string, id: string): Promise<ListedTemplate> {
    const { stored } = await this.#locate(accountId, id);
    const newest = await this.#storage.templates.version(stored.id, stored.version);
    return { ...stored, authorId: newest?.authorId ?? null };
  }

  /** Newest first. @throws AppError `not_found` */
  async versionPage(accountId: string, id: string, page: PageRequest): Promise<Page<TemplateVersion>> {
    const { stored } = await this.#locate(accountId, id);
    return this.#storage.templates.versionPage(stored.id, page);
  }

  /** @throws AppError `not_found` */
  async version(accountId: string, id: string, version: number): Promise<TemplateVersion & TemplateDocument> {
    const document = await this.read(accountId, `${id}@${version}`);
    const about = await this.#storage.templates.version(id, version);
    if (!about) throw templateNotFound(`${id}@${version}`);
    return { ...about, ...document };
  }

  /** Marks a template as deleted for everybody. Returns until when that can be undone. @throws AppError `not_found` */
  async remove(accountId: string, id: string): Promise<Date> {
    const now = this.#clock();
    if (!(await this.#storage.templates.markDeleted(id, accountId, now))) throw templateNotFound(id);
    return new Date(now.getTime() + UNDO_FOR);
  }

  /** @throws AppError `not_found` */
  async bringBack(accountId: string, id: string): Promise<ListedTemplate> {
    const since = new Date(this.#clock().getTime() - UNDO_FOR);
    if (!(await this.#storage.templates.undelete(id, accountId, since))) throw templateNotFound(id);
    return this.card(accountId, id);
  }

  async #locate(accountId: string | null, reference: string): Promise<{ stored: LocatedTemplate; version: number }> {
    const [, id = '', pinned] = /^([^@]*)(?:@([1-9]\d{0,8}))?$/.exec(reference) ?? [];
    const lookUp = () => this.#storage.templates.find(id);
    const stored = isId('tpl', id) ? await this.#lookUps.pass(NEVER, lookUp, accountId ?? id) : null;
    // Another account's template must look like one that does not exist.
    if (!stored || (accountId !== null && stored.accountId !== accountId)) throw templateNotFound(reference);
    return { stored, version: pinned === undefined ? stored.version : Number(pinned) };
  }

  async #document(id: string, version: number, reference: string): Promise<string> {
    const document = await this.#storage.templates.document(id, version);
    if (document === null) throw templateNotFound(reference);
    return document;
  }
}

export function templateNotFound(reference: string): AppError {
  const shown = JSON.stringify(reference.length > 60 ? `${reference.slice(0, 59)}…` : reference);
  return new AppError('not_found', `Template ${shown} not found.`);
}
