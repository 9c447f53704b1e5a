// Webhooks: posts a job's completion to the URL given with the job until it is acknowledged.
//
// A delivery is created in the transaction that ends its job, so no crash loses it. It is sent at least once; the order
// is not guaranteed. Each attempt is checked by the guard, signed and timestamped anew, and its outcome is logged. A
// queue schedules the attempts: server/jobs/engine.ts.

import { createHmac } from 'node:crypto';
import { AppError } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { currentTrace, type Observer, observed, UNOBSERVED } from '#base/trace.ts';
import { quoted } from '#core/diagnostics.ts';
import type { Sent, WebhookQueue } from '#server/jobs/engine.ts';
import { UrlNotAllowed } from '#server/net/outbound-url.ts';
import type { Log } from '#server/observability/log.ts';
import { traceHeaders } from '#server/observability/trace-context.ts';
import type {
  ClaimedDelivery,
  Delivery,
  DeliveryAttempt,
  DeliveryLog,
  DeliveryStore,
} from '#server/storage/deliveries.ts';
import type { ListPage, PageRequest } from '#server/storage/page.ts';
import type { SecretStore } from '#server/storage/secrets.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { RenderResult } from '../files/assets.ts';
import { type Permit, unrestricted } from '../people/permit.ts';
import type { Metadata } from '../rendering/metadata.ts';

/** Sends requests to the receivers. */
export interface WebhookTransport {
  /** Checks a URL in advance. @throws AppError `url_not_allowed` */
  check(url: string): Promise<void>;
  /**
   * Returns the response's status and its header Location. @throws AppError `url_not_allowed`, or with a sentence on why
   * there was no response
   */
  post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<WebhookAnswer>;
}

interface WebhookAnswer {
  readonly status: number;
  readonly location: string | null;
}

/** The body sent to a receiver (spec: async job completed). */
export interface CompletionEvent {
  readonly id: string;
  readonly status: 'done' | 'error';
  readonly result: RenderResult | null;
  readonly error: string | null;
  /** As it was given with the job; absent otherwise. */
  readonly metadata?: Metadata;
  /** Warnings about the render; absent where there are none. */
  readonly warnings?: readonly string[];
  /** The batch that is over, as the API shows it (batchRecord); absent for a render. */
  readonly batch?: object;
}

/** Maximum deliveries in a list. */
const LIST_LIMIT = 200;

export interface WebhookContext {
  readonly secrets: SecretStore;
  readonly transport: WebhookTransport;
  readonly clock: () => Date;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Observes the duration of attempts. */
  readonly observer?: Observer;
}

/** Makes one attempt, traced as part of the request that asked for the job, even when another server received it. */
export async function sendWebhook(ctx: WebhookContext, delivery: Delivery): Promise<Sent> {
  const { observer = UNOBSERVED } = ctx;
  const { id, trace } = delivery;
  const work = () => attempt(ctx, delivery);
  return trace ? observed(observer, { kind: 'webhook', delivery: id }, trace, work) : work();
}

async function attempt(ctx: WebhookContext, delivery: Delivery): Promise<Sent> {
  const { clock, random, log } = ctx;
  const at = clock();
  const start = performance.now();
  const { status, error } = await post(ctx, delivery, at);
  const duration = Math.round(performance.now() - start);
  log.info({ delivery: delivery.id, render: delivery.renderId, answer: status, error, ms: duration }, 'webhook');
  return { attempt: { at, duration, status, error }, next: nextOf(delivery, status, clock(), random) };
}

async function post(
  { secrets, transport, log }: WebhookContext,
  { id, accountId, url, body }: Delivery,
  at: Date,
): Promise<Pick<DeliveryAttempt, 'status' | 'error'>> {
  const [newest, ...older] = await secrets.active(accountId, 'webhook');
  if (newest === undefined) throw new Error(`Account ${accountId} has no webhook secret.`);
  const headers = {
    ...webhookHeaders([newest, ...older], id, Math.floor(at.getTime() / 1000), body),
    ...traceHeaders(currentTrace()),
  };
  try {
    const { status, location } = await transport.post(url, body, headers);
    const isRedirect = status >= 300 && status <= 399 && location !== null;
    return { status, error: isRedirect ? redirected(location) : null };
  } catch (err) {
    if (err instanceof UrlNotAllowed) return { status: null, error: err.explained().message };
    if (err instanceof AppError) return { status: null, error: err.message };
    log.error({ err, delivery: id }, 'webhook failed');
    return { status: null, error: 'The webhook could not be sent.' };
  }
}

const redirected = (location: string) =>
  `It redirects to ${quoted(location)}; redirects are not followed: give that address as webhookUrl.`;

