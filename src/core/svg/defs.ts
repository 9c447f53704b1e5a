// What SVG elements refer to by id: gradients, clips, filters, images. Equal content is defined once.

export class Defs {
  readonly #ids = new Map<string, string>();
  readonly #written: string[] = [];

  /** The id of the definition known by `key`, which `write` spells with its id when it is new. */
  add(key: string, write: (id: string) => string): string {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = `d${this.#ids.size}`;
    this.#ids.set(key, id);
    this.#written.push(write(id));
    return id;
  }

  toString(): string {
    return this.#written.length > 0 ? `<defs>${this.#written.join('')}</defs>` : '';
  }
}
