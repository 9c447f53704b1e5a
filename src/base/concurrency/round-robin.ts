// A round-robin queue: items are queued by key, and the keys take turns.

export class RoundRobin<T> {
  /** No queue is empty; the first of the map had its last turn longest ago. */
  readonly #queues = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  push(whose: string, item: T): void {
    const queue = this.#queues.get(whose);
    if (queue) queue.push(item);
    else this.#queues.set(whose, [item]);
  }

  /** Removes and returns the next item; undefined when there is none. */
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
