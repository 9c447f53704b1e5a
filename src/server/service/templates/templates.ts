// Manages the templates of accounts. `tpl_…` names the newest version, `tpl_…@3` the third. A template that comes with a
// request is not stored; its id, `inline@<digest>`, is made from its content.
//
// A version never changes, so its text is cached. Which version is the newest is remembered until something changes.

import { hash } from 'node:crypto';
import { NEVER } from '#base/concurrency/deadline.ts';
import { Gate } from '#base/concurrency/gate.ts';
import { AppError } from '#base/errors.ts';
import { isId, newId } from '#base/ids.ts';
import { type Diagnostic, quoted, ValidationError } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { Choice } from '#design/choice.ts';
import { hasMaterials } from '#design/is-design.ts';
import { Remembered } from '#server/storage/changes.ts';
import type { FolderCount, ListPage, PageRequest } from '#server/storage/page.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import {
  type Authorship,
  type ListedTemplate,
  type LocatedTemplate,
  NOBODY,
  type SizeCount,
  type TemplateFilter,
  type TemplateOrder,
  type TemplateVersion,
} from '#server/storage/templates.ts';
import { type Action, record } from '../accounts/audit.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Owner } from '../accounts/owner.ts';
import { ANY_STORAGE, type StorageLimit } from '../accounts/storage-limit.ts';
import { nothingMore, type OnCommit } from '../idempotency.ts';
import { type Permit, unrestricted } from '../people/permit.ts';
import type { Choices, MaterialTexts } from './design-texts.ts';
import { Designs } from './designs.ts';
import { keyOf, LocalChecks, type Storable, type TemplateChecks } from './template-checks.ts';

/** A template that comes with a request, as it was sent. */
export type InlineDocument = Readonly<Record<string, unknown>>;

/** The template of a request: `tpl_…`, `tpl_…@3` for a version, or a document that is not stored. */
export type TemplateSource = string | InlineDocument;

/** A template at one version, to be rendered. */
export interface FoundTemplate extends Owner {
  /** `tpl_…`, or `inline@<SHA-256 of the document>`. */
  readonly id: string;
  readonly version: number;
  /** The template's JSON as posted: as text it is cheap to pass to another thread. */
  readonly document: string;
  /** The name of an inline template; absent for a stored one. */
  readonly inlineName?: string;
  /** Whether `document` is a template as it is, when nothing is chosen. */
  readonly isPlain: boolean;
  /** What was chosen of a design, of which `document` is then a plain template; absent for a template as it is. */
  readonly design?: string;
  /** The same, with the brand's version. */
  readonly choice?: Choice;
  /** What is odd about that. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** A template at one version, as it was posted. */
export interface StoredTemplate {
  readonly id: string;
  readonly version: number;
  /** JSON of an object, up to 4 MB; for that reason it is never parsed just to answer a request. */
  readonly document: string;
}

/** A template that was saved just now. */
export interface SavedTemplate extends StoredTemplate {
  /** Oddities that every render of it will have. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What is said of a version that is added. */
export interface TemplateChange {
  readonly by?: Authorship;
  /** What the audit log calls it. */
  readonly action?: Extract<Action, 'template.save' | 'template.restore' | 'template.update-material'>;
  /** The version that was changed; null = whichever is the newest. */
  readonly base?: number | null;
  /** The brand or component that was updated: `acme@3`. */
  readonly material?: string | null;
}

export { TEMPLATE_ORDERS } from '#server/storage/templates.ts';
export type { Authorship, ListedTemplate, TemplateFilter, TemplateVersion };

/** How long a deletion in the studio can be undone, ms. */
export const UNDO_FOR = 24 * 60 * 60 * 1000;

/**
 * Concurrent template look-ups. SQLite has one connection, whose queue does not distinguish accounts: 256 look-ups of
 * one account once made another account's key check wait for a quarter of a second. None is aborted: its caller limits
 * how long it waits.
 */
const LOOK_UPS = { concurrency: 4, waiting: Number.POSITIVE_INFINITY, spare: 2 };
/** Capacity of the cache of templates, in characters of their JSON. */
const CACHE_CAPACITY = 32_000_000;
/** Templates, and accounts, whose rows are remembered. */
const KNOWN = 10_000;

type Inline = Required<Pick<FoundTemplate, 'id' | 'inlineName' | 'document' | 'isPlain'>>;

export class TemplateLibrary {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  readonly #lookUps = new Gate(LOOK_UPS);
  readonly #documents = new LruCache<string, Pick<FoundTemplate, 'document' | 'isPlain'>>(CACHE_CAPACITY);
  readonly #located: Remembered<LocatedTemplate>;
  readonly #uploads: Remembered<number>;
  /** By document: the items of a batch share one, which is then checked once. */
  readonly #inline = new WeakMap<InlineDocument, Promise<Inline>>();
  /** Checks its templates before they are drawn. */
  readonly checks: TemplateChecks;
  readonly #designs: Designs;
  /** Limits what is stored. */
  readonly limit: StorageLimit;