function nextOf(delivery: Delivery, status: number | null, now: Date, random: () => number): Sent['next'] {
  const attempts = delivery.attempts + 1;
  if (status !== null && status >= 200 && status <= 299) return { status: 'delivered', attempts, dueAt: null };
  if (status === 410) return { status: 'refused', attempts, dueAt: null };
  const dueAt = nextAttempt(attempts, now, random);
  return { status: dueAt === null ? 'failed' : 'pending', attempts, dueAt };
}

/** Creates the delivery of a completion, in the transaction that ends the job. */
export async function announce(
  deliveries: DeliveryStore,
  job: { readonly accountId: string; readonly webhookUrl: string | null },
  { id, status, result, error, metadata, warnings, batch }: CompletionEvent,
  now: Date,
): Promise<ClaimedDelivery | null> {
  if (job.webhookUrl === null) return null;
  const body = JSON.stringify({ id, status, result, error, metadata, warnings, batch });
  const { accountId, webhookUrl: url } = job;
  return deliveries.insert({
    id: newId('msg'),
    accountId,
    renderId: id,
    url,
    body,
    createdAt: now,
    trace: currentTrace(),
  });
}

/** Lists deliveries and sends them again. */
export class Deliveries {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  readonly #queue: Pick<WebhookQueue, 'add' | 'wake'> | null;

  /**
   * @param queue sends deliveries; without one, a server finds those that are due
   */
  constructor(storage: Storage, clock: () => Date, queue: Pick<WebhookQueue, 'add' | 'wake'> | null = null) {
    this.#storage = storage;
    this.#clock = clock;
    this.#queue = queue;
  }

  /** The newest 200, newest first, of one account or of all. */
  async list(accountId: string | null): Promise<DeliveryLog[]> {
    return this.#storage.deliveries.list(accountId, LIST_LIMIT);
  }

  /** The newest first. */
  async page(
    accountId: string,
    filter: { readonly status: Delivery['status'] | null; readonly renderId: string | null },
    page: PageRequest,
  ): Promise<ListPage<DeliveryLog>> {
    return this.#storage.deliveries.page(accountId, filter, page);
  }

  /** `replay` for an account's own delivery. @throws AppError `not_found`; what `permit` throws */
  async replayOwn(accountId: string, id: string, permit: Permit): Promise<void> {
    if (!(await this.#storage.deliveries.isOf(accountId, id))) throw new AppError('not_found', 'delivery not found');
    await this.replay(id, permit);
  }

  /**
   * Queues a delivery again, with the same id and body and a new timestamp. The running server sends it, or the next
   * one to start. If that fails, the whole schedule is repeated.
   *
   * @throws AppError `not_found`; what `permit` throws
   */
  async replay(id: string, permit: Permit = unrestricted): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      await permit(stores);
      const delivery = await stores.deliveries.restart(id, this.#clock());
      if (!delivery) throw new AppError('not_found', `There is no delivery ${quoted(id)}.`);
      await this.#queue?.add(stores, delivery);
    });
    this.#queue?.wake();
  }
}

// Schedules retries of webhooks that were not acknowledged: ten attempts over three days (Standard Webhooks' schedule).

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after a failed attempt, ms. The first attempt is made at once. */
const DELAYS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Relative spread of a delay either way, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Time of the next attempt after `attempts` failed ones, the last of which ended at `now`; null when there is none.
 *
 * @param random from 0 up to, but not including, 1
 */
function nextAttempt(attempts: number, now: Date, random: () => number): Date | null {
  const delay = DELAYS[attempts - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay * (1 + JITTER * (2 * random() - 1)));
}

// Signs webhooks in two schemes on the same delivery, so that a receiver can verify the sender.
//
// Platen's own: hex HMAC-SHA256 of the body, keyed with the whole secret string. Standard Webhooks 1.0: `v1,` and the
// base64 HMAC of `id.timestamp.body`, keyed with the bytes that the secret encodes. The latter protects against replays
// and has one signature for each active secret, so that a receiver may switch at any time during a rotation.

/**
 * @param secrets `whsec_…`, newest first; at least one
 * @param id the same for every attempt to send a message
 * @param timestamp of this attempt, whole seconds since 1970
 */
export function webhookHeaders(
  secrets: readonly [string, ...string[]],
  id: string,
  timestamp: number,
  body: string,
): Readonly<Record<string, string>> {
  const [newest] = secrets;
  return {
    'x-platen-signature': `sha256=${createHmac('sha256', newest).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
}

function standardSignature(secret: string, message: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(message).digest('base64')}`;
}
