// Requests that may be sent twice and are done once: the second gets the answer of the first.
//
// The answer is recorded in the transaction that makes what it speaks of, so that no kill comes between the two. Only
// success is remembered. Whatever was refused or broke is tried again when the same request comes again, unless it
// comes while the first is still under way: then both have the one answer.

import { AppError } from '#errors';
import type { Answer, RequestName } from '#storage/idempotent-answers.ts';
import type { Storage, Stores } from '#storage/storage.ts';
import type { Log } from '../log.ts';
import type { Lease, Leases } from './leases.ts';

export type { Answer };

/** How long an answer is remembered, ms. */
const KEPT_FOR = 24 * 60 * 60 * 1000;

export interface NamedRequest extends RequestName {
  /** SHA-256 of all that makes it this request and no other, hex. */
  readonly fingerprint: string;
}

/** What a transaction that makes a `Made` has to do besides, before it commits. */
export type OnCommit<Made> = (stores: Stores, made: Made) => Promise<void>;

/** For work that nobody waits to hear of. */
export const nothingMore: OnCommit<unknown> = async () => {};

/** Where a request that is done once notes how far it is. */
export interface Progress {
  /** To be called in the transaction that does the work: its answer. */
  readonly answered: OnCommit<Answer>;
  /** What an earlier run of the same request, which never came to its answer, has made: JSON by its place. */
  readonly made: ReadonlyMap<number, string>;
  /** To be called in the transaction that makes one part of several. */
  readonly madePart: (stores: Stores, place: number, made: string) => Promise<void>;
}

/** How long a request waits for the same one at another server, ms: longer than any takes that is not a batch. */
const PATIENCE = 120_000;

interface Running {
  readonly fingerprint: string;
  readonly answer: Promise<Answer>;
}

export interface IdempotencyContext {
  readonly storage: Storage;
  readonly leases: Leases;
  readonly clock: () => Date;
  readonly log: Log;
}

export class Idempotency {
  readonly #storage: Storage;
  readonly #leases: Leases;
  readonly #clock: () => Date;
  readonly #log: Log;
  /** What runs here; of what runs at other servers there is a lease. */
  readonly #running = new Map<string, Running>();

  constructor({ storage, leases, clock, log }: IdempotencyContext) {
    this.#storage = storage;
    this.#leases = leases;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * The answer of `work`, which is not begun if the same request was answered before or is being answered.
   *
   * It is recorded when the work is done, unless the work has recorded it itself.
   *
   * @throws AppError `key_reused` when the name stands for another request; what `work` throws
   */
  async once(request: NamedRequest, work: (progress: Progress) => Promise<Answer>): Promise<Answer> {
    const name = JSON.stringify([request.accountId, request.kind, request.key]);
    const running = this.#running.get(name);
    if (running) {
      requireSame(request, running);
      return running.answer;
    }
    const answer = this.#recallOrWork(request, name, work).finally(() => this.#running.delete(name));
    this.#running.set(name, { fingerprint: request.fingerprint, answer });
    return answer;
  }

  async #recallOrWork(
    request: NamedRequest,
    name: string,
    work: (progress: Progress) => Promise<Answer>,
  ): Promise<Answer> {
    const recorded = await this.#recall(request);
    if (recorded) return recorded;
    return this.#leases.once(
      `request ${name}`,
      PATIENCE,
      () => this.#recall(request),
      (lease) => this.#work(request, lease, work),
    );
  }

  async #recall(request: NamedRequest): Promise<Answer | null> {
    const recorded = await this.#storage.idempotentAnswers.find(request, this.#oldest());
    if (recorded) requireSame(request, recorded);
    return recorded;
  }

  async #work(request: NamedRequest, lease: Lease, work: (progress: Progress) => Promise<Answer>): Promise<Answer> {
    const parts = await this.#storage.idempotentAnswers.parts(request, this.#oldest());
    for (const part of parts) requireSame(request, part);

    let isRecorded = false;
    const answer = await work({
      answered: async (stores, answer) => {
        await lease.fence(stores);
        await this.#save(stores, request, answer);
        isRecorded = true;
      },
      made: new Map(parts.map(({ place, made }) => [place, made])),
      madePart: async (stores, place, made) => {
        await lease.fence(stores);
        const { fingerprint } = request;
        await stores.idempotentAnswers.savePart(request, { place, made, fingerprint }, this.#clock());
      },
    });
    if (answer.status < 300 && !isRecorded) await this.#record(request, answer);
    return answer;
  }

  /** An answer whose parts are recorded already, or that speaks of nothing that was made. */
  async #record(request: NamedRequest, answer: Answer): Promise<void> {
    try {
      await this.#save(this.#storage, request, answer);
    } catch (err) {
      // The work is done and counted: its answer is better given once than not at all.
      this.#log.error({ err }, 'the answer to a request with an idempotency key could not be recorded');
    }
  }

  async #save({ idempotentAnswers }: Stores, request: NamedRequest, answer: Answer): Promise<void> {
    await idempotentAnswers.save(request, { ...answer, fingerprint: request.fingerprint }, this.#clock());
    await idempotentAnswers.deleteBefore(this.#oldest());
  }

  #oldest(): Date {
    return new Date(this.#clock().getTime() - KEPT_FOR);
  }
}

function requireSame(request: NamedRequest, { fingerprint }: Pick<NamedRequest, 'fingerprint'>): void {
  if (request.fingerprint === fingerprint) return;
  throw new AppError('key_reused', 'This Idempotency-Key was used for another request; take a new one.');
}
