// Stores usage: how many units an account has used and reserved in a month, and which render each unit is for.
//
// A unit is reserved and then used, or reserved and then released, or used from the start, each in one statement.
// Triggers keep the sums. A unit's key is the render's id, so a render that is retried or finished
// twice is counted once.

import { type Database, isPostgres } from './database.ts';
import { Statement } from './statement.ts';

export interface UsageUnit {
  readonly renderId: string;
  readonly accountId: string;
  /** A calendar month in UTC: `2026-11`. */
  readonly period: string;
}

export interface UsageTotals {
  readonly used: number;
  readonly reserved: number;
}

/** Used units of one day and template. */
export interface DayCount {
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  readonly templateId: string | null;
  readonly count: number;
}

interface UnitRow {
  render_id: string;
  account_id: string;
  period: string;
  state: 'reserved' | 'used';
  expires_at: number | null;
}

type Month = Pick<UsageUnit, 'accountId' | 'period'>;
const month = ({ accountId, period }: Month) => ({ account_id: accountId, period });

type NewUnit = UsageUnit & Pick<UnitRow, 'expires_at'>;

/**
 * Locks the month's row first, with an update that changes nothing. So it reads the sums that all earlier transactions
 * have left, and later ones wait until the unit is counted.
 */
const RESERVE_AMONG_NODES = `
  WITH month AS (
    INSERT INTO usage (account_id, period) VALUES (:accountId, :period)
      ON CONFLICT (account_id, period) DO UPDATE SET used = usage.used
      RETURNING used + reserved AS taken
  )
  INSERT INTO usage_units (render_id, account_id, period, state, expires_at)
    SELECT CAST(:renderId AS text), CAST(:accountId AS text), CAST(:period AS text), 'reserved', CAST(:expires_at AS bigint)
    FROM month WHERE taken < CAST(:limit AS bigint)`;

const RESERVE = new Statement<NewUnit & { limit: number }>((db, unit) => {
  if (isPostgres(db)) {
    const { renderId, accountId, period, expires_at, limit } = unit;
    return db.raw(RESERVE_AMONG_NODES, { renderId, accountId, period, expires_at, limit });
  }
  const sums = db('usage').where(month(unit)).select(db.raw('used + reserved'));
  const row = db
    .select(db.raw('?, ?, ?', [unit.renderId, unit.accountId, unit.period]), db.raw("'reserved', ?", [unit.expires_at]))
    .whereRaw('coalesce(?, 0) < ?', [sums, unit.limit]);
  return db.into(db.raw('usage_units (render_id, account_id, period, state, expires_at)')).insert(row);
}, true);

const COMMIT = new Statement<UsageUnit>((db, unit) =>
  db('usage_units')
    .insert({ ...month(unit), render_id: unit.renderId, state: 'used' })
    .onConflict('render_id')
    .merge({ state: 'used', expires_at: null })
    .where('usage_units.state', 'reserved'),
);

/** Units per insert statement. */
const CHUNK = 500;

export class UsageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Reserves one unit; false, changing nothing, when `used + reserved` has reached `limit` (null = no limit).
   * `expiresAt` is when an abandoned reservation expires.
   */
  async reserve(unit: UsageUnit, limit: number | null, expiresAt: Date | null): Promise<boolean> {
    const most = limit ?? Number.MAX_SAFE_INTEGER;
    return (await RESERVE.run(this.#db, { ...unit, limit: most, expires_at: expiresAt?.getTime() ?? null })) > 0;
  }

  /**
   * Reserves units of one account and month without expiry, all or none. Call in a transaction.
   *
   * @param limit null = no limit
   * @returns null when they are reserved; else how many units are left
   */
  async reserveAll(units: readonly UsageUnit[], limit: number | null): Promise<number | null> {
    const [first] = units;
    if (!first) return null;
    // Locks the month's row, as RESERVE_AMONG_NODES does.
    const [{ taken } = { taken: 0 }]: { taken: number }[] = await this.#db('usage')
      .insert({ ...month(first), used: 0, reserved: 0 })
      .onConflict(['account_id', 'period'])
      .merge({ used: this.#db.raw('usage.used') })
      .returning(this.#db.raw('used + reserved AS taken'));
    if (limit !== null && taken + units.length > limit) return Math.max(0, limit - taken);
    for (let from = 0; from < units.length; from += CHUNK) {
      const rows = units.slice(from, from + CHUNK).map((unit) => ({
        ...month(unit),
        render_id: unit.renderId,
        state: 'reserved' as const,
        expires_at: null,
      }));
      await this.#db<UnitRow>('usage_units').insert(rows);
    }
    return null;
  }

  /**
   * Counts the unit once. Also works for a unit that was not reserved or has expired meanwhile, since its asset is
   * delivered.
   */
  async commit(unit: UsageUnit): Promise<void> {
    await COMMIT.run(this.#db, unit);
  }

  /** Releases a reservation; a used or missing unit is left as it is. */
  async release(renderId: string): Promise<void> {
    await this.#reservations().where({ render_id: renderId }).delete();
  }

  /** Releases expired reservations of killed processes; returns their number. */
  async releaseExpired(accountId: string, now: Date): Promise<number> {
    return this.#reservations().where({ account_id: accountId }).where('expires_at', '<', now.getTime()).delete();
  }

  /** Releases all reservations that have an expiry time, even a future one; returns their number. */
  async releaseAbandoned(): Promise<number> {
    return this.#reservations().whereNotNull('expires_at').delete();
  }

  async totals(accountId: string, period: string): Promise<UsageTotals> {
    const row: UsageTotals | undefined = await this.#db('usage')
      .where({ account_id: accountId, period })
      .first('used', 'reserved');
    return { used: row?.used ?? 0, reserved: row?.reserved ?? 0 };
  }

  /**
   * Used units of a month by day and template: of renders and signed URLs whose rows still exist.
   *
   * @returns `day`: days since 1970-01-01, UTC, of the creation of the unit's render; `templateId`: null for
   *   screenshots
   */
  async byDay(accountId: string, period: string): Promise<DayCount[]> {
    const counted = (table: 'renders' | 'variants') =>
      this.#db('usage_units')
        .join(table, `${table}.id`, 'usage_units.render_id')
        .where({ 'usage_units.account_id': accountId, period, state: 'used' })
        .whereNotNull(`${table}.created_at`)
        .groupByRaw('1, 2')
        .select(this.#db.raw('?? / 86400000 AS day', [`${table}.created_at`]), `${table}.template_id as template_id`)
        .select(this.#db.raw('count(*) AS count'));
    const rows: { day: number; template_id: string | null; count: number }[] = (
      await Promise.all([counted('renders'), counted('variants')])
    ).flat();
    return rows.map(({ day, template_id, count }) => ({
      day: Number(day),
      templateId: template_id,
      count: Number(count),
    }));
  }

  #reservations() {
    return this.#db<UnitRow>('usage_units').where({ state: 'reserved' });
  }
}
