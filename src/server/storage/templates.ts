// Stored templates and their versions. A version is never changed: each save adds one.

import type { PinnedMaterial } from '#design/references-in.ts';
import { atomically, type Database, isPostgres } from './database.ts';
import {
  countedPageOf,
  type FolderCount,
  foldersOf,
  type ListPage,
  limitTo,
  literally,
  mapPage,
  type NameFilter,
  namedPageOf,
  newestPageOf,
  type PageOrder,
  type PageRequest,
} from './page.ts';
import { Statement } from './statement.ts';
import { saveMaterials } from './template-materials.ts';

/** A template that uses an upload. */
export interface TemplateUse {
  readonly id: string;
  readonly name: string;
  /** Whether only its draft does. */
  readonly inDraft: boolean;
}

/** Properties of a template that a list shows. */
export interface TemplateSummary {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly engine: string;
}

/** What a version is made of. */
export interface VersionContent {
  readonly summary: TemplateSummary;
  /** JSON, as it was posted. */
  readonly document: string;
  /** The brand and the components that it names at a version. */
  readonly materials: readonly PinnedMaterial[];
}

interface StoredTemplate extends TemplateSummary {
  readonly id: string;
  readonly accountId: string;
  /** The newest version, from 1 up. */
  readonly version: number;
  /** The folder that it is kept in; null = in none. */
  readonly folder: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A template with its account's upload count. */
export interface LocatedTemplate extends StoredTemplate {
  /** Rises whenever an image or a font of the account is added or removed. */
  readonly uploadsVersion: number;
}

export interface TemplateVersion {
  readonly version: number;
  readonly createdAt: Date;
  /** The id of a person; null for an API key or the command line. */
  readonly authorId: string | null;
  readonly note: string | null;
}

/** The author of a version, and the note on it. */
export type Authorship = Pick<TemplateVersion, 'authorId' | 'note'>;
export const NOBODY: Authorship = { authorId: null, note: null };

/** A template with the author of its newest version. */
export interface ListedTemplate extends StoredTemplate {
  readonly authorId: string | null;
}

/** Each null or absent = any. */
export interface TemplateFilter extends NameFilter {
  readonly ids?: readonly string[] | null;
  readonly width?: number | null;
  readonly height?: number | null;
}

/** Orders of a list: most recently saved first, by name, newest first. */
export const TEMPLATE_ORDERS = ['saved', 'name', 'created'] as const;
export type TemplateOrder = (typeof TEMPLATE_ORDERS)[number];

/** Number of templates of one size in px. */
export interface SizeCount {
  readonly width: number;
  readonly height: number;
  readonly count: number;
}

interface Row extends TemplateSummary {
  id: string;
  account_id: string;
  version: number;
  folder: string | null;
  created_at: number;
  updated_at: number;
  save_order: number;
  deleted_at: number | null;
}

interface VersionRow {
  template_id: string;
  version: number;
  document: string;
  created_at: number;
  author_id: string | null;
  note: string | null;
}

/** Two saves on different nodes may have the same `save_order`. */
const LAST_SAVED: PageOrder<Row> = {
  first: 'save_order',
  id: 'templates.id',
  placeOf: ({ save_order, id }) => ({ first: save_order, id }),
};

const NEWEST: PageOrder<Row> = {
  first: 'templates.created_at',
  id: 'templates.id',
  placeOf: ({ created_at, id }) => ({ first: created_at, id }),
};

const fromRow = (row: Row): StoredTemplate => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  width: row.width,
  height: row.height,
  engine: row.engine,
  version: row.version,
  folder: row.folder,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
});

const BY_ID = new Statement<{ id: string }, Row & { uploads_version: number }>((db, { id }) =>
  db('templates')
    .join('accounts', 'accounts.id', 'templates.account_id')
    .where('templates.id', id)
    .whereNull('templates.deleted_at')
    .whereNull('accounts.deleted_at')
    .first('templates.*', 'accounts.uploads_version'),
);

