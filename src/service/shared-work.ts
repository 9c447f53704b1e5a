// Coalesces concurrent work: whoever asks for the same key while it runs gets the same promise.
//
// Nothing is cached: after it has ended, the next call starts it anew.

export class SharedWork<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /**
   * Returns the result of the work called `key`, started by the first caller. A failure reaches all callers.
   *
   * @param key everything that determines the result, including whose it is
   */
  async run(key: string, work: () => Promise<T>): Promise<T> {
    let running = this.#underWay.get(key);
    if (!running) {
      running = work().finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, running);
    }
    return running;
  }
}
