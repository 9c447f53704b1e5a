// Sends the webhooks of any number of servers on one PostgreSQL: pg-boss has one entry per attempt, due at its time.
//
// The outcome of an attempt and the entry of the next one are recorded in one transaction. An attempt whose node died
// is repeated.

import type { ClaimedDelivery } from '#server/storage/deliveries.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { SENDING, type Send, type WebhookQueue } from '../webhook-queue.ts';
import { FetchLoop } from './fetch-loop.ts';
import { type Boss, entryId, type Held } from './open-boss.ts';

/** The priority of entries that are to be fetched next (DeliveryStore.chooseEntries). */
const CHOSEN = 1;

export interface BossWebhooksOptions {
  readonly boss: Boss;
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
}

export class BossWebhooks implements WebhookQueue {
  readonly #options: BossWebhooksOptions;
  readonly #send: Send;
  readonly #loop: FetchLoop<Held>;

  constructor(options: BossWebhooksOptions, send: Send) {
    this.#options = options;
    this.#send = send;
    const { boss, storage, onError } = options;
    this.#loop = new FetchLoop({
      hands: SENDING.concurrency,
      fetch: (limit) =>
        storage.transaction(async (stores) => {
          // Serialised, since nodes that count the running attempts at the same time would together exceed the limits.
          await boss.lock(stores, 'deliveries');
          // pg-boss itself limits by host only.
          await stores.deliveries.chooseEntries({ ...SENDING, limit });
          return boss.fetch(stores, 'webhooks', { limit, perGroup: SENDING.perHost, minPriority: CHOSEN });
        }),
      perform: (held) => this.#perform(held),
      touch: (held) => boss.touch('webhooks', held),
      release: (held) => storage.transaction((stores) => boss.giveBack(stores, 'webhooks', [held])),
      onError,
    });
  }

  async add(stores: Stores, { id, claim, url, dueAt }: ClaimedDelivery): Promise<void> {
    const { boss, clock } = this.#options;
    const entry = {
      id: entryId(`${id} ${claim}`),
      data: { delivery: id, claim },
      priority: 0,
      delay: Math.max(0, (dueAt?.getTime() ?? 0) - clock().getTime()),
      group: new URL(url).hostname,
    };
    await boss.add(stores, 'webhooks', [entry]);
  }

  async start(): Promise<void> {
    await this.enterMissing();
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  async drain(patience: number): Promise<void> {
    await this.#loop.drain(patience);
  }

  /** Enters open deliveries that pg-boss does not have. */
  async enterMissing(): Promise<void> {
    const { storage, boss } = this.#options;
    await boss.enterMissing(storage, 'webhooks', async (stores, most) => {
      const missing = await stores.deliveries.withoutEntry(most);
      for (const delivery of missing) {
        // One that pg-boss has as completed.
        await boss.remove(stores, 'webhooks', [entryId(`${delivery.id} ${delivery.claim}`)]);
        await this.add(stores, delivery);
      }
      return missing.length;
    });
  }

  async #perform(held: Held): Promise<void> {
    const { storage, boss } = this.#options;
    const { delivery: id, claim } = held.data as { readonly delivery: string; readonly claim: number };
    const delivery = await storage.deliveries.find(id);
    // False when it was sent again by hand, or the previous holder has recorded its outcome.
    const isDue = delivery?.claim === claim && delivery.dueAt !== null;
    const sent = isDue ? await this.#send(delivery) : null;
    await storage.transaction(async (stores) => {
      const next = isDue && sent ? await stores.deliveries.record(delivery, sent.attempt, sent.next) : null;
      if (next && next.dueAt !== null) await this.add(stores, next);
      await boss.complete(stores, 'webhooks', [held.id]);
    });
  }
}
