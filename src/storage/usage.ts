// The meter: how many units an account has used and reserved in a month, and which render each unit is for.
//
// A unit goes reserved → used, or reserved → gone, or is used from the first, each in one statement: the database itself
// keeps the sums (migration 0009). Its key is the render's id, so a render that is tried again, or finished twice, is
// counted once.

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
 * The month's row is locked first, by a change that changes nothing: what is then read of it is what all others have left
 * there, and they wait until the unit is counted.
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
});

const COMMIT = new Statement<UsageUnit>((db, unit) =>
  db('usage_units')
    .insert({ ...month(unit), render_id: unit.renderId, state: 'used' })
    .onConflict('render_id')
    .merge({ state: 'used', expires_at: null })
    .where('usage_units.state', 'reserved'),
);

export class UsageStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Sets one unit aside; false, and nothing changed, when `used + reserved` has reached `limit` (null = no limit).
   * `expiresAt` is when a reservation that nobody came back for lapses.
   */
  async reserve(unit: UsageUnit, limit: number | null, expiresAt: Date | null): Promise<boolean> {
    const most = limit ?? Number.MAX_SAFE_INTEGER;
    return (await RESERVE.run(this.#db, { ...unit, limit: most, expires_at: expiresAt?.getTime() ?? null })) > 0;
  }

  /** Counts the unit, once; also one that was not set aside, or has lapsed meanwhile, for its asset is delivered. */
  async commit(unit: UsageUnit): Promise<void> {
    await COMMIT.run(this.#db, unit);
  }

  /** Gives a reservation back; a unit that is used, or gone, stays as it is. */
  async release(renderId: string): Promise<void> {
    await this.#reservations().where({ render_id: renderId }).delete();
  }

  /** Gives back what killed processes had set aside; returns how many units. */
  async releaseExpired(accountId: string, now: Date): Promise<number> {
    return this.#reservations().where({ account_id: accountId }).where('expires_at', '<', now.getTime()).delete();
  }

  /** Gives back all that has an end, whenever that is; returns how many units. */
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
   * The used units of a month by day and template: those of renders and signed URLs whose rows are still there.
   *
   * @returns `day`: days since 1970-01-01, UTC, of when the unit's render was made; `templateId`: null for screenshots
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
