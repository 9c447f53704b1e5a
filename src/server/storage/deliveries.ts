// Stores webhook deliveries: what to send where, when the next attempt is due, and the outcome of each attempt.
//
// `due_at` schedules them: an attempt that is running becomes due again when it must have been lost. Of a response only
// the status is stored: a body would let readers of the list probe the network that Platen runs in.

import type { Trace } from '#base/trace.ts';
import { ACTIVE } from './accounts.ts';
import { atomically, type Database, queryRows } from './database.ts';
import { parseTrace } from './jobs.ts';
import { type ListPage, newestPageOf, type PageRequest } from './page.ts';

/** `refused`: the receiver answered 410 Gone. `failed`: no attempt of the whole schedule was acknowledged. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'refused';

export interface NewDelivery {
  /** The `webhook-id` of every attempt. */
  readonly id: string;
  readonly accountId: string;
  readonly renderId: string;
  readonly url: string;
  readonly body: string;
  readonly createdAt: Date;
  /** The trace of the request that asked for the job. */
  readonly trace?: Trace | null;
}

export interface Delivery extends NewDelivery {
  readonly status: DeliveryStatus;
  /** Completed attempts of the schedule. */
  readonly attempts: number;
  /** When the next attempt is due; null when there is none. */
  readonly dueAt: Date | null;
}

/** A delivery that is being sent, or is queued for sending. */
export interface ClaimedDelivery extends Delivery {
  /** A new number for every claim and attempt: only the holder of the newest may record the outcome. */
  readonly claim: number;
}

export interface DeliveryAttempt {
  readonly at: Date;
  /** ms */
  readonly duration: number;
  /** The response status; null when there was no response. */
  readonly status: number | null;
  /** Why there was no response. */
  readonly error: string | null;
}

export interface DeliveryLog extends Delivery {
  /** The oldest first. */
  readonly log: readonly DeliveryAttempt[];
}

interface Row {
  id: string;
  account_id: string;
  render_id: string;
  url: string;
  host: string;
  body: string;
  status: DeliveryStatus;
  attempts: number;
  claim: number;
  sending: number;
  due_at: number | null;
  created_at: number;
  trace: string | null;
}

interface AttemptRow {
  id: number;
  delivery_id: string;
  at: number;
  duration: number;
  status: number | null;
  error: string | null;
}

const fromRow = (row: Row): ClaimedDelivery => ({
  id: row.id,
  accountId: row.account_id,
  renderId: row.render_id,
  url: row.url,
  body: row.body,
  status: row.status,
  attempts: row.attempts,
  claim: row.claim,
  dueAt: row.due_at === null ? null : new Date(row.due_at),
  createdAt: new Date(row.created_at),
  trace: parseTrace(row.trace),
});

/** How many attempts may run at once. */
export interface SendingLimits {
  /** Attempts to start now. */
  readonly limit: number;
  /** Attempts running at once to one host, of all accounts. */
  readonly perHost: number;
  /** Attempts running at once of one account, to all hosts. */
  readonly perAccount: number;
}

/**
 * Chooses from the table expressions `due` (id, account_id, host, due_at) and `busy` (account_id, host): accounts take
 * turns, at each host and in all. Deliveries that wait for their host take no place of their account, nor those that wait
 * for their account a place of their host. Those of suspended accounts are not in `due`. Each count is made once, as a
 * count for each row would take minutes of a thread where tens of thousands are due.
 */
const CHOSEN = `
  SELECT id FROM (
    SELECT id, due_at, held + row_number() OVER (PARTITION BY account_id ORDER BY due_at, id) AS position
    FROM (
      SELECT numbered.*, coalesce(of_host.count, 0)
        + row_number() OVER (PARTITION BY numbered.host ORDER BY own, due_at, id) AS place
      FROM (
        SELECT due.*, coalesce(of_account.count, 0) AS held, coalesce(of_both.count, 0)
          + row_number() OVER (PARTITION BY due.host, due.account_id ORDER BY due_at, id) AS own
        FROM due
        LEFT JOIN (SELECT account_id, count(*) AS count FROM busy GROUP BY account_id) AS of_account
          ON of_account.account_id = due.account_id
        LEFT JOIN (SELECT account_id, host, count(*) AS count FROM busy GROUP BY account_id, host) AS of_both
          ON of_both.account_id = due.account_id AND of_both.host = due.host
        WHERE coalesce(of_account.count, 0) < :perAccount
      ) AS numbered
      LEFT JOIN (SELECT host, count(*) AS count FROM busy GROUP BY host) AS of_host ON of_host.host = numbered.host
      WHERE own <= :perHost
    ) AS admitted
    WHERE place <= :perHost
  ) AS queued
  WHERE position <= :perAccount
  ORDER BY position, due_at, id LIMIT :limit`;

