// The rows of a table. In a long table each row keeps its texts only; what rows share, such as cells and stripes, is kept
// once.

import { PackedList, type Packing } from '../packed-list.ts';
import type { RowList, RowLook, TableRow } from './scene.ts';

/** Between the texts of rows. Those of a part that has it are not packed. */
const SEPARATOR = '\u001f';

export class TableRowList implements RowList {
  readonly looks: RowLook[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #ids = new Map<object | null, number>();
  /** Of each row, its place among the looks. */
  readonly #lookOf: number[] = [];
  /** Of each row; empty while no row is in a group. */
  readonly #groups: (number | null)[] = [];
  readonly #rows = new PackedList<TableRow>(this.#packing());

  get length(): number {
    return this.#lookOf.length;
  }

  /** Adds a row, which gets the next number. */
  add(row: TableRow): void {
    const index = this.length;
    if (row.group !== null) this.#groups[index] = row.group;
    this.#lookOf.push(this.#numberOf(row));
    this.#rows.add({ ...row, index });
  }

  at(index: number): TableRow | undefined {
    return this.#rows.at(index);
  }

  look(index: number): RowLook | undefined {
    return this.looks[this.#lookOf[index] ?? -1];
  }

  group(index: number): number | null {
    return this.#groups[index] ?? null;
  }

  [Symbol.iterator](): Iterator<TableRow> {
    return this.#rows[Symbol.iterator]();
  }

  #numberOf({ kind, cells, lines, isStriped, before, after, lists }: TableRow): number {
    const key = [kind, this.#idOf(cells), lines, isStriped, before, after, this.#idOf(lists)].join(' ');
    const number = this.#numbers.get(key) ?? this.looks.length;
    this.#numbers.set(key, number);
    this.looks[number] ??= { kind, cells, lines, isStriped, before, after, lists };
    return number;
  }

  #idOf(object: object | null): number {
    const id = this.#ids.get(object) ?? this.#ids.size;
    this.#ids.set(object, id);
    return id;
  }

  #packing(): Packing<TableRow> {
    return {
      pack: (rows) => {
        const texts = rows.flatMap((row) => row.texts);
        return texts.some((text) => text.includes(SEPARATOR)) ? null : texts.join(SEPARATOR);
      },
      unpack: (text, first, count) => {
        const texts = text.split(SEPARATOR);
        let at = 0;
        return Array.from({ length: count }, (_, i) => {
          const index = first + i;
          const look = this.look(index) as RowLook;
          const own = texts.slice(at, at + look.cells.length);
          at += own.length;
          return { ...look, texts: own, index, group: this.group(index) };
        });
      },
    };
  }
}
