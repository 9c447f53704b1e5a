// Idempotent requests: a request that is sent twice is done once, and both get the same answer.
//
// The answer is recorded in the same transaction as the result it describes, so a crash cannot separate the two. Only
// success is remembered. A request that was refused or failed is tried again when it is repeated, unless the repetition
// arrives while the first is still running: then both get the one answer.

import { AppError } from '#base/errors.ts';
import type { Log } from '#server/observability/log.ts';
import type { RequestName, SentAnswer } from '#server/storage/idempotent-answers.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import type { Lease, Leases } from './leases.ts';
import type { Permit } from './people/permit.ts';

export type { SentAnswer };

/** How long an answer is remembered, ms. */
const KEPT_FOR = 24 * 60 * 60 * 1000;
/** How often older ones are deleted, ms. */
const DELETE_EVERY = 10_000;

export interface NamedRequest extends RequestName {
  /** SHA-256 of everything that distinguishes this request from others, hex. */
  readonly fingerprint: string;
}

/** What a transaction that makes a `Made` has to do as well before it commits. */
export interface OnCommit<Made> {
  (stores: Stores, made: Made): Promise<unknown>;
  /** As of `Permit`, where it asks for that, and then does the rest. */
  readonly key?: string;
  readonly rest?: AfterPermit<Made> | undefined;
}

type AfterPermit<Made> = (stores: Stores, made: Made) => Promise<unknown>;

/** Asks whether the sender of a request may still do what the transaction does, then does the rest; nothing if absent. */
export function permitted<Made>(permit: Permit, rest?: AfterPermit<Made>): OnCommit<Made> {
  const onCommit = async (stores: Stores, made: Made) => {
    await permit(stores);
    await rest?.(stores, made);
  };
  return permit.key === undefined ? onCommit : Object.assign(onCommit, { key: permit.key, rest });
}

/** For work without anything to add. */
export const nothingMore: OnCommit<unknown> = async () => {};

/** Where an idempotent request records its progress. */
export interface Progress {
  /** Records the answer; called in the transaction that does the work. */
  readonly answered: OnCommit<SentAnswer>;
  /** Parts made by an earlier run of the same request that never reached its answer: JSON by index. */
  readonly made: ReadonlyMap<number, string>;
  /** Records one part of several; called in the transaction that makes the part. */
  readonly madePart: (stores: Stores, place: number, made: string) => Promise<void>;
}

/** How long a request waits for the same one on another server, ms: longer than any request takes except a batch. */
const PATIENCE = 120_000;

interface Running {
  readonly fingerprint: string;
  readonly answer: Promise<SentAnswer>;
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
  /** Requests running in this process. Those on other servers hold a lease. */
  readonly #running = new Map<string, Running>();
  /** When old answers were last deleted, ms since 1970. */
  #deletedAt = 0;

  constructor({ storage, leases, clock, log }: IdempotencyContext) {
    this.#storage = storage;
    this.#leases = leases;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Returns the answer of `work`. The work is not started if the same request was answered before or is being answered.
   *
   * The answer is recorded when the work is done, unless the work has recorded it itself.
   *
   * @throws AppError `key_reused` when the key belongs to a different request; what `work` throws
   */
  async once(request: NamedRequest, work: (progress: Progress) => Promise<SentAnswer>): Promise<SentAnswer> {
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
    work: (progress: Progress) => Promise<SentAnswer>,
  ): Promise<SentAnswer> {
    const recorded = await this.#recall(request);
    if (recorded) return recorded;
    return this.#leases.once(
      `request ${name}`,
      PATIENCE,
      () => this.#recall(request),
      (lease) => this.#work(request, lease, work),
    );
  }

  async #recall(request: NamedRequest): Promise<SentAnswer | null> {
    const recorded = await this.#storage.idempotentAnswers.find(request, this.#oldest());
    if (recorded) requireSame(request, recorded);
    return recorded;
  }

  async #work(
    request: NamedRequest,
    lease: Lease,
    work: (progress: Progress) => Promise<SentAnswer>,
  ): Promise<SentAnswer> {
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

  /** Records an answer whose parts are recorded already, or that reports nothing that was made. */
  async #record(request: NamedRequest, answer: SentAnswer): Promise<void> {
    try {
      await this.#save(this.#storage, request, answer);
    } catch (err) {
      // The work is done and counted: an answer given once is better than none.
      this.#log.error({ err }, 'the answer to a request with an idempotency key could not be recorded');
    }
  }

  async #save({ idempotentAnswers }: Stores, request: NamedRequest, answer: SentAnswer): Promise<void> {
    await idempotentAnswers.save(request, { ...answer, fingerprint: request.fingerprint }, this.#clock());
    const now = this.#clock().getTime();
    if (now - this.#deletedAt < DELETE_EVERY) return;
    this.#deletedAt = now;
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
