// Coalesces concurrent work: whoever asks for the same key while it runs gets the same promise.
//
// Nothing is cached: after it has ended, the next call starts it anew.

interface Running<T> {
  readonly made: Promise<T>;
  /** How many callers still need the result; infinite when one of them keeps it. */
  users: number;
}

export class SingleFlight<T> {
  readonly #underWay = new Map<string, Running<T>>();
  readonly #release: (made: T) => void;

  /**
   * @param release called with a result that every caller has used and none keeps
   */
  constructor(release: (made: T) => void = () => {}) {
    this.#release = release;
  }

  /**
   * Returns the result of the work called `key`, started by the first caller. A failure reaches all callers.
   *
   * @param key everything that determines the result, including whose it is
   */
  async run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#join(key, work);
    running.users = Number.POSITIVE_INFINITY;
    return running.made;
  }

  /** Like `run`, for a caller that needs the result only until `use` ends. */
  async use<R>(key: string, work: () => Promise<T>, use: (made: T) => Promise<R>): Promise<R> {
    const running = this.#join(key, work);
    running.users += 1;
    const made = await running.made;
    const used = await use(made);
    // After a failure it is not counted: whatever failed may still be reading the result.
    running.users -= 1;
    if (running.users === 0) this.#release(made);
    return used;
  }

  #join(key: string, work: () => Promise<T>): Running<T> {
    let running = this.#underWay.get(key);
    if (!running) {
      running = { made: work().finally(() => this.#underWay.delete(key)), users: 0 };
      this.#underWay.set(key, running);
    }
    return running;
  }
}
