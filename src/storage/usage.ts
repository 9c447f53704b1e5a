// The meter: how many units an account has used and reserved in a month, and which render each unit is for.
//
// A unit goes reserved → used, or reserved → gone, or is used from the first, each in the transaction of its caller. Its
// key is the render's id, so a render that is tried again, or finished twice, is counted once.

import type { Knex } from 'knex';
import { atomically, type Database } from './database.ts';
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

interface UnitRow {
  render_id: string;
  account_id: string;
  period: string;
  state: 'reserved' | 'used';
  expires_at: number | null;
}

type Month = Pick<UsageUnit, 'accountId' | 'period'>;
const month = ({ accountId, period }: Month) => ({ account_id: accountId, period });

const BEGIN_MONTH = new Statement<Month>((db, unit) =>
  db('usage').insert(month(unit)).onConflict(['account_id', 'period']).ignore(),
);

const ADD_RESERVED = new Statement<Month & { limit: number }>((db, unit) =>
  db('usage').where(month(unit)).whereRaw('used + reserved < ?', [unit.limit]).increment('reserved', 1),
);

const USE_RESERVED = new Statement<Month>((db, unit) =>
  db('usage').where(month(unit)).increment('used', 1).decrement('reserved', 1),
);

const ADD_USED = new Statement<Month>((db, unit) =>
  db('usage')
    .insert({ ...month(unit), used: 1 })
    .onConflict(['account_id', 'period'])
    .merge({ used: db.raw('usage.used + 1') }),
);

const INSERT_UNIT = new Statement<UsageUnit & Pick<UnitRow, 'state' | 'expires_at'>>((db, unit) =>
  db('usage_units').insert({
    ...month(unit),
    render_id: unit.renderId,
    state: unit.state,
    expires_at: unit.expires_at,
  }),
);

const USE_UNIT = new Statement<Pick<UsageUnit, 'renderId'>>((db, { renderId }) =>
  db('usage_units').where({ render_id: renderId, state: 'reserved' }).update({ state: 'used', expires_at: null }),
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
    return atomically(this.#db, async (tx) => {
      const add = () => ADD_RESERVED.run(tx, { ...unit, limit: limit ?? Number.MAX_SAFE_INTEGER });
      if ((await add()) === 0) {
        // Either the limit, or the first render of the month.
        await BEGIN_MONTH.run(tx, unit);
        if ((await add()) === 0) return false;
      }
      await INSERT_UNIT.run(tx, { ...unit, state: 'reserved', expires_at: expiresAt?.getTime() ?? null });
      return true;
    });
  }

  /** Counts the unit, once; also one whose reservation has lapsed meanwhile, for its asset is delivered. */
  async commit(unit: UsageUnit): Promise<void> {
    await atomically(this.#db, async (tx) => {
      if ((await USE_UNIT.run(tx, unit)) > 0) {
        await USE_RESERVED.run(tx, unit);
        return;
      }
      if (await tx<UnitRow>('usage_units').where({ render_id: unit.renderId }).first('state')) return;
      await insertUsed(tx, unit);
    });
  }

  /** Counts a unit that was not reserved. @throws when it is there already */
  async count(unit: UsageUnit): Promise<void> {
    await atomically(this.#db, (tx) => insertUsed(tx, unit));
  }

  /** Gives a reservation back; a unit that is used, or gone, stays as it is. */
  async release(renderId: string): Promise<void> {
    await atomically(this.#db, (tx) =>
      dropReservations(tx, tx<UnitRow>('usage_units').where({ render_id: renderId, state: 'reserved' })),
    );
  }

  /** Gives back what killed processes had set aside; returns how many units. */
  async releaseExpired(accountId: string, now: Date): Promise<number> {
    return atomically(this.#db, (tx) =>
      dropReservations(
        tx,
        tx<UnitRow>('usage_units')
          .where({ account_id: accountId, state: 'reserved' })
          .where('expires_at', '<', now.getTime()),
      ),
    );
  }

  /** Gives back all that has an end, whenever that is; returns how many units. */
  async releaseAbandoned(): Promise<number> {
    return atomically(this.#db, (tx) =>
      dropReservations(tx, tx<UnitRow>('usage_units').where({ state: 'reserved' }).whereNotNull('expires_at')),
    );
  }

  async totals(accountId: string, period: string): Promise<UsageTotals> {
    const row: UsageTotals | undefined = await this.#db('usage')
      .where({ account_id: accountId, period })
      .first('used', 'reserved');
    return { used: row?.used ?? 0, reserved: row?.reserved ?? 0 };
  }
}

async function insertUsed(db: Database, unit: UsageUnit): Promise<void> {
  await ADD_USED.run(db, unit);
  await INSERT_UNIT.run(db, { ...unit, state: 'used', expires_at: null });
}

async function dropReservations(db: Database, units: Knex.QueryBuilder<UnitRow>): Promise<number> {
  const rows = await units.clone().select('account_id', 'period');
  await units.delete();
  for (const { account_id, period } of rows) await db('usage').where({ account_id, period }).decrement('reserved', 1);
  return rows.length;
}