  constructor(
    storage: Storage,
    clock: () => Date,
    checks: TemplateChecks = new LocalChecks(),
    limit: StorageLimit = ANY_STORAGE,
  ) {
    this.limit = limit;
    this.#located = new Remembered(storage.changes, KNOWN);
    this.#uploads = new Remembered(storage.changes, KNOWN);
    this.#storage = storage;
    this.#clock = clock;
    this.checks = checks;
    this.#designs = new Designs(storage, checks);
  }

  /**
   * Finds the template that a reference names.
   *
   * @param accountId the required owner; null = any, for a signed URL, whose signature acts for the account
   * @param asOf of the caller, as everywhere below
   * @throws AppError `not_found`; ValidationError naming what is chosen and not there
   */
  async find(
    accountId: string | null,
    reference: string,
    choice: Choice = {},
    asOf?: Caller['asOf'],
  ): Promise<FoundTemplate> {
    return this.designed(await this.findStored(accountId, reference, asOf), choice);
  }

  /** A template as it is chosen. @throws ValidationError naming what is chosen and not there */
  async designed(found: FoundTemplate, choice: Choice): Promise<FoundTemplate> {
    return this.#designs.of(found, choice);
  }

  /** What can be chosen of a template. @throws as `open` */
  async choicesOf(accountId: string | null, source: TemplateSource): Promise<Choices> {
    const found =
      typeof source === 'string'
        ? await this.find(accountId, source)
        : await this.openInline(accountId ?? '', source, 'template');
    return this.checks.choicesOf(found);
  }

  /** As it was stored: a design, or a plain template. @throws AppError `not_found` */
  async findStored(accountId: string | null, reference: string, asOf?: Caller['asOf']): Promise<FoundTemplate> {
    const { stored, version } = await this.#locate(accountId, reference, asOf);
    const key = keyOf({ id: stored.id, version });
    let text = this.#documents.get(key);
    if (text === undefined) {
      const document = await this.#document(stored.id, version, reference);
      text = { document, isPlain: !hasMaterials(document) };
      this.#documents.set(key, text, document.length);
    }
    return { id: stored.id, accountId: stored.accountId, uploadsVersion: stored.uploadsVersion, version, ...text };
  }

  /**
   * Finds a stored template, or checks one that came with the request like one to be stored.
   *
   * @throws AppError `not_found`; ValidationError with a path in `template` when an inline document is no template
   */
  async open(
    accountId: string,
    source: TemplateSource,
    choice: Choice = {},
    asOf?: Caller['asOf'],
  ): Promise<FoundTemplate> {
    if (typeof source === 'string') return this.find(accountId, source, choice, asOf);
    return this.openInline(accountId, source, 'template', choice, asOf);
  }

  /**
   * Checks a document that is not stored.
   *
   * @param at where the document is in the request: the first part of an error's path
   * @throws ValidationError when it is no template, or cannot be drawn without modifications
   */
  async openInline(
    accountId: string,
    document: InlineDocument,
    at: string,
    choice: Choice = {},
    asOf?: Caller['asOf'],
  ): Promise<FoundTemplate> {
    let checked = this.#inline.get(document);
    if (!checked) {
      checked = this.#checkInline(accountId, document);
      this.#inline.set(document, checked);
    }
    const [inline, uploadsVersion] = await Promise.all([
      checked.catch((error) => {
        throw error instanceof ValidationError ? new ValidationError(joinPath(at, error.path), error.problem) : error;
      }),
      this.#uploads.get(accountId, asOf, () => this.#storage.accounts.uploadsVersion(accountId)),
    ]);
    return this.designed({ ...inline, version: 1, accountId, uploadsVersion: uploadsVersion ?? 0 }, choice);
  }

