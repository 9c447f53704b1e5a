// Caches yoga trees for the next layout of the same frame, perhaps in the next render: updating one takes half as long
// as building it.
//
// A frame's `layout` is the same object in all scenes of its template, and so are the placements that a tree is made
// from. Trees live outside the garbage collector's reach, so a cache belongs to whoever renders, and frees the least
// recently used.

import type { FlexLayout } from '../resolve/scene.ts';
import type { FlexFrame } from './axis.ts';
import type { LayoutMemory } from './box.ts';
import type { AvailableSpace, FlexItem, FlexLine } from './flex-item.ts';
import { YogaTree } from './yoga-tree.ts';

/** The limit for all trees of a cache together; yoga uses less than a kilobyte per node. */
const MOST_NODES = 4000;

export class YogaTreeCache {
  /** Least recently used first. */
  readonly #trees = new Map<FlexLayout, YogaTree>();
  readonly #mostNodes: number;
  #nodes = 0;

  /** @param mostNodes 0 = none is kept */
  constructor(mostNodes = MOST_NODES) {
    this.#mostNodes = mostNodes;
  }

  /**
   * Returns the tree of a frame with the sizes of its box and items set. The caller must end its use with `give`.
   *
   * @param main the content box's size along the frame
   */
  take(
    frame: FlexFrame,
    room: AvailableSpace,
    main: number,
    items: readonly FlexItem[],
    lines: readonly FlexLine[],
  ): YogaTree {
    const kept = this.#removed(frame.layout);
    const fits = kept?.fits(frame, items);
    if (!fits) kept?.free();
    const tree = fits && kept ? kept : new YogaTree(frame, items, lines);
    tree.setSizes(room, main, items);
    return tree;
  }

  /** Keeps a frame's tree for its next layout, or frees it where it cannot be used again. */
  give({ layout }: FlexFrame, tree: YogaTree): void {
    if (!tree.keepSpare()) {
      tree.free();
      return;
    }
    // Frames that share a layout may be nested, so another tree may be kept for it by now.
    this.#removed(layout)?.free();
    this.#trees.set(layout, tree);
    this.#nodes += tree.size;
    for (const oldest of this.#trees.keys()) {
      if (this.#nodes <= this.#mostNodes) break;
      this.#removed(oldest)?.free();
    }
  }

  #removed(layout: FlexLayout): YogaTree | undefined {
    const tree = this.#trees.get(layout);
    if (tree) {
      this.#trees.delete(layout);
      this.#nodes -= tree.size;
    }
    return tree;
  }
}

/** What earlier layouts have left, which belongs to whoever lays out. */
export interface Kept {
  /** Nodes laid out with it before get the same boxes; an editor passes it on while a layer is dragged. */
  readonly memory?: LayoutMemory;
  /** Absent: no tree is kept. */
  readonly trees?: YogaTreeCache;
}