const CLAIM = `
  WITH
    busy AS (SELECT account_id, host FROM deliveries WHERE sending AND due_at > :now),
    due AS (
      SELECT id, account_id, host, due_at FROM deliveries WHERE due_at <= :now AND ${ACTIVE}
    )
  UPDATE deliveries SET sending = TRUE, claim = claim + 1, due_at = :until
  WHERE id IN (${CHOSEN}) AND due_at <= :now RETURNING *`;

/** Entries of pg-boss that are not chosen have the priority 0, which also resets those that a killed node had chosen. */
const CHOOSE_ENTRIES = `
  WITH
    entries AS (
      SELECT job.id, job.state, job.start_after AS due_at, account_id, host
      FROM pgboss.job JOIN deliveries ON deliveries.id = job.data ->> 'delivery'
      WHERE job.name = 'webhooks' AND job.state <= 'active' AND (job.state = 'active' OR job.start_after <= now())
    ),
    busy AS (SELECT account_id, host FROM entries WHERE state = 'active'),
    due AS (
      SELECT id, account_id, host, due_at FROM entries WHERE state < 'active' AND ${ACTIVE}
    ),
    chosen AS (${CHOSEN})
  UPDATE pgboss.job SET priority = CASE WHEN id IN (SELECT id FROM chosen) THEN 1 ELSE 0 END
  WHERE name = 'webhooks' AND state < 'active'
    AND ((priority = 1) <> (id IN (SELECT id FROM chosen)))`;

/** server/jobs/boss/boss-engine.ts describes how ids are made. */
const WITHOUT_ENTRY = `
  SELECT * FROM deliveries WHERE due_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM pgboss.job
    WHERE name = 'webhooks' AND state < 'completed'
      AND job.id = encode(substring(sha256((deliveries.id || ' ' || claim)::bytea) FOR 16), 'hex')::uuid
  ) LIMIT :limit`;

