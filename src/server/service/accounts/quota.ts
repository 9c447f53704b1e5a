// Enforces the quota of plans: one unit for each delivered asset. It is counted when the asset is done, and reserved
// before the work where the plan has a limit.
//
// A reservation is released on any failure; one whose process was killed expires. Concurrent requests cannot exceed a
// limit together, because the check and the reservation are one database statement.

import { AppError } from '#base/errors.ts';
import type { NewJob } from '#server/storage/jobs.ts';
import type { DayCount, UsageStore, UsageUnit } from '#server/storage/usage.ts';
import type { RenderStorage } from '../rendering/render-storage.ts';
import type { Caller, Plan, Plans } from './caller.ts';

/** An account's usage in a month (`GET /v1/usage`). */
export interface Usage {
  readonly plan: string;
  /** A calendar month in UTC: `2026-11`. */
  readonly period: string;
  readonly quota: number;
  readonly used: number;
  /** Units beyond the quota. */
  readonly overage: number;
}

/** A month's usage, with its units by day and template as far as these were recorded. */
export interface MonthOfUsage extends Usage {
  readonly blocks: boolean;
  readonly reserved: number;
  readonly counts: readonly DayCount[];
}

/** One reserved unit. Disposal releases it, unless it was committed and kept. */
export interface Ticket extends AsyncDisposable {
  /** Counted in the transaction that stores the asset; null = free of charge. */
  readonly unit: UsageUnit | null;
  /** Call after that transaction has committed: disposal then releases nothing. */
  keep(): void;
}

/** A synchronous render ends within its deadline; a reservation as old as this was left by a killed process, ms. */
const LAPSES_AFTER = 120_000;

const ANY_AMOUNT: Pick<RenderStorage, 'check'> = { check: async () => {} };

/** Whose unit it is. */
type Payer = Pick<Caller, 'accountId' | 'plan' | 'kind'>;

export class Quota {
  readonly #usage: UsageStore;
  readonly #plans: Plans;
  readonly #clock: () => Date;
  readonly #files: Pick<RenderStorage, 'check'>;

  /** @param files limits what renders keep; absent = nothing */
  constructor(usage: UsageStore, plans: Plans, clock: () => Date, files: Pick<RenderStorage, 'check'> = ANY_AMOUNT) {
    this.#usage = usage;
    this.#plans = plans;
    this.#clock = clock;
    this.#files = files;
  }

