// Bounds the memory of requests: a budget of bytes, of which one account gets at most a share.
//
// Nothing is allocated here: whoever is about to hold large data takes its size first, and waits for a limited time
// until others have given back theirs. What is given back goes to the account that holds least.

import { AppError } from '../errors.ts';

export interface ByteBudgetLimits {
  /** Bytes in all. */
  readonly total: number;
  /** Bytes of one account at most. */
  readonly share: number;
  /** How long a request waits, ms. */
  readonly patience: number;
}

/** Bytes that were taken. Disposal gives them back; repeating it does nothing. */
export interface Loan extends Disposable {
  /** Gives back all but so many bytes. More than were taken changes nothing. */
  shrink(bytes: number): void;
}

interface Waiter {
  readonly bytes: number;
  readonly come: () => void;
}

/** After how long to try again, s. */
const RETRY_AFTER = 5;

export class ByteBudget {
  readonly #limits: ByteBudgetLimits;
  #used = 0;
  /** Bytes lent, by account. */
  readonly #held = new Map<string, number>();
  /** By account, each in order of arrival. No queue is empty. */
  readonly #queues = new Map<string, Set<Waiter>>();

  constructor({ total, share, patience }: ByteBudgetLimits) {
    this.#limits = { total, share: Math.min(share, total), patience };
  }

  /** Bytes lent. */
  get used(): number {
    return this.#used;
  }

  /**
   * Takes bytes, waiting for them if necessary. More than the share counts as the share, so that it can be had alone.
   *
   * @param whose the account, or the address of a caller who has none
   * @throws AppError `rate_limited` when the account's own requests keep its share for too long, `overloaded` when those
   *   of all accounts do
   */
  async take(whose: string, bytes: number): Promise<Loan> {
    const wanted = Math.min(Math.ceil(bytes), this.#limits.share);
    if (!this.#mayTake(whose, wanted)) await this.#wait(whose, wanted);
    else this.#lend(whose, wanted);
    return this.#loanOf(whose, wanted);
  }

  /** Takes bytes if they can be had at once; else null. */
  takeNow(whose: string, bytes: number): Loan | null {
    if (!this.#mayTake(whose, bytes)) return null;
    this.#lend(whose, bytes);
    return this.#loanOf(whose, bytes);
  }

  #mayTake(whose: string, bytes: number): boolean {
    return !this.#queues.has(whose) && this.#hasRoomFor(whose, bytes);
  }

  #loanOf(whose: string, bytes: number): Loan {
    let left = bytes;
    const shrink = (bytes: number) => {
      const given = left - Math.max(0, bytes);
      if (given <= 0) return;
      left -= given;
      this.#giveBack(whose, given);
    };
    return { shrink, [Symbol.dispose]: () => shrink(0) };
  }

  async #wait(whose: string, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { bytes, come: resolve };
    const queue = this.#queues.get(whose) ?? new Set();
    this.#queues.set(whose, queue.add(waiter));
    const timer = setTimeout(() => {
      this.#unqueue(whose, waiter);
      reject(this.#isWithinShare(whose, bytes) ? overloaded() : tooMuchAtOnce());
      // Those behind it may need less.
      this.#admit();
    }, this.#limits.patience);
    await promise.finally(() => clearTimeout(timer));
  }

  #isWithinShare(whose: string, bytes: number): boolean {
    return (this.#held.get(whose) ?? 0) + bytes <= this.#limits.share;
  }

  #hasRoomFor(whose: string, bytes: number): boolean {
    return this.#isWithinShare(whose, bytes) && this.#used + bytes <= this.#limits.total;
  }

  #lend(whose: string, bytes: number): void {
    this.#used += bytes;
    this.#held.set(whose, (this.#held.get(whose) ?? 0) + bytes);
  }

  #giveBack(whose: string, bytes: number): void {
    this.#used -= bytes;
    const left = (this.#held.get(whose) ?? 0) - bytes;
    if (left > 0) this.#held.set(whose, left);
    else this.#held.delete(whose);
    this.#admit();
  }

  #unqueue(whose: string, waiter: Waiter): void {
    const queue = this.#queues.get(whose);
    queue?.delete(waiter);
    if (queue?.size === 0) this.#queues.delete(whose);
  }

  /** Admits the first waiter of the account that holds least, while it fits. */
  #admit(): void {
    for (;;) {
      let next: { readonly whose: string; readonly waiter: Waiter; readonly held: number } | null = null;
      for (const [whose, [waiter]] of this.#queues) {
        const held = this.#held.get(whose) ?? 0;
        // An account whose share is taken does not hold up others.
        if (!waiter || (next && held >= next.held) || !this.#isWithinShare(whose, waiter.bytes)) continue;
        next = { whose, waiter, held };
      }
      // A large request is not overtaken by small ones, which could go on for ever.
      if (!next || !this.#hasRoomFor(next.whose, next.waiter.bytes)) return;
      this.#unqueue(next.whose, next.waiter);
      this.#lend(next.whose, next.waiter.bytes);
      next.waiter.come();
    }
  }
}

const tooMuchAtOnce = () =>
  new AppError(
    'rate_limited',
    `The requests under way hold as much memory as one account may; send fewer at once, and read what is answered. Try again in ${RETRY_AFTER} s.`,
    { retryAfter: RETRY_AFTER },
  );
const overloaded = () =>
  new AppError('overloaded', `The server is busy with large requests; try again in ${RETRY_AFTER} s.`, {
    retryAfter: RETRY_AFTER,
  });
