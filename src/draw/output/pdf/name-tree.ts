// Writes a name tree (ISO 32000-1, 7.9.6): values by name, which a reader finds without reading all of them.
//
// Leaves are written as they fill, so of many names few are in memory. Names are given in their order.

import { bytesOfLatin1 } from '#base/runtime.ts';
import type { Dictionary, PdfReference, PdfValue } from './object.ts';

/** The most names of a leaf, and the most children of another node. */
const MOST_KIDS = 64;

interface TreeNode {
  readonly reference: PdfReference;
  /** Its first and last name. */
  readonly first: string;
  readonly last: string;
}

interface Writer {
  reserve(): PdfReference;
  write(reference: PdfReference, data: Dictionary): void;
}

export class NameTree {
  readonly #writer: Writer;
  readonly #leaves: TreeNode[] = [];
  /** Names and values of the leaf that is not full. */
  #open: { readonly name: string; readonly value: PdfValue }[] = [];

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** @param name ASCII; after those that were added before, by their bytes */
  add(name: string, value: PdfValue): void {
    this.#open.push({ name, value });
    if (this.#open.length === MOST_KIDS) this.#closeLeaf();
  }

  /** Writes the rest. @returns the root; null = nothing was added */
  finish(): PdfReference | null {
    this.#closeLeaf();
    let level: readonly TreeNode[] = this.#leaves;
    while (level.length > MOST_KIDS) {
      const above: TreeNode[] = [];
      for (let at = 0; at < level.length; at += MOST_KIDS) above.push(this.#writeNode(level.slice(at, at + MOST_KIDS)));
      level = above;
    }
    if (level.length === 0) return null;
    // The root is the only node without limits.
    const root = this.#writer.reserve();
    this.#writer.write(root, { Kids: level.map(({ reference }) => reference) });
    return root;
  }

  #closeLeaf(): void {
    const names = this.#open.flatMap(({ name, value }) => [bytesOfLatin1(name), value]);
    const [first, last] = [this.#open[0], this.#open.at(-1)];
    if (!first || !last) return;
    this.#open = [];
    this.#leaves.push(this.#write(first.name, last.name, { Names: names }));
  }

  #writeNode(kids: readonly TreeNode[]): TreeNode {
    const [first = '', last = ''] = [kids[0]?.first, kids.at(-1)?.last];
    return this.#write(first, last, { Kids: kids.map(({ reference }) => reference) });
  }

  #write(first: string, last: string, entries: Dictionary): TreeNode {
    const reference = this.#writer.reserve();
    this.#writer.write(reference, { Limits: [bytesOfLatin1(first), bytesOfLatin1(last)], ...entries });
    return { reference, first, last };
  }
}
