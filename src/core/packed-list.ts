// A list that saves memory: its entries are kept as text in small parts, and only the parts used last as values. The rows
// of a long table take a tenth of the memory that way. Reading in order unpacks each part once.

/** Values in a part. */
const TOGETHER = 16;
/** Parts of a list that is never packed. */
const SHORT = 16;
/** Parts of a longer one that are kept as values: more would live until the collector moves them to the old generation. */
const KEPT = 3;

/** A list that is read by place, or in order: an array is one, too. */
export interface List<Value> extends Iterable<Value> {
  readonly length: number;
  /** @param index from 0 */
  at(index: number): Value | undefined;
}

/** How the values of a part become a text, and a text values that are as good, but other objects. */
export interface Packing<Value> {
  /** @returns null = the part is kept as it is */
  readonly pack: (values: readonly Value[]) => string | null;
  /** @param first the number of the first @param count how many they are */
  readonly unpack: (text: string, first: number, count: number) => Value[];
}

/** Of plain values. */
export const asJson = <Value>(): Packing<Value> => ({
  pack: (values) => JSON.stringify(values),
  unpack: (text) => JSON.parse(text),
});

interface Kept<Value> {
  readonly number: number;
  readonly values: Value[];
}

export class PackedList<Value> implements List<Value> {
  readonly #packing: Packing<Value>;
  /** Of parts that have been packed, or cannot be. */
  readonly #parts: (string | Value[])[] = [];
  /**
   * Those that are kept as values, the one that was used last first. No map: each time that it is made anew, the one before
   * still refers to the next, and the collector takes all that they hold for old.
   */
  readonly #kept: Kept<Value>[] = [];
  #length = 0;

  constructor(packing: Packing<Value>) {
    this.#packing = packing;
  }

  get length(): number {
    return this.#length;
  }

  add(value: Value): void {
    this.#part(Math.floor(this.#length / TOGETHER)).push(value);
    this.#length += 1;
  }

  at(index: number): Value | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    return this.#part(Math.floor(index / TOGETHER))[index % TOGETHER];
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let i = 0; i < this.#length; i += 1) yield this.at(i) as Value;
  }

  #part(number: number): Value[] {
    const [latest] = this.#kept;
    if (latest?.number === number) return latest.values;
    const place = this.#kept.findIndex((part) => part.number === number);
    const [part = { number, values: this.#unpacked(number) }] = place === -1 ? [] : this.#kept.splice(place, 1);
    this.#kept.unshift(part);
    const most = this.#length > SHORT * TOGETHER ? KEPT : SHORT;
    for (const { number, values } of this.#kept.splice(most))
      this.#parts[number] ??= this.#packing.pack(values) ?? values;
    return part.values;
  }

  #unpacked(number: number): Value[] {
    const part = this.#parts[number] ?? [];
    if (typeof part !== 'string') return part;
    const first = number * TOGETHER;
    return this.#packing.unpack(part, first, Math.min(TOGETHER, this.#length - first));
  }
}
