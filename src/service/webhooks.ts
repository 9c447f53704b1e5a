// Webhooks: the completion of a job, posted to the address that came with it, until it is acknowledged.
//
// A delivery is born in the transaction that ends its job, so no crash loses it; it is sent at least once, in no
// promised order. Each attempt is guarded, signed and timed anew, and its outcome is logged.

import { AppError } from '#errors';
import type { ClaimedDelivery, Delivery, DeliveryAttempt, DeliveryLog, DeliveryStore } from '#storage/deliveries.ts';
import type { Page, PageRequest } from '#storage/page.ts';
import type { Storage } from '#storage/storage.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { currentTrace, type Observer, observed, UNOBSERVED } from '../trace.ts';
import { traceHeaders } from '../trace-context.ts';
import type { RenderResult } from './assets.ts';
import { nextAttempt } from './webhook-schedule.ts';
import { webhookHeaders } from './webhook-signature.ts';

/** The way out to the receivers. */
export interface WebhookTransport {
  /** What can be said of a URL before it is asked for. @throws AppError `url_not_allowed` */
  check(url: string): Promise<void>;
  /** The answer's status. @throws AppError `url_not_allowed`, or with a sentence on why there was no answer */
  post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number>;
}

/** What a receiver is told (spec: async job completed). */
export interface Completion {
  readonly id: string;
  readonly status: 'done' | 'error';
  readonly result: RenderResult | null;
  readonly error: string | null;
}

/** Attempts under way, in all and to one host. */
const CONCURRENCY = 50;
const PER_HOST = 5;
/** An attempt takes 15 s at most; one that says nothing for so long died with its process, ms. */
const LOST_AFTER = 30_000;
/** How often the database is asked for retries and replays, ms. */
const POLL = 1_000;
/** Deliveries that a list shows. */
const LIST_LIMIT = 200;

export interface WebhookContext {
  readonly storage: Storage;
  readonly transport: WebhookTransport;
  /** Whether no other server sends what is in this database. */
  readonly alone: boolean;
  readonly clock: () => Date;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Told how long attempts take. */
  readonly observer?: Observer;
}