  /**
   * Checks a document that is to be stored, and names the versions of what it refers to.
   *
   * @param id of the template; null = it has none yet
   * @throws ValidationError when it is no template
   */
  async readDocument(accountId: string, document: unknown, id: string | null = null): Promise<Storable> {
    return this.#designs.read(accountId, document, id);
  }

  /** As `Designs.materialsOf`: what an editor that may read nothing else of the account is given with a document. */
  async materialsOf(accountId: string, document: unknown, most: number): Promise<MaterialTexts> {
    return this.#designs.materialsOf(accountId, document, most);
  }

  async #checkInline(accountId: string, document: InlineDocument): Promise<Inline> {
    const { summary, document: text } = await this.readDocument(accountId, document);
    const id = `inline@${hash('sha256', text)}`;
    return { id, inlineName: summary.name, document: text, isPlain: !hasMaterials(text) };
  }

  /** @throws AppError `not_found` */
  async read(accountId: string, reference: string): Promise<StoredTemplate> {
    const { stored, version } = await this.#locate(accountId, reference);
    return { id: stored.id, version, document: await this.#document(stored.id, version, reference) };
  }

  /**
   * @param permit of whoever creates it
   * @throws ValidationError when the document is no template; AppError `quota_exceeded` beyond the storage of the plan;
   *   what `permit` throws
   */
  async create(
    accountId: string,
    document: unknown,
    onCommit: OnCommit<SavedTemplate> = nothingMore,
    by: Authorship = NOBODY,
    permit: Permit = unrestricted,
  ): Promise<SavedTemplate> {
    const content = await this.readDocument(accountId, document);
    const { summary, document: text, diagnostics } = content;
    const created = { id: newId('tpl'), version: 1, document: text, diagnostics };
    const now = this.#clock();
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await this.limit.check(stores, accountId, Buffer.byteLength(text));
      await stores.templates.insert(created.id, accountId, content, now, by);
      const subject = { id: created.id, name: summary.name };
      await record(stores, actor, { accountId, action: 'template.create', subject }, now);
      await onCommit(stores, created);
    });
    return created;
  }

