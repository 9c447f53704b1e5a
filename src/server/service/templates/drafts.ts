// Drafts: edits that are not live yet. Publishing makes exactly one version of a draft and removes the draft.
//
// Every change names the revision it is based on (optimistic concurrency). A later change from another tab or person is
// refused, and told who saved first and when; nothing is overwritten.

import { AppError } from '#base/errors.ts';
import { pinnedIn } from '#design/references-in.ts';
import type { Draft } from '#server/storage/drafts.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { record } from '../accounts/audit.ts';
import type { People } from '../people/people.ts';
import type { Permit } from '../people/permit.ts';
import { type TemplateLibrary, templateNotFound } from './templates.ts';

export interface OpenedDraft {
  readonly revision: number;
  readonly baseVersion: number;
  /** Null when there is no draft: the document is that of the newest version. */
  readonly savedAt: Date | null;
  /** The id of a person. */
  readonly savedBy: string | null;
  /** JSON of an object. */
  readonly document: string;
}

export interface Published {
  readonly version: number;
  readonly revision: number;
  readonly createdAt: Date;
}

export interface DraftContext {
  readonly storage: Storage;
  readonly templates: TemplateLibrary;
  readonly people: People;
  readonly clock: () => Date;
}

/** Identifies a draft's template, its revision and who edits it. */
export interface DraftEdit {
  readonly accountId: string;
  readonly templateId: string;
  /** The revision that the edit is based on. */
  readonly revision: number;
  /** Null = somebody in an embedded editor. */
  readonly personId: string | null;
  /** Theirs. */
  readonly permit: Permit;
}

export class Drafts {
  readonly #ctx: DraftContext;

  constructor(ctx: DraftContext) {
    this.#ctx = ctx;
  }

  /** @throws AppError `not_found` */
  async open(accountId: string, templateId: string): Promise<OpenedDraft> {
    const { storage, templates } = this.#ctx;
    const { version } = await templates.card(accountId, templateId);
    const { revision, draft } = await storage.drafts.find(templateId);
    if (draft) return { revision, ...draft };
    const { document } = await templates.read(accountId, `${templateId}@${version}`);
    return { revision, baseVersion: version, savedAt: null, savedBy: null, document };
  }

  /**
   * For a large edit that is still to be read: whether it is based on the newest revision, which saving checks again.
   *
   * @throws AppError `not_found`, `changed`
   */
  async requireNewest(edit: DraftEdit): Promise<void> {
    const { storage, templates } = this.#ctx;
    await templates.card(edit.accountId, edit.templateId);
    const { revision } = await storage.drafts.head(edit.templateId);
    if (revision !== edit.revision) throw await this.#changed(edit);
  }

  /**
   * Saves a draft. It need not be a template that can be drawn.
   *
   * @param baseVersion the version it is based on; null = as before, or the newest
   * @throws AppError `not_found`, `changed`; `quota_exceeded` for a longer one beyond the storage of the plan; what the
   *   edit's permit throws
   */
  async save(
    edit: DraftEdit,
    document: Readonly<Record<string, unknown>>,
    baseVersion: number | null,
  ): Promise<{ readonly revision: number; readonly savedAt: Date }> {
    const { storage, templates, clock } = this.#ctx;
    const { accountId, templateId, revision, personId } = edit;
    const { version } = await templates.card(accountId, templateId);
    const before = baseVersion === null ? await storage.drafts.head(templateId) : null;
    const savedAt = clock();
    const draft = {
      document: JSON.stringify(document),
      baseVersion: baseVersion ?? before?.draft?.baseVersion ?? version,
      savedAt,
      savedBy: personId,
    };
    const saved = await storage.transaction(async (stores) => {
      await edit.permit(stores);
      const grows = Buffer.byteLength(draft.document) > (await stores.drafts.size(templateId));
      const next = await stores.drafts.save(templateId, revision, draft);
      // It is counted already.
      if (next !== null && grows) await templates.limit.check(stores, accountId, 0);
      return next;
    });
    if (saved === null) throw await this.#changed(edit);
    return { revision: saved, savedAt };
  }

  /** Returns the revision after it. @throws AppError `not_found`, `changed` */
  async discard(edit: DraftEdit): Promise<number> {
    const { storage, templates } = this.#ctx;
    await templates.card(edit.accountId, edit.templateId);
    const revision = await storage.transaction(async (stores) => {
      await edit.permit(stores);
      return stores.drafts.discard(edit.templateId, edit.revision);
    });
    if (revision === null) throw await this.#changed(edit);
    return revision;
  }