  /**
   * Reserves one unit for the render if the plan has a limit.
   *
   * @param keepsFile whether the account keeps the render's file
   * @throws AppError `quota_exceeded` when the plan blocks at its quota and that is reached, or when the files of
   *   renders take all that they may
   */
  async reserve(caller: Payer, renderId: string, keepsFile = true): Promise<Ticket> {
    if (keepsFile) await this.#files.check(caller);
    if (caller.kind === 'test') return UNMETERED;
    const now = this.#clock();
    const unit = { renderId, accountId: caller.accountId, period: billingPeriod(now) };
    // A plan without a limit needs no reservation: the unit is only counted.
    if (!planNamed(this.#plans, caller.plan).blocks) return { ...UNMETERED, unit };
    await this.#setAside(this.#usage, caller, unit, now, new Date(now.getTime() + LAPSES_AFTER));
    return new Reservation(unit, this.#usage);
  }

  /** This month so far, without renders that are still running. */
  async usage({ accountId, plan }: Payer): Promise<Usage> {
    const { quota } = planNamed(this.#plans, plan);
    const period = billingPeriod(this.#clock());
    const { used } = await this.#usage.totals(accountId, period);
    return { plan, period, quota, used, overage: Math.max(0, used - quota) };
  }

  /** A month's usage by day and template. @throws Error when the plan is not configured */
  async usageByDay({ accountId, plan }: Pick<Caller, 'accountId' | 'plan'>, period: string): Promise<MonthOfUsage> {
    const { quota, blocks } = planNamed(this.#plans, plan);
    const { used, reserved } = await this.#usage.totals(accountId, period);
    const counts = await this.#usage.byDay(accountId, period);
    return { plan, period, quota, blocks, used, reserved, overage: Math.max(0, used - quota), counts };
  }

  /** The limits of a plan. @throws Error when it is not configured */
  plan(name: string): Plan {
    return planNamed(this.#plans, name);
  }

  /** The current billing month. */
  get period(): string {
    return billingPeriod(this.#clock());
  }

  /** Releases reservations left by a killed server; those of jobs stay. Call before any request is served. */
  async recover(): Promise<number> {
    return this.#usage.releaseAbandoned();
  }

  /** Call before jobs are accepted. @throws AppError `quota_exceeded` when the files of renders take all that they may */
  async requireRoom(caller: Payer): Promise<void> {
    await this.#files.check(caller);
  }

  /**
   * Reserves one unit for a job, in the transaction that creates it. The job's end counts or releases it, however long
   * that takes.
   *
   * @returns whether a unit was reserved: a test key's job has none
   * @throws AppError `quota_exceeded`
   */
  async reserveForJob(usage: UsageStore, caller: Payer, job: JobIdentity): Promise<boolean> {
    if (caller.kind === 'test') return false;
    await this.#setAside(usage, caller, jobUnit(job), job.createdAt, null);
    return true;
  }

  /**
   * Reserves one unit for each of many jobs of one account that are accepted together, in the transaction that creates
   * them: all or none.
   *
   * @returns whether units were reserved: a test key's jobs have none
   * @throws AppError `quota_exceeded`
   */
  async reserveForJobs(usage: UsageStore, caller: Payer, jobs: readonly JobIdentity[]): Promise<boolean> {
    if (caller.kind === 'test') return false;
    const { quota, blocks } = planNamed(this.#plans, caller.plan);
    const reserve = () => usage.reserveAll(jobs.map(jobUnit), blocks ? quota : null);
    let left = await reserve();
    if (left !== null && (await usage.releaseExpired(caller.accountId, this.#clock())) > 0) left = await reserve();
    if (left === null) return true;
    if (left === 0) throw usedUp(quota, caller.plan);
    const asked = `The plan "${caller.plan}" has ${left} renders left this month, and ${jobs.length} were asked for`;
    throw new AppError('quota_exceeded', `${asked}; ask for fewer, or upgrade to continue.`);
  }

  async #setAside(usage: UsageStore, caller: Payer, unit: UsageUnit, now: Date, lapses: Date | null): Promise<void> {
    const { quota, blocks } = planNamed(this.#plans, caller.plan);
    const reserve = () => usage.reserve(unit, blocks ? quota : null, lapses);
    if (await reserve()) return;
    if ((await usage.releaseExpired(caller.accountId, now)) > 0 && (await reserve())) return;
    throw usedUp(quota, caller.plan);
  }
}

const usedUp = (quota: number, plan: string) =>
  new AppError(
    'quota_exceeded',
    `The ${quota} renders a month of the plan "${plan}" are used up; upgrade to continue.`,
  );

type JobIdentity = Pick<NewJob, 'id' | 'accountId' | 'createdAt'>;

/** The unit of a job, in the month in which it was accepted. */
export function jobUnit({ id, accountId, createdAt }: JobIdentity): UsageUnit {
  return { renderId: id, accountId, period: billingPeriod(createdAt) };
}

class Reservation implements Ticket {
  readonly unit: UsageUnit;
  readonly #usage: UsageStore;
  #kept = false;

  constructor(unit: UsageUnit, usage: UsageStore) {
    this.unit = unit;
    this.#usage = usage;
  }

  keep(): void {
    this.#kept = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#kept) return;
    try {
      await this.#usage.release(this.unit.renderId);
    } catch (error) {
      // Database locked or full. The caller should hear why the render failed, not this: the reservation will expire.
      if (!(error instanceof AppError)) throw error;
    }
  }
}

/** For test keys, and for work that is paid already. */
export const UNMETERED: Ticket = { unit: null, keep() {}, [Symbol.asyncDispose]: async () => {} };

/** The month that `now` is billed in: `2026-11`, in UTC. */
export function billingPeriod(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** @throws Error when an account is on a plan that the configuration no longer has */
function planNamed(plans: Plans, name: string): Plan {
  const plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (!plan) throw new Error(`PLATEN_PLANS does not define the plan ${JSON.stringify(name)}, which an account is on.`);
  return plan;
}