export class Webhooks {
  readonly #ctx: WebhookContext;
  readonly #sending = new Map<ClaimedDelivery, Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(ctx: WebhookContext) {
    this.#ctx = ctx;
  }

  async start(): Promise<void> {
    const { storage, alone, clock } = this.#ctx;
    // The database is locked for this server, so whoever was sending is dead. Elsewhere their leases lapse.
    if (alone) await storage.deliveries.releaseAll(clock());
    this.#timer = setInterval(() => this.wake(), POLL);
    this.wake();
  }

  /** Says that a delivery may be due. */
  wake(): void {
    void this.sendDue().catch((err) => this.#ctx.log.error({ err }, 'webhooks are not sent'));
  }

  /** Stops sending; what is under way has up to `patience` ms to end. */
  async drain(patience: number): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearInterval(this.#timer);
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, patience);
    await Promise.race([Promise.all(this.#sending.values()), timeout.promise]);
    clearTimeout(timer);
    const { storage, clock } = this.#ctx;
    for (const delivery of this.#sending.keys()) await storage.deliveries.release(delivery, clock());
  }

  /** Sends what is due, and returns when nothing is. */
  async sendDue(): Promise<void> {
    for (;;) {
      const due = await this.#claim();
      if (due.length === 0) return;
      // In turns, because others of the same host may have waited for these.
      await Promise.all(due.map((delivery) => this.#keep(delivery)));
    }
  }

  async #claim(): Promise<ClaimedDelivery[]> {
    const { storage, clock } = this.#ctx;
    const free = CONCURRENCY - this.#sending.size;
    if (this.#stopped || free <= 0) return [];
    const now = clock();
    const due = await storage.deliveries.claim(now, new Date(now.getTime() + LOST_AFTER), free, PER_HOST);
    if (!this.#stopped) return due;
    for (const delivery of due) await storage.deliveries.release(delivery, now);
    return [];
  }

  async #keep(delivery: ClaimedDelivery): Promise<void> {
    const { log } = this.#ctx;
    const sent = this.#observed(delivery, () => this.#send(delivery))
      .catch((err) => log.error({ err, delivery: delivery.id }, 'a webhook attempt was not recorded'))
      .finally(() => this.#sending.delete(delivery));
    this.#sending.set(delivery, sent);
    await sent;
  }

  /** As a part of what asked for the job, wherever that was. */
  #observed({ id, trace }: ClaimedDelivery, work: () => Promise<void>): Promise<void> {
    const { observer = UNOBSERVED } = this.#ctx;
    return trace ? observed(observer, { kind: 'webhook', delivery: id }, trace, work) : work();
  }

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { storage, clock, log } = this.#ctx;
    const at = clock();
    const start = performance.now();
    const { status, error } = await this.#post(delivery, at);
    const duration = Math.round(performance.now() - start);
    const attempt = { at, duration, status, error };
    const next = this.#next(delivery, attempt);
    log.info({ delivery: delivery.id, render: delivery.renderId, answer: status, error, ms: duration }, 'webhook');
    await storage.deliveries.record(delivery, attempt, next);
  }

  async #post({ id, accountId, url, body }: Delivery, at: Date): Promise<Pick<DeliveryAttempt, 'status' | 'error'>> {
    const { storage, transport, log } = this.#ctx;
    const [newest, ...older] = await storage.secrets.active(accountId, 'webhook');
    if (newest === undefined) throw new Error(`Account ${accountId} has no webhook secret.`);
    const headers = {
      ...webhookHeaders([newest, ...older], id, Math.floor(at.getTime() / 1000), body),
      ...traceHeaders(currentTrace()),
    };
    try {
      return { status: await transport.post(url, body, headers), error: null };
    } catch (err) {
      if (err instanceof AppError) return { status: null, error: err.message };
      log.error({ err, delivery: id }, 'webhook failed');
      return { status: null, error: 'The webhook could not be sent.' };
    }
  }

  #next(delivery: Delivery, { status }: DeliveryAttempt): Pick<Delivery, 'status' | 'attempts' | 'dueAt'> {
    const attempts = delivery.attempts + 1;
    if (status !== null && status >= 200 && status <= 299) return { status: 'delivered', attempts, dueAt: null };
    if (status === 410) return { status: 'refused', attempts, dueAt: null };
    const dueAt = nextAttempt(attempts, this.#ctx.clock(), this.#ctx.random);
    return { status: dueAt === null ? 'failed' : 'pending', attempts, dueAt };
  }
}

/** Makes a delivery of a completion, in the transaction that ends the job. */
export async function announce(
  deliveries: DeliveryStore,
  job: { readonly accountId: string; readonly webhookUrl: string | null },
  { id, status, result, error }: Completion,
  now: Date,
): Promise<void> {
  if (job.webhookUrl === null) return;
  const body = JSON.stringify({ id, status, result, error });
  const { accountId, webhookUrl: url } = job;
  await deliveries.insert({
    id: newId('msg'),
    accountId,
    renderId: id,
    url,
    body,
    createdAt: now,
    trace: currentTrace(),
  });
}

/** What was sent, and sending it again. */
export class Deliveries {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** The newest 200 first, of one account or of all. */
  async list(accountId: string | null): Promise<DeliveryLog[]> {
    return this.#storage.deliveries.list(accountId, LIST_LIMIT);
  }

  /** The newest first. */
  async page(
    accountId: string,
    filter: { readonly status: Delivery['status'] | null; readonly renderId: string | null },
    page: PageRequest,
  ): Promise<Page<DeliveryLog>> {
    return this.#storage.deliveries.page(accountId, filter, page);
  }

  /** As `replay`, of an account's own. @throws AppError `not_found` */
  async replayOwn(accountId: string, id: string): Promise<void> {
    if (!(await this.#storage.deliveries.isOf(accountId, id))) throw new AppError('not_found', 'delivery not found');
    await this.replay(id);
  }

  /**
   * Has a delivery sent again, with the same id and body and a new timestamp, by the server that runs or runs next;
   * if that fails, it follows the whole schedule anew.
   *
   * @throws AppError `not_found`
   */
  async replay(id: string): Promise<void> {
    if (await this.#storage.deliveries.restart(id, this.#clock())) return;
    throw new AppError('not_found', `There is no delivery ${JSON.stringify(id)}.`);
  }
}
