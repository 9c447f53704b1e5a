// Trees that stand from one layout of a frame to the next, in the next render perhaps: to tell yoga what changed takes half
// as long as to tell it all.
//
// A frame's `layout` is the same object in all scenes of its template, and so are the placements that a tree is made
// from. Trees live outside the garbage collector's reach, so those unused for longest are felled.

import type { FlexLayout } from '../resolve/scene.ts';
import type { FlexFrame } from './axis.ts';
import type { FlexItem, FlexLine, Room } from './flex-item.ts';
import { YogaTree } from './yoga-tree.ts';

/** In the order of their last use. */
const standing = new Map<FlexLayout, YogaTree>();
let nodes = 0;
/** Of all standing trees; yoga keeps less than a kilobyte of each. */
const MOST_NODES = 4000;

/**
 * The tree of a frame, with its room and the sizes of its items set. It is the caller's until `leaveTree`.
 *
 * @param main the content box's size along the frame
 */
export function takeTree(
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

/** Leaves a frame's tree standing, or fells it where it is of no more use. */
export function leaveTree({ layout }: FlexFrame, tree: YogaTree): void {
  if (!tree.rest()) {
    tree.fell();
    return;
  }
  // Frames with one layout may be inside one another.
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