  /**
   * Adds a version, which becomes the newest.
   *
   * @throws AppError `not_found`, `conflict` when another version than the change's `base` is the newest; ValidationError
   *   when the document is no template; what `permit` throws
   */
  async replace(
    accountId: string,
    id: string,
    document: unknown,
    permit: Permit = unrestricted,
    { by = NOBODY, action = 'template.save', base = null, material = null }: TemplateChange = {},
  ): Promise<SavedTemplate> {
    await this.#locate(accountId, id);
    const content = await this.readDocument(accountId, document, id);
    const { summary, document: text, diagnostics } = content;
    const now = this.#clock();
    const version = await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await this.limit.check(stores, accountId, Buffer.byteLength(text));
      const added = await stores.templates.addVersion(id, accountId, content, now, by);
      if (added === null) throw templateNotFound(id);
      if (base !== null && added !== base + 1) {
        throw new AppError(
          'conflict',
          `Version ${added - 1} of the template was saved at the same time: try once more.`,
        );
      }
      const subject = { id, name: summary.name };
      const detail = material === null ? `version ${added}` : `version ${added} with ${material}`;
      await record(stores, actor, { accountId, action, subject, detail }, now);
      return added;
    });
    return { id, version, document: text, diagnostics };
  }

  /** Deletes all its versions too. @throws AppError `not_found`; what `permit` throws */
  async delete(accountId: string, id: string, permit: Permit = unrestricted): Promise<void> {
    await this.#change(accountId, id, 'template.delete', permit, ({ templates }) => templates.delete(id, accountId));
  }

  /** One page, most recently saved first unless `order` says otherwise. */
  async page(
    accountId: string,
    filter: TemplateFilter = {},
    page: PageRequest = { limit: 200, after: null },
    order?: TemplateOrder,
  ): Promise<ListPage<ListedTemplate>> {
    return this.#storage.templates.page(accountId, filter, page, order);
  }

  /** The most frequent sizes first, at most 50. */
  async sizes(accountId: string): Promise<SizeCount[]> {
    return this.#storage.templates.sizes(accountId);
  }

  /** By name, with the number of templates in each. */
  async folders(accountId: string): Promise<FolderCount[]> {
    return this.#storage.templates.folders(accountId);
  }

  /** The number of the account's templates. */
  async count(accountId: string): Promise<number> {
    return this.#storage.templates.count(accountId);
  }

  /**
   * Moves a template to a folder, which is there from then on. No version is made.
   *
   * @param folder null = to none
   * @throws AppError `not_found`; what `permit` throws
   */
  async move(accountId: string, id: string, folder: string | null, permit: Permit): Promise<ListedTemplate> {
    const move = ({ templates }: Stores) => templates.move(id, accountId, folder);
    await this.#change(accountId, id, 'template.move', permit, move, folder);
    return this.card(accountId, id);
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
  async versionPage(accountId: string, id: string, page: PageRequest): Promise<ListPage<TemplateVersion>> {
    const { stored } = await this.#locate(accountId, id);
    return this.#storage.templates.versionPage(stored.id, page);
  }

  /** @throws AppError `not_found` */
  async version(accountId: string, id: string, version: number): Promise<TemplateVersion & StoredTemplate> {
    const document = await this.read(accountId, `${id}@${version}`);
    const about = await this.#storage.templates.version(id, version);
    if (!about) throw templateNotFound(`${id}@${version}`);
    return { ...about, ...document };
  }

  /**
   * Marks a template as deleted for everybody. Returns until when that can be undone. @throws AppError `not_found`; what
   * `permit` throws
   */
  async remove(accountId: string, id: string, permit: Permit = unrestricted): Promise<Date> {
    const now = this.#clock();
    await this.#change(accountId, id, 'template.delete', permit, ({ templates }) =>
      templates.markDeleted(id, accountId, now),
    );
    return new Date(now.getTime() + UNDO_FOR);
  }

  /** @throws AppError `not_found`; what `permit` throws */
  async bringBack(accountId: string, id: string, permit: Permit): Promise<ListedTemplate> {
    const since = new Date(this.#clock().getTime() - UNDO_FOR);
    await this.#change(accountId, id, 'template.undelete', permit, ({ templates }) =>
      templates.undelete(id, accountId, since),
    );
    return this.card(accountId, id);
  }

  /** Deletes a template, brings it back or moves it, and records it. @param change returns false when there is none */
  async #change(
    accountId: string,
    id: string,
    action: Action,
    permit: Permit,
    change: (stores: Stores) => Promise<boolean>,
    detail: string | null = null,
  ): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      const names = await stores.templates.names(accountId, [id]);
      if (!(await change(stores))) throw templateNotFound(id);
      const subject = { id, name: names.get(id) ?? null };
      await record(stores, actor, { accountId, action, subject, detail }, this.#clock());
    });
  }

  async #locate(
    accountId: string | null,
    reference: string,
    asOf?: Caller['asOf'],
  ): Promise<{ stored: LocatedTemplate; version: number }> {
    const [, id = '', pinned] = /^([^@]*)(?:@([1-9]\d{0,8}))?$/.exec(reference) ?? [];
    const lookUp = () => this.#lookUps.pass(NEVER, () => this.#storage.templates.find(id), accountId ?? id);
    const stored = isId('tpl', id) ? await this.#located.get(id, asOf, lookUp) : null;
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

/** `layers[0].text` in `template`: `template.layers[0].text`. */
const joinPath = (at: string, path: string) => (at === '' || path === '' ? at + path : `${at}.${path}`);

export function templateNotFound(reference: string): AppError {
  const shown = quoted(reference);
  return new AppError('not_found', `Template ${shown} not found.`);
}
