// What has webhooks sent when they are due. Their rows are the truth (storage/deliveries.ts), as with jobs.

import type { ClaimedDelivery, Delivery, DeliveryAttempt } from '#storage/deliveries.ts';
import type { Stores } from '#storage/storage.ts';

/** How an attempt went, and what follows from it. */
export interface Sent {
  readonly attempt: DeliveryAttempt;
  readonly next: Pick<Delivery, 'status' | 'attempts' | 'dueAt'>;
}

/** Makes one attempt; what it throws was none. */
export type Send = (delivery: Delivery) => Promise<Sent>;

export interface WebhookQueue {
  /** In the transaction that makes a delivery due, at its `dueAt`. Whoever commits it calls `wake`. */
  add(stores: Stores, delivery: ClaimedDelivery): Promise<void>;
  /** Begins to send. */
  start(): Promise<void>;
  /** Says that a delivery may be due. */
  wake(): void;
  /** Begins no more attempts; what is under way has up to `patience` ms to end. */
  drain(patience: number): Promise<void>;
}
