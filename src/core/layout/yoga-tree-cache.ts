// Caches yoga trees for the next layout of the same frame, perhaps in the next render: updating one takes half as long
// as building it.
//
// A frame's `layout` is the same object in all scenes of its template, and so are the placements that a tree is made
// from. Trees live outside the garbage collector's reach, so the least recently used are freed.

import type { FlexLayout } from '../resolve/scene.ts';
import type { FlexFrame } from './axis.ts';
import type { FlexItem, FlexLine, Room } from './flex-item.ts';
import { YogaTree } from './yoga-tree.ts';

/** Least recently used first. */
const standing = new Map<FlexLayout, YogaTree>();
let nodes = 0;
/** The limit for all cached trees together; yoga uses less than a kilobyte per node. */
const MOST_NODES = 4000;

/**
 * Returns the tree of a frame with the sizes of its box and items set. The caller must end its use with `cacheTree`.
 *
 * @param main the content box's size along the frame
 */
export function takeCachedTree(
  frame: FlexFrame,
  room: Room,
  main: number,
  items: readonly FlexItem[],
  lines: readonly FlexLine[],
): YogaTree {
  const stood = removed(frame.layout);
  const fits = stood?.fits(frame, items);
  if (!fits) stood?.fell();
  const tree = fits && stood ? stood : new YogaTree(frame, items, lines);
  tree.setSizes(room, main, items);
  return tree;
}

/** Caches a frame's tree for its next layout, or frees it where it cannot be used again. */
export function cacheTree({ layout }: FlexFrame, tree: YogaTree): void {
  if (!tree.rest()) {
    tree.fell();
    return;
  }
  // Frames that share a layout may be nested, so another tree may be cached under it by now.
  removed(layout)?.fell();
  standing.set(layout, tree);
  nodes += tree.size;
  if (nodes <= MOST_NODES) return;
  for (const oldest of standing.keys()) {
    if (nodes <= MOST_NODES) break;
    removed(oldest)?.fell();
  }
}

function removed(layout: FlexLayout): YogaTree | undefined {
  const tree = standing.get(layout);
  if (tree) {
    standing.delete(layout);
    nodes -= tree.size;
  }
  return tree;
}
