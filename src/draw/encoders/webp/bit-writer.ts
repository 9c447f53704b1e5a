// A bit stream, lowest bit first, as in a WebP lossless stream (RFC 9649, section 3.2).

export class BitWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;
  #held = 0;
  #heldBits = 0;

  /** @param bits 0 to 24 */
  write(value: number, bits: number): void {
    this.#held |= value << this.#heldBits;
    this.#heldBits += bits;
    while (this.#heldBits >= 8) {
      this.#append(this.#held & 255);
      this.#held >>>= 8;
      this.#heldBits -= 8;
    }
  }

  /** The bytes written; the last one is filled up with zeros. Nothing may be written afterwards. */
  finish(): Uint8Array {
    if (this.#heldBits > 0) this.#append(this.#held);
    this.#held = 0;
    this.#heldBits = 0;
    return this.#bytes.subarray(0, this.#length);
  }

  #append(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}
