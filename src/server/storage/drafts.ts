// Stores drafts: at most one per template, holding edits that are not a version yet.
//
// Each save names the revision it is based on, and only the newest may be changed (optimistic concurrency). The
// revision belongs to the template, and goes on counting when a draft is discarded or published.

import { atomically, type Database } from './database.ts';

export interface Draft {
  readonly document: string;
  /** The version it is based on. */
  readonly baseVersion: number;
  readonly savedAt: Date;
  /** The id of a person. */
  readonly savedBy: string | null;
}

export interface DraftState {
  readonly revision: number;
  /** Null when there is none. */
  readonly draft: Draft | null;
}

export interface DraftHead {
  readonly revision: number;
  readonly draft: Omit<Draft, 'document'> | null;
}

interface Row {
  template_id: string;
  document: string;
  base_version: number;
  saved_at: number;
  saved_by: string | null;
}

interface TemplateRow {
  id: string;
  draft_revision: number;
}

export class DraftStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** For an existing template. */
  async find(templateId: string): Promise<DraftState> {
    const row: (Partial<Row> & Pick<TemplateRow, 'draft_revision'>) | undefined = await this.#db('templates')
      .leftJoin('drafts', 'drafts.template_id', 'templates.id')
      .where('templates.id', templateId)
      .first('templates.draft_revision', 'document', 'base_version', 'saved_at', 'saved_by');
    if (!row) return { revision: 0, draft: null };
    const { draft_revision: revision, document, base_version = 0, saved_at = 0, saved_by = null } = row;
    if (document == null) return { revision, draft: null };
    return { revision, draft: { document, baseVersion: base_version, savedAt: new Date(saved_at), savedBy: saved_by } };
  }

  /** The same without the document, which may have megabytes. */
  async head(templateId: string): Promise<DraftHead> {
    const row: (Partial<Row> & Pick<TemplateRow, 'draft_revision'>) | undefined = await this.#db('templates')
      .leftJoin('drafts', 'drafts.template_id', 'templates.id')
      .where('templates.id', templateId)
      .first('templates.draft_revision', 'base_version', 'saved_at', 'saved_by');
    if (!row) return { revision: 0, draft: null };
    const { draft_revision: revision, base_version, saved_at = 0, saved_by = null } = row;
    if (base_version == null) return { revision, draft: null };
    return { revision, draft: { baseVersion: base_version, savedAt: new Date(saved_at), savedBy: saved_by } };
  }

  /** Bytes of the draft; 0 where there is none. */
  async size(templateId: string): Promise<number> {
    const query = this.#db('drafts').where({ template_id: templateId });
    const row: { size: number | string } | undefined = await query.first(
      this.#db.raw('octet_length(document) AS size'),
    );
    return Number(row?.size ?? 0);
  }

  /** Returns the new revision; null, changing nothing, when `revision` is not the newest. */
  async save(templateId: string, revision: number, draft: Draft): Promise<number | null> {
    return atomically(this.#db, async (tx) => {
      if (!(await advance(tx, templateId, revision))) return null;
      await tx<Row>('drafts')
        .insert({
          template_id: templateId,
          document: draft.document,
          base_version: draft.baseVersion,
          saved_at: draft.savedAt.getTime(),
          saved_by: draft.savedBy,
        })
        .onConflict('template_id')
        .merge();
      return revision + 1;
    });
  }

  /** Like `save`, but removes the draft. */
  async discard(templateId: string, revision: number): Promise<number | null> {
    return atomically(this.#db, async (tx) => {
      if (!(await advance(tx, templateId, revision))) return null;
      await tx<Row>('drafts').where({ template_id: templateId }).delete();
      return revision + 1;
    });
  }

  /** The revisions of the drafts of these templates, by template; templates without a draft are left out. */
  async revisions(templateIds: readonly string[]): Promise<Map<string, number>> {
    const rows: readonly TemplateRow[] = await this.#db('drafts')
      .join('templates', 'templates.id', 'drafts.template_id')
      .whereIn('drafts.template_id', templateIds)
      .select('templates.id', 'templates.draft_revision');
    return new Map(rows.map(({ id, draft_revision }) => [id, draft_revision]));
  }
}

async function advance(tx: Database, id: string, revision: number): Promise<boolean> {
  const newest = tx<TemplateRow>('templates').where({ id, draft_revision: revision });
  return (await newest.update({ draft_revision: revision + 1 })) > 0;
}
