// The interface of a queue that sends webhooks when they are due. The rows are authoritative (server/storage/deliveries.ts),
// as for jobs.

import type { ClaimedDelivery, Delivery, DeliveryAttempt } from '#server/storage/deliveries.ts';
import type { Stores } from '#server/storage/storage.ts';

/**
 * Maximum attempts running at once: in this process, of one account, and to one host. An attempt at a receiver that
 * never answers takes 15 s, so an account may hold only a part of the places. On PostgreSQL, the latter two count the
 * attempts of all nodes.
 */
export const SENDING = { concurrency: 200, perAccount: 50, perHost: 5 } as const;

/** The outcome of an attempt, and what follows from it. */
export interface Sent {
  readonly attempt: DeliveryAttempt;
  readonly next: Pick<Delivery, 'status' | 'attempts' | 'dueAt'>;
}

/** Makes one attempt; if it throws, there was none. */
export type Send = (delivery: Delivery) => Promise<Sent>;

export interface WebhookQueue {
  /** Called in the transaction that makes a delivery due, at its `dueAt`. Call `wake` after it has committed. */
  add(stores: Stores, delivery: ClaimedDelivery): Promise<void>;
  /** Starts sending. */
  start(): Promise<void>;
  /** Announces that a delivery may be due. */
  wake(): void;
  /** Starts no more attempts; running ones have up to `patience` ms to end. */
  drain(patience: number): Promise<void>;
}
