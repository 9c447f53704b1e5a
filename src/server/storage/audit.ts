// Stores the audit log: who did what, when. Names are kept as they were, so that a row can be read after its person, key
// or template is gone. It holds no secrets and no contents.

import type { Database } from './database.ts';
import { countedPageOf, type ListPage, mapPage, type PageRequest } from './page.ts';

export const ACTOR_KINDS = ['person', 'key', 'command-line', 'server', 'embedded-editor'] as const;

/** Who acts. */
export interface Actor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  /** Of the person or API key, or by which another site knows its user; null for the others. */
  readonly id: string | null;
  /** As it was then: a person's name, a key's name or its last four characters. */
  readonly name: string | null;
}

/** What was done; `<kind of subject>.<what was done to it>`. */
export const ACTIONS = [
  'account.create',
  'account.change',
  'account.set-plan',
  'account.suspend',
  'account.resume',
  'account.export',
  'account.delete',
  'key.create',
  'key.revoke',
  'secret.show',
  'secret.rotate',
  'secret.retire',
  'invitation.create',
  'invitation.withdraw',
  'member.join',
  'member.change-role',
  'member.remove',
  'template.create',
  'template.save',
  'template.publish',
  'template.restore',
  'template.delete',
  'template.undelete',
  'template.move',
  'template.rename',
  'template.update-material',
  'review.create',
  'review.end',
  'review.delete-comment',
  'brand.save',
  'brand.delete',
  'embedding.change',
  'embedding.revoke',
  'person.create',
  'person.change',
  'person.verify',
  'person.lock-out',
  'person.sign-in',
  'person.refuse-sign-in',
  'person.link',
  'person.change-password',
  'person.add-passkey',
  'person.remove-passkey',
  'person.suspend',
  'person.resume',
  'person.export',
  'person.delete',
] as const;
export type Action = (typeof ACTIONS)[number];

/** What was done to what. */
export interface Act {
  /** Null for what a person does with their own sign-in, which belongs to no account. */
  readonly accountId: string | null;
  readonly action: Action;
  readonly subject: {
    /** Null where it has none, such as a secret. */
    readonly id: string | null;
    readonly name: string | null;
  };
  /** What else tells acts apart: a role, a plan, the kind of a key, the number of a version. Null = nothing. */
  readonly detail?: string | null;
}

export interface AuditEntry extends Required<Act> {
  /** A number in digits, which rises from entry to entry. */
  readonly id: string;
  readonly at: Date;
  readonly actor: Actor;
  /** The request's `X-Request-ID`; null where there was none. */
  readonly requestId: string | null;
}

/** Filter of a list; null = any. */
export interface AuditFilter {
  /** The id of a person or an API key. */
  readonly actorId: string | null;
  readonly action: Action | null;
  /** The id of a person who acted, or whom the act concerned; absent = any. */
  readonly personId?: string;
}

interface Row {
  id: number;
  account_id: string | null;
  created_at: number;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  actor_name: string | null;
  action: Action;
  subject_id: string | null;
  subject_name: string | null;
  detail: string | null;
  request_id: string | null;
}

const fromRow = (row: Row): AuditEntry => ({
  id: String(row.id),
  accountId: row.account_id,
  at: new Date(row.created_at),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  subject: { id: row.subject_id, name: row.subject_name },
  detail: row.detail,
  requestId: row.request_id,
});

export class AuditStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(entry: Omit<AuditEntry, 'id'>): Promise<void> {
    const { accountId, at, actor, action, subject, detail, requestId } = entry;
    await this.#db<Omit<Row, 'id'>>('audit_log').insert({
      account_id: accountId,
      created_at: at.getTime(),
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      action,
      subject_id: subject.id,
      subject_name: subject.name,
      detail,
      request_id: requestId,
    });
  }

  /** One page, newest first. @param accountId null = all accounts, and what belongs to none */
  async page(accountId: string | null, filter: AuditFilter, page: PageRequest): Promise<ListPage<AuditEntry>> {
    const query = this.#db('audit_log');
    if (accountId !== null) query.where({ account_id: accountId });
    if (filter.actorId !== null) query.where({ actor_id: filter.actorId });
    const { personId } = filter;
    if (personId !== undefined) query.where((by) => by.where({ actor_id: personId }).orWhere({ subject_id: personId }));
    if (filter.action !== null) query.where({ action: filter.action });
    return mapPage(await countedPageOf<Row>(query, page, 'id', ({ id }) => Number(id)), fromRow);
  }

  /** Deletes at most `limit` entries from before then, and returns their number. */
  async deleteBefore(time: Date, limit: number): Promise<number> {
    const old = this.#db<Row>('audit_log').where('created_at', '<', time.getTime()).orderBy('created_at').limit(limit);
    return this.#db<Row>('audit_log').whereIn('id', old.select('id')).delete();
  }
}
