// The engine for any number of servers on one PostgreSQL: pg-boss.

import type { Engine, EngineOptions } from '../engine.ts';
import { BossMaintenance } from './boss-maintenance.ts';
import { BossQueue } from './boss-queue.ts';
import { BossWebhooks } from './boss-webhooks.ts';
import { openBoss, type QueueName } from './open-boss.ts';

/** Cron expressions in UTC: every hour, and every minute. pg-boss checks them twice a minute. */
const SWEEP_AT = '17 * * * *';
const EVERY_MINUTE = '* * * * *';

export async function openBossEngine(options: EngineOptions): Promise<Engine> {
  await using parts = new AsyncDisposableStack();
  const { database, storage, doJob, send, sweep, erase, onError, onWarning } = options;
  const report = (part: string) => (error: unknown) => onError(error, part);
  const boss = parts.use(await openBoss({ url: database, onError: report('pg-boss'), onWarning }));
  const jobs = new BossQueue({ ...options, boss, onError: report('job queue') }, doJob);
  const webhooks = new BossWebhooks({ ...options, boss, onError: report('webhooks') }, send);
  const enterMissing = async () => {
    await jobs.enterMissing();
    await webhooks.enterMissing();
  };
  const duties = {
    sweep: { cron: SWEEP_AT, perform: sweep },
    missing: { cron: EVERY_MINUTE, perform: enterMissing },
    erase: { cron: EVERY_MINUTE, perform: erase },
  };
  const maintenance = new BossMaintenance({ boss, storage, duties, onError: report('maintenance') });
  const queues: Readonly<Record<QueueName, { wake(): void }>> = { jobs, webhooks, maintenance };
  parts.use(await boss.listen((queue) => queues[queue]?.wake()));
  const opened = parts.move();
  return { jobs, webhooks, maintenance, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
