// How often a thing was asked about before, for as long as it is asked about now and then.

/** Things that are remembered at least. */
const REMEMBERED = 20_000;

export class Sightings {
  #lately = new Map<string | number, number>();
  #before = new Map<string | number, number>();

  /** How often a key was seen until now; counts this time. */
  see(key: string | number): number {
    const count = this.count(key);
    this.#lately.set(key, count + 1);
    if (this.#lately.size >= REMEMBERED) {
      this.#before = this.#lately;
      this.#lately = new Map();
    }
    return count;
  }

  count(key: string | number): number {
    return this.#lately.get(key) ?? this.#before.get(key) ?? 0;
  }
}
