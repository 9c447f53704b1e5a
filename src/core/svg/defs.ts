// What SVG elements refer to by id: gradients, clips, filters, images. Equal content is defined once.
//
// With a prefix an id is made of the content itself, so that parts of a page that are written apart, and rewritten apart,
// never give one id to two contents.

export class Defs {
  readonly #ids = new Map<string, string>();
  readonly #written: string[] = [];
  readonly #prefix: string | null;

  /** @param prefix of all ids; null = they are numbered, for a file of its own */
  constructor(prefix: string | null = null) {
    this.#prefix = prefix;
  }

  /** The id of the definition known by `key`, which `write` spells with its id when it is new. */
  add(key: string, write: (id: string) => string): string {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#prefix === null ? `d${this.#ids.size}` : `${this.#prefix}${digest(key)}`;
    this.#ids.set(key, id);
    this.#written.push(write(id));
    return id;
  }

  toString(): string {
    return this.#written.length > 0 ? `<defs>${this.#written.join('')}</defs>` : '';
  }
}

/** 64 bits in base 36: two FNV-1a hashes from different starts. */
function digest(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x5bd1e995;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit ^ (a >>> 15), 0x01000193);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}
