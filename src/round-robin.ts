// Queues by whose the things in them are, of which each gives one in turn (round robin).

export class RoundRobin<T> {
  /** None is empty; the first of the map has had its last turn longest ago. */
  readonly #queues = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  push(whose: string, item: T): void {
    const queue = this.#queues.get(whose);
    if (queue) queue.push(item);
    else this.#queues.set(whose, [item]);
  }

  /** Takes the next one; undefined when there is none. */
  shift(): T | undefined {
    const [next] = this.#queues;
    if (!next) return undefined;
    const [whose, queue] = next;
    this.#queues.delete(whose);
    const item = queue.shift();
    if (queue.length > 0) this.#queues.set(whose, queue);
    return item;
  }
}
