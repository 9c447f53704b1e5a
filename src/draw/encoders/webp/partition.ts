// The bytes of one partition of a frame, appended piece by piece.

export class Partition {
  #bytes = new Uint8Array(4096);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param carried whether 1 is to be added to the existing bytes, taken as one number */
  append(bytes: Uint8Array, carried: boolean): void {
    if (carried) this.#carry();
    const needed = this.#length + bytes.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      larger.set(this.bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = needed;
  }

  #carry(): void {
    let at = this.#length - 1;
    while (this.#bytes[at] === 255) this.#bytes[at--] = 0;
    this.#bytes[at] = (this.#bytes[at] ?? 0) + 1;
  }
}
