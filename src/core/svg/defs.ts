// Collects the SVG definitions that elements refer to by id: gradients, clips, filters, images. Equal content is
// defined once.
//
// With a prefix, an id is derived from the content itself, so that parts of a page that are written and rewritten
// separately never use one id for two contents.

export class Defs {
  readonly #ids = new Map<string, string>();
  readonly #written: string[] = [];
  readonly #prefix: string | null;

  /** @param prefix of all ids; null = numbered ids, for a separate file */
  constructor(prefix: string | null = null) {
    this.#prefix = prefix;
  }

  /** Returns the id of the definition with this `key`; `write` makes the definition if it is new. */
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
