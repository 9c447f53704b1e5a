// Builds the page tree of a file (ISO 32000-1, 7.7.3): balanced, so that a reader finds one of many pages without
// reading the others.
//
// A page names its parent when it is written, so the nodes above pages are reserved first and written last.

import type { Dictionary, PdfReference } from './object.ts';

/** The most children of a node. */
const MOST_KIDS = 64;

interface TreeNode {
  readonly reference: PdfReference;
  readonly kids: PdfReference[];
  /** Pages below it. */
  count: number;
}

interface Writer {
  reserve(): PdfReference;
  write(reference: PdfReference, data: Dictionary): void;
}

export class PageTree {
  readonly #writer: Writer;
  /** The nodes whose children are pages. */
  readonly #nodes: TreeNode[] = [];

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Adds a page. @param write writes the page, which has this parent */
  add(write: (parent: PdfReference) => PdfReference): void {
    let node = this.#nodes.at(-1);
    if (!node || node.count === MOST_KIDS) {
      node = { reference: this.#writer.reserve(), kids: [], count: 0 };
      this.#nodes.push(node);
    }
    node.kids.push(write(node.reference));
    node.count += 1;
  }

  /** Writes the nodes. @returns the root */
  finish(): PdfReference {
    let level: readonly TreeNode[] = this.#nodes;
    while (level.length > 1) {
      const above: TreeNode[] = [];
      for (let first = 0; first < level.length; first += MOST_KIDS) {
        const parent: TreeNode = { reference: this.#writer.reserve(), kids: [], count: 0 };
        for (const node of level.slice(first, first + MOST_KIDS)) {
          this.#write(node, { Parent: parent.reference });
          parent.kids.push(node.reference);
          parent.count += node.count;
        }
        above.push(parent);
      }
      level = above;
    }
    const [root] = level;
    if (!root) throw new Error('A PDF has at least one page.');
    this.#write(root, {});
    return root.reference;
  }

  #write({ reference, kids, count }: TreeNode, parent: Dictionary): void {
    this.#writer.write(reference, { Type: 'Pages', ...parent, Kids: kids, Count: count });
  }
}