  /**
   * Makes a version of the draft and removes the draft, in one transaction.
   *
   * @param over a version that was saved since the draft was begun and may be superseded all the same; null = none
   * @throws AppError `not_found`, `changed`; `conflict` when there is no draft, or a newer version than it is based on;
   *   ValidationError when the draft is no template that can be drawn
   */
  async publish(edit: DraftEdit, note: string | null, over: number | null): Promise<Published> {
    const { storage, templates, clock } = this.#ctx;
    const { accountId, templateId, revision, personId } = edit;
    const draft = await this.#draftOf(edit);
    const read = await templates.readDocument(accountId, JSON.parse(draft.document), templateId);
    const { summary, document } = read;
    const now = clock();
    const outcome = await storage.transaction(async (stores: Stores) => {
      const actor = await edit.permit(stores);
      const current = await stores.templates.find(templateId);
      if (current?.accountId !== accountId) throw templateNotFound(templateId);
      if ((await stores.drafts.head(templateId)).revision !== revision) return null;
      if (current.version !== draft.baseVersion && current.version !== over) return { newer: current.version } as const;
      const next = await stores.drafts.discard(templateId, revision);
      if (next === null) return null;
      const by = { authorId: personId, note };
      await templates.limit.check(stores, accountId, Buffer.byteLength(document));
      const version = await stores.templates.addVersion(templateId, accountId, read, now, by);
      if (version === null) throw templateNotFound(templateId);
      const subject = { id: templateId, name: summary.name };
      const act = { accountId, action: 'template.publish', subject, detail: `version ${version}` } as const;
      await record(stores, actor, act, now);
      return { version, revision: next, createdAt: now };
    });
    if (outcome === null) throw await this.#changed(edit);
    if ('newer' in outcome) throw await this.#newerVersion(templateId, outcome.newer);
    return outcome;
  }

  /**
   * Renames a template: in a new version, which differs from the newest in its name alone, and in the draft.
   *
   * @throws AppError `not_found`; `conflict` when somebody saves or publishes it at the same time
   */
  async rename(edit: Omit<DraftEdit, 'revision'>, name: string): Promise<void> {
    const { storage, templates, clock } = this.#ctx;
    const { accountId, templateId, personId } = edit;
    const before = await templates.card(accountId, templateId);
    if (before.name === name) return;
    const { document } = await templates.read(accountId, `${templateId}@${before.version}`);
    const renamed = withName(document, name);
    const content = { summary: { ...before, name }, document: renamed, materials: pinnedIn(JSON.parse(renamed)) };
    const { revision, draft } = await storage.drafts.find(templateId);
    const now = clock();
    const isDone = await storage.transaction(async (stores) => {
      const actor = await edit.permit(stores);
      if ((await stores.templates.find(templateId))?.version !== before.version) return false;
      await templates.limit.check(stores, accountId, Buffer.byteLength(renamed));
      const by = { authorId: personId, note: `Renamed from “${before.name}”` };
      const version = await stores.templates.addVersion(templateId, accountId, content, now, by);
      if (version === null) throw templateNotFound(templateId);
      if (draft) {
        // A draft of the newest version is one of the renamed version, so it can be published as before.
        const baseVersion = draft.baseVersion === before.version ? version : draft.baseVersion;
        const next = { ...draft, document: withName(draft.document, name), baseVersion };
        if ((await stores.drafts.save(templateId, revision, next)) === null) throw busy();
      }
      const subject = { id: templateId, name };
      await record(stores, actor, { accountId, action: 'template.rename', subject, detail: before.name }, now);
      return true;
    });
    if (!isDone) throw busy();
  }

  /** The draft that an edit names. @throws AppError `not_found`, `changed`, `conflict` */
  async #draftOf(edit: DraftEdit): Promise<Draft> {
    const { storage, templates } = this.#ctx;
    await templates.card(edit.accountId, edit.templateId);
    const { revision, draft } = await storage.drafts.find(edit.templateId);
    if (revision !== edit.revision) throw await this.#changed(edit);
    if (!draft)
      throw new AppError('conflict', 'There is no draft to publish: nothing was changed since the last version.');
    return draft;
  }

  /** The error that names who saved first, and when. */
  async #changed({ accountId, templateId }: DraftEdit): Promise<AppError> {
    const { storage, templates, people } = this.#ctx;
    const { revision, draft } = await storage.drafts.head(templateId);
    const { authorId, updatedAt } = await templates.card(accountId, templateId);
    const personId = draft ? draft.savedBy : authorId;
    const at = draft ? draft.savedAt : updatedAt;
    const name = (await people.names([personId])).get(personId ?? '');
    const what = draft ? 'saved this draft' : 'published or discarded this draft';
    const details = {
      revision,
      savedAt: at.toISOString(),
      savedBy: personId === null || name === undefined ? null : { id: personId, name },
    };
    return new AppError('changed', `${name ?? 'Somebody'} ${what} at ${at.toISOString()}: load it before you go on.`, {
      details,
    });
  }

  async #newerVersion(templateId: string, version: number): Promise<AppError> {
    const { storage, people } = this.#ctx;
    const about = await storage.templates.version(templateId, version);
    const authorId = about?.authorId ?? null;
    const name = (await people.names([authorId])).get(authorId ?? '');
    const details = {
      version,
      createdAt: about?.createdAt.toISOString() ?? null,
      author: authorId === null || name === undefined ? null : { id: authorId, name },
    };
    const message = `Version ${version} was saved by ${name ?? 'an API key'} after this draft was begun: compare them, then publish over ${version}.`;
    return new AppError('conflict', message, { details });
  }
}

const withName = (document: string, name: string): string => JSON.stringify({ ...JSON.parse(document), name });

const busy = () => new AppError('conflict', 'Somebody saved this template at the same time: try once more.');