export class TemplateStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Inserts version 1. */
  async insert(id: string, accountId: string, content: VersionContent, now: Date, by = NOBODY): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx('templates').insert({
        ...columns(content.summary),
        id,
        account_id: accountId,
        version: 1,
        indexed_version: 1,
        created_at: now.getTime(),
        updated_at: now.getTime(),
        save_order: nextSave(tx),
      });
      await insertVersion(tx, id, 1, content.document, now, by);
      await saveMaterials(tx, { id, accountId, version: 1 }, content.materials);
    });
  }

  /** Returns the new version, or null when the account has no such template. */
  async addVersion(
    id: string,
    accountId: string,
    content: VersionContent,
    now: Date,
    by = NOBODY,
  ): Promise<number | null> {
    return atomically(this.#db, async (tx) => {
      const query = tx<Row>('templates').where({ id, account_id: accountId }).whereNull('deleted_at').first('version');
      // Two concurrent saves must not create the same version.
      const row = await (isPostgres(tx) ? query.forUpdate() : query);
      if (!row) return null;
      const version = row.version + 1;
      await tx('templates')
        .where({ id })
        .update({
          ...columns(content.summary),
          version,
          indexed_version: version,
          updated_at: now.getTime(),
          save_order: nextSave(tx),
        });
      await insertVersion(tx, id, version, content.document, now, by);
      await saveMaterials(tx, { id, accountId, version }, content.materials);
      return version;
    });
  }

  /** Of any account: the caller must compare `accountId`. */
  async find(id: string): Promise<LocatedTemplate | null> {
    const row = await BY_ID.first(this.#db, { id });
    return row ? { ...fromRow(row), uploadsVersion: row.uploads_version } : null;
  }

  /** The JSON text of one version, or null. */
  async document(id: string, version: number): Promise<string | null> {
    const row = await this.#db<VersionRow>('template_versions').where({ template_id: id, version }).first('document');
    return row?.document ?? null;
  }

  /** One page, newest first. */
  async versionPage(id: string, page: PageRequest): Promise<ListPage<TemplateVersion>> {
    const query = this.#db('template_versions')
      .where({ template_id: id })
      .select('version', 'created_at', 'author_id', 'note');
    return mapPage(await countedPageOf<VersionRow>(query, page, 'version', ({ version }) => version), versionOf);
  }

  /** Null when there is none. */
  async version(id: string, version: number): Promise<TemplateVersion | null> {
    const row = await this.#db<VersionRow>('template_versions')
      .where({ template_id: id, version })
      .first('version', 'created_at', 'author_id', 'note');
    return row ? versionOf(row) : null;
  }

  async page(
    accountId: string,
    filter: TemplateFilter,
    page: PageRequest,
    order: TemplateOrder = 'saved',
  ): Promise<ListPage<ListedTemplate>> {
    const { ids = null, width = null, height = null } = filter;
    const query = this.#db('templates')
      .join('template_versions', (on) =>
        on.on('template_versions.template_id', 'templates.id').andOn('template_versions.version', 'templates.version'),
      )
      .where({ account_id: accountId })
      .whereNull('deleted_at')
      .select('templates.*', 'template_versions.author_id');
    if (ids !== null) query.whereIn('templates.id', ids);
    limitTo(filter, query);
    if (width !== null) query.where({ width });
    if (height !== null) query.where({ height });
    type Listed = Row & Pick<VersionRow, 'author_id'>;
    const found =
      order === 'name'
        ? await namedPageOf<Listed>(query, page, 'templates')
        : await newestPageOf<Listed>(query, page, order === 'created' ? NEWEST : LAST_SAVED);
    return mapPage(found, (row) => ({ ...fromRow(row), authorId: row.author_id }));
  }

  /** The most frequent first, at most 50. */
  async sizes(accountId: string): Promise<SizeCount[]> {
    const rows: SizeCount[] = await this.#db('templates')
      .where({ account_id: accountId })
      .whereNull('deleted_at')
      .groupBy('width', 'height')
      .orderByRaw('count(*) DESC, width, height')
      .limit(50)
      .select('width', 'height', this.#db.raw('count(*) AS count'));
    return rows.map(({ width, height, count }) => ({ width, height, count: Number(count) }));
  }

  async folders(accountId: string): Promise<FolderCount[]> {
    return foldersOf(this.#db('templates').where({ account_id: accountId }).whereNull('deleted_at'));
  }

  /** The number of the account's templates. */
  async count(accountId: string): Promise<number> {
    const [row]: { count: number }[] = await this.#db('templates')
      .where({ account_id: accountId })
      .whereNull('deleted_at')
      .select({ count: this.#db.raw('count(*)') });
    return Number(row?.count ?? 0);
  }

  /** @param folder null = in none. @returns false when the account has no such template */
  async move(id: string, accountId: string, folder: string | null): Promise<boolean> {
    const found = this.#db<Row>('templates').where({ id, account_id: accountId }).whereNull('deleted_at');
    return (await found.update({ folder })) > 0;
  }

  /** Names by id, of those of the account's templates, including deleted ones. */
  async names(accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#db<Row>('templates')
      .where({ account_id: accountId })
      .whereIn('id', ids)
      .select('id', 'name');
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The templates whose newest version or draft contains a text; at most 200. */
  async mentioning(accountId: string, text: string): Promise<TemplateUse[]> {
    return this.#mentioning(accountId, text, null);
  }

  /** The templates that name a font family, in any case: layers as a JSON string, html anywhere; at most 200. */
  async mentioningFamily(accountId: string, family: string): Promise<TemplateUse[]> {
    return this.#mentioning(accountId, JSON.stringify(family), family);
  }

  /** @param inHtml what an html template contains instead of `text`, in any case; null = the same, in the same case */
  async #mentioning(accountId: string, text: string, inHtml: string | null): Promise<TemplateUse[]> {
    const [layers, html] = [`%${literally(text)}%`, `%${literally(inHtml ?? text)}%`];
    // SQLite's LIKE ignores the case of ASCII letters anyway.
    const like = inHtml !== null && isPostgres(this.#db) ? 'ILIKE' : 'LIKE';
    const contains = (column: string) =>
      `(${column} ${like} CASE WHEN templates.engine = 'html' THEN ? ELSE ? END ESCAPE '\\')`;
    const inVersion = contains('template_versions.document');
    const rows: { id: string; name: string; in_version: number }[] = await this.#db('templates')
      .join('template_versions', (on) =>
        on.on('template_versions.template_id', 'templates.id').andOn('template_versions.version', 'templates.version'),
      )
      .leftJoin('drafts', 'drafts.template_id', 'templates.id')
      .where({ account_id: accountId })
      .whereNull('deleted_at')
      .whereRaw(`(${inVersion} OR ${contains('drafts.document')})`, [html, layers, html, layers])
      .orderBy('save_order', 'desc')
      .limit(200)
      .select('templates.id', 'templates.name')
      .select(this.#db.raw(`CASE WHEN ${inVersion} THEN 1 ELSE 0 END AS in_version`, [html, layers]));
    return rows.map(({ id, name, in_version }) => ({ id, name, inDraft: Number(in_version) === 0 }));
  }

  /** Hides a template from every list and look-up; false when the account has no such template. */
  async markDeleted(id: string, accountId: string, now: Date): Promise<boolean> {
    const found = this.#db<Row>('templates').where({ id, account_id: accountId }).whereNull('deleted_at');
    return (await found.update({ deleted_at: now.getTime() })) > 0;
  }

  /** Restores a template that was hidden since then; false when there is none. */
  async undelete(id: string, accountId: string, since: Date): Promise<boolean> {
    const found = this.#db<Row>('templates')
      .where({ id, account_id: accountId })
      .where('deleted_at', '>=', since.getTime());
    return (await found.update({ deleted_at: null })) > 0;
  }

  /** Deletes templates that were hidden before then; returns their number. */
  async deleteMarkedBefore(time: Date): Promise<number> {
    return this.#db<Row>('templates').where('deleted_at', '<', time.getTime()).delete();
  }

  /** Deletes all its versions too; false when the account has no such template. */
  async delete(id: string, accountId: string): Promise<boolean> {
    const found = this.#db<Row>('templates').where({ id, account_id: accountId }).whereNull('deleted_at');
    return (await found.delete()) > 0;
  }
}

const columns = ({ name, width, height, engine }: TemplateSummary): TemplateSummary => ({
  name,
  width,
  height,
  engine,
});

function nextSave(db: Database) {
  return db.raw('(SELECT coalesce(max(save_order), 0) + 1 FROM templates)');
}

async function insertVersion(
  db: Database,
  id: string,
  version: number,
  document: string,
  now: Date,
  { authorId, note }: Authorship,
): Promise<void> {
  await db<VersionRow>('template_versions').insert({
    template_id: id,
    version,
    document,
    created_at: now.getTime(),
    author_id: authorId,
    note,
  });
}

const versionOf = (row: Omit<VersionRow, 'template_id' | 'document'>): TemplateVersion => ({
  version: row.version,
  createdAt: new Date(row.created_at),
  authorId: row.author_id,
  note: row.note,
});
