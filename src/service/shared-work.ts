// Work that is under way by what it is, so that whoever wants the same meanwhile waits for it instead of doing it again.
//
// Nothing is kept: once it is over, the next who asks starts it anew.

export class SharedWork<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /**
   * The result of the work that `key` names, started by the first who asks. A failure is everybody's.
   *
   * @param key all that decides what comes of it, and for whom
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