export class DeliveryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** It is due at once. */
  async insert(delivery: NewDelivery): Promise<ClaimedDelivery> {
    await this.#db<Row>('deliveries').insert({
      id: delivery.id,
      account_id: delivery.accountId,
      render_id: delivery.renderId,
      url: delivery.url,
      host: new URL(delivery.url).hostname,
      body: delivery.body,
      status: 'pending',
      due_at: delivery.createdAt.getTime(),
      created_at: delivery.createdAt.getTime(),
      trace: delivery.trace ? JSON.stringify(delivery.trace) : null,
    });
    return { ...delivery, status: 'pending', attempts: 0, dueAt: delivery.createdAt, claim: 0 };
  }

  async find(id: string): Promise<ClaimedDelivery | null> {
    const row = await this.#db<Row>('deliveries').where({ id }).first();
    return row ? fromRow(row) : null;
  }

  /** Claims due deliveries. One whose outcome is not recorded by `until` is due again. */
  async claim(now: Date, until: Date, limits: SendingLimits): Promise<ClaimedDelivery[]> {
    const values = { now: now.getTime(), until: until.getTime(), ...limits };
    return (await queryRows<Row>(this.#db, CLAIM, values)).map(fromRow);
  }

  /**
   * Logs an attempt and records its outcome; null when the delivery was claimed or replayed meanwhile. Otherwise
   * returns the claim for the next attempt.
   */
  async record(
    delivery: ClaimedDelivery,
    attempt: DeliveryAttempt,
    next: Pick<Delivery, 'status' | 'attempts' | 'dueAt'>,
  ): Promise<ClaimedDelivery | null> {
    const { id, claim } = delivery;
    return atomically(this.#db, async (tx) => {
      await tx<AttemptRow>('delivery_attempts').insert({
        delivery_id: id,
        at: attempt.at.getTime(),
        duration: attempt.duration,
        status: attempt.status,
        error: attempt.error,
      });
      const recorded = { status: next.status, attempts: next.attempts, due_at: next.dueAt?.getTime() ?? null };
      const changed = await tx<Row>('deliveries')
        .where({ id, claim })
        .update({ ...recorded, sending: 0, claim: claim + 1 });
      return changed > 0 ? { ...delivery, ...next, claim: claim + 1 } : null;
    });
  }

  /** Gives the priority 1 to the entries in pg-boss that are to be fetched next, and 0 to all other due ones. */
  async chooseEntries(limits: SendingLimits): Promise<void> {
    await queryRows(this.#db, CHOOSE_ENTRIES, { ...limits });
  }

  /**
   * Up to `limit` open deliveries without an entry in pg-boss: for the reasons given at PgBossJobStore, or replayed by
   * another process.
   */
  async withoutEntry(limit: number): Promise<ClaimedDelivery[]> {
    return (await queryRows<Row>(this.#db, WITHOUT_ENTRY, { limit })).map(fromRow);
  }

  /** Releases a delivery that was claimed and not sent. */
  async release({ id, claim }: ClaimedDelivery, dueAt: Date): Promise<void> {
    await this.#db<Row>('deliveries').where({ id, claim }).update({ sending: 0, due_at: dueAt.getTime() });
  }

  /** Releases all claimed deliveries. Only when no other process sends. */
  async releaseAll(dueAt: Date): Promise<void> {
    await this.#db<Row>('deliveries').where({ sending: 1 }).update({ sending: 0, due_at: dueAt.getTime() });
  }

  /** Restarts a delivery's schedule; null when there is none of that id. */
  async restart(id: string, now: Date): Promise<ClaimedDelivery | null> {
    const begun = { status: 'pending', attempts: 0, sending: 0, due_at: now.getTime() } as const;
    const [row]: Row[] = await this.#db<Row>('deliveries')
      .where({ id })
      .update({ ...begun, claim: this.#db.raw('claim + 1') })
      .returning('*');
    return row ? fromRow(row) : null;
  }

  /** Newest first, of one account or of all. */
  async list(accountId: string | null, limit: number): Promise<DeliveryLog[]> {
    const query = this.#db<Row>('deliveries').orderBy('created_at', 'desc').orderBy('id').limit(limit);
    if (accountId !== null) query.where({ account_id: accountId });
    return this.#withLogs(await query);
  }

  /** One page, newest first; null = any. */
  async page(
    accountId: string,
    { status, renderId }: { readonly status: DeliveryStatus | null; readonly renderId: string | null },
    page: PageRequest,
  ): Promise<ListPage<DeliveryLog>> {
    const query = this.#db('deliveries').where({ account_id: accountId });
    if (status !== null) query.where({ status });
    if (renderId !== null) query.where({ render_id: renderId });
    const { items, next } = await newestPageOf<Row>(query, page);
    return { items: await this.#withLogs(items), next };
  }

  /** Whether the account has a delivery of that id. */
  async isOf(accountId: string, id: string): Promise<boolean> {
    return (await this.#db<Row>('deliveries').where({ id, account_id: accountId }).first('id')) !== undefined;
  }

  async #withLogs(rows: readonly Row[]): Promise<DeliveryLog[]> {
    const logs = new Map<string, DeliveryAttempt[]>(rows.map(({ id }) => [id, []]));
    const attempts: AttemptRow[] = await this.#db<AttemptRow>('delivery_attempts')
      .whereIn('delivery_id', [...logs.keys()])
      .orderBy('id');
    for (const { delivery_id, at, duration, status, error } of attempts) {
      logs.get(delivery_id)?.push({ at: new Date(at), duration, status, error });
    }
    return rows.map((row) => ({ ...fromRow(row), log: logs.get(row.id) ?? [] }));
  }

  /** Deletes up to `limit` ended deliveries with their attempts; returns their number. */
  async deleteCreatedBefore(time: Date, limit: number): Promise<number> {
    const old = this.#db<Row>('deliveries')
      .whereNull('due_at')
      .where('created_at', '<', time.getTime())
      .limit(limit)
      .select('id');
    return this.#db<Row>('deliveries').whereIn('id', old).delete();
  }
}
